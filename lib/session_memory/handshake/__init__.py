"""The environment handshake between an agent and its subagents (SMC-14): never persisted."""

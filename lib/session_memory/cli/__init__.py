"""The session-memory command: one module a group, no logic."""

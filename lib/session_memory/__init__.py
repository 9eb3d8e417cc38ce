"""Session memory for Claude Code and GitHub Copilot, kept by editor hooks."""

__version__ = "0.1.0"

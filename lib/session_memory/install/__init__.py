"""Registering the hooks in the settings of an editor, and taking them out again without a trace."""

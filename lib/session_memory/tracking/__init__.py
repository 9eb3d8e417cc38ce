"""The files of ``.copilot-tracking`` (SMC-09, 10, 11, 13)."""

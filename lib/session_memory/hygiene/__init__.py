"""Release hygiene: a reminder to bump the version with an entry-point edit (SMC-12)."""

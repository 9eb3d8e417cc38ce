"""Reference documents of a repository: index, loader, pre-flight (SMC-22)."""

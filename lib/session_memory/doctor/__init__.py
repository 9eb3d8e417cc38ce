"""Finding what really goes wrong with the hooks, and how to mend it. Nothing is changed."""

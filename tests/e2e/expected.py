"""The texts by which a test recognises what the hooks injected, each there once an injection."""

STARTUP = "Start-up check:"
REFERENCES = "<!-- refs-injected-647 -->"
REMINDER = "Release hygiene:"

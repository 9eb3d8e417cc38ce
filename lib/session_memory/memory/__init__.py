"""What an agent keeps for itself while it works: plans, designs, review state, deferred work."""

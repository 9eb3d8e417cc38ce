"""What each editor event does: one module an event."""

"""Markers: durable state kept in GitHub comments, one HTML comment on line 1 naming each record."""

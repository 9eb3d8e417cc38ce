"""What marker comments say: engagement records, dispositions, credits, follow-ups, metrics."""

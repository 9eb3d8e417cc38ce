"""Where each editor keeps its settings and its plugins: what is known of that is known here."""

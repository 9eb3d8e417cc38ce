"""Whether documents keep to the contract: labels, rows, fungibility, chains, and state they own."""

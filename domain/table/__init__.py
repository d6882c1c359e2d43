"""A table: its terms, seats and button, and the hands that are dealt there."""

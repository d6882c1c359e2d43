"""A node: a process that writes some of a room's shards, and answers for them at its door."""

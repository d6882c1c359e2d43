"""Snapshots: states and their commands as records, and a room that goes on from them."""

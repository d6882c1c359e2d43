"""Snapshots: tables and their newest hands as records in a compacted topic, so that a takeover reads no old log."""

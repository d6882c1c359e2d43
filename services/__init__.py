"""Everything that does I/O: the log, the room that writes it, the tools."""

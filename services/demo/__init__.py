"""The demonstration: bots play a room full of tables, and everything that can be proved of it is proved and shown."""

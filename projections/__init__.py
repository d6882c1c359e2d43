"""Views: event in, rows out. Everything here can be thrown away and rebuilt from the log (design, Views)."""

"""Real hands, dealt again: what card rooms logged goes in as commands, and what they paid must come out."""

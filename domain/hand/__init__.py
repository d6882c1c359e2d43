"""One hand of cards, from its opening to its settlement: facts, commands, state and the decider."""

"""The rules, the money and the facts of a poker room: pure, without clock, randomness or I/O."""

"""What only some may read, and when: the room's keys, sealed cards and decks, the shuffle, its commitment, and texts
that can be erased (design, Secrets, The deck)."""

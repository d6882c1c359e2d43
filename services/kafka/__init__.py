"""The room's broker: how it is reached, its topics, and what is read from and sent to a partition."""

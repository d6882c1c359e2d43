"""A real Kafka of one or three brokers on this machine, for development and for tests: standard library only."""

"""A player's money and what protects him: his file, and an account for each currency."""

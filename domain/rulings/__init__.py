"""Hands after the fact: replayed frame by frame, and decided again."""

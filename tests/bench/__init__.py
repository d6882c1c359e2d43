"""Speed, side by side with others in one run: `python -m tests.bench` (design, How well)."""

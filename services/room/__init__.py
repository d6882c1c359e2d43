"""The room at work: commands in, commits out."""

"""The rulebooks, one file each. Every module here holds one `RULEBOOK`; `registry.py` finds it by itself."""

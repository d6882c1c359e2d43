"""Hands of other rooms: their histories are read, and dealt again under our rules. None of it enters the log, which
holds what this room decided and nothing else.
"""

"""The feed: what everybody may see of the room's log, one CloudEvent an event, for whoever builds on it."""

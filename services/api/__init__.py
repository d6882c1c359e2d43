"""The door of a node: commands come in over HTTP, and everybody is shown what he may see.

app          the routes
host         what the door needs of the node behind it
tokens       who somebody is
roles        what somebody may be to the room
permissions  what he may send, and as whom he looks
asking       a command as it comes over the wire
commands     a command's way to the room and back
seen         tables, hands and answers as somebody sees them
patrons      a player with his money as he and the staff see it
forward      asking the door of a shard's owner
problems     what went wrong, as documents (RFC 9457)
metrics      what is counted
serve        the server
"""

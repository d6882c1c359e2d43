"""Evidence: what a room's log was, so that somebody else can check it with a file and a public key (design, Evidence).

merkle   the tree over a shard's record hashes (RFC 6962): roots, proofs, and their checks
tree     those trees kept beside the log, rebuildable at any time
note     a shard's size and root, signed with the time (C2SP checkpoints)
keyfile  the file that keeps the checkpointer's secret
checkpoints, checkpointer   the file of what was signed, and who signs it
losses   what two people took upon them: where a log may lack what was signed
against  a log compared with what was signed of it
bundle, hand_check   one hand with its proof, and the check of that
"""

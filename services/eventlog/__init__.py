"""The log: what was decided, kept verbatim for ever (design, The log).

canonical   the one spelling of JSON that a body has
body        what a body says: when, the command, the events
commit      one record: header and body, sealed and parsed
chain       the one rule that says which records count
log         the interface of a log, and what can go wrong with one
sqlite_log  the embedded home; sqlite_file its file, files what it asks of the machine, lock who may write it
recorder, mapper   the log as the `eventsourcing` library sees it
verify, transfer   proof that a log is sound; export and import
"""

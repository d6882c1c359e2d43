"""The commands of `handlog` as they are typed: their names, options and help, by what their user is about.

homes     init, export, import
hands     demo, games, hands, replay, readjudicate
evidence  verify, checkpoint, prove, verify-hand, check-cards, accept-loss, openings
books     close-day, rebuild, views, warehouse
running   node, feed, upgrade, topics
keys      keys init, rotate, export
tokens    tokens add, list, remove
audit     audit folded, pots-over, minute, ...
report    report balances, rake, day, hands, player, reconcile
options   what several of them take

What a command does stands beside this folder, and is imported when the command is given: `handlog --help` must not load
the house.
"""

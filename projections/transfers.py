"""View: what is under way between two streams, money and news: sent, and not closed yet by its sender.

Whoever takes over a shard finds here what its owner before him had begun (`services/room/transit.py`).
"""

from typing import NamedTuple

from domain.transfers import NoticeClosed, NoticeSent, TransferClosed, TransferSent
from projections.commit import Commit
from projections.view import Layout, Rows, View


class UnderWay(NamedTuple):
    """`sender` and `receiver` are streams, `seq` the number of that pair. `amount` in minor units of `currency`: 0 and
    empty for news, whose `purpose` is what it is about. `shard`: the sender's. `since`: UTC microseconds."""

    sender: str
    receiver: str
    seq: int
    player: str
    amount: int
    currency: str
    purpose: str
    shard: int
    since: int


def fold(commit: Commit, under_way: Rows[UnderWay]) -> None:
    for stream, _, event in commit.facts:
        match event:
            case TransferSent(to, seq, amount, currency, purpose, player):
                under_way.put(
                    UnderWay(stream, to, seq, player, amount, currency, purpose.value, commit.shard, commit.at)
                )
            case NoticeSent(to, seq, about, player):
                under_way.put(UnderWay(stream, to, seq, player, 0, "", about.value, commit.shard, commit.at))
            case TransferClosed(to, seq) | NoticeClosed(to, seq):
                under_way.drop((stream, to, seq))


TRANSFERS = View("transfers", 1, (Layout("under_way", UnderWay, key=3, indexes=(("shard",),)),), fold)

"""All views. A new one stands here; a changed one gets the next revision, and `handlog rebuild` does the rest."""

from projections.balances import BALANCES
from projections.hands import HANDS
from projections.rake import RAKE
from projections.shards import SHARDS
from projections.view import View

VIEWS: tuple[View, ...] = (BALANCES, RAKE, HANDS, SHARDS)

"""All views. A new one stands here; a changed one gets the next revision, and `handlog rebuild` does the rest."""

from projections.balances import BALANCES
from projections.days import DAYS
from projections.hands import HANDS
from projections.rake import RAKE
from projections.results import RESULTS
from projections.shards import SHARDS
from projections.transfers import TRANSFERS
from projections.view import View

VIEWS: tuple[View, ...] = (BALANCES, RAKE, HANDS, RESULTS, DAYS, SHARDS, TRANSFERS)

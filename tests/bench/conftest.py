"""For tests of the bench: a timing collects garbage first, and looks no more through what other tests have left."""

import gc

import pytest


@pytest.fixture(scope="module", autouse=True)
def _only_its_own_garbage() -> None:
    gc.collect()
    gc.freeze()

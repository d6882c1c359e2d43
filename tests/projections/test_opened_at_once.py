"""Several who open a new store at the same moment wait for each other: none is told that it is locked."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from projections.store import Store

AT_ONCE = 8


def test_a_new_store_is_opened_by_several_at_once(tmp_path) -> None:
    for number in range(15):
        url, start = f"sqlite:///{tmp_path / f'{number}.db'}", Barrier(AT_ONCE)

        def opened(_: int, url: str = url, start: Barrier = start) -> int:
            start.wait()
            with Store.open(url) as store:
                return len(store.positions())

        with ThreadPoolExecutor(AT_ONCE) as everybody:
            assert list(everybody.map(opened, range(AT_ONCE))) == [0] * AT_ONCE

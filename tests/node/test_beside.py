"""Work beside a node ends with it, however that ends."""

import threading

import pytest

from services.node.beside import beside


def test_it_is_told_to_end_and_waited_for_however_the_other_ends() -> None:
    done: list[str] = []

    def work(until: threading.Event) -> None:
        until.wait(30)
        done.append(threading.current_thread().name)

    with beside("a good end", work):
        assert not done
    with pytest.raises(ValueError, match="fault"), beside("a bad one", work):
        raise ValueError("fault")
    assert done == ["a good end", "a bad one"]

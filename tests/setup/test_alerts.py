"""The rules for Prometheus ask for metrics that there are, and for no others."""

import re
from pathlib import Path

import pytest
import yaml
from prometheus_client import CollectorRegistry, generate_latest

from services.api.host import Readiness, RoomHost, Standing
from services.api.metrics import Metrics
from services.following import FEED, VIEWS, WAREHOUSE, Behind, FollowerMetrics
from services.node.metrics import NodeMetrics

DEPLOY = Path(__file__).parents[2] / "deploy"
(GROUP,) = yaml.safe_load((DEPLOY / "alerts.yaml").read_text())["groups"]
RULES = {rule["alert"]: rule for rule in GROUP["rules"]}


class Host(RoomHost):
    """Answers only how its one shard stands."""

    def __init__(self) -> None:
        pass

    def readiness(self) -> Readiness:
        return Readiness((Standing(0, owned=True),))


def exposed() -> set[str]:
    """The names of all samples that a node and what follows its log show once something has happened."""
    registry = CollectorRegistry()
    node = NodeMetrics(registry)
    Metrics(Host(), registry, lambda: 0)
    node.batch(1, 0.1)
    node.void(0)
    node.taken_over(0, 1)
    node.lost(0)
    node.left_out(0, 1)
    for shown in (FEED, VIEWS, WAREHOUSE):
        FollowerMetrics(registry, shown).stands({0: Behind(1, 0.5)})
    lines = generate_latest(registry).decode().splitlines()
    return {re.split(r"[{ ]", line)[0] for line in lines if line[0] != "#"}


@pytest.mark.parametrize("alert", RULES)
def test_an_alert_asks_for_what_is_shown_and_says_in_a_sentence_what_is_wrong(alert: str) -> None:
    rule = RULES[alert]
    asked = set(re.findall(r"handlog_\w+", rule["expr"]))
    assert asked
    assert asked <= exposed()
    assert rule["labels"]["severity"] in {"page", "ticket"}
    assert rule["annotations"]["summary"].endswith(".")
    assert rule.keys() <= {"alert", "expr", "for", "labels", "annotations"}


def test_the_runbook_names_each_metric_that_alerts() -> None:
    runbook = (DEPLOY / "RUNBOOK.md").read_text()
    for rule in RULES.values():
        for name in re.findall(r"handlog_\w+", rule["expr"]):
            assert name.removesuffix("_total").removesuffix("_bucket") in runbook

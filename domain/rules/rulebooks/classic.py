"""The hold'em and Omaha guide: everyone shows in Omaha, hands may be laid down unseen in hold'em."""

from dataclasses import replace

from domain.rules.rulebooks.euro import RULEBOOK as EURO

RULEBOOK = replace(
    EURO,
    name="classic",
    title="A guide to hold'em and Omaha",
    source="002_a400bd5e4bdc8529",
    everyone_shows_in=("omaha", "omaha-hilo"),
    may_give_up_in=("holdem",),
)

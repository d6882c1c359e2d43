"""The cage: accounts opened, money in and out of them, holds, adjustments, promotion credit.

No account is ever overdrawn. Play money is neither bought nor sold: it comes as promotion credit, which can't be
withdrawn anyway, and what is won with it stays play money.
"""

from typing import Any

from domain.account import commands as ask
from domain.account import events as fact
from domain.account.limits import check_deposit
from domain.account.protection import check_not_away, check_not_frozen
from domain.account.state import ACCOUNTS_IN, Account, Patron
from domain.messages import Facts, Refused, account_stream
from domain.money import MAX_AMOUNT, SCALES, decimal_text
from domain.rules.phrases import listed
from domain.rules.vocabulary import Kind

PLAY_MONEY = "PLAY"


def open_account(patron: Patron, asked: ask.OpenAccount, at: int) -> list[Facts]:
    if asked.currency not in ACCOUNTS_IN:
        raise Refused(f"there are no accounts in {asked.currency!r}: in {listed(ACCOUNTS_IN, 'or')}")
    if asked.currency in patron.accounts:
        raise Refused(f"{patron.id} has an account in {asked.currency} already: use that one")
    return opening(patron, asked.currency, asked.alone_up_to)


def opening(patron: Patron, currency: str, alone_up_to: int) -> list[Facts]:
    """The facts of a new account: his file knows of it first."""
    kind = Kind.PLAY if currency == PLAY_MONEY else Kind.REAL
    opened = fact.AccountOpened(currency, SCALES[currency], kind, alone_up_to)
    return [
        (patron.stream, [fact.AccountAdded(currency)]),
        (account_stream(patron.id, currency), [opened]),
    ]


def deposit(patron: Patron, asked: ask.Deposit, at: int) -> list[Facts]:
    account = patron.account(asked.currency)
    _check_real(account, "deposited")
    _check_new_payment(account, asked.reference, "a deposit")
    check_not_away(patron, at)
    check_deposit(patron, account, asked.amount, at)
    _check_room(account, asked.amount)
    return _of_account(patron, asked, fact.Deposited(asked.amount, asked.reference, at))


def withdraw(patron: Patron, asked: ask.Withdraw, at: int) -> list[Facts]:
    account = patron.account(asked.currency)
    _check_real(account, "withdrawn")
    _check_new_payment(account, asked.reference, "a withdrawal")
    check_not_frozen(patron)
    if asked.hold:
        held = _held(account, asked.hold)
        if asked.amount != held:
            raise Refused(
                f"hold {asked.hold} is {_money(account, held)}, not {_money(account, asked.amount)}: pay out all "
                "of it, or release it first"
            )
    else:
        check_covered(account, asked.amount)
    return _of_account(patron, asked, fact.Withdrawn(asked.amount, asked.reference, asked.hold, at))


def hold(patron: Patron, asked: ask.Hold, at: int) -> list[Facts]:
    account = patron.account(asked.currency)
    _check_real(account, "held for a withdrawal")
    if asked.hold in account.holds:
        raise Refused(
            f"there is a hold {asked.hold} already, of {_money(account, account.holds[asked.hold])}: give another id"
        )
    check_covered(account, asked.amount)
    return _of_account(patron, asked, fact.Held(asked.hold, asked.amount, at))


def release_hold(patron: Patron, asked: ask.ReleaseHold, at: int) -> list[Facts]:
    held = _held(patron.account(asked.currency), asked.hold)
    return _of_account(patron, asked, fact.HoldReleased(asked.hold, held, at))


def adjust(patron: Patron, asked: ask.Adjust, at: int) -> list[Facts]:
    """Above `alone_up_to`, either way, it takes two people; always a reason."""
    account = patron.account(asked.currency)
    if not asked.amount:
        raise Refused("an adjustment of nothing changes nothing: state what comes (positive) or goes (negative)")
    if not asked.by or not asked.reason:
        raise Refused("an adjustment needs a name and a reason: say who makes it, and why")
    _check_another(asked, "an adjustment")
    alone = account.alone_up_to
    if abs(asked.amount) > alone and not asked.second:
        raise Refused(
            f"an adjustment of {_money(account, asked.amount)} takes two people: name a second; one alone may make "
            f"{_money(account, alone)}"
        )
    if asked.amount < 0:
        check_covered(account, -asked.amount)
    _check_room(account, asked.amount)
    return _of_account(
        patron, asked, fact.Adjusted(asked.amount, asked.by, asked.second, asked.reason, asked.about, at)
    )


def change_alone_limit(patron: Patron, asked: ask.ChangeAloneLimit, at: int) -> list[Facts]:
    """Always two people: whoever could raise it alone could then adjust alone, whatever it was. An account that opened
    itself has none until then."""
    account = patron.account(asked.currency)
    if not (asked.by and asked.second and asked.reason):
        raise Refused("what one person may adjust alone is changed by two people and for a reason: name both, say why")
    _check_another(asked, "it")
    if asked.alone_up_to == account.alone_up_to:
        raise Refused(f"one person may adjust {_money(account, asked.alone_up_to)} alone already: name another amount")
    changed = fact.AloneLimitChanged(asked.alone_up_to, asked.by, asked.second, asked.reason, at)
    return _of_account(patron, asked, changed)


def grant_promotion(patron: Patron, asked: ask.GrantPromotion, at: int) -> list[Facts]:
    _check_room(patron.account(asked.currency), asked.amount)
    return _of_account(patron, asked, fact.PromotionGranted(asked.amount, asked.promotion, at))


def take_back_promotion(patron: Patron, asked: ask.TakeBackPromotion, at: int) -> list[Facts]:
    account = patron.account(asked.currency)
    if asked.amount > account.promotion:
        raise Refused(
            f"{_money(account, asked.amount)} of promotion credit can't be taken back: the account has "
            f"{_money(account, account.promotion)} of it, so take back at most that"
        )
    return _of_account(patron, asked, fact.PromotionTakenBack(asked.amount, asked.promotion, at))


def check_covered(account: Account, amount: int) -> None:
    """Raise Refused unless the balance has so much; all of it is enough."""
    if amount > account.balance:
        raise Refused(
            f"{_money(account, amount)} is more than the balance, {_money(account, account.balance)}: ask for at most "
            f"the balance{_beside_the_balance(account)}"
        )


def _beside_the_balance(account: Account) -> str:
    held, credit = account.held, account.promotion
    waits = f"; {_money(account, held)} more is on hold" if held else ""
    return waits + (f"; {_money(account, credit)} is promotion credit, which is only played" if credit else "")


def _of_account(patron: Patron, asked: Any, event: Any) -> list[Facts]:
    return [(account_stream(patron.id, asked.currency), [event])]


def _held(account: Account, hold: str) -> int:
    if hold not in account.holds:
        open_ones = f"those of the account are {listed(sorted(account.holds))}" if account.holds else "nothing is held"
        raise Refused(f"there is no hold {hold}: {open_ones}")
    return account.holds[hold]


def _check_new_payment(account: Account, reference: str, what: str) -> None:
    """Raise Refused for a payment that was booked before, in or out, however long ago: who asks again under a new id
    moves nothing twice."""
    if not reference:
        raise Refused(f"{what} needs the reference of its payment, so that none is booked twice")
    before = account.payments.get(reference)
    if before is not None:
        done = "deposited" if before > 0 else "paid out"
        raise Refused(
            f"payment {reference} was {done} already, {_money(account, abs(before))}: another payment has a reference "
            "of its own"
        )


def _check_another(asked: ask.Adjust | ask.ChangeAloneLimit, what: str) -> None:
    if asked.second == asked.by:
        raise Refused(f"{asked.by} can't be both people who take {what} upon them: the second must be another one")


def _check_real(account: Account, what: str) -> None:
    if account.opened.kind is Kind.PLAY:
        raise Refused(f"play money isn't {what}: it is granted, as promotion credit, and only played")


def _check_room(account: Account, amount: int) -> None:
    """Raise Refused where the account would hold more than the log can write."""
    if account.balance + account.held + account.promotion + amount > MAX_AMOUNT:
        raise Refused(
            f"an account holds at most {_money(account, MAX_AMOUNT)}: {_money(account, amount)} is too much for it"
        )


def _money(account: Account, amount: int) -> str:
    return f"{decimal_text(amount, account.opened.scale)} {account.opened.currency}"

"""Where the money of a payout comes from: the tray, or the cage; in words, and by which clause."""

from typing import Final

from riverboat.core.money import format_cents
from riverboat.round.dues import Due
from riverboat.round.events import PayoutCorrected
from riverboat.round.setup import Setup
from riverboat.rulebook import Rulebook

PAID_FROM: Final = {"tray": "from the tray", "cage": "by the cage, not from the tray"}


def source_words(setup: Setup, due: Due) -> tuple[str, tuple[str, ...]]:
    """From where a share of the meter or a fixed prize is paid, and what says so; nothing about any
    other payout, for the tray pays those."""
    prize = due.pays.kind == "dollars" and not due.for_seat
    if due.outcome != "win" or not (due.percent or prize):
        return "", ()
    cites = _says_so(setup.book, share=bool(due.percent))
    words = f"; paid {PAID_FROM[due.source]}"
    if due.source == "tray":
        threshold = setup.cents("off_tray_threshold") or 0
        return f"{words}, for it is less than {format_cents(threshold)}", cites
    stay, why = cards_stay(setup.book)
    return words + (f"; {stay}" if stay else ""), (*cites, *why)


def correction_words(book: Rulebook, event: PayoutCorrected) -> tuple[str, tuple[str, ...]]:
    """What a correction did, and what says from where; nothing about the tray, as above."""
    amount, more = format_cents(abs(event.cents)), event.cents > 0
    done = f"{amount} more is paid" if more else f"{amount} is given back"
    if event.source == "tray":
        return done, ()
    where = PAID_FROM["cage"] if more else "to the cage, not to the tray"
    return f"{done} {where}", _says_so(book, share=event.spot == "progressive")


def _says_so(book: Rulebook, *, share: bool) -> tuple[str, ...]:
    """The clauses on who pays a share of the meter, or a fixed prize."""
    rule, option = book.progressive, book.options.get("off_tray_threshold")
    says = rule.payment if rule is not None and share else option
    return says.cites if says is not None else ()


def cards_stay(book: Rulebook) -> tuple[str, tuple[str, ...]]:
    """What becomes of the cards of a hand that the cage pays, if the rulebook says it."""
    rule = book.progressive
    if rule is None or not rule.payment.cards_until_documented:
        return "", ()
    return "the cards stay on the table until the win is documented", rule.payment.cites

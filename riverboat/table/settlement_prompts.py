"""What the dealer does with each wager at settlement, who else sees to it, and with the cards."""

from riverboat import events as r
from riverboat.games import actions as g
from riverboat.games.dues import Due
from riverboat.games.paid_from import PAID_FROM, cards_stay
from riverboat.games.round import Round
from riverboat.games.table_talk import label_of, name_share, sentence
from riverboat.money import format_cents
from riverboat.rulebook.progressive import Step
from riverboat.table.asking import SILENT
from riverboat.table.tasks import Task


def settle_task(state: Round, left: list[Due]) -> Task:
    """The next of the wagers that are left to settle."""
    due, book = left[0], state.setup.book
    steps = _award_steps(state, due)
    of_base = due.spot in state.setup.base_spots
    base = book.settlement.base.cites if of_base else SILENT
    then, cards = _cards_then(state, left)
    award = tuple(cite for step in steps for cite in step.cites)
    several = _several(state, left)
    cites = (*due.cites, *book.settlement.seats.cites, *base, *award, *several, *cards)
    return Task(
        who="dealer",
        seat=due.seat,
        words=sentence(_due_words(state, due)),
        say=due.hand.replace("_", " ") if of_base and book.settlement.base.hand_announced else "",
        how=(*_box(state, due), *(f"{s.by}: {s.step.replace('_', ' ')}" for s in steps), then),
        do=g.Settle(seat=due.seat, spot=due.spot, given_cents=due.given_cents),
        cites=tuple(dict.fromkeys(cites)),
    )


def _box(state: Round, due: Due) -> tuple[str, ...]:
    """Where the box is turned after the base wagers, that comes before the first bet on it."""
    covered = bool(state.box) and not state.box_turned
    of_the_box = due.spot in state.setup.book.box_bets
    return ("turn the cards of the six card box",) if covered and of_the_box else ()


def _due_words(state: Round, due: Due) -> str:
    label = label_of(state.setup.book, due.spot)
    match due.outcome:
        case "lose" if not due.stake_cents:
            return f"seat {due.seat}: {label} loses; its chip is in the tray already"
        case "lose":
            return f"seat {due.seat}: {label} loses; take {format_cents(due.stake_cents)}"
        case "push":
            return f"seat {due.seat}: {label} pushes; {format_cents(due.stake_cents)} goes back"
    stake = "" if due.stake_returned and due.stake_cents else "; the stake is not returned"
    if due.share is not None and state.link.status == "not_open":
        share = f"{name_share(due.percent)}, as it stands when the award is fixed"
        return f"seat {due.seat}: {label} wins {share}{stake}"
    paid, source = format_cents(due.paid_cents), PAID_FROM[due.source]
    does = f"wins; pay {paid}" if due.source == "tray" else f"wins {paid}, paid"
    return f"seat {due.seat}: {label} {does} {source}{stake}"


def _award_steps(state: Round, due: Due) -> tuple[Step, ...]:
    """A progressive win is verified by more than the dealer."""
    rule = state.setup.book.progressive
    if rule is None or due.spot != "progressive" or due.outcome != "win":
        return ()
    return tuple(step for step in rule.steps if step.awards == "all" or due.percent)


def _several(state: Round, left: list[Due]) -> tuple[str, ...]:
    """What says how more than one award of the meter is paid."""
    rule = state.setup.book.progressive
    paid = any(isinstance(event, r.MeterAwarded) for event in state.history)
    if rule is None or not left[0].percent or not (paid or any(d.percent for d in left[1:])):
        return SILENT
    return rule.several_winners.cites


def _cards_then(state: Round, left: list[Due]) -> tuple[str, tuple[str, ...]]:
    """What becomes of a seat's cards when this wager of it is settled, and what says so."""
    due, cards, rule = left[0], state.setup.book.settlement.cards, state.setup.book.progressive
    stay, why = cards_stay(state.setup.book)
    if stay and due.source == "cage":
        return stay, why
    envied = any(other.for_seat == due.seat for other in left)
    if envied and rule is not None and rule.envy.trigger_hand == "face_up_until_all_paid":
        return "the hand stays face up until all payments are made", rule.envy.cites
    if cards.kept_for_side_bets and any(other.seat == due.seat for other in left[1:]):
        return "the cards stay until the seat's other wagers are settled", cards.cites
    return "the cards into the discard rack", cards.cites

"""What is told at your shoulder: help and explanations as pages, and what each choice is worth."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from riverboat.answers.page import Block, Facts, Heading, Table, Words
from riverboat.core.errors import NotationError
from riverboat.core.money import format_cents, format_signed
from riverboat.round import Round, Setup
from riverboat.round.legal import legal, whole_bets
from riverboat.round.streets import stage_of
from riverboat.round.table_talk import label
from riverboat.rulebook import Rulebook
from riverboat.rulebook.paytables import PayTable
from riverboat.rulebook.play import Comparison
from riverboat.terminal.players import offered
from riverboat.terminal.scene import Scene, standing
from riverboat.wording.clauses import clause_texts
from riverboat.wording.hand_names import name_line

KEYS = (
    ("Enter", "lay the last bets again and deal"),
    ("1 2 3", "before the deal: one of three antes; at a decision: one, two, three times the ante"),
    ("b", "an ante or a bet of your own choice"),
    ("f", "fold"),
    ("s", "side bets"),
    ("c", "at a decision: ask the coach what each choice is worth, and later what yours cost"),
    ("e", "explain the last round in detail"),
    ("?", "this page"),
    ("q", "leave the table"),
)


def help_page(scene: Scene) -> Iterator[Block]:
    """The rule of this moment with its clauses, the keys, the table and its pay tables."""
    book, setup = scene.setup.book, scene.setup
    yield Heading("Keys")
    yield Facts(KEYS)
    deciding = scene.state.phase == "deciding"
    yield Heading(f"The rule now: {scene.moment if deciding else 'before the deal'}")
    said: set[str] = set()
    for title, cites in _rules_now(scene):
        yield Words(f"{title}:")
        yield Facts(clause_facts(book, [cite for cite in cites if cite not in said]))
        said |= set(cites)
    yield Heading("This table")
    facts = [
        ("Rulebook", f"{book.title} ({standing(book)})"),
        ("Standing", book.source.standing),
        ("Ante", str(setup.limits.ante)),
        *((label(book, bet), str(limit)) for bet, limit in setup.limits.bonuses.items()),
    ]
    if setup.progressive is not None:
        exactly = f"exactly {format_cents(setup.progressive.wager_cents)}"
        facts.append((label(book, "progressive"), exactly))
    facts.append(("Seats", "Seat 1 is at the dealer's left, which is your right."))
    yield Facts([(name, text) for name, text in facts if name])
    for table in _tables(scene):
        yield Heading(f"Pay table {table.id}: {_spoken(table.bet)}", level=3)
        rows = [(name_line(line), line.pays.words) for line in table.lines]
        yield Table(("Hand", "Pays"), rows)
    if book.comparison is not None:
        yield _comparison(book, book.comparison)


def _rules_now(scene: Scene) -> Iterator[tuple[str, Sequence[str]]]:
    book, state = scene.setup.book, scene.state
    if state.phase == "deciding":
        stage = stage_of(state)
        allowed = ", ".join(f"{bet.times}x" for bet in whole_bets(state, legal(state)))
        yield f"Stay in for {allowed} of the ante", stage.bet_cites
        yield "Or fold", stage.fold_cites
        yield "When all have acted", stage.reveal_cites
        return
    yield "Without an ante there are no cards", book.ante.cites
    for offer in book.side_bets:
        if offer.bet in offered(scene.setup):
            earlier = " and ".join(label(book, spot) for spot in offer.after)
            yield f"{offer.label}, after {earlier}", offer.cites
    yield "Betting closes", book.betting_closes.cites


def clause_facts(book: Rulebook, cites: Iterable[str]) -> list[tuple[str, str]]:
    """Clauses by id, in the rulebook's words."""
    return [(cite, one.text) for cite, one in clause_texts(book, cites).items()]


def _tables(scene: Scene) -> Iterator[PayTable]:
    setup = scene.setup
    if setup.base is not None:
        yield setup.base
    yield from setup.bonuses.values()
    if setup.progressive is not None:
        yield from (setup.progressive.table, setup.progressive.envy)


def _comparison(book: Rulebook, comparison: Comparison) -> Table:
    rows = []
    for line in comparison.lines:
        hands = f" with {line.hands[-1]} to {line.hands[0]}" if line.hands else ""
        rows.append((_spoken(line.outcome + hands), *(pays.words for pays in line.pays.values())))
    return Table(("Against the dealer", *(label(book, spot) for spot in book.base_spots)), rows)


def _spoken(name: str) -> str:
    return name.replace("_", " ")


def explanation_page(scene: Scene) -> Iterator[Block]:
    """Every result of the last round, seat by seat as settled, with the clauses' words."""
    book, seats = scene.setup.book, scene.state.seats
    yield Heading(f"Round {scene.round_number} explained")
    for number in sorted(seats, reverse=True):
        name = scene.players[number].name
        yield Heading(f"Seat {number}, {name}: {format_signed(seats[number].net_cents)}", level=3)
        mine = [one for one in scene.explained if one.seat == number]
        yield Facts([(format_signed(one.net_cents), one.words) for one in mine])
    cites = dict.fromkeys(cite for one in scene.explained for cite in one.cites)
    yield Heading("The clauses")
    yield Facts(clause_facts(book, cites))


if TYPE_CHECKING:
    from riverboat.exact.questions.advice import Advice

NO_ADVICE = "The coach knows only bets in whole multiples of the ante."


def advice_for(state: Round, you: int) -> "Advice | None":
    """What each of your choices is worth now; None for bets that the mathematics does not know."""
    from riverboat.exact.questions.advice import advise_at, known_to

    situation = known_to(state, you)
    if any(bet.denominator > 1 for bet in situation.bets):
        return None
    ante = state.seats[you].wagers["ante"]
    try:
        return advise_at(state.setup, situation, ante)
    except NotationError:
        return None


def no_play_known(setup: Setup) -> str:
    """Why there is no advice at this table at all; nothing where there is."""
    from riverboat.exact.solvers import is_solved, no_solver

    return "" if is_solved(setup.book) else f"The coach has no figures: {no_solver(setup.book)}."


def hint(state: Round, you: int) -> str:
    """Every choice with its value in antes, the best one marked."""
    if nothing := no_play_known(state.setup):
        return nothing
    advice = advice_for(state, you)
    if advice is None:
        return NO_ADVICE
    choices = [
        f"{name} {float(value):+.4f}{' (best)' if name == advice.best else ''}"
        for name, value in advice.choices.items()
    ]
    return f"Coach, in antes: {', '.join(choices)}."


def review(state: Round, you: int) -> str:
    """What the decisions of a round cost against the best play, once it is over."""
    from riverboat.exact.questions.advice import decisions_of

    if nothing := no_play_known(state.setup):
        return nothing
    said, lost, ante = [], Fraction(0), 0
    for one in decisions_of(state, you):
        advice, ante = advice_for(one.before, you), one.ante_cents
        only_bet = advice is not None and "bet" in advice.choices and one.cents is not None
        choice = "bet" if only_bet else one.choice
        label = f"{one.stage.label}: " if len(state.setup.stages) > 1 else "your "
        if advice is None or choice not in advice.choices:
            return NO_ADVICE
        cost = advice.cost(choice)
        lost += cost
        if cost:
            said.append(f"{label}{choice} cost {float(cost):.4f}, {advice.best} was best")
        else:
            said.append(f"{label}{choice} was right")
    total = f"; on average ${float(lost * ante / 100):,.2f}" if lost else ""
    return f"Coach, in antes: {'; '.join(said)}{total}."

"""Which sheets a rulebook has, and all of them made: the bonuses' and the progressives' here, the
base game's in `base_sheet`.

A bonus goes by one hand, and by a fold where that loses it; a progressive's sheet shows one wager
at the seed, the break-even meter, and the long run.
"""

from collections.abc import Iterator
from fractions import Fraction

from riverboat import __version__
from riverboat.core.errors import NotationError
from riverboat.core.hand_kinds import five_card_counts
from riverboat.core.money import Cents, divide_half_up
from riverboat.documents.par import sheet as s
from riverboat.documents.par.base_sheet import base_sheet
from riverboat.documents.printing import NOTHING, decimal, hand_name, money
from riverboat.exact import side_bets
from riverboat.exact.caching import code_hash
from riverboat.exact.progressive import wager as w
from riverboat.exact.progressive.envy import chances_of, neighbours
from riverboat.exact.progressive.meter_life import meter_life, round_law
from riverboat.exact.questions.published import suspicions
from riverboat.exact.questions.question import Question, ante_of, stake_of, table_for
from riverboat.exact.solvers import BasePlay, base_table, is_solved
from riverboat.plots.axes import Source
from riverboat.plots.charts import distribution_chart, meter_chart
from riverboat.round.setup.setup import Setup
from riverboat.rulebook.paytables import PayTable, index_lines
from riverboat.rulebook.progressive import Schedule
from riverboat.rulebooks import Loaded

_ENVY = "envy"
_PROGRESSIVE = "progressive"
_METERS = (1, 2, 5, 10, 20)
_LONGEST_EXACT = 70
_STAKES = (100, 500, 1_000, 2_500, 10_000)
_RETURN_NOTE = (
    "Return: what the line adds to the player's expectation, its probability times the net result "
    "per unit wagered. The returns add up to minus the house edge."
)


def par_file_of(loaded: Loaded, question: Question | None = None) -> s.ParFile:
    """The sheets that were asked for; all of the rulebook's where no bet and no table is named."""
    asked = question or Question()
    sheets = tuple(_sheets(loaded, asked))
    if not sheets:
        text = f"{loaded.book.id}: no sheet for {asked.bet} {asked.paytable}".rstrip()
        raise NotationError("par_sheet.none", text)
    return s.ParFile(
        book=loaded.book,
        rulebook_sha256=loaded.sha256,
        version=__version__,
        code_sha256=code_hash(),
        sheets=sheets,
    )


def _sheets(loaded: Loaded, asked: Question) -> Iterator[s.ParSheet]:
    """The base game, the bonuses, the progressives: each only if it is asked for. Of a game without
    a solver the whole set leaves out what depends on what is folded."""
    book = loaded.book
    source = Source(book.id, book.revision, loaded.sha256, __version__)
    everything = not (asked.bet or asked.paytable)
    if _wanted(asked, "base", base_table(book)) and (is_solved(book) or not everything):
        setup = table_for(book, asked)
        yield base_sheet(setup, ante_of(setup, asked), source)
    labels: dict[str, str] = {offer.bet: offer.label for offer in book.side_bets}
    setup = table_for(book, Question(table=asked.table))
    for table in side_bets.side_bet_tables(book):
        unknown = everything and not is_solved(book) and table.bet in setup.lost_by_fold
        if _wanted(asked, table.bet, table.id) and not unknown:
            label = labels.get(table.bet, table.bet.replace("_", " "))
            yield side_bet_sheet(setup, table, label, stake_of(setup, asked, table.bet))
    for schedule in book.progressive.schedules if book.progressive else ():
        if _wanted_schedule(asked, schedule):
            seat = w.progressive_setup(book, schedule.paytable, wager_cents=int(schedule.wager))
            yield progressive_sheet(seat, labels[_PROGRESSIVE], source)


def _wanted_schedule(asked: Question, schedule: Schedule) -> bool:
    """By its bet, by its pay table or envy table, and by the wager where the bet is named."""
    named = asked.bet in ("", _PROGRESSIVE, _ENVY)
    paid_by = asked.paytable in ("", schedule.paytable, schedule.envy)
    bought = not (asked.bet or asked.paytable) or asked.wager_cents in (None, schedule.wager)
    return named and paid_by and bought


def _wanted(asked: Question, bet: str, paytable: str) -> bool:
    return asked.bet in ("", bet) and asked.paytable in ("", paytable)


def side_bet_sheet(setup: Setup, table: PayTable, label: str, wager_cents: Cents) -> s.ParSheet:
    """A bonus under one table at one wager."""
    found = side_bets.side_bet_figures(setup, table.bet, table, wager_cents)
    same, marks = ", ".join(table.equals), table.marks
    facts = (("Pays the same as", same), ("Marks in the document", marks))
    return s.ParSheet(
        bet=table.bet,
        label=label,
        paytable=table.id,
        number=table.number,
        status=table.status,
        wager_cents=wager_cents,
        house_edge=found.house_edge,
        figures=tuple(_bonus_figures(found)),
        grids=(_pay_lines(setup, table, found), *_by_stake(setup, table)),
        facts=tuple((label, words) for label, words in facts if words),
        warnings=tuple(_warnings(setup, table, wager_cents)),
        assumptions=("52 cards, one deck, every hand equally likely", *found.assumptions),
        cites=table.cites,
    )


def _bonus_figures(found: side_bets.BetFigures) -> list[s.Figure]:
    spread = found.distribution
    return [
        s.edge_figure("House edge", found.house_edge),
        s.edge_figure("Player's expectation", found.ev),
        s.chance_figure("Hit frequency", found.hit_frequency),
        *s.spread_figures(spread.variance, spread.standard_deviation, spread.skewness, "wagers"),
        s.amount_figure("Largest net win", spread.outcomes[-1][0], "wagers"),
    ]


def _pay_lines(setup: Setup, table: PayTable, found: side_bets.BetFigures) -> s.Grid:
    """Where a fold loses the bet, a hand has to be dealt and not to be folded."""
    fold = setup.book.fold.side_bets.get(table.bet)
    folds = found.lines[-1].label == side_bets.FOLDED
    return s.pay_grid(
        table,
        found.lines,
        title="Pay table",
        chance_head="Live and dealt" if folds else "Probability",
        lost=tuple(fold.cites) if fold else (),
        note=_RETURN_NOTE,
    )


def _by_stake(setup: Setup, table: PayTable) -> tuple[s.Grid, ...]:
    """Where prizes are fixed dollars, the edge goes with the stake."""
    limit, falling = side_bets.edge_by_stake(setup, table.bet, table)
    if not falling:
        return ()
    found = [side_bets.side_bet_figures(setup, table.bet, table, stake) for stake in _STAKES]
    dollars = falling / s.ONE_DOLLAR
    return (
        s.Grid(
            title="House edge by stake",
            head=("Stake", *(money(stake) for stake in _STAKES)),
            rows=(
                ("Edge", *(s.in_percent(f.house_edge) for f in found)),
                ("Standard deviation", *(f"{f.standard_deviation:,.2f}" for f in found)),
            ),
            note=f"The edge is {limit} less {dollars} over the stake in dollars.",
        ),
    )


def _warnings(setup: Setup, table: PayTable, wager_cents: Cents) -> list[str]:
    """What is odd about the document's own cells, and what they would come to."""
    odd = [
        f"Read as printed: {one.words}."
        for one in suspicions([setup.book])
        if one.paytable == table.id
    ]
    if table.status == "as_printed_suspect" and not odd:
        read = side_bets.side_bet_figures(setup, table.bet, table, wager_cents, reading="printed")
        odd.append(f"Read as printed the house edge is {read.house_edge}.")
    return odd


def progressive_sheet(setup: Setup, label: str, source: Source) -> s.ParSheet:
    """A progressive by one schedule, at its seed and a full table."""
    way = w.play_that_counts(setup)
    found = w.progressive_figures(setup, play=way)
    table = w.progressive_of(setup).table
    odd = ("The document does not print the wager.",) if table.wager_printed == "" else ()
    return s.ParSheet(
        bet="progressive",
        label=label,
        paytable=table.id,
        number=table.number,
        status=table.status,
        wager_cents=found.wager_cents,
        house_edge=found.house_edge,
        figures=(*_progressive_figures(found), *_life(setup, found, way)),
        grids=(_lines(setup, found), *_envy(setup, found, way), _meters(setup, found, way)),
        drawings=(
            meter_chart(setup, source, f"{label}, {table.id}", play=way),
            distribution_chart(
                found.distribution, source, f"{label} at the seed, without envy", "wagers"
            ),
        ),
        facts=tuple(_progressive_facts(found)),
        warnings=odd,
        assumptions=(
            *found.assumptions,
            "long run: every contribution and every seed is paid out in the end",
            f"full awards: {setup.seats} progressive wagers in every round",
        ),
        cites=tuple(dict.fromkeys((*table.cites, *w.progressive_of(setup).cites))),
    )


def _progressive_facts(found: w.ProgressiveFigures) -> Iterator[tuple[str, str]]:
    yield "Seed", money(found.seed_cents)
    yield "Rate of progression", f"{decimal(found.rate * 100, 2)} % of each wager"
    yield "Reserve rate", f"{decimal(found.reserve_rate * 100, 2)} % of each wager"
    yield "A fold", "forfeits the wager" if found.after_fold == "forfeited" else "keeps the wager"
    yield "Envy table", found.envy_table


def _progressive_figures(found: w.ProgressiveFigures) -> Iterator[s.Figure]:
    yield s.edge_figure(f"House edge at the seed, {money(found.seed_cents)}", found.house_edge)
    yield s.edge_figure("House edge in the long run", found.long_run_house_edge)
    even = found.break_even_meter
    if even is None or found.break_even_cents is None:
        yield s.Figure("Break-even meter", NOTHING, "no meter makes the wager even")
    else:
        yield s.Figure("Break-even meter", f"${even / 100}", money(found.break_even_cents))
    yield s.edge_figure("Fixed prizes", found.fixed_prizes)
    yield s.edge_figure("Shares of the meter at the seed", found.meter_awards)
    yield s.edge_figure(f"Envy bonuses, {found.others} others", found.envy)
    yield s.edge_figure("Seeds put up by the house", found.seed_share)
    yield s.chance_figure("Hit frequency", found.hit_frequency)
    yield s.chance_figure("Full award", found.full_award)
    yield s.Figure("Variance, with envy", str(found.variance), decimal(found.variance, 4))
    yield s.Figure(
        "Standard deviation, with envy", NOTHING, f"{found.standard_deviation:.4f} wagers"
    )


def _life(setup: Setup, found: w.ProgressiveFigures, way: BasePlay) -> Iterator[s.Figure]:
    """The meter from one full award to the next, every seat betting."""
    if not found.full_award:
        return
    life = meter_life(round_law(setup, play=way))
    mean = life.mean / 100
    yield s.Figure("Mean full award", _short(f"${mean}"), f"${decimal(mean, 2)}")
    yield s.Figure("Its standard deviation", NOTHING, f"${life.standard_deviation / 100:,.2f}")
    yield s.Figure("Rounds between full awards, mean", _short(str(life.rounds)),
                 s.plainly(life.rounds, 1))  # fmt: skip


def _short(exact: str) -> str:
    """A fraction that a reader can still copy; a longer one is left to the machine."""
    return exact if len(exact) <= _LONGEST_EXACT else NOTHING


def _lines(setup: Setup, found: w.ProgressiveFigures) -> s.Grid:
    """Every line at the seed; a folded hand wins nothing where a fold forfeits the wager."""
    return s.pay_grid(
        w.progressive_of(setup).table,
        found.lines,
        title=f"Pay table, the meter at {money(found.seed_cents)}",
        chance_head="Live and dealt",
        note="Return: what the line adds to the player's expectation, per unit wagered, without "
        "the envy bonuses. The stake of a winning wager is not returned.",
    )


def _envy(setup: Setup, found: w.ProgressiveFigures, way: BasePlay) -> Iterator[s.Grid]:
    """What the hand of one other bettor brings."""
    table, counts = w.progressive_of(setup).envy, five_card_counts()
    group = neighbours(setup, 1)
    chances, rows = chances_of(group, way), []
    for line in table.lines:
        own = [k for k, known in index_lines(table).items() if known is line and k in chances]
        if own:
            share = sum((chances[kind] for kind in own), Fraction(0))
            brings = sum((chances[k] * group.prizes[k] for k in own), Fraction(0))
            rows.append((
                line.label or ", ".join(map(hand_name, line.hands)),
                money(group.prizes[own[0]]),
                f"{sum(counts[kind] for kind in own):,}",
                s.chance(share),
                s.returned(brings / found.wager_cents),
                ", ".join(line.cites),
            ))  # fmt: skip
    if rows:
        yield s.Grid(
            title=f"Envy bonus {table.id}: for the hand of one other bettor",
            head=("Hand", "Pays", "Combinations", "Probability", "Return", "Clauses"),
            rows=tuple(rows),
            words=2,
            clauses=5,
        )


def _meters(setup: Setup, found: w.ProgressiveFigures, way: BasePlay) -> s.Grid:
    """The house edge from the seed upwards."""
    meters: list[Cents] = [times * found.seed_cents for times in _METERS]
    if found.break_even_cents is not None:
        meters.append(found.break_even_cents)
    points = w.edge_by_meter(setup, sorted(meters), way)
    edges = [s.in_percent(edge) for _, edge in points]
    return s.Grid(
        title="House edge by meter",
        head=(
            "Meter",
            *(money(100 * divide_half_up(meter, 100)).removesuffix(".00") for meter, _ in points),
        ),
        rows=(("Edge", *edges),),
        note="Amounts to the nearest dollar.",
    )

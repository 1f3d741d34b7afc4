"""The tests that a house's own rulebook starts with: scenarios, a day, a configuration.

Every line of the base game's pay table, every side bet with a hand that stays and one that folds,
the smallest and the largest wagers and one cent beyond; each clause that the house wrote has one
of its own. What they expect is what the rulebook says on the day that it is started: from then on
a rule that is changed shows in the tests that it changes.
"""

import json
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from riverboat.cards import Card, show_card
from riverboat.days.ordinary import ordinary_script
from riverboat.days.prompted import every_bet
from riverboat.exact.payoffs import sample_hands
from riverboat.games.setup import Setup, set_up
from riverboat.money import Cents, divide_down, divide_up, round_to_unit, show_dollars
from riverboat.rulebook import Rulebook
from riverboat.scenario import play_scenario
from riverboat.scenario_file import Expect, Scenario

_RULEBOOK = "../../{file}"
_AGAINST_A_DEALER = (
    ("A winner against a dealer who qualifies", "As Ah Qd 9c 4h", "Kc Kd 8h 6s 3d"),
    ("A loser against a dealer who qualifies", "Qs Qh Jd 9c 4h", "Kc Kd 8h 6s 3d"),
    ("A dealer who does not qualify", "Qs Qh Jd 9c 4h", "Kc Td 8h 6s 3d"),
)
_PAIR_ON_THE_BOARD = {"1": "Ks Kh", "community": "9s 9h 5d"}
_PAIRS_AGAINST_PAIRS = {"1": "As Ah Qd 9c 4h", "dealer": "Kc Kd 8h 6s 3d"}
_BOX = {"six_card_box": "2c 3c 4d 7d"}
_MOST_SEATS = 9


class StartingFile(NamedTuple):
    """A file of the new rulebook's tests: its path under their folder, and what it holds."""

    path: str
    text: str


def starting_tests(book: Rulebook, file: str) -> list[StartingFile]:
    """The tests of a rulebook whose file, so named, lies beside their folder."""
    named = _RULEBOOK.format(file=file)
    scenarios = "\n".join(_toml(one, named) for one in starting_scenarios(book))
    heading = f"# The rules of {book.title}. Play them: riverboat check FILE\n\n"
    return [
        StartingFile("rules/house.toml", heading + scenarios),
        StartingFile("days/ordinary.toml", heading + _day(book, named)),
        StartingFile("configurations/standard.toml", heading + _configuration(book, named)),
    ]


def starting_scenarios(book: Rulebook) -> list[Scenario]:
    """Scenarios that hold under a rulebook as it stands."""
    maker = _Maker(book)
    return [*maker.base_game(), *maker.side_bets(), *maker.limits(), *maker.seats()]


class _Maker:
    """Plays rounds at the rulebook's standard table, and writes down what comes of them."""

    def __init__(self, book: Rulebook) -> None:
        self.book = book
        self.setup = set_up(book, {})
        self.unit = self.setup.limits.unit_cents
        self.ante = round_to_unit(
            self.setup.limits.ante.minimum_cents or self.unit, self.unit, divide_up
        )
        against_dealer = book.comparison is not None
        self.cards = _PAIRS_AGAINST_PAIRS if against_dealer else _PAIR_ON_THE_BOARD

    # ---------------------------------------------------------------- kinds of scenarios

    def base_game(self) -> Iterator[Scenario]:
        """The base game on the smallest ante: every line, or every way to meet the dealer."""
        preface = f"{self.book.clause_prefix}.0"
        own = (preface,) if preface in self.book.clauses else ()
        if self.book.comparison is not None:
            for title, hand, dealer in _AGAINST_A_DEALER:
                cards = {"1": hand, "dealer": dealer}
                cites = (*own, *self.book.comparison.cites)
                yield self.round(title, cites, cards, self.stay(1))
            yield self.round("A fold", own or self.book.ante.cites, self.cards, ("fold",))
            return
        hands = {id(line): kind for kind, line in reversed(self.setup.lines["base"].items())}
        for kind, line in self.setup.lines["base"].items():
            if hands[id(line)] == kind:
                cards = _dealt(sample_hands()[kind])
                title = f"{line.label}: {line.pays}"
                yield self.round(title, (*own, *line.cites), cards, self.stay(1))
        yield self.round("A fold", own or self.book.ante.cites, self.cards, ("fold",))

    def side_bets(self) -> Iterator[Scenario]:
        """Every side bet alone, on a hand that stays in and on one that folds at once."""
        choices = every_bet(self.book)
        for offer in self.book.side_bets:
            before = (*offer.after, *offer.after_if)
            table = {
                key: value
                for key, value in choices.items()
                if key in (offer.bet, *before) or key.startswith(f"{offer.bet}_")
            }
            if offer.bet not in table:
                continue
            wagers = _side_wagers(set_up(self.book, table), (*before, offer.bet))
            cards = {**self.cards, **(_BOX if set(self.book.box_bets) & table.keys() else {})}
            for how, decided in (("stays", self.stay(1)), ("folds", ("fold",))):
                title = f"{offer.label}: a hand that {how}"
                yield self.round(title, offer.cites, cards, decided, table=table, wagers=wagers)

    def limits(self) -> Iterator[Scenario]:
        """The smallest and the largest wagers are taken; what lies beyond is refused."""
        limit, fold = self.setup.limits.ante, ("fold",)
        cites = self._own_first("minimum", limit.cites)
        yield self.round("The smallest ante", cites, self.cards, fold)
        yield self.refused("An ante below the smallest", cites, self.ante - self.unit)
        if limit.maximum_cents is not None:
            cites = self._own_first("maximum", limit.cites)
            largest_ante = round_to_unit(limit.maximum_cents, self.unit, divide_down)
            yield self.round("The largest ante", cites, self.cards, fold, ante=largest_ante)
            yield self.refused("An ante above the largest", cites, largest_ante + self.unit)
        stage = self.setup.stages[0]
        largest = max(stage.multiples)
        title = f"The largest bet: {largest} times the ante"
        yield self.round(title, stage.bet_cites, self.cards, self.stay(-1))
        title = f"A bet of {largest + 1} times the ante"
        yield self.tried(self.scenario(title, stage.bet_cites, 1, self.ante, (f"{largest + 1}x",)))

    def seats(self) -> Iterator[Scenario]:
        """The last seat plays; the table has none beyond it."""
        cites, last = self._own_first("seats", self.book.options["seats"].cites), self.setup.seats
        cards = {str(last) if place == "1" else place: held for place, held in self.cards.items()}
        yield self.round(f"Seat {last} is the last", cites, cards, ("fold",), seat=last)
        if last < _MOST_SEATS:
            title = f"There is no seat {last + 1}"
            yield self.tried(self.scenario(title, cites, last + 1, self.ante, ()))

    # ---------------------------------------------------------------- one scenario

    def stay(self, which: int) -> tuple[str, ...]:
        """The smallest bet at every decision (1), or the largest (-1)."""
        at = 0 if which > 0 else -1
        return tuple(f"{sorted(stage.multiples)[at]}x" for stage in self.setup.stages)

    def round(
        self,
        title: str,
        cites: tuple[str, ...],
        cards: Mapping[str, str],
        decided: tuple[str, ...],
        *,
        seat: int = 1,
        ante: Cents = 0,
        table: Mapping[str, str | int | bool] | None = None,
        wagers: Mapping[str, str] | None = None,
    ) -> Scenario:
        """A whole round of one player, with what every spot comes to."""
        drawn = self.scenario(title, cites, seat, ante or self.ante, decided)
        bets = {str(seat): {**drawn.bets[str(seat)], **(wagers or {})}}
        drawn = replace(drawn, bets=bets, cards=dict(cards), table=dict(table or {}))
        state = play_scenario(drawn, self.book).state
        assert state is not None
        played = state.seats[seat]
        results = {spot: show_dollars(cents) for spot, cents in played.results.items()}
        net = {str(seat): show_dollars(played.net_cents)}
        return replace(drawn, expect=Expect(net=net, results={str(seat): results}))

    def refused(self, title: str, cites: tuple[str, ...], cents: Cents) -> Scenario:
        """An ante that is not taken."""
        return self.tried(self.scenario(title, cites, 1, cents, ()))

    def tried(self, drawn: Scenario) -> Scenario:
        """A request that is refused, with the clause that refuses it: the scenario's, if any."""
        refusal = play_scenario(drawn, self.book).refusal
        assert refusal is not None
        by = next((one for one in drawn.clauses if one in refusal.cites), True)
        return replace(drawn, expect=Expect(refused=by))

    def scenario(
        self, name: str, cites: tuple[str, ...], seat: int, ante: Cents, decided: tuple[str, ...]
    ) -> Scenario:
        return Scenario(
            name=name,
            rulebook=self.book.id,
            clauses=tuple(dict.fromkeys(cites)),
            bets={str(seat): {"ante": show_dollars(ante)}},
            decisions={str(seat): decided} if decided else {},
            expect=Expect(),
        )

    def _own_first(self, option: str, cites: tuple[str, ...]) -> tuple[str, ...]:
        """The house's own clause about an option before the others."""
        own = f"{self.book.clause_prefix}."
        stated = [one for one in self.book.options[option].cites if one.startswith(own)]
        return (*stated, *(one for one in cites if one not in stated))


def _side_wagers(setup: Setup, bets: tuple[str, ...]) -> dict[str, str]:
    """The least of every side bet among some bets."""
    wagers: dict[str, str] = {}
    for bet in bets:
        if bet in setup.limits.bonuses:
            least = setup.limits.bonuses[bet].minimum_cents or setup.limits.unit_cents
            wagers[bet] = show_dollars(round_to_unit(least, setup.limits.unit_cents, divide_up))
        elif bet == "progressive" and setup.progressive is not None:
            wagers[bet] = show_dollars(setup.progressive.wager_cents)
    return wagers


def _dealt(hand: tuple[Card, ...]) -> dict[str, str]:
    """Five cards as a player holds two of them and three lie on the board."""
    shown = [show_card(card) for card in hand]
    return {"1": " ".join(shown[:2]), "community": " ".join(shown[2:])}


# -------------------------------------------------------------------- as files


def _toml(scenario: Scenario, rulebook: str) -> str:
    """A scenario as people write it."""
    lines = [
        "[[scenario]]",
        f"name = {_said(scenario.name)}",
        f"rulebook = {_said(rulebook)}",
        f"clauses = {_said(list(scenario.clauses))}",
    ]
    if scenario.table:
        lines.append(f"table = {_inline(scenario.table)}")
    for part in ("bets", "cards", "decisions"):
        rows = getattr(scenario, part)
        if rows:
            lines += [
                f"[scenario.{part}]",
                *(f"{key} = {_inline(row)}" for key, row in rows.items()),
            ]
    lines.append("[scenario.expect]")
    if scenario.expect.refused:
        lines.append(f"refused = {_said(scenario.expect.refused)}")
    else:
        lines.append(f"net = {_inline(scenario.expect.net)}")
        rows = scenario.expect.results
        lines += [f"results.{seat} = {_inline(row)}" for seat, row in rows.items() if row]
    return "\n".join(lines) + "\n"


def _inline(value: object) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_inline(one)}" for key, one in value.items()) + " }"
    return _said(value)


def _said(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _day(book: Rulebook, rulebook: str) -> str:
    return (
        "[[day]]\n"
        f"title = {_said(f'An ordinary day at {book.title}')}\n"
        f"rulebook = {_said(rulebook)}\n"
        f"clauses = {_said(_preface(book))}\n"
        'begin = "open"\n'
        'script = """\n' + "\n".join(ordinary_script(book)) + '\n"""\n'
    )


def _configuration(book: Rulebook, rulebook: str) -> str:
    return (
        "[[configuration]]\n"
        'name = "The standard table"\n'
        f"rulebook = {_said(rulebook)}\n"
        f"clauses = {_said(_preface(book) or list(book.source.cites[:1]))}\n"
        "expect = { valid = true }\n"
    )


def _preface(book: Rulebook) -> list[str]:
    return [name for name in (f"{book.clause_prefix}.0",) if name in book.clauses]

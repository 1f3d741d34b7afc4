"""Starting a house's own rulebook from another one, with its first tests.

The new file is complete in itself. The clauses of the rulebook it starts from stay in it, because
the house still plays under them; the house's choices become clauses of its own, for its internal
controls, and the rules they change cite them.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import tomlkit
from msgspec.structs import replace
from tomlkit import TOMLDocument
from tomlkit.items import InlineTable, Table

from riverboat.core import money
from riverboat.core.cards import show_card
from riverboat.core.errors import NotationError, RiverboatError
from riverboat.exact.base_games.street_payoffs import sample_hands
from riverboat.round.setup.setup import Setup, set_up
from riverboat.rulebook import Rulebook
from riverboat.rulebook.values import say
from riverboat.rulebooks import Loaded
from riverboat.scripts.day_library import every_bet, ordinary_script
from riverboat.scripts.scenario import play_scenario
from riverboat.scripts.scenario_file import Expect, Scenario

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*", re.ASCII)
_PREFIX = re.compile(r"[A-Z][A-Z0-9]*(-[A-Z0-9]+)*", re.ASCII)


class Wishes(NamedTuple):
    """What the house says about its rulebook; what it leaves out stays as it was."""

    name: str
    title: str
    house: str
    prefix: str
    seats: int | None = None
    minimum: str | None = None
    maximum: str | None = None


class Taken(NamedTuple):
    """Names that belong to rulebooks of the house already."""

    ids: frozenset[str]
    prefixes: frozenset[str]

    @classmethod
    def by(cls, loaded: Sequence[Loaded]) -> "Taken":
        books = [one.book for one in loaded]
        return cls(
            frozenset(book.id for book in books), frozenset(book.clause_prefix for book in books)
        )


def spoken(name: str) -> str:
    """A name as people would say it."""
    return name.replace("-", " ").title()


def prefix_for(name: str, taken: Taken) -> str:
    """A clause prefix from a rulebook's name: the initials of its words, if they are free."""
    words = name.split("-")
    short = "".join(word[0] for word in words) if len(words) > 1 else name[:3]
    long = "".join(words)[:6]
    free = [p for p in (short.upper(), long.upper()) if p not in taken.prefixes and p[0].isalpha()]
    return free[0] if free else f"HOUSE-{short.upper()}"


def check_name(name: str, taken: Taken) -> str:
    """A rulebook id that is readable and free."""
    if not _NAME.fullmatch(name):
        raise NotationError(
            "rulebook.bad_name",
            f"{name!r} is no name for a rulebook; small letters, digits and single hyphens are "
            "right, like 'my-casino'",
        )
    if name in taken.ids:
        raise NotationError("rulebook.name_taken", f"{name!r} is a rulebook already")
    return name


def check_prefix(prefix: str, taken: Taken, base: Loaded) -> str:
    """A clause prefix that is readable and that no document has."""
    if not _PREFIX.fullmatch(prefix):
        raise NotationError(
            "rulebook.bad_prefix", f"{prefix!r} is no clause prefix; capitals are right, like 'MC'"
        )
    used = any(clause.startswith(f"{prefix}.") for clause in base.book.clauses)
    if used or prefix in taken.prefixes:
        raise NotationError("rulebook.prefix_taken", f"{prefix!r} is another rulebook's prefix")
    return prefix


def check_words(label: str, words: str) -> str:
    """A name for people: something printable."""
    if not words.strip() or not words.isprintable():
        raise NotationError("rulebook.bad_words", f"{label} {words!r}: printable text is right")
    return words


def parse_seats(text: str) -> int:
    """A number of seats as people write it."""
    if not re.fullmatch("[1-9][0-9]?", text, re.ASCII):
        raise NotationError("rulebook.bad_seats", f"{text!r} is no number of seats; 1 to 9 is")
    return int(text)


def ask(wishes: Wishes, base: Loaded, taken: Taken, answer: Callable[[str], str]) -> Wishes:
    """The short dialogue: Enter keeps what stands in brackets, a bad answer is asked again."""

    def ask_one(question: str, standing: str, check: Callable[[str], object]) -> str | None:
        while True:
            said = answer(f"{question} [{standing}]: ").strip().removeprefix("$")
            if not said:
                return None
            try:
                check(said)
            except RiverboatError as problem:
                question = f"{problem}\n{question.rpartition(chr(10))[2]}"
            else:
                return said

    def default(option: str) -> str:
        return say(getattr(base.book.options[option], "default", None))

    opening = f"Started from {base.book.title}. Enter keeps what stands in brackets.\nHouse"
    house = ask_one(opening, wishes.house, lambda said: check_words("house", said))
    title = ask_one("Title", wishes.title, lambda said: check_words("title", said))
    prefix = ask_one(
        "Prefix of your clauses", wishes.prefix, lambda said: check_prefix(said, taken, base)
    )
    seats = ask_one("Seats", default("seats"), parse_seats)
    return wishes._replace(
        house=house or wishes.house,
        title=title or wishes.title,
        prefix=prefix or wishes.prefix,
        seats=parse_seats(seats) if seats else None,
        minimum=ask_one("Smallest ante, in dollars", default("minimum"), money.parse_dollars),
        maximum=ask_one("Largest ante, in dollars", default("maximum"), money.parse_dollars),
    )


def house_rulebook(base: Loaded, wishes: Wishes, taken: Taken) -> str:
    """The text of the new rulebook."""
    check_name(wishes.name, taken)
    check_prefix(wishes.prefix, taken, base)
    document = tomlkit.parse(_own_heading(base, wishes))
    controls = {f"{wishes.prefix}.0": _clause("preface", f"{wishes.house} plays by these rules.")}
    for number, (option, value, text) in enumerate(_choices(wishes), start=1):
        clause = f"{wishes.prefix}.{number}"
        controls[clause] = _clause(str(number), text)
        _set_option(document, option, value, clause)
    clauses = _table(document, "clauses")
    for name, clause_table in controls.items():
        clauses.add(name, clause_table)
    return tomlkit.dumps(document)


def _own_heading(base: Loaded, wishes: Wishes) -> str:
    """The base's text with the heading and the source that are the house's own."""
    source = base.book.source
    body = re.sub(r"(?s)\A.*?\n\[source\]\n.*?\n\n", "", base.text.replace("\r\n", "\n"), count=1)
    cites = [*source.cites, f"{wishes.prefix}.0"]
    values: dict[str, object] = {
        "title": f"Internal controls: {check_words('title', wishes.title)}",
        "issuer": check_words("house", wishes.house),
        "standing": f"A house's own rules, started from {base.book.id} ({base.book.status}).",
        "sha256": source.sha256,
        "excludes": list(source.excludes),
        "line_numbers": source.line_numbers,
        "page_footers": list(source.page_footers),
        "based_on": base.book.id,
        "based_on_sha256": base.sha256,
        "based_on_status": source.based_on_status or base.book.status,
        "cites": cites,
    }
    lines = [f"{key} = {_said(value)}" for key, value in values.items() if value or key == "cites"]
    return (
        f"# {wishes.title}: the rules of {wishes.house}, started from {base.book.id}.\n"
        "# One table is one rule; `cites` names the clauses it carries out.\n\n"
        f'id = "{wishes.name}"\n'
        f'game = "{base.book.game}"\n'
        f"title = {_said(wishes.title)}\n"
        "revision = 1\n"
        'status = "house\'s"\n'
        f'clause_prefix = "{wishes.prefix}"\n\n'
        "[source]\n" + "\n".join(lines) + "\n\n" + body
    )


def _choices(wishes: Wishes) -> list[tuple[str, int | str, str]]:
    chosen: list[tuple[str, int | str, str]] = []
    if wishes.seats is not None:
        chosen.append(("seats", wishes.seats, f"The table has {wishes.seats} seats."))
    antes = (("minimum", "smallest", wishes.minimum), ("maximum", "largest", wishes.maximum))
    for option, which, dollars in antes:
        if dollars is not None:
            amount = money.format_cents(money.parse_dollars(dollars))
            chosen.append((option, dollars, f"The {which} Ante is {amount}."))
    return chosen


def _set_option(document: TOMLDocument, name: str, value: int | str, clause: str) -> None:
    option = _table(_table(document, "options"), name)
    if option.get("fixed"):
        raise NotationError("option.fixed", f"{name} is fixed by the rulebook you start from")
    option["default"] = value
    if "none_allowed" in option:
        del option["none_allowed"]
    cites = option["cites"]
    assert isinstance(cites, list)
    cites.append(clause)


def _clause(number: str, text: str) -> InlineTable:
    clause = tomlkit.inline_table()
    clause.update({"number": number, "by": "config_validation", "text": text})
    return clause


def _table(parent: TOMLDocument | Table, name: str) -> Table:
    table = parent[name]
    assert isinstance(table, Table)
    return table


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
    scenarios = "\n".join(_scenario_toml(one, named) for one in starting_scenarios(book))
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
        self.ante = money.round_to_unit(
            self.setup.limits.ante.minimum_cents or self.unit, self.unit, money.divide_up
        )
        against_dealer = book.comparison is not None
        self.cards = _PAIRS_AGAINST_PAIRS if against_dealer else _PAIR_ON_THE_BOARD

    # ---------------------------------------------------------------- kinds of scenarios

    def base_game(self) -> Iterator[Scenario]:
        """The base game on the smallest ante: every line, or every way to meet the dealer."""
        own = tuple(_preface(self.book))
        if self.book.comparison is not None:
            for title, hand, dealer in _AGAINST_A_DEALER:
                cards = {"1": hand, "dealer": dealer}
                yield self.round(title, (*own, *self.book.comparison.cites), cards, self.stay())
        lines = {} if self.book.comparison is not None else self.setup.lines["base"]
        hands = {id(line): kind for kind, line in reversed(lines.items())}
        for kind, line in lines.items():
            if hands[id(line)] == kind:
                shown = [show_card(card) for card in sample_hands()[kind]]
                cards = {"1": " ".join(shown[:2]), "community": " ".join(shown[2:])}
                title = f"{line.label}: {line.pays}"
                yield self.round(title, (*own, *line.cites), cards, self.stay())
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
            for how, decided in (("stays", self.stay()), ("folds", ("fold",))):
                title = f"{offer.label}: a hand that {how}"
                yield self.round(title, offer.cites, cards, decided, table=table, wagers=wagers)

    def limits(self) -> Iterator[Scenario]:
        """The smallest and the largest wagers are taken; what lies beyond is refused."""
        limit, fold = self.setup.limits.ante, ("fold",)
        cites = self._own_first("minimum", limit.cites)
        yield self.round("The smallest ante", cites, self.cards, fold)
        yield self.refused("An ante below the smallest", cites, ante=self.ante - self.unit)
        if limit.maximum_cents is not None:
            cites = self._own_first("maximum", limit.cites)
            largest_ante = money.round_to_unit(limit.maximum_cents, self.unit, money.divide_down)
            yield self.round("The largest ante", cites, self.cards, fold, ante=largest_ante)
            yield self.refused("An ante above the largest", cites, ante=largest_ante + self.unit)
        stage = self.setup.stages[0]
        largest = max(stage.multiples)
        title = f"The largest bet: {largest} times the ante"
        yield self.round(title, stage.bet_cites, self.cards, self.stay(-1))
        title = f"A bet of {largest + 1} times the ante"
        yield self.refused(title, stage.bet_cites, decided=(f"{largest + 1}x",))

    def seats(self) -> Iterator[Scenario]:
        """The last seat plays; the table has none beyond it."""
        cites, last = self._own_first("seats", self.book.options["seats"].cites), self.setup.seats
        cards = {str(last) if place == "1" else place: held for place, held in self.cards.items()}
        yield self.round(f"Seat {last} is the last", cites, cards, ("fold",), seat=last)
        if last < _MOST_SEATS:
            yield self.refused(f"There is no seat {last + 1}", cites, seat=last + 1)

    # ---------------------------------------------------------------- one scenario

    def stay(self, at: int = 0) -> tuple[str, ...]:
        """The smallest bet at every decision, or the largest (-1)."""
        return tuple(f"{sorted(stage.multiples)[at]}x" for stage in self.setup.stages)

    def round(
        self,
        title: str,
        cites: tuple[str, ...],
        cards: Mapping[str, str],
        decided: tuple[str, ...],
        *,
        seat: int = 1,
        ante: money.Cents = 0,
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
        results = {spot: money.show_dollars(cents) for spot, cents in played.results.items()}
        net = {str(seat): money.show_dollars(played.net_cents)}
        return replace(drawn, expect=Expect(net=net, results={str(seat): results}))

    def refused(
        self,
        title: str,
        cites: tuple[str, ...],
        *,
        seat: int = 1,
        ante: money.Cents | None = None,
        decided: tuple[str, ...] = (),
    ) -> Scenario:
        """A request that is refused, with the clause that refuses it: the scenario's, if any."""
        drawn = self.scenario(title, cites, seat, self.ante if ante is None else ante, decided)
        refusal = play_scenario(drawn, self.book).refusal
        assert refusal is not None
        by = next((one for one in drawn.clauses if one in refusal.cites), True)
        return replace(drawn, expect=Expect(refused=by))

    def scenario(
        self,
        name: str,
        cites: tuple[str, ...],
        seat: int,
        ante: money.Cents,
        decided: tuple[str, ...],
    ) -> Scenario:
        return Scenario(
            name=name,
            rulebook=self.book.id,
            clauses=tuple(dict.fromkeys(cites)),
            bets={str(seat): {"ante": money.show_dollars(ante)}},
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
            wagers[bet] = money.show_dollars(
                money.round_to_unit(least, setup.limits.unit_cents, money.divide_up)
            )
        elif bet == "progressive" and setup.progressive is not None:
            wagers[bet] = money.show_dollars(setup.progressive.wager_cents)
    return wagers


# -------------------------------------------------------------------- as files


def _scenario_toml(scenario: Scenario, rulebook: str) -> str:
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

"""Tables whose rounds are written to files: records with all that a file can hold."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from riverboat.core.cards import parse_card
from riverboat.evidence.round_check import Verified, verify_round
from riverboat.evidence.round_export import export_round
from riverboat.evidence.round_file import write_round
from riverboat.round import actions as g
from riverboat.table import actions as a
from riverboat.table.day import Day
from riverboat.table.events import Entry
from riverboat.table.people import SYSTEM, Actor
from riverboat.table.procedures.decks import fixing
from riverboat.wording.prompts.prompt import prompt
from tests.support.day_player import LAB, DayPlayer, books, right_person, somebody, tables

FLO = Actor(name="Flo", role="floorperson")
ANN = Actor(name="Ann", role="player")
BOB = Actor(name="Bob", role="player")


class Evening(DayPlayer):
    """A table where Ann (seat 2) stays in and Bob (seat 5) folds at once, round after round."""

    def __init__(self, name: str, seed: str = "an evening") -> None:
        super().__init__(tables()[name], f"{name}, {seed}")

    def to_seats(self) -> None:
        """Open the table, and let both sit down."""
        self.follow_until(lambda day: bool(day.dealer))
        if not self.filed.test:
            self.do(ANN, a.SitDown(seat=2))
            self.do(BOB, a.SitDown(seat=5))

    def to_round(self) -> None:
        """Go on until bets are open."""
        self.follow_until(lambda day: day.in_round)

    def bet(self, sealed: tuple[int, ...] = ()) -> None:
        """Both put up their antes, and Ann a side bet where there is one; these seats seal words
        for the cut."""
        ante = max(self.day.setup.limits.ante.minimum_cents, self.day.setup.limits.unit_cents)
        for seat, by in ((2, ANN), (5, BOB)):
            by = LAB if self.filed.test else by
            player = self.day.seated.get(seat, "")
            wager = g.Wager(seat=seat, spot="ante", cents=ante, player=player)
            self.do(by, self.sealing(wager) if seat in sealed else wager)
        if self.day.setup.offers("three_card_bonus"):
            wager = g.Wager(seat=2, spot="three_card_bonus", cents=ante, player="Ann")
            if self.accepts(ANN, wager) is None:
                self.do(ANN, wager)
        self.do(somebody(self.day, "dealer"), g.CloseBets())

    def to_deal(self, *, told: tuple[int, ...] = ()) -> None:
        """Close the bets; with these seats' words told, the cut is fixed."""
        self.follow_until(lambda day: day.playing.phase == "ready")
        for seat in told:
            self.do(ANN if seat == 2 else BOB, a.TellWord(seat=seat, word=self.words[seat]))
        if told:
            self.do(SYSTEM, fixing(self.day))

    def start_while_shuffling(self) -> str:
        """Begin a round with one of two decks while the other is still in the shuffler."""
        used = self.day.last_deck
        self.follow_until(lambda day: day.decks[used].stage == "shuffling")
        dealer = somebody(self.day, "dealer")
        other = next(name for name in self.day.decks if name != used)
        if self.day.decks[other].stage == "shuffled":
            self.do(dealer, a.Load(deck=other))
        self.do(dealer, a.StartRound())
        return used

    def commit_other(self, name: str) -> None:
        """The other deck comes out of the shuffler while this one is in play."""
        self.do(somebody(self.day, "dealer"), a.FinishShuffle(deck=name))
        self.do(somebody(self.day, "system"), self.seal(name))

    def finish(self) -> None:
        """Play the round to its end; Bob folds when it is his turn."""
        number = self.day.round_number
        while self.day.in_round and self.day.round_number == number:
            task = next(task for task in prompt(self.day).tasks if not task.optional)
            if isinstance(task.do, g.Bet) and task.seat == 5:
                self.do(right_person(self.day, task), g.Fold(seat=5))
            else:
                self.follow()

    def play(self, rounds: int) -> None:
        """Some ordinary rounds; both seal words for the cut, and only Ann tells hers."""
        for _ in range(rounds):
            self.to_round()
            electronic = self.day.configuration is not None and not self.day.configuration.physical
            words = electronic and not self.filed.test
            self.bet((2, 5) if words else ())
            self.to_deal(told=(2,) if words else ())
            self.finish()


# ---------------------------------------------------------------- evenings


@cache
def ordinary(name: str, rounds: int = 2) -> tuple[Entry, ...]:
    """An evening on which nothing goes wrong."""
    table = Evening(name)
    table.to_seats()
    table.play(rounds)
    return tuple(table.record)


@cache
def eventful() -> tuple[Entry, ...]:
    """Two decks; time passes, a change is approved, a card lies face up, a payout is corrected."""
    table = Evening("two decks by hand")
    table.to_seats()
    table.play(1)
    used = table.start_while_shuffling()
    table.bet((2,))
    system = somebody(table.day, "system")
    table.do(system, a.TellTime(at=table.day.now + 60))
    table.do(FLO, a.Propose(submission=table.filed))
    table.to_deal()
    table.do(FLO, g.Incident(what="face_up_cards", count=1))
    table.to_deal(told=(2,))
    table.commit_other(used)
    table.finish()
    table.do(system, a.TellTime(at=table.day.now + 60))
    table.do(FLO, g.Correct(seat=2, spot="ante", cents=100, reason="paid too little"))
    deck = next(d for d in table.day.decks.values() if d.sealed is not None)
    table.do(FLO, a.RemoveDeck(deck=deck.name, reason="a torn card"))
    table.play(1)
    return tuple(table.record)


def before_the_deal(kind: str) -> Evening:
    """A table of a kind with its bets made."""
    table = Evening(kind)
    table.to_seats()
    table.to_round()
    table.bet()
    table.to_deal()
    return table


@cache
def by_hand() -> tuple[Entry, ...]:
    """Power fails before the deal, and the floor enters what was dealt by hand."""
    table = before_the_deal("physical cards")
    table.do(FLO, a.Interrupt(reason="no power"))
    table.do(FLO, a.Confirm(statement=table.day.interrupted, decision="by_hand"))
    cards = {"2": "Ah Kd", "5": "2c 3c", "community": "Th Js 4s"}
    places = {p: tuple(map(parse_card, c.split())) for p, c in cards.items()}
    table.do(FLO, g.Deal(places=places))
    table.finish()
    return tuple(table.record)


@cache
def misread() -> tuple[Entry, ...]:
    """Physical cards: one face up, one misread in the deal, two mixed up until the settlement."""
    table = before_the_deal("physical cards")
    dealer = somebody(table.day, "dealer")
    table.do(dealer, a.ReportCard(card=parse_card("9d"), how="face_up"))
    for text in ("Ah", "2c"):
        table.do(dealer, a.ReportCard(card=parse_card(text)))
    wrong = g.CorrectCard(place="2", number=1, card=parse_card("As"), reason="misread")
    table.do(FLO, wrong)
    for text in ("Kd", "3c", "Th", "Js", "4s"):
        table.do(dealer, a.ReportCard(card=parse_card(text)))
    for place, number, text in (("2", 2, "Kh"), ("5", 2, "Kd")):
        right = g.CorrectCard(place=place, number=number, card=parse_card(text), reason="mixed up")
        table.do(FLO, right)
    table.finish()
    return tuple(table.record)


@cache
def of_programs() -> tuple[Entry, ...]:
    """A demo table: programs of the house deal and sit at seat 3, and Ann has a word in the cut."""
    table = Evening("demo")
    riley = Actor(name="Riley", role="player", automatic=True)
    table.to_seats()
    table.do(riley, a.SitDown(seat=3))
    table.to_round()
    ante = max(table.day.setup.limits.ante.minimum_cents, table.day.setup.limits.unit_cents)
    table.do(riley, g.Wager(seat=3, spot="ante", cents=ante, player=riley.name))
    table.bet((2,))
    table.to_deal(told=(2,))
    table.finish()
    return tuple(table.record)


@cache
def voided_after_the_words() -> tuple[Entry, ...]:
    """Both have told their words, and the floor has the round voided before its deal."""
    table = Evening("maryland-2014")
    table.to_seats()
    table.to_round()
    table.bet((2, 5))
    table.follow_until(lambda day: day.playing.phase == "ready")
    for seat, by in ((2, ANN), (5, BOB)):
        table.do(by, a.TellWord(seat=seat, word=table.words[seat]))
    table.do(FLO, a.Interrupt(reason="no power"))
    table.do(FLO, a.Confirm(statement=table.day.interrupted, decision="void"))
    table.finish()
    return tuple(table.record)


@cache
def forced() -> tuple[Entry, ...]:
    """A lab plays a deck of its own."""
    table = Evening("test table")
    table.follow_until(lambda day: any(_waits(day)))
    name = next(_waits(table.day))
    sealed = table.seal(name)
    order = sealed.order[::-1]
    table.do(LAB, a.ForceDeck(deck=name, order=order, salts=sealed.salts, word=sealed.word))
    table.play(1)
    return tuple(table.record)


def _waits(day: Day) -> Iterator[str]:
    """The decks that wait for their order to be committed to."""
    return (d.name for d in day.decks.values() if d.stage == "shuffled" and d.sealed is None)


def text_of(record: tuple[Entry, ...], number: int, seat: int | None = None) -> str:
    """A round of a record as the text of a file."""
    return write_round(export_round(record, number, table="T", books=books(), seat=seat))


def verified(text: str | bytes) -> Verified:
    """What the check says of a text."""
    content = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    return verify_round("a.json", content, books())


def failed(result: Verified) -> dict[str, Any]:
    """The checks that failed, each with where."""
    found = [check for check in result.checks if check.result == "failed"]
    return {check.what: [where for where, _ in check.found] for check in found}

"""The words of a day script: `Dana inspect red`, `Ann wager ante 10`, `Flo confirm resume`.

One line is one action. What stands in it comes from the table as it is: a player's seat, the
statement that the floor signs, the amount that a decision means.
"""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, TypeAlias

from riverboat.cards import parse_card, parse_cards
from riverboat.days.day_file import seconds_of
from riverboat.errors import NotationError
from riverboat.games import actions as g
from riverboat.games.deciding import stage_of
from riverboat.money import Cents, parse_dollars
from riverboat.table import actions as a
from riverboat.table.day import Day
from riverboat.table.people import Actor


class Said(NamedTuple):
    """A line taken apart: who says which verb, the plain words after it and the named ones."""

    by: Actor
    verb: str
    words: tuple[str, ...]
    named: Mapping[str, str]

    def word(self, index: int, what: str) -> str:
        """The word at a place, which must be there."""
        if index >= len(self.words):
            raise NotationError("script.missing", f"{self.verb}: {what} is missing")
        return self.words[index]

    def number(self, index: int, what: str) -> int:
        """A whole number at a place."""
        word = self.word(index, what)
        if not word.isdecimal() or len(word) > 4:
            raise NotationError("script.bad_number", f"{self.verb}: {word!r} is no {what}")
        return int(word)

    def cents(self, index: int) -> Cents:
        """An amount at a place; a minus is only for corrections."""
        word = self.word(index, "amount")
        sign = -1 if word.startswith("-") else 1
        return sign * parse_dollars(word.removeprefix("-"))

    def rest(self, index: int, what: str) -> str:
        """All that follows, as for a reason."""
        self.word(index, what)
        return " ".join(self.words[index:])


Builder: TypeAlias = Callable[[Day, Said], a.AnyAction]

_STEPS: Final = {
    "inspect": "inspect",
    "verify": "verify",
    "spread": "spread_face_up",
    "look": "first_player_looks",
    "face-down": "turn_face_down",
    "wash": "wash",
    "stack": "stack",
}


def _step(day: Day, said: Said) -> a.Prepare:
    deck = said.word(0, "deck")
    return a.Prepare(deck=deck, step=_STEPS[said.verb], defects=" ".join(said.words[1:]))


def _receive(day: Day, said: Said) -> a.ReceiveDeck:
    deck = said.word(0, "deck")
    return a.ReceiveDeck(
        deck=deck,
        back=said.named.get("back", deck),
        design=said.named.get("design", "standard"),
        preshuffled="preshuffled" in said.words[1:],
    )


def _shuffled(day: Day, said: Said) -> a.FinishShuffle:
    count = said.number(1, "count") if len(said.words) > 1 else 0
    return a.FinishShuffle(deck=said.word(0, "deck"), count=count)


def _cut(day: Day, said: Said) -> a.AnyAction:
    """`cut red 26` by the dealer; `cut 26` or `cut word LUCKY` by a player."""
    if said.by.role in ("player", "system") or len(said.words) == 1:
        if said.words[:1] == ("word",):
            return a.CutByPlayer(nonce=said.rest(1, "word"))
        return a.CutByPlayer(depth=said.number(0, "depth"))
    return a.Cut(deck=said.word(0, "deck"), depth=said.number(1, "depth"))


def _report(day: Day, said: Said) -> a.ReportCard:
    how = said.words[1] if len(said.words) > 1 else "dealt"
    ways = {"dealt": "dealt", "face-up": "face_up", "in-error": "drawn_in_error"}
    if how not in ways:
        raise NotationError("script.bad_word", f"report: {how!r}; write {', '.join(ways)}")
    return a.ReportCard(card=parse_card(said.word(0, "card")), how=ways[how])  # type: ignore[arg-type]


def _dealt(day: Day, said: Said) -> g.Deal:
    """The whole deal at once, as it was made by hand while play was interrupted."""
    named = {place: cards.replace(",", " ") for place, cards in said.named.items()}
    return g.Deal(places={place: parse_cards(cards) for place, cards in named.items()})


def _count(day: Day, said: Said) -> a.CountStub:
    places = {place: _small(said, place, text) for place, text in said.named.items()}
    return a.CountStub(cards=said.number(0, "count"), places=places)


def _small(said: Said, place: str, text: str) -> int:
    if not text.isdecimal() or len(text) > 4:
        raise NotationError("script.bad_number", f"{said.verb}: {place}={text} is no count")
    return int(text)


def _mark(day: Day, said: Said) -> a.MarkDevice:
    how = said.word(0, "covered or signed")
    if how not in ("covered", "signed"):
        raise NotationError("script.bad_word", f"mark: {how!r}; write covered or signed")
    return a.MarkDevice(how="covered" if how == "covered" else "signed")


def _confirm(day: Day, said: Said) -> a.Confirm:
    """The floor signs what it is shown; `as "…"` signs something else."""
    decision = said.word(0, "resume, void or by-hand")
    ways = {"resume": "resume", "void": "void", "by-hand": "by_hand"}
    if decision not in ways:
        raise NotationError("script.bad_word", f"confirm: {decision!r}; write {', '.join(ways)}")
    signed = said.rest(2, "statement") if said.words[1:2] == ("as",) else day.interrupted
    return a.Confirm(statement=signed, decision=ways[decision])  # type: ignore[arg-type]


def seat_of(day: Day, said: Said) -> int:
    """The seat that a line is about: named, or the one where its person sits."""
    if "seat" in said.named:
        return _small(said, "seat", said.named["seat"])
    held = [seat for seat, name in sorted(day.seated.items()) if name == said.by.name]
    if not held:
        raise NotationError("script.no_seat", f"{said.by.name} has no seat; write seat=N")
    return held[0]


def _wager(day: Day, said: Said) -> g.Wager:
    seat = seat_of(day, said)
    player = said.by.name if said.by.role == "player" else day.seated.get(seat, "")
    return g.Wager(
        seat=seat,
        spot=said.word(0, "spot"),
        cents=said.cents(1),
        player=player,
        instrument=said.named.get("with", "chip"),
    )


def _decide(day: Day, said: Said) -> a.AnyAction:
    """`1x`, `2x`, `3x`, or `bet` where there is one amount; the ante says how much that is."""
    seat = seat_of(day, said)
    if day.round is None or seat not in day.round.seats:
        return g.Bet(seat=seat, cents=1)
    ante = day.round.seats[seat].wagers.get("ante", 0)
    if said.verb == "bet":
        stages = day.round.setup.stages
        stage = stage_of(day.round) if day.round.stage < len(stages) else stages[-1]
        return g.Bet(seat=seat, cents=ante * stage.multiples[0])
    return g.Bet(seat=seat, cents=ante * int(said.verb.removesuffix("x")))


def _incident(day: Day, said: Said) -> g.Incident:
    return g.Incident(
        what=said.word(0, "what"),
        seat=_small(said, "seat", said.named.get("seat", "0")),
        place=said.named.get("place", ""),
        count=_small(said, "count", said.named.get("count", "0")),
        decision=said.named.get("decision", ""),  # type: ignore[arg-type]
    )


def _correct(day: Day, said: Said) -> g.Correct:
    return g.Correct(
        seat=said.number(0, "seat"),
        spot=said.word(1, "spot"),
        cents=said.cents(2),
        reason=said.rest(3, "reason"),
    )


def _correct_card(day: Day, said: Said) -> g.CorrectCard:
    return g.CorrectCard(
        place=said.word(0, "place"),
        number=said.number(1, "number"),
        card=parse_card(said.word(2, "card")),
        reason=said.rest(3, "reason"),
    )


def _settle(day: Day, said: Said) -> g.Settle:
    return g.Settle(
        seat=said.number(0, "seat"), spot=said.word(1, "spot"), given_cents=said.cents(2)
    )


def _force(day: Day, said: Said) -> a.ForceDeck:
    """The named cards come first, the rest of the deck after them in its own order."""
    top = parse_cards(" ".join(said.words[1:]))
    order = (*top, *(card for card in range(52) if card not in top))
    return a.ForceDeck(deck=said.word(0, "deck"), order=order, salts=())


VERBS: Final[dict[str, tuple[str, Builder]]] = {
    "time": ("HH:MM[:SS]", lambda day, said: a.TellTime(at=seconds_of(said.word(0, "time")) or 0)),
    "open-day": (
        "DATE $",
        lambda day, said: a.OpenDay(date=said.word(0, "date"), tray_cents=said.cents(1)),
    ),
    "close-day": ("$", lambda day, said: a.CloseDay(tray_cents=said.cents(0))),
    "fill": ("$", lambda day, said: a.Fill(cents=said.cents(0))),
    "credit": ("$", lambda day, said: a.Credit(cents=said.cents(0))),
    "buy-in": (
        "SEAT $",
        lambda day, said: a.BuyIn(seat=said.number(0, "seat"), cents=said.cents(1)),
    ),
    "drop": ("$", lambda day, said: a.Drop(cents=said.cents(0))),
    "approve": ("N", lambda day, said: a.Approve(number=said.number(0, "number"))),
    "withdraw": ("N", lambda day, said: a.Withdraw(number=said.number(0, "number"))),
    "designate": ("", lambda day, said: a.Designate()),
    "close-table": ("", lambda day, said: a.CloseTable()),
    "dealer": ("NAME", lambda day, said: a.AssignDealer(name=said.rest(0, "name"))),
    "sit": ("SEAT", lambda day, said: a.SitDown(seat=said.number(0, "seat"))),
    "stand": ("SEAT", lambda day, said: a.StandUp(seat=said.number(0, "seat"))),
    "receive": ("DECK [back=] [design=] [preshuffled]", _receive),
    **{verb: ("DECK" + " [defects]" * (verb == "inspect"), _step) for verb in _STEPS},
    "shuffle": ("DECK", lambda day, said: a.StartShuffle(deck=said.word(0, "deck"))),
    "jam": ("DECK", lambda day, said: a.JamShuffler(deck=said.word(0, "deck"))),
    "shuffled": ("DECK [COUNT]", _shuffled),
    "force": ("DECK CARDS…", _force),
    "cut": ("DECK DEPTH, or a player's DEPTH or word WORD", _cut),
    "recut": (
        "DECK REASON",
        lambda day, said: a.OrderRecut(deck=said.word(0, "deck"), reason=said.rest(1, "reason")),
    ),
    "reshuffle": (
        "DECK REASON",
        lambda day, said: a.OrderShuffle(deck=said.word(0, "deck"), reason=said.rest(1, "reason")),
    ),
    "load": ("DECK", lambda day, said: a.Load(deck=said.word(0, "deck"))),
    "remove": (
        "DECK REASON",
        lambda day, said: a.RemoveDeck(deck=said.word(0, "deck"), reason=said.rest(1, "reason")),
    ),
    "idle": ("[face-up]", lambda day, said: a.GoIdle(face_up=said.words == ("face-up",))),
    "start": ("", lambda day, said: a.StartRound()),
    "call-off": ("", lambda day, said: a.CallOff()),
    "deal": ("", lambda day, said: a.DealOut()),
    "dealt": ("PLACE=CARD,CARD …", _dealt),
    "report": ("CARD [face-up|in-error]", _report),
    "count": ("STUB [PLACE=N …]", _count),
    "expire": (
        "SEAT SECONDS",
        lambda day, said: a.Expire(seat=said.number(0, "seat"), seconds=said.number(1, "seconds")),
    ),
    "fail": ("REASON", lambda day, said: a.FailDevice(reason=said.rest(0, "reason"))),
    "mark": ("covered|signed", _mark),
    "method": (
        "DEALING SHUFFLE",
        lambda day, said: a.UseMethod(
            dealing=said.word(0, "dealing"), shuffle=said.word(1, "shuffle")
        ),
    ),
    "restore": ("", lambda day, said: a.RestoreDevice()),
    "interrupt": ("REASON", lambda day, said: a.Interrupt(reason=said.rest(0, "reason"))),
    "confirm": ("resume|void|by-hand [as STATEMENT]", _confirm),
    "wager": ("SPOT $ [seat=] [with=]", _wager),
    "take-back": (
        "SPOT [seat=]",
        lambda day, said: g.TakeBack(seat=seat_of(day, said), spot=said.word(0, "spot")),
    ),
    "close-bets": ("", lambda day, said: g.CloseBets()),
    "lock": ("", lambda day, said: g.LockProgressive()),
    "collect": ("CHIPS", lambda day, said: g.CollectProgressive(chips=said.number(0, "chips"))),
    "bet": ("[seat=]", _decide),
    "1x": ("[seat=]", _decide),
    "2x": ("[seat=]", _decide),
    "3x": ("[seat=]", _decide),
    "4x": ("[seat=]", _decide),
    "fold": ("[seat=]", lambda day, said: g.Fold(seat=seat_of(day, said))),
    "turn": ("", lambda day, said: g.Turn()),
    "settle": ("SEAT SPOT $", _settle),
    "settle-all": ("", lambda day, said: g.SettleAll()),
    "correct": ("SEAT SPOT $ REASON", _correct),
    "correct-card": ("PLACE N CARD REASON", _correct_card),
    "incident": ("WHAT [seat=] [place=] [count=] [decision=]", _incident),
    "end": ("", lambda day, said: g.Close()),
}


def build(day: Day, said: Said) -> a.AnyAction:
    """The action that a line asks for."""
    if said.verb not in VERBS:
        raise NotationError("script.unknown_verb", f"{said.verb!r} is no verb of a day script")
    return VERBS[said.verb][1](day, said)

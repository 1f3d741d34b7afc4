"""Day files: their format, and what a line can ask for."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from typing import Final, Literal, NamedTuple, TypeAlias, get_type_hints

from msgspec import convert
from msgspec.structs import replace

from riverboat.core.cards import parse_card, parse_cards
from riverboat.core.errors import NotationError
from riverboat.core.fairness import player_seal
from riverboat.core.money import Cents, parse_dollars
from riverboat.round import actions as g
from riverboat.round.incidents import PLACES
from riverboat.round.streets import stage_of
from riverboat.rulebook.loading.conform import tables_in
from riverboat.scripts.scenario_file import IncidentLine, incident_of
from riverboat.scripts.scenario_words import (
    INSTRUMENTS,
    incident_misread,
    names_at,
    unasked_decision,
)
from riverboat.table import actions as a
from riverboat.table.configuration.submission import Submission, submission_misfits
from riverboat.table.day import Day
from riverboat.table.people import Actor, Role
from riverboat.table.procedures.decks import fixing

_TIME = re.compile(r"(\d{1,3}):([0-5]\d)(?::([0-5]\d))?", re.ASCII)
_SECONDS = (3600, 60, 1)

PEOPLE: dict[str, Role] = {
    "Dana": "dealer",
    "Drew": "dealer",
    "Flo": "floorperson",
    "Fred": "floorperson",
    "Sue": "supervisor",
    "Ann": "player",
    "Ben": "player",
    "Lab": "lab",
    "Lee": "lab",
}


class DayScript(Submission, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One scripted day: a submission, and what happens at that table."""

    title: str
    clauses: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    people: dict[str, Role] = {}  # noqa: RUF012
    begin: Literal["nothing", "configured", "open", "ready"] = "ready"
    script: str = ""

    @property
    def expects_nothing(self) -> bool:
        """Whether no line says what must come out."""
        firsts = (line.words.partition(" ")[0] for line in lines_of(self.script))
        return not any(first in ("expect", "refused", "refused:") for first in firsts)


class Line(NamedTuple):
    """A line of a script: where it stands, when it happens, and its words."""

    number: int
    at: int | None
    words: str


def read_days(text: str) -> list[tuple[str, DayScript | str]]:
    """Each day of a file by its title, or the reason why it cannot be read."""
    return [_read(number, one) for number, one in enumerate(tables_in(text, "day"), start=1)]


def _read(number: int, entry: object) -> tuple[str, DayScript | str]:
    data: Mapping[str, object] = entry if isinstance(entry, Mapping) else {}
    title = str(data.get("title") or f"day {number}")
    script = data.get("script", "")
    plain = {**data, "script": ""} if isinstance(script, str) else data
    found = list(submission_misfits(plain, DayScript))
    if found:
        return title, "\n".join(f"{misfit.where}: {misfit.message}" for misfit in found)
    if not isinstance(script, str) or not any(lines_of(script)):
        return title, "script: says nothing; write a line for each thing that is done or expected"
    day: DayScript = convert(dict(data), DayScript)
    return title, day


def lines_of(script: str) -> Iterator[Line]:
    """The lines of a script; `#` begins a remark, and a time may stand in front."""
    for number, text in enumerate(script.splitlines(), start=1):
        words = text.split("#")[0].strip()
        if not words:
            continue
        first, _, rest = words.partition(" ")
        at = seconds_of(first)
        yield Line(number, at, words if at is None else rest.strip())


def seconds_of(text: str) -> int | None:
    """A time of day as seconds; after midnight the hours go on."""
    found = _TIME.fullmatch(text)
    if found is None:
        return None
    return sum(int(part or 0) * unit for part, unit in zip(found.groups(), _SECONDS, strict=True))


_TOKEN = re.compile(r"\[[^]]*\]|\S+")


def parted(words: Sequence[str]) -> tuple[tuple[str, ...], dict[str, str]]:
    """The plain words of a line, and its named ones, `seat=3`; each name once."""
    plain = tuple(word for word in words if "=" not in word)
    named: dict[str, str] = {}
    for word in (word for word in words if "=" in word):
        name, _, value = word.partition("=")
        if name in named or not name or not value:
            why = "is said twice" if name in named else "is no name with a value"
            raise NotationError("script.bad_word", f"{word!r} {why}; write name=value, each once")
        named[name] = value
    return plain, named


def require_usage(head: str, usage: str, words: Sequence[str]) -> None:
    """A line's words after its verb, held against how the verb is used."""
    plain, named = parted(words)
    ways = usage.split(" or ")
    for names, pattern in map(_read_words, ways):
        known = names is None or named.keys() <= names
        if known and re.fullmatch(pattern, "".join(f" {word}" for word in plain)):
            return
    said = " ".join((head, *words))
    right = " or ".join(f"{head} {way}".strip() for way in ways)
    raise NotationError("script.bad_usage", f"{said!r} is not used so; write {right}")


@cache
def _read_words(way: str) -> tuple[frozenset[str] | None, str]:
    """Which names may stand in a line (None: any), and the pattern of its plain words."""
    names, pattern, any_name = set(), "", False
    for token in _TOKEN.findall(way):
        optional = token.startswith("[")
        inner = token.strip("[]").split()
        if "=" in token:
            name, _, value = token.strip("[]").partition("=")
            any_name = any_name or bool(value)
            names.add(name)
        else:
            part = "".join(map(_pattern, inner))
            pattern += f"(?:{part})?" if optional else part
    return None if any_name else frozenset(names), pattern


def _pattern(token: str) -> str:
    if token == "$" or (token.rstrip("…").isupper() and "|" not in token):
        return r"(?: \S+)+" if token.endswith("…") else r" \S+"
    return " (?:" + "|".join(map(re.escape, token.split("|"))) + ")"


_TIMES: Final = "Nx"
MARKS: Final = ("covered", "signed")
_MULTIPLE: Final = re.compile(r"[1-9][0-9]?x", re.ASCII)


def signed_dollars(text: str) -> Cents:
    """An amount that may be below zero."""
    return (-1 if text.startswith("-") else 1) * parse_dollars(text.removeprefix("-"))


class Said(NamedTuple):
    """A line taken apart: who says which verb, the plain words after it and the named ones."""

    by: Actor
    verb: str
    words: tuple[str, ...]
    named: Mapping[str, str]

    def number(self, index: int, what: str) -> int:
        """A whole number at a place."""
        return whole_number(self.verb, self.words[index], what)

    def cents(self, index: int) -> Cents:
        """An amount at a place; a minus is only for corrections."""
        return signed_dollars(self.words[index])

    def rest(self, index: int) -> str:
        """All that follows, as for a reason."""
        return " ".join(self.words[index:])

    def one_of(self, what: str, word: str, known: Collection[str]) -> str:
        """A word of a known vocabulary."""
        if word not in known:
            text = f"{self.verb}: {word!r} is no {what}; there are {', '.join(known)}"
            raise NotationError("script.bad_word", text)
        return word


Builder: TypeAlias = Callable[[Day, Said], a.AnyAction]

_REPORTED: Final[dict[str, Literal["dealt", "face_up", "drawn_in_error"]]] = {
    "dealt": "dealt",
    "face-up": "face_up",
    "in-error": "drawn_in_error",
}
CONFIRMED: Final[dict[str, Literal["resume", "void", "by_hand"]]] = {
    "resume": "resume",
    "void": "void",
    "by-hand": "by_hand",
}
STEPS: Final = {
    "inspect": "inspect",
    "verify": "verify",
    "spread": "spread_face_up",
    "look": "first_player_looks",
    "face-down": "turn_face_down",
    "wash": "wash",
    "stack": "stack",
}


def _step(day: Day, said: Said) -> a.Prepare:
    return a.Prepare(deck=said.words[0], step=STEPS[said.verb], defects=" ".join(said.words[1:]))


def _receive(day: Day, said: Said) -> a.ReceiveDeck:
    deck = said.words[0]
    return a.ReceiveDeck(
        deck=deck,
        back=said.named.get("back", deck),
        design=said.named.get("design", "standard"),
        preshuffled="preshuffled" in said.words[1:],
    )


def _cut(day: Day, said: Said) -> a.AnyAction:
    """`cut red 26` by the dealer; `cut 26` by a lab at a test table."""
    if len(said.words) == 1:
        return a.ForceCut(depth=said.number(0, "depth"))
    return a.Cut(deck=said.words[0], depth=said.number(1, "depth"))


def scripted_word(text: str) -> str:
    """The word for a cut that a script has in letters."""
    return sha256(text.encode()).hexdigest()


def _seal(day: Day, seat: int, text: str) -> str:
    """The seal of a scripted word, for the deck in play."""
    deck = day.deck_in_play
    root = deck.sealed.root if deck is not None and deck.sealed is not None else "0" * 64
    return player_seal(root, seat, scripted_word(text)) if text else ""


def _tell_word(day: Day, said: Said) -> a.TellWord:
    return a.TellWord(seat=seat_of(day, said), word=scripted_word(said.rest(0)))


def _report(day: Day, said: Said) -> a.ReportCard:
    how = _REPORTED[said.words[1] if len(said.words) > 1 else "dealt"]
    return a.ReportCard(card=parse_card(said.words[0]), how=how)


def _dealt(day: Day, said: Said) -> g.Deal:
    """The whole deal at once, as it was made by hand while play was interrupted."""
    named = {place: cards.replace(",", " ") for place, cards in said.named.items()}
    return g.Deal(places={place: parse_cards(cards) for place, cards in named.items()})


def _count(day: Day, said: Said) -> a.CountStub:
    places = {place: _named_number(said, place) for place in said.named}
    return a.CountStub(cards=said.number(0, "count"), places=places)


def _named_number(said: Said, name: str) -> int:
    """A whole number by its name; 0 where it is not there."""
    return whole_number(said.verb, said.named.get(name, "0"), f"number for {name}")


def whole_number(verb: str, text: str, what: str) -> int:
    """A number of a script: at most four digits."""
    if not (text.isascii() and text.isdecimal()) or len(text) > 4:
        raise NotationError("script.bad_number", f"{verb}: {text!r} is no {what}")
    return int(text)


def spots_of(day: Day) -> tuple[str, ...]:
    """Every spot that a script can name: those of the rulebooks that the day knows."""
    found: dict[str, None] = {}
    for book, _ in day.books.values():
        side_bets = tuple(offer.bet for offer in book.side_bets)
        tips = (f"tip_{spot}" for spot in book.tips.on)
        found |= dict.fromkeys((*book.base_spots, *side_bets, "envy", *tips))
    return tuple(found)


def _spot(day: Day, said: Said, index: int) -> str:
    return said.one_of("spot", said.words[index], spots_of(day))


def _confirm(day: Day, said: Said) -> a.Confirm:
    """The floor signs what it is shown; `as "…"` signs something else."""
    signed = said.rest(2) if len(said.words) > 1 else day.interrupted
    return a.Confirm(statement=signed, decision=CONFIRMED[said.words[0]])


def _time(day: Day, said: Said) -> a.TellTime:
    at = seconds_of(said.words[0])
    if at is None:
        raise NotationError("script.bad_time", f"time: {said.words[0]!r}; write HH:MM or HH:MM:SS")
    return a.TellTime(at=at)


def seat_of(day: Day, said: Said) -> int:
    """The seat that a line is about: named, or the one where its person sits."""
    if "seat" in said.named:
        return _named_number(said, "seat")
    held = [seat for seat, name in sorted(day.seated.items()) if name == said.by.name]
    if not held:
        raise NotationError("script.no_seat", f"{said.by.name} has no seat; write seat=N")
    return held[0]


def _wager(day: Day, said: Said) -> g.Wager:
    seat = seat_of(day, said)
    player = said.by.name if said.by.role == "player" else day.seated.get(seat, "")
    return g.Wager(
        seat=seat,
        spot=_spot(day, said, 0),
        cents=said.cents(1),
        player=player,
        instrument=_instrument(day, said),
        seal=_seal(day, seat, said.named.get("word", "")),
    )


def _instrument(day: Day, said: Said) -> str:
    """What the wager is made with, where the rulebook has a rule about it."""
    if "with" not in said.named:
        return "chip"
    if day.configuration is not None and day.setup.book.instruments is None:
        text = (
            f"wager: {day.setup.book.id} has no rule about what a wager is made with; leave it out"
        )
        raise NotationError("script.bad_word", text)
    return said.one_of("instrument", said.named["with"], INSTRUMENTS)


def _decide(day: Day, said: Said) -> a.AnyAction:
    """`1x`, `2x` and so on, or `bet` where there is one amount; the ante says how much it is."""
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
    """What went wrong, in the words that a scenario has for it."""
    line = _incident_line(said)
    state = day.round if day.in_round else None
    names = None if state is None else names_at(state.setup.book, state.setup, state.seats)
    problems = list(incident_misread(said.verb, line, names))
    action = incident_of(line)
    if not problems and state is not None and (why := unasked_decision(state, action)):
        problems = [f"{said.verb}.decision: {why}"]
    if problems:
        raise NotationError("script.bad_word", "; ".join(problems))
    return action


def _incident_line(said: Said) -> IncidentLine:
    """A line of a script as a line of a scenario; when it happens is when it is said."""
    numbers = {name: _named_number(said, name) for name in ("seat", "count") if name in said.named}
    words = {name: text for name, text in said.named.items() if name not in numbers}
    for name, known in (("place", PLACES[1:]), ("decision", ("continue", "void"))):
        if name in words:
            said.one_of(name, words[name], known)
    told: IncidentLine = convert({"what": said.words[0], "when": "betting", **words}, IncidentLine)
    return replace(told, **numbers)


def _force(day: Day, said: Said) -> a.ForceDeck:
    """The named cards come first, the rest of the deck after them in its own order."""
    top = parse_cards(" ".join(said.words[1:]))
    order = (*top, *(card for card in range(52) if card not in top))
    return a.ForceDeck(deck=said.words[0], order=order, salts=(), word="")


def _by(kind: Callable[..., a.AnyAction], *fields: str) -> Builder:
    """An action whose fields are the words of its line one by one: a spot, a card, an amount, a
    number by their names, else the word as it is; `reason…` is all that follows, and a field whose
    word is left out has its default."""

    def read(day: Day, said: Said, index: int, field: str) -> object:
        match field:
            case "spot":
                return _spot(day, said, index)
            case "card":
                return parse_card(said.words[index])
            case _ if field.endswith("cents"):
                return said.cents(index)
            case _ if get_type_hints(kind)[field.rstrip("…")] is int:
                return said.number(index, field)
        return said.rest(index) if field.endswith("…") else said.words[index]

    return lambda day, said: kind(
        **{
            field.rstrip("…"): read(day, said, index, field)
            for index, (field, _) in enumerate(zip(fields, said.words, strict=False))
        }
    )


VERBS: Final[dict[str, tuple[str, Builder]]] = {
    "time": ("HH:MM", _time),
    "open-day": ("DATE $", _by(a.OpenDay, "date", "tray_cents")),
    "close-day": ("$", _by(a.CloseDay, "tray_cents")),
    "fill": ("$", _by(a.Fill, "cents")),
    "credit": ("$", _by(a.Credit, "cents")),
    "buy-in": ("SEAT $", _by(a.BuyIn, "seat", "cents")),
    "drop": ("$", _by(a.Drop, "cents")),
    "approve": ("N", _by(a.Approve, "number")),
    "withdraw": ("N", _by(a.Withdraw, "number")),
    "designate": ("", _by(a.Designate)),
    "close-table": ("", _by(a.CloseTable)),
    "dealer": ("NAME…", _by(a.AssignDealer, "name…")),
    "sit": ("SEAT", _by(a.SitDown, "seat")),
    "stand": ("SEAT", _by(a.StandUp, "seat")),
    "receive": ("DECK [back=] [design=] [preshuffled]", _receive),
    **{verb: ("DECK" + " [DEFECTS…]" * (verb == "inspect"), _step) for verb in STEPS},
    "shuffle": ("DECK", _by(a.StartShuffle, "deck")),
    "jam": ("DECK", _by(a.JamShuffler, "deck")),
    "shuffled": ("DECK [COUNT]", _by(a.FinishShuffle, "deck", "count")),
    "force": ("DECK CARD…", _force),
    "cut": ("DECK DEPTH or DEPTH", _cut),
    "word": ("WORD [seat=]", _tell_word),
    "fix-cut": ("", lambda day, _: fixing(day) if day.in_round else a.FixCut()),
    "recut": ("DECK REASON…", _by(a.OrderRecut, "deck", "reason…")),
    "reshuffle": ("DECK REASON…", _by(a.OrderShuffle, "deck", "reason…")),
    "load": ("DECK", _by(a.Load, "deck")),
    "remove": ("DECK REASON…", _by(a.RemoveDeck, "deck", "reason…")),
    "idle": ("[face-up]", lambda day, said: a.GoIdle(face_up=said.words == ("face-up",))),
    "start": ("", _by(a.StartRound)),
    "call-off": ("", _by(a.CallOff)),
    "deal": ("", _by(a.DealOut)),
    "dealt": ("PLACE=CARD,CARD", _dealt),
    "report": ("CARD [dealt|face-up|in-error]", _report),
    "count": ("STUB [PLACE=N]", _count),
    "expire": ("SEAT SECONDS", _by(a.Expire, "seat", "seconds")),
    "fail": ("REASON…", _by(a.FailDevice, "reason…")),
    "mark": ("|".join(MARKS), _by(a.MarkDevice, "how")),
    "method": ("DEALING SHUFFLE", _by(a.UseMethod, "dealing", "shuffle")),
    "restore": ("", _by(a.RestoreDevice)),
    "interrupt": ("REASON…", _by(a.Interrupt, "reason…")),
    "confirm": ("resume|void|by-hand [as STATEMENT…]", _confirm),
    "wager": ("SPOT $ [seat=] [with=] [word=]", _wager),
    "take-back": (
        "SPOT [seat=]",
        lambda day, said: g.TakeBack(seat=seat_of(day, said), spot=_spot(day, said, 0)),
    ),
    "close-bets": ("", _by(g.CloseBets)),
    "lock": ("", _by(g.LockProgressive)),
    "collect": ("CHIPS", _by(g.CollectProgressive, "chips")),
    "bet": ("[seat=]", _decide),
    _TIMES: ("[seat=]", _decide),
    "fold": ("[seat=]", lambda day, said: g.Fold(seat=seat_of(day, said))),
    "turn": ("", _by(g.Turn)),
    "settle": ("SEAT SPOT $", _by(g.Settle, "seat", "spot", "given_cents")),
    "settle-all": ("", _by(g.SettleAll)),
    "correct": ("SEAT SPOT $ REASON…", _by(g.Correct, "seat", "spot", "cents", "reason…")),
    "correct-card": (
        "PLACE N CARD REASON…",
        _by(g.CorrectCard, "place", "number", "card", "reason…"),
    ),
    "incident": ("WHAT [seat=] [place=] [count=] [decision=]", _incident),
    "end": ("", _by(g.Close)),
}

BY_THE_RUNNER: Final = {
    "propose": "[KEY=VALUE]",
    "seal": "DECK",
    "cards": "CARD… or PLACE=CARD,CARD",
}
USAGES: Final = {**{verb: usage for verb, (usage, _) in VERBS.items()}, **BY_THE_RUNNER}


def _verb(word: str) -> str:
    """A verb as the list has it: every multiple of the ante is the same one."""
    return _TIMES if _MULTIPLE.fullmatch(word) else word


def require_decision(head: str, word: str) -> None:
    """A word that decides for a seat."""
    if word != "fold" and VERBS.get(_verb(word), ("", None))[1] is not _decide:
        text = f"{head} {word}: no decision; write fold, bet or a number with x"
        raise NotationError("script.bad_word", text)


def take_apart(by: Actor, words: str) -> Said:
    """What somebody says, held against how its verb is used."""
    verb, *rest = words.split() or [""]
    if _verb(verb) not in USAGES:
        text = f"{verb!r} is no verb of a day script; there are {', '.join(USAGES)}"
        raise NotationError("script.unknown_verb", text)
    require_usage(verb, USAGES[_verb(verb)], rest)
    return Said(by, verb, *parted(rest))


def build(day: Day, said: Said) -> a.AnyAction:
    """The action that a line asks for."""
    return VERBS[_verb(said.verb)][1](day, said)

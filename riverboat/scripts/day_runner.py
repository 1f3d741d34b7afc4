"""Plays a scripted day: what people do line by line, and what the house does by the prompt.

`house until ready` lets the right people do what the prompt tells them; `play 5` plays whole rounds
with everybody who sits. Chance is the script's own, so that a day reads the same every time.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from msgspec.structs import asdict, replace

from riverboat.core.cards import parse_cards
from riverboat.core.errors import NotationError, Reading, Refused
from riverboat.core.shuffling import Entropy, fresh_salts, fresh_word, scripted_entropy, shuffle
from riverboat.round import actions as g
from riverboat.scripts import day_expectations as x
from riverboat.scripts import day_file as f
from riverboat.table import actions as a
from riverboat.table import events as e
from riverboat.table.configuration.configure import standard_submission
from riverboat.table.configuration.submission import Submission, unknown_choices
from riverboat.table.day import Books, new_day
from riverboat.table.engine import advance
from riverboat.table.people import SYSTEM, Actor, Role, automatic
from riverboat.table.procedures.rounds import delivery_places
from riverboat.table.task import Task
from riverboat.wording.prompts.prompt import prompt, state_name
from riverboat.wording.record import Happened, Tried

_MOST_STEPS = 2_000
_OPENING_TRAY = 5_000_000
_AUTOMATIC: tuple[Role, ...] = ("dealer", "floorperson", "supervisor")


class Failed(NamedTuple):
    """A line that did not come out as it must."""

    line: int
    words: str
    got: str
    cites: tuple[str, ...] = ()


class DayRunner:
    """One scripted day while it is being played."""

    def __init__(self, script: f.DayScript, books: Books) -> None:
        self.script = script
        found = books.get(script.rulebook)
        if found is None:
            raise NotationError("day.no_rulebook", f"there is no rulebook {script.rulebook!r}")
        self.book = found[0]
        if unread := [f"{where}: {why}" for where, why in unknown_choices(self.book, script.table)]:
            raise NotationError("day.unreadable", "\n".join(unread))
        self.day = new_day(script.name or "table 1", books)
        self.people = {**f.PEOPLE, **script.people}
        self.entropy: Entropy = scripted_entropy(script.title)
        self.happened: list[Happened] = []
        self.failed: list[Failed] = []
        self.tried: list[Tried] = []

    # ---------------------------------------------------------------- doing

    def do(self, by: Actor, action: a.AnyAction) -> e.Entry:
        """One action, kept in the record."""
        before = self.day
        try:
            entry, self.day = advance(before, by, action)
        except Refused as refusal:
            if refusal.code != "second.missing" or not isinstance(action, a.Confirm | g.Incident):
                raise
            # A script need not name who signs beside: there is always somebody else of the floor.
            names = (*self._all("floorperson"), *self._all("supervisor"), *self._all("lab"))
            beside = next(name for name in names if name != by.name)
            action = replace(action, second=self.person(beside))
            entry, self.day = advance(before, by, action)
        self.happened.append(Happened(entry, before, self.day))
        return entry

    def person(self, name: str) -> Actor:
        """Somebody of the script by name; `system` is the machine itself."""
        if name == SYSTEM.name:
            return SYSTEM
        if self.script.demo and name in _AUTOMATIC:
            return automatic(name)
        if name not in self.people:
            known = ", ".join(self.people)
            raise NotationError("script.unknown_person", f"nobody is called {name!r}; {known}")
        return Actor(name=name, role=self.people[name])

    def run(self) -> None:
        """The day from its beginning to the last line; every line is read before."""
        for line in f.lines_of(self.script.script):
            with Reading(f"line {line.number} of the script"):
                self._read_line(line)
        try:
            self._begin()
        except Refused as refusal:
            got = f"{refusal.code}: {refusal}".replace("\n", "; ")
            self.failed.append(Failed(0, f"begin = {self.script.begin}", got, refusal.cites))
            return
        for line in f.lines_of(self.script.script):
            with Reading(f"line {line.number} of the script"):
                self._do_line(line)

    def _read_line(self, line: f.Line) -> None:
        """Who speaks, which verb it is, and that it is used so."""
        head, _, rest = line.words.partition(" ")
        match head:
            case "":
                return
            case "expect":
                x.require_expectation(rest)
            case "house":
                _require_house(rest)
            case "play":
                _require_play(rest)
            case "refused" | "refused:":
                self._take_apart(_refused_words(line)[1])
            case _:
                self._take_apart(line.words)

    def _do_line(self, line: f.Line) -> None:
        if line.at not in (None, self.day.now):
            self._try(line, lambda: self.do(SYSTEM, a.TellTime(at=line.at or 0)))
        head, _, rest = line.words.partition(" ")
        match head:
            case "":
                return
            case "refused" | "refused:":
                self._refused(line)
            case "expect":
                for got in x.check_expectation(self.day, self.happened, rest, self.people):
                    self.failed.append(Failed(line.number, line.words, got))
            case "house":
                self._try(line, lambda: self._house(rest))
            case "play":
                self._try(line, lambda: self._play(rest))
            case _:
                self._try(line, lambda: self._say(line.words))

    def _try(self, line: f.Line, act: Callable[[], object]) -> None:
        try:
            act()
        except Refused as refusal:
            got = f"{refusal.code}: {refusal}"
            self.failed.append(Failed(line.number, line.words, got, refusal.cites))

    def _refused(self, line: f.Line) -> None:
        """`refused CLAUSE !OTHER: line`: by the one, not by the other; `refused: line`: at all."""
        wanted, words = _refused_words(line)
        for one in wanted.split():
            x.require_clause(self.day, one.removeprefix("!"), or_code=not one.startswith("!"))
        before = self.day
        try:
            self._say(words)
        except Refused as refusal:
            name, _, asked = words.partition(" ")
            by = self.person(name.rstrip(":"))
            self.tried.append(Tried(len(self.happened), self.day, by, asked.strip(), refusal))
            named = (*refusal.cites, refusal.code)
            wrong = [one for one in wanted.split() if (one.strip("!") in named) == ("!" in one)]
            if wrong:
                got = f"refused by {', '.join(named)}: {refusal}"
                self.failed.append(Failed(line.number, line.words, got, refusal.cites))
            assert self.day is before
            return
        self.failed.append(Failed(line.number, line.words, "nothing was refused"))

    def _say(self, words: str) -> None:
        said = self._take_apart(words)
        by = said.by
        if said.verb == "propose":
            self.do(by, a.Propose(submission=self._changed(said.named)))
        elif said.verb == "seal":
            self._seal(by, said.words[0])
        elif said.verb == "cards":
            self._report(by, said)
        else:
            action = f.build(self.day, said)
            if isinstance(action, a.ForceDeck):
                salts, word = fresh_salts(self.entropy), fresh_word(self.entropy)
                action = replace(action, salts=salts, word=word)
            self.do(by, action)

    def _take_apart(self, words: str) -> f.Said:
        name, _, rest = words.partition(" ")
        return f.take_apart(self.person(name.rstrip(":")), rest)

    def _seal(self, by: Actor, deck: str) -> None:
        order, salts = shuffle(self.entropy), fresh_salts(self.entropy)
        word = fresh_word(self.entropy)
        self.do(by, a.SealDeck(deck=deck, order=order, salts=salts, word=word))

    def _report(self, by: Actor, said: f.Said) -> None:
        """Cards as they come out, `Kh 7c`; or by place, `1=Kh,7c community=Qs,8d,2c`."""
        order = parse_cards(" ".join(said.words))
        if said.named:
            cards = {place: text.replace(",", " ") for place, text in said.named.items()}
            left = {place: [*parse_cards(text)] for place, text in cards.items()}
            places = delivery_places(self.day) if self.day.in_round else []
            order = tuple(left[place].pop(0) for place in places if left.get(place))
            for place in (place for place, rest in left.items() if rest):
                text = f"cards {place}={said.named[place]}: so many are not dealt there now"
                raise NotationError("script.bad_cards", text)
        for card in order:
            self.do(by, a.ReportCard(card=card))

    def _changed(self, changes: Mapping[str, str]) -> Submission:
        """The script's submission with other choices: `propose maximum=100`."""
        filed = self.submission()
        table = dict(filed.table)
        for key, value in changes.items():
            table[key] = int(value) if value.isdecimal() and key == "seats" else value
        return Submission(**{**asdict(filed), "table": table})

    # ---------------------------------------------------------------- beginning

    def submission(self) -> Submission:
        """The table as the script has it: the rulebook's standard one where it is silent."""
        given = {key: getattr(self.script, key) for key in Submission.__struct_fields__}
        standard = standard_submission(self.book, self.script.table)
        return Submission(**{**given, "table": standard.table})

    def _begin(self) -> None:
        """What the script takes for granted."""
        begin = self.script.begin
        if begin == "nothing":
            return
        names = [*self._all("floorperson"), *self._all("supervisor")]
        first, second = map(self.person, self._all("lab")[:2] if self.script.test else names[:2])
        self.do(first, a.Propose(submission=self.submission()))
        self.do(second, a.Approve(number=1))
        if begin == "configured":
            return
        self.do(first, a.OpenDay(date="2026-11-15", tray_cents=_OPENING_TRAY))
        self.do(first, a.Designate())
        self.do(first, a.AssignDealer(name=self._first("dealer").name))
        if begin == "ready":
            if not self.script.test:
                for seat, name in enumerate(self._all("player"), start=1):
                    self.do(self.person(name), a.SitDown(seat=seat))
            self._house("until ready")

    def _all(self, role: Role) -> list[str]:
        return [name for name, held in self.people.items() if held == role]

    def _first(self, role: Role) -> Actor:
        if self.script.demo and role in _AUTOMATIC:
            return automatic(role)
        return self.person(self._all(role)[0])

    # ---------------------------------------------------------------- the house by the prompt

    def _house(self, words: str) -> None:
        """`until STATE`: the right people do what the prompt says, until the table is there."""
        wanted = _require_house(words)
        for _ in range(_MOST_STEPS):
            if wanted in self._where():
                return
            self.follow(self._next_task())
        raise NotationError("script.stuck", f"house until {wanted}: the table never gets there")

    def _where(self) -> tuple[str, ...]:
        """Every name by which a script can call where the table stands."""
        day = self.day
        if not day.in_round:
            return (state_name(day), *(("over",) if day.round_number else ()))
        return ("round", day.playing.phase, *(("dealt",) if day.playing.community else ()))

    def _next_task(self) -> Task:
        tasks = prompt(self.day).tasks
        chosen = [task for task in tasks if not task.optional] or [t for t in tasks if t.do]
        if not chosen:
            raise NotationError("script.stuck", f"nothing to do: {[t.words for t in tasks]}")
        return chosen[0]

    def follow(self, task: Task) -> None:
        """One task by the right person; what only the machine can give is drawn here."""
        deck = next(
            (d for d in self.day.decks.values() if d.stage == "shuffled" and d.sealed is None), None
        )
        if task.do is not None:
            self.do(self.who(task), task.do)
        elif task.who == "system" and deck is not None:
            self._seal(SYSTEM, deck.name)
        elif self.day.in_round and self.day.deck_in_play is not None:
            rest = [c for c in range(52) if c not in (*self.day.reported, *self.day.left_out)]
            self.do(self.who(task), a.ReportCard(card=rest[0]))
        else:
            raise NotationError("script.stuck", f"only a person can do this: {task.words}")

    def who(self, task: Task) -> Actor:
        """The right person for a task; the machine's own is the machine's."""
        if task.who == "system":
            return SYSTEM
        if self.script.test:
            number = 1 if isinstance(task.do, a.Prepare) and task.do.step == "verify" else 0
            return self.person(self._all("lab")[number])
        if task.who == "dealer" and not self.script.demo:
            return self.person(self.day.dealer)
        if task.who == "player" and task.seat in self.day.seated:
            return self.person(self.day.seated[task.seat])
        return self._first(task.who)

    def _play(self, words: str) -> None:
        """`N [fold|1x|2x|…|bet]`: whole rounds, everybody antes the least and decides so."""
        rounds, decision = _require_play(words)
        for _ in range(rounds):
            self._house("until round")
            while self.day.in_round:
                self._play_on(decision)

    def _play_on(self, decision: str) -> None:
        antes = [t for t in prompt(self.day).tasks if isinstance(t.do, g.Wager)]
        if antes and self.day.playing.phase == "betting":
            self.follow(antes[0])
            return
        task = self._next_task()
        if isinstance(task.do, g.Bet):
            said = f.Said(self.who(task), decision, (), {"seat": str(task.seat)})
            self.do(self.who(task), f.build(self.day, said))
            return
        self.follow(task)


def _refused_words(line: f.Line) -> tuple[str, str]:
    """By what a line must be refused, and the line."""
    rest = line.words.removeprefix("refused").strip()
    wanted, _, words = rest.partition(":") if ":" in rest else ("", "", rest)
    return wanted, words.strip()


def _require_house(words: str) -> str:
    """The state until which the house goes on."""
    f.require_usage("house", "until STATE", words.split())
    wanted = words.split()[1]
    if wanted not in (known := (*x.STATES, *x.ROUND_STATES)):
        text = f"house until {wanted}: there is no such state; there are {', '.join(known)}"
        raise NotationError("script.unknown_state", text)
    return wanted


def _require_play(words: str) -> tuple[int, str]:
    """How many rounds are played, and how everybody decides in them."""
    f.require_usage("play", "N [DECISION]", words.split())
    count, _, decision = words.partition(" ")
    if not (rounds := f.whole_number("play", count, "number of rounds")):
        raise NotationError("script.bad_number", "play 0: plays nothing; write 1 or more")
    f.require_decision(f"play {count}", decision or "1x")
    return rounds, decision or "1x"

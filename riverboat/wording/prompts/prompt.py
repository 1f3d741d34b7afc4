"""The procedure prompt: for every state of a table, who must do what next, in which words, and why.

Whatever a prompt tells to do with a ready action is accepted by the engine. The consoles, the
dealer school and a demo table's automatic staff all go by it.
"""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from msgspec.structs import replace

from riverboat.core.money import divide_up, format_cents
from riverboat.round.table_talk import number_of
from riverboat.rulebook.values import with_article
from riverboat.table import actions as a
from riverboat.table.configuration.configure import fallback_refusal, must_be_marked
from riverboat.table.day import Day, Deck
from riverboat.table.procedures import decks
from riverboat.table.procedures.checks import (
    SILENT,
    book_of,
    cited,
    configured,
    designation,
    in_use,
)
from riverboat.table.procedures.rounds import count_is_due, seconds_left
from riverboat.table.procedures.seats import approval_refusal
from riverboat.table.task import Notice, Prompt, Task
from riverboat.wording.prompts.deal_prompts import cut_before_bets
from riverboat.wording.prompts.round_prompts import hands_at_once, round_tasks

_Told = TypeVar("_Told", Task, Notice)
_WARN_SECONDS = 1800
_SECONDS_A_MINUTE = 60
_STEPS = {
    "inspect": "Inspect the {deck} deck for defects",
    "verify": "Verify the inspection of the {deck} deck",
    "spread_face_up": "Spread the {deck} deck face up: fan-shaped columns, by suit, in sequence",
    "first_player_looks": "The first player looks at the {deck} deck",
    "turn_face_down": "Turn the {deck} deck face down",
    "wash": "Wash the {deck} deck",
    "stack": "Stack the {deck} deck",
}


def prompt(day: Day) -> Prompt:
    """What comes next at a table."""
    configuration = day.configuration
    return Prompt(
        state=state_name(day),
        tasks=_cited(day, _tasks(day)),
        at_once=_cited(day, hands_at_once(day) if day.in_round and not day.interrupted else ()),
        notices=_cited(day, _notices(day)),
        test=configuration is not None and configuration.test,
    )


def _cited(day: Day, told: Iterable[_Told]) -> tuple[_Told, ...]:
    """With the clauses on the way to deal that is used."""
    if day.configuration is None:
        return tuple(told)
    return tuple(replace(one, cites=in_use(day, one.cites)) for one in told)


def state_name(day: Day) -> str:
    """Where the table stands, in a word."""
    if day.interrupted:
        return "interrupted"
    if day.phase != "open":
        return day.phase if day.phase != "closed" or day.configuration is None else "configured"
    if day.device == "failed":
        return "device_down"
    deck = _deck_to_prepare(day)
    if deck is not None and deck.stage == "ready":  # The other one has to be in the shuffler.
        others = (other for other in day.decks.values() if other.name != deck.name)
        out = (other for other in others if other.stage not in ("shuffling", "shuffled"))
        deck = next(out, deck)
    if deck is None or (deck.stage == "ready" and len(day.decks) < configured(day).decks):
        return "deck_change"
    return deck.stage


def _deck_to_prepare(day: Day) -> Deck | None:
    """The deck that the next round waits for."""
    others = [deck for deck in day.decks.values() if deck.name != day.last_deck]
    return next(iter(others or day.decks.values()), None)


def _tasks(day: Day) -> Iterator[Task]:
    if day.interrupted:
        yield Task(
            "floorperson",
            f"Sign how the table stood: {day.interrupted}. Resume, void, or finish by hand",
            do=a.Confirm(statement=day.interrupted, decision="resume"),
        )
        return
    yield from _proposals(day)
    if day.configuration is None:
        yield Task("floorperson", "Propose the table's configuration")
    elif not day.date:
        yield Task("floorperson", "Count the tray and open the gaming day")
    elif day.phase == "closed":
        yield from _closed(day)
    elif day.in_round:
        yield from round_tasks(day)
        yield from _other_deck(day)
    else:
        yield from _between_rounds(day)
        yield Task("floorperson", "Or close the table", do=a.CloseTable(), optional=True)


def _proposals(day: Day) -> Iterator[Task]:
    for number, proposal in sorted(day.proposals.items()):
        if proposal.approved_by:
            continue
        if approval_refusal(day, proposal) is not None:
            words, do = f"Withdraw proposal {number}", a.Withdraw(number=number)
            yield Task("floorperson", words, do=do, optional=True)
        else:
            yield Task(
                "floorperson",
                f"Somebody other than {proposal.by} approves or withdraws proposal {number}",
                do=a.Approve(number=number),
                optional=day.configuration is not None,
            )


def _closed(day: Day) -> Iterator[Task]:
    words = f"Designate the table for {book_of(day).game.replace('_', ' ').title()} and open it"
    yield Task("floorperson", words, do=a.Designate(), cites=designation(day))
    accounts = day.accounts
    if accounts.in_box_cents:
        words, do = "Take the drop box away", a.Drop(cents=accounts.in_box_cents)
        yield Task("floorperson", words, do=do, optional=True)
    else:
        words = "Or count the tray and close the gaming day"
        closing = a.CloseDay(tray_cents=max(accounts.tray_cents, 0))
        yield Task("floorperson", words, do=closing, optional=True)


def _between_rounds(day: Day) -> Iterator[Task]:
    if not day.dealer:
        yield Task("floorperson", "Assign a dealer")
        return
    if day.device == "failed" and must_be_marked(configured(day)):
        cites = book_of(day).irregularities.device_out_of_use.cites
        words = "Cover the device, or put an out-of-order sign on it"
        yield Task("dealer", words, do=a.MarkDevice(how="covered"), cites=cites)
    elif day.device != "working" and day.method is None:
        yield from _fallbacks(day)
    if day.device == "failed" or (day.device == "marked" and day.method is None):
        words = "Or put the repaired device back into use"
        cites = book_of(day).irregularities.device_out_of_use.cites
        yield Task("floorperson", words, do=a.RestoreDevice(), cites=cites, optional=True)
        if configured(day).shuffle in decks.BY_DEVICE or decks.deals_by_device(day):
            return
    yield from _decks(day)


def _fallbacks(day: Day) -> Iterator[Task]:
    rule = book_of(day).irregularities.device_out_of_use
    for dealing, shuffle in configured(day).fallbacks:
        if fallback_refusal(configured(day), dealing, shuffle) is None:
            dealt = dealing.replace("_", " ")
            words = f"Go on with {with_article(shuffle)} shuffle, dealt by {dealt}"
            do = a.UseMethod(dealing=dealing, shuffle=shuffle)
            yield Task("floorperson", words, do=do, cites=rule.cites)


def _decks(day: Day) -> Iterator[Task]:
    """What each deck waits for; then the round."""
    waiting = [task for deck in day.decks.values() for task in _deck_tasks(day, deck)]
    yield from waiting
    if len(day.decks) < configured(day).decks:
        yield _bring_deck(day)
        return
    last = day.decks.get(day.last_deck)
    if count_is_due(day) and last is not None and last.stage != "shuffling":
        rule = book_of(day).stub_count
        assert rule is not None
        words = f"Count the {day.last_deck} deck: the count is overdue"
        yield Task("dealer", words, do=a.CountStub(cards=rule.total), cites=rule.cites)
        return
    if any(task for task in waiting if not task.optional):
        return
    if not day.seated and not configured(day).test:
        words, cites = "Take a seat and buy in", book_of(day).options["seats"].cites
        yield Task("player", words, cites=cites)
    else:
        words = "Open the bets for the next round"
        yield Task("dealer", words, do=a.StartRound(), cites=book_of(day).ante.cites)
    idle = book_of(day).idle
    if idle is not None and not day.seated:
        words = "Nobody plays: empty shoe and rack and spread the cards face down"
        yield Task("dealer", words, do=a.GoIdle(), cites=idle.cites, optional=True)


def _bring_deck(day: Day) -> Task:
    configuration = configured(day)
    backs = [deck.back for deck in day.decks.values()]
    kind = next((k for k in configuration.deck_kinds if k.back not in backs), None)
    back = kind.back if kind is not None else "blue"
    filed = kind.design if kind is not None else "standard"
    design = next((deck.design for deck in day.decks.values()), filed)
    name = back if back not in day.decks else f"{back}-backed"
    opening = book_of(day).opening
    return Task(
        "floorperson",
        f"Bring a deck with {back} backs to the table",
        do=a.ReceiveDeck(deck=name, back=back, design=design),
        cites=opening.steps[0].cites if opening is not None else book_of(day).cards.cites,
    )


def _other_deck(day: Day) -> Iterator[Task]:
    """While one deck is in play the other one is shuffled."""
    for deck in day.decks.values():
        sealed = deck.stage == "shuffled" and not decks.needs_seal(day, deck)
        if deck.name != day.round_deck and not sealed and decks.next_step(day, deck) is None:
            yield from _shuffle_tasks(day, deck)


def _deck_tasks(day: Day, deck: Deck) -> Iterator[Task]:
    book, left = book_of(day), seconds_left(day, deck)
    if deck.defects:
        inspection = book.opening.steps[0] if book.opening else None
        yield _remove(deck, f"defective: {deck.defects}", cited(inspection))
        return
    if left is not None and left <= 0 and not day.in_round:
        reason = f"{number_of(configured(day).deck_hours or 0, 'hour')} in use"
        yield _remove(deck, reason, cited(book.deck_age))
        return
    step = decks.next_step(day, deck)
    if step is not None:
        yield Task(
            "floorperson" if step.by == "house" else step.by,
            _STEPS[step.step].format(deck=deck.name),
            do=a.Prepare(deck=deck.name, step=step.step),
            cites=(*step.cites, *_opening_cites(day, deck)),
        )
    else:
        yield from _shuffle_tasks(day, deck)


def _opening_cites(day: Day, deck: Deck) -> tuple[str, ...]:
    """What else speaks of a deck on its way to its first shuffle: a pair, spread cards, the end."""
    book = book_of(day)
    opening = book.opening
    if opening is None or deck.stage == "used":
        return SILENT
    pair = opening.two_decks.cites if configured(day).decks > 1 else SILENT
    spread = cited(book.idle) if deck.stage == "idle" else SILENT
    last = next((step for step in opening.steps if step.step == "shuffle"), None)
    ends = cited(last) if deck.stage == "stacked" else SILENT
    return (*pair, *spread, *ends)


def _remove(deck: Deck, reason: str, cites: tuple[str, ...]) -> Task:
    words = f"Change the {deck.name} deck ({reason})"
    return Task("floorperson", words, do=a.RemoveDeck(deck=deck.name, reason=reason), cites=cites)


def _shuffle_tasks(day: Day, deck: Deck) -> Iterator[Task]:
    configuration, book = configured(day), book_of(day)
    match deck.stage:
        case "stacked" | "used" if decks.shuffle_waits(day, deck):
            return
        case "stacked" | "used":
            how = "by hand" if configuration.shuffle == "manual" else "in the shuffler"
            words, do = f"Shuffle the {deck.name} deck {how}", a.StartShuffle(deck=deck.name)
            cites = (*_opening_cites(day, deck), *book.shuffle.cites)
            yield Task("dealer", words, do=do, cites=cites)
        case "shuffling" if deck.method in decks.BY_DEVICE and decks.shuffler_is_down(day):
            return
        case "shuffling":
            yield _being_shuffled(day, deck)
        case "shuffled" if decks.needs_seal(day, deck):
            yield Task("system", f"Commit to the order of the {deck.name} deck, before any bet")
        case "shuffled":
            yield from _load_tasks(day, deck)


def _being_shuffled(day: Day, deck: Deck) -> Task:
    """A shuffle ends by itself, with a count or without; one that stops begins again."""
    configuration, book = configured(day), book_of(day)
    by_device = deck.method in decks.BY_DEVICE
    counts = configuration.counts_cards and by_device
    words = f"The {deck.name} deck is being shuffled" + "; read the shuffler's count" * counts
    wrong = book.irregularities
    jam = wrong.shuffler_jam.cites if by_device else SILENT
    cites = (*book.shuffle.cites, *jam, *(cited(wrong.shuffler_count) if counts else SILENT))
    return Task(
        "dealer",
        words,
        how=("if it jams or stops, shuffle again",) if by_device else (),
        do=a.FinishShuffle(deck=deck.name, count=book.cards.cards if counts else 0),
        cites=cites,
    )


def _load_tasks(day: Day, deck: Deck) -> Iterator[Task]:
    if deck is not _deck_to_prepare(day) or decks.load_refusal(day, deck) is not None:
        return
    cut = cut_before_bets(day, deck.name)
    if cut is not None:
        yield cut
        return
    dealing = day.setup.dealing
    where = {"hand": "in your hand", "manual_shoe": "in the shoe", "rotation": "in your hand"}
    words = f"Put the {deck.name} deck {where.get(dealing.method, 'in the device')}"
    how = (dealing.loading,) if dealing.loading else ()
    yield Task("dealer", words, how=how, do=a.Load(deck=deck.name), cites=dealing.cites)


def _notices(day: Day) -> Iterator[Notice]:
    if day.configuration is None:
        return
    for deck in day.decks.values():
        left, age = seconds_left(day, deck), book_of(day).deck_age
        if left is not None and left <= _WARN_SECONDS and age is not None:
            minutes = divide_up(max(left, 0), _SECONDS_A_MINUTE)
            words = f"{deck.name} deck: change in {number_of(minutes, 'minute')}"
            if left <= 0:
                words = f"{deck.name} deck: change before the next round"
            yield Notice(words, age.cites, seconds_left=left, overdue=left <= 0)
    yield from _count_notice(day)
    for number, proposal in sorted(day.proposals.items()):
        if proposal.approved_by:
            yield Notice(f"proposal {number} takes effect when this round is over")
    if day.device != "working":
        rule = book_of(day).irregularities.device_out_of_use
        yield Notice("the device is out of use", rule.cites, overdue=True)
    if day.accounts.tray_cents < 0:
        owed = format_cents(-day.accounts.tray_cents)
        yield Notice(f"the tray owes {owed} more than it holds; a fill is due", overdue=True)
    if day.by_hand:
        yield Notice("the round is being entered afterwards, by hand")


def _count_notice(day: Day) -> Iterator[Notice]:
    rule = book_of(day).stub_count
    if rule is None or configured(day).counts_cards:
        return
    if count_is_due(day):
        yield Notice("the stub count is due now", rule.cites, overdue=True)
    elif day.rounds_since_count + 1 >= rule.every_rounds and not day.stub_counted:
        yield Notice("the stub is counted in the next round", rule.cites)

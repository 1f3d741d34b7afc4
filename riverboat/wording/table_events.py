"""What happens at a table, in words: one sentence for each kind of event of its day."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec.structs import asdict

from riverboat.core.cards import show_card
from riverboat.core.money import Cents, format_cents
from riverboat.round.table_talk import listed, number_of, place_name, sentence
from riverboat.rulebook.values import DEALT, with_article
from riverboat.table import events as e
from riverboat.table.configuration.configure import Configuration
from riverboat.table.procedures.rounds import delivery_places
from riverboat.wording.record import Told, show_time
from riverboat.wording.round_events import in_round, round_words

_STEPS = {
    "inspect": "inspected for defects, none found",
    "verify": "verified",
    "spread_face_up": "spread face up in fan-shaped columns, by suit and in sequence",
    "first_player_looks": "looked at",
    "turn_face_down": "turned face down",
    "wash": "washed",
    "stack": "stacked",
}
_MARKED = {"covered": "The device is covered", "signed": "An out-of-order sign is on the device"}
_DEALT_FROM = {
    **dict.fromkeys(("hand", "rotation"), "in the dealer's hand"),
    "manual_shoe": "in the shoe",
}
_SHUFFLED = {"manual": "by hand", "automated": "in the shuffler", "continuous": "in the device"}
_DECISIONS = {
    "resume": "play goes on as it stood",
    "void": "the round is void",
    "by_hand": "the round is finished by hand and entered afterwards",
}


def words_of(told: Told) -> str:
    """One event of a table or of its round as a sentence."""
    find = TABLE_WORDS.get(type(told.event))
    return find(told.event, told) if find is not None else round_words(in_round(told))


def table_in_words(configuration: Configuration) -> str:
    """The table that a submission makes, as short as it can be said."""
    setup, book = configuration.setup, configuration.book
    offered = [offer.label.lower() for offer in book.side_bets if setup.offers(offer.bet)]
    decks = "one deck" if configuration.decks == 1 else f"{configuration.decks} decks"
    cards = "physical cards" if configuration.physical else "electronic deal"
    dealt = DEALT.get(setup.dealing.method, setup.dealing.method)
    counts = ", counting shuffler" if configuration.counts_cards else ""
    return (
        f"{book.id}, {setup.seats} seats, ante {setup.limits.ante}; "
        f"{listed(offered) or 'no side bet'}; {decks}, {configuration.shuffle} shuffle{counts}, "
        f"dealt {dealt}, {cards}"
    )


def _proposed(event: e.ConfigurationProposed, told: Told) -> str:
    chosen = told.after.proposals[event.number].configuration
    sha = f"configuration {event.sha256[:12]}"
    return f"Configuration {event.number} proposed: {table_in_words(chosen)} ({sha})"


def off_by(over: Cents, what: str) -> str:
    """A count beside what it should be."""
    if not over:
        return f"as {what} have it"
    return f"{format_cents(abs(over))} {'more' if over > 0 else 'less'} than {what} have"


def _closed(event: e.DayClosed, told: Told) -> str:
    agrees = off_by(event.tray_cents - event.expected_cents, "the entries")
    win = f"the table won {format_cents(event.win_cents)}"
    if event.win_cents < 0:
        win = f"the table lost {format_cents(-event.win_cents)}"
    return f"Gaming day closed, tray counted {format_cents(event.tray_cents)}, {agrees}; {win}"


def _dropped(event: e.BoxDropped, told: Told) -> str:
    agrees = off_by(event.cents - event.expected_cents, "the buy-ins")
    return f"Drop box taken away with {format_cents(event.cents)}, {agrees}"


def _received(event: e.DeckReceived, told: Told) -> str:
    how = ", preinspected and pre-shuffled" if event.preshuffled else ""
    backs = f" with {event.back} backs" if event.back != event.deck else ""
    return sentence(f"{event.deck} deck{backs} brought to the table, {event.design} design{how}")


def _prepared(event: e.DeckPrepared, told: Told) -> str:
    if event.defects:
        return f"{sentence(event.deck)} deck inspected: {event.defects}; not to be used"
    return steps_in_words(event.deck, (event.step,), told.by.name)


def steps_in_words(deck: str, steps: Sequence[str], by: str) -> str:
    """Opening steps of a deck, done one after another by the same person."""
    if steps == ("verify",):
        return f"Inspection of the {deck} deck verified"
    if steps == ("first_player_looks",):
        return f"{by} looks at the {deck} deck"
    return f"{sentence(deck)} deck {listed([_STEPS[step] for step in steps])}"


def shuffled(event: e.ShuffleFinished, method: str = "") -> str:
    """The end of a shuffle; with the method where its beginning is not told."""
    how = f" {_SHUFFLED.get(method, method)}" if method else ""
    count = f"; the shuffler counts {number_of(event.count, 'card')}" if event.count else ""
    return f"{sentence(event.deck)} deck shuffled{how}{count}"


def _sealed(event: e.DeckSealed, told: Told) -> str:
    order = "Forced order" if event.forced else "Order"
    return f"{order} of the {event.deck} deck committed to: no. {event.number}, {event.root[:16]}"


def _cut(event: e.DeckCut, told: Told) -> str:
    if not event.fixed or event.forced:
        who = f"{event.by} cuts"
    elif event.words:
        who = f"the house's word and that of {listed([f'seat {n}' for n in event.words])} cut"
    else:
        who = "no player's word: the house's own word alone, which proves nothing, cuts"
    if event.withheld:
        seats = listed([f"seat {n}" for n in event.withheld])
        who = f"{seats} WITHHELD the word sealed with the bet for {event.seconds} s; {who}"
    return sentence(f"{who} the {event.deck} deck {number_of(event.depth, 'card')} from the top")


def _loaded(event: e.DeckLoaded, told: Told) -> str:
    where = _DEALT_FROM.get(told.day.setup.dealing.method, "in the device")
    others = [d.name for d in told.after.decks.values() if d.name != event.deck]
    waits = f"; the {others[0]} deck is in the shuffler" if others else ""
    return f"{sentence(event.deck)} deck {where}{waits}"


def _started(event: e.RoundStarted, told: Told) -> str:
    committed = f"commitment no. {event.commitment}" if event.commitment else "uncommitted"
    return f"ROUND {event.number}: {event.deck} deck, {event.dealer} deals, {committed}; bets open"


def _reported(event: e.CardReported, told: Told) -> str:
    if event.how == "face_up":
        return f"Card {show_card(event.card)} found face up"
    to = place_name(delivery_places(told.before)[len(told.before.reported)])
    error = "drawn in error and " if event.how == "drawn_in_error" else ""
    return f"Card {show_card(event.card)} {error}dealt to {to}"


def _counted(event: e.StubCounted, told: Told) -> str:
    rule = told.book.stub_count
    right = rule.total if rule is not None else told.book.cards.cards
    places = ", ".join(f"{count} at {place_name(place)}" for place, count in event.places.items())
    found = f" with {places}" if places else ""
    verdict = "right" if event.total == right and not places else f"{right} is right"
    if not told.before.in_round:
        return sentence(
            f"{told.before.last_deck} deck counted: {number_of(event.total, 'card')}, {verdict}"
        )
    return (
        f"Stub counted face down on the layout: {event.cards}{found}, "
        f"{number_of(event.total, 'card')} in the deck; {verdict}"
    )


def _idle(event: e.WentIdle, told: Told) -> str:
    face = "face up, as a player asks" if event.face_up else "face down"
    shoe = {"manual_shoe": "shoe and ", "automated": "device and "}
    where = shoe.get(told.day.setup.dealing.method, "")
    return f"No gaming activity: {where}discard rack emptied, the cards spread {face}"


def _plain(template: str) -> Callable[[Any, Told], str]:
    """A sentence with the event's own values in it, amounts as dollars."""

    def words(event: Any, told: Told) -> str:
        values = asdict(event)
        amounts = {k: format_cents(v) for k, v in values.items() if k.endswith("cents")}
        return sentence(template.format(**values | amounts))

    return words


TABLE_WORDS: Final[dict[type, Callable[[Any, Told], str]]] = {
    e.TimeTold: lambda event, told: f"It is {show_time(event.at)}",
    e.DayOpened: _plain("gaming day {date} opened, tray counted {tray_cents}"),
    e.DayClosed: _closed,
    e.ChipsFilled: _plain("fill of {cents} from the cage"),
    e.ChipsCredited: _plain("credit of {cents} to the cage"),
    e.BoughtIn: lambda event, told: (
        f"Seat {event.seat} {told.after.seated.get(event.seat, '')} buys in for "
        f"{format_cents(event.cents)}; cash into the drop box"
    ),
    e.BoxDropped: _dropped,
    e.ConfigurationProposed: _proposed,
    e.ConfigurationApproved: _plain("configuration {number} approved by {by}"),
    e.ConfigurationWithdrawn: _plain("configuration {number} withdrawn"),
    e.ConfigurationTookEffect: _plain(
        "configuration {number} in force: rulebook {rulebook} {rulebook_sha256:.12}, "
        "configuration {sha256:.12}"
    ),
    e.TableDesignated: lambda event, told: (
        f"Table designated for {event.game.replace('_', ' ').title()} and open"
    ),
    e.TableClosed: _plain("table closed"),
    e.DealerAssigned: lambda event, told: sentence(
        f"{event.name} deals" + (f", relieving {event.relieved}" if event.relieved else "")
    ),
    e.SeatTaken: _plain("{player} takes seat {seat}"),
    e.SeatLeft: _plain("{player} leaves seat {seat}"),
    e.DeckReceived: _received,
    e.DeckPrepared: _prepared,
    e.ShuffleStarted: lambda event, told: (
        f"{sentence(event.deck)} deck being shuffled {_SHUFFLED.get(event.method, event.method)}"
    ),
    e.ShuffleJammed: _plain("SHUFFLER JAMMED on the {deck} deck: the shuffle begins again"),
    e.ShuffleFinished: lambda event, told: shuffled(event),
    e.DeckSealed: _sealed,
    e.CommitmentAbandoned: _plain("commitment no. {number} abandoned, on record: {reason}"),
    e.DeckCut: _cut,
    e.WordSealed: _plain("seat {seat} seals a word for the cut with the bet: {seal:.16}"),
    e.WordTold: _plain("seat {seat} tells its word for the cut: {word:.16}"),
    e.RecutOrdered: _plain("the {deck} deck is to be cut again: {reason}"),
    e.ShuffleOrdered: _plain("the {deck} deck is to be shuffled again: {reason}"),
    e.DeckLoaded: _loaded,
    e.DeckTakenAway: _plain("{deck} deck taken away: {reason}"),
    e.WentIdle: _idle,
    e.RoundStarted: _started,
    e.CardReported: _reported,
    e.CardAmended: _plain("a misreported card put right: {reason}"),
    e.StubCounted: _counted,
    e.DecisionExpired: _plain("seat {seat} did not decide in {seconds} seconds and folds"),
    e.DeviceFailed: _plain("DEVICE OUT OF USE: {reason}"),
    e.DeviceMarked: lambda event, told: _MARKED[event.how],
    e.MethodChanged: lambda event, told: (
        f"Play goes on with {with_article(event.shuffle)} shuffle, "
        f"dealt {DEALT.get(event.dealing, event.dealing)}"
    ),
    e.DeviceRestored: _plain("the device is in use again"),
    e.PlayInterrupted: _plain("PLAY INTERRUPTED: {reason}. {statement}"),
    e.PlayConfirmed: lambda event, told: (
        f"{event.by} signs “{told.before.interrupted}”: {_DECISIONS[event.decision]}"
    ),
}

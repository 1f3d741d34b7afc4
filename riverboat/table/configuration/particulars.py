"""A configuration in particulars: what is played, in words, each with its clauses.

The page and the JSON document are both made from these.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec import Struct, to_builtins

from riverboat.core.errors import Refused
from riverboat.core.money import divide_exact, format_cents
from riverboat.round.setup.choices import say_setting
from riverboat.round.setup.setup import ProgressiveSetup, Setup
from riverboat.rulebook.values import Percent, say, with_article
from riverboat.rulebook.vocabulary import BOX, OPTIONS, PROGRESSIVE, THREE
from riverboat.table.configuration.configure import Configuration
from riverboat.table.configuration.equipment import rule_for
from riverboat.table.configuration.felt import APPROVAL
from riverboat.table.configuration.submission import Device, spoken


class Particular(NamedTuple):
    """One thing about a table: under which heading, what, how it is, and why it may be so."""

    group: str
    what: str
    value: str
    cited: tuple[str, ...]

    @property
    def cites(self) -> tuple[str, ...]:
        """The clauses, each once."""
        return tuple(dict.fromkeys(self.cited))


NOTHING = "none"
_NO_DEVICE = Device(shuffler=False, counts=False, reshuffles=False, packets=0)
_SHUFFLED = {
    "manual": "a manual shuffle",
    "automated": "an automated shuffle",
    "preshuffled": "pre-shuffled cards",
}


def particulars(configuration: Configuration) -> Iterator[Particular]:
    """Everything about a table, in the order of a rules submission."""
    yield from _table(configuration)
    yield from _wagers(configuration)
    if configuration.setup.progressive is not None:
        yield from _progressive(configuration, configuration.setup.progressive)
    yield from _cards(configuration)
    yield from _furnishing(configuration)
    yield from _options(configuration)


def _table(configuration: Configuration) -> Iterator[Particular]:
    group, book, filed = "Table", configuration.book, configuration.submission
    yield Particular(group, "name", configuration.name or NOTHING, ())
    yield Particular(group, "rulebook", book.id, ())
    yield Particular(group, "seats", str(configuration.setup.seats), book.options["seats"].cites)
    yield Particular(group, "cards", filed.cards, ())
    yield Particular(group, "demo", say(filed.demo), ())
    yield Particular(group, "test", say(filed.test), ())


def _wagers(configuration: Configuration) -> Iterator[Particular]:
    group, setup = "Wagers", configuration.setup
    book = setup.book
    yield Particular(group, "ante", str(setup.limits.ante), setup.limits.ante.cites)
    if setup.base is not None:
        yield Particular(group, "base pay table", setup.base.id, setup.base.cites)
    limit = setup.aggregate_limit_cents
    shown = NOTHING if limit is None else format_cents(limit)
    yield Particular(group, "payout limit", shown, book.aggregate_limit.cites)
    for offer in book.side_bets:
        what, table = say(offer.bet), setup.bonuses.get(offer.bet)
        if table is not None:
            limits = setup.limits.bonuses[offer.bet]
            yield Particular(group, what, table.id, (*offer.cites, *table.cites))
            yield Particular(group, f"{what} wager", str(limits), limits.cites)
        elif not setup.offers(offer.bet):
            yield Particular(group, what, "not offered", offer.cites)


def _progressive(configuration: Configuration, held: ProgressiveSetup) -> Iterator[Particular]:
    group, book = "Progressive", configuration.book
    assert book.progressive is not None
    options, meter = book.options, book.progressive.meter
    yield Particular(group, "progressive", held.table.id, held.cites)
    wager = format_cents(held.wager_cents)
    yield Particular(group, "progressive wager", wager, options["progressive_wager"].cites)
    yield Particular(group, "rate", str(Percent(held.rate_bp)), options["rate"].cites)
    yield Particular(group, "reserve rate", str(Percent(held.reserve_bp)), meter.cites)
    initial = format_cents(configuration.initial_meter.cents)
    yield Particular(group, "initial meter", initial, meter.cites)
    yield Particular(group, "reset amount", format_cents(held.seed_cents), options["seed"].cites)
    for line in held.envy.lines:
        if line.pays.kind == "dollars":
            exact = divide_exact(line.pays.amount * held.wager_cents, held.envy_per_cents)
            what = f"envy for {say(line.hands)}"
            cites = (*line.cites, *book.progressive.scaling.cites)
            yield Particular(group, what, format_cents(exact), cites)
    yield Particular(group, "meter link", held.link, options["meter_link"].cites)


def _cards(configuration: Configuration) -> Iterator[Particular]:
    group, setup, filed = "Cards and dealing", configuration.setup, configuration.submission
    book, device = setup.book, configuration.device
    pair = book.two_decks.cites if book.two_decks and configuration.decks > 1 else ()
    kinds = ", ".join(f"{kind.design} with {kind.back} backs" for kind in configuration.deck_kinds)
    yield Particular(group, "decks", f"{configuration.decks}: {kinds}", (*book.cards.cites, *pair))
    cover = f"{filed.decks.cards} cards, cover cards: {filed.decks.cover_cards}"
    yield Particular(group, "each deck", cover, book.cards.cites)
    yield Particular(group, "shuffle", configuration.shuffle, book.shuffle.cites)
    yield Particular(group, "dealing", say(setup.dealing.method), setup.dealing.cites)
    hours = configuration.deck_hours
    age = book.deck_age.cites if book.deck_age else ()
    yield Particular(group, "deck replaced after", f"{hours} hours" if hours else NOTHING, age)
    option = book.options["cut_after_automated_shuffle"].cites
    for method, shuffled in _SHUFFLED.items():
        cut = say(configuration.cut_required(method))
        by_rule = book.cut.cites if book.cut and method in book.cut.after else option
        yield Particular(group, f"cut after {shuffled}", cut, by_rule)
    shuffler = rule_for(book, "automated_shuffler")
    shown = NOTHING if device == _NO_DEVICE else _facts(device)
    yield Particular(group, "device", shown, shuffler.cites if shuffler else ())
    shoe = rule_for(book, "manual_shoe")
    if filed.shoe is not None:
        yield Particular(group, "shoe", _facts(filed.shoe), shoe.cites if shoe else ())
    ways = configuration.fallbacks
    pairs = [f"{say(dealing)} after {with_article(how)} shuffle" for dealing, how in ways]
    out = book.irregularities.device_out_of_use.cites
    yield Particular(group, "while a device is down", " or ".join(pairs) or "no play", out)


def _furnishing(configuration: Configuration) -> Iterator[Particular]:
    book, filed = configuration.book, configuration.submission
    drawn: dict[str, list[str]] = {}
    for one in filed.layout or ():
        said = [one.label, spoken(one.place) if one.place else ""]
        drawn.setdefault(one.feature, []).append(", ".join(filter(None, said)) or "there")
    for feature, labels in drawn.items():
        cites = [cite for rule in book.layout if rule.feature == feature for cite in rule.cites]
        yield Particular("Layout", say(feature), "; ".join(labels), tuple(dict.fromkeys(cites)))
    for item in filed.equipment or ():
        rule = rule_for(book, item.item)
        cited = rule.cites if rule else ()
        yield Particular("Equipment", say(item.item), _facts(item, "item"), cited)
    posted: dict[str, list[str]] = {}
    for sign in filed.signs or ():
        posted.setdefault(sign.shows, []).append(f"on the {say(sign.where)}")
    for shows, places in posted.items():
        cites = [cite for rule in book.signs if rule.shows == shows for cite in rule.cites]
        yield Particular("Signs", f"posted {say(shows)}", ", ".join(places), tuple(cites))
    regulators = (rule for rule in book.layout if rule.feature == APPROVAL)
    approvals = tuple(cite for rule in regulators for cite in rule.cites)
    yield Particular("Approvals", "layout approved", say(filed.approvals.layout), approvals)
    by_hand = book.options["device_down"].cites if "device_down" in book.options else ()
    shown = say(filed.approvals.manual_dealing)
    yield Particular("Approvals", "manual dealing approved", shown, by_hand)


def _facts(part: Struct, *without: str) -> str:
    """What is so about a part: its place, names of what is yes, and values with their names."""
    said = []
    for name in part.__struct_fields__:
        value = getattr(part, name)
        if name in without or value in (None, False, "", 0):
            continue
        if name == "place":
            said.append(spoken(value))
        else:
            said.append(say(name) if value is True else f"{say(name)} {say(value)}")
    return ", ".join(said) or "there"


def _options(configuration: Configuration) -> Iterator[Particular]:
    """The other options; those that are told above under a better name are left out."""
    told = {"seats", "minimum", "maximum", "rate", "seed", "progressive_wager", "meter_link"}
    told |= {"reserve_rate", "deck_hours_hand", "deck_hours_shoe", "cut_after_automated_shuffle"}
    setup = configuration.setup
    idle = set(_idle(setup))
    for name, option in setup.book.options.items():
        if name not in told and name not in idle:
            value = say_setting(option, setup.settings[name])
            shown = say(setup.settings[name]) if isinstance(setup.settings[name], bool) else value
            yield Particular("Options", name, shown, option.cites)


def _idle(setup: Setup) -> Iterator[str]:
    """Options of side bets that this table does not take."""
    sizes = {o.decided_by.hand for o in setup.book.side_bets if setup.offers(o.bet)}
    parts = {THREE: "three" in sizes, BOX: setup.has_box, PROGRESSIVE: setup.progressive}
    for name in setup.book.options:
        known = OPTIONS.get(name)
        if known is not None and not parts.get(known.needed, True):
            yield name
    for offer in setup.book.side_bets:
        if not setup.offers(offer.bet):
            yield from (offer.minimum_option, offer.maximum_option, *offer.after_if.values())


# ------------------------------------------------------------------ as one document


def configuration_document(configuration: Configuration) -> dict[str, Any]:
    """A valid configuration for scripts."""
    return {
        "valid": True,
        "rulebook": configuration.book.id,
        "rulebook_sha256": configuration.rulebook_sha256,
        "sha256": configuration.sha256,
        "notices": [to_builtins(notice) for notice in configuration.notices],
        "particulars": [
            {"group": one.group, "what": one.what, "value": one.value, "cites": one.cites}
            for one in particulars(configuration)
        ],
        "submission": to_builtins(configuration.submission),
    }


def refused_document(rulebook: str, problems: tuple[Refused, ...]) -> dict[str, Any]:
    """A refused submission for scripts."""
    return {
        "valid": False,
        "rulebook": rulebook,
        "problems": [
            {"code": one.code, "message": str(one), "cites": one.cites} for one in problems
        ],
    }

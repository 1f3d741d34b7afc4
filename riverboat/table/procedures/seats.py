"""How the table is set up, who deals and who sits where."""

from collections.abc import Iterator

from riverboat.core.errors import Refused
from riverboat.core.records import alike
from riverboat.round import actions as g
from riverboat.table import actions as a
from riverboat.table import events as e
from riverboat.table.configuration.configure import Configuration, configure
from riverboat.table.configuration.submission import require_known_areas
from riverboat.table.day import Day, Proposal, edition_among
from riverboat.table.people import Actor, require_another
from riverboat.table.procedures import checks
from riverboat.table.procedures.checks import SILENT, book_of, configured, of_conduct
from riverboat.table.procedures.decks import abandoned, shuffled_again


def propose(day: Day, by: Actor, action: a.Propose) -> Iterator[e.AnyEvent]:
    """A configuration that the rulebook allows; a bad one is refused with every problem."""
    book, sha256 = edition_among(day.books, action.submission.rulebook)
    require_known_areas(action.submission, (one for one, _ in day.books.values()))
    chosen = configure(book, action.submission, rulebook_sha256=sha256)
    if day.configuration is not None and chosen.test != day.configuration.test:
        text = "a test table stays a test table, and one for play one for play"
        raise Refused("table.test", text, cites=SILENT)
    number, sha256 = day.configurations + 1, chosen.sha256
    yield alike(e.ConfigurationProposed, action, number=number, by=by.name, sha256=sha256)


def _proposal(day: Day, number: int) -> Proposal:
    proposal = day.proposals.get(number)
    if proposal is None:
        raise Refused("proposal.unknown", f"there is no proposal {number}", cites=SILENT)
    return proposal


def approve(day: Day, by: Actor, action: a.Approve) -> Iterator[e.AnyEvent]:
    """Somebody else agrees; between rounds it takes effect at once, otherwise when one ends."""
    proposal = _proposal(day, action.number)
    if proposal.approved_by:
        text = f"proposal {action.number} is approved by {proposal.approved_by}"
        raise Refused("proposal.approved", text, cites=SILENT)
    require_another(by, proposal.by, "proposed it", SILENT)
    if refusal := approval_refusal(day, proposal):
        raise refusal
    yield e.ConfigurationApproved(number=action.number, by=by.name)
    if not day.in_round:
        yield took_effect(proposal)
        yield from _cards_anew(day, (proposal,))


def approval_refusal(day: Day, proposal: Proposal) -> Refused | None:
    """Why a proposal cannot take effect at this table as it stands now, if it cannot."""
    now, chosen = day.configuration, proposal.configuration
    if now is None:
        return None
    if chosen.test != now.test:
        text = "a test table stays a test table, and one for play one for play"
        return Refused("table.test", text, cites=SILENT)
    if chosen.book.id != now.book.id and day.phase != "closed":
        text = f"the table is open for {now.book.title}; another rulebook needs it closed"
        return Refused("table.open", text, cites=checks.designation(day))
    taken = [seat for seat in day.seated if seat > chosen.setup.seats]
    if taken:
        text = f"{chosen.setup.seats} seats, and {day.seated[taken[0]]} sits at seat {taken[0]}"
        return Refused("seat.taken", text, cites=chosen.book.options["seats"].cites)
    return None


def _ways(one: Configuration) -> tuple[object, ...]:
    return one.physical, one.shuffle, one.setup.dealing, one.decks


def _cards_anew(day: Day, proposals: tuple[Proposal, ...]) -> Iterator[e.AnyEvent]:
    """Cards that were shuffled for another way to shuffle and deal are shuffled once more."""
    now = day.configuration
    if now is None or all(_ways(one.configuration) == _ways(now) for one in proposals):
        return
    why = "the table is set up otherwise"
    yield from shuffled_again(day, why, why)


def took_effect(proposal: Proposal) -> e.ConfigurationTookEffect:
    """The entry from which on a configuration is played."""
    chosen, number = proposal.configuration, proposal.number
    return alike(e.ConfigurationTookEffect, chosen, number=number, rulebook=chosen.book.id)


def approved_meanwhile(day: Day) -> Iterator[e.AnyEvent]:
    """What was approved during the round takes effect with its end, in order."""
    agreed = tuple(one for _, one in sorted(day.proposals.items()) if one.approved_by)
    yield from map(took_effect, agreed)
    yield from _cards_anew(day, agreed)


def withdraw(day: Day, by: Actor, action: a.Withdraw) -> Iterator[e.AnyEvent]:
    """A proposal is dropped before it takes effect."""
    _proposal(day, action.number)
    yield e.ConfigurationWithdrawn(number=action.number)


def designate(day: Day, by: Actor, action: a.Designate) -> Iterator[e.AnyEvent]:
    """The table is opened for the game that it is set up for."""
    checks.require_day(day)
    book = book_of(day)
    if day.phase != "closed":
        raise Refused("table.open", "the table is open already", cites=checks.designation(day))
    yield e.TableDesignated(game=book.game)


def close_table(day: Day, by: Actor, action: a.CloseTable) -> Iterator[e.AnyEvent]:
    """The table closes between rounds; commitments that were not played stay on record."""
    checks.require_open(day)
    checks.require_no_round(day, "closing the table")
    for deck in day.decks.values():
        yield from abandoned(deck, "the table closed")
    yield e.TableClosed()


def assign_dealer(day: Day, by: Actor, action: a.AssignDealer) -> Iterator[e.AnyEvent]:
    """One dealer relieves another, from this entry on."""
    checks.require_open(day)
    checks.require_words(action.name, "a dealer's name")
    if action.name == day.dealer:
        raise Refused("dealer.same", f"{action.name} deals already", cites=SILENT)
    yield e.DealerAssigned(name=action.name, relieved=day.dealer)


def sit_down(day: Day, by: Actor, action: a.SitDown) -> Iterator[e.AnyEvent]:
    """One player a seat, and as many seats a player as the rulebook allows."""
    checks.require_open(day)
    setup = configured(day).setup
    if not 1 <= action.seat <= setup.seats:
        cites = setup.book.options["seats"].cites
        text = f"seat {action.seat}; the table has seats 1 to {setup.seats}"
        raise Refused("seat.unknown", text, cites=cites)
    if action.seat in day.seated:
        text = f"seat {action.seat}, where {day.seated[action.seat]} sits"
        raise Refused("seat.taken", text, cites=of_conduct(setup.book, "one_player_per_position"))
    held = len(day.seats_of(by))
    most = setup.settings.get("max_positions_per_player")
    if isinstance(most, int) and held >= most:
        text = f"{by.name} has {held} seat already; {most} is allowed"
        cites = of_conduct(setup.book, "one_position_per_player")
        raise Refused("seat.one_position", text, cites=cites)
    yield e.SeatTaken(seat=action.seat, player=by.name, automatic=by.automatic)


def stand_up(day: Day, by: Actor, action: a.StandUp) -> Iterator[e.AnyEvent]:
    """A seat is given up between rounds; in a round its player stays to the end."""
    checks.require_open(day)
    if action.seat not in day.seats_of(by) and by.role == "player":
        text = f"{by.name} does not sit at seat {action.seat}"
        raise Refused("seat.not_yours", text, cites=SILENT)
    if action.seat not in day.seated:
        raise Refused("seat.empty", f"nobody sits at seat {action.seat}", cites=SILENT)
    if day.in_round and action.seat in day.playing.seats:
        text = "there is a wager at this seat; you can leave when this hand is over"
        raise Refused("seat.stay", text, cites=of_conduct(book_of(day), "stay_seated"))
    yield e.SeatLeft(seat=action.seat, player=day.seated[action.seat])


def own_seats(day: Day, by: Actor) -> tuple[int, ...] | None:
    """The seats that somebody may play: a player's own; None for all of them."""
    return day.seats_of(by) if by.role == "player" else None


def require_own_seat(
    day: Day, by: Actor, action: g.Wager | g.TakeBack | g.Bet | g.Fold | a.TellWord
) -> None:
    """A player plays a seat of his own."""
    if action.seat not in day.seats_of(by):
        text = f"{by.name} does not sit at seat {action.seat}"
        raise Refused("seat.not_yours", text, cites=of_conduct(book_of(day), "seated_players_only"))


def require_named_player(day: Day, action: g.Wager) -> None:
    """A wager carries the name of nobody but the one who sits there."""
    sits, named = day.seated.get(action.seat), action.player
    if named and named != sits and (sits is not None or named in day.seated.values()):
        text = f"a wager of {named} at seat {action.seat}, where {sits or 'nobody'} sits"
        cites = of_conduct(book_of(day), "one_player_per_position")
        raise Refused("seat.not_yours", text, cites=cites)

"""What comes next in a round: for players, the dealer and the floor."""

from collections.abc import Iterator

from riverboat import events as r
from riverboat.games import actions as g
from riverboat.games.betting import betting_is_open
from riverboat.games.dealing import card_counts
from riverboat.games.deciding import seat_to_act, stage_of
from riverboat.games.paying import remaining
from riverboat.games.round import Round
from riverboat.games.stages import of_stage
from riverboat.games.table_talk import listed, sentence, stakes_together
from riverboat.money import format_cents
from riverboat.rulebook import IslandStud, Rulebook
from riverboat.rulebook.progressive import Collection
from riverboat.table import actions as a
from riverboat.table.asking import SILENT, book_of
from riverboat.table.day import Day
from riverboat.table.rounds import count_is_due, delivery_places, is_dealt, left_out_count
from riverboat.table.settlement_prompts import settle_task
from riverboat.table.shuffles import cuts_before_bets, depths, needs_cut
from riverboat.table.tasks import Task

_SUGGESTED_DEPTH = 26
_FOLDED = {
    "discard_rack": "into the discard rack",
    "spread_counted_then_discard_rack": (
        "spread face down to count them, then into the discard rack"
    ),
    "left_on_the_table": "left on the table for the side bet",
    "kept_at_the_side_bet": "kept at the side bet",
    "tucked_under_the_bet": "tucked under the bet",
}
_MANNERS = {
    "responsible_for_own_hand": "players answer for their own hands",
    "only_own_cards_touched": "only the dealer and the player they were dealt to touch the cards",
    "cards_in_view": "the cards stay in the dealer's view",
    "sharing_hand_information": "nobody shows or tells a hand",
    "stay_seated": "players stay until the round is complete",
}


def round_tasks(day: Day) -> Iterator[Task]:
    """The tasks of the round being played."""
    state = day.playing
    match state.phase:
        case "betting":
            yield from _betting(day)
        case "closed":
            yield _lock(state)
        case "locked":
            yield _collect(state)
        case "ready":
            yield from _deal(day)
        case "void" | "over":
            yield _clear(day)
        case _ if count_is_due(day):
            yield _count(day)
        case "deciding":
            yield from _decide(state)
        case "turning":
            yield _turn(state)
        case _:
            yield from _settle(day)


def _areas(book: Rulebook, spots: tuple[str, ...]) -> tuple[str, ...]:
    """Where the felt has the spots of a wager."""
    wanted = {f"{spot}_area" for spot in spots}
    return _once(cite for part in book.layout if part.feature in wanted for cite in part.cites)


def _once(cites: Iterator[str] | tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(cites))


def _betting(day: Day) -> Iterator[Task]:
    state, book = day.playing, book_of(day)
    closes = book.betting_closes
    for seat in _betting_seats(day):
        if seat not in state.seats:
            yield _ante(day, seat)
        else:
            yield from _side_bets(day, seat)
    if state.seats:
        say = closes.announce
        words = f"Announce “{say}” and close the bets" if say else "All bets are in: close the bets"
        yield Task(
            who="dealer",
            words=words,
            say=say,
            do=g.CloseBets(),
            cites=_once((*closes.cites, *_verify_cites(day))),
        )
    else:
        words = "Or nobody bets: call the round off"
        yield Task(who="dealer", words=words, do=a.CallOff(), optional=True)


def _betting_seats(day: Day) -> list[int]:
    """Where somebody sits; at a test table a lab bets at any seat."""
    test = day.configuration is not None and day.configuration.test
    return list(range(1, day.setup.seats + 1)) if test else sorted(day.seated)


def _verify_cites(day: Day) -> tuple[str, ...]:
    return tuple(
        cite
        for rule in book_of(day).conduct
        if rule.rule == "verify_progressive_accepted" and day.setup.progressive is not None
        for cite in rule.cites
    )


def _ante(day: Day, seat: int) -> Task:
    ante, limit = book_of(day).ante, day.setup.limits.ante
    least = max(limit.minimum_cents, day.setup.limits.unit_cents)
    return Task(
        who="player",
        seat=seat,
        words=f"Seat {seat}: put {limit} on the {ante.label} to be dealt in",
        do=g.Wager(seat=seat, spot="ante", cents=least, player=day.seated.get(seat, "")),
        cites=_once((*ante.cites, *limit.cites, *_areas(day.setup.book, ("ante",)))),
        optional=True,
    )


def _side_bets(day: Day, seat: int) -> Iterator[Task]:
    placed = day.playing.seats[seat].wagers
    for offer in book_of(day).side_bets:
        if offer.bet in placed or not day.setup.offers(offer.bet):
            continue
        if any(earlier not in placed for earlier in offer.after):
            continue
        yield Task(
            who="player",
            seat=seat,
            words=f"Seat {seat}: the {offer.label} is open",
            cites=_once((*offer.cites, *_areas(day.setup.book, (offer.bet,)))),
            optional=True,
        )


def _lock(state: Round) -> Task:
    rule = state.setup.book.progressive
    assert rule is not None
    words = f"Press {rule.lock.key}: the progressive wagers that are on are accepted"
    cites = _once((*rule.lock.cites, *rule.sensor.cites))
    return Task(who="dealer", words=sentence(words), do=g.LockProgressive(), cites=cites)


def _collect(state: Round) -> Task:
    rule = state.setup.book.progressive
    assert rule is not None
    lit = sum(seat.lit for seat in state.seats.values())
    words = f"Collect {lit} progressive chip{'s' * (lit != 1)} before any card is dealt"
    if not lit:
        words = "No light is on: see that no chip lies on a sensor before any card is dealt"
    return Task(
        who="dealer",
        words=f"{words}; a supervisor sees to the count" if state.blocked else words,
        how=tuple(_collecting(rule.collection, lit)) if lit else (),
        do=g.CollectProgressive(chips=lit),
        cites=rule.collection.cites,
    )


def _collecting(rule: Collection, lit: int) -> Iterator[str]:
    yield "take the chips from the sensors"
    if rule.count_in_front_of_tray:
        yield f"count them in front of the tray: {lit} {'was' if lit == 1 else 'were'} accepted"
    yield "put them into the tray"


def _deal(day: Day) -> Iterator[Task]:
    deck, book = day.deck_in_play, book_of(day)
    assert deck is not None
    rule = book.cut
    cut_cites = rule.cites if rule is not None and needs_cut(day, deck) else SILENT
    if deck.sealed is not None and not day.cut_fixed:
        low, high = depths(day, deck)
        words = f"Cut the committed deck: a depth from {low} to {high}, or any word"
        yield Task(who="player", words=words, cites=cut_cites, optional=True)
        words = "No player cuts: draw the word that fixes the cut"
        yield Task(who="system", words=words, cites=cut_cites)
        return
    if needs_cut(day, deck):
        yield _cut_task(day, deck.name, cut_cites)
        return
    if betting_is_open(day.playing):
        late = (seat for seat in _betting_seats(day) if seat not in day.playing.seats)
        yield from (_ante(day, seat) for seat in late)
    dealing = day.setup.dealing
    counts = card_counts(day.setup, sorted(day.playing.seats))
    say = listed([f"{count} to {_place(place)}" for place, count in counts.items()])
    do = None if deck.sealed is None else a.DealOut()
    words = f"Deal {say}"
    if deck.sealed is None and day.reported:
        places = delivery_places(day)
        words = f"Report the next card: it goes to {_place(places[len(day.reported)])}"
    cites = _once((*dealing.cites, *book.deal.cites))
    yield Task(who="dealer", words=words, how=dealing.mechanics, do=do, cites=cites)


def _place(place: str) -> str:
    return f"seat {place}" if place.isdecimal() else f"the {place}"


def _cut_task(day: Day, deck: str, cites: tuple[str, ...]) -> Task:
    low, high = depths(day, day.decks[deck])
    depth = min(max(low, _SUGGESTED_DEPTH), high)
    return Task(
        who="dealer",
        words=f"Cut the {deck} deck: the cover card {low} to {high} cards from the top",
        how=("what lies above the cover card goes to the bottom, the cover card with it",),
        do=a.Cut(deck=deck, depth=depth),
        cites=cites,
    )


def cut_before_bets(day: Day, deck: str) -> Task | None:
    """The dealer's cut, where it comes before the bets."""
    rule = book_of(day).cut
    if rule is None or not cuts_before_bets(day) or not needs_cut(day, day.decks[deck]):
        return None
    return _cut_task(day, deck, rule.cites)


def _count(day: Day) -> Task:
    rule, right = book_of(day).stub_count, card_counts(day.setup, sorted(day.playing.seats))
    assert rule is not None
    stub = rule.total - sum(right.values()) - left_out_count(day.playing)
    return Task(
        who="dealer",
        words=f"Count the stub: {stub} cards make the {rule.total}",
        how=(
            "face down on the layout",
            "right: into the discard rack unexposed",
            "wrong: count the cards of every seat and place, and say which are not right",
        ),
        do=a.CountStub(cards=stub),
        cites=_once((*rule.cites, *book_of(day).irregularities.wrong_stub_count.cites)),
    )


def _decide(state: Round) -> Iterator[Task]:
    number = seat_to_act(state)
    assert number is not None
    stage, seat = stage_of(state), state.seats[number]
    *lower, highest = [f"{multiple}x" for multiple in stage.multiples]
    multiples = f"{', '.join(lower)} or {highest}" if lower else highest
    ante, manners = format_cents(seat.wagers["ante"]), _manners(state)
    yield Task(
        who="player",
        seat=number,
        words=f"Seat {number}: {stage.label}: bet {multiples} the ante of {ante}, or fold",
        how=(*_folds_to_collect(state), *(words for words, _ in manners)),
        do=g.Bet(seat=number, cents=seat.wagers["ante"] * stage.multiples[0]),
        cites=_once(
            (
                *stage.bet_cites,
                *stage.fold_cites,
                *state.setup.book.acting.cites,
                *(_areas(state.setup.book, (stage.spot,))),
                *(cite for _, cites in manners for cite in cites),
            )
        ),
    )


def _manners(state: Round) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """What players are reminded of when they have their cards, once."""
    if state.stage:
        return ()
    return tuple(
        (_MANNERS[rule.rule], rule.cites)
        for rule in state.setup.book.conduct
        if rule.rule in _MANNERS
    )


def _folds_to_collect(state: Round) -> tuple[str, ...]:
    """What the dealer does with folds that came since the last card was turned."""
    rule, done = state.setup.book.fold, []
    for event in reversed(state.history):
        if isinstance(event, r.CommunityTurned | r.CardsDealt):
            break
        if isinstance(event, r.FoldCollected):
            lost = stakes_together(state.setup.book, event.spots)
            cards = rule.cards.with_side_bet if event.cards_kept else rule.cards.without_side_bet
            where = _FOLDED.get(cards, cards.replace("_", " "))
            done.append(f"seat {event.seat} folded: take {lost}; the cards {where}")
    return tuple(reversed(done))


def _turn(state: Round) -> Task:
    book = state.setup.book
    cites = _once((*stage_of(state).reveal_cites, *book.fold.collection.cites))
    if isinstance(book, IslandStud):
        words = "Turn and announce the dealer's hand"
    else:
        words = f"All have acted: turn community card {stage_of(state).reveals}"
    if not any(seat.status == "in" for seat in state.seats.values()):
        words = "Nobody is in: turn what still decides a wager"
        cites = _once((*cites, *book.everybody_folds.cites))
    how = _folds_to_collect(state)
    if how:
        cites = _once((*cites, *book.fold.cards.cites))
    cites = of_stage(state.setup.stages, stage_of(state), cites)
    return Task(who="dealer", words=words, how=how, do=g.Turn(), cites=cites)


def _settle(day: Day) -> Iterator[Task]:
    left = remaining(day.playing)
    yield settle_task(day.playing, left) if left else _clear(day)


def _clear(day: Day) -> Task:
    book = book_of(day)
    end = book.progressive.end_of_round if book.progressive and day.setup.progressive else None
    key = f"; press {end.key}" if end is not None else ""
    void = day.playing.phase == "void"
    how = ["every wager on the felt goes back to its player"] if void else []
    if book.settlement.cards.reconstructable:
        how.append("so that each hand can be reconstructed")
    what = "void" if void else "over"
    return Task(
        who="dealer",
        words=f"Put the remaining cards into the discard rack{key}: the round is {what}",
        how=tuple(how),
        do=g.Close(),
        cites=_once((*book.settlement.cards.cites, *(end.cites if end else SILENT))),
    )


__all__ = ["cut_before_bets", "is_dealt", "round_tasks"]

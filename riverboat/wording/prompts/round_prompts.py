"""What comes next in a round, and what the dealer does with each wager at settlement."""

from collections.abc import Iterator

from riverboat.controller import actions as p
from riverboat.controller.winners import rule_of
from riverboat.core.money import Cents, format_cents
from riverboat.round import actions as g
from riverboat.round import events as r
from riverboat.round import table_talk as talk
from riverboat.round.betting import betting_is_open
from riverboat.round.incidents import CONDUCT, cites_of, sequels
from riverboat.round.settlement.dues import Due
from riverboat.round.settlement.payment import PAID_FROM, cards_stay, remaining
from riverboat.round.state import Round
from riverboat.round.streets import seat_to_act, stage_of, turns_on
from riverboat.rulebook import Rulebook
from riverboat.rulebook.book import of_stage
from riverboat.rulebook.progressive import Collection
from riverboat.table import actions as a
from riverboat.table.day import Day
from riverboat.table.procedures.checks import SILENT, book_of, of_conduct
from riverboat.table.procedures.rounds import count_is_due, dealt_so_far
from riverboat.table.task import Task
from riverboat.wording.key_words import STEPS, key_words
from riverboat.wording.prompts import deal_prompts as deals


def settle_task(state: Round, left: list[Due]) -> Task:
    """The next of the wagers that are left to settle."""
    due, book = left[0], state.setup.book
    rule = book.progressive
    verified = rule is not None and due.spot == "progressive" and due.outcome == "win"
    of_award = rule.steps if rule is not None and verified else ()
    steps = tuple(step for step in of_award if step.awards == "all" or due.percent)
    of_base = due.spot in state.setup.base_spots
    base = book.settlement.base.cites if of_base else SILENT
    then, cards = _cards_then(state, left)
    # Where the box is turned after the base wagers, that comes before the first bet on it.
    covered = bool(state.box) and not state.box_turned and due.spot in book.box_bets
    box = ("turn the cards of the six card box",) if covered else ()
    award = tuple(cite for step in steps for cite in step.cites)
    several = _several(state, left)
    cites = (*due.cites, *book.settlement.seats.cites, *base, *award, *several, *cards)
    return Task(
        "dealer",
        seat=due.seat,
        words=talk.sentence(_due_words(state, due)),
        say=due.hand.replace("_", " ") if of_base and book.settlement.base.hand_announced else "",
        how=(*box, *(f"{s.by}: {STEPS[s.step].do}" for s in steps), then),
        do=g.Settle(seat=due.seat, spot=due.spot, given_cents=due.given_cents),
        button=_button(due),
        cites=tuple(dict.fromkeys(cites)),
    )


def _due_words(state: Round, due: Due) -> str:
    label = talk.label_of(state.setup.book, due.spot)
    match due.outcome:
        case "lose" if not due.stake_cents:
            return f"seat {due.seat}: {label} loses; its chip is in the tray already"
        case "lose":
            return f"seat {due.seat}: {label} loses; take {format_cents(due.stake_cents)}"
        case "push":
            return f"seat {due.seat}: {label} pushes; {format_cents(due.stake_cents)} goes back"
    stake = "" if _bet_stays(due) else "; the stake is not returned"
    if due.share is not None and state.link.status == "not_open":
        share = f"{talk.name_share(due.percent)}, as it stands when the award is fixed"
        return f"seat {due.seat}: {label} wins {share}{stake}"
    if due.source == "tray":
        return f"seat {due.seat}: {label} wins; {_pay(due)}{stake}"
    paid = f"{format_cents(due.paid_cents)}, paid {PAID_FROM[due.source]}"
    return f"seat {due.seat}: {label} wins {paid}{stake}"


def _bet_stays(due: Due) -> bool:
    return due.stake_returned and due.stake_cents > 0


def _pay(due: Due) -> str:
    return f"pay {format_cents(due.paid_cents)}{' (the bet stays)' if _bet_stays(due) else ''}"


def _button(due: Due) -> str:
    """What the dealer's hands do with a wager; where nothing is taken or given, the next one."""
    stake = format_cents(due.stake_cents)
    match due.outcome:
        case "win":
            return talk.sentence(_pay(due)) if due.source == "tray" else "Next"
        case "push":
            return f"Give {stake} back" if due.to != "stays" else "Next"
    return f"Take {stake}" if due.stake_cents else "Next"


def _several(state: Round, left: list[Due]) -> tuple[str, ...]:
    """What says how more than one award of the meter is paid."""
    rule = state.setup.book.progressive
    paid = any(isinstance(event, r.MeterAwarded) for event in state.history)
    if rule is None or not left[0].percent or not (paid or any(d.percent for d in left[1:])):
        return SILENT
    return rule.several_winners.cites


def _cards_then(state: Round, left: list[Due]) -> tuple[str, tuple[str, ...]]:
    """What becomes of a seat's cards when this wager of it is settled, and what says so."""
    due, cards, rule = left[0], state.setup.book.settlement.cards, state.setup.book.progressive
    stay, why = cards_stay(state.setup.book)
    if stay and due.source == "cage":
        return stay, why
    envied = any(other.for_seat == due.seat for other in left)
    if envied and rule is not None and rule.envy.trigger_hand == "face_up_until_all_paid":
        return "the hand stays face up until all payments are made", rule.envy.cites
    if cards.kept_for_side_bets and any(other.seat == due.seat for other in left[1:]):
        return "the cards stay until the seat's other wagers are settled", cards.cites
    return "the cards into the discard rack", cards.cites


_FOLDED = {
    "discard_rack": "go into the discard rack",
    "spread_counted_then_discard_rack": (
        "are spread face down and counted, then go into the discard rack"
    ),
    "left_on_the_table": "stay on the table for the side bet",
    "kept_at_the_side_bet": "stay face down at the side bet",
    "tucked_under_the_side_bet": "are tucked under the side bet",
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
            if betting_is_open(dealt_so_far(day)) and not deals.cut_waits(day):
                late = (seat for seat in _betting_seats(day) if seat not in state.seats)
                yield from (_ante(day, seat) for seat in late)
            yield from deals.deal_tasks(day)
        case "void" | "over":
            yield _clear(day)
        case _ if count_is_due(day):
            yield deals.count_task(day)
        case "deciding":
            yield from _decide(state)
        case "turning":
            yield _turn(state)
        case _:
            left = remaining(state)
            yield settle_task(state, left) if left else _clear(day)


def hands_at_once(day: Day) -> Iterator[Task]:
    """What the dealer's hands do before anybody is asked for anything: the round has it already."""
    yield from deals.after_the_deal(day)
    yield from _taken_at_once(day.playing)
    yield from _box_turned(day.playing)


def _taken_at_once(state: Round) -> Iterator[Task]:
    """What went into the tray by itself since somebody last acted, in that order: the folds that
    are collected now, each as it comes or all when the last seat has acted, and what was
    forfeited."""
    taken: list[r.FoldCollected | tuple[r.SeatForfeited, r.IncidentNoted]] = []
    lost: dict[int, list[tuple[str, Cents]]] = {}
    noted, left = None, set[int]()
    for event in state.history:
        match event:
            case r.IncidentNoted():
                noted = event
                left |= {event.seat} if event.consequence == "leaves" else set()
            case r.SideBetLost():
                lost.setdefault(event.seat, []).append((event.spot, event.cents))
            case r.FoldCollected():
                taken.append(event)
            case r.SeatForfeited() if noted is not None:
                taken.append((event, noted))
            case r.Folded() if event.seat in left:
                pass  # Nobody acted: the seat of a player who left folds in its turn.
            case r.WagerReturned() | r.CardCorrected():
                pass  # An incident's own sequel.
            case _:
                taken.clear()
    for one in taken:
        if isinstance(one, r.FoldCollected):
            yield _fold_collected(state, one, [bet for bet in lost.get(one.seat, ()) if bet[1]])
        else:
            yield _forfeited(state, *one)


def _fold_collected(state: Round, fold: r.FoldCollected, bets: list[tuple[str, Cents]]) -> Task:
    rule = state.setup.book.fold
    cards = rule.cards.with_side_bet if fold.cards_kept else rule.cards.without_side_bet
    stakes = talk.stakes_together(state.setup.book, (*fold.spots, *bets))
    cites = (*rule.collection.cites, *rule.cards.cites)
    words = f"Seat {fold.seat} folded: take its {stakes} into the tray; its cards {_FOLDED[cards]}"
    mine = of_stage(state.setup.stages, stage_of(state), cites)
    return Task("dealer", words, seat=fold.seat, cites=mine)


def _forfeited(state: Round, event: r.SeatForfeited, noted: r.IncidentNoted) -> Task:
    stakes = talk.stakes_together(state.setup.book, event.spots)
    take = f"take its {stakes} into the tray" if stakes else "nothing of its lies on the felt"
    why = CONDUCT[noted.what].replace("_", " ")
    words = f"Seat {event.seat} forfeits every wager for {why}: {take}"
    return Task("dealer", seat=event.seat, words=words, cites=cites_of(state, noted))


def _box_turned(state: Round) -> Iterator[Task]:
    """The box, turned for the whole table before the first seat is settled."""
    rule = state.setup.book.settlement.box
    if rule is not None and state.box_turned and state.phase == "settling" and not state.settled:
        words = f"Turn the {talk.number_of(len(state.box), 'card')} of the six card box"
        yield Task("dealer", words, cites=rule.cites)


def _areas(book: Rulebook, spots: tuple[str, ...]) -> tuple[str, ...]:
    """Where the felt has the spots of a wager."""
    wanted = {f"{spot}_area" for spot in spots}
    return tuple(cite for part in book.layout if part.feature in wanted for cite in part.cites)


def _betting(day: Day) -> Iterator[Task]:
    state, book = day.playing, book_of(day)
    closes, progressive = book.betting_closes, day.setup.progressive
    verify = of_conduct(book, "verify_progressive_accepted") if progressive else SILENT
    for seat in _betting_seats(day):
        if seat not in state.seats:
            yield _ante(day, seat)
        else:
            yield from _side_bets(day, seat)
    if state.seats:
        say, cites = closes.announce, (*closes.cites, *verify)
        words = f"Announce “{say}” and close the bets" if say else "All bets are in: close the bets"
        yield Task("dealer", words, cites, say=say, do=g.CloseBets())
    else:
        yield Task("dealer", "Or nobody bets: call the round off", do=a.CallOff(), optional=True)


def _betting_seats(day: Day) -> list[int]:
    """Where somebody sits; at a test table a lab bets at any seat."""
    test = day.configuration is not None and day.configuration.test
    return list(range(1, day.setup.seats + 1)) if test else sorted(day.seated)


def _ante(day: Day, seat: int) -> Task:
    ante, limit = book_of(day).ante, day.setup.limits.ante
    least = max(limit.minimum_cents, day.setup.limits.unit_cents)
    return Task(
        "player",
        seat=seat,
        words=f"Seat {seat}: put {limit} on the {ante.label} to be dealt in",
        do=g.Wager(seat=seat, spot="ante", cents=least, player=day.seated.get(seat, "")),
        cites=(*ante.cites, *limit.cites, *_areas(day.setup.book, ("ante",))),
        optional=True,
    )


def _side_bets(day: Day, seat: int) -> Iterator[Task]:
    placed = day.playing.seats[seat].wagers
    for offer in book_of(day).side_bets:
        waits = any(earlier not in placed for earlier in offer.after)
        if waits or offer.bet in placed or not day.setup.offers(offer.bet):
            continue
        words = f"Seat {seat}: the {offer.label} is open"
        cites = (*offer.cites, *_areas(day.setup.book, (offer.bet,)))
        yield Task("player", words, cites, seat=seat, optional=True)


def _lock(state: Round) -> Task:
    rule = rule_of(state)
    cites = (*rule.lock.cites, *rule.sensor.cites)
    return Task("dealer", key_words(p.CoinIn(), rule), do=g.LockProgressive(), cites=cites)


def _collect(state: Round) -> Task:
    rule = rule_of(state)
    lit = sum(seat.lit for seat in state.seats.values())
    words = key_words(p.CountChips(chips=lit), rule)
    return Task(
        "dealer",
        f"{words}; a supervisor sees to the count" if state.blocked else words,
        how=tuple(_collecting(rule.collection, lit)) if lit else (),
        do=g.CollectProgressive(chips=lit),
        cites=rule.collection.cites,
    )


def _collecting(rule: Collection, lit: int) -> Iterator[str]:
    chips, them = ("the chip", "it") if lit == 1 else ("the chips", "them")
    yield f"take {chips} from the sensor{'s' * (lit != 1)}"
    if rule.count_in_front_of_tray:
        yield f"count {them} in front of the tray: {lit} {'was' if lit == 1 else 'were'} accepted"
    yield f"put {them} into the tray"


def _decide(state: Round) -> Iterator[Task]:
    number = seat_to_act(state)
    assert number is not None
    stage, seat = stage_of(state), state.seats[number]
    *lower, highest = [f"{multiple}x" for multiple in stage.multiples]
    multiples = f"{', '.join(lower)} or {highest}" if lower else highest
    ante, manners = format_cents(seat.wagers["ante"]), _manners(state)
    street = "" if stage.label.lower() == stage.spot else f"{stage.label}: "
    yield Task(
        "player",
        seat=number,
        words=f"Seat {number}: {street}bet {multiples} the ante of {ante}, or fold",
        how=tuple(words for words, _ in manners),
        do=g.Bet(seat=number, cents=seat.wagers["ante"] * stage.multiples[0]),
        cites=(
            *stage.bet_cites,
            *stage.fold_cites,
            *state.setup.book.acting.cites,
            *(_areas(state.setup.book, (stage.spot,))),
            *(cite for _, cites in manners for cite in cites),
        ),
    )


def _manners(state: Round) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """What players are reminded of when they have their cards, once."""
    if state.stage:
        return ()
    rules = (rule for rule in state.setup.book.conduct if rule.rule in _MANNERS)
    return tuple((_MANNERS[rule.rule], rule.cites) for rule in rules)


def _turn(state: Round) -> Task:
    book = state.setup.book
    stage, up = stage_of(state), deals.up_card_cites(book)
    cites = tuple(cite for cite in stage.reveal_cites if cite not in up)
    if stage.turns == "dealer":
        words = "Turn and announce the dealer's hand"
    else:
        plural = "s" * (len(stage.reveals) > 1)
        cards = talk.listed(list(map(str, stage.reveals)))
        words = f"All have acted: turn community card{plural} {cards}"
    if not any(seat.status == "in" for seat in state.seats.values()):
        words = "Nobody is in: turn what still decides a wager"
        if not turns_on(state):
            words = "Nobody is in and no bet is left to decide: turn nothing more"
        cites = (*cites, *book.everybody_folds.cites)
    return Task("dealer", words, do=g.Turn(), cites=cites)


def _clear(day: Day) -> Task:
    book = book_of(day)
    end = book.progressive.end_of_round if book.progressive and day.setup.progressive else None
    key = f"; press {end.key}" if end is not None else ""
    void = day.playing.phase == "void"
    how = ["every wager on the felt goes back to its player"] if void else []
    after = sequels(day.playing) if void else ()
    how += [words for words, _ in after]
    if book.settlement.cards.reconstructable:
        how.append("so that each hand can be reconstructed")
    what = "void" if void else "over"
    return Task(
        "dealer",
        f"Put the remaining cards into the discard rack{key}: the round is {what}",
        how=tuple(how),
        do=g.Close(),
        cites=(
            *book.settlement.cards.cites,
            *(end.cites if end else SILENT),
            *(cite for _, cites in after for cite in cites),
        ),
    )

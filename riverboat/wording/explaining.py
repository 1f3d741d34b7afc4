"""Why every seat has what it has: a round's results in words, with arithmetic and clauses.

An explanation is worked out when somebody asks, from the events and the rulebook; it is never
stored. What the explanations of a finished round's seat come to is what the seat won or lost.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from riverboat.core.money import Cents, format_cents
from riverboat.core.well_formed import require_kind
from riverboat.round import events as e
from riverboat.round.incidents import CONDUCT, OUT_OF_BOUNDS, cites_of
from riverboat.round.settlement.dues import Due, as_given
from riverboat.round.settlement.payment import correction_words, source_words
from riverboat.round.settlement.voids import Undoing, given_back, undone_words
from riverboat.round.state import Round
from riverboat.round.table_talk import label_of, listed, sentence, stakes_together
from riverboat.wording.hand_names import what_decides
from riverboat.wording.incident_words import incident_name, reason_words, what_follows
from riverboat.wording.reckoning import Reckoning, Stood, paid_instead

Result: TypeAlias = Literal["win", "push", "lose", "returned", "corrected", "note"]
Stakes: TypeAlias = list[tuple[str, Cents]]


class Explanation(Struct, frozen=True):
    """One result of a seat: on which spots, in words, by which line of which table, and why.

    `net_cents` is what it changed in the player's own chips, the lost stake included;
    `paid_cents` what the house paid on top of the stakes, and `source` from where: the tray or the
    cage, empty where nothing was paid. A `note` changes nothing.
    """

    seat: int
    spots: tuple[str, ...]
    result: Result
    words: str
    net_cents: Cents = 0
    stake_cents: Cents = 0
    paid_cents: Cents = 0
    source: Literal["", "tray", "cage"] = ""
    pays: str = ""
    table: str = ""
    line: str = ""
    cites: tuple[str, ...] = ()

    @property
    def owed_cents(self) -> Cents:
        """All that the player gets, a returned stake included."""
        return self.stake_cents + self.net_cents


def explain(
    state: Round, *, by_spot: bool = False, stood: Mapping[int, Stood] | None = None
) -> tuple[Explanation, ...]:
    """Every result so far. Base wagers of a seat are one sentence, or one each with `by_spot`;
    `stood` is a meter that is not the table's own, before and after it gave a seat its share."""
    require_kind(state, Round, "state")
    return tuple(_Teller(state, by_spot=by_spot, stood=stood or {}).tell())


def _once(cites: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(cites))


class _Teller:
    """Goes through a round's events and remembers which stakes no result has taken yet."""

    def __init__(self, state: Round, *, by_spot: bool, stood: Mapping[int, Stood]) -> None:
        self.state, self.setup, self.book = state, state.setup, state.setup.book
        self.by_spot, self.stood = by_spot, stood
        self.staked: dict[int, dict[str, Cents]] = {}
        self.stage = 0
        self.folded_at: dict[int, int] = {}
        self.leaving: set[int] = set()
        self.incident: e.IncidentNoted | None = None
        self.told: set[tuple[int, str]] = set()
        self.limited: set[int] = set()
        self.settled = [event for event in state.history if isinstance(event, e.SpotSettled)]

    @cached_property
    def reckoning(self) -> Reckoning:
        """What the settlement comes to; asked for only when something was settled."""
        assert self.state.at_settlement is not None
        return Reckoning(self.state.at_settlement)

    def tell(self) -> Iterator[Explanation]:
        for place, event in enumerate(self.state.history):
            if isinstance(event, e.RoundVoided):
                yield from self._voided(event, self.state.history[place + 1 :])
                return
            if isinstance(event, e.IncidentNoted) and event.consequence in OUT_OF_BOUNDS:
                yield self._without_consequence(event)
            else:
                self._remember(event)
                yield from self._results(event)

    def _remember(self, event: e.AnyEvent) -> None:
        match event:
            case e.WagerPlaced() | e.StreetBet():
                self.staked.setdefault(event.seat, {})[event.spot] = event.cents
            case e.WagerTakenBack():
                self._take(event.seat, event.spot)
            case e.CommunityTurned():
                self.stage += 1
            case e.Folded():
                self.folded_at[event.seat] = self.stage
            case e.IncidentNoted():
                self.incident = event
                if event.consequence == "leaves":
                    self.leaving.add(event.seat)

    def _results(self, event: e.AnyEvent) -> Iterator[Explanation]:
        match event:
            case e.FoldCollected():
                yield from self._folded(event)
            case e.SideBetLost():
                yield self._lost_by_fold(event)
            case e.SeatForfeited():
                yield self._forfeited(event)
            case e.WagerReturned() | e.PayoutReversed():
                yield self._returned(event)
            case e.SpotSettled():
                yield from self._spots_settled(event)
            case e.MeterAwarded():
                yield self._awarded(event)
            case e.EnvyPaid():
                due = self.reckoning.plan[(event.seat, "envy", event.for_seat)]
                yield self._paid([due], self.reckoning.envy_words(due), 0, event.cents, due.cites)
            case e.DealerErred() if event.error == "wrong_spot":
                yield self._given_in_error(event)
            case e.PayoutCorrected():
                yield self._corrected(event)

    def _take(self, seat: int, spot: str) -> Cents:
        """The stake that still waited for a result; from now on it has one."""
        return self.staked.get(seat, {}).pop(spot, 0)

    def _stakes(self, stakes: Stakes) -> str:
        return stakes_together(self.book, stakes)

    # ------------------------------------------------------------ folds and conduct

    def _lost(self, seat: int, stakes: Stakes, words: str, cites: Iterable[str]) -> Explanation:
        spots, lost = tuple(spot for spot, _ in stakes), sum(cents for _, cents in stakes)
        return Explanation(seat, spots, "lose", words, -lost, stake_cents=lost, cites=_once(cites))

    def _folded(self, event: e.FoldCollected) -> Iterator[Explanation]:
        stages = self.setup.stages
        stage = stages[self.folded_at[event.seat]]
        where = f" on {stage.label.lower()}" if len(stages) > 1 else ""
        left = "Left the table, and so folded" if event.seat in self.leaving else "Folded"
        for spot, _ in event.spots:
            self._take(event.seat, spot)
        groups = [[one] for one in event.spots] if self.by_spot else [list(event.spots)]
        for stakes in filter(None, groups):
            verb = "are" if len(stakes) > 1 else "is"
            words = f"{left}{where}: {self._stakes(stakes)} {verb} lost"
            live, cites = ([], []) if self.by_spot else self._live_after_fold(event.seat)
            words = "; ".join([words, *live])
            yield self._lost(event.seat, stakes, words, [*stage.fold_cites, *cites])

    def _live_after_fold(self, seat: int) -> tuple[list[str], list[str]]:
        """What a fold leaves alive, why, and by which clauses."""
        said: list[str] = []
        cites: list[str] = []
        for offer in self.book.side_bets:
            stake = self.staked.get(seat, {}).get(offer.bet)
            if stake is None:
                continue
            if offer.bet not in self.setup.lost_by_fold:
                bet = self._stakes([(offer.bet, stake)])
                said.append(f"{bet} stays live, for {what_decides(offer)} it")
                cites += self.book.fold.side_bets[offer.bet].cites
            envy = self.book.fold.side_bets.get("envy")
            if offer.bet == "progressive" and envy and "envy" not in self.setup.lost_by_fold:
                said.append("envy stays live, for other seats' hands decide it")
                cites += envy.cites
        return said, cites

    def _lost_by_fold(self, event: e.SideBetLost) -> Explanation:
        stakes = [(event.spot, self._take(event.seat, event.spot))]
        words = f"The fold loses {self._stakes(stakes)} as well"
        return self._lost(event.seat, stakes, words, self.book.fold.side_bets[event.spot].cites)

    def _forfeited(self, event: e.SeatForfeited) -> Explanation:
        stakes = list(self.staked.pop(event.seat, {}).items())
        name = CONDUCT.get(self.incident.what, "") if self.incident else ""
        rule = next((rule for rule in self.book.conduct if rule.rule == name), None)
        verb = "are" if len(stakes) > 1 else "is"
        all_of_it = self._stakes(stakes) or "nothing more"
        words = f"Forfeited for {name.replace('_', ' ')}: {all_of_it} {verb} lost"
        return self._lost(event.seat, stakes, words, rule.cites if rule else ())

    # ------------------------------------------------------------ settlement

    def _spots_settled(self, event: e.SpotSettled) -> Iterator[Explanation]:
        """A spot, together with the other spots of its seat that the same hand decides."""
        if (event.seat, event.spot) in self.told:
            return
        base = self.setup.base_spots
        tips = tuple(f"tip_{spot}" for spot in base)
        family = next((f for f in (base, tips) if event.spot in f), (event.spot,))
        events = [event]
        if not self.by_spot:
            mine = [one for one in self.settled if one.seat == event.seat and one.spot in family]
            events = sorted(mine, key=lambda one: family.index(one.spot))
        self.told |= {(one.seat, one.spot) for one in events}
        yield self._settled(events)
        base_waits = any(spot in base for spot in self.staked.get(event.seat, {}))
        if not base_waits and event.seat not in self.limited:
            self.limited.add(event.seat)
            yield from self._limit(event.seat, tuple(one.spot for one in events))

    def _settled(self, events: list[e.SpotSettled]) -> Explanation:
        seat, spots = events[0].seat, tuple(one.spot for one in events)
        dues = [self.reckoning.plan[(seat, one.spot, 0)] for one in events]
        stakes = [(one.spot, self._take(seat, one.spot)) for one in events]
        stake = sum(cents for _, cents in stakes)
        back = sum(_to_player(one, cents) for one, (_, cents) in zip(events, stakes, strict=True))
        paid = sum(one.paid_cents for one in events)
        words = self.reckoning.words(dues, stakes)
        why = list(dues[0].cites)
        if dues[0].spot == "progressive" and self.book.progressive:
            why += self.book.progressive.winning.cites
        if paid != sum(due.exact_cents for due in dues):
            why += [*self.book.units.cites, *self.book.options["payout_unit"].cites]
        told = self._paid(dues, words, stake, paid, why)
        return replace(told, spots=spots, net_cents=back - stake)

    def _limit(self, seat: int, spots: tuple[str, ...]) -> Iterator[Explanation]:
        limit = [self.book.aggregate_limit, self.book.options.get("cap_scope")]
        cites = _once(cite for rule in limit if rule is not None for cite in rule.cites)
        for words in self.reckoning.limit_words(seat):
            yield Explanation(seat, spots, "note", words, cites=cites)

    def _paid(
        self, dues: list[Due], words: str, stake: Cents, paid: Cents, cites: Iterable[str]
    ) -> Explanation:
        """What one hand decided, as it was paid."""
        first, wins = dues[0], [due for due in dues if due.outcome == "win"]
        table, line = self.reckoning.table_and_line(first)
        source, paid_by = source_words(self.setup, first)
        return Explanation(
            first.seat,
            (first.spot,),
            "win" if wins else first.outcome,
            words + source + paid_instead(dues, paid),
            net_cents=paid - stake,
            stake_cents=stake,
            paid_cents=paid,
            source=first.source if paid else "",
            pays=(wins or dues)[0].pays.words,
            table=table,
            line=line,
            cites=_once([*cites, *paid_by]),
        )

    def _awarded(self, event: e.MeterAwarded) -> Explanation:
        planned = self.reckoning.plan[(event.seat, "progressive", 0)]
        stood = self.stood.get(event.seat)
        if planned.share is not None and self.state.link.status != "not_open":
            stood = (planned.share.before, planned.share.after)
        due = as_given(self.setup, planned, event.cents)
        stake = self._take(event.seat, "progressive")
        wager = self._stakes([("progressive", stake)])
        words = f"{self.reckoning.award_words(due, stood)}; {wager} is not returned"
        rules = self.book.progressive
        moves = (*rules.winning.cites, *rules.meter.cites) if rules else ()
        return self._paid([due], words, stake, event.paid_cents, [*due.cites, *moves])

    # ------------------------------------------------------------ errors, returns and voids

    def _given_in_error(self, event: e.DealerErred) -> Explanation:
        given, where = event.given_cents, label_of(self.book, event.spot)
        words = f"The dealer gave {format_cents(given)} on {where}, where nothing was owed"
        cites = self.book.settlement.spots.cites
        return Explanation(event.seat, (event.spot,), "corrected", words, given, cites=cites)

    def _corrected(self, event: e.PayoutCorrected) -> Explanation:
        done, paid_by = correction_words(self.book, event)
        where, why = label_of(self.book, event.spot), event.reason.replace("_", " ")
        return Explanation(
            event.seat,
            (event.spot,),
            "corrected",
            f"Corrected on {where}: {done} ({why})",
            net_cents=event.cents,
            source=event.source,
            cites=_once([*self.book.settlement.spots.cites, *paid_by]),
        )

    def _without_consequence(self, event: e.IncidentNoted) -> Explanation:
        """What was reported at another time, or on another device, than its clause names."""
        what = sentence(incident_name(event.what, event.place))
        words = f"{what}: recorded, and {what_follows(event.consequence)}"
        return Explanation(event.seat, (), "note", words, cites=cites_of(self.state, event))

    def _incident_cites(self) -> tuple[str, ...]:
        return cites_of(self.state, self.incident) if self.incident else ()

    def _returned(self, event: e.WagerReturned | e.PayoutReversed) -> Explanation:
        """A side bet that alone was void: it comes back, and what it was paid is taken back."""
        stake = self._take(event.seat, event.spot)
        why = reason_words(self.incident.what) if self.incident else "void"
        bet = self._stakes([(event.spot, event.cents)])
        said = undone_words(self.book, event) or f"{bet} comes back"
        return Explanation(
            event.seat,
            (event.spot,),
            "returned",
            f"Void, {why}: {said}",
            net_cents=given_back(event) - stake,
            stake_cents=stake,
            cites=self._incident_cites(),
        )

    def _voided(self, void: e.RoundVoided, rest: Iterable[e.AnyEvent]) -> Iterator[Explanation]:
        """What each seat got back, and what it had to give back, in one sentence."""
        by_seat: dict[int, list[Undoing]] = {}
        for event in rest:
            if isinstance(event, Undoing):
                by_seat.setdefault(event.seat, []).append(event)
        cites = [*self._incident_cites(), *self.book.void.cites]
        for seat, events in sorted(by_seat.items()):
            back: Stakes = [(o.spot, o.cents) for o in events if isinstance(o, e.WagerReturned)]
            verb = "come" if len(back) > 1 else "comes"
            said = [f"{self._stakes(back)} {verb} back"] if back else []
            said += [text for one in events if (text := undone_words(self.book, one))]
            stake = sum(self._take(seat, spot) for spot, _ in back)
            spots = _once(getattr(one, "spot", "progressive") for one in events)
            progressive = self.book.progressive if "progressive" in spots else None
            yield Explanation(
                seat,
                spots,
                "returned",
                f"Round void, {reason_words(void.reason)}: {listed(said)}",
                net_cents=sum(map(given_back, events)) - stake,
                stake_cents=stake,
                cites=_once([*cites, *(progressive.void.cites if progressive else ())]),
            )


def _to_player(event: e.SpotSettled, staked_cents: Cents) -> Cents:
    """What a settled spot gave to its player, with the stake if that still lay there."""
    if event.to != "player":
        return 0
    returned = event.outcome != "lose" and event.stake_returned
    return event.paid_cents + (min(event.stake_cents, staked_cents) if returned else 0)

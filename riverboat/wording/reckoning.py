"""What a settlement comes to, in words with the arithmetic: each due, each award, each limit."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TypeAlias

from riverboat.core.hand_kinds import FIVE_CARD
from riverboat.core.hands import rank_five
from riverboat.core.money import Cents, format_cents
from riverboat.meter.amounts import Meter
from riverboat.round import table_talk as talk
from riverboat.round.settlement import dues as settling
from riverboat.round.settlement.dues import Due
from riverboat.round.settlement.payment import key
from riverboat.round.state import Round
from riverboat.rulebook.paytables import Line
from riverboat.rulebook.play import NOT_QUALIFIED, ComparisonLine
from riverboat.wording.hand_names import name_against, name_line, name_paid_kind, where_it_lies

Stood: TypeAlias = tuple[Meter, Meter | None]
"""A meter before a share was given, and after it, once it has moved."""
_OUTCOMES = ("win", "push", "lose")


class Reckoning:
    """A round when all that decides its wagers was known."""

    def __init__(self, at: Round) -> None:
        self.at, self.setup, self.book = at, at.setup, at.setup.book
        self.plan = {key(due): due for due in settling.dues(at)}

    def table_and_line(self, due: Due) -> tuple[str, str]:
        """The pay table's id and the line's own words."""
        line = due.line
        if isinstance(line, ComparisonLine):
            assert self.book.comparison is not None
            return self.book.comparison.id, line.outcome.replace("_", " ")
        spot, progressive = due.spot.removeprefix("tip_"), self.setup.progressive
        if spot in self.setup.bonuses:
            table = self.setup.bonuses[spot]
        elif progressive is not None and spot in ("progressive", "envy"):
            table = progressive.envy if spot == "envy" else progressive.table
        else:
            assert self.setup.base is not None
            table = self.setup.base
        return table.id, name_line(line)

    def words(self, group: Sequence[Due], stakes: Sequence[tuple[str, Cents]]) -> str:
        """One sentence for dues of one seat that one hand decides."""
        on = dict(stakes)
        by_pays: dict[str, list[Due]] = {}
        for due in sorted(group, key=lambda due: _OUTCOMES.index(due.outcome)):
            by_pays.setdefault(due.pays, []).append(due)
        parts = [self._part(same, on) for same in by_pays.values()]
        subject, verb = self._subject(group[0])
        return talk.sentence(f"{subject}{verb}{'; '.join(parts)}")

    def _subject(self, due: Due) -> tuple[str, str]:
        """Who decided, and the verb: a hand pays by itself, or it beats the dealer's."""
        spot, line = due.spot.removeprefix("tip_"), due.line
        if not isinstance(line, Line):
            return self._compared(due, line), ": "
        name = name_paid_kind(due.kind, line) + where_it_lies(self.book, spot)
        if due.outcome == "win":
            return name, " "
        if due.outcome == "push":
            return name, " pushes: "
        rule = self.book.progressive
        if spot == "progressive" and rule is not None:
            return name, f" is less than {rule.winning.lowest.replace('_', ' ')}: "
        return name, " does not pay: "

    def _compared(self, due: Due, line: ComparisonLine) -> str:
        mine, dealers = rank_five(self.at.seats[due.seat].cards), rank_five(self.at.dealer)
        my_name, dealers_name = name_against(mine, dealers)
        if line.outcome == NOT_QUALIFIED:
            return f"the dealer's {dealers_name} does not qualify"
        verb = {"player_wins": "beats", "tie": "ties with"}.get(line.outcome, "loses to")
        return f"{my_name} {verb} the dealer's {dealers_name}"

    def _part(self, same: Sequence[Due], on: dict[str, Cents]) -> str:
        """What the dues of one line come to."""
        stakes = talk.stakes_together(self.book, [(due.spot, on[due.spot]) for due in same])
        several = len(same) > 1
        first = same[0]
        if first.outcome == "win":
            return self._won(same, stakes, sum(on[due.spot] for due in same))
        if first.outcome == "lose":
            return f"{stakes} {'are' if several else 'is'} lost"
        if first.to == "tip_box":
            return f"{stakes} {'go' if several else 'goes'} to the tip box"
        if first.to == "stays":
            return f"{stakes} {'stay' if several else 'stays'} for the next round"
        if wins_with := self._lowest_that_wins(first):
            does, it_wins = ("push", "they win") if several else ("pushes", "it wins")
            return f"{stakes} {does}: {it_wins} only with {wins_with} or better"
        return f"{stakes} {'come' if several else 'comes'} back"

    def _lowest_that_wins(self, due: Due) -> str:
        """What would have won a wager that comes back although the hand beats the dealer's."""
        line, comparison, spot = due.line, self.book.comparison, due.spot.removeprefix("tip_")
        beats = isinstance(line, ComparisonLine) and line.outcome == "player_wins"
        if comparison is None or not beats:
            return ""
        paid = [hand for one in comparison.lines if one.pays[spot].wins for hand in one.hands]
        return talk.name_hand(max(paid, key=FIVE_CARD.index)) if paid else ""

    def _won(self, same: Sequence[Due], stakes: str, stake_cents: Cents) -> str:
        pays = same[0].pays
        raw = sum(self.setup.winnings(due.stake_cents, due.pays) for due in same)
        if pays.kind == "for":
            raw = self.setup.winnings(stake_cents, pays)
        text = f"pays {pays.words} on {stakes}: {format_cents(raw)}"
        if pays.kind == "dollars":
            text = f"wins the fixed prize of {format_cents(raw)} on {stakes}"
            text += ", which comes back" if same[0].stake_returned else ""
        exact, paid = (sum(due.exact_cents for due in same), sum(due.paid_cents for due in same))
        text += f"; the limit leaves {format_cents(exact)}" if exact != raw else ""
        text += self.broken(exact, paid)
        if pays.kind == "for" or not same[0].stake_returned:
            text += "; the wager itself is not returned"
        if same[0].to == "tip_box":
            given = sum(due.given_cents for due in same)
            text += f"; {format_cents(given)} with the stake goes to the tip box"
        return text

    def broken(self, exact: Cents, paid: Cents) -> str:
        """What becomes of the part below the payable unit."""
        if exact == paid:
            return ""
        unit, rest = self.setup.cents("payout_unit") or 1, format_cents(abs(exact - paid))
        whose = "stays with" if exact > paid else "is added by"
        given = f"in units of {format_cents(unit)} that is {format_cents(paid)}"
        return f"; {given}, and {rest} {whose} the house"

    def award_words(self, due: Due, stood: Stood | None) -> str:
        """A share of the meter, and where it is known what that stood at and goes on with."""
        share = talk.name_share(due.percent)
        if due.share is not None and due.share.of > 1:
            share = f"an equal part, 1 of {due.share.of}, of {share}"
        meter, left = stood if stood is not None else (None, None)
        before = f" {format_cents(meter.cents)}" if meter is not None else ""
        goes = "starts again at" if due.percent == 100 else "goes on with"
        after = f"; the meter {goes} {format_cents(left.cents)}" if left is not None else ""
        return talk.sentence(
            f"{talk.name_kind(due.kind)} wins {share}{before}: {format_cents(due.exact_cents)}"
            f"{self.broken(due.exact_cents, due.paid_cents)}{after}"
        )

    def envy_words(self, due: Due) -> str:
        """A bonus for another seat's hand."""
        assert self.setup.progressive is not None
        wager = talk.stakes_together(
            self.book, [("progressive", self.setup.progressive.wager_cents)]
        )
        return (
            f"Seat {due.for_seat}'s {talk.name_kind(due.kind)} pays an envy bonus of "
            f"{format_cents(due.exact_cents)} on {wager}"
            f"{self.broken(due.exact_cents, due.paid_cents)}"
        )

    def limit_words(self, seat: int) -> Iterator[str]:
        """How the limit stands to a seat's winnings, if under some reading it cuts them."""
        limit, raw = self.setup.aggregate_limit_cents, self._counted
        if limit is None or seat not in raw:
            return
        option, scope = self.book.options.get("cap_scope"), self.setup.choice("cap_scope")
        scopes = getattr(option, "choices", ())
        left = {
            reading: settling.left_by_limit(self.setup, raw, reading).get(seat, raw[seat])
            for reading in (*scopes, scope)
        }
        if all(cents == raw[seat] for cents in left.values()):
            return
        text = f"Limit {format_cents(limit)}{self._second_limb()} "
        if settling.is_shared_limit(self.setup, scope):
            text += f"for all hands of the round together: {self._sharing(limit, raw, seat)}"
        else:
            text += f"for one hand: {format_cents(raw[seat])}"
        cut = left[scope] != raw[seat]
        text += f" becomes {format_cents(left[scope])}" if cut else " is not cut"
        readable = [f"{s.replace('_', ' ')} {format_cents(left[s])}" for s in scopes]
        yield text + (f"; under each reading of the limit: {', '.join(readable)}" * bool(readable))

    @cached_property
    def _counted(self) -> dict[int, Cents]:
        """What each seat would win, of what the limit counts, if there were no limit."""
        raw: dict[int, Cents] = {}
        for due in self.plan.values():
            if settling.falls_under_limit(self.setup, due):
                won = self.setup.winnings(due.stake_cents, due.pays)
                raw[due.seat] = raw.get(due.seat, 0) + won
        return raw

    def _second_limb(self) -> str:
        rule = self.book.aggregate_limit
        if not rule.or_minimum_wager_win or rule.limit is None:
            return ""
        most = format_cents(self.setup.most_at_minimum_cents)
        minimum = format_cents(self.setup.limits.ante.minimum_cents)
        return f" (the larger of {rule.limit} and {most}, the most that an ante of {minimum} wins)"

    def _sharing(self, limit: Cents, raw: dict[int, Cents], seat: int) -> str:
        mine, total = format_cents(raw[seat]), sum(raw.values())
        if len(raw) == 1:
            return mine
        others = [f"seat {n}'s {format_cents(cents)}" for n, cents in raw.items() if n != seat]
        text = f"{mine} with {talk.listed(others)} is {format_cents(total)}, and {mine}"
        if total > limit:
            text += f" × {format_cents(limit)} ÷ {format_cents(total)}"
        return text


def paid_instead(owed: Iterable[Due], paid_cents: Cents) -> str:
    """Where the dealer paid something else than was owed."""
    owed_cents = sum(due.paid_cents for due in owed)
    if owed_cents == paid_cents:
        return ""
    return f"; the dealer paid {format_cents(paid_cents)} instead of {format_cents(owed_cents)}"

"""Which cards lie open, and which are written in a view."""

import re

from riverboat.round import Round, Seat
from riverboat.round import events as e
from riverboat.round.views import Viewer


class Open:
    """Which cards lie open, told from the events alone."""

    def __init__(self) -> None:
        self.places: dict[str, tuple[int, ...]] = {}
        self.public: set[int] = set()
        self.settling = False

    def see(self, event: e.AnyEvent) -> None:
        places = self.places
        match event:
            case e.CardsDealt() | e.CardCorrected():
                self.put_down(event)
            case e.CommunityTurned():
                self.public.add(places["community"][event.number - 1])
            case e.UpCardsTurned():
                self.public |= set(places["dealer"][: event.count])
            case e.DealersHandTurned():
                self.public |= set(places["dealer"])
            case e.BoxTurned():
                self.public |= set(places["box"])
            case e.SettlementBegun():
                self.settling = True
            case e.SpotSettled(spot="three_card_bonus" | "tip_three_card_bonus"):
                pass
            case e.SpotSettled(seat=seat) | e.MeterAwarded(seat=seat) | e.EnvyPaid(for_seat=seat):
                self.public |= set(places[str(seat)])

    def put_down(self, event: e.CardsDealt | e.CardCorrected) -> None:
        """Cards lie at their places; one that replaces a misread one is as open as that one was."""
        if isinstance(event, e.CardsDealt):
            for place, cards in event.deliveries:
                self.places[place] = self.places.get(place, ()) + cards
            return
        held = list(self.places[event.place])
        if held[event.number - 1] in self.public:
            self.public = self.public - {held[event.number - 1]} | {event.card}
        held[event.number - 1] = event.card
        self.places[event.place] = tuple(held)

    def allowed(self, state: Round, viewer: Viewer) -> set[int]:
        """The most that a viewer may know: at settlement a hand at a time from the right."""
        known = set(self.public)
        if isinstance(viewer, int):
            known |= set(self.places.get(str(viewer), ()))
        if self.settling:
            waiting = [n for n, s in state.seats.items() if s.status == "in" and "ante" in s.wagers]
            for number, seat in state.seats.items():
                reached = number >= max(waiting, default=0)
                if reached and (seat.status != "folded" or kept_for_its_hand(seat)):
                    known |= set(seat.cards)
        return known


def cards_in(seen: object) -> set[str]:
    """Every card that is written anywhere in a view."""
    return set(re.findall("'([2-9TJQKA][cdhs])'", repr(seen)))


def kept_for_its_hand(seat: Seat) -> bool:
    """Whether a folded hand decides a side bet that its player made."""
    decided = ("six_card_bonus", "bonus", "progressive")
    return seat.cards_kept and any(spot in seat.results for spot in decided)

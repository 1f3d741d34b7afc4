"""The table around the round: felt, equipment, cards, shuffle, deal, irregularities, conduct."""

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct, field

from riverboat.rulebook.rules import Rule
from riverboat.rulebook.values import Count, Name, Natural, Person, Words

When: TypeAlias = Name
"""A side bet, or `always`."""
FEATURES: Final = (
    "designation", "operator_name", "seats_on_one_side", "dealer_opposite", "commission_approval",
    "community_area", "six_card_box", "dealer_area",
)  # fmt: skip
"""What a felt can show beside an area for each wager."""
Item: TypeAlias = Literal[
    "progressive_sensor", "progressive_controller", "keypad", "key_switch", "monitor", "drop_box",
    "tip_box", "discard_rack", "tray", "automated_shuffler", "reshuffling_device", "manual_shoe",
]  # fmt: skip
Shows: TypeAlias = Literal[
    "base_pay_table", "progressive_pay_table", "all_odds", "street_multiples", "placard",
    "rules_of_play",
]  # fmt: skip

Position: TypeAlias = Literal[
    "each_position", "in_front_of_tray", "on_table", "dealers_side", "dealers_left",
    "dealers_right", "players_side", "game_manager",
]  # fmt: skip


class LayoutFeature(Rule, frozen=True, kw_only=True):
    """Something the felt must show. `place` says in words where, `where` so that it is checked."""

    feature: Name
    label: str = ""
    place: str = ""
    where: tuple[Position, ...] = ()
    when: When = "always"


class Equipment(Rule, frozen=True, kw_only=True):
    """Something the table must, may or should have.

    `place` says in words where it stands; checked are the places in `where`, any one of which is
    right, that it is `attached` to the table, and which other item is `opposite`, across the
    dealer. A shuffler that `feeds_shoe` may put the cards straight into a dealing shoe; a device
    that `counts` must count the cards.
    """

    item: Item
    need: Literal["required", "recommended", "allowed", "allowed_if_approved"]
    place: str = ""
    where: tuple[Position, ...] = ()
    attached: bool = False
    mode: str = ""
    feeds_shoe: bool = False
    counts: bool = False
    when: When = "always"
    needs_approval: bool = False
    opposite: Literal[""] | Item = ""
    alternative: bool = False


class Sign(Rule, frozen=True, kw_only=True):
    """Something that must be posted, printed or kept on record."""

    shows: Shows
    where: Literal["layout", "layout_or_sign", "placard_or_video_sign", "placard", "booklet"]
    when: When = "always"


class Cards(Rule, frozen=True, kw_only=True):
    """The deck in play."""

    decks: Natural
    cards: Natural
    cover_card: bool = False


class TwoDecks(Rule, frozen=True, kw_only=True):
    """Two decks in turn, where a shuffler makes that possible."""

    needs: Literal["automated_shuffler"]
    same_design: bool
    different_backs: bool
    waiting_deck: Literal["shuffled_and_stored_in_shuffler"]
    alternate: Literal["every_round"]
    decks_in_discard_rack: Natural


class DeckAge(Rule, frozen=True, kw_only=True):
    """Decks are replaced after so many hours in use (options), never inside a round."""

    counted_from: Literal["first_use"]
    falls_due_in_a_round: Literal["waits_and_no_new_round_starts"]
    each_deck_of_a_pair: Literal["separately"]


Prepared: TypeAlias = Literal[
    "inspect", "verify", "spread_face_up", "first_player_looks", "turn_face_down", "wash", "stack",
    "shuffle",
]  # fmt: skip
"""What is done with a deck before play, in its order."""


class OpeningStep(Rule, frozen=True, kw_only=True):
    """One step between cards received and the first shuffle."""

    step: Prepared
    by: Person


class OpeningWaiver(Rule, frozen=True, kw_only=True):
    """Decks that skip the opening steps."""

    decks: Literal["preinspected_and_preshuffled"]


class EachDeck(Rule, frozen=True, kw_only=True):
    """Two decks are opened each on its own."""

    separately: bool


class Opening(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Opening a table for play."""

    steps: Annotated[tuple[OpeningStep, ...], Meta(min_length=1)]
    waiver: OpeningWaiver
    two_decks: EachDeck


class Shuffle(Rule, frozen=True, kw_only=True):
    """When and how the cards are shuffled."""

    when: tuple[Literal["before_play", "after_each_round", "on_order_of_floor"], ...]
    methods: tuple[Literal["manual", "automated", "continuous"], ...]
    waived_for: tuple[Literal["preshuffled"], ...] = ()
    fallback: tuple[Literal["manual"], ...] = ()


class Cut(Rule, frozen=True, kw_only=True):
    """When the cards are cut, and how deep. After an automated shuffle it is an option."""

    after: tuple[Literal["manual", "preshuffled"], ...]
    minimum_depth: Count
    moment: Literal["before_the_bets", "before_the_deal"]
    cut_packet_goes: Literal["to_the_bottom_with_cover_card"]
    recut_on_order_of_floor: bool = False


class StubCount(Rule, frozen=True, kw_only=True):
    """How often the stub is counted, and what must come out."""

    every_rounds: Natural
    unless: Literal["counting_shuffler"]
    how: Literal["face_down_on_layout"]
    total: Natural
    right: Literal["stub_to_discard_rack"]


class Idle(Rule, frozen=True, kw_only=True):
    """What happens to the cards at an open table without players."""

    cards: Literal["spread_face_down_or_face_up_on_request"]
    reopen: Literal["first_player_looks_then_opening_steps"]
    resume_at: Literal["turn_face_down"]


class Deal(Rule, frozen=True, kw_only=True):
    """Who gets how many cards, and from which side the deal starts."""

    to: Literal["seats_with_an_ante"]
    first: Literal["dealers_left", "dealers_right"]
    seat_cards: Natural
    community_cards: Count = 0
    box_cards: Count = 0
    dealer_cards: Count = 0
    burn_cards: Count
    face_down: bool


class Stub(Rule, frozen=True, kw_only=True):
    """Where the cards go that are left when the deal is done, and what they are taken out of."""

    goes: Literal["discard_rack_unexposed", "not_mentioned"]
    taken_out_of: Literal["", "shoe", "device"] = ""


class FromHand(Rule, frozen=True, kw_only=True):
    """A part of the deal that the device does not dispense, with these choices of the sequence:
    what is left is taken out of it first and dealt from the hand."""

    part: Literal["community"]
    choices: Annotated[tuple[Words, ...], Meta(min_length=1)]


class DealingMethod(Rule, frozen=True, kw_only=True):
    """One allowed way to deal. Where an option decides an order, it is named.

    It may need an `automated_device` that dispenses the cards, and that this is a
    `shuffling_device`. `loading` and `mechanics` say how it is done, before the bets and during the
    deal; in which order cards go where is the sequence's to say. `sections` are the beginnings of
    clause ids that speak of this way only, `sequence_sections` those that speak of some choices of
    its option.
    """

    method: Literal["rotation", "packets", "manual_shoe", "hand", "automated"]
    default: bool = False
    default_with: Name | None = None
    seat_cards: Literal["one_at_a_time", "together", "by_option"]
    sequence: tuple[Literal["box", "community", "seats", "dealer"], ...]
    sequence_option: Literal["", "community_cards_dealt", "shoe_sequence", "six_card_dealing"] = ""
    needs: tuple[
        Literal[
            "automated_shuffle",
            "automated_device",
            "shuffling_device",
            "approved_place",
            "regulators_approval",
        ],
        ...,
    ] = ()
    only_when: Literal["", "device_out_of_use"] = ""
    deck_age: Literal["", "hand", "shoe"] = ""
    loading: str = ""
    mechanics: tuple[Words, ...] = ()
    from_hand: FromHand | None = None
    sections: tuple[Words, ...] = ()
    sequence_sections: dict[str, tuple[Words, ...]] = field(default_factory=dict)
    stub: Stub


class Counts(Rule, frozen=True, kw_only=True):
    """From when until when something that goes wrong counts; reported at another time, or where no
    such device deals the cards, it is recorded and nothing follows from it."""

    begins: Literal["bets_open", "bets_closed", "shuffle", "first_card", "own_cards"]
    ends: Literal[
        "shuffled", "chips_collected", "last_card_dealt", "community_cards_turned", "box_turned",
        "dealers_hand_turned", "hand_settled", "round_over",
    ]  # fmt: skip
    device: Literal["", "automated_device"] = ""


class Irregularity(Rule, frozen=True, kw_only=True):
    """Something that goes wrong, when it counts, what it does to the round and to the cards.

    With `by_option` the option is the consequence; beside any other consequence it names who may
    decide otherwise. What stands in `then` follows a void, a removal or a discard, not `continue`.
    Only what can be reported of a round has `counts`; the rest has its own moment in the day.
    """

    consequence: Literal[
        "void_round", "continue", "leave_card_out", "use_as_next_card", "reshuffle", "remove_deck",
        "decide_whether_misdealt", "suspend_until_covered_or_signed", "not_accepted", "by_option",
        "none",
    ]  # fmt: skip
    counts: Counts | None = None
    option: str = ""
    then: tuple[Literal["reshuffle", "remove_deck", "suspend_table", "discard_rack"], ...] = ()


class Irregularities(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Every irregularity that a table can meet, by the name scenario files use."""

    wrong_card_count: Irregularity
    exposed_player_card: Irregularity
    exposed_community_card: Irregularity | None = None
    exposed_dealer_card: Irregularity | None = None
    wrong_box_count: Irregularity | None = None
    exposed_box_card: Irregularity | None = None
    face_up_card: Irregularity
    face_up_cards: Irregularity
    card_drawn_in_error: Irregularity
    shuffler_jam: Irregularity
    shuffler_count: Irregularity | None = None
    shoe_jam: Irregularity
    wrong_stub_count: Irregularity
    deck_count: Irregularity
    device_out_of_use: Irregularity
    late_progressive_chip: Irregularity | None = None
    progressive_chip_mismatch: Irregularity | None = None


class Void(Rule, frozen=True, kw_only=True):
    """What a void round gives back, and until when a round may be voided."""

    until: Literal["round_over"]
    returns: tuple[
        Literal["wagers_on_the_table", "folded_wagers", "progressive_stakes", "tips"], ...
    ]
    pays: Literal["nothing"]


class Conduct(Rule, frozen=True, kw_only=True):
    """What players must do or not do, when that counts, and what it costs.

    Only conduct that can be reported has `counts`; `earlier` is what it means before that.
    """

    rule: Literal[
        "seated_players_only", "stay_seated", "leaving_the_table", "one_position_per_player",
        "one_player_per_position", "responsible_for_own_hand", "only_own_cards_touched",
        "cards_in_view", "sharing_hand_information", "verify_progressive_accepted",
    ]  # fmt: skip
    consequence: Literal["refused", "forfeits_all_wagers", "by_option", "reminder"]
    option: str = ""
    counts: Counts | None = None
    earlier: Literal["", "wagers_taken_back"] = ""

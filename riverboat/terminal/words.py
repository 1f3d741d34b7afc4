"""The words of the table: spots, hands, amounts, refusals."""

from collections.abc import Sequence

from riverboat.core.errors import RiverboatError
from riverboat.core.money import Cents, format_cents
from riverboat.round.table_talk import STANDING
from riverboat.rulebook import Rulebook
from riverboat.rulebook.book import stages_of

PLAY_MONEY = "play money"


def standing(book: Rulebook) -> str:
    """A rulebook's status, said so that nobody takes a draft for law, and that no money is real."""
    return f"{STANDING[book.status]} · {PLAY_MONEY}"


def label(book: Rulebook, spot: str) -> str:
    """A spot as the rulebook calls it."""
    names = {stage.spot: stage.label for stage in stages_of(book)}
    names |= {offer.bet: offer.label for offer in book.side_bets}
    names["ante"] = book.ante.label
    return names.get(spot, spot.replace("_", " ").capitalize())


def short_label(book: Rulebook, spot: str) -> str:
    """A spot's name in at most six letters, for the felt."""
    offer = book.offer(spot)
    short = offer.short if offer is not None else ""
    return short or label(book, spot).split()[0][:6]


def clause_words(cites: Sequence[str], most: int = 3) -> str:
    """The clauses in brackets, the first few of them; empty where there are none."""
    if not cites:
        return ""
    more = ", …" if len(cites) > most else ""
    return f"[{', '.join(cites[:most])}{more}]"


def refusal_words(problem: RiverboatError) -> str:
    """Why something was not done, with its clauses."""
    cites: Sequence[str] = getattr(problem, "cites", ())
    return f"Not allowed: {problem}. {clause_words(cites, most=6)}".strip()


def listed(book: Rulebook, bets: dict[str, Cents]) -> str:
    """Bets in one line: "Ante $5, Three Card Bonus $1"."""
    return ", ".join(f"{label(book, spot)} {format_cents(cents)}" for spot, cents in bets.items())


def times(cents: Cents, ante_cents: Cents) -> str:
    """A bet as a multiple of the ante, or as an amount where it is no whole multiple."""
    whole, rest = divmod(cents, ante_cents)
    return format_cents(cents) if rest else f"{whole}x"

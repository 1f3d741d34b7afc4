"""Fields of a rulebook that state something and make the system do nothing.

Every other field is carried out: change it and something comes out otherwise, or the loader refuses
the change. A test goes through all of them, so that a new field is carried out, refused or listed
here with the reason. Paths are written as in a file, `[]` for the entries of a list and `{}` for
those of a table whose names are its own.
"""

from typing import get_args

from riverboat.rulebook.vocabulary import Kind

_FOR_READERS = "words for who reads the rulebook"
_OF_THE_DOCUMENT = "printed wherever the rulebook is shown, so that a reader knows the document"
_FINDS_SENTENCES = "finds the document's own sentences for `rulebook show --source`"
_CLAUSES = "printed with the clause; what is done is what the rules that cite it say"
_CHECKED_ELSEWHERE = "words for people; `where` says the same so that it is checked"
_RECOMPUTED = "a figure that the document prints: `riverboat published` works it out again"
_AS_PRINTED_LINE = (
    "what the document prints; what is paid stands in `pays`, and `suspect` must say whether the "
    "two differ; `odds` works it out beside the other, as printed"
)
_AS_PRINTED = "what the document prints; what is paid stands in `pays`"
_AS_PRINTED_KEY = "what the document calls the key; people are told its name, which stands in `key`"
_MEANING = "words for who chooses; the values say what is done"
_LOGGED = "says that the document asks for it; every press is recorded under every rulebook"
_BEFORE_THE_DEAL = (
    "says that the reading is ours; a jam of the shuffle comes before the deal, and shuffling "
    "again is all that can follow"
)
_STUB = (
    "says that the reading is ours; what a wrong stub leads to goes by `wrong_card_count` and "
    "`deck_count`, whose own option counts"
)
_DEVICE = "says that the reading is ours; what may be used instead goes by the ways to deal"

STATEMENTS: dict[str, str] = {
    "*.note": _FOR_READERS,
    "title": _OF_THE_DOCUMENT,
    "status": (
        "printed as a warning wherever the rulebook is shown or played; where a table is chosen "
        "for somebody, one in force comes before a draft; a house's clauses are the house's own"
    ),
    "source.title": _OF_THE_DOCUMENT,
    "source.issuer": _OF_THE_DOCUMENT,
    "source.citation": _OF_THE_DOCUMENT,
    "source.dated": _OF_THE_DOCUMENT,
    "source.standing": _OF_THE_DOCUMENT,
    "source.sha256": "tells a copy of the document from another text for `rulebook show --source`",
    "source.excludes": _OF_THE_DOCUMENT,
    "source.line_numbers": _FINDS_SENTENCES,
    "source.page_footers": _FINDS_SENTENCES,
    "source.based_on": _OF_THE_DOCUMENT,
    "source.based_on_sha256": _OF_THE_DOCUMENT,
    "source.based_on_status": _OF_THE_DOCUMENT,
    "layout[].place": _CHECKED_ELSEWHERE,
    "equipment[].place": _CHECKED_ELSEWHERE,
    "progressive.lock.printed": _AS_PRINTED_KEY,
    "progressive.end_of_round.printed": _AS_PRINTED_KEY,
    "progressive.end_of_round.logged": _LOGGED,
    "irregularities.shuffler_jam.option": _BEFORE_THE_DEAL,
    "irregularities.wrong_stub_count.option": _STUB,
    "irregularities.device_out_of_use.option": _DEVICE,
    "published": _RECOMPUTED,
    **{f"published[].{key}": _RECOMPUTED for key in ("figure", "bet", "paytable", "printed")},
    **{f"options{{{kind}}}.meaning": _MEANING for kind in get_args(Kind)},
    "paytables[].number": _AS_PRINTED,
    "paytables[].wager_printed": _AS_PRINTED,
    "paytables[].marks": _AS_PRINTED,
    "paytables[].equals": "names tables of other rulebooks that pay the same, for who compares",
    "paytables[].lines[].printed": _AS_PRINTED_LINE,
    "paytables[].lines[].envy": "printed on a placard; what is paid stands in the envy tables",
    "comparison.number": _AS_PRINTED,
    "informative": "clauses with nothing to carry out, each with the reason",
    "ambiguities": "our readings in words; what is done is what the rules that cite them say",
    "clauses": _CLAUSES,
    "clauses{}.number": _CLAUSES,
    "clauses{}.text": _CLAUSES,
    "clauses{}.by": _CLAUSES,
    "clauses{}.lines": _FINDS_SENTENCES,
    "clauses{}.sentence": _FINDS_SENTENCES,
}

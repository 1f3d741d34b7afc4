"""The printed figures worked out again: kept on disk, and told to scripts."""

from collections.abc import Sequence
from typing import Any

import msgspec

from riverboat.exact.caching import kept
from riverboat.exact.published import PublishedReport, published
from riverboat.rulebooks import Loaded


def published_question(loaded: Sequence[Loaded]) -> dict[str, Any]:
    """What is asked, as the results on disk are named by."""
    return {"what": "published", "rulebooks": [one.sha256 for one in loaded]}


def published_of(loaded: Sequence[Loaded], *, fresh: bool = False) -> PublishedReport:
    """Every printed figure of these rulebooks, from the disk unless it is wanted fresh."""

    def work_out() -> dict[str, Any]:
        report = published([one.book for one in loaded])
        found: dict[str, Any] = msgspec.to_builtins(report, enc_hook=str)
        return found

    answer = kept(published_question(loaded), work_out, fresh=fresh)
    return msgspec.convert(answer, PublishedReport, dec_hook=lambda kind, text: kind(text))


def published_document(report: PublishedReport) -> dict[str, Any]:
    """The answer as scripts read it."""
    return {
        "figures": [
            {
                "rulebook": one.rulebook,
                "bet": one.bet,
                "paytable": one.paytable,
                "figure": one.figure,
                "printed": one.printed,
                "exact": None if one.exact is None else str(one.exact),
                "shown": one.shown,
                "agrees": one.verdict.startswith("agrees"),
                "verdict": one.verdict,
                "assumption": one.assumption,
                "right": one.right,
                "others": [
                    {"assumption": other.assumption, "exact": str(other.exact)}
                    for other in one.others
                ],
                "cites": list(one.cites),
            }
            for one in report.figures
        ],
        "suspicions": [
            {
                "rulebook": one.rulebook,
                "bet": one.bet,
                "paytable": one.paytable,
                "hand": one.label,
                "printed": one.printed,
                "siblings_pay": one.siblings_pay,
                "house_edge": str(one.house_edge),
                "mended_edge": None if one.mended_edge is None else str(one.mended_edge),
                "words": one.words,
            }
            for one in report.suspicions
        ],
    }

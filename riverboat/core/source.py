"""Finding a clause's own words in the document it was taken from.

A rulebook carries paraphrases only. Whoever has the document can lay the original sentence beside
each of them: a clause names the lines it stands on and, where a paragraph holds several sentences,
which one of them it is.
"""

import re
from collections.abc import Sequence

_PAGE_LINE_NUMBER = re.compile(r"^(?:##\s*)?(?:-\s*)?\d+(?=\s|$)(?:\s*\|)?\s*")
_MARKS = re.compile(r"\*\*|\\(?=\$)|</?su[pb]>|\^\{(\w+)\}|\[bookmark: \w+\]")
_SENTENCE_END = re.compile(r"(?<=[.;:!?”\"])\s+(?=[A-Z(“\"~])")
_BULLET = re.compile(r"^-\s+")


def clean_line(line: str, *, line_numbers: bool) -> str:
    """A line without the marks of its conversion: page line numbers, bullets, emphasis."""
    text = line.strip()
    text = _PAGE_LINE_NUMBER.sub("", text) if line_numbers else _BULLET.sub("", text)
    return " ".join(_MARKS.sub(lambda mark: mark.group(1) or "", text).split())


def excerpt(
    document: str,
    *,
    first: int,
    last: int,
    sentence: int | None = None,
    line_numbers: bool = False,
    page_footers: Sequence[str] = (),
) -> str:
    """The words on lines `first` to `last` (from 1), or the one sentence of them that is meant.

    Strike marks (`~~`) stay: in a redline they are part of the evidence. Lines that begin with one
    of `page_footers` belong to the page, unless the clause stands on nothing else.
    """
    lines = document.split("\n")[first - 1 : last]
    body = [line for line in lines if not line.startswith(tuple(page_footers))]
    cleaned = [clean_line(line, line_numbers=line_numbers) for line in body]
    text = " ".join(part for part in cleaned if part)
    if not text and page_footers:
        return excerpt(document, first=first, last=last, line_numbers=line_numbers)
    if sentence is None:
        return text
    sentences = _SENTENCE_END.split(text)
    return sentences[sentence - 1] if sentence <= len(sentences) else text

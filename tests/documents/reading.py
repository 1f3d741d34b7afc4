"""What a reader finds in a PDF: its pages, its words, what it says of itself."""

import pypdfium2  # type: ignore[import-untyped]


def copied(pdf: bytes) -> list[str]:
    """The text of every page, as somebody would copy it."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [page.get_textpage().get_text_range() for page in document]
    finally:
        document.close()


def pages_of(pdf: bytes) -> list[str]:
    """The same without the invisible places where a long word may be broken."""
    return [text.replace("\u200b", "") for text in copied(pdf)]


def words_of(pdf: bytes) -> str:
    """All of it in one line."""
    return " ".join(" ".join(pages_of(pdf)).split())


def joined(pdf: bytes) -> str:
    """All of it without blanks, where lines were broken inside words."""
    return "".join(" ".join(pages_of(pdf)).split())


def sizes_of(pdf: bytes) -> set[tuple[int, int]]:
    """Width and height of the pages, in points."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        return {(round(page.get_width()), round(page.get_height())) for page in document}
    finally:
        document.close()


def metadata_of(pdf: bytes) -> dict[str, str]:
    """Title, author, keywords, dates."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        return dict(document.get_metadata_dict())
    finally:
        document.close()

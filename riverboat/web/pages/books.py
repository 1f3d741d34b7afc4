"""The Game Manager's page: meters, their history, awards, adjustments, reconciliation."""

from litestar import Controller, get
from litestar.response import Template

from riverboat.web.doors import READERS, opens_to


class BookPages(Controller):
    """What a Game Manager opens."""

    include_in_schema = False

    @get(["/manager", "/meters"], opt=opens_to(*READERS), sync_to_thread=False)
    def books(self) -> Template:
        """Every meter and whether it balances."""
        return Template("books.html")

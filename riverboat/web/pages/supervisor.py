"""The supervisor's desk: what waits, and one table at a time."""

from litestar import Controller, get
from litestar.response import Template

from riverboat.web.doors import READERS, opens_to


class SupervisorPages(Controller):
    """What a supervisor opens."""

    include_in_schema = False

    @get("/supervisor", opt=opens_to(*READERS), sync_to_thread=False)
    def desk(self) -> Template:
        """The work list first."""
        return Template("supervisor.html")

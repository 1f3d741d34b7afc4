"""Signing in, and choosing a password of one's own at the first time."""

from typing import Any

from litestar import Controller, Request, get
from litestar.response import Template

from riverboat.web.accounts import LEAST_PASSWORD
from riverboat.web.api.entrance import may_visit
from riverboat.web.doors import ANYBODY, opens_to
from riverboat.web.house import House
from riverboat.web.roles import Guest


class SignInPages(Controller):
    """The entrance for who has an account."""

    include_in_schema = False

    @get("/sign-in", opt=opens_to(ANYBODY), sync_to_thread=False)
    def sign_in(self, house: House, request: Request[Guest | None, Any, Any]) -> Template:
        """A name and a password; whoever was given one chooses another first."""
        guest = request.user
        return Template(
            "sign_in.html",
            context={
                "guest": guest,
                "visiting": guest is None and may_visit(house, request),
                "least": LEAST_PASSWORD,
            },
        )

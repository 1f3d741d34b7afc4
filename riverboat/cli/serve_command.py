"""The main job: a casino floor in the browser."""

from typing import Annotated, Literal

from cyclopts import Parameter

from riverboat.cli.app import WHOLE, app
from riverboat.core.errors import NotationError

HIGHEST_PORT = 65_535


@app.command(name="serve")
def serve_command(
    *,
    host: Annotated[str, Parameter(help="Where to listen; default: this machine only.")] = "",
    port: Annotated[int | None, WHOLE, Parameter(help="The port; default: 8610.")] = None,
    database: Annotated[
        str, Parameter(help="A ledger: a path, sqlite:///path, or postgresql://…")
    ] = "",
    secret: Annotated[
        str, Parameter(help="The floor's secret, a file; the same for all processes of a floor.")
    ] = "",
    demo: Annotated[
        bool, Parameter(negative="", help="Let visitors in without a password, from anywhere.")
    ] = False,
    https: Annotated[
        bool, Parameter(negative="", help="Cookies over HTTPS only: behind a proxy that has it.")
    ] = False,
    decision_seconds: Annotated[
        float, Parameter(help="How long a seat may think while others wait; 0: no limit.")
    ] = 60.0,
    pace: Annotated[
        float, Parameter(help="The automatic dealer's pace; 0.5 is twice as fast.")
    ] = 1,
    log: Annotated[
        Literal["info", "warning", "error"], Parameter(help="What the log on standard error has.")
    ] = "warning",
    browser: Annotated[bool, Parameter(help="Open the page in a browser.")] = True,
) -> int:
    """Open the floor in the browser: sit down, deal, supervise, look things up. Play money only.

    Without --database the floor lies in a file of your own; several processes share one PostgreSQL
    and one secret. The first start makes an administrator and tells the password, once. Visitors
    come in without one at this machine only, unless --demo says otherwise.
    """
    from riverboat.web.server.serving import HOST, PORT, Address, serve

    listens = PORT if port is None else port
    if not 1 <= listens <= HIGHEST_PORT:
        raise NotationError("serve.port", f"--port {listens}: 1 to {HIGHEST_PORT}")
    if pace < 0 or decision_seconds < 0:
        raise NotationError("serve.seconds", "--pace and --decision-seconds: nothing or more")
    serve(
        Address(
            host=host or HOST,
            port=listens,
            database=database,
            secret=secret,
            demo=demo,
            secure=https,
            pace=pace,
            decision_seconds=decision_seconds,
            log=log,
            browser=browser,
        )
    )
    return 0

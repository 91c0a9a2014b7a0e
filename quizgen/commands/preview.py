"""`quizgen preview`: a page on this machine that shows a bank as its files change."""

from __future__ import annotations

import webbrowser

import click

from quizgen.commands.options import flag, whole
from quizgen.commands.shared import tell
from quizgen.preview.server import PreviewServer
from quizgen.preview.watch import Watched
from quizgen.refusals import Unreadable


@click.command("preview")
@click.argument("bank", metavar="BANK")
@flag("--no-open", "Do not open a browser; the address is printed.")
@whole("--port", 0, 65535, "The port (default: a free one).", default=0)
def command(bank: str, no_open: bool, port: int) -> int:
    """See a bank as its files change: stem, options, key, every drawing, derivation, problems.

    The page is on this machine alone, under an address that nobody can guess; it is printed. Any
    answer can be tried with its marks and evidence. Nothing is written. Ctrl-C ends it.

    Example: quizgen preview my-bank
    """
    watched = Watched(bank)
    try:
        server = PreviewServer(watched, port)
    except OSError as error:
        raise Unreadable(f"port {port} cannot be used ({error.strerror}); leave --port out") from None
    click.echo(server.address)
    tell("Ctrl-C ends the preview.")
    if not no_open:
        webbrowser.open(server.address)
    try:
        server.serve_forever(poll_interval=0.2)
    except KeyboardInterrupt:
        tell("")
    finally:
        server.server_close()
    return 0

"""Serving a practice page: on this machine, or to a phone on the local network, at an address that stays the same."""

from __future__ import annotations

import io
import json
import secrets
import socket
from contextlib import nullcontext
from pathlib import Path

import click

from quizgen.atomic_write import replace_file
from quizgen.commands.options import notify
from quizgen.local_server import LOCALHOST, open_in_browser
from quizgen.model import Bank
from quizgen.practice.server import AnswerKeeper, PracticeServer
from quizgen.source.problems import Unreadable, printable
from quizgen.terminal.open_session import new_log

ADDRESS_FILE = "practice-address.json"  # in the log folder, readable by its owner only
IDLE_SECONDS = 3600.0  # seconds without a request after which the server stops


def serve_page(page: str, bank: Bank, folder: Path, phone: bool, port: int, opens: bool) -> int:
    """Serves `page` until it is interrupted, or on the network until nobody has used it for an hour."""
    host = network_address() if phone else LOCALHOST
    keeper = AnswerKeeper(bank, lambda at, session: new_log(folder, at, session))
    server = _start_server(page, keeper, host, port, folder)
    click.echo(server.address)
    if phone:
        click.echo(qr_text(server.address), err=True)
        notify(
            "Anyone on this network with this address can read the items and their keys and answer in your name; "
            "the address cannot be guessed. It is plain http: use a network that you trust."
        )
        notify("Ctrl-C ends it, and so does an hour without use.")
    else:
        notify("This machine alone can open it. Ctrl-C ends it.")
    try:
        with open_in_browser(server.address) if opens and not phone else nullcontext():
            server.serve_until_idle(IDLE_SECONDS if phone else None)
        notify("Nobody used the page for an hour, so it was stopped.")
    except KeyboardInterrupt:
        notify("")
    finally:
        server.server_close()
        keeper.close()
        for journal in keeper.journals.values():
            notify(f"Log: {printable(journal.path)}")
    return 0


def _start_server(page: str, keeper: AnswerKeeper, host: str, port: int, folder: Path) -> PracticeServer:
    """A server at the port and with the token of the last time, so that an open page keeps working; else at a free
    port. Raises Unreadable if the named `port` cannot be used."""
    known_port, token = _known_address(folder / ADDRESS_FILE)
    for choice in dict.fromkeys([port or known_port, port]):
        try:
            server = PracticeServer(page, keeper, host, choice, token)
        except OSError as error:
            if choice == port:
                raise Unreadable(f"port {port} cannot be used ({error.strerror}); leave --port out") from None
            continue
        break
    new_log(folder, "", "")  # creates the folder
    text = json.dumps({"port": server.server_port, "token": server.token})
    try:
        with replace_file(folder / ADDRESS_FILE, private=True) as file:
            file.write(text.encode())
    except OSError as error:
        notify(f"{printable(str(folder / ADDRESS_FILE))}: {error.strerror}; the next address will be different")
    return server


def _known_address(path: Path) -> tuple[int, str]:
    """The port and token of the last time; 0 and a new token if there was none."""
    try:
        last = json.loads(path.read_text(encoding="utf-8"))
        port, token = last["port"], last["token"]
    except (OSError, ValueError, KeyError, TypeError):
        port, token = 0, ""
    if not (isinstance(port, int) and 1024 <= port <= 65535 and isinstance(token, str) and len(token) >= 32):
        return 0, secrets.token_urlsafe(24)
    return port, token


def network_address() -> str:
    """This machine's address on the local network. Nothing is sent: a connected datagram socket knows its address."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # address reserved for documentation (RFC 5737); nothing is sent
            number = str(probe.getsockname()[0])
        except OSError:
            number = ""
    if not number or number.startswith("127."):
        raise Unreadable("this machine is on no network; join the phone's, or write a page with -o practice.html")
    return number


def qr_text(address: str) -> str:
    """The lines of an address as a QR code of half blocks. The light modules are drawn, so it is right on a dark
    terminal; on a light one it is inverted, which phones can also read."""
    import segno

    text = io.StringIO()
    segno.make(address, error="l").terminal(text, border=2, compact=True)
    return text.getvalue().rstrip("\n")

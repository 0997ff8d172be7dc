"""Whether the web server may listen on a port of this machine."""

import socket
from argparse import ArgumentParser

import environ
from django.core.management.base import CommandError


def add_installation_arguments(parser: ArgumentParser, *, data: str = "JURYBOX_DATA") -> None:
    """`--port` and `--data`, which the commands that start everything take. data: its default."""
    port = environ.Env().int("PORT", default=8000)
    parser.add_argument("--port", type=int, default=port, help="default: PORT, or 8000")
    parser.add_argument(
        "--data", metavar="FOLDER", help=f"where everything is kept; default: {data}"
    )


def refuse_used_port(port: int, *, instead: str, host: str = "127.0.0.1") -> None:
    """CommandError where the port is in use. instead: how another one is chosen."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or "must be 0 to 65535"
            raise CommandError(f"port {port}: {reason}. Choose another: {instead}") from None

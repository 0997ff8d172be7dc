"""`start`: an installation on this machine, with its worker, for as long as the command runs."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.urls import reverse

from desk.installation.database import prepare_database
from desk.installation.first_account import FirstAccount, make_first_account
from desk.installation.ports import add_installation_arguments, refuse_used_port
from desk.installation.processes import Processes, answers, web, worker


class Command(BaseCommand):
    help = (
        "Start the web server and a worker on this machine. Makes or migrates the database, and "
        "makes the first account, whose password is printed once."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_installation_arguments(parser)

    def handle(self, *args: Any, port: int, **options: Any) -> None:
        refuse_used_port(port, instead=f"{settings.PROGRAM} start --port {port + 1}")
        prepare_database(say=self.stdout.write)
        call_command("collectstatic", verbosity=0, interactive=False)
        account = make_first_account()
        if account:
            # Told before anything can fail: it is kept nowhere.
            self.stdout.write(_first_sign_in(account))
            self.stdout.flush()
        Processes([web(port=port), worker()], say=self.stderr.write).run(
            is_up=lambda: answers(f"http://127.0.0.1:{port}/healthz"),
            announce=lambda: self._say_what_to_open(port),
        )
        self.stdout.write("Stopped.")

    def _say_what_to_open(self, port: int) -> None:
        address = f"http://localhost:{port}{reverse('desk:sign-in')}"
        self.stdout.write(f"Open {address}   (data in {settings.DATA_DIR}; Ctrl-C stops it)")
        self.stdout.flush()


def _first_sign_in(account: FirstAccount) -> str:
    return (
        f"First account: user {account.username}, password {account.password} "
        f"(not shown again; {settings.PROGRAM} changepassword {account.username} sets another)"
    )

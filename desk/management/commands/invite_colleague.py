"""`invite_colleague`: a link by which somebody makes an account of this installation."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.urls import reverse

from accounts.invitations import invite_colleague
from accounts.site import site


class Command(BaseCommand):
    help = "Print a link by which one person makes an account; it works once, for two weeks."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--email", default="", help="Whom it is for; nothing is sent, the list shows it"
        )
        parser.add_argument(
            "--site",
            default=site(),
            help="Scheme and host of the link (default: `SITE_URL`, else `CSRF_TRUSTED_ORIGINS`)",
        )

    def handle(self, *_args: Any, email: str, site: str, **_options: Any) -> None:
        _invitation, token = invite_colleague(study=None, role=None, by=None, email=email)
        self.stdout.write(site + reverse("desk:invitation", args=[token]))

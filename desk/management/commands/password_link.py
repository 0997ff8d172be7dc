"""`password_link`: a link to a new password, for somebody who cannot be sent one."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.signing_in.factors import remove_all_factors
from accounts.signing_in.passwords import make_reset_path
from accounts.site import site
from annotation.models import User
from results.reading.wording import counted


class Command(BaseCommand):
    help = "Print a link by which an account gets a new password; it works once, for a day."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username", metavar="USER", help="The account")
        parser.add_argument(
            "--site",
            default=site(),
            help="Scheme and host of the link (default: `SITE_URL`, else `CSRF_TRUSTED_ORIGINS`)",
        )
        parser.add_argument(
            "--remove-second-factors",
            action="store_true",
            help="Let the password alone sign in, for who has lost phone, passkey and codes",
        )

    def handle(
        self, *_args: Any, username: str, site: str, remove_second_factors: bool, **_options: Any
    ) -> None:
        user = User.objects.filter(username=username, is_active=True).first()
        if user is None:
            raise CommandError(f"{username}: no active account of this name")
        if remove_second_factors:
            number = remove_all_factors(user=user, by=None)
            self.stderr.write(f"{counted(number, 'second factor')} removed")
        self.stdout.write(site + make_reset_path(user=user, by=None))

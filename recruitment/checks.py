"""What `manage.py check` says about money at Prolific."""

import os
from typing import Any

from django.conf import settings
from django.core import checks

from recruitment.pages import EVERY_OWNER

TOKEN = "PROLIFIC_TOKEN"  # noqa: S105 (the name of a variable)


@checks.register
def prolific_spenders(**_options: Any) -> list[checks.CheckMessage]:
    """Who may spend with the installation's token; nothing where there is none."""
    if not any(os.environ[name] for name in os.environ if name.startswith(TOKEN)):
        return []
    names = settings.PROLIFIC_OWNERS
    if EVERY_OWNER in names:
        text = "PROLIFIC_OWNERS=* lets every owner of a study spend with the token of Prolific."
        return [checks.Warning(text, id="desk.W001")]
    if not names:
        text = "Superusers alone may spend with the token of Prolific: PROLIFIC_OWNERS is empty."
        hint = "Name the accounts that may, or use * for every owner of a study."
        return [checks.Info(text, hint=hint, id="desk.I001")]
    return []

"""A hook of mkdocs (`mkdocs.yml`): pages get their generated parts when the site is built."""

import os
import sys
from pathlib import Path
from typing import Any

import django

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # `mkdocs` is a script elsewhere
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from docs.generate.pages import filled  # noqa: E402 (needs Django)


def on_page_markdown(markdown: str, **_of_mkdocs: Any) -> str:
    """The page with its generated parts as the code makes them now."""
    return filled(markdown)

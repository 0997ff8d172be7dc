"""Print pages with their generated parts: `python -m docs.generate settings.md commands.md`."""

import os
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from docs.generate.pages import DOCS, filled  # noqa: E402 (needs Django)


def main() -> None:
    """Print the pages that are named."""
    for name in sys.argv[1:]:
        sys.stdout.write(filled((DOCS / name).read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()

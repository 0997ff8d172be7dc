"""Write the generated parts of the documentation: `python -m docs.generate`.

With `--check` nothing is written; the exit status is 1 where a page is behind the code.
"""

import os
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from docs.generate.pages import DOCS, behind, write  # noqa: E402 (needs Django)


def main() -> int:
    """Write all pages, or name those that would change."""
    changed = behind() if "--check" in sys.argv[1:] else write()
    for page in changed:
        sys.stdout.write(f"{page.relative_to(DOCS.parent)}\n")
    return int(bool(changed) and "--check" in sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())

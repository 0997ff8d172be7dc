"""The languages of workers' pages, and which of them were proofread."""

from django.conf import settings

from annotation.middleware.language import is_proofread
from docs.generate.markdown import code, table


def listed() -> str:
    """A row for every language."""
    rows = [
        [code(language), name, "yes" if is_proofread(language) else "not yet"]
        for language, name in settings.LANGUAGES
    ]
    return table(["`language`", "Name", "Proofread"], rows)

"""What `manage.py check` says about formats, judge methods and backends of other packages."""

from typing import Any

from django.core import checks

from imports.formats.registry import installed_formats
from judges.backends.factory import installed_backends
from judges.methods.registry import installed_methods


@checks.register
def left_out_plugins(**_options: Any) -> list[checks.CheckMessage]:
    """Those that cannot be used."""
    groups = (installed_formats(), installed_methods(), installed_backends())
    hint = "Mend or remove the package; until then the program does without this entry."
    return [
        checks.Warning(line, hint=hint, id="desk.W002")
        for group in groups
        for line in group.left_out
    ]

from typing import Any

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in


class ImportsConfig(AppConfig):
    name = "imports"
    verbose_name = "Imports"

    def ready(self) -> None:
        user_logged_in.connect(_adopt_studies)


def _adopt_studies(*, user: Any, **_other: Any) -> None:
    # Models cannot be imported before all apps are loaded.
    from imports.study_file.owner import adopt_studies

    adopt_studies(user=user)

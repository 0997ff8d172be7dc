from django.apps import AppConfig


class DeskConfig(AppConfig):
    name = "desk"
    verbose_name = "Desk"

    def ready(self) -> None:
        from annotation.rights.withdrawal import answers_withdrawn
        from desk.data.background.jobs import drop_outcomes
        from desk.installation import database, plugins, safety  # noqa: F401 (their checks)
        from desk.installation.health import faults

        faults.connect()
        answers_withdrawn.connect(drop_outcomes)

from django.apps import AppConfig


class DeskConfig(AppConfig):
    name = "desk"
    verbose_name = "Desk"

    def ready(self) -> None:
        from annotation.rights.withdrawal import answers_withdrawn
        from desk.accounts import sign_in  # noqa: F401 (its receiver of sign-ins)
        from desk.api.tokens import forget_answered
        from desk.data.background.work import drop_outcomes
        from desk.installation import plugins  # noqa: F401 (what `manage.py check` says)
        from desk.people.recruitment import checks  # noqa: F401 (what `manage.py check` says)
        from desk.worker_records.kept import drop_figures

        answers_withdrawn.connect(drop_figures)
        answers_withdrawn.connect(drop_outcomes)
        answers_withdrawn.connect(forget_answered)

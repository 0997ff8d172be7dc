from django.apps import AppConfig


class DeskConfig(AppConfig):
    name = "desk"
    verbose_name = "Desk"

    def ready(self) -> None:
        from accounts import sign_in  # noqa: F401 (its receiver of sign-ins)
        from annotation.rights.withdrawal import answers_withdrawn
        from api.tokens import forget_answered
        from desk.data.background.work import drop_outcomes
        from desk.worker_records.kept import drop_figures
        from recruitment import checks  # noqa: F401 (what `manage.py check` says)

        answers_withdrawn.connect(drop_figures)
        answers_withdrawn.connect(drop_outcomes)
        answers_withdrawn.connect(forget_answered)

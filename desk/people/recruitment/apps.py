from django.apps import AppConfig


class RecruitmentConfig(AppConfig):
    name = "desk.people.recruitment"
    verbose_name = "Recruitment"

    def ready(self) -> None:
        from desk.people.recruitment import checks  # noqa: F401 (what `manage.py check` says)

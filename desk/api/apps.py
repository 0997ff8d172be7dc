from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "desk.api"
    verbose_name = "REST API"

    def ready(self) -> None:
        from annotation.rights.withdrawal import answers_withdrawn
        from desk.api.tokens import forget_answered

        answers_withdrawn.connect(forget_answered)

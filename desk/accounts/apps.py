from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "desk.accounts"
    verbose_name = "Accounts"

    def ready(self) -> None:
        from desk.accounts import sign_in  # noqa: F401 (its receiver of sign-ins)

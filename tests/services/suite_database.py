"""The suite's own database, for processes that a test starts."""

from django.db import connection


def database_url() -> str:
    """Its address, as `DATABASE_URL` takes it."""
    of = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{of['NAME']}"
    return f"postgres://{of['USER']}:{of['PASSWORD']}@{of['HOST']}:{of['PORT']}/{of['NAME']}"

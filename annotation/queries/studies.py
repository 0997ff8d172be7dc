"""The state of a study, held still for a transaction."""

from django.db import connection

from annotation.models import Study


def hold_state(study: int) -> tuple[str, bool]:
    """The state of a study and whether it is paused, neither of which changes until this
    transaction ends.

    Opening, closing and pausing lock the row of the study wholly. FOR KEY SHARE, which Django does
    not know, waits for those locks alone: not for answers, each of which raises the revision. On
    SQLite a writing transaction is alone.
    """
    lock = " FOR KEY SHARE" if connection.vendor == "postgresql" else ""
    table = Study._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT state, paused_at IS NOT NULL FROM {table} WHERE id = %s{lock}",  # noqa: S608
            [study],
        )
        state, is_paused = cursor.fetchone()
    return state, bool(is_paused)

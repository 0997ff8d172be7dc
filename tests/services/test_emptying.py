"""Nothing that a test with transactions of its own writes is there in the next one."""

import pytest
from django.contrib.auth.models import Permission
from django.db import connection

from annotation.models import Unit, User
from tests.cast import make_study, make_user
from tests.services.emptying import IN_USE, delete_rows

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("_time", [1, 2])
def test_each_finds_an_empty_database(_time: int) -> None:
    assert not User.objects.exists()
    make_user("owner")
    make_study()


def test_rows_go_whatever_refers_to_them_and_permissions_stay() -> None:
    make_study()
    permissions = set(Permission.objects.values_list("pk", "codename"))
    assert permissions
    delete_rows(None)  # type: ignore[arg-type]
    assert not Unit.objects.exists()
    assert set(Permission.objects.values_list("pk", "codename")) == permissions
    connection.check_constraints()


@pytest.mark.skipif(connection.vendor != "postgresql", reason="PostgreSQL alone keeps them")
def test_deleted_rows_leave_nothing_behind() -> None:
    make_study()
    delete_rows(None)  # type: ignore[arg-type]
    with connection.cursor() as cursor:
        cursor.execute(f"{IN_USE} AND relname LIKE 'annotation_%'")
        assert cursor.fetchall() == []

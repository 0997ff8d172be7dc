import subprocess
import sys

import psycopg


def test_a_test_gets_a_database_with_nothing_in_it(postgres_url: str) -> None:
    with psycopg.connect(postgres_url) as database:
        tables = database.execute(
            "SELECT count(*) FROM information_schema.tables WHERE table_schema = 'public'"
        ).fetchone()
    assert tables == (0,)


def test_a_command_is_run_beside_a_server_and_keeps_its_exit_status(postgres_url: str) -> None:
    command = (
        "import os, psycopg, sys; psycopg.connect(os.environ['DATABASE_URL']).close(); sys.exit(3)"
    )
    done = subprocess.run(
        [sys.executable, "-m", "tests.services.postgres", "--", sys.executable, "-c", command],
        check=False,
    )
    assert done.returncode == 3

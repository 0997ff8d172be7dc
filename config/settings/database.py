"""The database."""

from typing import Any

from config.settings.environment import DATA_DIR, env

# --- Database -----------------------------------------------------------------------------------

# DATABASE_URL (SQLite in `JURYBOX_DATA`): `postgres://user:password@host:5432/name`. Behind a
#   pooler that shares connections between transactions end it with
#   `?DISABLE_SERVER_SIDE_CURSORS=true`.
DATABASES: dict[str, dict[str, Any]] = {
    "default": env.db("DATABASE_URL")
    if env.str("DATABASE_URL", default="")
    else {"ENGINE": "django.db.backends.sqlite3", "NAME": str(DATA_DIR / "jurybox.sqlite3")}
}
_database = DATABASES["default"]
_database["CONN_MAX_AGE"] = 60
_database["CONN_HEALTH_CHECKS"] = True
ON_SQLITE = _database["ENGINE"] == "django.db.backends.sqlite3"
if ON_SQLITE:
    # A transaction that begins by reading and then wants to write cannot wait for the other
    # writer, whatever the timeout: SQLite answers "database is locked" at once. IMMEDIATE takes
    # the write lock at BEGIN, where waiting works. WAL lets readers go on meanwhile.
    _database["OPTIONS"] = {
        "timeout": 20,
        "transaction_mode": "IMMEDIATE",
        "init_command": (
            "PRAGMA journal_mode=WAL;"
            "PRAGMA synchronous=NORMAL;"
            "PRAGMA foreign_keys=ON;"
            "PRAGMA cache_size=-16000;"
            "PRAGMA temp_store=MEMORY;"
        ),
    }
elif _database["ENGINE"] == "django.db.backends.postgresql":
    _database["ENGINE"] = "config.postgresql"
if not ON_SQLITE and not _database.get("DISABLE_SERVER_SIDE_CURSORS"):
    # To compile a query takes PostgreSQL longer than what the pages ask. A pooler takes no options.
    _database.setdefault("OPTIONS", {}).setdefault("options", "-c jit=off")
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

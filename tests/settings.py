"""The settings of the test suite: those of the program, with nothing kept afterwards."""

import atexit
import os
import shutil
import sys
import tempfile
from pathlib import Path

# Before the import: whatever the program writes goes to a folder that the suite removes, and
# neither a key, a broker nor a mode of whoever runs the tests leaks into them. Only DATABASE_URL
# is honoured, to run the whole suite on PostgreSQL.
# The first process makes the folder and takes it away; those that it starts have a place in it.
if "JURYBOX_TEST_DATA" not in os.environ:
    os.environ["JURYBOX_TEST_DATA"] = tempfile.mkdtemp(prefix="jurybox-test-")
    atexit.register(shutil.rmtree, os.environ["JURYBOX_TEST_DATA"], ignore_errors=True)
TEST_DATA = Path(os.environ["JURYBOX_TEST_DATA"], os.environ.get("PYTEST_XDIST_WORKER", "main"))
for name in (
    "ADMIN_PAGES",
    "ALLOWED_HOSTS",
    "CSRF_TRUSTED_ORIGINS",
    "DEBUG",
    "DEFAULT_FROM_EMAIL",
    "EMAIL_URL",
    "HTTPS",
    "LOG_FORMAT",
    "LOG_LEVEL",
    "METRICS_TOKEN",
    "MTURK_ORIGINS",
    "OIDC_ISSUER",
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "PROLIFIC_OWNERS",
    "SECOND_FACTOR",
    "SIGN_UP",
    "SITE_URL",
    "STATIC_ROOT",
    "STUDY_MAKERS",
):
    os.environ.pop(name, None)
# The processes of the suite share the processors: more threads for numbers would only wait for each
# other, which takes a tenth of the time of such tests.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(name, "1")
# Compiled modules are kept for the processes that the suite starts, and for the next run.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
os.environ["JURYBOX_DATA"] = str(TEST_DATA)
os.environ["BROKER_URL"] = "memory://"
os.environ["SECRET_KEY"] = "a key for tests alone"

from config.settings import *  # noqa: E402, F403
from config.settings import CONTENT_SECURITY_POLICY, DATABASES, ON_SQLITE, STATIC_ROOT, STORAGES  # noqa: E402, F401

STATIC_ROOT.mkdir(exist_ok=True)  # WhiteNoise warns about a missing one
STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
# Every test with a user would pay for a slow hash.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
DATABASES["default"]["CONN_MAX_AGE"] = 0
# Small studies are counted at once, however slow the machine is just now.
RESULTS_WAIT_SECONDS = 600.0
# No test looks a name up outside.
PAGES_PROBE_NAMES = []
PAGES_PROXY = ""
if ON_SQLITE:
    # A file, not memory: threads of one in-memory database share a cache whose table locks know
    # no timeout, and other processes could not open it at all.
    DATABASES["default"]["TEST"] = {"NAME": str(TEST_DATA / "test.sqlite3")}
    # What a power cut would lose may be lost.
    DATABASES["default"]["OPTIONS"]["init_command"] += "PRAGMA synchronous=OFF;"

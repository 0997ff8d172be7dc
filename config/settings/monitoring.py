"""What the operator sees of running processes."""

from importlib.util import find_spec

from django.core.exceptions import ImproperlyConfigured

from config.settings.database import ON_SQLITE
from config.settings.environment import env
from telemetry.logs import logging_settings

# --- Monitoring ----------------------------------------------------------------------------------

# RESULTS_WAIT_SECONDS (0.2): how long counting answers may take while a page of results waits for
#   it. If it took longer, the page shows the last figures, and a worker computes newer ones.
RESULTS_WAIT_SECONDS = env.float("RESULTS_WAIT_SECONDS", default=0.2)

# LOG_LEVEL (INFO): what goes to standard error.
# LOG_FORMAT (`json`; with SQLite `text`): lines for programs, or for a terminal. `json` has types
#   instead of the messages of exceptions, which may hold what people typed.
LOG_FORMAT = env.str("LOG_FORMAT", default="text" if ON_SQLITE else "json")
if LOG_FORMAT not in {"json", "text"}:
    raise ImproperlyConfigured("LOG_FORMAT must be json or text.")
LOGGING = logging_settings(form=LOG_FORMAT, level=env.str("LOG_LEVEL", default="INFO"))
# METRICS_TOKEN (none): lets a monitoring program read `/metrics`, as `Authorization: Bearer …`.
#   Without it only this machine may, and only where `ALLOWED_HOSTS` names no other.
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
# OTEL_EXPORTER_OTLP_ENDPOINT (none): where traces are sent by OTLP over http, such as
#   `http://collector:4318`; needs `jurybox[otel]`. Other variables of OpenTelemetry count as well.
TRACES_ENDPOINT = env.str("OTEL_EXPORTER_OTLP_ENDPOINT", default="")
if TRACES_ENDPOINT and find_spec("opentelemetry.sdk") is None:
    raise ImproperlyConfigured("OTEL_EXPORTER_OTLP_ENDPOINT needs the extra otel.")
# PORT (8000): where `make demo` listens, on this machine only.

"""What judges ask and open."""

from importlib.util import find_spec
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from config.settings.environment import env

# --- Judges -------------------------------------------------------------------------------------

# JUDGE_ENDPOINTS (none): a YAML file of the chat endpoints that judges may ask; docs/judges.md says
#   what is in it. Without it there is one, `default`.
# OPENAI_BASE_URL (OpenAI's address): the endpoint `default`, where `JUDGE_ENDPOINTS` names no file.
# OPENAI_API_KEY (none): its key. Keys of other endpoints are read under the names that they give.
JUDGE_ENDPOINTS = env.str("JUDGE_ENDPOINTS", default="")
# PAGES_USER_AGENT (a line that names Jurybox): how judges that open links present themselves. A
#   good place for an address to complain to.
PAGES_USER_AGENT = env.str("PAGES_USER_AGENT", default="")
# PAGES_PORTS (`80,443`): the ports on which they open links.
PAGES_PORTS = env.list("PAGES_PORTS", cast=int, default=[80, 443])
# PAGES_PROXY (none): `http://user:password@host:port`, an HTTP proxy that they open links through;
#   it must allow CONNECT to `PAGES_PORTS`. docs/retrieving-pages.md says what it is sent.
# PAGES_PROXY_RESOLVES (false): true hands the proxy names instead of addresses that were checked
#   here. It must then refuse private addresses itself.
PAGES_PROXY = env.str("PAGES_PROXY", default="")
if PAGES_PROXY and not (urlsplit(PAGES_PROXY).hostname and PAGES_PROXY.startswith("http://")):
    raise ImproperlyConfigured("PAGES_PROXY must be http://[user:password@]host:port.")
PAGES_PROXY_RESOLVES = env.bool("PAGES_PROXY_RESOLVES", default=False)
# PAGES_PROBE_NAMES (`example.com,iana.org,wikipedia.org`): names that exist. Where none of them can
#   be looked up, a name that is not found says nothing about a page. Empty: none is ever tried.
PAGES_PROBE_NAMES = env.list(
    "PAGES_PROBE_NAMES", default=["example.com", "iana.org", "wikipedia.org"]
)
# PAGES_RENDERED (false): true opens pages made by scripts in a headless Chromium; needs the package
#   `playwright` and a Chromium on the worker's machine.
PAGES_RENDERED = env.bool("PAGES_RENDERED", default=False)
if PAGES_RENDERED and find_spec("playwright") is None:
    raise ImproperlyConfigured("PAGES_RENDERED needs the package playwright and a Chromium.")

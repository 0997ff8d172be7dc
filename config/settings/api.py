"""The REST API and its schema."""

from config.settings.environment import env

# --- REST API -----------------------------------------------------------------------------------

# API_RATE (600/min): how many requests a token of the API may make, as `N/min`, `N/hour` or `N/day`
#   for each process of the web server.
API_RATE = env.str("API_RATE", default="600/min")
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["api.authentication.TokenAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_THROTTLE_CLASSES": ["api.throttles.TokenThrottle"],
    "NUM_PROXIES": 0,  # `TRUSTED_PROXIES` has put the caller's address in its place
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["api.requests.json_body.JsonBody"],
    "DEFAULT_PAGINATION_CLASS": "api.requests.pagination.ByCursor",
    "DEFAULT_FILTER_BACKENDS": ["api.requests.filters.ByParameters"],
    "DEFAULT_SCHEMA_CLASS": "api.schema.operations.Described",
    "EXCEPTION_HANDLER": "api.problems.as_problem",
    "UNAUTHENTICATED_USER": None,
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Jurybox",
    "DESCRIPTION": "Studies in which people and machines answer the same questions.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "ENABLE_DJANGO_DEPLOY_CHECK": False,
    "POSTPROCESSING_HOOKS": ["api.schema.finished.finish"],
}

"""What is sent to people and programs: e-mail and webhooks."""

from config.settings.environment import addresses, env

# --- E-mail -------------------------------------------------------------------------------------

# EMAIL_URL (none): `smtp+tls://user:password@host:587` or `smtp+ssl://…:465`; how the program sends
#   e-mail. `consolemail://` prints it instead. Without it no e-mail is sent, and pages show links
#   to copy where they would be mailed. Characters such as `@` in a password are written as `%40`.
EMAIL_ENABLED = bool(env.str("EMAIL_URL", default=""))
if EMAIL_ENABLED:
    _email = env.email_url("EMAIL_URL")
    EMAIL_BACKEND = _email["EMAIL_BACKEND"]
    EMAIL_HOST, EMAIL_PORT = _email["EMAIL_HOST"] or "localhost", _email["EMAIL_PORT"] or 25
    EMAIL_HOST_USER = _email["EMAIL_HOST_USER"] or ""
    EMAIL_HOST_PASSWORD = _email["EMAIL_HOST_PASSWORD"] or ""
    EMAIL_USE_TLS = bool(_email.get("EMAIL_USE_TLS"))
    EMAIL_USE_SSL = bool(_email.get("EMAIL_USE_SSL"))
    EMAIL_FILE_PATH = _email["EMAIL_FILE_PATH"]
else:
    EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
EMAIL_TIMEOUT = 20  # seconds; a mail server that does not answer must not hold a worker
# DEFAULT_FROM_EMAIL (`jurybox@localhost`): who e-mail comes from: an address, or a name with the
#   address in angle brackets.
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="jurybox@localhost")

# --- Alerts -------------------------------------------------------------------------------------

# WEBHOOK_PORTS (`80,443`): the ports of addresses that webhooks post to.
WEBHOOK_PORTS = env.list("WEBHOOK_PORTS", cast=int, default=[80, 443])
# WEBHOOK_PRIVATE (none): `address:port`, separated by commas: addresses of your own network that
#   messages may be posted to. Without it only the public internet is posted to.
WEBHOOK_PRIVATE = addresses("WEBHOOK_PRIVATE")

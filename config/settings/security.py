"""Https, proxies, and what browsers are told."""

from config.settings.environment import env

# --- Security headers ---------------------------------------------------------------------------

# Without a proxy that sets X-Forwarded-Proto itself anyone could send that header, so it is
# believed only then.
# HTTPS (false): true where a proxy speaks https and sets `X-Forwarded-Proto` itself. Gives secure
#   cookies, redirects and HSTS.
HTTPS = env.bool("HTTPS", default=False)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
if HTTPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    # HSTS_SECONDS (31536000): for how long browsers are told to insist on https; with `HTTPS` only.
    SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", default=31_536_000)
    # Probes and scrapes may come from inside, by plain http.
    SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
# TRUSTED_PROXIES (0): how many proxies stand in front, each of which appends to `X-Forwarded-For`.
#   Wrong passwords, requests of the API without a token and sessions are then told by the caller's
#   address; with 0 the header is not believed.
TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", default=0)
# Whether the rest of a domain is for https alone is not ours to promise to every browser.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"

# No inline script or style anywhere, so no nonce and no "unsafe" word either. Texts of studies
# come from outside; this is the wall behind the template escaping.
CONTENT_SECURITY_POLICY = {
    "default-src": ["'self'"],
    "base-uri": ["'none'"],
    # Covers redirects after a POST as well: a worker goes back to the panel by a link.
    "form-action": ["'self'"],
    "frame-ancestors": ["'none'"],
    "object-src": ["'none'"],
}

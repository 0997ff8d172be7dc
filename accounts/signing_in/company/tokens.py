"""Check an id token as OpenID Connect Core 1.0 (3.1.3.7) asks for."""

import hmac
from typing import Any

import jwt

# Signatures by a public key. Neither `none` nor a key that is a shared secret is ever taken.
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512")
CLOCKS_APART_S = 60


class BadToken(Exception):
    """The token is not one of this provider for this sign-in."""


def checked_claims(
    token: str, *, keys: dict[str, Any], issuer: str, client_id: str, nonce: str
) -> dict[str, Any]:
    """The claims of a token that the issuer signed for us, for this sign-in, and that is not old.

    keys: the provider's set of keys (JWK Set) as it is published. nonce: what was sent along.
    """
    try:
        claims: dict[str, Any] = jwt.decode(
            token,
            key=_key_of(token, keys),
            algorithms=list(ALGORITHMS),
            issuer=issuer,
            audience=client_id,
            leeway=CLOCKS_APART_S,
            options={"require": ["iss", "sub", "aud", "exp", "iat", "nonce"]},
        )
    except (jwt.PyJWTError, ValueError, TypeError, KeyError) as error:
        raise BadToken(type(error).__name__) from error
    if not hmac.compare_digest(str(claims["nonce"]).encode(), nonce.encode()):
        raise BadToken("nonce")
    several = isinstance(claims["aud"], list) and len(claims["aud"]) > 1
    if (several or "azp" in claims) and claims.get("azp") != client_id:
        raise BadToken("azp")
    return claims


def _key_of(token: str, keys: dict[str, Any]) -> jwt.PyJWK:
    """The published key that the token names; the only one where it names none."""
    named = jwt.get_unverified_header(token).get("kid")
    usable = [
        key for key in jwt.PyJWKSet.from_dict(keys).keys if key.public_key_use in (None, "sig")
    ]
    fitting = usable if named is None else [key for key in usable if key.key_id == named]
    if len(fitting) != 1:
        raise BadToken("kid")
    return fitting[0]

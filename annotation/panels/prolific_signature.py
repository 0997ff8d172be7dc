"""Prolific's signature of an address: where a study there has a *Secured External URL*, Prolific
adds a JSON Web Token to it, by which we know that the worker comes from there.

What it rests on is public and was read, not tried: the reference that `prolific_keys` names, and
what others have written for it. The claim `prolific` holds the parameters of the address, under
their names, and the id of the workspace. Whoever has a workspace can make a study there whose
address is ours and holds an id of somebody else, so a token of another workspace proves nothing.
"""

import re
from collections.abc import Mapping
from typing import Any

import jwt

from annotation.panels.prolific_keys import prolific_key

PARAMETER = "prolific_token"
ISSUER = "https://www.prolific.com"
# Never what the token itself names: with HS256 the public key would be the secret.
ALGORITHM = "RS256"
# How far the two clocks may be apart.
LEEWAY_SECONDS = 30
_HOST = re.compile(r"(?:https?://)?([^/?#]*)", re.IGNORECASE)


def is_signed(token: str, *, parameters: Mapping[str, str], workspace: str, host: str) -> bool:
    """Whether Prolific signed these parameters of an address of this host for that workspace. It
    may ask Prolific for its keys, so it is not called within a transaction."""
    claims = _claims(token)
    signed = claims.get("prolific")
    expected = {**parameters, "workspace_id": workspace}
    return (
        isinstance(signed, dict)
        and all(signed.get(name) == value for name, value in expected.items())
        and _is_for(claims["aud"], host)
    )


def _claims(token: str) -> dict[str, Any]:
    """The claims of a token that Prolific signed and that has not expired; else none."""
    try:
        key = prolific_key(jwt.get_unverified_header(token).get("kid", ""))
        if key is None:
            return {}
        return jwt.decode(
            token,
            jwt.PyJWK(key, ALGORITHM),
            algorithms=[ALGORITHM],
            issuer=ISSUER,
            leeway=LEEWAY_SECONDS,
            options={"require": ["exp", "aud", "iss"], "verify_aud": False},
        )
    except jwt.PyJWTError:
        return {}


def _is_for(audience: object, host: str) -> bool:
    """Whether the audience is this host, alone or in an address. PyJWT compares whole texts."""
    names = audience if isinstance(audience, list) else [audience]
    matches = (_HOST.match(name) for name in names if isinstance(name, str))
    return any(match is not None and match[1].lower() == host.lower() for match in matches)

"""Names that do not exist, and networks in which none can be looked up."""

import asyncio
import socket
from collections.abc import Sequence

import pytest

from retrieval import names
from retrieval.names import NameLookup, NoNetwork, NoSuchName
from tests.retrieval.web import PUBLIC, Names

KNOWN = Names(
    {"probe.example": [[PUBLIC]], "page.example": [[PUBLIC]], "inner.example": [["10.0.0.8"]]}
)


def look_up(lookup: NameLookup, host: str) -> Sequence[str]:
    return asyncio.run(lookup.addresses(host, 443))


def test_a_name_is_missing_where_a_probe_is_found() -> None:
    with pytest.raises(NoSuchName, match=r"nobody\.example"):
        look_up(NameLookup(KNOWN, ["other.example", "probe.example"]), "nobody.example")


def test_a_name_is_missing_where_another_one_was_just_found() -> None:
    lookup = NameLookup(KNOWN)
    assert look_up(lookup, "page.example") == [PUBLIC]
    with pytest.raises(NoSuchName):
        look_up(lookup, "nobody.example")


@pytest.mark.parametrize("probes", [[], ["other.example"], ["inner.example"]])
def test_nothing_is_learnt_where_no_public_name_is_found(probes: list[str]) -> None:
    # A closed network may know its own names, and say of all others that they do not exist.
    lookup = NameLookup(KNOWN, probes)
    assert look_up(lookup, "inner.example") == ["10.0.0.8"]
    with pytest.raises(NoNetwork):
        look_up(lookup, "nobody.example")


def test_probes_are_asked_once_in_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    resolver = Names({"probe.example": [[PUBLIC]]})
    lookup = NameLookup(resolver, ["probe.example"])
    for _ in range(3):
        with pytest.raises(NoSuchName):
            look_up(lookup, "nobody.example")
    assert resolver.asked == ["probe.example"]
    monkeypatch.setattr(names, "_COUNTS_SECONDS", 0.0)
    with pytest.raises(NoSuchName):
        look_up(lookup, "nobody.example")
    assert len(resolver.asked) == 2


@pytest.mark.parametrize("number", [socket.EAI_AGAIN, socket.EAI_FAIL, socket.EAI_SYSTEM])
def test_a_resolver_that_fails_says_nothing_about_a_name(number: int) -> None:
    async def fails(host: str, port: int) -> list[str]:
        if host == "probe.example":
            return [PUBLIC]
        raise socket.gaierror(number, "not now")

    with pytest.raises(NoNetwork, match=r"a\.example cannot be looked up now"):
        look_up(NameLookup(fails, ["probe.example"]), "a.example")


def test_a_name_without_an_address_is_missing() -> None:
    async def empty(host: str, port: int) -> list[str]:
        return [PUBLIC] if host == "probe.example" else []

    with pytest.raises(NoSuchName):
        look_up(NameLookup(empty, ["probe.example"]), "a.example")


def test_a_probe_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async def hangs(host: str, port: int) -> list[str]:
        if host == "probe.example":
            await asyncio.sleep(60)
        raise socket.gaierror(socket.EAI_NONAME, "nobody")

    monkeypatch.setattr(names, "_PROBE_SECONDS", 0.01)
    with pytest.raises(NoNetwork):
        look_up(NameLookup(hangs, ["probe.example"]), "a.example")

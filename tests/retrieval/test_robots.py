"""robots.txt: asked for before a page, by the same rules, and obeyed."""

import asyncio
import time
from collections.abc import Mapping, Sequence

import httpx2
import pytest

from retrieval import robots
from retrieval.connections import GuardedNetwork
from retrieval.download import Fetcher
from retrieval.page import PageOutcome
from retrieval.responses import Fetched
from retrieval.robots import Robots
from tests.retrieval.web import HOME, Answer, Names, Web, small_web

ELSEWHERE: Mapping[str, Sequence[Sequence[str]]] = {
    "pages.example": [["127.0.0.1"]],
    "other.example": [["127.0.0.1"]],
    "inner.example": [["10.0.0.8"]],
}


def polite(web: Web, names: Names | None = None, user_agent: str = "Jurybox (research)") -> Fetcher:
    return Fetcher(
        GuardedNetwork(resolver=names or Names(HOME.turns), allowed=web.allowed),
        user_agent=user_agent,
        honours_robots=True,
    )


def fetched(asked: Fetcher, url: str) -> Fetched:
    return asyncio.run(asked.fetch(url))


def rules(text: str) -> Answer:
    return Answer(text.encode(), content_type="text/plain")


@pytest.mark.parametrize(
    ("text", "path", "is_allowed"),
    [
        ("User-agent: *\nDisallow: /", "/a", False),
        ("User-agent: *\nDisallow:", "/a", True),
        ("User-agent: *\nDisallow: /private/", "/private/a", False),
        ("User-agent: *\nDisallow: /private/", "/a", True),
        ("User-agent: *\nDisallow: /\nAllow: /a", "/a", True),
        ("User-agent: *\nDisallow: /*.php$", "/x.php", False),
        ("User-agent: *\nDisallow: /*.php$", "/x.php?a", True),
        ("User-agent: jurybox\nDisallow: /a\n\nUser-agent: *\nDisallow:", "/a", False),
        ("User-agent: Jurybox\nDisallow:\n\nUser-agent: *\nDisallow: /", "/a", True),
        ("User-agent: other\nUser-agent: JURYBOX\nDisallow: /a", "/a", False),
        ("User-agent: other\nDisallow: /", "/a", True),
        ("user agent other\rDisallow: /\r\rUser-agent: *\rDisallow: /a", "/a", False),
        ("\ufeffUser-agent: *\nDisallow: /a", "/a", False),
        ("<html>no such page</html>", "/a", True),
        ("", "/a", True),
    ],
)
def test_what_robots_txt_disallows_is_not_fetched(
    web: Web, text: str, path: str, *, is_allowed: bool
) -> None:
    web.answers |= {"/robots.txt": rules(text), path: Answer(b"here")}
    page = fetched(polite(web), web.url(path))
    assert (page.outcome == PageOutcome.FOUND) is is_allowed
    assert [path for _, path in web.asked] == ["/robots.txt", *[path] * is_allowed]
    if not is_allowed:
        assert page.outcome == PageOutcome.DISALLOWED
        assert page.reason == "not allowed by the robots.txt of pages.example"


def test_the_name_that_rules_are_for_is_that_of_the_user_agent(web: Web) -> None:
    web.answers |= {"/robots.txt": rules("User-agent: lab-bot\nDisallow: /"), "/a": Answer(b"a")}
    assert fetched(polite(web), web.url("/a")).outcome == PageOutcome.FOUND
    lab = polite(web, user_agent="Lab-Bot/2.0 (+mailto:lab@example.org)")
    assert fetched(lab, web.url("/a")).outcome == PageOutcome.DISALLOWED


def test_a_server_is_asked_once(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    web.answers |= {"/robots.txt": rules("User-agent: *\nDisallow: /x"), "/a": Answer(b"a")}
    asked = polite(web)
    for path in ("/a", "/x", "/a"):
        fetched(asked, web.url(path))
    assert [path for _, path in web.asked] == ["/robots.txt", "/a", "/a"]
    monkeypatch.setattr(robots, "_SECONDS", 0.0)
    fetched(asked, web.url("/a"))
    assert [path for _, path in web.asked][3:] == ["/robots.txt", "/a"]


def test_each_server_of_a_redirect_is_asked(web: Web) -> None:
    with small_web() as other:
        other.answers |= {"/robots.txt": rules("User-agent: *\nDisallow: /b"), "/b": Answer(b"b")}
        web.answers["/a"] = Answer(status=302, headers={"Location": other.url("/b")})
        asked = polite(web)
        asked.network.allowed = web.allowed | other.allowed
        page = fetched(asked, web.url("/a"))
        assert page.outcome == PageOutcome.DISALLOWED
        assert page.final_url == other.url("/b")
        assert [path for _, path in other.asked] == ["/robots.txt"]


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        (404, PageOutcome.FOUND),
        (403, PageOutcome.FOUND),
        (500, PageOutcome.FAILED),
        (503, PageOutcome.FAILED),
    ],
)
def test_a_server_without_rules_allows_all_and_one_that_fails_nothing_for_now(
    web: Web, status: int, outcome: PageOutcome
) -> None:
    web.answers |= {"/robots.txt": Answer(status=status), "/a": Answer(b"a")}
    page = fetched(polite(web), web.url("/a"))
    assert page.outcome == outcome
    if outcome == PageOutcome.FAILED:
        assert page.reason == f"robots.txt: the server answered {status}"
        assert [path for _, path in web.asked] == ["/robots.txt"]


@pytest.mark.parametrize(
    "target",
    [
        "http://10.0.0.8/",
        "http://inner.example/robots.txt",
        "http://169.254.169.254/",
        "file:///etc/passwd",
        "http://[::1/",
        "http://nobody.example/",
    ],
)
def test_robots_txt_leads_nowhere_that_a_link_may_not(web: Web, target: str) -> None:
    web.answers |= {
        "/robots.txt": Answer(status=302, headers={"Location": target}),
        "/a": Answer(b"a"),
    }
    names = Names(ELSEWHERE)
    asked = polite(web, names)
    asked.network.lookup.probe_names = ("pages.example",)
    connected = list[str]()
    connect = asked.network.network.connect_tcp

    async def recorded(host: str, *args: object, **options: object) -> object:
        connected.append(host)
        return await connect(host, *args, **options)  # type: ignore[arg-type]

    asked.network.network.connect_tcp = recorded  # type: ignore[method-assign, assignment]
    page = fetched(asked, web.url("/a"))
    assert set(connected) == {"127.0.0.1"}
    assert page.outcome in (PageOutcome.FOUND, PageOutcome.NOT_RETRIEVED)


def test_a_link_to_a_private_address_is_refused_before_its_robots_txt(web: Web) -> None:
    page = fetched(polite(web, Names(ELSEWHERE)), "http://inner.example/")
    assert page.outcome == PageOutcome.REFUSED


def test_a_long_robots_txt_is_read_from_its_beginning(web: Web) -> None:
    text = "User-agent: *\nDisallow: /a\n" + "# more\n" * 100_000
    web.answers |= {"/robots.txt": rules(text), "/a": Answer(b"a")}
    assert fetched(polite(web), web.url("/a")).outcome == PageOutcome.DISALLOWED


def test_the_names_of_others_do_not_multiply_the_rules() -> None:
    # Each of 20,000 names would get each of 20,000 rules: minutes, and gigabytes.
    agents = "".join(f"User-agent: a{number}\n" for number in range(20_000))
    text = agents + "Disallow: /x\n" * 20_000
    held = Robots("Jurybox")
    started = time.process_time()
    held.add(httpx2.URL("http://pages.example/"), text)
    assert held.allows(httpx2.URL("http://pages.example/x")) is True
    assert time.process_time() - started < 30
    assert len(held._rules["http://pages.example/"][1]._user_agents) == 1


def test_only_so_many_servers_are_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(robots, "_MOST", 2)
    held = Robots("Jurybox")
    for number in range(3):
        held.add(httpx2.URL(f"http://{number}.example/a"), "")
    assert list(held._rules) == ["http://1.example/", "http://2.example/"]

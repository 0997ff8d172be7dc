"""Styles and scripts as they are served: joined, and without what only their readers need."""

from pathlib import Path

from django.core.files.base import ContentFile
from django.core.files.storage import InMemoryStorage
from playwright.sync_api import Browser

from config.static_files import compact, is_ours, joined
from tests.services.static_files import FOUND, served

OURS = [name for name, (storage, _path) in FOUND.items() if is_ours(name, storage)]


def test_a_style_takes_in_what_it_imports_in_its_place() -> None:
    storage = InMemoryStorage()
    storage.save("css/all.css", ContentFile('@import url("one.css");\n@import url("two.css");\n'))
    storage.save("css/one.css", ContentFile("a { color: red; }\n"))
    storage.save("css/two.css", ContentFile("a { color: blue; }\n"))
    found = {f"css/{name}.css": (storage, f"css/{name}.css") for name in ("all", "one", "two")}
    assert joined("css/all.css", found) == "a { color: red; }\na { color: blue; }\n"


def test_comments_and_indentation_are_left_out_but_not_what_looks_like_a_comment() -> None:
    script = 'const a = 1; // one\n  // two\n  /* three\n     four */\n  load("https://b");\n'
    assert compact("a.js", script) == 'const a = 1; // one\nload("https://b");\n'
    assert compact("a.css", "/* one */\na {\n  /* two */\n  top: 0;\n}\n") == "a {\ntop: 0;\n}\n"


def test_no_script_has_a_text_of_several_lines_whose_indentation_would_be_lost() -> None:
    for name in OURS:
        if name.endswith(".js"):
            lines = (
                Path(FOUND[name][0].path(FOUND[name][1])).read_text(encoding="utf-8").splitlines()
            )
            assert [line for line in lines if line.count("`") % 2] == [], name


def test_every_script_still_parses(browser: Browser) -> None:
    page = browser.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    scripts = [name for name in OURS if name.endswith(".js")]
    assert len(scripts) > 20
    for name in scripts:
        text = served(name).decode()
        # Within a function that nobody calls: parsed, and not run.
        page.add_script_tag(content=f"() => {{ {text}\n}}")
    page.evaluate("1")
    page.close()
    assert faults == []


def test_nobody_elses_files_are_touched() -> None:
    assert "css/frame.css" in OURS
    assert "slider/form.css" in OURS
    assert not [name for name in OURS if name.startswith(("admin/", "vendor/"))]

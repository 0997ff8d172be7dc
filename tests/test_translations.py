"""Every text that a worker reads can be translated, and is, in each language that we offer."""

import ast
import gettext
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.conf import settings
from django.utils.translation import to_locale

ROOT = Path(settings.BASE_DIR)
OTHERS = [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
# Of the people's room, but only researchers meet what these say.
RESEARCHERS = {"opening", "table", "ledger", "review"}
TEMPLATES = sorted(
    [
        *(ROOT / "templates" / "annotation").glob("*.html"),
        *(ROOT / "tasktypes").rglob("*.html"),
        ROOT / "templates" / "frame.html",
        ROOT / "templates" / "worker.html",
        ROOT / "templates" / "field.html",
        ROOT / "templates" / "404.html",
    ]
)
SCRIPTS = sorted([*(ROOT / "static" / "js").glob("*.js"), *(ROOT / "tasktypes").rglob("*.js")])
STYLES = sorted([*(ROOT / "static" / "css").glob("*.css"), *(ROOT / "tasktypes").rglob("*.css")])
# Names, and the heading of a document without one.
NO_WORDS = {"Jurybox", "Jurybox · Jurybox"}


@dataclass(frozen=True)
class Entry:
    """One text of a catalogue: where it stands, and its translations, one for each plural."""

    files: tuple[str, ...]
    fuzzy: bool
    text: str
    plural: str | None
    translations: tuple[str, ...]

    @property
    def for_workers(self) -> bool:
        return any(_for_workers(Path(name)) for name in self.files)


def _for_workers(file: Path) -> bool:
    if file.parts[0] == "annotation":
        return file.stem not in RESEARCHERS and file.parts[1] != "models"
    # What a type measures is read on the pages of results.
    return ROOT / file in TEMPLATES or (
        file.parts[0] == "tasktypes" and file.stem not in {"measures", "metrics"}
    )


def catalogue(code: str) -> Path:
    return ROOT / "locale" / to_locale(code) / "LC_MESSAGES" / "django.po"


def entries(code: str) -> list[Entry]:
    blocks = catalogue(code).read_text(encoding="utf-8").split("\n\n")
    return [entry for block in blocks if (entry := _entry(block.splitlines())) is not None]


def _entry(lines: list[str]) -> Entry | None:
    parts: dict[str, str] = {}
    name = ""
    for line in lines:
        if found := re.match(r"(msgid_plural|msgid|msgstr(?:\[\d\])?) ", line):
            name = found[1]
        if name and not line.startswith("#"):
            parts[name] = parts.get(name, "") + ast.literal_eval(line[line.index('"') :])
    if not parts.get("msgid"):
        return None
    return Entry(
        files=tuple(" ".join(line[3:] for line in lines if line.startswith("#: ")).split()),
        fuzzy=any(line.startswith("#,") and "fuzzy" in line for line in lines),
        text=parts["msgid"],
        plural=parts.get("msgid_plural"),
        translations=tuple(text for key, text in parts.items() if key.startswith("msgstr")),
    )


def names(text: str) -> set[str]:
    """What is filled in: %(n)s, and %1, [A], [1] by scripts."""
    return set(re.findall(r"%\(\w+\)[sdg]|%%\d|\[[A-Z\d]\]", text))


def test_every_catalogue_belongs_to_a_language_that_we_offer() -> None:
    assert {folder.name for folder in (ROOT / "locale").iterdir()} == set(map(to_locale, OTHERS))


@pytest.mark.parametrize("code", OTHERS)
def test_every_text_of_a_workers_page_is_translated(code: str) -> None:
    read = [entry for entry in entries(code) if entry.for_workers]
    assert len(read) > 350
    lacking = [one.text for one in read if one.fuzzy or not all(one.translations)]
    assert lacking == []


@pytest.mark.parametrize("code", OTHERS)
def test_a_catalogue_holds_what_workers_read_and_nothing_else(code: str) -> None:
    assert [entry.text for entry in entries(code) if not entry.for_workers] == []


@pytest.mark.parametrize("code", OTHERS)
def test_a_translation_fills_in_what_the_text_fills_in(code: str) -> None:
    for one in entries(code):
        wanted = names(one.plural or one.text)
        # One, two and none may be words instead of a number.
        optional = {"%(n)s", "%(counter)s", "%(amount)s"} if one.plural else set()
        for text in filter(None, one.translations):
            assert names(text) <= wanted, text
            assert wanted - names(text) <= optional, text


@pytest.mark.parametrize("code", OTHERS)
def test_a_plural_has_all_forms_of_its_language(code: str) -> None:
    rule = re.search(r"nplurals=(\d)", catalogue(code).read_text(encoding="utf-8"))
    assert rule is not None
    for one in entries(code):
        if one.plural is not None:
            assert len(one.translations) == int(rule[1]), one.text


@pytest.mark.parametrize("code", OTHERS)
def test_a_catalogue_says_whether_it_was_proofread(code: str) -> None:
    header = catalogue(code).read_text(encoding="utf-8").partition("\n\n")[0]
    assert re.findall(r"X-Proofread: (yes|no)\\n", header), header


@pytest.mark.parametrize("code", OTHERS)
def test_the_compiled_catalogue_is_up_to_date(code: str) -> None:
    wanted: dict[str, tuple[str, ...]] = {}
    for one in entries(code):
        if all(one.translations) and not one.fuzzy:
            wanted[one.text] = one.translations
    with catalogue(code).with_suffix(".mo").open("rb") as file:
        compiled: dict[str | tuple[str, int], str] = vars(gettext.GNUTranslations(file))["_catalog"]
    held: dict[str, list[str]] = {}
    for key, text in compiled.items():
        held.setdefault(key if isinstance(key, str) else key[0], []).append(text)
    held.pop("", None)
    assert {key: tuple(texts) for key, texts in held.items()} == wanted


@pytest.mark.parametrize("code", OTHERS)
def test_every_text_that_a_workers_template_marks_is_in_the_catalogue(code: str) -> None:
    known = {one.text for one in entries(code)}
    marked = {text for file in TEMPLATES for text in _marked(file.read_text(encoding="utf-8"))}
    assert len(marked) > 250
    assert marked - known == set()


def _marked(template: str) -> Iterator[str]:
    for _quote, text in re.findall(r"{% translate (['\"])(.*?)\1", template):
        yield text.replace("%", "%%")
    block = r"{% blocktranslate[^%]*%}(.*?){% (?:plural|endblocktranslate) %}"
    for text in re.findall(block, template, re.S):
        yield re.sub(r"{{ (\w+) }}", r"%(\1)s", text)


@pytest.mark.parametrize("file", TEMPLATES, ids=lambda file: file.name)
def test_no_words_of_a_workers_template_escape_translation(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    for part in (
        r"{% comment %}.*?{% endcomment %}",
        r"{% block page_class %}.*?{% endblock %}",
        r"{% blocktranslate.*?{% endblocktranslate %}",
        r"{#.*?#}",
        r"{%.*?%}",
        r"{{.*?}}",
    ):
        text = re.sub(part, "", text, flags=re.S)
    spoken = re.findall(r"\b(?:aria-label|title|alt|placeholder|data-[a-z-]+)=\"([^\"]*)\"", text)
    words = [*re.findall(r">([^<]*)<", re.sub(r"\n\s*", " ", text)), *_sentences(spoken)]
    found = [one.strip() for one in words if re.search(r"[A-Za-z]{2}", re.sub(r"&\w+;", "", one))]
    assert [one for one in found if one.strip(" ·") not in NO_WORDS] == []


def _sentences(attributes: list[str]) -> list[str]:
    """A value such as "labels" is for scripts; words for people have a space or a capital."""
    return [text for text in attributes if re.search(r"[A-Z]|\w \w", text)]


@pytest.mark.parametrize("file", SCRIPTS, ids=lambda file: f"{file.parent.parent.name}-{file.name}")
def test_scripts_hold_no_words_of_their_own(file: Path) -> None:
    code = re.sub(r"/\*.*?\*/|//[^\n]*", "", file.read_text(encoding="utf-8"), flags=re.S)
    shown = r"(?:textContent|innerText|innerHTML|ariaLabel|title)\s*\+?=\s*[\"'`]\s*[A-Za-z]"
    assert not re.search(shown, code)
    assert not re.search(r"(?:alert|confirm|prompt)\(", code)
    assert not re.search(r"[\"'`][A-Z][a-z]+ [a-z]+ ", code), "a sentence"


@pytest.mark.parametrize("file", STYLES, ids=lambda file: f"{file.parent.parent.name}-{file.name}")
def test_styles_know_no_left_and_no_right(file: Path) -> None:
    css = re.sub(r"/\*.*?\*/", "", file.read_text(encoding="utf-8"), flags=re.S)
    assert not re.search(r"(?<![\w-])(?:left|right)\b|-(?:left|right)(?:-[a-z]+)?\s*:", css)

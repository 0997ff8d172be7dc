"""The modules of the program that ask the database for something in which databases differ.

Transactions, locks, constraints, errors and whatever the database computes come from `django.db`
or are methods of query sets; texts and JSON are looked into by lookups. To filter, order and read
rows is the same everywhere.
"""

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests"
SAME_EVERYWHERE = frozenset({"Manager", "Model", "Prefetch", "Q", "QuerySet", "models"})
ATTRIBUTES = {
    *("CheckConstraint", "Count", "Exists", "GeneratedField", "OuterRef", "UniqueConstraint"),
    *("aggregate", "annotate", "distinct", "iterator", "select_for_update"),
    *("bulk_create", "bulk_update", "get_or_create", "update_or_create"),
}
LOOKUPS = (
    *("__contains", "__endswith", "__has_key", "__icontains", "__iexact", "__iregex"),
    *("__istartswith", "__regex", "__startswith", "__date", "__year"),
)
# A file without any of these is not parsed, which takes far longer than to look for them.
SIGNS = re.compile(rf"from django\.db\b|\.({'|'.join(ATTRIBUTES)})\b|({'|'.join(LOOKUPS)})\b")
IMPORTS = re.compile(r"^ *from ([\w.]+) import (?:\(([^)]*)\)|(.*))", re.MULTILINE)
NAMES = re.compile(r"\w+")


@cache
def subjects(test: Path) -> frozenset[Path]:
    """The modules that a file of tests is about, as tests lie where the code lies.

    They are the module or package of its name, what the file takes from the package it lies beside,
    and what these modules take from that package. A file without them goes by addresses.
    """
    home = ROOT / test.parent.relative_to(TESTS)
    if home == ROOT or not home.is_dir():
        return frozenset()
    module = home / test.name.removeprefix("test_")
    package = module.with_suffix("")
    taken = set(_imported(test)) & set(home.rglob("*.py"))
    if module.is_file():
        taken.add(module)
    elif package.is_dir():
        taken.update(package.rglob("*.py"))
    return _with_imports(taken, home)


@cache
def is_peculiar(module: Path) -> bool:
    """Whether the module asks for something in which databases differ."""
    code = module.read_text(encoding="utf-8")
    return SIGNS.search(code) is not None and any(map(_differs, ast.walk(ast.parse(code))))


def taken_from_tests(files: set[Path]) -> frozenset[Path]:
    """These files, and what they take from modules of tests, and so on."""
    return _with_imports(files, TESTS)


def _differs(node: ast.AST) -> bool:
    match node:
        case ast.ImportFrom(module=str(module), names=names):
            names_taken = {name.name for name in names}
            return f"{module}.".startswith("django.db.") and not names_taken <= SAME_EVERYWHERE
        case ast.Attribute(attr=name):
            return name in ATTRIBUTES
        case ast.keyword(arg=str(name)) | ast.Constant(value=str(name)):
            return name.endswith(LOOKUPS)
    return False


def _with_imports(modules: set[Path], home: Path) -> frozenset[Path]:
    """These modules, and what they take from that folder, and so on."""
    found: set[Path] = set()
    while modules:
        found |= modules
        taken = {path for module in modules for path in _imported(module)} - found
        modules = {path for path in taken if path.is_relative_to(home)}
    return frozenset(found)


@cache
def _imported(module: Path) -> frozenset[Path]:
    """The modules of the program that a file imports by absolute names."""
    names = set()
    for package, listed, line in IMPORTS.findall(module.read_text(encoding="utf-8")):
        names |= {package} | {f"{package}.{name}" for name in NAMES.findall(listed or line)}
    return frozenset(path for name in names for path in _files(name))


@cache
def _files(name: str) -> tuple[Path, ...]:
    """The file of a module or package, if it is the program's."""
    path = ROOT.joinpath(*name.split("."))
    return tuple(filter(Path.is_file, (path.with_suffix(".py"), path / "__init__.py")))

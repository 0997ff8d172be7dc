"""What holds of the checkout as a whole."""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest
import yaml
from django.conf import settings

from jurybox.packages import PACKAGES

ROOT: Path = settings.BASE_DIR
BIN = Path(sys.executable).parent
HASHED = ("requirements.txt", "requirements-dev.txt")
LOCKS = (*HASHED, "requirements-models.txt")
# In pieces, or this page would name them, too.
INDEX_HOSTS = tuple(".".join(host) for host in (("pypi", "org"), ("files", "pythonhosted", "org")))
# About 15,000, with room for what is begun.
MOST_LINES = 16_500
PINNED = re.compile(r"^[A-Za-z0-9._-]+(\[[a-z,]+\])?==[^ ;]+( ; .+)?$")


def tracked_files() -> list[Path]:
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        pytest.skip("not a git checkout")
    names = subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True)
    files = [ROOT / name for name in names.split("\0") if name]
    return [file for file in files if file.is_file()]


def direct_dependencies() -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = [project["dependencies"], *project["optional-dependencies"].values()]
    return {re.split(r"[^A-Za-z0-9._-]", line)[0] for group in groups for line in group}


def test_no_tracked_file_names_a_package_index() -> None:
    naming = [
        str(file.relative_to(ROOT))
        for file in tracked_files()
        if any(host.encode() in file.read_bytes() for host in INDEX_HOSTS)
    ]
    assert naming == []


def test_actions_of_others_are_pinned_by_their_commit() -> None:
    files = [ROOT / "action.yml", *(ROOT / ".github/workflows").glob("*.yml")]
    text = "".join(file.read_text(encoding="utf-8") for file in files)
    used = re.findall(r"uses: (\S+)", text)
    assert used
    assert [each for each in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", each)] == []


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_file_pins_every_package_and_holds_no_address(lock: str) -> None:
    lines = (ROOT / lock).read_text(encoding="utf-8").splitlines()
    assert not any("://" in line or "--index" in line or "--find-links" in line for line in lines)
    packages = [line.partition("  #")[0].rstrip(" \\") for line in lines]
    packages = [
        line for line in packages if line and not line.lstrip().startswith(("#", "--hash="))
    ]
    assert [line for line in packages if not PINNED.match(line)] == []


@pytest.mark.parametrize("lock", HASHED)
def test_every_package_of_a_lock_file_has_hashes(lock: str) -> None:
    lines = (ROOT / lock).read_text(encoding="utf-8").splitlines()
    followed = zip(lines, [*lines[1:], ""], strict=True)
    packages = [(line, after) for line, after in followed if re.match(r"[^ #]+==", line)]
    assert packages != []
    assert [line for line, after in packages if not after.startswith("    --hash=sha256:")] == []


def test_what_is_tested_is_what_runs() -> None:
    core, dev, models = (
        {
            re.split(r"[#;\\]", line)[0].strip()
            for line in (ROOT / lock).read_text(encoding="utf-8").splitlines()
            if "==" in line
        }
        for lock in LOCKS
    )
    assert core <= dev
    assert core <= models


def test_local_models_are_locked_without_the_libraries_of_one_kind_of_card() -> None:
    text = (ROOT / "requirements-models.txt").read_text(encoding="utf-8")
    assert "torch==" in text
    assert re.findall(r"^(?:nvidia|cuda|triton).*", text, re.MULTILINE) == []


def test_every_direct_dependency_has_its_reason_and_no_other_is_listed() -> None:
    page = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([A-Za-z0-9-]+) \| (.+) \|$", page, flags=re.MULTILINE)
    reasons = {name: reason for name, reason in rows if name != "package"}
    assert set(reasons) == direct_dependencies()


def test_every_direct_dependency_is_locked() -> None:
    text = "\n".join((ROOT / lock).read_text(encoding="utf-8") for lock in LOCKS)
    locked = re.findall(r"^([^=\n]+)==", text, re.MULTILINE)
    missing = {name.lower() for name in direct_dependencies()} - set(locked)
    assert missing == set()


def test_the_compose_file_is_valid() -> None:
    compose, schema = str(ROOT / "docker-compose.yml"), "vendor.compose-spec"
    subprocess.run([BIN / "check-jsonschema", "--builtin-schema", schema, compose], check=True)


def test_the_compose_file_keeps_no_secret_and_publishes_only_the_web() -> None:
    text = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    compose = yaml.safe_load(text)["services"]
    assert [name for name, service in compose.items() if "ports" in service] == ["web"]
    secrets = [line for line in text.splitlines() if re.search(r"(KEY|PASSWORD): ", line)]
    assert secrets != []
    assert [line for line in secrets if ":?must be set}" not in line] == []


def test_no_container_gains_a_right_writes_to_its_image_or_takes_all_memory() -> None:
    text = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    for name, service in yaml.safe_load(text)["services"].items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert "cap_add" not in service, name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["mem_limit"], name
        assert any(mount.startswith("/tmp:size=") for mount in service["tmpfs"]), name
        assert "privileged" not in service, name


def test_settings_that_are_refused_do_not_hold_up_the_start_for_ever() -> None:
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))["services"]
    assert "check --deploy --fail-level ERROR" in compose["migrate"]["command"][-1]
    assert compose["migrate"]["restart"] == "on-failure:3"


def test_every_base_image_can_be_named_by_its_digest() -> None:
    compose = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    docker = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert re.findall(r"^FROM (.+)$", docker, re.MULTILINE) == ["${PYTHON_IMAGE}"]
    images = re.findall(r"^ +image: (.+)$", compose, re.MULTILINE)
    assert [name for name in images if name != "jurybox" and "_IMAGE:-" not in name] == []
    guide = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    for name in ("PYTHON_IMAGE", "POSTGRES_IMAGE", "REDIS_IMAGE"):
        assert name in compose
        assert name in guide


def test_the_image_takes_every_package_of_the_program_along() -> None:
    taken = {
        line.removeprefix("!")
        for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
        if line.startswith("!")
    }
    layers = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packages = set(layers["tool"]["importlinter"]["root_packages"])
    files = {"manage.py", "pyproject.toml", "requirements.txt", "requirements-models.txt"}
    assert packages | files | {"templates", "static", "locale", "examples"} <= taken


def test_imports_go_down_the_house_only() -> None:
    done = subprocess.run(
        [BIN / "lint-imports", "--no-cache", "--no-logo"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def siblings_in(folder: str) -> set[str]:
    """The modules and packages of a folder that may not import one another."""
    files = [file for file in tracked_files() if file.is_relative_to(ROOT / folder)]
    names = {file.relative_to(ROOT / folder).parts[0].removesuffix(".py") for file in files}
    common = {"__init__", "contract", "registry"}  # and what several of them share:
    common |= {"conversation", "refusals", "thresholds", "local_model", "server_names"}
    common |= {"received_text", "endpoints", "factory", "local"}
    return {f"{folder.replace('/', '.')}.{name}" for name in names - common}


def test_every_task_type_method_and_backend_is_kept_from_its_siblings() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    apart = {
        module
        for contract in contracts
        if contract["type"] == "independence"
        for module in contract["modules"]
    }
    task_types = {
        f"tasktypes.{file.parent.name}" for file in (ROOT / "tasktypes").glob("*/schema.py")
    }
    # The wildcard of the methods, whoever comes.
    assert task_types | {"judges.methods.*"} | siblings_in("judges/backends") == apart


def modules_imported_by(file: Path) -> set[str]:
    """Every dotted name that an import of this file may mean, names imported from a module too."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def test_no_module_imports_from_a_module_of_tests() -> None:
    # What several modules of tests use lies in a module named by what it holds, or in a conftest.
    importing = {
        str(file.relative_to(ROOT)): names
        for file in tracked_files()
        if file.suffix == ".py" and file.is_relative_to(ROOT / "tests")
        if (names := {n for n in modules_imported_by(file) if re.match(r"tests\..*\btest_", n)})
    }
    assert importing == {}


def test_the_tests_of_a_package_lie_in_the_folder_of_its_name() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packages = project["tool"]["importlinter"]["root_packages"]
    folders = {
        file.parent.relative_to(ROOT / "tests")
        for file in tracked_files()
        if file.is_relative_to(ROOT / "tests") and file.name.startswith("test_")
    }
    strays = {f for f in folders if f.parts and f.parts[0] in packages and not (ROOT / f).is_dir()}
    assert strays == set()


def test_no_folder_of_the_program_has_more_than_22_entries() -> None:
    entries: dict[Path, set[str]] = {}
    for file in tracked_files():
        parts = file.relative_to(ROOT).parts
        if parts[0] in PACKAGES:
            for depth in range(1, len(parts)):
                entries.setdefault(Path(*parts[:depth]), set()).add(parts[depth])
    data = {"prompts", "templates", "foreign", "texts"}
    packages = {folder: names for folder, names in entries.items() if folder.name not in data}
    assert {str(folder): len(names) for folder, names in packages.items() if len(names) > 22} == {}


def test_no_app_outgrows_what_one_person_can_hold_in_mind() -> None:
    lines = Counter[str]()
    for file in tracked_files():
        parts = file.relative_to(ROOT).parts
        if parts[0] in PACKAGES and file.suffix == ".py" and "migrations" not in parts:
            lines[parts[0]] += len(file.read_bytes().splitlines())
    assert {app: n for app, n in lines.items() if n > MOST_LINES} == {}

"""What an installed package brings, and that it runs beside packages of the same names."""

import ast
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import packages_distributions, requires
from pathlib import Path

import pytest
from django.conf import settings
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import agreement
from docs.generate import commands
from jurybox import __version__
from jurybox.launcher import RENAMED
from jurybox.overview import COMMANDS, overview
from jurybox.packages import PACKAGES

ROOT: Path = settings.BASE_DIR
INFO = f"jurybox_core-{__version__}.dist-info"
# What develops the program: everything else at the top of the repository is installed.
NOT_INSTALLED = frozenset({"tests", "bench", "docs", ".ci", ".github"})
BUILD = "import sys, hatchling.build; print(hatchling.build.build_wheel(sys.argv[1]))"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("hatchling", reason="hatchling, which builds the wheel, is not installed")
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-c", BUILD, str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (file,) = folder.glob("*.whl")
    return file


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of packages with the wheel and somebody else's `agreement` and `config`."""
    folder = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    for name in ("agreement", "config"):
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text("OWNER = 'somebody else'\n")
    return folder


def run(site: Path, home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Python, in the folder of the other packages, so that they come first on the path."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=site,
        env={"PATH": os.environ["PATH"], "HOME": str(home), "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=False,
    )


def packaged(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def shipped_folders() -> dict[str, str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    included: dict[str, str] = wheel["force-include"]
    return included


def test_a_wheel_takes_one_name_alone(wheel: Path) -> None:
    assert {name.split("/")[0] for name in packaged(wheel)} == {"jurybox", INFO}


def test_a_wheel_holds_every_tracked_file_of_the_program_and_nothing_else(wheel: Path) -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    folders = [*shipped_folders(), "jurybox"]
    listed = subprocess.check_output(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *folders],
        cwd=ROOT,
        text=True,
    )
    tracked = {name for name in listed.split("\0") if name and (ROOT / name).is_file()}
    expected = {f"jurybox/{name.removeprefix('jurybox/')}" for name in tracked}
    assert {name for name in packaged(wheel) if not name.startswith(INFO)} == expected


def folders_of_the_repository() -> set[str]:
    """Top-level folders that hold anything tracked or about to be."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.check_output(command, cwd=ROOT, text=True).split("\0")
    return {name.split("/")[0] for name in listed if "/" in name and (ROOT / name).is_file()}


def test_every_folder_of_the_repository_that_runs_is_in_wheel_and_image() -> None:
    folders = folders_of_the_repository() - NOT_INSTALLED
    included = shipped_folders()
    assert set(included) == folders - {"jurybox"} | {"manage.py"}
    assert set(included.values()) == {f"jurybox/{name}" for name in included}
    image = (ROOT / ".dockerignore").read_text(encoding="utf-8")
    taken = {line.removeprefix("!") for line in image.splitlines() if line.startswith("!")}
    assert folders | {"manage.py"} <= taken


def test_every_folder_of_the_repository_is_in_the_source_archive() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    taken = project["tool"]["hatch"]["build"]["targets"]["sdist"]["only-include"]
    assert folders_of_the_repository() - {".ci", ".github"} <= set(taken)
    assert [name for name in taken if not (ROOT / name).exists()] == []


def test_every_package_takes_its_name_when_the_program_starts() -> None:
    packages = {name for name in shipped_folders() if (ROOT / name / "__init__.py").is_file()}
    assert set(PACKAGES) == packages
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert set(project["tool"]["importlinter"]["root_packages"]) == packages


def test_the_launcher_runs_manage_py_which_does_not_know_the_launcher() -> None:
    def imported_by(path: Path, met: frozenset[str] = frozenset()) -> set[str]:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        inner = {str(name) for name in names if str(name).startswith("jurybox.")} - met
        return inner.union(
            *(imported_by(ROOT / f"{name.replace('.', '/')}.py", met | inner) for name in inner)
        )

    assert imported_by(ROOT / "manage.py") == {"jurybox.packages"}
    assert "jurybox.packages" in imported_by(ROOT / "jurybox/launcher.py")


def test_an_installed_program_is_found_before_packages_of_the_same_names(
    site: Path, tmp_path: Path
) -> None:
    done = run(site, tmp_path, "-m", "jurybox", "--version")
    assert (done.stdout, done.stderr) == (f"jurybox {__version__}\n", "")
    done = run(site, tmp_path, "-m", "jurybox", "celery", "-A", "config", "report")
    assert '"config.settings"' in done.stdout, done.stderr


def test_statistics_alone_leave_other_packages_their_names(site: Path, tmp_path: Path) -> None:
    code = """
import agreement, config, sys
from jurybox.agreement import cv_star
print(agreement.OWNER, config.OWNER, round(cv_star([1.48, 2.18]).value, 2), "django" in sys.modules)
"""
    done = run(site, tmp_path, "-c", code)
    assert done.stdout == "somebody else somebody else 38.14 False\n", done.stderr


def test_labels_are_checked_with_the_packages_of_the_light_distribution_alone(
    site: Path, tmp_path: Path
) -> None:
    code = """
import sys
for name in sys.argv.pop(1).split(","):
    sys.modules[name] = None  # as if it were not installed
import jurybox.client
from jurybox.launcher import main
main()
"""
    file = tmp_path / "labels.csv"
    file.write_text("id,human_1,human_2,gpt-4o\n" + "q1,1,2,1\nq2,3,3,3\nq3,2,2,1\n")
    heavy = ",".join(sorted(installed_modules() - light_packages()))
    done = run(site, tmp_path, "-c", code, heavy, "check", str(file))
    assert "Agreement of people" in done.stdout, done.stderr
    done = run(site, tmp_path, "-c", code, heavy, "demo")
    assert done.stderr == "jurybox demo needs the whole program: pip install jurybox\n"
    done = run(site, tmp_path, "-c", code, heavy, "--version")
    assert done.stdout == f"jurybox {__version__}\n"


def installed_modules() -> set[str]:
    """But for one that scipy looks for among the loaded modules."""
    return {name for name in packages_distributions() if name.isidentifier()} - {"torch"}


def light_packages() -> set[str]:
    """The modules of what jurybox-core depends on, and of what these depend on."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    waiting, met = [Requirement(line).name for line in project["dependencies"]], set[str]()
    while waiting:
        name = canonicalize_name(waiting.pop())
        if name not in met:
            met.add(name)
            needed = map(Requirement, requires(name) or ())
            waiting += [
                each.name
                for each in needed
                if not each.marker or each.marker.evaluate({"extra": ""})
            ]
    assert len(met) <= 20
    return {
        module
        for module, names in packages_distributions().items()
        if met & {canonicalize_name(name) for name in names}
    }


def test_an_installed_program_keeps_nothing_in_its_own_folder(site: Path, tmp_path: Path) -> None:
    before = sorted(file for file in site.rglob("*") if "__pycache__" not in file.parts)
    done = run(site, tmp_path, "-m", "jurybox", "report", "mine")
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"CommandError: no database in {tmp_path}/")
    assert "jurybox migrate" in line
    done = run(site, tmp_path, "-m", "jurybox", "doctor", "--port", "1")
    assert f"data: {tmp_path}/" in done.stdout, done.stderr
    assert "there is none yet; jurybox start makes one" in done.stdout
    assert [*tmp_path.rglob("*.sqlite3")] == []
    after = sorted(file for file in site.rglob("*") if "__pycache__" not in file.parts)
    assert after == before


def test_the_version_is_the_same_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["dynamic"] == ["version"]
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    whole = tomllib.loads((ROOT / ".ci/jurybox/pyproject.toml").read_text(encoding="utf-8"))[
        "project"
    ]
    assert whole["version"] == __version__
    asked = [whole["dependencies"], *whole["optional-dependencies"].values()]
    assert {line.partition("==")[2] for lines in asked for line in lines} == {__version__}
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"\n## {__version__} - " in changes


def test_the_command_alone_lists_every_command_of_the_program(site: Path, tmp_path: Path) -> None:
    listed = [name for group in COMMANDS.values() for name in group]
    assert sorted(RENAMED.get(name, name) for name in listed) == sorted(commands.names())
    done = run(site, tmp_path, "-m", "jurybox")
    assert (done.stdout, done.stderr) == (overview(__version__) + "\n", "")
    assert [*tmp_path.iterdir()] == []


def test_a_table_is_checked_by_an_installed_program_which_leaves_nothing_behind(
    site: Path, tmp_path: Path
) -> None:
    file, home = tmp_path / "labels.csv", tmp_path / "home"
    home.mkdir()
    file.write_text(
        "id,human_1,human_2,gpt-4o\nq1,pass,pass,pass\nq2,fail,fail,pass\nq3,pass,fail,pass\n"
        "q4,fail,fail,fail\n"
    )
    done = run(site, home, "-m", "jurybox", "check", str(file), "--fail-under", "2", "--point")
    assert "Agreement of people" in done.stdout, done.stderr
    assert done.returncode == 1, done.stderr
    done = run(site, home, "-m", "jurybox", "check", "--help")
    assert done.stdout.startswith("usage: jurybox check [-h]"), done.stderr
    assert [*home.iterdir()] == []


@pytest.mark.parametrize("page", ["functions.md", "check.md"])
def test_examples_of_statistics_run_where_the_wheel_is_installed(
    site: Path, tmp_path: Path, page: str
) -> None:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    example = re.search(r"```python\n(from jurybox\.agreement import .*?)```", text, re.DOTALL)
    assert example
    done = run(
        site, tmp_path, "-c", example[1] + "\nimport sys; assert 'django' not in sys.modules"
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_statistics_of_a_wheel_are_those_of_the_repository(site: Path, tmp_path: Path) -> None:
    code = "import jurybox.agreement as a; print(*a.__all__)"
    assert run(site, tmp_path, "-c", code).stdout.split() == [*agreement.__all__]

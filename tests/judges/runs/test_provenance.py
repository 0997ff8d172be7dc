"""Which code a run was made with: read from git's own files, without git."""

from pathlib import Path

from judges.runs.provenance import code_version, commit_of

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def write(git: Path, name: str, text: str) -> None:
    (git / name).parent.mkdir(parents=True, exist_ok=True)
    (git / name).write_text(text + "\n", encoding="utf-8")


def test_the_commit_of_a_branch_is_found(tmp_path: Path) -> None:
    write(tmp_path, "HEAD", "ref: refs/heads/main")
    write(tmp_path, "refs/heads/main", COMMIT)
    assert commit_of(tmp_path) == COMMIT


def test_the_commit_of_a_packed_branch_is_found(tmp_path: Path) -> None:
    write(tmp_path, "HEAD", "ref: refs/heads/main")
    write(
        tmp_path,
        "packed-refs",
        f"# pack-refs\n{'f' * 40} refs/heads/other\n{COMMIT} refs/heads/main",
    )
    assert commit_of(tmp_path) == COMMIT


def test_a_detached_head_is_the_commit_itself(tmp_path: Path) -> None:
    write(tmp_path, "HEAD", COMMIT)
    assert commit_of(tmp_path) == COMMIT


def test_without_git_there_is_no_commit_but_a_version(tmp_path: Path) -> None:
    assert commit_of(tmp_path / "nowhere") == ""
    assert code_version().startswith("0.")

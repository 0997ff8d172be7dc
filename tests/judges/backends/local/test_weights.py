"""Which model it is: folders by their files, repositories by their commit, and what is refused."""

import json
from pathlib import Path

import pytest

from judges.backends.local import weights as found
from judges.backends.local.weights import UnusableModel, Weights, config_of, fingerprint, pinned
from tests.services.ports import free_port

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture(autouse=True)
def _no_packages_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is tested here loads no model."""
    monkeypatch.setattr(found, "check_packages", lambda: None)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "model"
    made.mkdir()
    (made / "config.json").write_text('{"id2label": {"0": "yes"}}')
    (made / "model.safetensors").write_bytes(bytes(1000))
    (made / "README.md").write_text("About this model.")
    return made


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder as the hub's library fills it, with one model in it, and no hub to be reached."""
    constants = pytest.importorskip("huggingface_hub.constants")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(constants, "ENDPOINT", f"http://127.0.0.1:{free_port()}")
    repository = tmp_path / "models--some--model"
    (repository / "refs").mkdir(parents=True)
    (repository / "refs" / "main").write_text(COMMIT)
    snapshot = repository / "snapshots" / COMMIT
    snapshot.mkdir(parents=True)
    (snapshot / "config.json").write_text("{}")
    return tmp_path


def test_a_folder_is_known_by_its_full_path_and_its_files(folder: Path) -> None:
    model = pinned(str(folder.parent / "." / "model"))
    assert model.name == str(folder)
    assert model.revision == fingerprint(folder)
    assert model.revision.startswith("sha256:")
    assert config_of(model)["id2label"] == {"0": "yes"}
    assert model.source["local_files_only"] is True


def test_other_weights_are_another_revision_and_other_words_about_them_are_not(
    folder: Path,
) -> None:
    model = pinned(str(folder))
    (folder / "README.md").write_text("About this very model.")
    model.check_unchanged()
    (folder / "model.safetensors").write_bytes(bytes(999) + b"x")
    with pytest.raises(UnusableModel, match="has changed since the judge was defined"):
        model.check_unchanged()
    with pytest.raises(UnusableModel, match="has not the revision sha256:"):
        pinned(str(folder), model.revision)


def test_of_a_large_file_pieces_are_read_and_they_tell_a_change(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(found, "_WHOLE_BYTES", 100)
    monkeypatch.setattr(found, "_PIECE_BYTES", 4)
    before = fingerprint(folder)
    (folder / "model.safetensors").write_bytes(b"y" * 1000)
    assert fingerprint(folder) != before
    pieces = list(found._pieces(1000))
    assert len(pieces) == 64
    assert (pieces[0], pieces[-1]) == ((0, 4), (996, 4))


def test_a_folder_that_holds_no_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnusableModel, match=r"holds no config\.json"):
        pinned(str(tmp_path))
    with pytest.raises(UnusableModel, match="there is no folder /nowhere/at/all"):
        pinned("/nowhere/at/all")
    with pytest.raises(UnusableModel, match="name a folder or a model on the hub"):
        pinned("")


@pytest.mark.parametrize("content", ["{", "[]"])
def test_a_config_that_cannot_be_read_is_refused(folder: Path, content: str) -> None:
    (folder / "config.json").write_text(content)
    with pytest.raises(UnusableModel, match=r"is not JSON|is not an object"):
        config_of(pinned(str(folder)))


def test_a_folder_that_has_gone_is_told(folder: Path) -> None:
    model = Weights(str(folder / "gone"), "sha256:00")
    with pytest.raises(UnusableModel, match="there is no folder"):
        model.check_unchanged()


def test_a_model_of_the_hub_is_pinned_to_the_commit_that_this_machine_holds(cache: Path) -> None:
    model = pinned("some/model")
    assert model == Weights("some/model", COMMIT)
    assert model.source == {"pretrained_model_name_or_path": "some/model", "revision": COMMIT}
    model.check_unchanged()


def test_a_commit_that_is_given_is_taken_as_it_is(cache: Path) -> None:
    assert pinned("other/model", COMMIT).revision == COMMIT


def test_where_no_hub_can_be_reached_the_reason_is_told(cache: Path) -> None:
    with pytest.raises(UnusableModel, match=r"other/model is not on this .*, and the hub failed"):
        pinned("other/model")


def test_a_packaged_model_without_its_package_names_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(found, "PACKAGED", {"a-model": ("no_such_package", "model")})
    with pytest.raises(UnusableModel, match=r"a-model needs the packages of the extra `models`"):
        pinned("a-model")


def test_a_name_too_long_to_be_kept_is_refused(tmp_path: Path) -> None:
    deep = tmp_path / ("x" * 100) / ("y" * 100)
    deep.mkdir(parents=True)
    (deep / "config.json").write_text(json.dumps({}))
    with pytest.raises(UnusableModel, match="longer than 200 characters"):
        pinned(str(deep))

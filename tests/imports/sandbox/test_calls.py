"""Strangers' files are read in a process of its own, whose end is a sentence."""

import logging
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from files.errors import ImportFailure, RecordPlace
from imports.sandbox.calls import FILES, call_apart, stream_apart
from imports.sandbox.limits import Limits
from tests.imports.sandbox import behaviours

FILE = Path("some.csv")
# A process that has loaded nothing that reads files: it starts in a fraction of the time.
LIGHT = "from imports.sandbox.process import main; main(is_loaded=False)"
TIGHT = Limits(memory=200 * 2**20, cpu=1)


@pytest.fixture(scope="module", autouse=True)
def light_process() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(FILES, "serve", LIGHT)
        patch.setattr(FILES, "idle", [])
        yield
        FILES.close()


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_one_process_reads_file_after_file() -> None:
    first = call_apart(behaviours.process_id, FILE)
    assert first != os.getpid()
    with pytest.raises(ImportFailure):
        call_apart(behaviours.refuse, FILE)
    assert call_apart(behaviours.process_id, FILE) == first


def test_a_refusal_comes_back_with_the_record_that_it_is_about() -> None:
    with pytest.raises(ImportFailure, match=r"^some.csv:3: JSON: no JSON$") as refused:
        call_apart(behaviours.refuse, FILE)
    where = refused.value.where
    assert isinstance(where, RecordPlace)
    assert (where.file, where.raw) == (FILE, b"{x")


def test_a_file_that_takes_too_much_memory_is_refused() -> None:
    assert call_apart(behaviours.take_memory, FILE, 50, limits=TIGHT) == 50 * 2**20
    with pytest.raises(ImportFailure, match="more than 200 MiB of memory: refused"):
        call_apart(behaviours.take_memory, FILE, 300, limits=TIGHT)


def test_a_file_that_takes_too_long_is_refused() -> None:
    with pytest.raises(ImportFailure, match="more than 1 seconds: refused"):
        call_apart(behaviours.compute, FILE, limits=TIGHT)


def test_a_process_that_hangs_is_ended() -> None:
    with pytest.raises(ImportFailure, match="more than 1 seconds: refused"):
        call_apart(behaviours.hang, FILE, limits=TIGHT)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGABRT, signal.SIGSEGV])
def test_a_process_that_is_killed_refuses_its_file_and_the_next_one_is_read(
    number: signal.Signals,
) -> None:
    with pytest.raises(ImportFailure, match="of memory: refused"):
        call_apart(behaviours.end_by, FILE, number)
    assert is_running(call_apart(behaviours.process_id, FILE))


def test_what_nobody_foresaw_is_a_sentence_for_the_user_and_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with (
        caplog.at_level(logging.ERROR),
        pytest.raises(ImportFailure, match=r"some.csv: file: cannot be read \(Panic\)"),
    ):
        call_apart(behaviours.panic, FILE)
    (record,) = caplog.records
    assert "index out of bounds" in record.traceback  # type: ignore[attr-defined]


def test_what_calls_itself_for_ever_is_refused() -> None:
    with pytest.raises(ImportFailure, match="nested too deeply"):
        call_apart(behaviours.call_itself, FILE)


def test_a_record_of_any_size_is_not_taken_over() -> None:
    assert len(call_apart(behaviours.text_of, FILE, 20)) == 20 * 2**20
    with pytest.raises(ImportFailure, match="a record of more than 32 MiB: refused"):
        call_apart(behaviours.text_of, FILE, 33)


def test_values_come_in_their_order() -> None:
    assert list(stream_apart(behaviours.count_up, FILE, 100_000)) == list(range(100_000))


def test_whoever_wants_no_more_ends_the_process() -> None:
    process = call_apart(behaviours.process_id, FILE)
    with closing(stream_apart(behaviours.count_up, FILE, 10**9)) as values:
        assert [next(values), next(values)] == [0, 1]
    assert not is_running(process)


def test_who_asked_can_stop_it_meanwhile() -> None:
    class NoLongerWanted(Exception):
        pass

    def stop() -> None:
        raise NoLongerWanted

    with pytest.raises(NoLongerWanted):
        call_apart(behaviours.hang, FILE, tick=stop)


def test_only_so_many_files_are_read_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FILES, "free", threading.BoundedSemaphore(1))
    with closing(stream_apart(behaviours.count_up, FILE, 10**9)) as values:
        next(values)
        with pytest.raises(ImportFailure, match="other files are being read just now"):
            call_apart(behaviours.process_id, FILE, limits=Limits(memory=2**30, cpu=0))
    assert call_apart(behaviours.process_id, FILE)


def test_a_process_that_was_taken_over_has_nothing_called_here() -> None:
    first = call_apart(behaviours.process_id, FILE)
    with pytest.raises(ImportFailure, match="could not be read"):
        call_apart(behaviours.disguise, FILE)
    assert call_apart(behaviours.process_id, FILE) != first

"""The broker of the embedded setting: plain files."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from kombu import Connection

from config.embedded import file_broker_options

MESSAGES = 1000


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Connection]:
    options = {**file_broker_options(tmp_path), "polling_interval": 0.0001}
    with Connection(
        "filesystem://", transport="config.broker:Transport", transport_options=options
    ) as connection:
        yield connection


def test_a_message_is_never_read_before_it_is_written_whole(broker: Connection) -> None:
    def send() -> None:
        with broker.clone() as connection:
            queue = connection.SimpleQueue("work")
            for number in range(MESSAGES):
                queue.put(number)
                time.sleep(0.001)  # the reader catches up and waits for the very moment

    sender = threading.Thread(target=send)
    sender.start()
    queue = broker.SimpleQueue("work")
    received = []
    for _ in range(MESSAGES):
        message = queue.get(timeout=5)
        message.ack()
        received.append(message.payload)
    sender.join()
    assert received == list(range(MESSAGES))


def test_two_queues_do_not_take_each_others_messages(broker: Connection) -> None:
    first, second = broker.SimpleQueue("first"), broker.SimpleQueue("second")
    first.put("for the first")
    with pytest.raises(second.Empty):
        second.get(timeout=0.05)
    assert first.get(timeout=1).payload == "for the first"


def test_a_read_message_leaves_no_file(broker: Connection, tmp_path: Path) -> None:
    queue = broker.SimpleQueue("work")
    queue.put("once")
    queue.get(timeout=1).ack()
    assert list(tmp_path.iterdir()) == []

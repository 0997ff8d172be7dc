"""Free ports for servers of the tests."""

import random
import socket
from itertools import chain

# Below the range from which the kernel takes the ports of outgoing connections: under load those
# collide with a server's port between its choice and its start.
LOWEST, HIGHEST = 20_000, 32_000


def free_port() -> int:
    """Return a port of the loopback interface that nobody listens on or has just left."""
    start = random.SystemRandom().randrange(LOWEST, HIGHEST)  # parallel runs look in other places
    for port in chain(range(start, HIGHEST), range(LOWEST, start)):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise RuntimeError("no free port on the loopback interface")

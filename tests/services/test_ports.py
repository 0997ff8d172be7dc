from tests.services.ports import free_port


def test_a_free_port_lies_below_those_of_outgoing_connections() -> None:
    assert free_port() < 32768

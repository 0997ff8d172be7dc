"""Which addresses may be gone to."""

import pytest

from retrieval.addresses import is_of_own_network, is_public

REFUSED = """
    127.0.0.1 127.255.255.254 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 0.0.0.0 0.1.2.3
    100.64.0.1 100.100.100.200 169.254.169.254 169.254.170.2 192.0.0.192 168.63.129.16 198.18.0.1
    192.0.2.1 198.51.100.7 203.0.113.9 192.88.99.1 224.0.0.1 239.255.255.250 240.0.0.1
    255.255.255.255
    :: ::1 ::127.0.0.1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:169.254.169.254 ::ffff:8.8.8.8
    ::ffff:0:127.0.0.1 fe80::1 fe80::1%eth0 fec0::1 fc00::1 fd00:ec2::254 ff02::1 100::1
    64:ff9b::127.0.0.1 64:ff9b::10.0.0.1 64:ff9b::169.254.169.254 64:ff9b:1::8.8.8.8
    2002:7f00:1:: 2002:a9fe:a9fe:: 2002:808:808:: 2001:0:4136:e378:8000:63bf:3fff:fdd2
    2001:db8::1 3fff::1 2001:2::1 2a01:4f8::5efe:7f00:1 2a01:4f8::200:5efe:10.0.0.1
"""
OPEN = """
    8.8.8.8 93.184.215.14 1.1.1.1 172.15.255.255 172.32.0.1 100.63.0.1 100.128.0.1 169.253.0.1
    192.0.1.1 198.20.0.1 223.255.255.255 2606:4700:4700::1111 2a00:1450:4001:830::200e
    2001:4860:4860::8888 64:ff9b::8.8.8.8 2620:fe::fe
"""


@pytest.mark.parametrize("address", REFUSED.split())
def test_an_address_that_is_not_of_the_public_internet_is_refused(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", OPEN.split())
def test_an_address_of_the_public_internet_is_open(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "text", ["", "pages.example", "8.8.8", "8.8.8.8.8", "0x7f.1", "2130706433"]
)
def test_what_is_no_address_is_refused(text: str) -> None:
    assert not is_public(text)


@pytest.mark.parametrize(
    ("address", "is_own"),
    [
        ("127.0.0.1", True),
        ("10.1.2.3", True),
        ("172.16.0.1", True),
        ("192.168.1.1", True),
        ("::1", True),
        ("fd12::1", True),
        ("169.254.169.254", False),
        ("100.100.100.200", False),
        ("168.63.129.16", False),
        ("fd00:ec2::254", False),
        ("fe80::1", False),
        ("::ffff:127.0.0.1", False),
        ("0.0.0.0", False),
        ("8.8.8.8", False),
        ("lab", False),
    ],
)
def test_the_own_network_holds_no_metadata_of_a_cloud(address: str, *, is_own: bool) -> None:
    assert is_of_own_network(address) == is_own

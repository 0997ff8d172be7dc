"""Which IP addresses may be fetched: those of the public internet.

A link comes from a text that anybody may have written. Fetched from here, it could reach services
that only this machine can reach: its own, its neighbours', the cloud provider's metadata with its
keys. So every other address is refused. The tables follow IANA's registries of special-purpose
addresses, not the standard library, whose tables change from version to version.
"""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

_NOT_PUBLIC_4 = tuple(
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # shared by carriers; metadata of one provider
        "127.0.0.0/8",  # loopback
        "168.63.129.16/32",  # a provider's own service, at a public address
        "169.254.0.0/16",  # link-local; metadata of most providers
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocol assignments; metadata of one provider
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",  # private
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, broadcast
    )
)
# Where machines of a laboratory are. Not 100.64.0.0/10, which holds a provider's metadata.
_OWN_4 = tuple(
    IPv4Network(network)
    for network in ("10.0.0.0/8", "127.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")
)
_OWN_6, _METADATA_6 = IPv6Network("fc00::/7"), IPv6Network("fd00:ec2::/32")
# All public addresses are inside; loopback, link-local, site-local, unique local (with the
# metadata at fd00:ec2::254), multicast and IPv4-mapped addresses are outside.
_UNICAST_6 = IPv6Network("2000::/3")
_NOT_PUBLIC_6 = tuple(
    IPv6Network(network)
    for network in (
        "2001::/23",  # protocol assignments, Teredo, benchmarks
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4: an IPv4 address inside
        "3fff::/20",  # documentation
    )
)
# How a network without IPv4 writes public IPv4 addresses.
_NAT64 = IPv6Network("64:ff9b::/96")
# Interface identifiers of ISATAP tunnels, with an IPv4 address behind them.
_ISATAP = (0x0000_5EFE, 0x0200_5EFE)


def is_public(address: str) -> bool:
    """Whether an IP address, given as text, is on the public internet."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    return _is_public_6(parsed) if isinstance(parsed, IPv6Address) else _is_public_4(parsed)


def is_of_own_network(address: str) -> bool:
    """Whether an IP address, given as text, is of this machine or of a private network."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    if isinstance(parsed, IPv4Address):
        return any(parsed in network for network in _OWN_4)
    return parsed.is_loopback or (parsed in _OWN_6 and parsed not in _METADATA_6)


def _is_public_4(address: IPv4Address) -> bool:
    return not any(address in network for network in _NOT_PUBLIC_4)


def _is_public_6(address: IPv6Address) -> bool:
    if address.scope_id:
        return False
    bits = int(address)
    if address in _NAT64:
        return _is_public_4(IPv4Address(bits & 0xFFFF_FFFF))
    if (bits >> 32) & 0xFFFF_FFFF in _ISATAP:
        return False
    return address in _UNICAST_6 and not any(address in network for network in _NOT_PUBLIC_6)

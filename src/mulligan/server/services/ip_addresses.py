"""Tells IP addresses from host names."""

import ipaddress


def is_address(host: str) -> bool:
    """True if a host is written as a number, and not as a name."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True

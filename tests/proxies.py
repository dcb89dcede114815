"""The proxy configurations of deploy/, for the ports of a test."""

import re
from collections.abc import Sequence
from pathlib import Path

DEPLOY = Path(__file__).parents[1] / "deploy"
EXAMPLES = ("127.0.0.1:8001", "127.0.0.1:8002")


def haproxy_config(port: int, addresses: Sequence[str]) -> str:
    """Without HTTPS, and for as many servers as there are addresses."""
    text = (DEPLOY / "haproxy.cfg").read_text(encoding="utf-8")
    text = re.sub(r"^  bind :443.*\n|^.*redirect scheme https.*\n|^  log .*\n", "", text, flags=re.M)
    text = text.replace("bind :80", f"bind 127.0.0.1:{port}").replace("golf.example.org", "localhost")
    text = text.replace("inter 1s", "inter 200ms").replace("maxconn 50000", "maxconn 1000")
    text = re.sub(r"^  server two .*\n", "", text, flags=re.M)
    servers = "".join(f"  server s{number} {address}\n" for number, address in enumerate(addresses))
    return re.sub(r"^  server one .*\n", servers, text, flags=re.M)


def with_addresses(text: str, addresses: Sequence[str]) -> str:
    for example, real in zip(EXAMPLES, addresses, strict=True):
        assert example in text
        text = text.replace(example, real)
    return text

"""Messages by mail or a messenger, where the operator has set that up: a URL of Apprise for each channel.

The guest gives an address alone, which is checked and put into the operator's URL: no guest writes a URL. Apprise is in
the extra `people` and imported on demand; it waits for other machines, so call what sends in a thread.
"""

import logging
import re
import threading
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote

from .letters import LATER, SENT, Outcome

FILE = "channels.toml"  # in the data folder
PUSH = "push"  # what no channel may be called
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _-]{0,29}")
PLACE = "{address}"
URL = re.compile(r"[a-z0-9]+://[^/?#{}]+[/?][^{}]*\{address\}[^{}]*")  # the address is in the path or the query
MAIL = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._+-]{0,63}@(?:[A-Za-z0-9][A-Za-z0-9-]{0,62}\.)+[A-Za-z]{2,63}")
PLAIN = re.compile(r"[A-Za-z0-9_@+-][A-Za-z0-9._+-]{0,63}")  # a number, or a name in a messenger
SAMPLE = "ann@example.org"  # an address that all channels accept


class ChannelError(ValueError):
    """The reason why a channel cannot be used, in one sentence."""


def read_channels(folder: Path) -> dict[str, str]:
    """Returns the URLs of the channels in the file of a data folder, by name. Raises ChannelError."""
    file = folder / FILE
    try:
        found = tomllib.loads(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):  # the store says what is wrong with the folder
        return {}
    except (OSError, ValueError) as error:
        raise ChannelError(f"{file} cannot be read ({' '.join(str(error).split())}).") from None
    for name, url in found.items():
        check_channel(file, name, url)
    return found


def check_channel(file: Path, name: str, url: Any) -> None:
    """Raises ChannelError, which does not repeat the URL and its password, unless a channel can be used."""
    if not NAME.fullmatch(name) or name == PUSH:
        raise ChannelError(f"“{name}” in {file} is not a name for a channel, such as mail.")
    if not isinstance(url, str) or not URL.fullmatch(url):
        raise ChannelError(
            f"The channel “{name}” in {file} needs a URL of Apprise with {PLACE} after the host, "
            f"such as mailtos://user:password@smtp.example.org?to={PLACE}."
        )
    if not find_spec("apprise"):
        raise ChannelError(f"{file} needs apprise; pip install '.[people]' in a clone of Mulligan installs it.")
    if service_of(url, SAMPLE) is None:
        raise ChannelError(f"Apprise does not know the URL of the channel “{name}” in {file}.")


def service_of(url: str, address: str) -> Any:
    """Returns what sends to an address, or None if Apprise cannot use the URL."""
    import apprise

    asset = apprise.AppriseAsset(app_id="Mulligan", app_desc="Mulligan", app_url="")
    with heard():
        return apprise.Apprise.instantiate(
            url.replace(PLACE, quote(address, safe="")), asset=asset, suppress_exceptions=True
        )


class Channels:
    """The operator's channels: URLs by name."""

    def __init__(self, urls: Mapping[str, str]) -> None:
        self.urls = urls

    def accepts(self, channel: str, address: str) -> bool:
        """True if an address can be one of a channel."""
        url = self.urls.get(channel)
        if url is None:
            return False
        return bool(MAIL.fullmatch(address) or (not url.startswith("mailto") and PLAIN.fullmatch(address)))

    def send(self, channel: str, address: str, title: str, text: str) -> Outcome:
        """Sends a text to an address that was accepted."""
        assert self.accepts(channel, address)
        service = service_of(self.urls[channel], address)
        if service is None:
            return Outcome(LATER, f"{channel}: Apprise refuses the address")
        with heard() as said:
            try:
                is_sent = bool(service.notify(title=title, body=text, body_format="text"))
            except Exception as error:  # one of many libraries
                is_sent = False
                said.append(type(error).__name__)
        if is_sent:
            return Outcome(SENT)
        why = "; ".join(said).replace(address, "…").replace(quote(address, safe=""), "…")
        return Outcome(LATER, f"{channel}: {why[:200] or 'not sent'}")


class Hearing(logging.Handler):
    """Keeps what Apprise says in the threads that listen: its lines can hold addresses, which our log never does."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.local = threading.local()

    def emit(self, record: logging.LogRecord) -> None:
        said = getattr(self.local, "said", None)
        if said is not None:
            said.append(record.getMessage())


HEARING = Hearing()


@contextmanager
def heard() -> Iterator[list[str]]:
    """Yields what Apprise warns of in this thread, until the end of the block."""
    logger = logging.getLogger("apprise")
    logger.propagate = False
    if HEARING not in logger.handlers:
        logger.addHandler(HEARING)
    said: list[str] = []
    HEARING.local.said = said
    try:
        yield said
    finally:
        HEARING.local.said = None

"""Messages to the devices of guests, by the push services of their browsers (RFC 8030, 8188, 8291 and 8292).

What encrypts and signs is in the extra `people` and imported on demand. All this takes some milliseconds, or as long as
a request: call it in a thread.
"""

import re
import ssl
import time
from collections.abc import Collection
from email.utils import parsedate_to_datetime
from functools import lru_cache
from importlib.util import find_spec

from mulligan.server.log import reason

from .base64url import unwritten, written
from .https_post import Answer, ForbiddenPlace, place_of, post
from .letters import GIVEN_UP, GONE, LATER, SENT, Outcome

NEEDED = ("cryptography", "http_ece", "py_vapid")
LONGEST = 2048  # bytes of a message
LONGEST_TTL = 4 * 7 * 86_400  # seconds; more than push services keep a message
POINT, SECRET = 65, 16  # bytes
LONGEST_WAIT = 6 * 3600.0  # seconds that a push service may ask for
SUBJECT = re.compile(r"mailto:[^@\s]+@[\w-]+(\.[\w-]+)+|https://[\w-]+(\.[\w-]+)+", re.ASCII)
SIGNED_FOR = 12 * 3600  # seconds; push services accept a day at most


def is_installed() -> bool:
    """True if the extra `people` is there, or at least what push messages need of it."""
    return all(find_spec(name) for name in NEEDED)


def new_key() -> str:
    """Returns a new private key in base64url. Raises ImportError."""
    from cryptography.hazmat.primitives.asymmetric import ec

    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return written(number.to_bytes(32))


@lru_cache(2)
def public_key(key: str) -> str:
    """Returns the public key in base64url, as browsers take it, for a private one. Raises ImportError."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
    from py_vapid import Vapid02

    return written(
        Vapid02.from_raw(key.encode()).public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    )


class WebPush:
    """Sends messages, signed for `contact`; `own_hosts` are push services of the operator.

    `context` replaces the certificate authorities that this system trusts.
    """

    def __init__(
        self, own_hosts: Collection[str] = (), contact: str = "", context: ssl.SSLContext | None = None
    ) -> None:
        self.own_hosts = frozenset(own_hosts)
        self.contact = contact
        self.context = context
        self.is_installed = is_installed()

    def check(self, endpoint: str, p256dh: str, auth: str) -> None:
        """Raises ValueError unless these make a subscription at a known push service, and ImportError."""
        from cryptography.hazmat.primitives.asymmetric import ec

        try:
            place_of(endpoint, self.own_hosts)
        except ForbiddenPlace as error:
            raise ValueError(str(error)) from None
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(p256dh, POINT))
        decoded(auth, SECRET)

    def send(self, endpoint: str, p256dh: str, auth: str, text: bytes, key: str, ttl: int, topic: str) -> Outcome:
        """Sends a message that a device keeps for `ttl` seconds at most, in place of earlier ones of a topic.

        `key` is the private key of this server.
        """
        try:
            place = place_of(endpoint, self.own_hosts)
            headers = {
                "Authorization": self.signature(place.origin, key),
                "Content-Encoding": "aes128gcm",
                "Content-Type": "application/octet-stream",
                "TTL": str(max(0, min(ttl, LONGEST_TTL))),
                "Topic": topic,
                "Urgency": "normal",
            }
            answer = post(place, headers, encrypted(text, p256dh, auth), self.context)
        except ForbiddenPlace as error:
            return Outcome(GIVEN_UP, reason(error))
        except OSError as error:
            return Outcome(LATER, f"{place.host}: {reason(error)}")
        return outcome_of(answer, place.host)

    def signature(self, origin: str, key: str) -> str:
        """Returns the header by which push services know that messages to a subscription come from this server."""
        from py_vapid import Vapid02

        claims = {"aud": origin, "sub": self.contact, "exp": int(time.time()) + SIGNED_FOR}
        header: str = Vapid02.from_raw(key.encode()).sign(claims)["Authorization"]
        return header


def encrypted(text: bytes, p256dh: str, auth: str) -> bytes:
    """Returns a message that only the device can read."""
    import http_ece
    from cryptography.hazmat.primitives.asymmetric import ec

    assert len(text) <= LONGEST
    body: bytes = http_ece.encrypt(
        text,
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=decoded(p256dh, POINT),
        auth_secret=decoded(auth, SECRET),
        version="aes128gcm",
    )
    return body


def outcome_of(answer: Answer, host: str) -> Outcome:
    status, why = answer.status, f"{host} answered {answer.status}"
    if 200 <= status < 300:
        return Outcome(SENT)
    if status in (404, 410):
        return Outcome(GONE, why)
    if status == 429 or status >= 500:
        return Outcome(LATER, why, seconds_of(answer.retry_after))
    return Outcome(GIVEN_UP, why)


def seconds_of(retry_after: str) -> float:
    """Returns for how long the header Retry-After asks to wait, within reason."""
    if re.fullmatch("[0-9]{1,9}", retry_after):
        seconds = float(retry_after)
    else:
        try:
            seconds = parsedate_to_datetime(retry_after).timestamp() - time.time()
        except (ValueError, TypeError, OverflowError):
            return 0.0
    return max(0.0, min(seconds, LONGEST_WAIT))


def decoded(text: str, length: int) -> bytes:
    """Returns the bytes of a text in base64url. Raises ValueError unless they are so many."""
    try:
        found = unwritten(text)
    except ValueError:
        found = b""
    if len(found) != length:
        raise ValueError("not a key of a push subscription")
    return found

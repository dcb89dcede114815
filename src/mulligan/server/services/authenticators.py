"""Passkeys: what is asked of people's authenticators (WebAuthn), and whether an answer is right.

A passkey is bound to the host name of the page. The library for it is loaded when someone asks for the first time.
"""

import importlib.util
import json
import secrets
from collections.abc import Callable
from functools import cache
from hmac import compare_digest, digest
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from .base64url import unwritten, written
from .ip_addresses import is_address

LASTS = 300  # seconds that a challenge is good for
UNTIL, NONCE, SIGNED = 8, 16, 32  # bytes of its parts
SERVER = "Mulligan"


class BadAnswer(ValueError):
    """An authenticator's answer that proves nothing."""


class Place(NamedTuple):
    """Where a page with passkeys is: its host name, and its origin."""

    name: str
    origin: str


class Credential(NamedTuple):
    """What an authenticator has made or used: `id` and `public_key` in base64url."""

    id: str
    public_key: str
    uses: int  # as it counts them; 0 if it does not


@cache
def is_installed() -> bool:
    return importlib.util.find_spec("webauthn") is not None


def place_of(origin: str) -> Place | None:
    """Returns the place of a page's origin, or None where browsers have no passkeys: without a name or HTTPS."""
    page = urlsplit(origin)
    name = page.hostname or ""
    is_safe = page.scheme == "https" or name == "localhost" or name.endswith(".localhost")
    return Place(name, origin) if name and is_safe and not is_address(name) else None


class Challenges:
    """What authenticators have to sign. A challenge is signed itself, so every process of the server knows it again.

    It is good for one device and one purpose (`whom`), for a short time, and in a process only once.
    """

    def __init__(self) -> None:
        self.spent: dict[bytes, float] = {}  # with the time until when they would be good

    def new(self, secret: bytes, whom: str, now: float) -> bytes:
        """Returns a challenge; `secret` is the same in all processes."""
        head = int(now + LASTS).to_bytes(UNTIL) + secrets.token_bytes(NONCE)
        return head + signature(secret, head, whom)

    def must_be_good(self, challenge: bytes, secret: bytes, whom: str, now: float) -> None:
        """Raises BadAnswer if a challenge is not one for them, or no longer."""
        head = challenge[: UNTIL + NONCE]
        is_ours = compare_digest(challenge[UNTIL + NONCE :], signature(secret, head, whom))
        if not is_ours or challenge in self.spent or not 0 <= int.from_bytes(head[:UNTIL]) - now <= LASTS:
            raise BadAnswer("the challenge")

    def spend(self, challenge: bytes, now: float) -> None:
        self.spent = {other: until for other, until in self.spent.items() if until >= now}
        self.spent[challenge] = now + LASTS


def signature(secret: bytes, head: bytes, whom: str) -> bytes:
    return digest(secret, head + whom.encode(), "sha256")


def challenge_in(answer: str) -> bytes:
    """Returns the challenge that an authenticator's answer is about. Raises BadAnswer."""
    try:
        return unwritten(json.loads(unwritten(json.loads(answer)["response"]["clientDataJSON"]))["challenge"])
    except (ValueError, TypeError, LookupError, RecursionError):
        raise BadAnswer("the client data") from None


def credential_in(answer: str) -> str:
    """Returns the id of the credential that an answer is from. Raises BadAnswer."""
    try:
        return written(unwritten(json.loads(answer)["id"]))
    except (ValueError, TypeError, LookupError, RecursionError):
        raise BadAnswer("the credential") from None


def ask_for_new(place: Place, challenge: bytes, name: str, known: list[str]) -> str:
    """Returns what a page asks its browser to make a passkey, as JSON; not where one of the known ones is."""
    from webauthn import generate_registration_options, options_to_json
    from webauthn.helpers import structs

    options = generate_registration_options(
        rp_id=place.name,
        rp_name=SERVER,
        user_name=name or SERVER,
        challenge=challenge,
        authenticator_selection=structs.AuthenticatorSelectionCriteria(
            resident_key=structs.ResidentKeyRequirement.REQUIRED,
            user_verification=structs.UserVerificationRequirement.REQUIRED,
        ),
        exclude_credentials=[structs.PublicKeyCredentialDescriptor(id=unwritten(one)) for one in known],
    )
    return options_to_json(options)


def ask_for_one(place: Place, challenge: bytes) -> str:
    """Returns what a page asks its browser to show any passkey of this place, as JSON."""
    from webauthn import generate_authentication_options, options_to_json
    from webauthn.helpers.structs import UserVerificationRequirement

    needed = UserVerificationRequirement.REQUIRED
    return options_to_json(
        generate_authentication_options(rp_id=place.name, challenge=challenge, user_verification=needed)
    )


def made(place: Place, challenge: bytes, answer: str) -> Credential:
    """Returns the credential that an authenticator has made. Raises BadAnswer."""
    from webauthn import verify_registration_response

    new = verified(verify_registration_response, place, challenge, answer)
    return Credential(written(new.credential_id), written(new.credential_public_key), new.sign_count)


def used(place: Place, challenge: bytes, answer: str, kept: Credential) -> Credential:
    """Returns a credential after its use. Raises BadAnswer if the answer is not from it."""
    from webauthn import verify_authentication_response

    public_key = unwritten(kept.public_key)
    more = {"credential_public_key": public_key, "credential_current_sign_count": kept.uses}
    use = verified(verify_authentication_response, place, challenge, answer, **more)
    return kept._replace(uses=use.new_sign_count)


def verified(verify: Callable[..., Any], place: Place, challenge: bytes, answer: str, **more: Any) -> Any:
    """Returns what the library finds in an answer. Raises BadAnswer."""
    try:
        return verify(
            credential=answer,
            expected_challenge=challenge,
            expected_rp_id=place.name,
            expected_origin=place.origin,
            require_user_verification=True,
            **more,
        )
    except Exception as error:  # what a stranger makes up can cause any error in the library
        raise BadAnswer(type(error).__name__) from None

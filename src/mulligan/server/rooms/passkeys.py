"""Passkeys of people who keep their place: made, and used to come back on another device."""

import asyncio
from collections.abc import Callable
from hmac import digest
from typing import ParamSpec, TypeVar

from mulligan.server.services import authenticators
from mulligan.server.services.authenticators import BadAnswer, Challenges, Credential, Place
from mulligan.server.store.people import Device, Passkey
from mulligan.server.table.rights import Refusal

from .persons import Persons, device_name, stored

MOST = 10  # of a person

P = ParamSpec("P")
T = TypeVar("T")


class Passkeys:
    """The passkeys of one place. Whatever reads or writes raises Refusal if that fails."""

    def __init__(self, persons: Persons, challenges: Challenges, place: Place) -> None:
        self.persons = persons
        self.people = persons.people
        self.challenges = challenges
        self.place = place
        self.clock = persons.registry.clock

    async def ask_for_new(self, device: str, guest: str, name: str) -> str:
        """Returns what a page asks its browser to make a passkey, as JSON. Raises Refusal."""
        with stored():
            known = [one.id for one in await asyncio.to_thread(self.people.passkeys_of, guest)]
            must_be_few(known)
            challenge = self.challenges.new(await self.secret(), f"new {device} {guest}", self.clock())
            asked = authenticators.ask_for_new
            return await asyncio.to_thread(asked, self.place, challenge, device_name(name), known)

    async def add(self, device: str, guest: str, name: str, answer: str) -> None:
        """Makes a guest a person with the passkey that an authenticator has made. Raises Refusal."""
        with stored():
            must_be_few(await asyncio.to_thread(self.people.passkeys_of, guest))
            challenge = await self.challenge_in(answer, f"new {device} {guest}")
            made = await proven(authenticators.made, self.place, challenge, answer)
            self.challenges.spend(challenge, self.clock())
            now = self.clock()
            passkey = Passkey(made.id, guest, made.public_key, made.uses, device_name(name), now)
            known = Device(device, guest, device_name(name), now, now)
            is_new = device not in self.persons.devices.known
            await asyncio.wrap_future(self.people.add_passkey(passkey, known if is_new else None))
            if is_new:
                self.persons.devices.known[device] = known

    async def ask_for_one(self, device: str) -> str:
        """Returns what a page asks its browser to show a passkey, as JSON."""
        with stored():
            challenge = self.challenges.new(await self.secret(), f"back {device}", self.clock())
            return await asyncio.to_thread(authenticators.ask_for_one, self.place, challenge)

    async def come_back(self, device: str, name: str, answer: str) -> None:
        """Lets a device stand for the person whose passkey answers. Raises Refusal."""
        with stored():
            challenge = await self.challenge_in(answer, f"back {device}")
            kept = await asyncio.to_thread(self.people.passkey, await proven(authenticators.credential_in, answer))
            if kept is None:
                raise Refusal("wrong_passkey")
            credential = Credential(kept.id, kept.public_key, kept.uses)
            used = await proven(authenticators.used, self.place, challenge, answer, credential)
            self.challenges.spend(challenge, self.clock())
            await asyncio.wrap_future(self.people.use_passkey(kept._replace(uses=used.uses)))
        await self.persons.stand_for(kept.guest, device, name)

    async def challenge_in(self, answer: str, whom: str) -> bytes:
        """Returns the challenge that an answer is about, if it is one of ours. Raises Refusal."""
        challenge = await proven(authenticators.challenge_in, answer)
        await proven(self.challenges.must_be_good, challenge, await self.secret(), whom, self.clock())
        return challenge

    async def secret(self) -> bytes:
        """Returns what signs the challenges, in all processes over this database."""
        return digest(bytes.fromhex(await self.persons.salt()), b"challenges", "sha256")


def must_be_few(passkeys: list[str] | list[Passkey]) -> None:
    """Raises Refusal if a person has as many passkeys as they may."""
    if len(passkeys) >= MOST:
        raise Refusal("too_many_passkeys", most=MOST)


async def proven(check: Callable[P, T], *asked: P.args, **named: P.kwargs) -> T:
    """Returns what a check returns, which may take long. Raises Refusal if it fails."""
    try:
        return await asyncio.to_thread(check, *asked, **named)
    except BadAnswer:
        raise Refusal("wrong_passkey") from None

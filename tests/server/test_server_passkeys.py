"""Passkeys: made and used by an authenticator written here; and everything that must not open anything."""

import json
import secrets
from contextlib import closing
from hashlib import sha256
from itertools import count

import pytest
from served import COMPUTER, FRIEND, ME, Browser, run_sql, served, store_in
from test_server_persons import kept

from mulligan.server.services import authenticators
from mulligan.server.services.authenticators import BadAnswer, Challenges, place_of
from mulligan.server.services.base64url import unwritten, written
from mulligan.server.wire import base

pytest.importorskip("webauthn")
cbor2 = pytest.importorskip("cbor2")
hashes = pytest.importorskip("cryptography.hazmat.primitives.hashes")
ec = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.ec")

PRESENT, VERIFIED, ATTESTED = 1, 4, 64  # flags of an authenticator


class Authenticator:
    """A phone with one passkey after another, which counts their uses unless `counts` is false."""

    numbers = count(1)

    def __init__(self, counts=True, flags=PRESENT | VERIFIED):
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.id = sha256(str(next(self.numbers)).encode()).digest()
        self.counts, self.flags, self.uses = counts, flags, 0

    def data(self, name, flags, more=b""):
        self.uses += self.counts
        return sha256(name.encode()).digest() + bytes([flags]) + self.uses.to_bytes(4) + more

    def make(self, question, origin, rp=""):
        """The answer to the question for a new passkey, as JSON."""
        options = json.loads(question["options"])
        assert options["authenticatorSelection"]["residentKey"] == "required"
        assert options["authenticatorSelection"]["userVerification"] == "required"
        numbers = self.key.public_key().public_numbers()
        public = cbor2.dumps({1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32), -3: numbers.y.to_bytes(32)})
        attested = bytes(16) + len(self.id).to_bytes(2) + self.id + public
        data = self.data(rp or options["rp"]["id"], self.flags | ATTESTED, attested)
        made = {"attestationObject": written(cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data}))}
        return self.answer("webauthn.create", options, origin, made)

    def use(self, question, origin, rp="", **changes):
        """The answer to the question for any passkey, as JSON."""
        options = json.loads(question["options"]) | changes
        data = self.data(rp or options["rpId"], self.flags)
        client = client_data("webauthn.get", options, origin)
        signature = self.key.sign(data + sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        used = {"authenticatorData": written(data), "signature": written(signature)}
        return self.answer("webauthn.get", options, origin, used)

    def answer(self, kind, options, origin, response):
        response["clientDataJSON"] = written(client_data(kind, options, origin))
        identity = written(self.id)
        return json.dumps({"id": identity, "rawId": identity, "type": "public-key", "response": response})


def client_data(kind, options, origin):
    return json.dumps({"type": kind, "challenge": options["challenge"], "origin": origin}).encode()


class Page(Browser):
    """A browser that calls the server by a name, as it must for passkeys."""

    def __init__(self, config, origin=""):
        super().__init__(config)
        self.origin = origin or f"http://localhost:{config.port}"
        self.http.base_url = f"http://localhost:{config.port}" if not origin else self.http.base_url
        self.http.headers["origin"] = self.origin
        if origin:
            cookie = f"__Host-mulligan_guest={secrets.token_urlsafe(24)}"  # which httpx would keep for HTTPS
            self.http.headers.update({"host": origin[8:], "x-forwarded-proto": "https", "cookie": cookie})

    def ask(self, path, **body):
        answer = self.http.request("POST" if body else "GET", f"/api/me/{path}", json=body or None)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def add(self, authenticator, name="Phone", **changes):
        made = authenticator.make(self.ask("passkeys/question", name=name), **({"origin": self.origin} | changes))
        return self.http.post("/api/me/passkeys", json={"credential": made, "name": name})

    def show(self, authenticator, **changes):
        used = authenticator.use(self.ask("come-back/question"), **({"origin": self.origin} | changes))
        return self.come_back(used)

    def come_back(self, answer):
        return self.http.post("/api/me/come-back/passkey", json={"credential": answer, "device": "Tablet"})


def refused(answer):
    return answer.status_code, answer.json()["error"]


WRONG = (403, "wrong_passkey")


@pytest.fixture
def page(server):
    return Page(server)


@pytest.mark.parametrize("counts", [True, False])
def test_a_passkey_brings_a_new_device_to_the_same_seats_and_again(page, server, counts):
    phone, other = Authenticator(counts), Page(server)
    codes = page.open(ME, COMPUTER)
    mine = other.open(ME, FRIEND)
    answer = page.add(phone)
    assert answer.status_code == 201, answer.text
    me = answer.json()
    assert me["offers_passkeys"]
    assert [one["name"] for one in me["passkeys"]] == ["Phone"]
    assert [(one["name"], one["here"]) for one in me["devices"]] == [("Phone", True)]
    assert me["since"]
    for browser in (other, Page(server)):
        answer = browser.show(phone)
        assert answer.status_code == 200, answer.text
        with browser.at(codes["table"]) as table:
            assert (table.welcome["you"], table.welcome["owner"]) == ([0], True)
    with page.at(mine["table"]) as table:
        assert table.welcome["you"] == [0]  # what the other device had went to the person
    assert [one["name"] for one in answer.json()["devices"]] == ["Phone", "Tablet", "Tablet"]


def test_words_and_passkeys_are_of_the_same_person(page, server):
    words, phone = kept(page), Authenticator()
    page.add(phone)
    assert [one["name"] for one in page.http.get("/api/me").json()["devices"]] == ["Laptop"]
    other = Page(server)
    assert other.show(phone).json()["since"] == page.http.get("/api/me").json()["since"]
    third = Page(server)
    come_back = {"words": " ".join(words), "device": ""}
    assert len(third.http.post("/api/me/come-back", json=come_back).json()["passkeys"]) == 1


def test_words_come_after_a_passkey_as_well(page, server):
    phone = Authenticator()
    page.add(phone)
    words = kept(page)
    other = Page(server)
    assert other.http.post("/api/me/come-back", json={"words": " ".join(words), "device": ""}).status_code == 200
    assert other.http.get("/api/me").json()["passkeys"] == page.http.get("/api/me").json()["passkeys"]


def test_an_answer_opens_nothing_elsewhere_nor_twice_nor_for_someone_else(tmp_path, client_folder):
    with served(tmp_path, client_folder) as config:
        page, phone = Page(config), Authenticator(counts=False)
        page.add(phone)
        thief = Page(config)
        question = thief.ask("come-back/question")
        answer = phone.use(question, thief.origin)
        assert refused(Page(config).come_back(answer)) == WRONG  # the question was another device's
        assert thief.come_back(answer).status_code == 200
        assert refused(thief.come_back(answer)) == WRONG  # once
        new = json.loads(page.ask("passkeys/question", name="")["options"])
        other = {"options": json.dumps({"challenge": new["challenge"], "rpId": "localhost"})}
        assert refused(page.come_back(phone.use(other, page.origin))) == WRONG  # asked for something else


@pytest.mark.parametrize(
    "changes",
    [
        {"origin": "https://evil.example"},
        {"rp": "evil.example"},
        {"challenge": written(bytes(56))},
        {"challenge": ""},
    ],
)
def test_a_wrong_answer_is_refused(tmp_path, client_folder, changes):
    with served(tmp_path, client_folder) as config:
        page, phone = Page(config), Authenticator()
        page.add(phone)
        assert refused(Page(config).show(phone, **changes)) == WRONG
        assert refused(Page(config).show(Authenticator())) == WRONG  # nobody's
        twin = Authenticator()
        twin.id = phone.id
        assert refused(Page(config).show(twin)) == WRONG  # signed with another key
        careless = Authenticator(flags=PRESENT)
        careless.key, careless.id, careless.uses = phone.key, phone.id, 50
        assert refused(Page(config).show(careless)) == WRONG  # by anyone who found the phone
        assert Page(config).show(phone).status_code == 200


@pytest.mark.parametrize("changes", [{"origin": "https://evil.example"}, {"rp": "evil.example"}])
def test_a_passkey_of_another_page_is_not_kept(page, changes):
    assert refused(page.add(Authenticator(), **changes)) == WRONG
    assert page.http.get("/api/me").json()["passkeys"] == []


def test_a_copied_authenticator_is_found_out_by_its_count(page, server):
    phone = Authenticator()
    page.add(phone)
    assert Page(server).show(phone).status_code == 200
    phone.uses -= 1
    assert refused(Page(server).show(phone)) == WRONG


def test_a_removed_passkey_opens_nothing_and_only_its_person_removes_it(page, server):
    phone, stranger = Authenticator(), Page(server)
    (note,) = page.add(phone).json()["passkeys"]
    stranger.add(Authenticator())
    stranger.http.delete(f"/api/me/passkeys/{note['id']}")
    assert Page(server).show(phone).status_code == 200
    assert page.http.delete(f"/api/me/passkeys/{note['id']}").json()["passkeys"] == []
    assert refused(Page(server).show(phone)) == WRONG


def test_nobody_takes_another_persons_passkey_for_theirs(page, server):
    phone, thief = Authenticator(), Page(server)
    page.add(phone)
    twin = Authenticator()
    twin.id = phone.id
    assert thief.add(twin).json()["passkeys"] == []
    assert refused(Page(server).show(twin)) == WRONG
    assert Page(server).show(phone).json()["passkeys"] == page.http.get("/api/me").json()["passkeys"]


def test_a_person_has_a_few_at_most_and_none_twice_on_one_authenticator(page):
    for number in range(10):
        phone = Authenticator()
        assert page.add(phone, name=f"{number}" * 50).status_code == 201
    full = page.http.post("/api/me/passkeys/question", json={})
    assert refused(full) == (400, "too_many_passkeys")
    page.http.delete(f"/api/me/passkeys/{page.http.get('/api/me').json()['passkeys'][0]['id']}")
    excluded = json.loads(page.ask("passkeys/question", name="")["options"])["excludeCredentials"]
    assert written(phone.id) in [one["id"] for one in excluded]
    assert len(excluded) == 9
    assert {len(one["name"]) for one in page.http.get("/api/me").json()["passkeys"]} == {40}


def test_wrong_passkeys_count_as_wrong_words(tmp_path, client_folder):
    with served(tmp_path, client_folder) as config:
        page, phone = Page(config), Authenticator()
        page.add(phone)
        for _ in range(5):
            assert refused(Page(config).show(Authenticator())) == WRONG
        assert refused(Page(config).show(phone)) == (429, "too_fast")


def test_who_deletes_themselves_leaves_no_passkey(tmp_path, client_folder):
    with served(tmp_path, client_folder) as config:
        page, phone = Page(config), Authenticator()
        page.add(phone)
        assert len(page.http.get("/api/me/everything").json()["me"]["passkeys"]) == 1
        page.http.delete("/api/me")
        assert refused(Page(config).show(phone)) == WRONG
    assert run_sql(tmp_path, "SELECT id FROM passkeys") == []


def test_a_banned_person_stays_out_with_their_passkey(tmp_path, client_folder):
    with served(tmp_path, client_folder) as config:
        page, phone = Page(config), Authenticator()
        page.add(phone)
    ((guest,),) = run_sql(tmp_path, "SELECT guest FROM passkeys")
    with closing(store_in(tmp_path)) as store:
        store.ban(guest, 0.0, "").result()
    with served(tmp_path, client_folder) as config:
        assert refused(Page(config).show(phone)) == (403, "banned")


def test_behind_a_proxy_it_is_bound_to_the_name_of_the_page(tmp_path, client_folder):
    with served(
        tmp_path, client_folder, names=("golf.example.org", "cards.example.org"), behind=("127.0.0.1",)
    ) as config:
        phone, page = Authenticator(), Page(config, "https://golf.example.org")
        assert json.loads(page.ask("passkeys/question", name="")["options"])["rp"]["id"] == "golf.example.org"
        assert page.add(phone).status_code == 201
        assert Page(config, "https://golf.example.org").show(phone).status_code == 200
        assert refused(Page(config, "https://cards.example.org").show(phone, rp="golf.example.org")) == WRONG


@pytest.mark.parametrize("origin", ["http://127.0.0.1:80", "https://[::1]", "http://golf.lan", "null", ""])
def test_there_are_none_without_a_name_or_https(origin):
    assert place_of(origin) is None


def test_without_them_the_server_says_so(server, page, monkeypatch):
    at_address = Browser(server)
    for path in ("passkeys/question", "passkeys", "come-back/passkey"):
        answer = at_address.http.post(f"/api/me/{path}", json={"credential": ""})
        assert refused(answer) == (404, "no_passkeys")
    assert not at_address.http.get("/api/me").json()["offers_passkeys"]
    assert page.http.get("/api/me").json()["offers_passkeys"]
    monkeypatch.setattr(authenticators, "is_installed", lambda: False)
    assert not page.http.get("/api/me").json()["offers_passkeys"]
    assert refused(page.http.get("/api/me/come-back/question")) == (404, "no_passkeys")


NASTY = [
    "",
    "null",
    "[]",
    "{}",
    '"x"',
    "1e400",
    "[" * 9000,
    '{"response": null}',
    '{"id": "☃", "response": {}}',
    "\ud800",
]


def test_whatever_a_stranger_makes_up_is_wrong(tmp_path, client_folder):
    with served(tmp_path, client_folder) as config:
        page, phone = Page(config), Authenticator()
        good = json.loads(phone.make(page.ask("passkeys/question", name=""), page.origin))
        for part in ("id", "rawId", "type", "response"):
            for nasty in (None, 7, "☃", "", {}, [{}], "AAAA" * 900):
                answer = page.http.post("/api/me/passkeys", json={"credential": json.dumps(good | {part: nasty})})
                assert refused(answer) == WRONG, (part, nasty)
        for part in ("clientDataJSON", "attestationObject"):
            for nasty in (None, 7, "☃", "", "AAAA" * 900, written(b"[" * 9000), written(b"\xa1" * 99)):
                response = good["response"] | {part: nasty}
                answer = page.http.post(
                    "/api/me/passkeys", json={"credential": json.dumps(good | {"response": response})}
                )
                assert refused(answer) == WRONG, (part, nasty)
        for nasty in NASTY:
            body = json.dumps({"credential": nasty})
            answer = page.http.post("/api/me/passkeys", content=body, headers={"content-type": "application/json"})
            assert answer.status_code in (400, 403)
            assert answer.json()["error"] in base.ERRORS


def test_a_challenge_is_good_for_five_minutes_and_in_every_process():
    one, other, secret = Challenges(), Challenges(), b"s" * 32
    challenge = one.new(secret, "new ann", 1000.0)
    for now in (1000.0, 1299.0):
        other.must_be_good(challenge, secret, "new ann", now)
    other.spend(challenge, 1299.0)
    one.must_be_good(challenge, secret, "new ann", 1299.0)
    late, whom, forged, flipped = (
        (secret, "new ann", 1301.0),
        (secret, "new ben", 1000.0),
        (b"x" * 32, "new ann", 1000.0),
        challenge[:-1] + b"?",
    )
    for asked in ((challenge, *late), (challenge, *whom), (challenge, *forged), (flipped, secret, "new ann", 1000.0)):
        with pytest.raises(BadAnswer):
            one.must_be_good(*asked)
    with pytest.raises(BadAnswer):
        other.must_be_good(challenge, secret, "new ann", 1000.0)
    other.spend(one.new(secret, "", 2000.0), 2000.0)
    assert len(other.spent) == 1, "what is over is forgotten"


def test_unwritten_is_what_was_written():
    for length in range(9):
        assert unwritten(written(bytes(range(length)))) == bytes(range(length))

"""What people ask a server about the ways in which they are told that it is their turn, and what it does with them."""

import json
import re
import threading
import time
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from push_service import Subscription, closes, is_signed, push_service, says_nothing, status
from served import COMPUTER, ME, SQLITE_ONLY, Browser, run_sql, served, wait_until
from test_server_persons import come_back, delete_me, kept

from mulligan.server.admin import RenewPushKey, ask
from mulligan.server.limits import Limits
from mulligan.server.rooms import postman
from mulligan.server.services import https_post, web_push
from mulligan.server.services.channels import ChannelError, Channels, read_channels
from mulligan.server.store.folder import FILE
from mulligan.server.web.run import ServeError, check_contact, check_push_hosts

FCM = "https://fcm.googleapis.com/fcm/send/"
ADDRESS = "ann.b+golf@example.org"


def ways(browser):
    answer = browser.http.get("/api/me/ways")
    assert answer.status_code == 200, answer.text
    return answer.json()


def subscribe(browser, subscription=None, **more):
    subscription = subscription or Subscription(f"{FCM}{time.monotonic_ns()}")
    return browser.http.post("/api/me/ways/push", json=subscription.wish(**more))


def error_of(answer):
    return answer.status_code, answer.json()["error"]


# Devices


def test_a_server_has_one_key_and_nobody_is_told_unasked(ann, ben):
    first = ways(ann)
    assert (first["ways"], first["channels"]) == ([], [])
    assert re.fullmatch(r"B[\w-]{86}", first["key"])
    assert ways(ben)["key"] == first["key"]


def test_a_device_is_one_way_whose_quiet_hours_can_be_changed_and_that_can_be_ended(ann, ben):
    subscription = Subscription(f"{FCM}quiet")
    (way,) = subscribe(ann, subscription).json()["ways"]
    assert way | {"id": ""} == {"id": "", "kind": "push", "name": "", "here": True, "quiet_from": 0, "quiet_until": 0}
    (changed,) = subscribe(ann, subscription, quiet_from=22, quiet_until=8, zone="Asia/Tokyo").json()["ways"]
    assert changed == way | {"quiet_from": 22, "quiet_until": 8}
    ben.http.delete(f"/api/me/ways/{way['id']}")  # someone else's
    assert ways(ann)["ways"] == [changed]
    assert ann.http.delete(f"/api/me/ways/{way['id']}").json()["ways"] == []
    assert ann.http.delete(f"/api/me/ways/{way['id']}").status_code == 200  # it was ended before


@pytest.mark.parametrize(
    "wrong",
    [
        {"endpoint": "https://127.0.0.1/1"},
        {"endpoint": "http://fcm.googleapis.com/1"},
        {"endpoint": "https://user:password@fcm.googleapis.com/1"},
        {"endpoint": f"{FCM}{'x' * 1000}"},
        {"p256dh": "A" * 87},
        {"auth": "short"},
    ],
)
def test_what_is_no_subscription_is_refused(ann, wrong):
    assert error_of(subscribe(ann, **wrong)) == (400, "bad_way")


@pytest.mark.parametrize(
    "wrong", [{"quiet_from": 24}, {"quiet_until": -1}, {"zone": "Europe/Paris; DROP"}, {"zone": ""}]
)
def test_quiet_hours_that_are_none_are_refused(ann, wrong):
    assert error_of(subscribe(ann, **wrong)) == (400, "bad_request")


def test_a_guest_has_ten_ways_at_most(ann, server):
    words = kept(ann)
    devices = [Browser(server) for _ in range(11)]
    for device in devices:
        assert come_back(device, words).status_code == 200
    answers = [subscribe(device) for device in devices]
    assert [answer.status_code for answer in answers] == [200] * 10 + [400]
    assert (error_of(answers[-1]), answers[-1].json()["params"]) == ((400, "too_many_ways"), {"most": 10})
    assert subscribe(devices[0]).status_code == 200  # it has a way already


def test_a_flood_of_subscriptions_from_one_address_is_refused(tmp_path, client_folder):
    with served(tmp_path, client_folder, limits=replace(Limits(), ways=3)) as config:
        answers = [subscribe(Browser(config)) for _ in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]


def test_the_ways_of_a_device_follow_it(ann, server):
    words, phone = kept(ann), Browser(server)
    subscribe(phone)
    come_back(phone, words, device="Phone")
    assert [(way["name"], way["here"]) for way in ways(ann)["ways"]] == [("Phone", False)]
    (device,) = [one["id"] for one in ann.http.get("/api/me").json()["devices"] if not one["here"]]
    ann.http.delete(f"/api/me/devices/{device}")
    assert (ways(ann)["ways"], ways(phone)["ways"]) == ([], [])


def test_the_first_device_loses_its_ways_too_when_it_is_signed_out(ann, server):
    words, phone = kept(ann, device="Laptop"), Browser(server)
    subscribe(ann)
    come_back(phone, words)
    assert [way["name"] for way in ways(phone)["ways"]] == ["Laptop"]
    (device,) = [one["id"] for one in phone.http.get("/api/me").json()["devices"] if not one["here"]]
    phone.http.delete(f"/api/me/devices/{device}")
    assert (ways(ann)["ways"], ways(phone)["ways"]) == ([], [])


def test_everything_about_a_guest_has_their_ways_and_deleting_them_ends_these(ann):
    subscription = Subscription(f"{FCM}everything")
    subscribe(ann, subscription, language="fr", zone="Europe/Paris", quiet_from=22, quiet_until=8)
    (way,) = ann.http.get("/api/me/everything").json()["ways"]
    assert 0 <= time.time() - way.pop("since") < 600
    hours = {"zone": "Europe/Paris", "quiet_from": 22, "quiet_until": 8}
    assert way == {"kind": "push", "address": subscription.endpoint, "language": "fr"} | hours
    assert subscription.auth not in ann.http.get("/api/me/everything").text
    before = ann.http.cookies["mulligan_guest"]
    delete_me(ann)
    old = Browser(ann.config)
    old.http.cookies.set("mulligan_guest", before)
    assert (ways(ann)["ways"], ways(old)["ways"]) == ([], [])


def test_without_the_extra_people_a_server_offers_no_push_messages(tmp_path, client_folder, monkeypatch):
    monkeypatch.setattr(web_push, "find_spec", lambda name: None)
    with served(tmp_path, client_folder) as config:
        ann = Browser(config)
        assert ways(ann) == {"key": "", "channels": [], "ways": []}
        assert error_of(subscribe(ann)) == (404, "no_push")
        with ann.at(ann.open(ME, COMPUTER)["table"]) as table:
            assert table.do("Start")["is"] == "Accepted"


def test_the_operator_renews_the_key(tmp_path, client_folder):
    with served(tmp_path, client_folder) as config:
        ann = Browser(config)
        key = ways(ann)["key"]
        subscribe(ann)
        assert ask(config.data, RenewPushKey()).text.startswith("The key is new.")
        assert ways(ann)["key"] != key
        assert ways(ann)["ways"] == []


# From the row in the outbox to the device


def turn_of(folder, browser, guest, number):
    """Writes into the database that it is the guest's turn at a table of theirs."""
    codes = browser.open(ME, COMPUTER)
    values = (codes["table"], number, guest)
    run_sql(folder, "INSERT INTO turns (code, number, guest, since, hours) VALUES (?, ?, ?, 0, 24)", values)
    tell = "INSERT INTO outbox (way, code, number, kind) SELECT way, ?, ?, 'turn' FROM ways WHERE guest = ?"
    run_sql(folder, tell, values)
    return codes


def pushing(tmp_path, client_folder, service, monkeypatch):
    monkeypatch.setattr(https_post, "usual_context", lambda: service.context)
    return served(
        tmp_path / "games", client_folder, push_hosts=(service.host,), names=("golf.example.org",), is_managed=False
    )


def test_the_message_about_a_turn_reaches_the_device_in_its_language(tmp_path, client_folder, monkeypatch):
    with push_service(tmp_path) as service:
        subscription = service.subscription()
        with pushing(tmp_path, client_folder, service, monkeypatch) as config:
            ann = Browser(config)
            key = subscribe(ann, subscription, language="de").json()["key"]
            (guest,) = run_sql(config.data, "SELECT guest FROM ways")[0]
            codes = turn_of(config.data, ann, guest, 7)
        service.answers = [closes, status(201)]
        for _ in range(2):  # the first server, to which nobody answers, tries again in a minute, and ends
            with pushing(tmp_path, client_folder, service, monkeypatch) as config:
                wait_until(service.heard.is_set)
            service.heard.clear()
        said = {"title": "Du bist dran", "body": "Play Nine", "kind": "turn", "number": 7, "game": "play_nine"}
        letter = said | {"table": codes["watch"], "link": codes["table"]}
        assert service.letters(subscription) == [letter, letter]
        assert is_signed(service.requests[-1], key, f"https://{service.host}", "https://golf.example.org")
        assert run_sql(config.data, "SELECT sent FROM outbox") == [(1,)]
        assert [tuple(row) for row in run_sql(config.data, "SELECT sent FROM ways")] == [(1,)]


def test_a_service_that_says_nothing_keeps_no_server_from_ending(tmp_path, client_folder, monkeypatch):
    with push_service(tmp_path) as service:
        with pushing(tmp_path, client_folder, service, monkeypatch) as config:
            ann = Browser(config)
            subscribe(ann, service.subscription())
            (guest,) = run_sql(config.data, "SELECT guest FROM ways")[0]
            turn_of(config.data, ann, guest, 7)
        service.answers = [says_nothing]
        with pushing(tmp_path, client_folder, service, monkeypatch):
            wait_until(service.heard.is_set)
            before = time.monotonic()
        assert time.monotonic() - before < 15


# Channels of the operator


class Messenger(BaseHTTPRequestHandler):
    """What stands for a messenger: keeps what Apprise sends."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.said.append((self.path, body["title"], body["message"]))
        self.send_response(self.server.status)
        self.end_headers()

    def log_message(self, *_):
        pass


@contextmanager
def messenger():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Messenger)
    server.said, server.status = [], 200
    server.url = f"json://127.0.0.1:{server.server_port}/to/{{address}}"
    threading.Thread(target=server.serve_forever, args=[0.02], daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture(autouse=True)
def no_page_comes_back(monkeypatch):
    monkeypatch.setattr(postman, "RETURN", 0.0)


@pytest.fixture
def with_messenger(tmp_path, client_folder):
    with messenger() as there:
        limits = replace(Limits(), codes=20)
        with served(tmp_path, client_folder, channels={"chat": there.url}, limits=limits, is_managed=False) as config:
            yield there, Browser(config)


def wish(**more):
    return {"channel": "chat", "address": ADDRESS, "language": "en", "quiet_from": 0, "quiet_until": 0} | more


def asked(browser, **more):
    return browser.http.post("/api/me/ways/channel", json=wish(**more))


def confirmed(browser, code, address=ADDRESS, channel="chat"):
    told = {"channel": channel, "address": address, "code": code}
    return browser.http.post("/api/me/ways/channel/code", json=told)


def code_in(said):
    return re.search(r"\b\d{6}\b", said[1])[0]


def test_an_address_becomes_a_way_once_the_code_that_was_sent_there_came_back(with_messenger):
    there, ann = with_messenger
    assert ways(ann)["channels"] == ["chat"]
    assert asked(ann, language="ja").status_code == 202
    (said,) = there.said
    assert (said[0], said[1][:5]) == (f"/to/{ADDRESS}", "確認コード")
    assert ways(ann)["ways"] == []
    code = code_in(said)
    assert code not in repr(run_sql(ann.config.data, "SELECT guest, wish, digest FROM asked"))
    (way,) = confirmed(ann, code).json()["ways"]
    assert (way["kind"], way["name"], way["here"]) == ("chat", ADDRESS, True)
    assert error_of(confirmed(ann, code)) == (403, "wrong_code")  # it counts once
    assert [one["address"] for one in ann.http.get("/api/me/everything").json()["ways"]] == [ADDRESS]
    asked(ann, quiet_from=20)
    (again,) = confirmed(ann, code_in(there.said[-1])).json()["ways"]
    assert again == way | {"quiet_from": 20}


def test_five_wrong_codes_are_the_most_and_a_code_is_for_one_guest_and_one_address(with_messenger):
    there, ann = with_messenger
    asked(ann)
    code = code_in(there.said[0])
    eve = Browser(ann.config)
    assert error_of(confirmed(eve, code)) == (403, "wrong_code")
    assert error_of(confirmed(ann, code, address="eve@example.org")) == (403, "wrong_code")
    wrong = f"{(int(code) + 1) % 10**6:06}"
    for _ in range(4):
        assert error_of(confirmed(ann, wrong)) == (403, "wrong_code")
    assert error_of(confirmed(ann, code)) == (403, "wrong_code")
    asked(ann)
    assert confirmed(ann, code_in(there.said[-1])).status_code == 200


def test_a_code_counts_for_a_quarter_of_an_hour(with_messenger):
    there, ann = with_messenger
    asked(ann)
    run_sql(ann.config.data, "UPDATE asked SET since = since - 901")
    assert error_of(confirmed(ann, code_in(there.said[0]))) == (403, "wrong_code")


@pytest.mark.parametrize(
    "address",
    [
        "",
        "ann@example.org,eve@example.org",
        "ann@example.org eve@example.org",
        "ann@example.org&to=eve@example.org",
        "ann@example.org?to=eve@example.org",
        "ann/../../eve",
        "../eve",
        "http://127.0.0.1/",
        "mailtos://user:password@evil.example",
        "ann%40example.org",
        "ann\r\nBcc: eve@example.org",
        "ann;eve",
        "#all",
        "{address}",
        "x" * 65,
        "é@example.org",
    ],
)
def test_what_is_no_address_is_sent_nowhere(with_messenger, address):
    there, ann = with_messenger
    assert error_of(asked(ann, address=address)) == (400, "bad_way")
    assert error_of(asked(ann, channel="mail")) == (400, "bad_way")
    assert there.said == []


def test_a_channel_for_mail_takes_mail_addresses_alone():
    channels = Channels({"mail": "mailtos://u:p@smtp.example.org?to={address}", "chat": "json://example.org/{address}"})
    for address, in_chat in [("ann@example.org", True), ("+4915112345678", True), ("ann", True), ("a b", False)]:
        assert channels.accepts("mail", address) == ("@" in address)
        assert channels.accepts("chat", address) == in_chat


def test_codes_to_one_address_are_limited_whoever_asks(tmp_path, client_folder):
    with messenger() as there:
        limits = replace(Limits(), codes=2)
        with served(tmp_path, client_folder, channels={"chat": there.url}, limits=limits) as config:
            statuses = [asked(Browser(config)).status_code for _ in range(3)]
    assert (statuses, len(there.said)) == ([202, 202, 429], 2)


def test_a_channel_that_fails_is_said_at_once(with_messenger):
    there, ann = with_messenger
    there.status = 500
    assert error_of(asked(ann)) == (400, "bad_way")


def test_the_message_in_a_channel_has_the_link_and_how_to_end_it_and_no_name(tmp_path, client_folder):
    with messenger() as there:
        more = {"channels": {"chat": there.url}, "names": ("golf.example.org",), "is_managed": False}
        with served(tmp_path, client_folder, **more) as config:
            ann = Browser(config)
            headers = {"host": "golf.example.org"}
            ann.http.post("/api/me/ways/channel", json=wish(language="fr"), headers=headers)
            confirmed(ann, code_in(there.said[0]))
            (guest,) = run_sql(config.data, "SELECT guest FROM ways")[0]
            codes = turn_of(config.data, ann, guest, 7)
        with served(tmp_path, client_folder, **more):
            wait_until(lambda: len(there.said) > 1)
            wait_until(lambda: run_sql(tmp_path, "SELECT sent FROM outbox") == [(1,)])
    path, title, text = there.said[1]
    assert (path, title) == (f"/to/{ADDRESS}", "À vous de jouer")
    assert f"http://golf.example.org/t/{codes['table']}" in text
    assert "http://golf.example.org/me" in text
    assert "Ann" not in text


@SQLITE_ONLY
def test_the_file_holds_no_address_of_a_deleted_guest(with_messenger):
    there, ann = with_messenger
    asked(ann)
    confirmed(ann, code_in(there.said[0]))
    asked(ann, address="other@example.org")
    delete_me(ann)
    for file in ann.config.data.glob(f"{FILE}*"):
        content = file.read_bytes()
        assert ADDRESS.encode() not in content
        assert b"other@example.org" not in content


# What the operator gives


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("mail = ", "cannot be read"),
        ("mail = 5", "needs a URL of Apprise"),
        ('mail = "mailtos://user:secret@smtp.example.org"', "needs a URL of Apprise"),
        ('mail = "mailtos://user:secret@{address}"', "needs a URL of Apprise"),
        ('mail = "{address}://user:secret@example.org/"', "needs a URL of Apprise"),
        ('mail = "nothing://user:secret@example.org/{address}"', "does not know the URL"),
        ('push = "json://example.org/{address}"', "is not a name"),
        ('"a/b" = "json://example.org/{address}"', "is not a name"),
    ],
)
def test_a_file_of_channels_that_cannot_be_used_is_one_sentence_without_passwords(tmp_path, text, why):
    (tmp_path / "channels.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ChannelError, match=why) as caught:
        read_channels(tmp_path)
    assert "secret" not in str(caught.value)


def test_channels_are_read_from_the_data_folder(tmp_path):
    assert read_channels(tmp_path) == {}
    url = "mailtos://user:secret@smtp.example.org?to={address}"
    (tmp_path / "channels.toml").write_text(f'mail = "{url}"', encoding="utf-8")
    assert read_channels(tmp_path) == {"mail": url}


def test_what_the_operator_gives_for_push_services_is_checked():
    hosts = ["push.example.org", "PUSH.example.org:8443", "push.example.org:443"]
    assert check_push_hosts(hosts) == ("push.example.org", "push.example.org:8443", "push.example.org")
    for wrong in ("https://push.example.org", "push.example.org/1", "", "*.example.org"):
        with pytest.raises(ServeError, match="--push-host"):
            check_push_hosts([wrong])
    for contact in ("", "mailto:ann@example.org", "https://golf.example.org"):
        check_contact(contact)
    for wrong in ("ann@example.org", "mailto:ann", "https://localhost", "http://golf.example.org"):
        with pytest.raises(ServeError, match="--contact"):
            check_contact(wrong)

"""What goes to push services, what may not, and what they may do to a server that speaks to them."""

import json
import socket
import time

import pytest
from push_service import (
    Subscription,
    closes,
    dribbles,
    has_no_end,
    is_signed,
    push_service,
    says_nothing,
    status,
)

from mulligan.server.services import https_post, web_push
from mulligan.server.services.https_post import ForbiddenPlace, is_public, place_of
from mulligan.server.services.web_push import WebPush, seconds_of

CONTACT = "mailto:ann@example.org"
LETTER = {"table": "WATCHWXZ", "number": 7, "title": "あなたの番です"}
TEXT = json.dumps(LETTER).encode()
KEY = web_push.new_key()
PATIENCE = 0.5  # seconds for a whole request
PUBLIC, OTHER = "142.250.1.95", "17.188.1.1"


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    with push_service(tmp_path_factory.mktemp("push")) as service:
        yield service


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(https_post, "SECONDS", PATIENCE)


def send(service, subscription=None, own=True):
    subscription = subscription or service.subscription()
    push = WebPush([service.host] if own else [], CONTACT, service.context)
    return push.send(subscription.endpoint, subscription.p256dh, subscription.auth, TEXT, KEY, 10**9, "WATCHWXZ")


def answered(service, *answers):
    service.answers = [*answers]
    service.requests.clear()
    before = time.monotonic()
    outcome = send(service)
    assert time.monotonic() - before < PATIENCE + 2  # also on a slow machine; an answer without end takes for ever
    return outcome


def test_a_message_can_be_read_by_the_device_alone_and_comes_from_the_server_it_subscribed_to(service):
    service.answers = [status(201)]
    subscription, other = service.subscription("/send/a?b=c"), service.subscription()
    assert send(service, subscription) == ("sent", "", 0.0)
    request = service.requests[-1]
    assert (request.path, subscription.read(request.body)) == ("/send/a?b=c", LETTER)
    assert TEXT not in request.body
    with pytest.raises(Exception, match=r"Decryption|Invalid|decrypt"):
        other.read(request.body)
    assert is_signed(request, web_push.public_key(KEY), f"https://{service.host}", CONTACT)
    wanted = {"ttl": str(28 * 86_400), "topic": "WATCHWXZ", "urgency": "normal", "content-encoding": "aes128gcm"}
    assert request.headers.items() >= wanted.items()
    assert request.headers["host"] == service.host


@pytest.mark.parametrize(
    ("answer", "result", "wait"),
    [
        (status(200), "sent", 0),
        (status(404), "gone", 0),
        (status(410), "gone", 0),
        (status(429, "Retry-After: 120"), "later", 120),
        (status(503, "retry-after:  7200 "), "later", 7200),
        (status(500), "later", 0),
        (status(429, "Retry-After: 99999999"), "later", web_push.LONGEST_WAIT),
        (status(429, "Retry-After: soon"), "later", 0),
        *((status(code), "given_up", 0) for code in (400, 401, 403, 413)),
        (b"SSH-2.0-OpenSSH_9.6\r\n\r\n", "later", 0),
        (b"", "later", 0),
        (closes, "later", 0),
        (says_nothing, "later", 0),
        (dribbles, "later", 0),
        (has_no_end, "sent", 0),  # what came was enough
    ],
)
def test_whatever_a_push_service_answers_has_an_outcome_in_time(service, answer, result, wait):
    outcome = answered(service, answer)
    assert (outcome.result, outcome.wait) == (result, wait), outcome.why
    assert "/send/" not in outcome.why  # the address is a secret of the device


@pytest.mark.parametrize("code", [301, 302, 307, 308])
def test_no_redirect_is_followed(service, tmp_path, code):
    with push_service(tmp_path) as other:
        assert answered(service, status(code, f"Location: https://{other.host}/send/1")).result == "given_up"
        assert other.connections == 0


def test_no_more_than_two_kilobytes_are_read(service, monkeypatch):
    read = []
    whole = https_post.read
    monkeypatch.setattr(https_post, "read", lambda line, until: whole(Counting(line, read), until))
    answered(service, has_no_end)
    assert 0 < sum(read) <= 2048


class Counting:
    """A line that counts what is read from it."""

    def __init__(self, line, read):
        self.line, self.read = line, read

    def settimeout(self, seconds):
        self.line.settimeout(seconds)

    def recv(self, most):
        got = self.line.recv(most)
        self.read.append(len(got))
        return got


def test_a_certificate_for_another_name_or_of_nobody_is_refused(service, tmp_path):
    with push_service(tmp_path, "push.example.org") as other:
        outcome = send(other)
        assert (outcome.result, other.requests) == ("later", [])
        assert "certificate" in outcome.why.lower()
        other.context = service.context
        assert send(other).result == "later"
        assert (other.connections, other.requests) == (2, [])


@pytest.mark.parametrize(
    "url",
    [
        "http://fcm.googleapis.com/fcm/send/1",
        "https://127.0.0.1/send",
        "https://10.0.0.7/send",
        "https://[::1]/send",
        "https://localhost/send",
        "https://evil.example/send",
        "https://evil.example/fcm.googleapis.com",
        "https://fcm.googleapis.com.evil.example/send",
        "https://evilfcm.googleapis.com/send",
        "https://push.apple.com/send",
        "https://.push.apple.com/send",
        "https://a..push.apple.com/send",
        "https://fcm.googleapis.com./send",
        "https://FCM.googleapis.com/send",
        "https://user:password@fcm.googleapis.com/send",
        "https://fcm.googleapis.com@evil.example/send",
        "https://fcm.googleapis.com\\@evil.example/send",
        "https://evil.example\\.push.apple.com/send",
        "https://evil.example#.push.apple.com/send",
        "https://evil.example?.push.apple.com/send",
        "https://fcm.googleapis.com:8443/send",
        "https://fcm.googleapis.com:22/send",
        "https://fcm.googleapis.com:/send",
        "https://fcm.googleapis.com",
        "https://fcm.googleapis.com/a b",
        "https://fcm.googleapis.com/a\r\nHost: evil.example",
        "https://fcm.googleapis.com/send\n",
        "https://fcm.googleapis.com/é",
        "https://ｆcm.googleapis.com/send",
        "file:///etc/passwd",
        "",
    ],
)
def test_other_places_are_never_contacted(url, monkeypatch):
    def contacted(*_, **__):
        raise AssertionError("contacted")

    monkeypatch.setattr(socket, "getaddrinfo", contacted)
    monkeypatch.setattr(socket, "create_connection", contacted)
    subscription = Subscription(url)
    push = WebPush(["push.example.org", "localhost:8443"], CONTACT)
    with pytest.raises(ValueError, match="push service"):
        push.check(url, subscription.p256dh, subscription.auth)
    outcome = push.send(url, subscription.p256dh, subscription.auth, TEXT, KEY, 60, "T")
    assert outcome.result == "given_up"


@pytest.mark.parametrize(
    "url",
    [
        "https://fcm.googleapis.com/fcm/send/abc:DEF_-123",
        "https://jmt17.google.com/fcm/send/abc",
        "https://updates.push.services.mozilla.com/wpush/v2/gAAA=",
        "https://web.push.apple.com/QGuQyavXutnMH",
        "https://wns2-par02p.notify.windows.com/w/?token=BQYAAAD%2fabc%3d",
        "https://fcm.googleapis.com:443/fcm/send/abc",
    ],
)
def test_the_push_services_of_the_browsers_are_known(url):
    place = place_of(url)
    assert (place.port, place.is_own, url.endswith(place.path)) == (443, False, True)


def test_the_operator_may_add_hosts_each_with_its_port():
    assert place_of("https://push.example.org:8443/1", ["push.example.org:8443"]).is_own
    for url in ("https://push.example.org/1", "https://push.example.org:8444/1"):
        with pytest.raises(ForbiddenPlace):
            place_of(url, ["push.example.org:8443"])


@pytest.mark.parametrize(
    "addresses",
    [
        ["127.0.0.1"],
        ["10.0.0.7"],
        ["192.168.1.1"],
        ["172.16.0.1"],
        ["169.254.169.254"],
        ["100.64.0.1"],
        ["0.0.0.0"],
        ["224.0.0.1"],
        ["255.255.255.255"],
        ["::1"],
        ["::"],
        ["fe80::1%eth0"],
        ["fd00::1"],
        ["fec0::1"],
        ["ff02::1"],
        ["::ffff:10.0.0.7"],
        ["64:ff9b::a00:7"],
        ["2002:a00:7::1"],
        ["2001:0:a00:7::1"],
        [PUBLIC, "10.0.0.7"],
    ],
)
def test_a_push_service_whose_name_leads_into_a_private_network_is_never_contacted(monkeypatch, addresses):
    contacted = lead_to(monkeypatch, addresses)
    subscription = Subscription("https://fcm.googleapis.com/send/1")
    outcome = WebPush((), CONTACT).send(
        subscription.endpoint, subscription.p256dh, subscription.auth, TEXT, KEY, 60, "T"
    )
    assert (outcome.result, contacted) == ("given_up", [])
    assert "not public" in outcome.why


def lead_to(monkeypatch, *answers):
    """Lets every name lead to these addresses, one answer after the other; returns where connections went."""
    found, contacted = iter(answers), []

    def resolve(host, port, **_):
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in next(found)]

    def connect(place, *_, **__):
        contacted.append(place)
        raise ConnectionRefusedError("refused")

    monkeypatch.setattr(https_post, "SECONDS", 60)  # nobody is waited for, but the machine may be busy
    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    monkeypatch.setattr(socket, "create_connection", connect)
    return contacted


def test_a_connection_goes_to_the_address_that_was_checked(monkeypatch):
    """A name that leads elsewhere when it is asked again is not asked again; all public addresses are tried."""
    contacted = lead_to(monkeypatch, [PUBLIC, OTHER, PUBLIC], ["127.0.0.1"])
    subscription = Subscription("https://fcm.googleapis.com/send/1")
    outcome = WebPush((), CONTACT).send(
        subscription.endpoint, subscription.p256dh, subscription.auth, TEXT, KEY, 60, "T"
    )
    assert (outcome.result, contacted) == ("later", [(PUBLIC, 443), (OTHER, 443)])


def test_public_addresses_are_public_also_where_a_network_translates_them():
    assert all(map(is_public, [PUBLIC, "2a00:1450:4007:80c::200a", "64:ff9b::8efa:15f", "::ffff:142.250.1.95"]))


def test_a_name_server_that_is_silent_costs_no_more_time(monkeypatch):
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: time.sleep(3) or [])
    subscription = Subscription("https://fcm.googleapis.com/send/1")
    before = time.monotonic()
    outcome = WebPush((), CONTACT).send(
        subscription.endpoint, subscription.p256dh, subscription.auth, TEXT, KEY, 60, "T"
    )
    assert outcome.result == "later"
    assert time.monotonic() - before < 2.5


@pytest.mark.parametrize(
    ("p256dh", "auth"), [("", None), (None, ""), ("A" * 87, None), ("*" * 87, None), (None, "AAAA"), ("é", "é")]
)
def test_keys_that_are_none_are_refused(service, p256dh, auth):
    right = service.subscription()
    given = (right.p256dh if p256dh is None else p256dh, right.auth if auth is None else auth)
    with pytest.raises(ValueError):  # noqa: PT011
        WebPush([service.host], CONTACT).check(right.endpoint, *given)
    WebPush([service.host], CONTACT).check(right.endpoint, right.p256dh, right.auth)


def test_a_date_to_try_again_is_read_too():
    later = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(time.time() + 600))
    assert 590 <= seconds_of(later) <= 600
    assert seconds_of("Wed, 21 Oct 2015 07:28:00 GMT") == 0

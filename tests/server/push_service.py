"""A push service on this machine, over TLS with a certificate of its own, and browsers that it reaches."""

import base64
import json
import os
import socket
import ssl
import threading
import time
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta

import http_ece
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02

FAR = timedelta(days=2)


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Subscription:
    """What a browser gives to the site, and with what it reads the messages that arrive."""

    def __init__(self, endpoint):
        self.endpoint = endpoint
        self.private = ec.generate_private_key(ec.SECP256R1())
        self.secret = os.urandom(16)
        point = serialization.PublicFormat.UncompressedPoint
        self.p256dh = base64url(self.private.public_key().public_bytes(serialization.Encoding.X962, point))
        self.auth = base64url(self.secret)

    def wish(self, **more):
        """The body of a request; without quiet hours."""
        usual = {"endpoint": self.endpoint, "p256dh": self.p256dh, "auth": self.auth, "language": "en"}
        return usual | {"quiet_from": 0, "quiet_until": 0} | more

    def read(self, body):
        """The letter in a message, as the service worker reads it."""
        text = http_ece.decrypt(body, private_key=self.private, auth_secret=self.secret, version="aes128gcm")
        return json.loads(text)


class Request:
    def __init__(self, path, headers, body):
        self.path, self.headers, self.body = path, headers, body


def certificates(folder, name):
    """The file of an authority, and the file of a certificate that it gave for a name, with its key."""
    authority, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    issuer = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Test authority")])
    now = datetime.now(UTC)

    def signed(subject, public, extension):
        builder = x509.CertificateBuilder().issuer_name(issuer).subject_name(subject).public_key(public)
        builder = builder.serial_number(x509.random_serial_number())
        builder = (
            builder.not_valid_before(now - FAR).not_valid_after(now + FAR).add_extension(extension, critical=False)
        )
        return builder.sign(authority, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)

    trusted = folder / f"{name}-authority.pem"
    trusted.write_bytes(signed(issuer, authority.public_key(), x509.BasicConstraints(ca=True, path_length=None)))
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    own = signed(subject, key.public_key(), x509.SubjectAlternativeName([x509.DNSName(name)]))
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    served = folder / f"{name}.pem"
    served.write_bytes(private + own)
    return trusted, served


class PushService:
    """Answers with `answers`, one after the other, the last of them for ever. An answer is bytes, or what a function
    does with the line."""

    def __init__(self, folder, name="localhost"):
        self.trusted, served = certificates(folder, name)
        self.context = ssl.create_default_context(cafile=str(self.trusted))  # of who sends
        self.mine = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.mine.load_cert_chain(served)
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        self.host = f"localhost:{self.port}"
        self.connections = 0
        self.requests = []
        self.answers = [status(201)]
        self.heard = threading.Event()
        self.is_closing = threading.Event()
        threading.Thread(target=self.serve, daemon=True).start()

    def subscription(self, path="/send/1"):
        return Subscription(f"https://{self.host}{path}")

    def serve(self):
        with suppress(OSError):
            while True:
                raw, _ = self.listening.accept()
                self.connections += 1
                threading.Thread(target=self.answer, args=[raw], daemon=True).start()

    def answer(self, raw):
        with suppress(OSError), self.mine.wrap_socket(raw, server_side=True) as line:
            head, body = b"", b""
            while b"\r\n\r\n" not in head:
                head += more(line)
            head, _, body = head.partition(b"\r\n\r\n")
            first, *lines = head.decode().split("\r\n")
            parts = (one.partition(": ") for one in lines)
            headers = {name.lower(): value for name, _, value in parts}
            while len(body) < int(headers["content-length"]):
                body += more(line)
            request = Request(first.split()[1], headers, body)
            self.requests.append(request)
            answer = self.answer_to(request)
            self.heard.set()
            if callable(answer):
                answer(line, self)
            else:
                line.sendall(answer)

    def answer_to(self, request):
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    def letters(self, subscription):
        """The letters to a browser, the earliest first."""
        path = subscription.endpoint.removeprefix(f"https://{self.host}")
        return [subscription.read(request.body) for request in self.requests if request.path == path]

    def close(self):
        self.is_closing.set()
        self.listening.shutdown(socket.SHUT_RDWR)
        self.listening.close()


def more(line):
    """Raises OSError where the other side has ended."""
    if received := line.recv(4096):
        return received
    raise OSError


@contextmanager
def push_service(folder, name="localhost"):
    service = PushService(folder, name)
    try:
        yield service
    finally:
        service.close()


def status(code, *headers):
    return "\r\n".join([f"HTTP/1.1 {code} Whatever", *headers, "Content-Length: 0", "", ""]).encode()


# Services that fail otherwise


def says_nothing(_, service):
    service.is_closing.wait(60)


def closes(line, _):
    line.close()


def has_no_end(line, service):
    """As fast as the line takes it."""
    line.sendall(b"HTTP/1.1 201 Created\r\n")
    with suppress(OSError):
        while not service.is_closing.is_set():
            line.sendall(b"X-More: and more\r\n" * 100)


def dribbles(line, service):
    """A byte now and then, each of them before anyone's patience for one byte is over."""
    line.sendall(b"HTTP/1.1 201 Created\r\n")
    with suppress(OSError):
        while not service.is_closing.is_set():
            line.sendall(b"X")
            time.sleep(0.05)


def is_signed(request, key, audience, subject):
    """Whether a request is signed with the key that a browser was given, for this push service."""
    header = request.headers["authorization"]
    claims = json.loads(base64.urlsafe_b64decode(header.partition("t=")[2].split(".")[1] + "=="))
    parts = dict(part.split("=", 1) for part in header.removeprefix("vapid ").split(","))
    assert (claims["aud"], claims["sub"], parts["k"]) == (audience, subject, key)
    assert time.time() < claims["exp"] <= time.time() + 86_400
    return Vapid02.verify(header)

"""Bytes as text in base64url without padding, as browsers write keys and answers."""

from base64 import b64decode, urlsafe_b64encode


def written(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def unwritten(text: str) -> bytes:
    """Raises ValueError if the text is not base64url."""
    return b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)

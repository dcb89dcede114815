"""Lists the characters that names and titles may not contain: invisible ones and those that reverse text.

The browser has the same rule in web/src/lib/characters.ts; tests/vectors/characters.json checks both.
"""

import re

HIDDEN = re.compile(
    "["
    "\x00-\x1f\x7f-\x9f"  # control characters; some change a terminal's state
    "\xad\u180e\u200b\u2060-\u2065\ufeff"  # zero width
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # text direction
    "\u2028\u2029"  # line breaks
    "\u206a-\u206f\ufff9-\ufffb\U000e0001"  # deprecated, or only for programs
    "\ud800-\udfff"  # surrogates
    "]"
)
LONGEST = 60  # characters, for a name or a title in a file


def fault_in(text: str, longest: int = LONGEST) -> str | None:
    """Returns what is wrong with a name or a title, as the end of a sentence; None for a valid one."""
    if len(text) > longest:
        return f"has {len(text)} letters; {longest} are the most"
    found = HIDDEN.search(text)
    return f"has a character that cannot be shown (U+{ord(found[0]):04X})" if found else None

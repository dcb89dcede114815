"""HTTP: the games, computer players and rule book, and the health of the server."""

from typing import Literal

from mulligan.game.facts import GameFacts

from .base import Thing


class Health(Thing):
    """The health of the server, for monitoring."""

    status: Literal["well", "starting", "draining", "closing", "cannot_write"]
    version: str
    seconds: float  # since the start of the server
    lost_entries: int = 0  # log entries seen by players' devices but missing from the server's logs
    failing_tables: int = 0  # whose moves cannot be written, although those of other tables can
    compiling: str = ""  # the progress of the first start, such as "4/12"; until it ends, computer players are slower


class VariantFile(Thing):
    """A variant file from the user, or one with house rules: its name without the extension, and its text.

    What is wrong in house rules is said in the language.
    """

    name: str
    text: str
    language: str = ""


class PlayerFacts(Thing):
    """A computer player to choose; the list begins with the weakest. `untrained` are the games it has no net for."""

    name: str
    untrained: list[str] = []


class Facts(Thing):
    version: str
    wire_version: int
    languages: list[str]
    games: list[GameFacts]
    players: list[PlayerFacts]
    phrases: list[str]
    reactions: list[str]
    name_length: int
    chat_length: int
    origin: str  # the beginning of links to share: "https://golf.example"
    announcement: str = ""  # from the operator of the server
    serverless: bool = False  # these are files, and there is no server to ask


class RuleBlock(Thing):
    """A paragraph, list or table in Markdown.

    `games` are the games it applies to, empty for all games; `label` is the part of `text` that names them.
    `matched` describes the layouts in a table: for each row the groups of slots in matched lines of one face. `house`
    says what house rules do to it: "note" tells them, "changed" no longer holds as it stands.
    """

    text: str
    games: list[str]
    label: str
    is_ruling: bool
    matched: list[list[list[str]]]
    house: Literal["", "note", "changed"] = ""


class RuleText(Thing):
    number: str
    title: str
    blocks: list[RuleBlock]


class RuleChapter(Thing):
    number: str  # empty for the glossary
    title: str
    rules: list[RuleText]
    blocks: list[RuleBlock]


class RuleBook(Thing):
    title: str
    intro: list[RuleBlock]
    chapters: list[RuleChapter]
    facts: GameFacts | None = None  # of the game with house rules that the book is for

"""Executes players' commands: checks them and returns the log entries they produce."""

from collections.abc import Iterator

from mulligan.server.wire.base import CHAT_LENGTH, PHRASES, REACTIONS
from mulligan.server.wire.commands import (
    AddSeed,
    AnswerKnock,
    Chat,
    Command,
    FillSeat,
    GiveBack,
    GiveUp,
    HandOver,
    Knock,
    Leave,
    Lend,
    MoveHere,
    NewLink,
    Next,
    NextHole,
    Offer,
    OpenSeat,
    Play,
    PlayOn,
    React,
    Readmit,
    Rematch,
    Remove,
    Rename,
    Say,
    SetOptions,
    Sit,
    Start,
    TakeBack,
    TakeOver,
)
from mulligan.server.wire.events import Chatted, OptionsSet, Reacted, Said

from .change_device import move_here, offer
from .host import hand_over, take_over
from .knocking import answer_knock, at_door
from .log_entries import Done, Entry
from .match_flow import add_seed, end_match, next_hole, play_move, rematch, start, take_back
from .names import tidy
from .new_link import new_link
from .next_game import choose_game
from .rights import Asker, Refusal, must_hold, must_own
from .seating import fill_seat, give_back, leave, lend, open_seat, play_on, readmit, remove, rename, sit
from .table import Table

ID_LENGTH = 40
MOST_ENTRIES = 20_000  # of a match; beyond it, only what the game needs
MOST_TALK = 3000  # phrases, reactions, chat messages and new names of a match
Talk = Say | React | Chat
# What a match needs to go on and end; these alone fill no log. Everything else is refused once the log is full.
Needed = (
    Start | Play | NextHole | AddSeed | GiveBack | MoveHere | Leave | Remove | Readmit | GiveUp | Rematch | TakeOver
)


def do(table: Table, asker: Asker, command: Command) -> list[Entry]:
    """Executes a command and returns its log entries; none if it was executed before or changes nothing.

    Raises Refusal.
    """
    if len(command.id) > ID_LENGTH:
        raise Refusal("id_too_long", most=ID_LENGTH)
    if table.done.find(asker.guest, command.id):
        return []
    must_have_room(table, command)
    entries = happen(table, decide(table, asker, command))
    return entries + happen(table, iter([Done(guest=asker.guest, id=command.id)])) if entries else []


def must_have_room(table: Table, command: Command) -> None:
    """Raises Refusal if the log of the match is too long for a command that the game does not need."""
    if table.talked >= MOST_TALK and isinstance(command, Talk | Rename):
        raise Refusal("too_much_talk", most=MOST_TALK)
    if table.length >= MOST_ENTRIES and not isinstance(command, Needed):
        raise Refusal("match_full")


def happen(table: Table, entries: Iterator[Entry]) -> list[Entry]:
    """Applies each entry before it requests the next one. If the first is refused, nothing has changed."""
    happened = []
    for entry in entries:
        table.apply(entry)
        happened.append(entry)
    return happened


def decide(table: Table, asker: Asker, command: Command) -> Iterator[Entry]:
    """Returns an iterator over the entries of a command. Raises Refusal, always before the first entry."""
    match command:
        case Play():
            return play_move(table, asker, command)
        case TakeBack():
            return take_back(table, asker, command)
        case NextHole():
            return next_hole(table, asker)
        case Sit():
            return sit(table, asker, command)
        case Leave():
            return leave(table, asker, command)
        case Start():
            return start(table, asker, command)
        case Rematch():
            return rematch(table, asker)
        case GiveUp():
            return end_match(table, asker)
        case AddSeed():
            return add_seed(table, asker, command)
        case Offer():
            return offer(table, asker, command)
        case MoveHere():
            return move_here(table, asker, command)
        case Say() | React() | Chat():
            return talk(table, asker, command)
        case Lend():
            return lend(table, asker, command)
        case PlayOn():
            return play_on(table, asker, command)
        case GiveBack():
            return give_back(table, asker, command)
        case Remove():
            return remove(table, asker, command)
        case Readmit():
            return readmit(table, asker)
        case NewLink():
            return new_link(table, asker, command)
        case FillSeat():
            return fill_seat(table, asker, command)
        case SetOptions():
            return set_options(table, asker, command)
        case HandOver():
            return hand_over(table, asker, command)
        case TakeOver():
            return take_over(table, asker)
        case OpenSeat():
            return open_seat(table, asker, command)
        case Knock():
            at_door(table, asker, command)
            return iter(())  # nothing has happened at the table yet
        case AnswerKnock():
            return answer_knock(table, asker, command)
        case Next():
            return choose_game(table, asker, command)
        case Rename():
            return rename(table, asker, command)
    raise Refusal("garbage", detail=type(command).__name__)


def set_options(table: Table, asker: Asker, command: SetOptions) -> Iterator[Entry]:
    """Sets the table's options. Owner only. The length of a running match stays unchanged. Raises Refusal."""
    must_own(table, asker)
    if table.phase not in ("lobby", "over"):
        command.options.holes = table.options.holes
    if command.options != table.options:
        yield OptionsSet(options=command.options)


def talk(table: Table, asker: Asker, command: Talk) -> Iterator[Entry]:
    """Sends a phrase, a reaction or a chat message. Raises Refusal."""
    must_hold(table, asker, command.seat)
    match command:
        case Say():
            if command.phrase not in PHRASES:
                raise Refusal("no_such_phrase")
            yield Said(seat=command.seat, phrase=command.phrase)
        case React():
            if command.reaction not in REACTIONS:
                raise Refusal("no_such_reaction")
            yield Reacted(seat=command.seat, reaction=command.reaction)
        case Chat():
            yield Chatted(seat=command.seat, text=check_chat(table, command.text))


def check_chat(table: Table, text: str) -> str:
    """Returns the chat message with invisible characters removed. Raises Refusal."""
    if not table.options.chat:
        raise Refusal("chat_off")
    text = tidy(text)
    if not text:
        raise Refusal("chat_empty")
    if len(text) > CHAT_LENGTH:
        raise Refusal("chat_too_long", most=CHAT_LENGTH)
    return text

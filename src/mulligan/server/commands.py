"""What a command makes happen at a table, or why it may not."""

from collections.abc import Iterator

from .entries import Done, Entry
from .messages import (
    CHAT_LENGTH,
    PHRASES,
    REACTIONS,
    AddSeed,
    Chat,
    Chatted,
    Command,
    FillSeat,
    GiveBack,
    GiveUp,
    Leave,
    Lend,
    MoveHere,
    NextHole,
    Offer,
    OptionsSet,
    Play,
    React,
    Reacted,
    Rematch,
    Remove,
    Said,
    Say,
    SetOptions,
    Sit,
    Start,
    TakeBack,
)
from .moving import move_here, offer
from .names import tidy
from .play import add_seed, end_match, next_hole, play_move, rematch, start, take_back
from .rights import Asker, Refusal, must_hold, must_own
from .seats import fill_seat, give_back, leave, lend, remove, sit
from .table import Table

ID_LENGTH = 40


def do(table: Table, asker: Asker, command: Command) -> list[Entry]:
    """Lets a command happen, and returns the entries for the log: none if it has happened before. Raises Refusal."""
    if len(command.id) > ID_LENGTH:
        raise Refusal("id_too_long", most=ID_LENGTH)
    if (asker.guest, command.id) in table.done:
        return []
    entries = happen(table, decide(table, asker, command))
    return entries + happen(table, iter([Done(guest=asker.guest, id=command.id)]))


def happen(table: Table, entries: Iterator[Entry]) -> list[Entry]:
    """Each entry happens before the next is thought of. Nothing has happened where the first is refused."""
    happened = []
    for entry in entries:
        table.apply(entry)
        happened.append(entry)
    return happened


def decide(table: Table, asker: Asker, command: Command) -> Iterator[Entry]:
    """The entries of a command, one by one. Every refusal comes before the first of them."""
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
        case GiveBack():
            return give_back(table, asker, command)
        case Remove():
            return remove(table, asker, command)
        case FillSeat():
            return fill_seat(table, asker, command)
        case SetOptions():
            return set_options(table, asker, command)
    raise Refusal("garbage", detail=type(command).__name__)


def set_options(table: Table, asker: Asker, command: SetOptions) -> Iterator[Entry]:
    must_own(table, asker)
    yield OptionsSet(options=command.options)


def talk(table: Table, asker: Asker, command: Say | React | Chat) -> Iterator[Entry]:
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
    if not table.options.chat:
        raise Refusal("chat_off")
    text = tidy(text)
    if not text:
        raise Refusal("chat_empty")
    if len(text) > CHAT_LENGTH:
        raise Refusal("chat_too_long", most=CHAT_LENGTH)
    return text

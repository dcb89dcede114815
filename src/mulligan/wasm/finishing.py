"""Makes an object file of LLVM a module that runs: with a memory, a stack and exports. No other linker is needed.

The object file is the only one and nothing else joins it, so every number in it is right already, but for addresses of
data: these move behind the stack. LLVM pads numbers that a linker may change; here they become as short as they can be.
The format: https://webassembly.github.io/spec/core/binary and the page Linking.md of WebAssembly/tool-conventions.
"""

from collections.abc import Iterable, Iterator

STACK = 1 << 18  # bytes, from address 0 on, downwards: below that is no memory, so a call that needs more ends
PAGE = 1 << 16
CUSTOM, TYPE, IMPORT, FUNCTION, TABLE, MEMORY, GLOBAL, EXPORT, ELEMENT, CODE, DATA, COUNT = (
    0,
    *range(1, 8),
    *range(9, 13),
)
ORDER = (TYPE, IMPORT, FUNCTION, TABLE, MEMORY, GLOBAL, EXPORT, ELEMENT, COUNT, CODE, DATA)
OF_FUNCTION, OF_TABLE, OF_MEMORY, OF_GLOBAL = range(4)  # what is imported, exported, or named by a symbol
SYMBOLS, NO_INDEX, NAMED = 8, 0x10, 0x40  # in the section `linking`
# Relocations, by how the number is written, and those that are addresses of data.
UNSIGNED, SIGNED, WORDS = {0, 3, 6, 7, 20}, {1, 4}, {2, 5}
ADDRESSES = {3, 4, 5}
WITH_ADDEND = {3, 4, 5, 8, 9}
I32, FUNCREF, CONSTANT, END = (
    b"\x7f",
    b"\x70",
    b"\x41",
    b"\x0b",
)  # two types, and the instructions `i32.const` and `end`


class Reader:
    """Reads numbers, bytes and names one after another."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data, self.at = data, at

    def number(self, signed: bool = False) -> int:
        """A number in LEB128: seven bits a byte, the lowest first."""
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value - (1 << shift) if signed and byte & 64 else value

    def take(self, count: int) -> bytes:
        self.at += count
        return self.data[self.at - count : self.at]

    def name(self) -> bytes:
        return self.take(self.number())


def unsigned(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def signed(value: int) -> bytes:
    out = bytearray()
    while not -64 <= value < 64:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value & 127])


def sized(content: bytes) -> bytes:
    return unsigned(len(content)) + content


def listed(items: list[bytes]) -> bytes:
    return unsigned(len(items)) + b"".join(items)


def module(data: bytes, names: Iterable[str]) -> bytes:
    """The module of an object file; browsers can call the functions of these names, and see `memory`."""
    made: dict[int, bytes] = {}
    named: dict[bytes, bytes] = {}
    places: dict[int, int] = {}  # of each section: its kind
    for place, (kind, content) in enumerate(sections(data)):
        places[place] = kind
        if kind == CUSTOM:
            reader = Reader(content)
            name = reader.name()
            named[name] = content[reader.at :]
        else:
            made[kind] = content
    moves = dict(relocations(content, places) for name, content in named.items() if name.startswith(b"reloc."))
    kept, elements = imports(made.pop(IMPORT))
    if kept:
        made[IMPORT] = listed(kept)
    made[CODE] = listed([sized(body) for body in bodies(made[CODE], moves.get(CODE, []))])
    parts, end = [], STACK
    for address, content in pieces(made.get(DATA, unsigned(0)), moves.get(DATA, [])):
        end = max(end, address + len(content))
        if any(content):  # memory is 0 anyway
            parts.append(b"\0" + CONSTANT + signed(address) + END + sized(content))
    made[DATA] = listed(parts)
    if COUNT in made:
        made[COUNT] = unsigned(len(parts))
    made[TABLE] = listed([FUNCREF + b"\0" + unsigned(elements)])
    made[MEMORY] = listed([b"\0" + unsigned(-(-end // PAGE))])
    made[GLOBAL] = listed([I32 + b"\1" + CONSTANT + signed(STACK) + END])  # the stack pointer
    found = functions(named[b"linking"])
    exports = [sized(name.encode()) + bytes([OF_FUNCTION]) + unsigned(found[name.encode()]) for name in names]
    made[EXPORT] = listed([*exports, sized(b"memory") + bytes([OF_MEMORY]) + unsigned(0)])
    return data[:8] + b"".join(bytes([kind]) + sized(made[kind]) for kind in ORDER if kind in made)


def sections(data: bytes) -> Iterator[tuple[int, bytes]]:
    reader = Reader(data, 8)
    while reader.at < len(data):
        kind = reader.take(1)[0]
        yield kind, reader.name()


def imports(content: bytes) -> tuple[list[bytes], int]:
    """Which functions are imported, and how many elements the table of functions has. All else is made here."""
    reader, kept, elements = Reader(content), [], 1
    for _ in range(reader.number()):
        begin = reader.at
        reader.name()
        name, kind = reader.name(), reader.number()
        if kind == OF_FUNCTION:
            reader.number()
            kept.append(content[begin : reader.at])
        elif kind == OF_TABLE:
            reader.take(2)
            elements += reader.number()
        elif kind == OF_MEMORY:
            reader.take(1)
            reader.number()
        else:
            assert (kind, name) == (OF_GLOBAL, b"__stack_pointer"), name
            reader.take(2)
    return kept, elements


def functions(linking: bytes) -> dict[bytes, int]:
    """The numbers of all functions that have a symbol."""
    reader, found = Reader(linking), {}
    assert reader.number() == 2, "the version of the format"
    while reader.at < len(linking):
        kind, table = reader.number(), Reader(reader.name())
        for _ in range(table.number() if kind == SYMBOLS else 0):
            what, flags = table.number(), table.number()
            if what == 1:  # data
                table.name()
                for _ in range(0 if flags & NO_INDEX else 3):
                    table.number()
            elif what == 3:  # a section
                table.number()
            else:
                number = table.number()
                name = table.name() if not flags & NO_INDEX or flags & NAMED else b""
                if what == 0:
                    found[name] = number
    return found


def relocations(content: bytes, places: dict[int, int]) -> tuple[int, list[tuple[int, int]]]:
    """The kind of a section, and where in it a linker may change numbers: each place, and how the number is written."""
    reader, found = Reader(content), []
    section = places[reader.number()]
    for _ in range(reader.number()):
        kind, offset, _ = reader.number(), reader.number(), reader.number()
        if kind in WITH_ADDEND:
            reader.number(signed=True)
        found.append((offset, kind))
    return section, sorted(found)


def bodies(content: bytes, moves: list[tuple[int, int]]) -> Iterator[bytes]:
    """The code of each function."""
    reader, left = Reader(content), iter(moves)
    pending = next(left, None)
    for _ in range(reader.number()):
        size = reader.number()
        begin, end, inside = reader.at, reader.at + size, []
        while pending and pending[0] < end:
            inside.append(pending)
            pending = next(left, None)
        reader.at = end
        yield moved(content, begin, end, inside)


def pieces(content: bytes, moves: list[tuple[int, int]]) -> Iterator[tuple[int, bytes]]:
    """Each piece of data, and the address it gets."""
    reader = Reader(content)
    for _ in range(reader.number()):
        assert (reader.number(), reader.take(1)) == (0, CONSTANT), "the address is a number"
        address = reader.number(signed=True) + STACK
        assert reader.take(1) == END
        size = reader.number()
        begin, end = reader.at, reader.at + size
        reader.at = end
        yield address, moved(content, begin, end, [move for move in moves if begin <= move[0] < end])


def moved(content: bytes, begin: int, end: int, moves: list[tuple[int, int]]) -> bytes:
    """This part of a section, with its addresses moved behind the stack and no number longer than it has to be."""
    out, at = [], begin
    for offset, kind in moves:
        out.append(content[at:offset])
        reader, more = Reader(content, offset), STACK if kind in ADDRESSES else 0
        if kind in WORDS:
            out.append((int.from_bytes(reader.take(4), "little") + more).to_bytes(4, "little"))
        elif kind in SIGNED:
            out.append(signed(reader.number(signed=True) + more))
        else:
            assert kind in UNSIGNED, kind
            out.append(unsigned(reader.number() + more))
        at = reader.at
    return b"".join([*out, content[at:end]])

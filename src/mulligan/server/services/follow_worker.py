"""The worker process that follows games with real cards: one question per line, one answer per line."""

import msgspec

from mulligan.server.processes import answer_all
from mulligan.server.table.rights import Refusal
from mulligan.server.wire.base import ErrorNote

from .cardboard import deciding, finished_log, phase_of, table_entered
from .followers import REFUSED, Decision, ToDecide, ToShow, read_question

write = msgspec.json.Encoder().encode


def answer(line: bytes) -> bytes:
    """Returns the answer to a question, or "!" and the refusal."""
    try:
        question = read_question(line)
        if isinstance(question, ToShow):
            return write(table_entered(question.entered))
        if isinstance(question, ToDecide):
            game, hole = deciding(question.entered)
            return write(
                Decision(
                    facts=game.variant.facts,
                    state=hole.state.tobytes(),
                    seats=game.at_table,
                    seat=game.at_table[hole.turn],
                    phase=phase_of(hole.state),
                )
            )
        return write(finished_log(question.entered))
    except Refusal as refusal:
        return REFUSED + write(ErrorNote(refusal.error, refusal.params))


if __name__ == "__main__":
    answer_all(answer)

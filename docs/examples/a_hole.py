"""One hole, move by move: you say what is played and which card comes."""

from mulligan import Hole, load_game, write_face, write_layout, write_moves

variant = load_game("play_nine")
hole = Hole(variant, seats=2, dealer=0)


def card(face: str) -> None:
    hole.turn_up(variant.faces.index(face))


def play(slot: str) -> None:
    hole.play(variant.slots.index(slot))


card("7")  # the discard pile begins with a 7 (2.3)
for slot, face in [("a1", "4"), ("a2", "9"), ("c1", "0"), ("c2", "12")]:
    play(slot)  # both players tee off (2.4)
    card(face)
print("legal now:", hole.legal_moves(), "which is the stock and the discard pile")
hole.play(13)  # the player on the dealer's left takes the 7 …
play("b1")  # … and puts it on b1, whose card goes
card("11")
print(write_layout(variant, hole.state.players[1].layout))
print("on the discard pile:", write_face(variant, hole.state.discard))
print(" ".join(write_moves(variant, hole.steps)))

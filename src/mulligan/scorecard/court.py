"""Sets the letters on jack, queen and king, which differ between countries."""

from dataclasses import replace
from typing import Literal, TypeAlias, get_args

from mulligan.game.variants import Variant

Court: TypeAlias = Literal["JQK", "VDR", "BDK"]
COURTS: tuple[Court, ...] = get_args(Court)
USUAL: dict[str, Court] = {"fr": "VDR", "de": "BDK"}


def lettered(variant: Variant, language: str, court: Court | None) -> Variant:
    """Returns the variant with these letters on its court cards; without a choice, the usual ones of the language.

    A variant that already has a face with one of these letters keeps its own names: no two faces may look the same.
    """
    letters = dict(zip("JQK", court or USUAL.get(language, "JQK"), strict=True))
    faces = tuple(letters.get(face, face) for face in variant.faces)
    return replace(variant, faces=faces) if len(set(faces)) == len(faces) else variant

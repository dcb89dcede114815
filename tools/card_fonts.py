"""Makes the fonts of the printed card from the Noto fonts for Chinese, Japanese and Korean.

Needs fontTools, and the fonts of Debian's fonts-noto-cjk:

    python tools/card_fonts.py [FOLDER]

It keeps the European alphabets that those fonts have, kana, the kanji of JIS X 0208 and many more used in names; the
bold font keeps only the kanji of the card's own words. The fonts get their own name, so that no installed font is used
instead. letters.txt lists the letters of the regular font.
"""

import json
import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

SOURCE = Path("/usr/share/fonts/opentype/noto")
FAMILY = "Mulligan Card"
CARD = Path(__file__).parents[1] / "src/mulligan/scorecard"
LATIN = [*range(0x20, 0x7F), *range(0xA0, 0x250), *range(0x1E00, 0x1F00), *range(0x2000, 0x2070), 0x20AC, 0x2212]
GREEK_AND_CYRILLIC = range(0x370, 0x530)
KANA = [*range(0x3000, 0x3100), *range(0xFF00, 0xFFA0)]
MORE = "𠮷"  # used in names, but in none of those sets
FEATURES = ["kern", "mark"]


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    regular = cut("Regular", {*LATIN, *GREEK_AND_CYRILLIC, *KANA, *kanji()}, folder / "card-regular.otf")
    cut("Bold", {*range(0x20, 0x180), *range(0x2010, 0x2040), 0x2212, *KANA, *words()}, folder / "card-bold.otf")
    (folder / "letters.txt").write_text("".join(map(chr, regular)) + "\n", encoding="utf-8")


def kanji() -> set[int]:
    """JIS X 0208, level 3 of JIS X 0213, and the extra kanji for names that computers in Japan have."""
    twos = [bytes((first, second)) for first in range(0x81, 0xFF) for second in range(0x40, 0xFF)]
    texts = [two.decode(code, "ignore") for two in twos for code in ("cp932", "euc_jis_2004")]
    letters = {ord(text) for text in texts if len(text) == 1}
    return {letter for letter in letters if not 0xE000 <= letter < 0xF900} | set(map(ord, MORE))


def words() -> set[int]:
    """The letters of the card's own texts."""
    texts = (json.loads(file.read_text(encoding="utf-8")) for file in (CARD / "words").glob("*.json"))
    return {ord(letter) for words in texts for text in words.values() for letter in text if letter.isprintable()}


def cut(style: str, letters: set[int], file: Path) -> list[int]:
    """Writes a subset of a font under our name. Returns its letters."""
    options = subset.Options(
        layout_features=FEATURES,
        hinting=False,
        name_IDs=[0, 1, 2, 3, 4, 5, 6, 7, 13, 14],
        name_languages=[0x409],
        drop_tables=["vhea", "vmtx", "VORG", "BASE"],
        notdef_outline=True,
    )
    font = TTFont(SOURCE / f"NotoSansCJK-{style}.ttc", fontNumber=0)  # the first of each collection is the Japanese one
    font["cmap"].tables = [table for table in font["cmap"].tables if table.format != 14]  # variants of kanji
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=letters)
    subsetter.subset(font)
    rename(font, style)
    font.save(file)
    print(f"{file}: {file.stat().st_size / 1000:,.0f} kB")
    return sorted(font.getBestCmap())


def rename(font: TTFont, style: str) -> None:
    plain = f"{FAMILY.replace(' ', '')}-{style}"
    for number, name in {1: FAMILY, 2: style, 3: plain, 4: f"{FAMILY} {style}", 6: plain}.items():
        font["name"].setName(name, number, 3, 1, 0x409)
    top = font["CFF "].cff
    top.fontNames[0] = plain
    top.topDictIndex[0].FullName = f"{FAMILY} {style}"
    top.topDictIndex[0].FamilyName = FAMILY


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else CARD / "fonts")

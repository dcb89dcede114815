"""Come-back words: four words with which a person comes back on another device.

The words stand for numbers, and the number of a word is its place in the list of its language. The database keeps only
a digest of the numbers, which takes long to compute, so that nobody who has the file can try all words.
"""

import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import resources

from mulligan.game.rulebook import LANGUAGES

WORDS = 4
LISTED = 2048  # words in each language
COST = {"n": 2**14, "r": 8, "p": 1}  # of scrypt: as much as a server with little memory can afford
LONGEST = 200  # characters that anyone types for four words
SMALL_KANA = str.maketrans("ぁぃぅぇぉっゃゅょゎ", "あいうえおつやゆよわ")
UMLAUTS = {ord("ä"): "ae", ord("ö"): "oe", ord("ü"): "ue"}
SPLIT = re.compile(r"[\s,.;、。・+_-]+")


@cache
def words_of(language: str) -> list[str]:
    """Returns the words of a language, in the order of their numbers."""
    text = resources.files(__package__).joinpath(f"words/{language}.txt").read_text("utf-8")
    return text.split()


@cache
def numbers_of(language: str) -> dict[str, int]:
    """Returns the number of each word, as it is compared."""
    return {form: number for number, word in enumerate(words_of(language)) for form in forms_of(word)}


def new_numbers(below: Callable[[int], int]) -> list[int]:
    """Returns the numbers of new words; `below` returns a random number below another one."""
    return [below(LISTED) for _ in range(WORDS)]


def written(numbers: Sequence[int], language: str) -> list[str]:
    listed = words_of(language if language in LANGUAGES else "en")
    return [listed[number] for number in numbers]


def read(text: str) -> Iterator[list[int]]:
    """Yields the numbers that typed words may mean: of each language that has all of them."""
    typed = [forms_of(word)[0] for word in SPLIT.split(text[:LONGEST].strip()) if word]
    if len(typed) != WORDS:
        return
    for language in LANGUAGES:
        numbers = numbers_of(language)
        if all(word in numbers for word in typed):
            yield [numbers[word] for word in typed]


def forms_of(word: str) -> list[str]:
    """Returns how a word is compared: without accents and capitals, and a German one also as typed without umlauts."""
    lower = unicodedata.normalize("NFKC", word).casefold().replace("œ", "oe").replace("æ", "ae")
    letters = unicodedata.normalize("NFD", hiragana(lower))
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    spelt = lower.translate(UMLAUTS)
    return [plain.translate(SMALL_KANA), *([spelt] if spelt != lower else [])]


def hiragana(text: str) -> str:
    return "".join(chr(ord(letter) - 0x60) if "ァ" <= letter <= "ヶ" else letter for letter in text)


def digest(numbers: Sequence[int], salt: str) -> str:
    """Returns what the database keeps of the words. Takes long, so call it in a thread."""
    written = " ".join(map(str, numbers)).encode()
    return hashlib.scrypt(written, salt=bytes.fromhex(salt), dklen=32, **COST).hex()

"""Come-back words: lists that never change, and words read as people type them."""

import hashlib
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mulligan.game.rulebook import LANGUAGES
from mulligan.server.services import come_back_words

# The numbers of words that people have on paper are their places in these lists.
LISTS = {
    "de": "a21f4d057c2f74fa",
    "en": "d1c680ce19ac043c",
    "fr": "335998f7f1c0ac6e",
    "ja": "b9e06357751a935d",
}
NUMBERS = st.lists(st.integers(0, come_back_words.LISTED - 1), min_size=4, max_size=4)


def read(text):
    return list(come_back_words.read(text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_list_is_as_it_was_when_people_wrote_its_words_down(language):
    words = come_back_words.words_of(language)
    assert len({form for word in words for form in come_back_words.forms_of(word)[:1]}) == come_back_words.LISTED
    assert hashlib.sha256("\n".join(words).encode()).hexdigest()[:16] == LISTS[language]


@given(NUMBERS, st.sampled_from(LANGUAGES), st.sampled_from([" ", "  ", ", ", "-", "\n", "\u3000", "、"]))
def test_words_are_read_in_any_language_and_with_any_mark_between_them(numbers, language, between):
    words = come_back_words.written(numbers, language)
    for typed in (between.join(words), between.join(words).upper(), f" {between.join(words).title()} "):
        assert numbers in read(typed)


@pytest.mark.parametrize(
    ("word", "typed"),
    [
        ("gärtner", "gartner"),
        ("gärtner", "Gaertner"),
        ("heiß", "heiss"),
        ("fée", "FEE"),
        ("œuf", "oeuf"),
        ("がっき", "ガツキ"),
    ],
)
def test_accents_umlauts_and_kana_may_be_typed_as_the_keyboard_allows(word, typed):
    assert come_back_words.forms_of(typed)[0] in come_back_words.forms_of(word)


def test_other_than_four_words_are_nobodys():
    words = come_back_words.written([1, 2, 3, 4], "en")
    assert read(" ".join(words[:3])) == read(" ".join([*words, words[0]])) == read("") == []
    assert read(" ".join([*words[:3], "xyzzy"])) == []


def test_the_digest_depends_on_order_and_salt():
    numbers = random.Random(1).sample(range(come_back_words.LISTED), 4)
    salts = ("00" * 16, "01" * 16)
    digests = {come_back_words.digest(order, salt) for order in (numbers, numbers[::-1]) for salt in salts}
    assert len(digests) == 4

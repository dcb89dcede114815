"""The list of all HTTP route handlers."""

from .client import show_page, show_start
from .coach import (
    give_hint,
    give_hint_entered,
    give_hint_position,
    keep_entered,
    refine_hole,
    show_analysis,
    show_entered,
)
from .facts import (
    read_house_rules_file,
    read_variant,
    show_facts,
    show_frequencies,
    show_health,
    show_house_rules,
    show_ready,
    show_rulebook,
    show_tutorial,
)
from .games import download_record, show_game, show_hole, show_shuffles
from .score_cards import print_card, print_entered, print_game, show_card
from .tables import open_table, show_qr, show_table, take_mulligan

HANDLERS = [
    show_health,
    show_ready,
    show_facts,
    show_house_rules,
    read_house_rules_file,
    show_rulebook,
    show_tutorial,
    read_variant,
    open_table,
    show_table,
    show_qr,
    show_game,
    show_hole,
    show_analysis,
    refine_hole,
    give_hint,
    take_mulligan,
    show_entered,
    give_hint_entered,
    give_hint_position,
    keep_entered,
    show_shuffles,
    show_frequencies,
    download_record,
    print_card,
    show_card,
    print_entered,
    print_game,
    show_start,
    show_page,
]

"""A wrong command line gets one sentence, and nothing else happens."""

from pathlib import Path

import pytest
from commands import mulligan

from mulligan.game.rulebook import LANGUAGES
from mulligan.game.words import Words

GAMES = str(Path(__file__).parent / "games/play_nine.jsonl")
HALF = "7 ? 1 ? / ? ? ? 5"
EN = Words("en")
HOW = EN("terminal_advise_how", layout="--layout", discard="--discard", record="--record")
TOO_MANY_EIGHTS = EN("cardboard_table_too_many", count=9, face="8", copies=8)
TOO_MANY = "1000000000000"
NO_FILE, NO_GAME = "there is no such file or folder", "There is no game “bridge”"
NO_LANGUAGE = f"There is no language “../en”; choose from {', '.join(LANGUAGES)}."

# The words after each command, and a part of the sentence.
WRONG = {
    "shuffle": [([], "There is no command shuffle")],
    "play": [
        (["--resume", "--seed", "3"], "--resume already says what is played; leave out --seed."),
        (["--resume", "--day", "--players", "you"], "--resume already says what is played; leave out --day and"),
        (["--word", "golf", "--day"], "--word already says what is played; leave out --day."),
        (["--day", "--holes", "3", "--seed", "3"], "--day already says what is played; leave out --holes and --seed."),
        (["--game", "nine_card", "--option", "jokers=9"], "jokers"),
        (["--game", "nine_card", "--option", "wild=1"], "wild"),
        (["--game", "nine_card", "--option", "jokers"], "jokers"),
        (["--language", "../en"], NO_LANGUAGE),
    ],
    "score": [
        (["1 2 3"], "2 rows of 4"),
        (["1 2 3 13 / 1 2 3 4"], "no such card in this game:\u00a013"),
        (["--game", "bridge", "1"], NO_GAME),
        (["1", "--language", "../en"], NO_LANGUAGE),
    ],
    "rules": [
        (["7.7"], "There is no rule “7.7”"),
        ([""], "There is no rule “”"),
        (["--language", "../en"], NO_LANGUAGE),
    ],
    "replay": [(["x", "--language", "../en"], NO_LANGUAGE)],
    "card": [
        (["--players", "9"], "2 to 6 players"),
        (["--game", "bridge"], NO_GAME),
        (["--language", "../en"], NO_LANGUAGE),
        (["--paper", "a5"], "a4, letter"),
        (["--record", GAMES, "--number", "99"], "no match 99"),
        (["--record", GAMES, "--names", "Ann"], "leave out"),
        (["--record", "nowhere.jsonl"], f"nowhere.jsonl: {NO_FILE}"),
    ],
    "advise": [
        ([], HOW),
        (["--layout", HALF], HOW),
        (
            ["--move", "3", "--layout", HALF],
            EN("terminal_needs_record", options="--hole and --move", record="--record"),
        ),
        (["--record", "x", "--discard", "4"], EN("terminal_record_alone", record="--record")),
        (["--layout", "8 8 8 8 / 8 8 8 8", "--layout", HALF, "--discard", "8"], TOO_MANY_EIGHTS),
    ],
    "move-store": [([], "FROM is missing."), (["golf"], "TO is missing.")],
    "site": [
        (["/"], "/ holds other files. Give a new folder"),
        (["golf", "--base-path", "golf"], "“golf” is not a base path; --base-path takes one such as /golf"),
    ],
    "verify": [(["none.jsonl"], f"none.jsonl: can’t be read ({NO_FILE}).")],
    "analyse": [(["none.jsonl"], f"none.jsonl: {NO_FILE}.")],
    "simulate": [
        ([], "--games or how many --holes"),
        (["--games", "1", "--seats", "9"], "2 to 6 players (1.1)"),
        (["--games", "1", "--players", "wizard"], "There is no player “wizard”"),
        (["--holes", "1", "--record", "x"], "--record needs --games"),
        (["--games", "some"], "--games"),
        (["--games", TOO_MANY], "--games"),
        (["--holes", TOO_MANY], "--holes"),
        (["--games", "1", "--threads", TOO_MANY], "--threads"),
        (["--games", "1", "--on", "mars"], "--on mars: the places are local, gpu, ray and ray://HOST:PORT."),
        (["--games", "100000000", "--record", "no/games.jsonl"], f"no/games.jsonl: {NO_FILE}"),
    ],
    "arena": [
        (["smart", "greedy"], "There is no player “smart”; there are random, greedy"),
        (["greedy"], "2 seats need at least 2 players"),
        (["greedy", "os:nothing"], "The module os has no function nothing."),
        (["greedy", "os:name"], "os:name is not a function."),
        (["greedy", "no_such_module:f"], "The module of “no_such_module:f” cannot be imported"),
        (["greedy", "program:"], "“program:” is followed by a command"),
        (["greedy", "program:/no/such/file"], "/no/such/file cannot be started: No such file or directory."),
        (["greedy", "program:'"], "The command of ' has an open quotation mark."),
        (["greedy", "x=program:true"], "x ended by itself (exit status 0)."),
        (["greedy", "x=program:sleep 99", "--timeout", "0.1"], "x gave no “ready” within 0.1 s."),
        (["greedy", "random", "--seats", "9"], "Play Nine is for 2 to 6 players (1.1), not 9."),
        (["greedy", "random", "--chart", "x.doc"], "x.doc: a chart ends in .svg or .png."),
        (["greedy", "random", "--chart", "no/x.svg"], f"no/x.svg: {NO_FILE}."),
    ],
    "benchmark": [
        (["smart"], "There is no player “smart”; there are random, greedy"),
        (
            ["greedy", "--game", "bridge"],
            "bridge is not in the benchmark; its games are play_nine, nine_card, six_card.",
        ),
        (["greedy", "--out", "no/x.json"], f"no/x.json: {NO_FILE}."),
    ],
    "exploit": [
        (["smart"], "There is no player “smart”; there are random, greedy"),
        (["greedy", "--seats", "9"], "Play Nine is for 2 to 6 players (1.1), not 9."),
        (["program:true", "--exact"], "A program is too slow for every position of a game"),
        (["os:nothing", "--exact"], "The module os has no function nothing."),
        (["math:sqrt", "--exact"], "math:sqrt failed: TypeError"),
        (["greedy", "--device", "mars"], "--device mars: the devices are auto, cpu and gpu."),
    ],
    "train": [
        (["--seats", "9"], "(1.1), not 9"),
        (["--start", GAMES], "play_nine.jsonl is not a net"),
        (["--on", "mars", "--rounds", "1"], "local, ray and ray://HOST:PORT"),
        (["--device", "mars"], "auto, cpu and gpu"),
    ],
    "dataset": [
        (["a.csv"], "a.csv: the file has to end in .parquet."),
        (["no/a.parquet"], f"no/a.parquet: {NO_FILE}."),
    ],
}
FOR_RESEARCH = ("simulate", "arena", "benchmark", "exploit", "train", "dataset")
NEEDS = {"arena": "openskill", "benchmark": "openskill", "exploit": "openskill", "dataset": "pyarrow"}
OPTIONS = {
    "card": ["-o", "card.pdf"],
    "train": ["--output", ".", "--device", "cpu"],
    "benchmark": ["--name", "it", "--about", "a player", "--compute", "none"],
}
CASES = [(command, words, said) for command, cases in WRONG.items() for words, said in cases]


@pytest.mark.parametrize(("command", "words", "said"), CASES)
def test_what_is_wrong_is_one_sentence(command: str, words: list[str], said: str, tmp_path: Path) -> None:
    if command in NEEDS:
        pytest.importorskip(NEEDS[command])
    options = OPTIONS.get(command, [])
    done = mulligan(command, *options, *words, cwd=tmp_path, code=None)
    assert said in done.stderr
    assert (done.stdout, done.stderr.count("\n")) == ("", 1)
    assert done.returncode in ((1, 2) if command in FOR_RESEARCH else (1,) if NO_FILE in said else (2,))
    assert not list(tmp_path.iterdir())

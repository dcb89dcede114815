"""Finds measured figures in a text: times, sizes, rates, ratios, shares, strokes and counts, in any language."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

WORD = (
    "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty"
    "|ninety|a hundred|a dozen|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig|dreißig|hundert"
    "|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|vingt|trente|cent"
)
KANJI = "[一二三四五六七八九十百千]"
TIMES_IN_WORDS = (
    "(?:milli|micro|nano)?seconds?|minutes?|hours?|days?|(?:Milli|Mikro)?[Ss]ekunden?|Minuten?|Stunden?"
    "|(?:milli|micro)?secondes?|heures?"
)
TIMES = rf"[\u00b5\u03bcu]s|ns|msec|ms|secs?|s|min|h|{TIMES_IN_WORDS}|(?:ミリ|マイクロ)?秒|分間?|時間"
SIZES_IN_WORDS = "(?:kilo|mega|giga)?bytes|(?:kilo|méga|giga)?octets"
SIZES = f"[kKMGT]i?B(?:yte)?s?|[kMG]o|{SIZES_IN_WORDS}|Bytes|(?:キロ|メガ|ギガ)?バイト"
AMOUNTS = (
    "strokes?|coups|Schläge|holes|Löcher|trous|games|Partien|Spiele|parties|matches|moves|Züge|positions|playouts|rows"
    "|entries|turns|commands|requests|messages|connections|sockets|spectators|people|tables|lines?|pages|k?[MG]?Hz|fps"
    "|打|局|手"
)
PERIODS = "second|minute|hour|day|core|CPU-second|Sekunde|Minute|seconde"
RATES = rf"(?:[\w-]+ ){{0,3}}(?:(?:an?|per|pro|par) (?:{PERIODS})|/ ?s)"
RATIOS = r"%|‰|percent|per cent|Prozent|パーセント|times|mal|-?fach|-?fold|fois|倍|割|[x×](?! ?\d)"
MANY = "thousand |million |mille |millions de |Tausend |Millionen |万|億"

NUMBER = r"[+−~]?\d(?:[\d,.]*\d)?(?: ?× ?10)?[⁰¹²³⁴-⁹]*"
RANGE = rf"{NUMBER}(?:(?:[–-]| to | or | and | bis | à |〜){NUMBER})?"
SPACE = "[ \u00a0\u2009\u202f-]?"
END = r"(?![^\W\u3040-\u9fff]|[²³])"  # in Japanese the next word follows at once
FRACTIONS = (
    "half|twice|thrice|double|triple"
    "|(?:a|one|two|three|several) (?:third|quarter|fifth|tenth|twentieth|thirds|quarters|tenths)"
)
OF_WHAT = "time|size|memory|work|cost|scatter|variance|stages|speed|rate|throughput"
CHANGES = (
    "as (?:long|fast|slow|much|many|large|big|small|often)|longer|shorter|faster|slower|larger|smaller|less|more"
    f"|of (?:it|that|them|the (?:{OF_WHAT}))|the (?:{OF_WHAT})"
)
ELSEWHERE = (
    rf"(?:halb|doppelt|(?:{WORD})mal) so|(?:{WORD}) fois (?:plus|moins)|moitié (?:moins|plus)"
    "|(?:Drittel|Viertel|Fünftel|Zehntel) (?:schneller|langsamer|kürzer|länger|größer|kleiner|weniger|mehr)"
    "|(?:tiers|quart|cinquième|dixième) (?:plus|moins|de)"
)
RULE_BOOK = (Path(__file__).parents[1] / "docs/rulebook/en.md").read_text(encoding="utf-8")
RULES = "|".join(map(re.escape, re.findall(r"^### (\d+\.\d+)", RULE_BOOK, re.M)))
FIGURE = re.compile(
    rf"{NUMBER} ?± ?{NUMBER}"
    rf"|{RANGE}k?{SPACE}(?:{MANY})?(?:{TIMES}|{SIZES}|{AMOUNTS}|{RATES}|{RATIOS}){END}"
    rf"|{KANJI}+(?:{TIMES}|{RATIOS}|打)|(?:毎秒|毎分|秒あたり)\d"
    rf"|\b(?:{WORD}|half an?)[ -](?:{TIMES_IN_WORDS}|{SIZES_IN_WORDS}|per ?cent|strokes?|Schläge|coups)\b"
    r"|[×x] ?\d(?:[\d,.]*\d)?(?![\w⁰-⁹])(?<![×x]\d)(?<![×x]\d\d)"
    rf"|\bp(?:50|9\d)\b|\d\d(?:th|st|nd|rd) percentile"
    rf"|\b[Ff]a[ck]t(?:or|eur) (?:of |de )?(?:\d|{WORD})|\borders? of magnitude"
    rf"|\b(?:\d[\d,]*|{WORD}) (?:out )?of (?:the )?(?:\d[\d,]*|{WORD})\b(?!-)|\b\d+ per \d"
    rf"|\b(?:(?:\d|{WORD}) in [1-9]\d*|one in (?:{WORD}))\b(?!-)|(?<![\d/])\d\d+/\d\d+(?![\d/])"
    rf"|(?<=[^\n]\|) *(?:about |~|≈|\*|\()*[+−]?\d[\d,.]+[*%)]*(?: \([^|)]*\))? *(?=\|)|<t[dh][^>]*> *[+−]?\d"
    rf"|\b(?:{FRACTIONS}) (?:{CHANGES})\b|\b(?:{WORD}|hundreds of|thousands of) times\b|\b(?:{ELSEWHERE})\b"
    rf"|(?<![\w.,=])(?<!Python )(?!(?:{RULES})(?!\d|,\d))\d+[.,]\d+(?:[.,]\d{{3}})*(?![\w²³]|\.\d)|\b\d{{5,}}\b"
    rf"|\b(?:third|quarter|fifth|tenth|twentieth|hundredth)s? of an? (?:second|minute|hour|stroke|core)\b"
)
LEVEL_OF_CONFIDENCE = r"95 %(?=\s(?:confidence )?(?:intervals?|quantile))"
# What code says and prints is compared with the code, but its comments are not, nor what only looks like code: `12 ms`.
CODE = r"(^ *```.*?^ *```)|`([^`\n]+(?:\n[^`\n]+)?)`|^ {4,}(?:python|mulligan|pip) .*$"


def figures_in(text: str) -> list[str]:
    """The measured figures, without their sign."""
    plain = re.sub(LEVEL_OF_CONFIDENCE, "", re.sub(CODE, prose_of, text, flags=re.S | re.M))
    plain = re.sub(r"\n(?![\n|])", " ", plain)  # a figure may end on the next line
    return [figure.strip(" +") for figure in FIGURE.findall(plain)]


def prose_of(code: re.Match[str]) -> str:
    block, span = code[1] or "", code[2] or ""
    looks_like_code = not re.match(r"[+−~≈]?\d[\d,.]*\W?[^\W\d]", span)
    return "\n".join(re.findall(r"(?:#|//|--) .*", block)) + ("" if looks_like_code else span)


def comments(source: Path) -> Iterator[str]:
    """The docstrings and comments of a Python file."""
    text = source.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield ast.get_docstring(node) or ""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield re.sub(rf"^# *((?:{RULES})(, |:? |$))*", "", token.string)  # the rules that a line is about

"""Finds long sentences and translated or archaic English in comments, docstrings and Markdown."""

import re
import textwrap

# The largest share of a folder's sentences, by the least number of markers.
LIMITS = {1: 0.04, 2: 0.002}
MOST_WORDS = 40
FEWEST_WORDS = 3  # Shorter texts are labels, not sentences.

# The words that mark a sentence, by advice. The first letter of a sentence is in lower case when they are matched.
MARKERS = {advice: re.compile(pattern) for advice, pattern in {
    "name the thing": r"\bwhat(?:ever)?\b(?![- ]if\b)(?![^?]*\?)",
    "name the person: the caller, the user": r"(?:^|[,;:.(—] ?|\b(?:and|or|but|as|by|for|from|of|than|to|with) )who(?:m|ever)?\b",
    "name the person: any caller, every user": r"\b(?i:any|every|no|some)body\b",
    "repeat the noun": r"\b(?:at|by|for|from|has|have|in|is|are|of|on|than|to|with) another\b|\bof (?:its|their) own\b(?=[.,;:])",
    "turn the clause around": r"\b(?:after|among|at|before|between|by|for|from|in|of|on|through|to|under|with) (?:which|whom)\b",
    "write: nil if, empty if, invalid": r"(?<!there )\b(?:is|are) none\b|\bthere (?:is|are|was|were) not\b|\bthat (?:there|is no|are no)\b",
    "write: the number, equal": r"\b(?:as|so) (?:many|much|few)\b(?! as)",
    "write: receives, returns, reports": r"\b(?:tells?|telling|says|owe[ds]?)\b|\b(?:is|are|was|were|be|been|being) told\b",
    "write: if, when": r"\bwhere (?:all|an?|any|data|each|it|no|nothing|one|some|that|the|there|these|they|this|those)\b",
    "write the leading zero": r"(?:^|[\s(~≈<>≤≥±–-])\.\d",
    "write: about": r"\bsome (?:\d|dozens|hundreds|tens|thousands|(?:twen|thir|for|fif|six|seven|eigh|nine)ty\b)",
    "write: is, are": r"\b(?:lie|lies|lay|stand|stands|stood)\b",
    "write: stored, cached, unchanged": r"\b(?:keeps|kept)\b",
    "write: freed, returned": r"\bg(?:ave|ive|iven|ives|iving) (?:back|way)\b",
    "write: uses, follows": r"\b(?:go|goes|going|went) by\b",
    "write: next to, compared with, in addition to": r"\bbeside\b",
    "write: again": r"\banew\b",
    "write: while, later, permanently, still": r"\bmeanwhile\b|\bfrom (?:now|then) on\b|\ball the same\b|\bfor good\b",
    "write: Default": r"\bwhen (?:missing|left out)\b|\bunless (?:given|said|told)\b",
    "write a percentage or a factor": r"\b(?:half|thirds?|quarters?|fifths?|tenths?) of what\b|\b(?:half|quarter) as (?:long|many|much) again\b",
}.items()}
PRONOUN = re.compile(r"\b(?:its?|ones?|that|th[eo]se|them|they|such|which|what|others?|another)\b")
MOST_PRONOUNS = 3  # Long sentences may have one more.
# A word has two letters or a digit. Symbols and the variables of a formula do not count.
WORD = re.compile(r"\S*(?:[^\W\d_]{2}|\d)\S*|\b[aAI]\b")

SIGNS = {".swift": "//", ".c": "//", ".h": "//", ".cpp": "//", ".py": "#", ".sh": "#", ".yml": "#", ".toml": "#"}
DIRECTIVE = re.compile(r" (?:MARK:|swift-|clang-format|shellcheck|noqa|type:|pragma)")
STRING = re.compile(r'(^[ \t]*r?)?"""(.*?)"""', re.DOTALL | re.MULTILINE)
BREAK = re.compile(r"\s*(?:$|[-=~]{3}|[|#<]|!\[|\[[^\]]+\]: )")
ITEM = re.compile(r"\s*(?:[-*+] (?:Parameters?\b(?: \w+)?:?|(?:Returns|Throws|Complexity):)?|\d+\. |@\w+ ?|[\w*]+(?:, [\w*]+)* : .*)")


def paragraphs(lines):
    """The paragraphs and list items among numbered lines, without code and tables. Each has the number of its first line.

    >>> text = "One\\ntwo.\\n```\\ncode\\n```\\n- an item\\n  goes on\\n\\n    code\\n| a | table |\\nk : int\\n    The number."
    >>> list(paragraphs(enumerate(text.split("\\n"), 1)))
    [(1, 'One two.'), (6, 'an item goes on'), (11, 'The number.')]
    >>> list(paragraphs([(1, ">>> f(1)"), (2, "1"), (3, ""), (4, "The end.")]))
    [(4, 'The end.')]
    """
    first, block, closing = 0, None, None
    for number, line in [*lines, (0, "")]:
        start, item = line.strip()[:3], ITEM.match(line)
        if closing is not None:
            closing = None if start == closing else closing
        elif start in ("```", ">>>") or not item and (BREAK.match(line) or block is None and line.startswith("    ")):
            if block:
                yield first, " ".join(block)
            block, closing = None, {"```": "```", ">>>": ""}.get(start)
        else:
            if item and block:
                yield first, " ".join(block)
            if item or block is None:
                first, block = number, []
            block += [text] if (text := line[item.end() if item else 0:].strip()) else []


def comments(text, sign):
    """The numbered lines of comments, with an empty line for each line of code.

    >>> list(comments("/// A size\\n/// in bytes.\\nlet a = 1  // not 0\\n// MARK: - B", "//"))
    [(1, 'A size'), (2, 'in bytes.'), (3, ''), (3, 'not 0'), (3, ''), (4, '')]
    """
    for number, line in enumerate(text.split("\n"), 1):
        code, _, comment = line.partition(sign)
        comment = comment.lstrip(sign[0] + "!<")
        comment = "" if DIRECTIVE.match(comment) or not comment.startswith(" ") else comment[1:]
        if not code or code.isspace():
            yield number, comment
        elif comment and code.endswith(" ") and code.count('"') % 2 == 0:
            yield from ((number, ""), (number, comment), (number, ""))
        else:
            yield number, ""


def docstrings(text):
    """The numbered lines of each string that begins a line.

    >>> list(docstrings('a = f(\"\"\"b\"\"\")\\n    \"\"\"The size,\\n\\n    in bytes.\"\"\"'))
    [(2, 'The size,'), (3, ''), (4, 'in bytes.'), (5, '')]
    """
    for string in STRING.finditer(text):
        if string[1] is not None:
            first, _, others = string[2].partition("\n")
            yield from enumerate([first, *textwrap.dedent(others).split("\n"), ""], text.count("\n", 0, string.start()) + 1)


def sentences(path, text):
    """The sentences of a file, each with the number of the line where its paragraph begins.

    >>> list(sentences("a.md", "Vectors are rows. `k` is 3.\\n\\n## No sentence at all"))
    [(1, 'Vectors are rows.'), (1, '`k` is 3.')]
    >>> list(sentences("a.py", 'def f():\\n    \"\"\"Adds two rows.\"\"\"\\n    # Ids are numbers.'))
    [(3, 'Ids are numbers.'), (2, 'Adds two rows.')]
    """
    is_python = path.endswith(".py") or text.startswith("#!/usr/bin/env python")
    sign = SIGNS.get("." + path.split(".")[-1], "#")
    lines = enumerate(text.split("\n"), 1) if path.endswith(".md") else comments(text, sign)
    for number, paragraph in [*paragraphs(lines), *paragraphs(docstrings(text) if is_python else ())]:
        for sentence in re.split(r"(?<=[.!?])[)\"*_]*\s+(?=[A-Z\"(\[*`])", paragraph):
            if sentence.count(" ") >= FEWEST_WORDS - 1:
                yield number, sentence


def markers(sentence):
    """The words of a sentence that a reader stumbles over, each with the advice.

    >>> markers("Returns the number of stored rows, or nil if the list is empty.")
    []
    >>> markers("Whoever comes beside it waits.")
    ['"whoever": name the person: the caller, the user', '"beside": write: next to, compared with, in addition to']
    >>> markers("It is that of the one which they have.")
    ['5 pronouns: write two sentences, or repeat the noun']
    >>> markers("Prints the words `beside` and `anew`.")
    []
    >>> archaic = "what lies beside it is told anew to somebody, who kept some 90 of its own, from which half of what went by " + \\
    ...     "was given back where it was meanwhile, so many that there is not .5, unless said"
    >>> [advice for advice, marker in MARKERS.items() if not marker.search(archaic)]
    []
    """
    text = re.sub(r"`+[^`]*`+", "X", sentence)
    text = text[:1].lower() + text[1:]
    found = [f'"{match[0].strip()}": {advice}' for advice, marker in MARKERS.items() if (match := marker.search(text))]
    pronouns = len(PRONOUN.findall(text))
    if pronouns > MOST_PRONOUNS + (text.count(" ") >= 24):
        found.append(f"{pronouns} pronouns: write two sentences, or repeat the noun")
    return found


def folder(path):
    """The folder whose figures a file counts for: a layer of the sources, another folder at the top level, or "." for its files.

    >>> folder("Sources/Core/KinCore/KinError.swift"), folder("Tests/Fuzz/CModels.c"), folder("README.md")
    ('Sources/Core', 'Tests', '.')
    """
    return "/".join(path.split("/")[:-1][:2 if path.startswith("Sources/") else 1]) or "."


def complaints(texts):
    """Each sentence that is too long, and the marked sentences of folders that exceed a limit; `texts` are by path.

    >>> def found(sentence): return [line.split("; ")[1] for line in complaints({"a/b.md": "Rows are numbers. " * 99 + sentence})]
    >>> found("The row lies here.")
    []
    >>> found("The row lies beside it.")
    ['at most 0.2 % may', '"lies": write: is, are, "beside": write: next to, compared with, in addition to']
    >>> found("The" + " row" * 40)
    ['41 words: write a list or several sentences, 40 words at most']
    """
    folders = {}
    for path, text in texts.items():
        rows = folders.setdefault(folder(path), [])
        rows += [(f"{path}:{line}", sentence, markers(sentence)) for line, sentence in sentences(path, text)]
    for name, rows in folders.items():
        least = None
        for count, share in LIMITS.items():
            marked = sum(len(found) >= count for _, _, found in rows)
            if marked > share * len(rows):
                least = least or count
                yield f"{name}: {marked} of {len(rows)} sentences have {count} or more of these phrases; at most {100 * share:g} % may"
        for where, sentence, found in rows:
            if (words := len(WORD.findall(sentence))) > MOST_WORDS:
                yield f"{where}: \"{sentence[:100]}\"; {words} words: write a list or several sentences, {MOST_WORDS} words at most"
            elif least and len(found) >= least:
                yield f"{where}: \"{sentence[:100].replace('; ', ', ')}\"; {', '.join(found)}"

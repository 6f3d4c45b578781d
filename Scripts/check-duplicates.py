#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Finds repeated code: blocks of 12 lines that are equal, or equal but for names and literals, in two places.

usage: check-duplicates.py [--list]     --list prints the accepted blocks too

Comments, imports, lone punctuation, declarations of fields and rows of tables do not count. Scripts/duplicate-exceptions.txt
lists pairs of files with the reason why they may repeat each other. The exit status is 1 if there are other pairs, or if an
exception has become unnecessary.
"""
import collections
import re
import sys

from sources import read, report, rows, swift_files

EXCEPTIONS = "Scripts/duplicate-exceptions.txt"
FOLDERS = ["Shared", "Services", "Tests"]
BLOCK_LINES = 12
# A block in more places than this is an idiom of the language.
MAXIMUM_PLACES = 8

KEYWORDS = set(
    "actor as associatedtype async await borrowing break case catch class consuming continue default defer deinit do else enum"
    " extension fallthrough false fileprivate for func get guard if import in indirect init inout internal is let mutating nil"
    " operator package private protocol public repeat rethrows return self Self set some any static struct subscript super"
    " switch throw throws true try typealias var where while".split()
)
TOKEN = re.compile(r'#*"(?:[^"\\]|\\.)*"#*|\d[\d_.xXa-fA-FeE]*|[A-Za-z_$][\w$]*|`\w+`|\S')
MODIFIERS = r"(?:(?:public|package|internal|private|fileprivate|static|final|lazy|weak|unowned|nonisolated)(?:\(set\)|\(unsafe\))? )*"
# Lines that say what a type or a table contains, and not what the program does.
UNCOUNTED = re.compile(
    r"^(?:"
    r"import .*|(?:public|package|internal) import .*"
    rf"|{MODIFIERS}(?:var|let) [\w`, ]+: [^{{]*"  # a stored property
    r"|self\.(\w+) = \1"  # an assignment of an initialiser
    r"|(?:_ )?[\w`]+(?: [\w`]+)?: (?:inout |borrowing |consuming |some |any |@escaping )*[A-Z\[][\w.<>\[\]:, ]*\??(?: = .*)?,?"  # a parameter
    r"|case [\w`]+(?: = .*)?(?:, [\w`]+)*"
    r"|[\[(\"].*[,\])]|\.\w+\(.*\),?|\".*\": .*,?"  # a row of a table
    r"|[\W_]*"
    r")$"
)


def shape(line):
    """The line with I for each name and L for each literal."""
    result = []
    for token in TOKEN.findall(line):
        if token in KEYWORDS:
            result.append(token)
        elif token[0] in '"#' or token[0].isdigit():
            result.append("L")
        elif token[0].isalpha() or token[0] in "_$`":
            result.append("I")
        else:
            result.append(token)
    return " ".join(result)


def counted_lines(path):
    """The numbers and shapes of the lines that count."""
    result = []
    is_text = False
    for number, line in enumerate(read(path).split("\n"), 1):
        text = line.strip()
        if text.count('"""') % 2 == 1:
            is_text = not is_text
            continue
        if is_text or text.startswith("//") or UNCOUNTED.match(text):
            continue
        result.append((number, shape(text)))
    return result


def blocks():
    """Pairs of blocks: ((path, first line, last line), the same of the other)."""
    lines = {}
    places = collections.defaultdict(list)
    for path in swift_files(FOLDERS):
        lines[path] = counted_lines(path)
        for start in range(len(lines[path]) - BLOCK_LINES + 1):
            key = tuple(shape for _, shape in lines[path][start : start + BLOCK_LINES])
            places[key].append((path, start))
    seen = set()
    for found in places.values():
        if not 2 <= len(found) <= MAXIMUM_PLACES:
            continue
        for index, (path, start) in enumerate(found):
            for other, other_start in found[index + 1 :]:
                if path == other and other_start - start < BLOCK_LINES:
                    continue
                if (path, start - 1, other, other_start - 1) in seen:
                    seen.add((path, start, other, other_start))
                    continue
                seen.add((path, start, other, other_start))
                length = BLOCK_LINES
                while (
                    start + length < len(lines[path])
                    and other_start + length < len(lines[other])
                    and lines[path][start + length][1] == lines[other][other_start + length][1]
                ):
                    seen.add((path, start + length - BLOCK_LINES + 1, other, other_start + length - BLOCK_LINES + 1))
                    length += 1
                yield (
                    (path, lines[path][start][0], lines[path][start + length - 1][0]),
                    (other, lines[other][other_start][0], lines[other][other_start + length - 1][0]),
                )


def main():
    accepted = {frozenset([first, second]): reason for first, second, reason in rows(EXCEPTIONS, 3)}
    needed = set()
    problems = []
    for one, other in sorted(set(blocks())):
        pair = frozenset([one[0], other[0]])
        text = f"{one[0]}:{one[1]}-{one[2]} repeats {other[0]}:{other[1]}-{other[2]}"
        if pair in accepted:
            needed.add(pair)
            if "--list" in sys.argv[1:]:
                print(f"{text} ({accepted[pair]})")
        else:
            problems.append(f"{text}: share the code, or give the reason in {EXCEPTIONS}")
    problems += [f"{EXCEPTIONS}: {' | '.join(sorted(pair))} is not needed any more" for pair in accepted if pair not in needed]
    return report(problems)


if __name__ == "__main__":
    sys.exit(main())

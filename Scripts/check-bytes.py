#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Check that text from outside is handled as bytes: comparing strings or characters normalizes them first, whose time is
quadratic in a run of combining marks. Posix/TextBytes.swift has what to use instead. Check that lazy chains are in the
folder Model only, which does no I/O: `first` and `isEmpty` of a lazy chain may call a closure twice for one element.

    Scripts/check-bytes.py              print each violation; exit status 1 if there are any
    Scripts/check-bytes.py --self-test  check that planted violations are reported
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# The files with text of clients, services, installed apps, drivers and recordings: calls, replies, desktop files, attributes.
FILES = [
    "Autorotate/DisplayHandler.swift", "DesktopEntry/*.swift",
    "OrientationClientCore/OrientationServiceError.swift", "OrientationModel/NamedCase.swift",
    "OrientationModel/OrientationWords.swift", "OrientationWire/*.swift", "Posix/DecimalNumber.swift",
    "Posix/Folder.swift", "Posix/SmallFile.swift", "Posix/SysfsFile.swift", "Posix/TextBytes.swift",
    "Recordings/*.swift", "Varlink/Call.swift", "Varlink/ErrorReply.swift", "Varlink/Reply.swift",
    "Varlink/JSON*.swift", "Varlink/ServerConnection.swift", "Varlink/Service.swift"]

FORBIDDEN = re.compile(
    r'[!=]= ?"|" ?[!=]= '  # a literal; a scalar or a character as well
    r'|\bcase "(?:[^"\\]|\\\(){2}'  # a pattern of more than a scalar
    r'|Index\(of: "|split\(separator: "|\.contains\("'
    r'|\.(?:hasPrefix|hasSuffix)\('
    r'|\b(?!utf8|bytes|line)\w+[)?]*\.(?:split|prefix|suffix)\b'
    r'|\b(?:name|key|text|id|path|method|member|word) [!=]= (?!nil\b)|[!=]= (?:name|key|text|id|path|word)\b'
    r'|\b(?:var|let) \w+: (?:\[String: |Set<String>)|\.sorted\(\)')
LAZY = re.compile(r"\.lazy\b")
COMMENT = re.compile(r"//.*")


def violations(lines, forbidden=FORBIDDEN):
    """Yield the number and the text of each line with a forbidden operation."""
    for number, line in enumerate(lines, 1):
        if match := forbidden.search(COMMENT.sub("", line)):
            yield number, match[0]


def self_test():
    """Check planted violations, each on a line of its own, and lines without any."""
    planted = [
        'if name == "GetInfo" {', 'if "x" != other {', 'case "GetInfo": reply()', 'case "\\(name).Get": reply()',
        'text.firstIndex(of: ":")', 'text.split(separator: ";")', 'id.contains("/")', 'path.hasPrefix(root)',
        'names.split { $0 == comma }', 'call.method.prefix(4)', 'fields.first { $0.name == key }', 'guard one == name else {',
        'private var keys: [String: Keys] = [:]', 'names.sorted()']
    allowed = [
        'if path.isEmpty, name == nil {', 'bytes.split(separator: UInt8(ascii: ";"))', 'text.utf8.prefix(4)',
        '// name == "a"', 'case "\\n": text += #"\\n"#', 'guard value == .null else {', 'let count == 3']
    missed = [line for line in planted if not list(violations([line]))]
    found = [line for line in allowed if list(violations([line]))]
    missed += ["lazy"] * (len(list(violations(["names.lazy.map(read).first", "names.lazy", "lazy var name = 1"], LAZY))) != 2)
    if missed or found:
        sys.exit("check-bytes: self-test: " + "\n".join(["not reported:", *missed, "reported:", *found]))


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    count = 0
    for pattern in FILES:
        files = sorted((ROOT / "Sources").glob("*/" + pattern))
        if not files:
            sys.exit(f"check-bytes: {pattern}: not found; correct the list of files")
        for file in files:
            for number, text in violations(file.read_text(encoding="utf-8").splitlines()):
                print(f"{file.relative_to(ROOT)}:{number}: '{text}' on text from outside: compare bytes", file=sys.stderr)
                count += 1
    for file in sorted((ROOT / "Sources").glob("*/**/*.swift")):
        path = file.relative_to(ROOT)
        for number, _ in violations(file.read_text(encoding="utf-8").splitlines(), LAZY) if path.parts[1] != "Model" else ():
            print(f"{path}:{number}: '.lazy' outside Model: its closure may be called twice for an element", file=sys.stderr)
            count += 1
    sys.exit(1 if count else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Check comments, names, messages and documents for words that are not plain technical English.

    Scripts/check-words.py              check all files of the repository; exit 1 and print each hit
    Scripts/check-words.py PATH...      check only these files or directories
    Scripts/check-words.py --self-test  check that a planted word is found and an allowed one is not

Scripts/allowed-words.txt lists the lines that may keep such a word: quotations, and the account `nobody`.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
ALLOWLIST = ROOT / "Scripts" / "allowed-words.txt"

# What to write instead, by the words to avoid.
WORDS = {
    r"who(?:m|so)?ever|some(?:body|one)|nobody|no one|anybody|everybody|any(?:one)? who|one who|those who"
    r"|who(?! may\b)|what others":
        "name the caller, client, process, user or sensor",
    r"patience|patient(?:ly)?": "timeout",
    r"growing pauses?|GrowingPause": "exponential backoff",
    r"survey(?:s|ed|ing)?": "scan, enumerate",
    r"troubled": "recent failures",
    r"thinn(?:ed|ing)": "downsampling",
    r"mend(?:s|ed|ing)?": "fix, remedy",
    r"readers?'s? pace|keepsReadersPace": "backpressure",
    r"armed note|ArmedNote": "restore record",
    r"is let go|lets? go(?: of)?|letting go": "release, close",
    r"comes? to nothing|came to nothing": "has no effect",
    r"other cares|no affair|own affair|'s affair": "name the component that handles it",
    r"(?:feels|felt|feel|doubts|dozes)": "reads, measures",
    r"anew": "again",
    r"arrows?": "dependency",
    r"ours": "name the program",
    r"(?:is|are|has|have|had) gone": "was removed, disconnected, closed",
    r"do(?:es)? not tell|tells? (?:no|of)|(?:is|are|was|were) told": "report, send, name",
}

# Whole words only, but also inside CamelCase names.
PATTERNS = [
    (re.compile(rf"(?<![A-Za-z])(?:{words})(?![a-z])", re.IGNORECASE), advice) for words, advice in WORDS.items()
]
TEXT = {
    ".swift", ".py", ".c", ".h", ".sh", ".md", ".1", ".3", ".5", ".8", ".varlink", ".service", ".socket", ".rules", ".conf",
    ".policy", ".hwdb", ".target", ".bash", ".fish", ".zsh", ".txt", ".postinst", ".prerm", ".postrm", ".spec", ".install",
    ".toml", ".desktop", ".lintian-overrides", ".source", "",
}
SKIPPED = {"check-words.py", "allowed-words.txt"}


def allowed():
    """The allowed lines: `PATH: TEXT` permits lines of PATH that contain TEXT."""
    entries = []
    for line in ALLOWLIST.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            path, _, text = line.partition(": ")
            entries.append((path, text))
    return entries


def repository():
    """Return the files that git tracks or would add."""
    command = ["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\0")
    paths = (ROOT / name for name in names if name)
    return [path for path in paths if path.is_file() and path.suffix in TEXT and path.name not in SKIPPED]


def files(paths):
    for path in paths:
        if path.is_file():
            yield path
        for file in sorted(path.rglob("*")) if path.is_dir() else ():
            hidden = any(part.startswith(".") or part == "__pycache__" for part in file.relative_to(path).parts)
            if file.is_file() and not hidden and file.suffix in TEXT and file.name not in SKIPPED:
                yield file


def hits(paths, root=ROOT, entries=()):
    """Each hit in the form `file:line: 'word': advice`."""
    for file in files(paths):
        name = str(file.relative_to(root)) if file.is_relative_to(root) else str(file)
        try:
            lines = file.read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(lines, 1):
            if any(path == name and text in line for path, text in entries):
                continue
            for pattern, advice in PATTERNS:
                if match := pattern.search(line):
                    yield f"{name}:{number}: '{match[0]}': {advice}"


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "a.swift").write_text(
            "/// Whoever asks.\nlet account = \"nobody\"\nlet recommended = 1\n/// For users who may read.\n"
            "@Test func `who does not read is ignored`() {}\n", encoding="utf-8")
        found = [hit.split("'")[1] for hit in hits([root], root, [("a.swift", '"nobody"')])]
    if found != ["Whoever", "who"]:
        sys.exit(f"check-words: the planted words were not found as expected: {found}")


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    paths = [pathlib.Path(path).resolve() for path in sys.argv[1:]] or repository()
    missing = [str(path) for path in paths if not path.exists()]
    if missing:
        sys.exit(f"check-words: not found: {', '.join(missing)}")
    found = list(hits(paths, entries=allowed()))
    print("\n".join(found), file=sys.stderr, end="\n" if found else "")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()

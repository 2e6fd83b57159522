# SPDX-License-Identifier: Apache-2.0
"""Control characters, which must not reach a terminal from another party."""

import unicodedata


def raw_control_characters(data: bytes) -> list[str]:
    """Return the control and bidirectional characters of an output, except tabs and newlines. Invalid UTF-8 counts, because a
    terminal can interpret it as Latin-1."""
    text = data.decode(errors="surrogateescape")
    found = {character for character in text
             if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") and character not in "\n\t"}
    return [f"U+{ord(character):04X}" for character in sorted(found)]

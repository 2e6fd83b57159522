# SPDX-License-Identifier: Apache-2.0
"""What must not reach a terminal from another party."""

import unicodedata


def raw_control_characters(data: bytes) -> list[str]:
    """The control characters and the controls of the writing direction in this output, but for tabs and ends of lines;
    invalid UTF-8 counts, since a terminal may take it for Latin-1."""
    text = data.decode(errors="surrogateescape")
    found = {character for character in text
             if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") and character not in "\n\t"}
    return [f"U+{ord(character):04X}" for character in sorted(found)]

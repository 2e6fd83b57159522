// SPDX-License-Identifier: Apache-2.0

/// The forms that names have in an interface description.
enum InterfaceNames {
    /// `org.example.some-thing`: at least two parts of letters, digits and inner hyphens; the first begins with a
    /// letter.
    static func isInterface(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 2, let first = name.utf8.first, isLetter(first) else { return false }
        return parts.allSatisfy { part in
            guard let first = part.utf8.first, let last = part.utf8.last else { return false }
            return isAlphanumeric(first) && isAlphanumeric(last)
                && part.utf8.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
        }
    }

    /// `SomeThing`: a capital letter, then letters and digits.
    static func isMember(_ name: String) -> Bool {
        guard let first = name.utf8.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) else {
            return false
        }
        return name.utf8.allSatisfy(isAlphanumeric)
    }

    /// `some_thing`: a letter, then letters, digits and single underscores between them.
    static func isField(_ name: String) -> Bool {
        guard let first = name.utf8.first, isLetter(first), name.utf8.last != UInt8(ascii: "_") else {
            return false
        }
        return name.utf8.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "_") }
            && !name.utf8.indices.dropLast().contains {
                name.utf8[$0] == UInt8(ascii: "_")
                    && name.utf8[name.utf8.index(after: $0)] == UInt8(ascii: "_")
            }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}

// SPDX-License-Identifier: Apache-2.0

import Posix
import Testing

@Suite struct TextBytesTests {
    @Test func `canonically equivalent texts are not the same bytes`() {
        #expect("K" == "\u{212A}" && !"K".hasBytes(of: "\u{212A}") && "K".hasBytes(of: "xK".dropFirst()))
    }

    @Test func `a separator separates whatever mark follows it`() {
        #expect("a;\u{301}b;;".parts(between: ";") == ["a", "\u{301}b"])
        #expect("a;;".parts(between: ";", keepsEmpty: true) == ["a", "", ""])
    }

    @Test func `a beginning has whole characters`() {
        #expect("a\u{e9}b".beginning(bytes: 2) == "a" && "a\u{e9}b".beginning(bytes: 3) == "a\u{e9}")
        #expect("ab".beginning(bytes: 2) == "ab")
    }

    @Test(arguments: [(" \t a b \r\n", "a b"), ("  ", ""), ("", ""), ("a", "a")])
    func `the white space around a text is dropped`(text: String, rest: String) {
        #expect(text.utf8.trimmed.elementsEqual(rest.utf8))
    }
}

// SPDX-License-Identifier: Apache-2.0

import Posix
import Testing

@Suite struct ControlCharactersTests {
    @Test(arguments: [
        "\u{0}", "\u{1B}", "\u{7F}", "\u{80}", "\u{9B}", "\u{9F}", "\u{2028}", "\u{202E}", "\u{2069}", "\u{E0001}",
    ])
    func `a control character is replaced`(control: String) {
        #expect("a\(control)b".replacingControls() == "a·b")
        #expect("é\(control)b".replacingControls(with: "?", keepsLines: true) == "é?b")
    }

    @Test func `line ends and tabs stay only where lines are kept`() {
        #expect("a\n\tb\r".replacingControls(keepsLines: true) == "a\n\tb·")
        #expect("a\n\tb".replacingControls() == "a··b")
    }

    @Test func `visible text of any script stays as it is`() {
        let text = "−9.81 m/s² · 日本語 עברית 👍🏽"
        #expect(text.replacingControls() == text)
    }
}

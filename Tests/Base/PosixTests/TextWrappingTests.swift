// SPDX-License-Identifier: Apache-2.0

import Posix
import Testing

@Suite struct TextWrappingTests {
    @Test func `text is broken at spaces, and a word longer than a line is kept whole`() {
        #expect("".wrapped(to: 10) == [])
        #expect("one two three".wrapped(to: 7) == ["one two", "three"])
        #expect("a considerably b".wrapped(to: 4) == ["a", "considerably", "b"])
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

extension RunningProgram {
    /// Whether libiio is mapped in the process, which must run.
    var hasLoadedLibiio: Bool { maps(libiioIn: identifier) }
}

/// Returns whether libiio is mapped in a process, which must run.
func maps(libiioIn process: Int32) -> Bool {
    // The kernel returns a page at a time.
    guard let file = FileHandle(forReadingAtPath: "/proc/\(process)/maps"), let data = try? file.readToEnd() else {
        Issue.record("the process \(process) has exited")
        return false
    }
    let text = String(decoding: data, as: UTF8.self)
    #expect(text.contains("[stack]"))
    return text.contains("/libiio.so")
}

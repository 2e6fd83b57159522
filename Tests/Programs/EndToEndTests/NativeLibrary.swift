// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A C file of `Native`, compiled once per run, for LD_PRELOAD.
enum NativeLibrary {
    /// Makes system calls fail or hang.
    static let faults = Result { try compile("faults") }
    /// Keeps the signal masks of threads apart under umockdev.
    static let umockdevSignals = Result { try compile("umockdev-signals") }

    /// Passes the program no arguments.
    static let noArguments = Result { try compile("no-arguments") }

    /// A file in place of /dev/uinput.
    static let uinput = Result { try compile("uinput") }

    /// The environment assignment that preloads `libraries` before those of the environment, for a shell.
    static func preload(_ libraries: [Result<String, any Error>]) throws -> String {
        "LD_PRELOAD=\"\(try libraries.map { try $0.get() }.joined(separator: ":")):$LD_PRELOAD\""
    }

    private static func compile(_ name: String) throws -> String {
        let source = "\(Programs.packageFolder)/Tests/Programs/EndToEndTests/Native/\(name).c"
        let library = Programs.path("\(name).so")
        // Renamed when it is complete: another run may load it meanwhile.
        let new = "\(library).\(getpid())"
        let compiler = try RunningProgram.run(
            "/usr/bin/cc", ["-shared", "-fPIC", "-Wall", "-Wextra", "-o", new, source, "-ldl"])
        guard compiler.status == 0, rename(new, library) == 0 else {
            throw TestFailure("\(name).c: \(compiler.errors)")
        }
        return library
    }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Makes the kernel refuse files to a daemon, or keep it waiting for them; what is refused can change at any time.
final class Faults {
    /// A call that does not come back while this holds.
    static let hang: Int32 = 0

    private let folder: TemporaryFolder
    private let library: String

    init() throws {
        folder = try TemporaryFolder()
        library = folder.path + "/faults.so"
        let source = Programs.packageFolder + "/Tests/EndToEndTests/Native/faults.c"
        let compiler = try RunningProgram.run(
            "/usr/bin/cc", ["-shared", "-fPIC", "-Wall", "-Wextra", "-o", library, source, "-ldl"])
        guard compiler.status == 0 else { throw Surprise("faults.c: \(compiler.errors)") }
        try clear()
    }

    /// What stands before a program on a shell's command line to put it under this.
    var prefix: String { "LD_PRELOAD=\"\(library):$LD_PRELOAD\" ORIENTATIOND_FAULTS='\(folder.path)/list'" }

    /// From now on this call for files whose names end so is answered with this errno, and nothing else is refused.
    func set(_ call: String, _ file: String, _ code: Int32) throws {
        _ = try folder.write("\(call) \(file) \(code)\n", to: "list")
    }

    /// Nothing is refused any more.
    func clear() throws {
        _ = try folder.write("", to: "list")
    }
}

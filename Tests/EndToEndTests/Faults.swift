// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Makes the kernel refuse files to a daemon, or keep it waiting for them, or tell it that the machine has slept; what is
/// refused can change at any time.
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
        guard mkfifo(folder.path + "/jump", 0o600) == 0 else { throw Surprise("cannot make a pipe: \(errno)") }
        try clear()
    }

    /// What stands before a program on a shell's command line to put it under this.
    var prefix: String { "LD_PRELOAD=\"\(library):$LD_PRELOAD\" ORIENTATIOND_FAULTS='\(folder.path)/list'" }

    /// From now on this call for files whose names end so is answered with this errno, and nothing else is refused.
    func set(_ call: String, _ file: String, _ code: Int32) throws {
        _ = try folder.write("\(call) \(file) \(code)\n", to: "list")
    }

    /// The machine has slept for so many seconds, and wakes up: the time since boot has gone on, the monotonic clock has
    /// not, and the wall clock jumps.
    func sleep(seconds: Int32) throws {
        try set("clock", "boottime", seconds)
        try jump()
    }

    /// The wall clock jumps, as it also does when somebody sets it.
    func jump() throws {
        let descriptor = open(folder.path + "/jump", O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw Surprise("the program does not watch for sleep") }
        try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: Data("jump".utf8))
    }

    /// Nothing is refused any more.
    func clear() throws {
        _ = try folder.write("", to: "list")
    }
}

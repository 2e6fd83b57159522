// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// Injects faults into a daemon's system calls: errors, calls that hang, and a sleep of the machine. The list of faults
/// can change at any time.
final class Faults {
    /// The code of a call that does not return while the fault is set.
    static let hang: Int32 = 0

    /// The environment assignments that precede a program on a shell's command line.
    let prefix: String

    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        let preload = try NativeLibrary.preload([NativeLibrary.umockdevSignals, NativeLibrary.faults])
        prefix = "\(preload) ORIENTATIOND_FAULTS='\(folder.path)/list'"
        for pipe in ["jump", "events"] {
            guard mkfifo(folder.path(pipe), 0o600) == 0 else { throw TestFailure("cannot make a pipe: \(errno)") }
        }
        try clear()
    }

    /// Replaces all faults: this call, on files whose names end in `file`, fails with this errno.
    func set(_ call: String, _ file: String, _ code: Int32) throws {
        _ = try folder.write("\(call) \(file) \(code)\n", to: "list")
    }

    /// Adds a fault to the others.
    func add(_ call: String, _ file: String, _ code: Int32) throws {
        _ = try folder.write(try folder.text(of: "list") + "\(call) \(file) \(code)\n", to: "list")
    }

    /// Simulates a sleep: CLOCK_BOOTTIME advances by `seconds`, CLOCK_MONOTONIC does not, and the wall clock jumps.
    func sleep(seconds: Int32) throws {
        try set("clock", "boottime", seconds)
        try jump()
    }

    /// Simulates a change of the wall clock.
    func jump() throws {
        try send(Data("jump".utf8), to: "jump")
    }

    /// Sends the event of an IIO device, whose descriptor the program has requested.
    func reportMotion() throws {
        // struct iio_event_data.
        try send(Data(count: 16), to: "events")
    }

    private func send(_ data: Data, to pipe: String) throws {
        let descriptor = open(folder.path(pipe), O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw TestFailure("the program does not read \(pipe)") }
        try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: data)
    }

    /// Removes all faults.
    func clear() throws {
        _ = try folder.write("", to: "list")
    }
}

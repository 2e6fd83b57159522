// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// Another program, whose lines of output can be awaited. It is ended when this goes.
package final class Program {
    private let process = Process()
    private var lines: AsyncStream<String>.AsyncIterator
    private var exits: AsyncStream<Int32>.AsyncIterator

    /// The program said something else, or nothing more.
    package struct Unexpected: Error, CustomStringConvertible {
        package let expected: String
        package let output: [String]

        package var description: String {
            "expected a line with '\(expected)', but the output was:\n\(output.joined(separator: "\n"))"
        }
    }

    /// Starts it; standard output and error come together.
    package init(_ executable: URL, _ arguments: [String], environment: [String: String] = [:]) throws {
        let output = Pipe()
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        lines = stream.makeAsyncIterator()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment
            .merging(["PYTHONUNBUFFERED": "1"]) { $1 }.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        let (exits, exit) = AsyncStream.makeStream(of: Int32.self)
        self.exits = exits.makeAsyncIterator()
        process.terminationHandler = { exit.yield($0.terminationStatus) }
        try process.run()
        let reader = output.fileHandleForReading
        Thread {
            var rest = Data()
            while case let data = reader.availableData, !data.isEmpty {
                rest += data
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    continuation.yield(String(decoding: rest[..<end], as: UTF8.self))
                    rest = Data(rest[(end + 1)...])
                }
            }
            if !rest.isEmpty { continuation.yield(String(decoding: rest, as: UTF8.self)) }
            continuation.finish()
        }.start()
    }

    deinit {
        // The program inherits the signals that the test's thread blocks, and SIGTERM is one of them.
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// The next line; nil when it has said all.
    package func nextLine() async -> String? {
        await lines.next(isolation: #isolation)
    }

    /// Reads on until a line contains this.
    package func line(containing text: String) async throws -> String {
        var output: [String] = []
        while let line = await nextLine() {
            if line.contains(text) { return line }
            output.append(line)
        }
        throw Unexpected(expected: text, output: output)
    }

    /// All lines that are still to come, and the exit status.
    package func finish() async -> (status: Int32, output: [String]) {
        var output: [String] = []
        while let line = await nextLine() { output.append(line) }
        return (await exits.next(isolation: #isolation) ?? -1, output)
    }
}

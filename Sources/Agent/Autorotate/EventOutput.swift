// SPDX-License-Identifier: Apache-2.0

internal import Displays
internal import Glibc
internal import Varlink

/// The exit status of a start that failed.
package enum AgentExit {
    /// The status after the reader of `--json` has closed its pipe: as after SIGPIPE.
    static let readerClosed = 128 + SIGPIPE
    /// The status on a desktop that rotates the display itself.
    package static let rotatingDesktop: Int32 = 3

    /// Returns ``rotatingDesktop`` there, EX_UNAVAILABLE where no further attempt in the session can succeed, EX_TEMPFAIL
    /// beside another agent.
    package static func status(for error: any Error) -> Int32 {
        switch error {
        case let error as DisplayServerError where error.desktop != nil: rotatingDesktop
        case let error as DisplayServerError where error.isPermanent: EX_UNAVAILABLE
        case SessionLock.Failure.held: EX_TEMPFAIL
        default: EXIT_FAILURE
        }
    }
}

/// Writes events to standard output, for `--json`.
enum EventOutput {
    /// Writes a line. It is lost if a pipe or a disk is full, or if it is longer than what a pipe takes at once: the agent does
    /// not wait for a reader. Returns 0, or the errno of a failure.
    static func write(_ line: String, to descriptor: Int32 = STDOUT_FILENO) -> Int32 {
        let bytes = Array((line + "\n").utf8)
        var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard bytes.count <= Int(PIPE_BUF), poll(&watched, 1, 0) > 0 else { return 0 }
        return Glibc.write(descriptor, bytes, bytes.count) < 0 ? errno : 0
    }
}

extension AgentMessage {
    /// The message with its facts, for `--json`.
    var json: JSONValue {
        var object: JSONObject = ["event": .string(kind.rawValue), "message": .string(text)]
        object["output"] = output.map { .string($0) }
        object["transform"] = transform.map { .string($0.description) }
        object["rotation"] = transform.map { .integer(Int64($0.rotation)) }
        return .object(object)
    }
}

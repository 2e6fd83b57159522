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
struct EventOutput {
    var descriptor = STDOUT_FILENO
    /// The end of a line that was begun.
    private var rest: ArraySlice<UInt8> = []

    /// Writes a line unless a pipe or a disk is full: then the line is lost, and the agent continues. The end of a line that
    /// was begun is written before the next one, and is lost if none follows. Returns 0, or the errno of a failure.
    mutating func write(_ line: String) -> Int32 {
        let line = Array((line + "\n").utf8)
        rest += line
        var code: Int32 = 0
        var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        while !rest.isEmpty, poll(&watched, 1, 0) > 0 {
            // A writable pipe takes this number of bytes without blocking.
            let count = rest.prefix(Int(PIPE_BUF)).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else {
                code = errno
                break
            }
            rest = rest.dropFirst(count)
        }
        if rest.count >= line.count { rest.removeLast(line.count) }
        return code
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

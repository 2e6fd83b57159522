// SPDX-License-Identifier: Apache-2.0

internal import CWaylandClient
internal import Glibc

/// The connection handle of libwayland. All objects of the connection share it: it is closed after the last of them.
///
/// libwayland ends a connection whose buffer for requests, of 4 KiB, is full. A compositor that announces many windows
/// before it reads would fill it: requests that follow from events wait here until the socket accepts them.
final class WaylandDisplay {
    let handle: OpaquePointer
    private var waiting: [() -> Void] = []
    /// The number of requests in libwayland's buffer.
    private var unsent = 0
    private(set) var state = State.open

    enum State {
        /// The socket has accepted the requests so far.
        case open
        /// The socket is full.
        case blocked
        /// Sending has failed. The connection has ended, but the socket need not become readable.
        case failed
        /// More requests waited than ``WaylandLimit/requests``: the connection ends.
        case overflowed

        var isEnded: Bool { self == .failed || self == .overflowed }
    }

    /// The maximum of ``unsent``: requests with texts of ``WaylandLimit/text`` bytes then fill less than half of the buffer.
    private static let maximumUnsent = 12

    /// Adopts a connected socket; nil if there is no memory.
    init?(adopting descriptor: Int32) {
        // Closes the descriptor, also on failure.
        guard let handle = wl_display_connect_to_fd(descriptor) else { return nil }
        self.handle = handle
    }

    deinit {
        wl_display_disconnect(handle)
    }

    /// Makes a request: at once, or after the earlier ones when the socket accepts more bytes.
    /// `request` must not call `enqueue`.
    func enqueue(_ request: @escaping () -> Void) {
        guard waiting.count < WaylandLimit.requests else {
            state = .overflowed
            return
        }
        waiting.append(request)
        if state == .open { _ = makeRequests() }
    }

    /// Sends the requests so far; returns whether the socket accepted all of them. After a failure the connection is read
    /// once more: the compositor's error message may have arrived.
    func flush() -> Bool { send() && makeRequests() && send() }

    /// Forgets the waiting requests, which hold their objects.
    func stop() { waiting = [] }

    /// Makes the waiting requests; returns whether the socket accepted all that did not fit into the buffer.
    private func makeRequests() -> Bool {
        var made = 0
        defer { waiting.removeFirst(made) }
        while made < waiting.count {
            guard unsent < Self.maximumUnsent || send() else { return false }
            unsent += 1
            made += 1
            waiting[made - 1]()
        }
        return true
    }

    private func send() -> Bool {
        let isSent = wl_display_flush(handle) >= 0
        if !state.isEnded { state = isSent ? .open : errno == EAGAIN ? .blocked : .failed }
        if isSent { unsent = 0 }
        return isSent
    }
}

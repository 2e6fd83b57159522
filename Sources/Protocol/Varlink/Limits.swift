// SPDX-License-Identifier: Apache-2.0

/// The limits on the resources that peers can make a service hold.
///
/// The defaults suit a small service on a Unix socket that every local user can reach. A connection enforces the first
/// five limits; the owner of the listening socket enforces the others.
public struct Limits: Hashable, Sendable {
    /// The number of unsent bytes at which no continuing reply and no further call is accepted. 64 KiB: replies have a
    /// few kilobytes, and the socket of a slow reader buffers about 200 KB more.
    public var unsentBytes = 64 * 1024
    /// The maximum size of a received message, in bytes without its NUL. 64 KiB: typical calls have a few hundred
    /// bytes, and 256 peers that fill their buffers take 16 MB.
    public var messageBytes = 64 * 1024
    /// The deepest nesting of the JSON in a message.
    public var nesting = JSONValue.defaultMaximumDepth
    /// The maximum number of structural characters of a call: the brackets, braces, colons and commas of RFC 8259 that are
    /// outside strings. 1024: bounds the number of values, whose parsing takes fifty times as long as that of a string of
    /// the same length. A service whose calls have no long lists can lower it.
    public var structuralCharacters = 1024
    /// The number of calls queued behind the one in progress at which reading stops. 16: calls are answered in order,
    /// so that pipelining more of them gains nothing.
    public var waitingCalls = 16
    /// The maximum number of connections. 256: a busy desktop has some ten.
    public var connections = 256
    /// The maximum number of connections of one user other than root. 32: more than the programs of a session that
    /// follow the device, and an eighth of ``connections``.
    public var connectionsPerUser = 32
    /// The length of the listening socket's backlog. 128: the connections that arrive during one pass of a busy loop. A
    /// client that finds the backlog full fails with ``SocketError/busy(path:)`` and retries, at no cost to the
    /// service.
    public var waitingConnections: Int32 = 128
    /// The timeout for a peer that reads nothing while bytes are unsent, in seconds; the peer is then disconnected. 30:
    /// longer than a program is merely busy, and short enough that a stopped program does not keep its connection.
    public var stallTimeout = 30.0

    /// Creates the default limits.
    public init() {}
}

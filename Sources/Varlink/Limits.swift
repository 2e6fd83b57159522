// SPDX-License-Identifier: Apache-2.0

/// What others can make a service hold. Every queue and length has its end here.
///
/// The numbers suit a small service on a Unix socket that every local user may reach. They are passed in, so that a
/// service with other needs, or a test, sets its own. A connection heeds the first four; whoever accepts connections
/// heeds the others, which are about all of its connections.
public struct Limits: Hashable, Sendable {
    /// How long a message from the peer may be, in bytes without its NUL. 64 KiB: the calls that people write have a few
    /// hundred bytes, and even a thousand peers that fill it all take 64 MB, which a service survives.
    public var messageBytes = 64 * 1024
    /// How deep the JSON of a message may be nested.
    public var nesting = JSONValue.defaultMaximumDepth
    /// How many calls may wait behind the one in progress before no more is read. 16: a client that pipelines
    /// gains nothing from more, since the calls are answered one after the other.
    public var waitingCalls = 16
    /// How many bytes may wait to be written before no further reply of a stream is taken and no further call begun.
    /// 64 KiB, as for what comes in: replies have a few kilobytes at most, and a peer that reads slowly has about 200 KB
    /// in its socket already.
    public var unsentBytes = 64 * 1024
    /// How many connections there may be in all. 4096: a few per process of a busy desktop; each costs less than
    /// 1 KB and one descriptor.
    public var connections = 4096
    /// How many connections one user may have, root exempt. 256: no session has that many programs which follow the
    /// device, and one user cannot take more than a sixteenth of the service.
    public var connectionsPerUser = 256
    /// How many bytes of messages may be held for all connections together, in both directions. 16 MiB: a busy desktop has
    /// a few kilobytes, and a service with 4096 hostile connections stays small.
    public var totalBytes = 16 << 20
    /// How many connections may wait to be accepted. 128: that is what comes while a busy loop takes one turn. Who finds no
    /// room is told so at once (``SocketError/busy(path:)``) and comes again, which costs the service nothing; a longer
    /// queue would only hold what one user's storm of connections puts into it.
    public var waitingConnections: Int32 = 128
    /// After how many seconds a peer that reads nothing, while something waits for it, is disconnected. 30: longer than a
    /// program is only busy, short enough that a stopped one does not hold its place for ever.
    public var longestStall = 30.0

    /// The numbers that are argued for above.
    public init() {}
}

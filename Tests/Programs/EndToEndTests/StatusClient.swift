// SPDX-License-Identifier: Apache-2.0

import TestServer
import Testing
import Varlink

/// A client that reads the counters of the daemon.
final class StatusClient {
    private var client: RawClient

    init(_ daemon: RunningDaemon) throws {
        client = try RawClient(to: daemon.socket)
    }

    /// The number of samples so far.
    var samples: Int64 {
        get throws { try #require(try client.call(Call("org.orientationd.Control.Status")).first).value("samples") }
    }
}

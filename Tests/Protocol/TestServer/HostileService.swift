// SPDX-License-Identifier: Apache-2.0

import OrientationWire
package import Varlink

/// A service with the daemon's interfaces that replies to every call with the same parameters.
package final class HostileService: Sendable {
    private let server: PollServer

    /// Listens at a path; GetInfo returns `version`.
    package init(at path: String, version: String = "0", reply: JSONObject) throws {
        let identity = Service.Identity(vendor: "", product: "", version: version, url: "")
        let interfaces = [OrientationInterface.description, MotionInterface.description, ControlInterface.description]
        server = try PollServer(at: path, service: Service(identity, interfaces: interfaces)) { _ in
            [EncodedMessage(reply: reply)]
        }
    }

    deinit { server.stop() }
}

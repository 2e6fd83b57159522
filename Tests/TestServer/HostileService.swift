// SPDX-License-Identifier: Apache-2.0

package import Varlink
import OrientationWire

/// Has the daemon's interfaces, and sends the same parameters to every call.
package final class HostileService: Sendable {
    private let server: PollServer

    /// Listens at a path; `version` is what GetInfo tells.
    package init(at path: String, version: String = "0", reply: JSONObject) throws {
        let identity = Service.Identity(vendor: "", product: "", version: version, url: "")
        let interfaces = [
            try OrientationInterface.description(), try MotionInterface.description(),
            try ControlInterface.description(),
        ]
        server = try PollServer(at: path, service: Service(identity, interfaces: interfaces)) { _ in
            [EncodedMessage(reply: reply)]
        }
    }

    deinit { server.stop() }
}

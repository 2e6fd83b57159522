// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationModel
import OrientationWire
import TestServer
import Varlink

/// Serves `org.orientationd.Orientation` with states that a test sets.
///
/// `@unchecked`: the state is under the lock.
final class StubDaemon: @unchecked Sendable {
    private let lock = NSLock()
    private var state: OrientationState
    private var server: PollServer?

    init(at path: String, state: OrientationState) throws {
        self.state = state
        let identity = Service.Identity(vendor: "orientationd", product: "test", version: "0", url: "")
        let service = Service(identity, interfaces: [try OrientationInterface.description()])
        server = try PollServer(at: path, service: service) { [weak self] call in self?.answer(call) ?? [] }
    }

    deinit {
        server?.stop()
    }

    /// Publishes a state.
    func publish(_ state: OrientationState) {
        lock.withLock { self.state = state }
        server?.broadcast(EncodedMessage(reply: state.reply, continues: true))
    }

    func disconnectAll() { server?.disconnectAll() }

    var peerCount: Int { server?.peerCount ?? 0 }

    private func answer(_ call: Call) -> [EncodedMessage] {
        let state = lock.withLock { self.state }
        switch call.method {
        case OrientationInterface.monitor, OrientationInterface.get:
            return [EncodedMessage(reply: state.reply, continues: call.mode == .more)]
        default:
            return [EncodedMessage(error: OrientationFailure.sensorUnavailable(reason: "none was found").reply)]
        }
    }
}

extension OrientationState {
    /// The state of a run of the daemon after so many changes; its orientation goes with the number.
    static func number(_ sequence: Int, of instance: String = "one") -> OrientationState {
        OrientationState(
            orientation: DeviceOrientation.allCases[sequence % DeviceOrientation.allCases.count], sequence: sequence,
            instance: instance)
    }
}

/// A directory of a test's own, which goes with it.
final class TemporaryDirectory {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "orientation-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    var socket: String { url.appending(path: "s").path }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A state in JSON.
struct WireState: Decodable {
    let orientation: String
    let lastEdge: String?
    let natural: String?
    let rotation: Int?
    let tilt: Double?
    let locked: Bool
    let lockedTo: String?
    let tabletMode: Bool?
    let lidAngle: Int?
    let tabletSwitchOverruled: Bool?
    let sequence: Int
    let timestamp: Int
    let instance: String
    let sensor: String?
    let reason: String?

    init(_ line: String) throws {
        self = try JSONDecoder().decode(WireState.self, from: Data(line.utf8))
    }
}

extension RunningProgram {
    /// Returns the printed states up to and including the first with this orientation.
    func states(until orientation: String) throws -> [WireState] {
        try lines { (try? WireState($0))?.orientation == orientation }.map { try WireState($0) }
    }

    /// Returns the next state that matches.
    func state(where isWanted: (WireState) -> Bool) throws -> WireState {
        while true {
            let state = try state()
            if isWanted(state) { return state }
        }
    }

    /// Returns the next printed state.
    func state() throws -> WireState {
        guard let line = try line() else { throw TestFailure("the program ended: \(errorText)") }
        return try WireState(line)
    }
}

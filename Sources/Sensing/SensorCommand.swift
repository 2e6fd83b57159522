// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

/// What the loop asks of the sensor thread.
enum SensorCommand: Sendable {
    case start(run: Int, SensorRequest)
    case stop
    /// Stop, and say when that is done.
    case close
    /// Hand out the samples themselves as well, so many in a second; nil: no longer.
    case follow(Double?)
    case survey(request: Int, SensorURI, HardwareFacts)
}

extension SensorCommand {
    /// Whether a newer one makes this one pointless.
    func isReplaced(by newer: SensorCommand) -> Bool {
        switch (self, newer) {
        case (.start, .start), (.start, .stop), (.stop, .start), (.stop, .stop), (.follow, .follow): true
        case (.start, .close), (.stop, .close): true
        default: false
        }
    }
}

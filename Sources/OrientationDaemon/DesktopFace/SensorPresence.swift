// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

/// Whether there is an accelerometer that could be read, asked of the sensor thread, and only when that may have changed.
final class SensorPresence {
    private let sensor: SensorControl
    private let found: @MainActor (Bool) -> Void
    private var isLooking = false
    private var looksAgain = false

    /// `found` hears the outcome of each look.
    init(sensor: SensorControl, found: @escaping @MainActor (Bool) -> Void) {
        self.sensor = sensor
        self.found = found
    }

    /// Looks once, for all who ask before it begins: udev reports a device in several parts.
    func look() {
        guard !isLooking else { return looksAgain = true }
        isLooking = true
        looksAgain = false
        sensor.survey { [weak self] outcome in
            guard let self else { return }
            isLooking = false
            if looksAgain { look() }
            // While the sensor thread hangs, nothing new is known of what there is.
            guard case .success(let sensors) = outcome else { return }
            found(sensors.contains(where: \.isChosen))
        }
    }
}

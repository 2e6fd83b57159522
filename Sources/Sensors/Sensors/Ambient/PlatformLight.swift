// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

/// Light sensors of hardware monitors: `applesmc` of Apple's computers has the attribute `light`.
package enum PlatformLight {
    private static let attribute = "light"
    /// The driver's name for its device. Other drivers have other attributes named `light`.
    private static let driver = "applesmc"
    /// Current kernels have the attribute on the platform device, earlier ones on the hardware monitor.
    private static let folders = ["/sys/class/hwmon", "/sys/bus/platform/devices"].map(SysfsFolder.init)

    /// The time between readings, in seconds.
    private static let interval = 0.4

    package static var source: AmbientSource {
        AmbientSource { _ throws(SensorFailure) in
            try devices(in: folders).map { device in
                let info = describe(device)
                return FoundSensor(info: info) { () throws(SensorFailure) in
                    try PolledSensor(
                        .init(
                            info: info, folder: device.folder, attribute: attribute, conversion: .apple,
                            interval: interval))
                }
            }
        }
    }

    /// Returns the devices with the sensor. That of ``driver`` is listed even while its value is invalid: a sensor that is
    /// not listed is not retried after a failure.
    static func devices(in folders: [SysfsFolder]) throws(SensorFailure) -> [(id: String, folder: SysfsFolder)] {
        let failed = FailedRead()
        let found = try folders.map { parent throws(SensorFailure) in
            try parent.names().map { (id: $0, folder: SysfsFolder(path: "\(parent.path)/\($0)")) }
        }.joined().filter { _, folder in
            folder.has(attribute)
                && (folder.noting(failed).text("name") == driver
                    || folder.text(attribute).flatMap(AttributeText.percentOfApple) != nil)
        }
        if found.isEmpty { try failed.check() }
        return found
    }

    private static func describe(_ device: (id: String, folder: SysfsFolder)) -> SensorDescription {
        SensorDescription(
            .light, id: device.id, name: device.folder.text("name") ?? device.id,
            method: "\(attribute), every \(interval) s")
    }
}

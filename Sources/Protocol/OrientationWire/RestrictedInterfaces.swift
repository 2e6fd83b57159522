// SPDX-License-Identifier: Apache-2.0

package import Varlink

/// The interface `org.orientationd.Control`: the rotation lock, the log level and the status of the daemon.
package enum ControlInterface: WireInterface {
    package static let name = "org.orientationd.Control"
    package static var file: [UInt8] { PackageResources.org_orientationd_Control_varlink }
    package static let setRotationLock = "\(name).SetRotationLock"
    package static let toggleRotationLock = "\(name).ToggleRotationLock"
    package static let setLogLevel = "\(name).SetLogLevel"
    package static let status = "\(name).Status"
}

/// The interface `org.orientationd.Simulator`: control of the simulated device.
package enum SimulatorInterface: WireInterface {
    package static let name = "org.orientationd.Simulator"
    package static var file: [UInt8] { PackageResources.org_orientationd_Simulator_varlink }
    package static let setPose = "\(name).SetPose"
    package static let setAcceleration = "\(name).SetAcceleration"
    package static let turn = "\(name).Turn"
    package static let shake = "\(name).Shake"
    package static let fail = "\(name).Fail"
    package static let setTabletMode = "\(name).SetTabletMode"
    package static let setLidAngle = "\(name).SetLidAngle"
    package static let setLight = "\(name).SetLight"
    package static let setProximity = "\(name).SetProximity"
    package static let setHeading = "\(name).SetHeading"

    /// The valid durations, in seconds.
    package static let durations = 0.0...3_600.0
    /// The valid components of an acceleration, in m/s²: beyond the range of any chip.
    package static let accelerations = -1_000.0...1_000.0
    /// The valid light, in lux: direct sunlight has about 100,000.
    package static let lightLevels = 0.0...200_000.0
    /// The valid headings and lid angles, in degrees.
    package static let angles = 0.0...360.0
}

/// The interface `org.orientationd.Motion`: raw samples, for authorized callers.
package enum MotionInterface: WireInterface {
    package static let name = "org.orientationd.Motion"
    package static var file: [UInt8] { PackageResources.org_orientationd_Motion_varlink }
    package static let monitor = "\(name).Monitor"
}

extension ErrorReply {
    private static let noSensor = "\(SimulatorInterface.name).NoSensor"

    /// Creates the error NoSensor: the simulated device does not have this sensor.
    package static func noSensor(_ sensor: String) -> ErrorReply {
        ErrorReply(noSensor, ["sensor": .string(sensor)])
    }

    /// The sensor that the simulated device does not have; nil for other errors, and without a name.
    package var missingSensor: String? {
        name.utf8.elementsEqual(Self.noSensor.utf8) ? try? parameters.value("sensor", as: String.self) : nil
    }
}

// SPDX-License-Identifier: Apache-2.0

package import OrientationModel

/// The kinds of sensors that share a thread.
package enum SensorGroup: CaseIterable, Sendable {
    /// The accelerometer has its own thread: a hung light sensor does not stop the rotation.
    case accelerometer
    /// One wake-up reads several sensors of this group.
    case ambient

    package var kinds: [SensorKind] { SensorKind.allCases.filter { $0.group == self } }

    /// The thread's name in `top -H` and debuggers, at most 15 bytes.
    var threadName: StaticString {
        switch self {
        case .accelerometer: "sensor"
        case .ambient: "ambient"
        }
    }
}

extension SensorKind {
    package var group: SensorGroup {
        switch self {
        case .accelerometer: .accelerometer
        case .light, .proximity, .compass, .hinge: .ambient
        }
    }
}

/// How the sensors of a group are listed and opened; see ``accelerometers(_:settings:reportsTilt:_:)`` and
/// ``ambient(_:)``.
package struct SensorTable: Sendable {
    package let group: SensorGroup
    /// Lists the sensors; at most one of each kind is chosen. May block.
    let list: @Sendable (HardwareFacts) -> SensorList
    /// Opens the chosen sensor of a kind on its thread. May block.
    let open: @Sendable (SensorStart, HardwareFacts, SensorThread) throws(OpenFailure) -> any SensorReader
}

/// The sensors that a scan found.
package struct SensorList: Sendable {
    package var sensors: [SensorDescription]
    /// Why sensors may be missing; nil if none is.
    package var failure: SensorFailure?

    package init(_ sensors: [SensorDescription] = [], failure: SensorFailure? = nil) {
        (self.sensors, self.failure) = (sensors, failure)
    }

    package func mapped(_ change: (SensorDescription) -> SensorDescription) -> SensorList {
        SensorList(sensors.map(change), failure: failure)
    }
}

/// Why no sensor of a kind was opened.
struct OpenFailure: Error, Equatable {
    /// The id of the sensor that failed: the next start tries another one first; nil if there is none.
    var sensor: String?
    let reason: SensorFailure

    /// Opens a sensor: adds its id to the failure.
    static func naming<Sensor>(
        _ sensor: String?, _ open: () throws(SensorFailure) -> Sensor
    ) throws(OpenFailure) -> Sensor {
        do throws(SensorFailure) { return try open() } catch { throw OpenFailure(sensor: sensor, reason: error) }
    }
}

/// An open sensor as its thread uses it: converts samples to events.
protocol SensorReader: AnyObject {
    /// The description of the sensor, with the warnings of this run.
    var info: SensorDescription { get }

    /// See ``Accelerometer/supportsBackpressure``.
    var supportsBackpressure: Bool { get }

    /// The time without a sample after which the sensor has failed, in seconds; nil for a sensor that may be silent.
    var longestSilence: Double? { get }

    func begin() -> [RunEvent]

    /// Returns the next step of the source, with the events of its sample; `now` is CLOCK_BOOTTIME in seconds.
    func next(at now: Double) throws(SensorFailure) -> SensorStep<[RunEvent]>

    /// Applies the current rate for motion subscribers; the description may change.
    func update()

    /// Reports the next reading even if it is unchanged.
    func repeatReading()

    /// Ends the run. `mayResume`: a recording continues in the next run.
    func end(mayResume: Bool)
}

extension SensorReader {
    var supportsBackpressure: Bool { false }
    var longestSilence: Double? { nil }
    func begin() -> [RunEvent] { [] }
    func update() {}
    func end(mayResume: Bool) {}
}

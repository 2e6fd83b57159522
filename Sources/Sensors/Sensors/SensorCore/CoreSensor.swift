// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

/// The data types of the core's sensors that are used.
package enum CoreType: String, CaseIterable, Sendable {
    case accelerometer = "accel"
    case light = "ambient_light"
    case proximity
    /// The orientation of the device by all sensors.
    case rotation = "rotv"

    var kind: SensorKind {
        switch self {
        case .accelerometer: .accelerometer
        case .light: .light
        case .proximity: .proximity
        case .rotation: .compass
        }
    }
}

/// A sensor of the core, as listed.
package struct CoreSensor: Hashable, Sendable {
    package let type: CoreType
    let uid: SensorUID
    /// The core.
    let server: QRTRAddress
    /// The data type and the hardware id, as `accel0`.
    package let id: String
    package let attributes: CoreAttributes

    /// Why the sensor cannot be used; nil if it can.
    var defect: String? { attributes.isAvailable ? nil : "not available: its chip does not respond" }

    /// The lowest listed rate of at least `hertz`, else the highest one; `hertz` without a list.
    func rate(atLeast hertz: Double) -> Double {
        attributes.rates.first { $0 >= hertz } ?? attributes.rates.last ?? hertz
    }
}

/// The sensors of the core, and its state.
package struct CoreList: Hashable, Sendable {
    package internal(set) var sensors: [CoreSensor] = []
    package internal(set) var state = CoreState.searching
    /// The number of times that the core was removed.
    package internal(set) var restarts = 0

    package init() {}

    var warnings: [String] { restarts > 0 ? ["restarts of the sensor core: \(restarts)"] : [] }
}

/// The state of the connection to the sensor core.
package enum CoreState: Hashable, Sendable {
    /// The kernel does not offer such sockets: the reason.
    case noSocket(String)
    /// The socket has failed: the reason.
    case failed(String)
    case searching
    case noNameService
    case noService
    /// Only a local process offers the service.
    case onlyLocal
    case connecting
    /// The core reports nothing; whether it has acknowledged a request.
    case silent(isAcknowledged: Bool)
    /// The core refuses requests, with this error of QMI.
    case refused(UInt32)
    /// The lists of sensors are empty.
    case noSensors
    case unavailable
    case ready
}

extension CoreState: CustomStringConvertible {
    /// The state, as a message.
    package var description: String {
        switch self {
        case .noSocket(let reason):
            "cannot open a QRTR socket: \(reason); load the kernel module qrtr, and permit AF_QIPCRTR in the unit"
        case .failed(let reason): "the QRTR socket failed: \(reason)"
        case .searching: "searching"
        case .noNameService: "the QRTR name service does not reply: its limit of look-ups may be reached"
        case .noService: "not started: the firmware of the DSP does not run"
        case .onlyLocal: "not started; a local process offers its service, which is ignored"
        case .connecting: "connecting"
        case .silent(false): "no reply: hexagonrpcd does not run, or the registry is missing"
        case .silent(true): "acknowledges requests but sends no reports: the registry is missing"
        case .refused(let error): "requests are refused: QMI error \(error)"
        case .noSensors: "no sensors yet: check the registry"
        case .unavailable: "the accelerometer is not available: its chip is off, or the registry is incomplete"
        case .ready: "ready"
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Posix

/// The row `ssc:` of the source table: accelerometers of the Snapdragon sensor core, which the daemon's watch has listed.
package enum CoreSource {
    /// The mount matrix without a property: the core's axes are Android's, in a panel that is mounted as Android assumes.
    static let defaultMatrix = MountMatrix(
        x: Acceleration(x: -1, y: 0, z: 0), y: Acceleration(x: 0, y: -1, z: 0), z: Acceleration(x: 0, y: 0, z: -1))

    /// The row for `ssc:` and `ssc:NAME`; NAME is the sensor's name or its id, such as `accel0`. `?local=1` is for tests.
    package static var row: SourceKind {
        SourceKind(
            scheme: SensorCore.scheme, takesAddress: true, isHardware: true,
            check: { address throws(SensorFailure) in _ = try permitsLocal(address) },
            isPresent: { $0.core != nil },
            open: { address, facts throws(OpenFailure) in
                try open(facts, wanted: OpenFailure.naming(nil) { () throws(SensorFailure) in try name(in: address) })
            },
            scan: { address, facts throws(SensorFailure) in listings(facts, wanted: try name(in: address)) })
    }

    /// Whether the sensor core may be a process of this machine.
    package static func permitsLocal(_ address: String) throws(SensorFailure) -> Bool {
        try parse(address).flag("local")
    }

    private static func name(in address: String) throws(SensorFailure) -> String? {
        let name = try parse(address).name
        return name.isEmpty ? nil : name
    }

    private static func parse(_ address: String) throws(SensorFailure) -> SourceAddress {
        try SourceAddress(parsing: address, scheme: SensorCore.scheme, known: ["local"])
    }

    private static func open(_ facts: HardwareFacts, wanted: String?) throws(OpenFailure) -> any Accelerometer {
        if let failure = facts.coreFailure { throw OpenFailure(reason: failure) }
        let listings = listings(facts, wanted: wanted)
        guard let chosen = listings.first(where: \.isChosen),
            let sensor = facts.coreSensors(.accelerometer).first(where: { $0.id == chosen.id })
        else {
            let place = "of the Snapdragon sensor core"
            let state = facts.core.map { " (\($0.state))" } ?? ""
            throw OpenFailure(
                reason: .noDevice(SensorChoice.absence(of: wanted, place + state, among: listings)))
        }
        return try OpenFailure.naming(chosen.id) { () throws(SensorFailure) in
            try CoreAccelerometer(
                chosen, sensor, frame: traits(sensor, facts).frame, socket: QRTRSocket(for: sensor.id))
        }
    }

    private static func listings(_ facts: HardwareFacts, wanted: String?) -> [SensorDescription] {
        let candidates = facts.coreSensors(.accelerometer).map { sensor in
            let traits = traits(sensor, facts)
            var info = traits.description(
                id: sensor.id, name: sensor.attributes.name, driver: SensorCore.scheme,
                warnings: facts.core?.warnings ?? [])
            info.statements = [
                "service: 400, node \(sensor.server.node), port \(sensor.server.port)",
                "attributes: \(sensor.attributes.statement)",
            ]
            var candidate = SensorChoice.Candidate(
                info: info, traits, recentFailure: facts.recentFailure(of: sensor.id))
            candidate.defect = candidate.defect ?? sensor.defect ?? facts.coreFailure?.description
            if sensor.attributes.rigidBody > 1 { candidate.rejection = candidate.rejection ?? "on another device" }
            return candidate
        }
        return SensorChoice.listings(candidates, wanted: wanted)
    }

    private static func traits(_ sensor: CoreSensor, _ facts: HardwareFacts) -> SensorTraits {
        var attributes = SensorAttributes(driver: SensorCore.scheme, properties: facts.properties[sensor.id] ?? [:])
        if sensor.attributes.rigidBody == 1 { attributes.contents["location"] = .text("base") }
        attributes.defaultMount = defaultMatrix
        return SensorTraits(attributes)
    }
}

extension QRTRSocket {
    /// Opens a socket for a sensor.
    convenience init(for sensor: String) throws(SensorFailure) {
        do throws(Errno) { try self.init() } catch { throw .failed("\(sensor): cannot open a QRTR socket: \(error)") }
    }
}

extension HardwareFacts {
    func coreSensors(_ kind: SensorKind) -> [CoreSensor] { core?.sensors.filter { $0.type.kind == kind } ?? [] }
}

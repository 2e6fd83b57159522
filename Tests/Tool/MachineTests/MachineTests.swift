// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationModel
import OrientationWire
import TestSupport
import Testing

@testable import OrientationDaemon
@testable import OrientationTool
@testable import Sensors

/// The files of the folder `machines`: what follows from the facts of each machine, without running a program.
@Suite struct MachineTests {
    private let folder: TemporaryDirectory
    /// The machines by file.
    private let machines: [String: Facts]
    /// The readings of each machine with an edge up, by edge.
    private let readings: [String: [String: [Double]]]

    init() throws {
        folder = try TemporaryDirectory()
        let trees = try Self.script("trees", folder.path)
        #expect(trees.errors == "" && trees.status == 0)
        readings = try JSONDecoder().decode(type(of: readings), from: Data(trees.output.joined().utf8))
        var machines: [String: Facts] = [:]
        for file in readings.keys { machines[file] = try Facts(folder.path(file)) }
        self.machines = machines
    }

    private static func script(_ words: String...) throws -> RunningProgram.Result {
        try RunningProgram.run("/usr/bin/python3", [Programs.packageFolder + "/Scripts/machines.py"] + words)
    }

    @Test
    func `each machine has the sensor, the poses, the natural orientation, the mode and the findings of its file`()
        throws
    {
        #expect(machines.count >= 50)
        let found = machines.map { file, facts in (file, facts.conclusions(readings[file] ?? [:])) }
        let file = folder.path("found.json")
        try JSONEncoder().encode(Dictionary(uniqueKeysWithValues: found)).write(to: URL(fileURLWithPath: file))
        for error in try Self.script("compare", file).errors.split(separator: "\n") { Issue.record("\(error)") }
    }

    @Test func `of the sensors of two machines one is chosen, in any order, and each has a reason`() {
        let sensors = machines.sorted { $0.key < $1.key }.flatMap(\.value.candidates)
        for (index, first) in sensors.enumerated() {
            for var second in sensors.dropFirst(index).prefix(20) {
                second.info.id += "99"
                let pair = [first, second]
                let listings = SensorChoice.listings(pair, wanted: nil)
                #expect(Set(SensorChoice.listings(pair.reversed(), wanted: nil)) == Set(listings))
                let usable = pair.filter { $0.defect == nil && $0.rejection == nil }
                let chosen = listings.filter(\.isChosen)
                #expect(chosen.count == min(usable.count, 1) && listings.allSatisfy { !$0.why.isEmpty })
                #expect(chosen.allSatisfy { sensor in usable.contains { $0.info.id == sensor.id } })
                if usable.contains(where: \.isLocationStated) { #expect(chosen.first?.isLocationStated == true) }
                let requested = SensorChoice.listings(pair, wanted: second.info.id).filter(\.isChosen).map(\.id)
                #expect(requested == (second.defect == nil ? [second.info.id] : []))
            }
        }
    }
}

/// The facts of a machine from a directory tree, read as the doctor and the daemon read them.
private struct Facts {
    private var machine = MachineFacts()
    let candidates: [SensorChoice.Candidate]
    private let folder: String
    /// The name of the sensor of the lid angle.
    private let hinge: String?

    init(_ folder: String) throws {
        self.folder = folder
        let root = SystemRoot(prefix: folder)
        let kernel = KernelReader(root: root, release: "6.12")
        machine.tabletSwitches = kernel.tabletSwitches()
        machine.chassis = kernel.chassis()
        machine.sensorCore = kernel.sensorCore()
        machine.hasDriverlessHinge = !kernel.driverlessHinges.isEmpty
        machine.inputAccelerometers = kernel.inputAccelerometers()
        machine.accelerometers = DeviceReader(
            root: root, accounts: AccountDatabase(passwd: "", group: ""), pause: 0
        ).accelerometers()
        let devices = SysfsFolder(path: folder + SensorAttributes.devices)
        let hinges = try HingeSensor.source(in: devices) { _ in nil }.scan(HardwareFacts())
        let isPair = machine.accelerometers.contains(where: \.traits.turnsWithDisplay)
        let base = machine.accelerometers.first { isPair && $0.traits.location == "base" }
        hinge = hinges.first?.info.name ?? base?.name
        if let id = hinges.first?.info.id ?? base?.id {
            var sensor = SensorDescription(id: id, name: "hinge", isChosen: true)
            sensor.kind = .hinge
            machine.daemon.ambient = AmbientSensorListMessage([sensor], isServed: false)
        }
        // The daemon lists the sensors of IIO before input devices.
        candidates =
            machine.accelerometers.map { device in
                let driver = device.attributes.driver
                let info = device.traits.description(id: device.id, name: device.name, driver: driver)
                var candidate = SensorChoice.Candidate(
                    info: info, label: device.text("label"), device.traits, recentFailure: nil)
                candidate.canCapture = Self.canCapture(device)
                return candidate
            }
            + machine.inputAccelerometers.map { device in
                let info = device.traits.description(id: device.id, name: device.name, driver: "evdev")
                return .init(info: info, device.traits, recentFailure: nil)
            }
        // A switch that the daemon reads says tablet.
        let isTablet = tabletSwitch.map { _ in true }
        machine.daemon.state = OrientationState(tabletMode: isTablet, sequence: 1, instance: "one")
    }

    /// Returns what follows, by the keys of the file.
    func conclusions(_ up: [String: [Double]]) -> [String: [String]] {
        let listings = [false, true].flatMap { isInput in
            SensorChoice.listings(candidates.filter { ($0.info.driver == "evdev") == isInput }, wanted: nil)
        }
        let found = listings.filter(\.isChosen)
        let chosen = found.first(where: \.isLocationStated) ?? found.first
        // The daemon looks for the sensor core of a DSP.
        let absent = machine.sensorCore == nil ? "none" : "ssc"
        // Without a chosen sensor each one has a reason.
        var conclusions = [
            "sensor": [chosen?.id ?? absent], "why": chosen.map { [$0.why] } ?? listings.map(\.why),
            "matrix": [chosen?.matrixSource ?? "none"], "natural": [natural(of: chosen)], "mode": [mode.0],
            "because": [mode.1], "doctor": findings,
        ]
        if let chosen {
            let canCapture = candidates.first { $0.info.id == chosen.id }?.canCapture == true
            conclusions["reading"] = [canCapture ? "captured" : "polled"]
            conclusions["up"] = up.filter { pose($0.value, chosen.id) == $0.key }.map(\.key)
        }
        return conclusions
    }

    private static func canCapture(_ device: DeviceFacts) -> Bool {
        let properties = device.udev.sensorProperties
        let trigger = device.text("trigger/current_trigger")
        let conditions = CapturePlan.Conditions(
            hasScanElements: device.hasBuffer, trigger: trigger.map { .attached($0) } ?? .unneeded,
            canBePolled: device.missingAxes.isEmpty, policy: properties[.buffer], proxyType: properties[.proxyType],
            hasGyroscope: device.files["in_anglvel_x_raw"] != nil)
        if case .capture = CapturePlan(conditions) { return true }
        return false
    }

    /// Returns the pose of a reading in g, such as `top`.
    private func pose(_ reading: [Double], _ id: String) -> String {
        let traits =
            machine.accelerometers.first { $0.id == id }?.traits
            ?? machine.inputAccelerometers.first { $0.id == id }?.traits
        guard let traits, reading.count == 3 else { return "none" }
        let vector = Acceleration.standardGravity * Acceleration(x: reading[0], y: reading[1], z: reading[2])
        var classifier = OrientationClassifier()
        let pose = classifier.classify(Sample(time: 0, acceleration: traits.frame(vector)))
        return pose?.edge?.description ?? pose?.description ?? "none"
    }

    private func natural(of sensor: SensorDescription?) -> String {
        if let natural = sensor?.natural { return natural.description }
        guard case .success(let connectors) = DisplayConnector.readAll(in: folder + DisplayConnector.directory),
            case .panel(let panel, _) = PanelChoice.choose(among: connectors)
        else { return Edge.portrait.description }
        return panel.mode.shape.natural.description
    }

    /// The first tablet switch that the daemon reads.
    private var tabletSwitch: InputAttributes? {
        machine.tabletSwitches.first { $0.device.switchRejection == nil }?.device
    }

    /// What decides between tablet and laptop, and its name.
    private var mode: (String, String) {
        if let tabletSwitch { return ("switch", tabletSwitch.name ?? "") }
        if let hinge { return ("lid angle", hinge) }
        if let reason = machine.chassis?.laptopReason { return ("laptop", reason) }
        return ("tablet", "")
    }

    /// The checks of the doctor that depend on the machine alone.
    private static let checks: Set = ["devices", "drivers", "properties", "matrix", "tabletMode", "lid"]

    /// The problems and notes, such as `lid note: this laptop has …`.
    private var findings: [String] {
        Examination(machine).findings.filter { Self.checks.contains($0.check) && $0.level != .ok }
            .map { "\($0.check) \($0.level.rawValue): \($0.summary)" }
    }
}

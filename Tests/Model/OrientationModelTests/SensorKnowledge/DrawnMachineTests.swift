// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import SeededRandomness
import Testing

/// Machines with two to five sensors, whose attributes are drawn from the values that reports show.
@Suite struct DrawnMachineTests {
    private static let parents: [[ParentDevice]] = [
        [], [ParentDevice(name: "i2c-KIOX000A:00")], [ParentDevice(name: "2-1", removable: "removable", isUSB: true)],
        [ParentDevice(name: "2-1", product: "Depth Camera", removable: "fixed", isUSB: true, hasVideo: true)],
        [ParentDevice(name: "3-3", removable: "fixed", isUSB: true)],
        [ParentDevice(name: "3-3", removable: "unknown", isUSB: true)], [ParentDevice(name: "3-3", isUSB: true)],
        [ParentDevice(name: "0005:054C:0CE6.0003")],
        [
            ParentDevice(name: "2-1.4", removable: "fixed", isUSB: true),
            ParentDevice(name: "2-1", removable: "removable"),
        ],
    ]

    private static func sensor(_ number: Int, _ isInNotebook: Bool, _ generator: inout SeededGenerator)
        -> SensorChoice.Candidate
    {
        func draw<Value>(_ values: [Value]) -> Value { values[Int.random(in: values.indices, using: &generator)] }
        var attributes = SensorAttributes(
            driver: draw(["hid_sensor_accel_3d", "kxcjk1013", "st-accel-i2c", nil]),
            contents: ["name": .text(draw(["accel_3d", "kxcjk1013", "lis3lv02dl_accel"]))])
        if let label = draw(["accel-display", "accel-base", "lid", "accel-camera", nil, nil]) {
            attributes.contents["label"] = .text(label)
        }
        attributes.properties[.location] = draw(["display", "lid", "base", "oops", nil, nil, nil])
        attributes.properties[.mountMatrix] = draw(["0,-1,0;1,0,0;0,0,1", "oops", nil, nil])
        attributes.parents = draw(parents)
        attributes.isInNotebook = isInNotebook
        if Bool.random(using: &generator) {
            attributes.input = InputAttributes(
                name: draw(["Steam Deck Motion Sensors", "ST LIS3LV02DL Accelerometer"]), axes: draw(["7", "3f", "3"]),
                keys: draw(["0", "38000000000000 0 0 0 0", "7cdb000000000000 0 0 0 0"]),
                bus: draw(["0003", "0005", "0019"]), sibling: draw(["Steam Deck", nil, nil]))
        }
        let traits = SensorTraits(attributes)
        let id = attributes.input == nil ? "iio:device\(number)" : "event\(number)"
        var candidate = SensorChoice.Candidate(
            info: traits.description(id: id, name: attributes.input?.name ?? "accel_3d", driver: attributes.driver),
            traits, recentFailure: draw(["timed out", nil, nil, nil]))
        candidate.canCapture = Bool.random(using: &generator)

        let isInUdev = ["display", "lid"].contains(attributes.properties[.location])
        if !isInUdev, attributes.parents.contains(where: { $0.removable == "removable" || $0.hasVideo }) {
            #expect(traits.rejection != nil, "a removable sensor without a location in udev: \(attributes)")
        }
        if isInUdev { #expect(traits.rejection == nil) }
        return candidate
    }

    @Test func `requests are obeyed, removable sensors never win, each rejection has a reason`() {
        var generator = SeededGenerator(seed: 41)
        for _ in 0..<2_000 {
            let isInNotebook = Bool.random(using: &generator)
            let count = Int.random(in: 2...5, using: &generator)
            let machine = (0..<count).map { Self.sensor($0, isInNotebook, &generator) }
            check(machine, &generator)
            // Of sensors with one name, a rejected one is the last, too.
            let listings = SensorChoice.listings(machine, wanted: machine[0].info.name)
            let usable = machine.filter {
                $0.info.name == machine[0].info.name && $0.defect == nil && $0.rejection == nil
            }
            if let chosen = listings.first(where: \.isChosen), !usable.isEmpty {
                #expect(usable.contains { $0.info.id == chosen.id })
            }
        }
    }

    private func check(_ machine: [SensorChoice.Candidate], _ generator: inout SeededGenerator) {
        let listings = SensorChoice.listings(machine, wanted: nil)
        let usable = machine.filter { $0.defect == nil && $0.rejection == nil }
        #expect(listings.count(where: \.isChosen) == (usable.isEmpty ? 0 : 1), "\(machine)")
        #expect(Set(SensorChoice.listings(machine.shuffled(using: &generator), wanted: nil)) == Set(listings))
        if let chosen = listings.first(where: \.isChosen) {
            let candidate = usable.first { $0.info.id == chosen.id }
            let working = usable.filter { $0.recentFailure == nil }
            #expect(candidate != nil && (candidate?.recentFailure == nil || working.isEmpty))
            let isStatedAnywhere = (working.isEmpty ? usable : working).contains(where: \.isLocationStated)
            #expect(candidate?.isLocationStated == isStatedAnywhere)
        }
        let absence = SensorChoice.absence(of: nil, "on this machine", among: listings)
        for candidate in machine {
            let listing = listings.first { $0.id == candidate.info.id }
            if let reason = candidate.defect ?? candidate.rejection { #expect(listing?.why == reason) }
            #expect(listing?.why.isEmpty == false)
            #expect(absence.contains("\(candidate.info.id) (\(candidate.info.name)): \(listing?.why ?? "-")"))

            let wanted = SensorChoice.listings(machine, wanted: candidate.info.id)
            #expect(wanted.first(where: \.isChosen)?.id == (candidate.defect == nil ? candidate.info.id : nil))
        }
    }
}

// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@Suite struct SensorTraitsTests {
    private static let upsideDown = "1, 0, 0; 0, 1, 0; 0, 0, 1"

    private func traits(
        driver: String? = nil, _ texts: [String: String] = [:], _ properties: [SensorProperty: String] = [:]
    ) -> SensorTraits {
        SensorTraits(
            SensorAttributes(driver: driver, contents: texts.mapValues { .text($0) }, properties: properties))
    }

    @Test func `a sensor without statements is in the display, with its own axes`() {
        let traits = traits()
        #expect(traits.location == "display" && traits.rejection == nil)
        #expect(traits.mount == nil && traits.matrixSource == "default")
        #expect(traits.sense == .specificForce && traits.faceSign == nil)
        #expect(traits.natural == nil && traits.usesBuffer == nil && traits.warnings == [])
    }

    @Test func `the first valid mount matrix counts: udev, the device, its channels, all sensors`() {
        var names = ["mount_matrix", "in_accel_mount_matrix", "in_accel_x_mount_matrix", "in_mount_matrix"]
        let sources = ["mount_matrix", "in_accel_mount_matrix", "in_accel_mount_matrix", "in_mount_matrix"]
        let texts = Dictionary(uniqueKeysWithValues: names.map { ($0, Self.upsideDown) })
        #expect(traits(texts, [.mountMatrix: Self.upsideDown]).matrixSource == "udev ACCEL_MOUNT_MATRIX")
        for source in sources {
            #expect(traits(texts.filter { names.contains($0.key) }).matrixSource == source)
            names.removeFirst()
        }
    }

    @Test func `a refused matrix names its source, its text and the reason`() {
        let traits = traits(["mount_matrix": Self.upsideDown], [.mountMatrix: "oops"])
        #expect(traits.matrixSource == "mount_matrix")
        #expect(traits.refusals.map(\.property) == [.mountMatrix])
        #expect(traits.refusals.map(\.text) == ["oops"])
        #expect(traits.warnings.first?.hasPrefix("udev ACCEL_MOUNT_MATRIX: invalid mount matrix 'oops': ") == true)
    }

    @Test(arguments: [([:], "using the chip's axes"), (["mount_matrix": "0,1,0;-1,0,0;0,0,1"], "using mount_matrix")])
    func `a refused matrix is never replaced in silence`(texts: [String: String], use: String) {
        let warning = traits(texts, [.mountMatrix: "1, 0, 0; 0, 1 0; 0, 0, 1"]).warnings.first
        #expect(warning?.contains("'1, 0, 0; 0, 1 0; 0, 0, 1'") == true && warning?.hasSuffix(use) == true)
    }

    @Test(arguments: [
        ("0, 1, 0; -1, 0, 0; 0, 0, 1", ["mount_matrix"]), (Self.upsideDown, []),
        // What the kernel states without a statement of firmware.
        ("-1, 0, 0; 0, -1, 0; 0, 0, 1", []), ("oops", []),
    ])
    func `valid matrices of later sources are kept for a comparison`(kernel: String, unused: [String]) {
        let own = kernel == Self.upsideDown ? kernel : "-1, 0, 0; 0, -1, 0; 0, 0, 1"
        let traits = traits(["mount_matrix": kernel, "in_mount_matrix": "1,0,0;0,1,0;0,0,1"], [.mountMatrix: own])
        #expect(traits.unusedMounts.map(\.source) == unused && traits.refusals == [])
        // As on the PineNote, whose entry in udev's database is wrong.
        #expect(traits.warnings == unused.map { "\($0): not used: another mount matrix, \(kernel)" })
    }

    @Test func `a matrix that differs in the third row only is no warning`() {
        let own = traits(["mount_matrix": "0, 1, 0; -1, 0, 0; 0, 0, 1"], [.mountMatrix: "0, 1, 0; -1, 0, 0; 0, 0, -1"])
        #expect(own.unusedMounts.count == 1 && own.warnings == [])
    }

    @Test func `an attribute that cannot be read is a refusal`() {
        let traits = SensorTraits(SensorAttributes(contents: ["in_mount_matrix": .unreadable("Input/output error")]))
        #expect(traits.warnings == ["in_mount_matrix: cannot read: Input/output error"])
        #expect(traits.defect == "in_mount_matrix: cannot read: Input/output error")
    }

    @Test(arguments: ["name", "label", "location", "mount_matrix", "in_accel_mount_matrix"])
    func `a statement that cannot be read excludes the sensor, unless an earlier one makes it irrelevant`(name: String)
    {
        var attributes = SensorAttributes(contents: [name: .unreadable("Input/output error")])
        #expect(SensorTraits(attributes).defect == "\(name): cannot read: Input/output error")
        attributes.properties[.mountMatrix] = "1, 0, 0; 0, 1, 0; 0, 0, 1"
        #expect((SensorTraits(attributes).defect == nil) == name.contains("matrix"))
    }

    @Test(arguments: [
        (SensorProperty.location, "camera", "must be display, lid or base"),
        (.faceSign, "0", "must be 1 or -1"), (.buffer, "never", "must be 0 or 1"),
        (.naturalOrientation, "landscapeRight", "must be portrait or landscapeLeft"),
    ])
    func `an invalid property is refused with the valid values`(
        property: SensorProperty, text: String, valid: String
    ) {
        let traits = traits(["label": "accel-base"], [property: text])
        #expect(traits.warnings == ["udev \(property.rawValue): invalid value '\(text)': \(valid)"])
        // The next statement counts.
        #expect(traits.location == "base")
    }

    @Test func `valid properties are taken`() {
        let traits = traits(
            ["label": "accel-base"],
            [.location: "lid", .faceSign: "-1", .buffer: "0", .naturalOrientation: "landscapeLeft"])
        #expect(traits.location == "lid" && traits.rejection == nil && traits.faceSign == -1)
        #expect(traits.usesBuffer == false && traits.natural == .landscapeLeft && traits.refusals == [])
    }

    @Test(arguments: ["base", "camera"])
    func `a sensor that does not turn with the display is used on request only`(location: String) {
        #expect(traits(["location": location]).rejection == "in the \(location), not in the display")
    }

    @Test(arguments: [
        ("hid_sensor_accel_3d", "dev0", true), ("i2c_hub", "accel_3d", true), ("kxcjk1013", "kxcjk1013", false),
    ])
    func `the vectors of a HID sensor hub point towards the ground`(driver: String, name: String, isHub: Bool) {
        let traits = traits(driver: driver, ["name": name])
        #expect(traits.sense == (isHub ? .gravity : .specificForce))
    }

    @Test func `remarks about the matrix are warnings`() {
        #expect(
            traits([:], [.mountMatrix: "2, 0, 0; 0, 2, 0; 0, 0, 2"]).warnings
                == ["mount matrix from udev ACCEL_MOUNT_MATRIX: a rotation times 2.0: using the rotation"])
        #expect(traits([:], [.mountMatrix: "2, 0, 0; 0, 1, 0; 0, 0, 1"]).warnings.count == 1)
    }
}

// SPDX-License-Identifier: Apache-2.0

/// What firmware, the kernel and udev state about an accelerometer, as text.
package struct SensorAttributes: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        case text(String)
        /// The attribute exists but cannot be read, for this reason.
        case unreadable(String)
    }

    /// The folder of the IIO devices.
    package static let devices = "/sys/bus/iio/devices"
    /// The names of the attributes in the sensor's folder that the rules use.
    package static let names = ["name", "label", "location"] + SensorTraits.matrixAttributes.flatMap(\.self)

    /// The name of the kernel driver; nil if unknown.
    package var driver: String?
    /// The attributes that exist, by name.
    package var contents: [String: Content]
    /// udev's properties.
    package var properties: [SensorProperty: String]
    /// The mount matrix if no source has one; depends on the driver.
    package var defaultMount = MountMatrix.identity
    /// What sysfs states about an input device; nil for an IIO device.
    package var input: InputAttributes?
    /// The devices above it, the nearest first.
    package var parents: [ParentDevice] = []
    /// Whether it is in a clamshell; see ``Chassis/isNotebook(line:names:)``.
    package var isInNotebook = false

    package init(
        driver: String? = nil, contents: [String: Content] = [:], properties: [SensorProperty: String] = [:],
        input: InputAttributes? = nil
    ) {
        self.driver = driver
        self.contents = contents
        self.properties = properties
        self.input = input
    }

    /// Returns the text of an attribute; nil if it does not exist or cannot be read.
    package func text(_ name: String) -> String? {
        if case .text(let text) = contents[name] { text } else { nil }
    }
}

/// What follows from the attributes of an accelerometer. Of several statements the first valid one counts; each invalid
/// one is refused, with the reason.
///
/// The daemon, `orientationctl doctor` and tests derive the traits from the same attributes.
package struct SensorTraits: Hashable, Sendable {
    /// A statement that has no effect.
    package struct Refusal: Hashable, Sendable {
        /// The property of udev; nil for an attribute in sysfs.
        package let property: SensorProperty?
        /// The name of the source, for messages.
        package let source: String
        /// The text that was refused; empty if it cannot be read.
        package let text: String
        package let reason: String
    }

    package struct SourcedMatrix: Hashable, Sendable {
        package let matrix: MountMatrix
        package let source: String
    }

    /// The location in the device, such as `display` or `base`.
    package private(set) var location = "display"
    /// Whether firmware, a driver or udev states the location; else the sensor may be anywhere.
    package private(set) var isLocationStated = false
    /// Why the sensor cannot be used, not even on request; nil if it can.
    package private(set) var defect: String?
    /// Why the sensor is used only on request; nil for one that turns with the display.
    package private(set) var rejection: String?
    /// Whether the sensor is in a camera or on a device that is known to be removable.
    package private(set) var isElsewhere = false
    /// The mount matrix; nil if there is no valid one.
    package private(set) var mount: MountMatrix?
    private let defaultMount: MountMatrix
    /// The source of the mount matrix, for messages.
    package private(set) var matrixSource = "default"
    /// The valid mount matrices that are not used, because an earlier source has one.
    package private(set) var unusedMounts: [SourcedMatrix] = []
    /// The sign of the vectors at rest.
    package let sense: DeviceFrame.SensorSense
    /// The sign of z that an administrator set.
    package private(set) var faceSign: Int?
    /// The natural orientation that an administrator set for the device.
    package private(set) var natural: Edge?
    /// Whether an administrator enabled or disabled the use of the buffer; nil if not configured.
    package private(set) var usesBuffer: Bool?
    package private(set) var refusals: [Refusal] = []

    /// The attributes with a mount matrix, in the order of precedence after udev's property; within a group the drivers
    /// use one name or the other.
    fileprivate static let matrixAttributes = [
        ["mount_matrix"], ["in_accel_mount_matrix", "in_accel_x_mount_matrix"], ["in_mount_matrix"],
    ]

    package init(_ attributes: SensorAttributes) {
        sense = Self.isHub(driver: attributes.driver, name: attributes.text("name")) ? .gravity : .specificForce
        defaultMount = attributes.defaultMount
        for name in ["name", "label", "location"] {
            if case .unreadable(let reason)? = attributes.contents[name] { setUnreadable(name, reason) }
        }
        findMatrix(attributes)
        let properties = attributes.properties
        faceSign = value(.faceSign, properties) { Int($0).flatMap { [1, -1].contains($0) ? $0 : nil } }
        usesBuffer = value(.buffer, properties) { ["1": true, "0": false][$0] }
        // What cannot be parsed is refused there.
        natural = value(.naturalOrientation, properties) { try? Edge(naturalOrientation: $0) }
        let stated = value(.location, properties) { SensorLocation.properties.contains($0) ? $0 : nil }
        judge(
            attributes, inUdev: stated,
            location: SensorLocation.first(
                property: stated, label: attributes.text("label"), attribute: attributes.text("location")))
    }

    /// Decides whether the sensor turns with the display. `inUdev` is the location that udev states, `location` the first
    /// one that is stated at all.
    private mutating func judge(_ attributes: SensorAttributes, inUdev: String?, location stated: String?) {
        let isFreeFallSensor = stated == nil && SensorLocation.isFreeFallSensor(attributes)
        location = stated ?? (isFreeFallSensor ? "base" : "display")
        isLocationStated = stated != nil
        isElsewhere = location == "camera" || attributes.parents.contains { $0.exclusion != nil }
        defect = defect ?? attributes.input.flatMap(InputAccelerometerRule.defect)
        rejection = SensorLocation.rejection(of: location).map {
            isFreeFallSensor ? "\($0): it protects the disk of a notebook" : $0
        }
        guard rejection == nil, inUdev == nil else { return }
        let hasMatrix = mount != nil && matrixSource == SensorProperty.mountMatrix.source
        if !hasMatrix { rejection = attributes.input.flatMap(InputAccelerometerRule.rejection) }
        // A matrix for this very input device is made for its use, and replaces the mark that is missing.
        let isMeant = hasMatrix && attributes.input != nil
        let reasons = attributes.parents.lazy.compactMap { isMeant ? $0.exclusion : $0.rejection }
        rejection = rejection ?? reasons.first
    }

    /// Whether the sensor is a HID sensor hub, whose vectors have the opposite sign.
    private static func isHub(driver: String?, name: String?) -> Bool {
        driver?.hasPrefix("hid_sensor_accel") == true || name == "accel_3d"
    }

    private mutating func findMatrix(_ attributes: SensorAttributes) {
        if let text = attributes.properties[.mountMatrix] {
            take(.text(text), from: SensorProperty.mountMatrix.source, .mountMatrix)
        }
        for names in Self.matrixAttributes {
            guard let content = names.lazy.compactMap({ attributes.contents[$0] }).first else { continue }
            take(content, from: names[0], nil)
        }
    }

    private mutating func take(_ content: SensorAttributes.Content, from source: String, _ property: SensorProperty?) {
        if let mount {
            // The kernel states the identity if firmware states nothing. An invalid matrix that is not used has no effect.
            if case .text(let text) = content, let matrix = try? MountMatrix(parsing: text), matrix != mount,
                matrix != .identity
            {
                unusedMounts.append(SourcedMatrix(matrix: matrix, source: source))
            }
            return
        }
        switch content {
        case .unreadable(let reason):
            refusals.append(Refusal(property: nil, source: source, text: "", reason: "cannot read: \(reason)"))
            setUnreadable(source, reason)
        case .text(let text):
            do throws(MountMatrixError) {
                mount = try MountMatrix(parsing: text)
                matrixSource = source
            } catch {
                refusals.append(Refusal(property: property, source: source, text: text, reason: error.description))
            }
        }
    }

    /// Excludes the sensor because a statement cannot be read that may decide the orientation.
    private mutating func setUnreadable(_ source: String, _ reason: String) {
        defect = defect ?? "\(source): cannot read: \(reason)"
    }

    /// Returns the value of a property; nil if it is not set or invalid.
    private mutating func value<Value>(
        _ property: SensorProperty, _ properties: [SensorProperty: String], _ parse: (String) -> Value?
    ) -> Value? {
        guard let text = properties[property] else { return nil }
        if let value = parse(text) { return value }
        let reason = "invalid value '\(text.shortened)': must be \(property.validValues)"
        refusals.append(Refusal(property: property, source: property.source, text: text, reason: reason))
        return nil
    }
}

extension SensorTraits {
    package var turnsWithDisplay: Bool { SensorLocation.rejection(of: location) == nil }

    /// The conversion from the sensor's axes.
    package var frame: DeviceFrame {
        DeviceFrame(matrix: mount ?? defaultMount, sense: sense, faceSign: faceSign)
    }

    /// The conversion with another mount matrix.
    package func frame(with other: SourcedMatrix) -> DeviceFrame {
        DeviceFrame(matrix: other.matrix, sense: sense, faceSign: faceSign)
    }

    /// Whether another mount matrix gives other poses: the database may have one for all machines with a chip.
    private func disagrees(with other: SourcedMatrix) -> Bool {
        [PanelPose.edge(.top), .edge(.right)].contains { pose in
            guard let raw = frame.inverse(pose.direction) else { return false }
            return frame(with: other)(raw).normalized.dot(pose.direction.normalized) < 0.7
        }
    }

    /// The refused statements, and remarks about the mount matrix, as messages.
    package var warnings: [String] {
        var warnings = refusals.map { "\($0.source): \($0.reason)\(substitute(for: $0))" }
        warnings += unusedMounts.filter(disagrees).map {
            "\($0.source): not used: another mount matrix, \($0.matrix.text)"
        }
        if frame.faceRule == .thirdRow {
            let use = frame.replacement.map { "; using \($0.text)" } ?? ""
            warnings.append(
                "mount matrix from \(matrixSource): not a rotation: its first two rows are not orthogonal unit vectors\(use)"
            )
        }
        if frame.matrixFactor != 1 {
            warnings.append(
                "mount matrix from \(matrixSource): a rotation times \(frame.matrixFactor): using the rotation")
        }
        return warnings
    }

    /// What is used instead of a refused mount matrix, to be appended to the message; empty for another property.
    private func substitute(for refusal: Refusal) -> String {
        guard refusal.property ?? .mountMatrix == .mountMatrix, !refusal.text.isEmpty else { return "" }
        return mount == nil ? "; using the chip's axes" : "; using \(matrixSource)"
    }

    /// Describes a sensor of this machine; `warnings` come from its driver.
    package func description(
        id: String, name: String, driver: String?, warnings: [String] = []
    ) -> SensorDescription {
        var description = SensorDescription(
            id: id, name: name, driver: driver, location: location, matrix: (mount ?? defaultMount).elements,
            matrixSource: matrixSource, warnings: warnings + self.warnings, natural: natural,
            naturalSource: natural.map { _ in SensorProperty.naturalOrientation.source })
        description.isHardware = true
        description.isLocationStated = isLocationStated
        return description
    }
}

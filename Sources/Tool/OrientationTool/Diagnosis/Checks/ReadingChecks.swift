// SPDX-License-Identifier: Apache-2.0

import OrientationModel

extension Check {
    /// Checks each mount matrix: the most frequent cause of upside-down displays.
    static let matrix = Check("matrix") { facts in
        facts.usable.flatMap { device in
            let traits = device.traits
            let refused = traits.refusals.filter { $0.property == nil || $0.property == .mountMatrix }
            // Without a valid matrix, the finding of the invalid one is enough.
            let verdicts = refused.isEmpty || traits.mount != nil ? [verdict(traits, device)] : []
            return refused.map { invalid($0, traits, device) } + verdicts
                + traits.unusedMounts.compactMap { difference($0, traits, device) }
        }
    }

    private static func invalid(
        _ refusal: SensorTraits.Refusal, _ traits: SensorTraits, _ device: DeviceFacts
    ) -> Finding {
        .problem(
            "\(refusal.source) of \(device.title) is invalid: \(refusal.reason)",
            (traits.mount == nil
                ? "The chip's axes are used as the device's" : "It is ignored; \(traits.matrixSource) is used")
                + (refusal.property.map { ". \(device.place(of: $0))" } ?? ""),
            fix: device.isMatrixOverridable ? .calibrate : nil)
    }

    /// Compares the mount matrix in use with one that is not: udev's database may have one for all machines with a chip.
    private static func difference(
        _ other: SensorTraits.SourcedMatrix, _ traits: SensorTraits, _ device: DeviceFacts
    ) -> Finding? {
        guard let mount = traits.mount else { return nil }
        let frame = traits.frame(with: other)
        // The pose in which the device is held now, or else the first one that shows the difference.
        let held = device.readings.vectors.last.flatMap(device.acceleration(of:)).map { (traits.frame($0), frame($0)) }
        let poses = [PanelPose.edge(.top), .edge(.right)].compactMap { pose in
            traits.frame.inverse(pose.direction).map { (pose.direction, frame($0)) }
        }
        let differing = ([held].compactMap(\.self) + poses).map { (self.pose($0), self.pose($1)) }.first { $0 != $1 }
        guard let (used, unused) = differing else { return nil }
        return .note(
            "\(device.title) has two mount matrices: \(mount.text) from \(traits.matrixSource), which is used, and "
                + "\(other.matrix.text) from \(other.source), which is not",
            "Held as now, the first gives \(used), the second \(unused): if that is right, set the second in udev",
            fix: .property(.mountMatrix, other.matrix.text, of: device))
    }

    private static func pose(_ vector: Acceleration) -> String {
        var classifier = OrientationClassifier()
        let gravity = Acceleration.standardGravity * vector.normalized
        return classifier.classify(Sample(time: 0, acceleration: gravity))?.description ?? "no pose"
    }

    private static func verdict(_ traits: SensorTraits, _ device: DeviceFacts) -> Finding {
        guard let matrix = traits.mount else {
            return .note(
                "\(device.title) has no mount matrix",
                "The chip's axes are used as the device's. If the display rotates the wrong way, this is the cause",
                fix: .calibrate)
        }
        let summary = "the mount matrix of \(device.title) from \(traits.matrixSource), \(matrix.text),"
        // Only the first two rows are used; see DeviceFrame.
        let frame = traits.frame
        guard frame.faceRule == .crossProduct else {
            let kind = abs(matrix.determinant) < DeviceFrame.tolerance ? "is singular" : "is not a rotation"
            return .problem(
                "\(summary) \(kind): its first two rows are not perpendicular and of length 1",
                frame.replacement.map { "The closest one that is a rotation is used: \($0.text)" }
                    ?? "The orientation is wrong in some or all positions", fix: .calibrate)
        }
        let factor = frame.matrixFactor
        return .ok("\(summary) \(remark(on: matrix))" + (factor == 1 ? "" : "; its factor \(factor.brief) is not used"))
    }

    private static func remark(on matrix: MountMatrix) -> String {
        let determinant = matrix.determinant
        if abs(determinant) < DeviceFrame.tolerance {
            return "is singular, but only in its third row, which is not used"
        }
        return determinant < 0
            ? "has determinant -1, as most published ones; z is computed from the first two rows" : "is a rotation"
    }

    /// Checks that each sensor's readings are plausible.
    static let reading = Check("reading") { facts in
        facts.usable.map { device in
            let readings = device.readings
            if let failure = readings.failure { return unreadable(device, failure, facts) }
            if readings.longest > slow {
                return facts.serious(
                    "a reading of \(device.title) took \(readings.longest.brief) s",
                    "The sensor or its hub hangs; such readings are invalid",
                    fix: reload(device))
            }
            guard let last = readings.vectors.last else {
                return .ok("\(device.title) has no raw attributes and is read from its buffer")
            }
            if readings.vectors.allSatisfy({ $0.allSatisfy { $0 == 0 } }) {
                return facts.serious(
                    "\(device.title) reads zero on all three axes",
                    "Gravity is always measured: the sensor is suspended or hangs", fix: reload(device))
            }
            return vector(last, device, facts)
        }
    }

    /// The longest valid duration of a reading, in seconds; the daemon discards slower ones.
    private static let slow = 1.0
    /// The plausible magnitude at rest, in standard gravities.
    private static let rest = 0.85...1.15
    /// The plausible magnitude in motion, in standard gravities.
    private static let moved = 0.3...3.0
    /// The resolution in m/s² above which identical readings at rest are normal.
    private static let coarse = 0.01

    private static func vector(_ raw: [Double], _ device: DeviceFacts, _ facts: MachineFacts) -> Finding {
        guard let vector = device.acceleration(of: raw) else {
            return .note(
                "\(device.title) has no scale: in_accel_scale is missing or invalid",
                "Its raw numbers, now \(raw.map(\.brief).joined(separator: ", ")), are scaled to one g at rest"
            )
        }
        // In the device frame, as `sensors` prints it.
        let turned = device.traits.frame(vector)
        let text = [turned.x, turned.y, turned.z].map { ($0 + 0).brief }.joined(separator: ", ")
        let summary = "\(device.title) reads \(text) m/s², magnitude \(vector.magnitude.brief)"
        let gravities = vector.magnitude / Acceleration.standardGravity
        guard moved.contains(gravities) else {
            if let factor = ScaleEstimate.factor(for: vector.magnitude) {
                return .note(
                    summary,
                    "The magnitude at rest is 9.81: the scale \(ScaleEstimate.phrase) \((1 / factor).brief). The daemon uses its direction: please report the device with --report"
                )
            }
            return facts.serious(
                "\(summary): no gravity",
                "The magnitude at rest is 9.81, and no known error of a scale explains this one: the chip filters gravity out, or is defective"
            )
        }
        if device.isStuck(finerThan: coarse) {
            return .note(
                "\(summary), identical in \(device.readings.vectors.count) readings",
                "Noise should exceed such a fine resolution: if the numbers do not change in another position, the sensor is stuck",
                fix: reload(device))
        }
        if rest.contains(gravities) { return .ok(summary) }
        return .note(summary, "The magnitude at rest is 9.81: if the device was not moved, the scale is wrong")
    }

    private static func unreadable(_ device: DeviceFacts, _ failure: String, _ facts: MachineFacts) -> Finding {
        let holders = facts.processes.holders(of: device.id)
        if device.readings.isBusy {
            let isOurs = holders.contains { $0.program == "orientationd" }
            let summary = "\(device.title) cannot be polled while its buffer is enabled"
            return isOurs
                ? .ok(summary, "The daemon reads the buffer")
                : facts.serious(summary, "Another program reads the buffer; see buffer")
        }
        if device.readings.isRefused {
            return .note(
                "\(facts.caller.title) cannot read \(device.title): \(failure)",
                "The readings were not checked", fix: .examineAsRoot)
        }
        return facts.serious(
            "\(device.title) cannot be read: \(failure)",
            "The daemon cannot read it either, unless it has more permissions",
            fix: reload(device))
    }

    /// Returns the command that reloads the driver.
    private static func reload(_ device: DeviceFacts) -> Fix? { device.module.map(Fix.reloadDriver) }
}

extension DeviceFacts {
    /// Whether all readings are identical, despite a fine resolution. A hub reports changes only.
    fileprivate func isStuck(finerThan coarse: Double) -> Bool {
        guard traits.sense == .specificForce, readings.vectors.count > 1,
            let step = Self.axes.compactMap({ scale($0) }).map(abs).max(), step < coarse
        else { return false }
        return Set(readings.vectors).count == 1
    }
}

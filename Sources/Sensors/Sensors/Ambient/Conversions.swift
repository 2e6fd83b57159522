// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Posix

/// The conversion of raw readings: (raw + offset) × scale, as in the kernel's ABI of IIO.
struct LinearConversion: Hashable {
    var scale = 1.0
    var offset = 0.0
    /// The largest valid result.
    var maximum = Double.greatestFiniteMagnitude

    /// The largest light level, in lux: 10000 times direct sunlight.
    static let brightestLight = 1e9

    /// Converts a raw value; nil if the result is not finite or exceeds the maximum.
    func callAsFunction(_ raw: Double) -> Double? {
        let value = (raw + offset) * scale
        return value.isFinite && value <= maximum ? value : nil
    }
}

/// Decides whether an object is near, from the raw readings of a proximity sensor, which grow as it comes closer.
///
/// A reading is compared with 0.9 × the level if the previous reading exceeded the level, otherwise with 1.1 × the
/// level. This is the rule of iio-sensor-proxy, for which the levels in the hardware database were chosen. It is not a
/// hysteresis: readings that alternate around the level alternate in the result.
struct ProximityThreshold: Hashable {
    static let margin = 0.1

    let nearLevel: Double
    private var isAboveLevel = false

    init(nearLevel: Double) {
        self.nearLevel = nearLevel
    }

    mutating func isNear(_ raw: Double) -> Bool {
        defer { isAboveLevel = raw > nearLevel }
        return raw > nearLevel * (isAboveLevel ? 1 - Self.margin : 1 + Self.margin)
    }
}

enum AttributeText {
    /// Parses applesmc's attribute `light`, `(left,right)` with values of 0 to 255; returns the larger value in
    /// percent.
    static func percentOfApple(_ text: String) -> Double? {
        let parts = text.split { "(,) \n\0".contains($0) }.compactMap { Double(decimal: String($0)) }
        guard parts.count == 2, parts.allSatisfy({ (0...255).contains($0) }) else { return nil }
        return max(parts[0], parts[1]) / 255 * 100
    }
}

/// When a light sensor is left alone: some hubs repeat a value, mostly 0 after a resume, until it is not read for 5 s.
struct LightPause: Hashable {
    /// The time without another value, and the time without a reading that follows it, in seconds.
    static let limit = 30.0
    static let length = 6.0

    private var value: Double?
    private var since = 0.0

    /// Records a raw value; returns the time without a reading that has to follow, nil for the usual interval.
    mutating func record(_ raw: Double, at now: Double) -> Double? {
        let isFirst = value == nil
        if raw != value { (value, since) = (raw, now) }
        guard isFirst && raw == 0 || now - since >= Self.limit else { return nil }
        since = now + Self.length
        return Self.length
    }
}

// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

/// Decides from readings of the attributes whether a buffer without scans still works.
///
/// Sensor hubs send changes only: at rest no scans arrive, perhaps not even a first one. Some hubs answer a reading with a
/// value of the past.
struct BufferSilence {
    /// The result of reading the attributes.
    enum Reading: Equatable {
        case vector(Acceleration)
        /// The driver has no attributes, or refuses readings while it captures.
        case refused
        /// The driver returned no valid reading in time.
        case invalid
    }

    enum Verdict: Equatable {
        /// The device lies still with this vector: keep the capture.
        case still(Acceleration)
        /// The buffer misses changes.
        case stopped
    }

    /// Whether the sensor may send changes only.
    let isHub: Bool
    /// The last scan, or the first reading before any.
    private var known: Acceleration?
    private var hasScans = false
    /// The first reading of the attributes.
    private var attributes: Acceleration?
    /// Whether the attributes have changed.
    private var areLive = false

    /// Begins before the first scan; `first` is a reading from before the capture.
    init(isHub: Bool, first: Reading? = nil) {
        self.isHub = isHub
        if case .vector(let vector) = first { attributes = vector }
    }

    mutating func scanned(_ vector: Acceleration) { (known, hasScans) = (vector, true) }

    /// Returns what a reading during a silence means.
    mutating func verdict(on reading: Reading) -> Verdict {
        guard case .vector(let vector) = reading else {
            guard let known, isHub, reading == .refused else { return .stopped }
            return .still(known)
        }
        // A chip's own noise changes the numbers.
        if let attributes, vector != attributes { areLive = true }
        let isOfThePast = isHub && hasScans && attributes != nil && !areLive
        attributes = attributes ?? vector
        guard let known = known ?? (isHub ? vector : nil) else { return .stopped }
        self.known = known
        if RestDetector.isStill(vector, from: known) { return .still(vector) }
        return isOfThePast ? .still(known) : .stopped
    }
}

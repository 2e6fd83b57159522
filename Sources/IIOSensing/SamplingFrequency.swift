// SPDX-License-Identifier: Apache-2.0

internal import Sensing

/// How often the chip itself measures, in hertz, while we use it.
///
/// Some drivers wait for the next measurement at every read: a chip left at 1 Hz keeps a reader for two seconds. So a
/// slower one is set to the lowest frequency it has at or above what orientation needs, and set back afterwards. One
/// that is fast enough is left alone, unless each measurement wakes us: then it is set to the same.
final class SamplingFrequency {
    /// What orientation needs, in hertz: the classifier is at its best from here up.
    static let needed = 10.0

    private let attribute: IIOWritableAttribute
    private let former: String

    /// Raises the frequency where it is too low; nil where nothing was changed. What cannot be changed is a warning.
    init?(device: IIODevice, warnings: inout [String]) {
        guard let attribute = device.writableAttribute("sampling_frequency", channel: "accel_x"),
            case .text(let text) = attribute.read(), let current = Double(text), current < Self.needed,
            case .text(let available) = device.anyAttribute("sampling_frequency_available", channel: "accel_x"),
            let wanted = Self.choice(from: available, atLeast: Self.needed)
        else { return nil }
        guard attribute.write(wanted) else {
            warnings.append(
                "the chip measures \(text) times a second, and sampling_frequency cannot be set to \(wanted)")
            return nil
        }
        self.attribute = attribute
        former = text
    }

    /// Sets the frequency to the lowest that is enough; nil where nothing was changed.
    init?(device: IIODevice, isExact: Bool) {
        guard isExact, let attribute = device.writableAttribute("sampling_frequency", channel: "accel_x"),
            case .text(let text) = attribute.read(), let current = Double(text)
        else { return nil }
        let wanted: String?
        if case .text(let available) = device.anyAttribute("sampling_frequency_available", channel: "accel_x") {
            wanted = Self.choice(from: available, atLeast: Self.needed)
        } else {
            // A hub has no list, and takes any frequency.
            wanted = current < Self.needed ? "\(Int(Self.needed))" : nil
        }
        guard let wanted, Double(wanted) != current, attribute.write(wanted) else { return nil }
        self.attribute = attribute
        former = text
    }

    /// How often the chip measures now, in hertz; nil where it does not tell.
    static func current(of device: IIODevice) -> Double? {
        guard case .text(let text) = device.anyAttribute("sampling_frequency", channel: "accel_x") else { return nil }
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }

    deinit {
        _ = attribute.write(former)
    }

    /// The lowest frequency at or above what is needed, as it was written; else the highest. The kernel lists them, or
    /// gives a range as `[lowest step highest]`.
    static func choice(from available: String, atLeast needed: Double) -> String? {
        let isRange = available.hasPrefix("[")
        let words = available.split { " []\t\n".contains($0) }.map(String.init)
        let numbers = words.compactMap { word in Double(word).map { (word: word, value: $0) } }
            .filter { $0.value.isFinite && $0.value > 0 }
        if isRange, numbers.count == 3 {
            let (lowest, step, highest) = (numbers[0].value, numbers[1].value, numbers[2].value)
            guard lowest < needed else { return numbers[0].word }
            let raised = lowest + ((needed - lowest) / step).rounded(.up) * step
            return raised <= highest ? "\(raised)" : numbers[2].word
        }
        let fitting = numbers.filter { $0.value >= needed }.min { $0.value < $1.value }
        return (fitting ?? numbers.max { $0.value < $1.value })?.word
    }
}

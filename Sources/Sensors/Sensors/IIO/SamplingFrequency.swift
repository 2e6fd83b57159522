// SPDX-License-Identifier: Apache-2.0

internal import Posix

/// The frequency at which the chip measures while it is in use, in hertz.
///
/// Some drivers block every read until the next measurement: at 1 Hz a read takes up to two seconds. A slower chip is
/// therefore set to its lowest frequency at or above the needed one, and restored afterwards. A faster chip is left
/// unchanged, unless it is captured: then each measurement costs a wake-up, and the frequency is lowered as well.
struct SamplingFrequency {
    /// The frequency of a capture while the device moves, in hertz; see ``PollingPace/movingInterval``.
    static let moving = 1 / PollingPace.movingInterval
    /// The frequency for polled chips, as iio-sensor-proxy sets it, for ambient sensors, and where each measurement costs a
    /// wake-up at rest too, in hertz. The classifier is right at this frequency, but worse during a walk; with less it misses
    /// poses.
    static let sufficient = 10.0

    /// The value before the first change, as the kernel wrote it.
    let former: String
    private var current: String
    /// The frequency that the driver reported after the last change, in hertz: it may round.
    private var reported: Double?
    private let available: String?
    private let use: DeviceSettings.Use
    private let folder: SysfsFolder
    let name: String

    /// Reads the current frequency, the device's or that of a channel; nil if it cannot be read.
    init?(_ device: IIODevice, channel: String, for use: DeviceSettings.Use) {
        folder = device.folder
        guard let name = folder.setting("sampling_frequency", channel: channel), let former = folder.text(name),
            let hertz = Double(former)
        else { return nil }
        self.name = name
        self.use = use
        self.former = former
        current = former
        reported = hertz
        available = folder.setting("sampling_frequency_available", channel: channel).flatMap(folder.text)
    }

    /// Returns the value to set for `rate` measurements per second; nil if it is set already.
    func change(for rate: Double) -> String? {
        let choice = Self.choice(former: former, available: available, use: use, rate: rate)
        return Double(choice) == Double(current) ? nil : choice
    }

    mutating func set(_ text: String) throws(Errno) {
        try folder.write(text, to: name)
        (current, reported) = (text, read())
    }

    /// Sets the current frequency again if the driver has lost it, such as during a sleep.
    func setAgain() {
        guard let hertz = read(), hertz != Double(current), !wasRaised else { return }
        // A driver that refuses measures at its own rate.
        try? folder.write(current, to: name)
    }

    /// Whether another program has raised the frequency since the last change: it stays. A driver that has lost a lower one
    /// measures as before the first change.
    var wasRaised: Bool {
        guard let reported, let hertz = read() else { return false }
        return hertz > reported && hertz != Double(former)
    }

    private func read() -> Double? { folder.text(name).flatMap { Double($0) } }

    /// Whether the former frequency was less than ``sufficient``.
    var wasTooSlow: Bool { Double(former).map { $0 < Self.sufficient } == true }

    /// Returns the current frequency of an accelerometer, as the kernel writes it; nil if it cannot be read.
    static func text(of device: IIODevice) -> String? {
        device.folder.setting("sampling_frequency", channel: DeviceSettings.usualChannel).flatMap(device.folder.text)
    }

    /// Returns the current frequency of an accelerometer in hertz; nil if it cannot be read.
    static func current(of device: IIODevice) -> Double? {
        text(of: device).flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
    }

    /// Returns the value for a chip that was set to `former`, for `rate` measurements per second.
    static func choice(former: String, available: String?, use: DeviceSettings.Use, rate: Double) -> String {
        if use == .polling, Double(former).map({ $0 >= rate }) == true { return former }
        if let available { return choice(from: available, atLeast: rate) ?? former }
        // A hub has no list and accepts any frequency. Polling powers the sensor on for each read, which takes up to
        // two periods.
        if use == .capture { return "\(Int(rate.rounded(.up)))" }
        return Double(former).map { $0 < sufficient } == true ? "\(Int(sufficient))" : former
    }

    /// Returns the lowest frequency of at least `needed`, as written in the list; otherwise the highest. The kernel
    /// lists the frequencies, or states a range as `[lowest step highest]`.
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

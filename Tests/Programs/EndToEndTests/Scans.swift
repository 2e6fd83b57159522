// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

extension Machine.Device {
    /// A chip with a buffer and its own trigger; samples are 16 bits in 32-bit slots.
    static let buffered: Machine.Device = {
        var device = upright
        device.trigger = "kxcjk1013-dev0"
        device.hasNode = true
        for (index, channel) in ["in_accel_x", "in_accel_y", "in_accel_z", "in_timestamp"].enumerated() {
            device.attributes["scan_elements/\(channel)_en"] = "0"
            device.attributes["scan_elements/\(channel)_index"] = "\(index)"
            device.attributes["scan_elements/\(channel)_type"] = index < 3 ? "le:s16/32>>0" : "le:s64/64>>0"
        }
        device.attributes.merge(
            [
                "buffer/enable": "0", "buffer/length": "2", "buffer/watermark": "1",
                "trigger/current_trigger": "kxcjk1013-dev0", "current_timestamp_clock": "realtime",
            ]) { $1 }
        return device
    }()
}

/// Writes scans to a device's node, as the driver does.
final class Scans {
    private let file: FileHandle
    /// The attribute that says whether the buffer runs.
    private let enable: String

    /// Opens the node of a device.
    init(_ machine: Machine, _ device: Machine.Device) throws {
        let path = "\(machine.root)/dev/iio:device\(device.number)"
        // A scan that does not fit is lost, as in the kernel.
        let descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw TestFailure("cannot open \(path)") }
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        enable = "\(machine.root)/sys\(device.path)/buffer/enable"
    }

    /// Writes one scan in units of the chip, with garbage in the unused bits and the time since boot plus `offset`
    /// seconds as timestamp.
    func write(_ x: Int, _ y: Int, _ z: Int, offset: Double = 0) throws {
        try file.write(contentsOf: Self.scan(x, y, z, offset: offset))
    }

    private static func scan(_ x: Int, _ y: Int, _ z: Int, offset: Double) -> Data {
        var scan = Data()
        for value in [x, y, z] {
            let slot = UInt32(UInt16(bitPattern: Int16(value))) | 0xABCD_0000
            scan.append(contentsOf: withUnsafeBytes(of: slot.littleEndian, Array.init))
        }
        scan.append(contentsOf: [0, 0, 0, 0])
        var now = timespec()
        clock_gettime(CLOCK_BOOTTIME, &now)
        let stamp = Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec) + Int64(offset * 1e9)
        scan.append(contentsOf: withUnsafeBytes(of: stamp.littleEndian, Array.init))
        return scan
    }

    /// Removes the scans of a buffer that does not run: the daemon would not use timestamps that are a second old.
    func removeOutdated() {
        guard (try? String(contentsOfFile: enable, encoding: .utf8))?.hasPrefix("1") == false else { return }
        // Whole scans: the buffer may start meanwhile.
        var bytes = [UInt8](repeating: 0, count: 100 * 24)
        while read(file.fileDescriptor, &bytes, bytes.count) > 0 {}
    }

    /// Writes a scan of one channel of 32 bits.
    func write(_ value: UInt32) throws {
        try file.write(contentsOf: withUnsafeBytes(of: value.littleEndian) { Data($0) })
    }

    /// Writes two seconds of a pose at 25 Hz at once; the timestamps have the intervals.
    func hold(_ x: Int, _ y: Int, _ z: Int) throws {
        let scans = (0..<50).map { Self.scan(x * 196, y * 196, z * 196, offset: Double($0) / 25) }
        try file.write(contentsOf: Data(scans.joined()))
    }
}

/// A chip that delivers scans continuously, so that its capture does not time out during a test. A buffer that starts
/// has a new scan already.
///
/// `@unchecked`: only the queue accesses the mutable state.
final class MeasuringChip: @unchecked Sendable {
    private let clock = DispatchQueue(label: "chip")
    private let timer: any DispatchSourceTimer
    private let scans: Scans
    private var vector: (Int, Int, Int)? = (0, 196, 0)

    init(_ scans: Scans) {
        self.scans = scans
        timer = DispatchSource.makeTimerSource(queue: clock)
        timer.setEventHandler { [weak self] in self?.measure() }
        timer.schedule(deadline: .now(), repeating: 0.04)
        timer.resume()
    }

    deinit {
        timer.cancel()
    }

    /// Sets the direction that points up.
    func hold(_ x: Int, _ y: Int, _ z: Int) {
        clock.sync { vector = (x * 196, y * 196, z * 196) }
    }

    /// Stops the scans until the next `hold`.
    func stop() {
        clock.sync { vector = nil }
    }

    private func measure() {
        guard let (x, y, z) = vector else { return }
        scans.removeOutdated()
        try? scans.write(x, y, z)
    }
}

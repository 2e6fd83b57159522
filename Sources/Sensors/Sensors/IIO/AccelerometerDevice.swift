// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import OrientationModel
internal import Posix

/// An accelerometer found in a context: its axes, its reference frame, and how it will be read.
struct AccelerometerDevice {
    let info: SensorDescription
    let label: String?
    let plan: CapturePlan
    let device: IIODevice
    private(set) var axes: [AccelerometerAxis]
    /// Converts raw values to samples.
    private(set) var conversion: RawConversion
    /// The motion event of the chip; nil if it has none that can be used.
    private(set) var motionEvent: MotionEvent?
    /// Why the motion event must not be enabled now; nil if it may.
    let motionEventConflict: String?
    let traits: SensorTraits

    /// The result of identifying a device.
    enum Kind {
        case accelerometer(AccelerometerDevice)
        /// An accelerometer that lacks these attributes.
        case incomplete(SensorDescription, missing: [String])
        /// An accelerometer of which something cannot be read that decides its orientation.
        case unreadable(SensorDescription, SensorFailure)
        case other
    }

    private static let names = ["accel_x", "accel_y", "accel_z"]

    /// Identifies a device by the names of its channels; their order varies. `record` says whether a running buffer was
    /// enabled by this daemon.
    static func identify(_ device: IIODevice, facts: HardwareFacts, record: RestoreRecord) -> Kind {
        let channels = names.map { name in
            device.channel(name).flatMap { $0.rawName != nil || $0.isScanElement ? $0 : nil }
        }
        if channels.allSatisfy({ $0 == nil }) { return .other }
        let missing = zip(names, channels).filter { $1 == nil }.map { "in_\($0.0)_raw" }
        var info = SensorDescription(id: device.id, name: device.name ?? device.id)
        info.isHardware = true
        guard missing.isEmpty else { return .incomplete(info, missing: missing) }
        let conflict = record.bufferDevice == device.id ? nil : device.captureConflict
        let plan = CapturePlan(
            .init(
                hasScanElements: channels.allSatisfy { $0?.isScanElement == true },
                invalidFormat: channels.compactMap { $0 }.first { !$0.hasValidFormat }?.format,
                trigger: device.trigger,
                canBePolled: channels.allSatisfy { $0?.rawName != nil },
                bufferConflict: device.scanDefect ?? conflict,
                policy: facts.value(of: .buffer, for: device.id), isProxyRunning: facts.isProxyRunning,
                proxyType: facts.value(of: .proxyType, for: device.id),
                hasGyroscope: device.channel("anglvel_x") != nil, recordFailure: record.failure))
        do throws(SensorFailure) {
            let found = try AccelerometerDevice(
                device, channels: channels.compactMap { $0 }, plan: plan, facts: facts)
            return found.traits.defect.map { .unreadable(info, .failed($0)) } ?? .accelerometer(found)
        } catch {
            return .unreadable(info, error)
        }
    }

    private init(
        _ device: IIODevice, channels: [IIOChannel], plan: CapturePlan, facts: HardwareFacts
    ) throws(SensorFailure) {
        self.device = device
        self.plan = plan
        var warnings: [String] = []
        axes = try Self.axes(of: channels, device, warnings: &warnings)
        let id = device.id
        let attributes = try Self.attributes(of: id, facts)
        let driver = attributes.driver
        motionEvent = Self.motionEvent(of: axes, driver, id)
        // Opening the node, even for a moment, could keep iio-sensor-proxy from opening it.
        motionEventConflict = facts.isProxyRunning ? "iio-sensor-proxy runs" : nil
        traits = SensorTraits(attributes)
        conversion = RawConversion(axes: axes, frame: traits.frame)
        label = device.label
        info = traits.description(id: id, name: device.name ?? id, driver: driver, warnings: warnings)
    }

    private static func axes(
        of channels: [IIOChannel], _ device: IIODevice, warnings: inout [String]
    ) throws(SensorFailure) -> [AccelerometerAxis] {
        let scales = try names.map { name throws(SensorFailure) in
            try AccelerometerAxis.statedScale(of: name, device)
        }
        return try zip(names, channels).map { name, channel throws(SensorFailure) in
            try AccelerometerAxis(
                channel: channel, name: name, device: device, otherScale: scales.compactMap(\.self).first,
                warnings: &warnings)
        }
    }

    private static func motionEvent(of axes: [AccelerometerAxis], _ driver: String?, _ id: String) -> MotionEvent? {
        axes.allSatisfy(\.canBePolled)
            ? MotionEvent(driver: driver, scale: axes[0].scale, isPresent: SysfsFolder.events(of: id).has) : nil
    }

    /// Reads the scale again, which another program may have changed with the range; returns whether it is another one.
    mutating func rereadScale() -> Bool {
        var warnings: [String] = []
        // If an attribute cannot be read, the scale of the last reading stays, and the next doubt reads it again.
        guard let renewed = try? Self.axes(of: axes.map(\.channel), device, warnings: &warnings),
            renewed.allSatisfy(\.statesScale), renewed.map(\.scale) != axes.map(\.scale)
        else { return false }
        axes = renewed
        conversion = RawConversion(axes: renewed, frame: conversion.frame)
        motionEvent = Self.motionEvent(of: renewed, info.driver, info.id)
        return true
    }

    /// Whether it is a sensor hub, which sends scans for changes only.
    var isHub: Bool { traits.sense == .gravity }

    /// The rate, scale, scan format and sign conventions, for a message.
    var details: String {
        let rate = SamplingFrequency.text(of: device).map { "\($0) Hz" }
        let scales = axes.map { "\($0.scale)" }
        let scale = Set(scales).count == 1 ? "scale \(scales[0])" : "scales \(scales.joined(separator: ", "))"
        let format = axes[0].channel.isScanElement ? "scan format \(axes[0].channel.format)" : nil
        let sign = traits.sense == .gravity ? "positive towards the ground (HID hub)" : "positive away from the ground"
        let face = conversion.frame.usesThirdRow ? "z from the matrix's third row" : "z from the matrix's x and y"
        let override = traits.faceSign.map { "sign of z from udev ORIENTATIOND_FACE_SIGN=\($0)" }
        return [rate, scale, format, sign, face, override].compactMap { $0 }.joined(separator: ", ")
    }

    /// The conversion from raw values to samples, for recordings.
    var statedConversion: Conversion {
        Conversion(
            scale: axes.map(\.scale), offset: axes.map(\.offset), sense: traits.sense.name,
            rate: SamplingFrequency.current(of: device))
    }

    /// Whether the driver states the scale of an axis.
    var statesScale: Bool { axes.allSatisfy(\.statesScale) }

    /// Whether the device can be read without a buffer.
    var canBePolled: Bool { axes.allSatisfy(\.canBePolled) }

    /// Reads the attributes of a device from sysfs.
    private static func attributes(of id: String, _ facts: HardwareFacts) throws(SensorFailure) -> SensorAttributes {
        let failed = FailedRead()
        let folder = SysfsFolder.iio(id).noting(failed)
        // The kernel resolves the symbolic link before "..": this is the parent of the device.
        let driver = folder.linkName("\(folder.path)/../driver")
        var attributes = SensorAttributes(driver: driver, properties: facts.properties[id] ?? [:])
        attributes.addSurroundings(of: folder)
        try failed.check()
        for name in SensorAttributes.names {
            do throws(Errno) {
                attributes.contents[name] = .text(try folder.lines(name))
            } catch {
                if !error.isAbsence { attributes.contents[name] = .unreadable("\(error)") }
            }
        }
        return attributes
    }
}

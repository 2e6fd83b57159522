// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Posix
internal import Systemd

/// Watches the keyboards of a device whose chassis may have one. Other devices are not watched.
final class ChassisWatch {
    /// Reads the chassis and the keyboards; may block.
    typealias Reader = @Sendable () throws(SystemError) -> Chassis?

    /// The timeout of the first reading at the start, in seconds. It takes milliseconds; a later result counts as a change.
    private static let longestWait = 0.5

    private let loop: EventLoop
    private let log: Logger
    private let report: (Chassis) -> Void
    private var call: RepeatedCall<Chassis?>?
    private var devices: DeviceMonitor?

    /// Reports the chassis, at the start and after each change of the input devices.
    init(
        on loop: EventLoop, log: Logger, _ read: @escaping Reader = Chassis.read, report: @escaping (Chassis) -> Void
    ) {
        (self.loop, self.log, self.report) = (loop, log, report)
        call = RepeatedCall(on: loop) {
            Result(catching: read)
        } done: { [unowned self] in
            finish($0)
        }
        // Before the first reading: a keyboard that is attached in between counts as a change.
        devices = log.attempt(
            { try DeviceMonitor(subsystem: "input", on: loop) { [call] in call?.start() } },
            otherwise: "a keyboard that is attached or detached later is not detected")
        call?.start()
        // Before the first state of the daemon: a laptop must not rotate at the start.
        _ = call?.wait(seconds: Self.longestWait)
    }

    private func finish(_ outcome: Result<Chassis?, SystemError>) {
        do throws(SystemError) {
            guard let chassis = try outcome.get() else { return devices = nil }
            report(chassis)
        } catch {
            log.warning("\(error); it is not known whether a keyboard is attached; the display rotates as before")
        }
    }
}

extension Chassis {
    /// Reads the chassis and the keyboards of this machine.
    @Sendable static func read() throws(SystemError) -> Chassis? {
        try Chassis(line: { SmallFile.line($0)?.replacingControls() }) { () throws(SystemError) in
            let path = "DEVPATH"
            let devices = try DeviceDatabase.devices(
                subsystem: "input", properties: [keyboardProperty, joystickProperty, path])
            return devices.filter { $0.name.hasPrefix("event") }.compactMap {
                node($0.name, $0.properties, path: $0.properties[path] ?? "")
            }
        }
    }
}

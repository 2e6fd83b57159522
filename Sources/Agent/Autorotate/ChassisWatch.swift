// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Posix
internal import Systemd

/// Watches the keyboards of a device whose chassis is made for one. Other devices are not watched.
final class ChassisWatch {
    private let call: RepeatedCall<Chassis?>
    private var devices: DeviceMonitor?

    /// Reports the chassis, now and after each change of the input devices. `read` may block.
    init(
        on loop: EventLoop, log: Logger, _ read: @escaping @Sendable () -> Chassis? = Chassis.read,
        report: @escaping (Chassis?) -> Void
    ) {
        call = RepeatedCall(on: loop) {
            .success(read())
        } done: { outcome in
            if case .success(let chassis) = outcome { report(chassis) }
        }
        // Before the first state of the daemon, so that a laptop does not rotate at the start.
        let chassis = read()
        report(chassis)
        guard chassis != nil else { return }
        do throws(SystemError) {
            devices = try DeviceMonitor(subsystem: "input", on: loop) { [call] in call.start() }
        } catch {
            log.warning("\(error); a keyboard that is attached or detached later is not detected")
        }
    }
}

extension Chassis {
    /// Reads the chassis and the keyboards of this machine.
    @Sendable static func read() -> Chassis? {
        Chassis(line: { SmallFile.line($0)?.replacingControls() }) {
            let path = "DEVPATH"
            let devices = try? DeviceDatabase.devices(subsystem: "input", properties: [keyboardProperty, path])
            return (devices ?? []).filter { $0.name.hasPrefix("event") && $0.properties[keyboardProperty] == "1" }
                .map { ($0.name, $0.properties[path] ?? "") }
        }
    }
}

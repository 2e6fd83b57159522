// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrientationClientCore
import OrientationModel
import Posix
import Systemd

/// Follows the daemon's tablet mode with a switch of its own: the only place with effects.
final class TabletSwitchService {
    /// How long compositors may take to read the switch, in seconds.
    private static let readTime = 0.5

    private let log: Logger
    private let loop: EventLoop
    private let connection: OrientationConnection
    private let device: VirtualSwitch
    private var policy: SwitchPolicy
    private var sources: [EventSource] = []
    private var monitor: DeviceMonitor?
    private var timer: EventSource?

    init(socketPath: String?, log: Logger) throws {
        self.log = log
        device = VirtualSwitch()
        policy = SwitchPolicy(isPresent: device.exists)
        loop = try EventLoop()
        connection = try OrientationConnection(socketPath: socketPath, lid: true)
        for signal in [SIGTERM, SIGINT] {
            sources.append(
                try loop.watch(signal: signal) { [unowned self] in
                    perform(policy.handle(.ended(EXIT_SUCCESS)))
                })
        }
        timer = try loop.timer { [unowned self] in perform(policy.handle(.waited)) }
        monitor = try DeviceMonitor(subsystem: "input", on: loop) { [unowned self] in examineDevices() }
        sources.append(
            try loop.watch(connection.fileDescriptor, for: .read) { [unowned self] _ in follow() })
    }

    /// Runs until SIGTERM, or while no other tablet switch exists; returns the exit status.
    func run() throws -> Int32 {
        loop.enableWatchdog()
        ServiceManager.ready()
        examineDevices()
        return try loop.run()
    }

    private func examineDevices() {
        if let other = VirtualSwitch.findOther() { perform(policy.handle(.otherSwitch(other))) }
    }

    private func follow() {
        do {
            for update in try connection.process() {
                switch update {
                case .state(let state): perform(policy.handle(.tabletMode(state.tabletMode)))
                case .notConnected(let reason): perform(policy.handle(.disconnected(reason)))
                }
            }
        } catch {
            log.critical("\(error)")
            perform(policy.handle(.ended(EX_UNAVAILABLE)))
        }
    }

    private func perform(_ effects: [SwitchPolicy.Effect]) {
        for effect in effects {
            do throws(Errno) {
                switch effect {
                case .create: try device.create()
                case .set(let isTablet): try device.set(isTablet)
                case .wait: timer?.fire(after: Self.readTime)
                case .remove: device.remove()
                case .log(let text): log.info(text)
                case .exit(let status): loop.exit(status: status)
                }
            } catch {
                log.critical("\(VirtualSwitch.path): cannot create a tablet switch: \(error)")
                device.remove()
                return loop.exit(status: EX_UNAVAILABLE)
            }
        }
    }
}

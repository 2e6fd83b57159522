// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Logging
internal import Systemd

/// The hinge's switch of a convertible, as the kernel reports it: closed while the device is a tablet.
///
/// It reads the one input device that has such a switch and no keys, to which udev's rule lets it: an all-day service
/// has no business where keystrokes can be read.
final class TabletSwitch {
    private let loop: EventLoop
    private let log: Logger
    private let report: @MainActor (Bool?) -> Void
    private var devices: DeviceMonitor?
    private var node: InputNode?
    private var source: EventSource?
    private var isTablet: Bool?

    /// Watches on `loop`; `report` hears each change, nil where there is no such switch.
    init(loop: EventLoop, log: Logger, report: @escaping @MainActor (Bool?) -> Void) {
        self.loop = loop
        self.log = log
        self.report = report
        do {
            devices = try DeviceMonitor(subsystem: "input", on: loop) { [weak self] in self?.look() }
        } catch {
            log.warning("\(error): a tablet switch that appears later is not seen")
        }
        look()
    }

    /// Takes the first device that has the switch, unless one is open already.
    private func look() {
        guard node == nil else { return }
        let properties = ["ID_INPUT_SWITCH", "ID_INPUT_KEYBOARD"]
        let entries = (try? DeviceDatabase.devices(subsystem: "input", properties: properties)) ?? []
        for entry in entries where entry.name.hasPrefix("event") {
            guard entry.properties["ID_INPUT_SWITCH"] == "1", entry.properties["ID_INPUT_KEYBOARD"] != "1" else {
                continue
            }
            let path = "/dev/input/\(entry.name)"
            guard let node = InputNode(path: path) else {
                let reason = String(cString: strerror(errno))
                log.info("\(path) has switches, which cannot be read: \(reason)")
                continue
            }
            guard node.hasTabletSwitch else { continue }
            source = try? loop.watch(node.descriptor, for: .read) { [weak self] _ in self?.ready() }
            self.node = node
            log.info("\(path) has the tablet switch")
            return tell(node.isTablet)
        }
    }

    private func ready() {
        guard let node else { return }
        guard node.drain() else {
            source = nil
            self.node = nil
            tell(nil)
            return look()
        }
        tell(node.isTablet)
    }

    private func tell(_ new: Bool?) {
        guard new != isTablet else { return }
        isTablet = new
        report(new)
    }
}

/// An event node of the input subsystem, open for reading.
private final class InputNode {
    let descriptor: Int32

    /// SW_TABLET_MODE and EV_SW of the kernel's input-event-codes.h.
    private nonisolated static let tabletMode = 1
    private nonisolated static let switches: UInt = 5

    /// Nil where the node cannot be opened; `errno` says why.
    init?(path: String) {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        // Before it is stored: closing what is not open would overwrite the reason.
        if descriptor < 0 { return nil }
        self.descriptor = descriptor
    }

    isolated deinit {
        close(descriptor)
    }

    /// EVIOCGBIT(EV_SW): which switches there are.
    var hasTabletSwitch: Bool { bit(of: 0x20 + Self.switches) == true }

    /// EVIOCGSW: which switches are closed; nil where the kernel does not say.
    var isTablet: Bool? { bit(of: 0x1B) }

    /// Takes what has happened off the queue; false where the device has gone.
    func drain() -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 1_024, alignment: 8) { buffer in
            while true {
                let count = read(descriptor, buffer.baseAddress, buffer.count)
                if count > 0 { continue }
                return count < 0 && (errno == EAGAIN || errno == EINTR)
            }
        }
    }

    private func bit(of command: UInt) -> Bool? {
        var bits: UInt64 = 0
        // _IOC(_IOC_READ, 'E', command, length), which C makes with a macro that Swift does not see.
        let request = 2 << 30 | UInt(MemoryLayout<UInt64>.size) << 16 | 0x45 << 8 | command
        return ioctl(descriptor, request, &bits) < 0 ? nil : bits >> Self.tabletMode & 1 == 1
    }
}

// SPDX-License-Identifier: Apache-2.0

/// What starts the daemon; each has commands of its own.
enum InitSystem {
    case systemd
    case openrc
    case runit
    /// Another one, or none, as in a container.
    case unknown

    /// The command that restarts the daemon, or starts it; nil if it is not known.
    var restart: Fix? {
        switch self {
        case .systemd: .restart
        case .openrc: Fix(.restart, "sudo rc-service orientationd restart")
        case .runit: Fix(.restart, "sudo sv restart orientationd")
        case .unknown: nil
        }
    }

    /// Returns a fix for this machine; nil if it is one of systemd that has no equivalent.
    func fix(_ fix: Fix) -> Fix? {
        if self == .systemd || !["systemctl ", "systemd-"].contains(where: fix.command.contains) { return fix }
        return fix == .restart ? restart : nil
    }
}

extension SystemRoot {
    /// What starts the daemon on this machine.
    var initSystem: InitSystem {
        if exists("/run/systemd/system") { return .systemd }
        if exists("/run/openrc"), exists("/etc/init.d/orientationd") { return .openrc }
        return exists("/run/runit") && exists("/etc/sv/orientationd") ? .runit : .unknown
    }
}

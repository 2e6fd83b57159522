// SPDX-License-Identifier: Apache-2.0

extension Check {
    /// Whether the kernel has industrial I/O at all.
    static let kernel = Check("kernel") { facts in
        let kernel = facts.kernel
        if kernel.hasBus { return [.ok("kernel \(kernel.release) has its bus for industrial I/O")] }
        if !kernel.hasModules {
            return [
                facts.serious(
                    "/lib/modules has no drivers for the kernel that runs, \(kernel.release)",
                    "The kernel was updated, or this is a container: no driver can be loaded until the machine was started anew",
                    mend: "sudo reboot")
            ]
        }
        guard kernel.offersBus else {
            return [
                facts.serious(
                    "kernel \(kernel.release) has no driver for industrial I/O",
                    "It cannot see any accelerometer. Kernels for virtual machines leave the drivers out; Debian has them in linux-image-amd64, Ubuntu in linux-modules-extra",
                    mend: "sudo apt install linux-modules-extra-$(uname -r)")
            ]
        }
        return [
            .note(
                "kernel \(kernel.release) has not loaded industrialio",
                "The driver of an accelerometer would have loaded it: there is none, or its driver is not loaded",
                mend:
                    "sudo udevadm trigger --action=add --subsystem-match=i2c --subsystem-match=hid --subsystem-match=platform"
            )
        ]
    }
}

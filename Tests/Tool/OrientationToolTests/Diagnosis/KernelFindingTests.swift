// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import OrientationTool

/// Findings about the kernel and the drivers of accelerometers.
@Suite struct KernelFindingTests {
    private let good = MachineFacts.good

    @Test func `a kernel without its modules after an update needs a reboot`() throws {
        let finding = try #require(
            good.with {
                $0.kernel.hasBus = false
                $0.kernel.hasModules = false
            }.fault("kernel"))
        #expect(finding.level == .problem)
        #expect(finding.summary.contains("6.12.1"))
        #expect(finding.fix == nil && finding.detail?.contains("until a reboot") == true)
        let container = good.with {
            $0.kernel.hasBus = false
            ($0.kernel.hasModules, $0.kernel.isContainer) = (false, true)
        }
        #expect(container.fault("kernel")?.detail?.hasSuffix("belong to its host; run the doctor there") == true)
    }

    @Test func `a kernel without industrial I/O is a problem, and one that has not loaded it a note`() throws {
        let without = good.with {
            $0.kernel.hasBus = false
            $0.kernel.offersBus = false
        }
        #expect(without.fault("kernel")?.level == .problem)
        #expect(good.with { $0.kernel.hasBus = false }.fault("kernel")?.level == .note)
    }

    @Test func `a chip of a sensor maker that no driver knows is named`() {
        #expect(DriverlessDevice.isSensor("acpi:MXC6655:MXC6655:") && DriverlessDevice.isSensor("acpi:BOSC0200:"))
        #expect(!DriverlessDevice.isSensor("acpi:PNP0C0A:") && !DriverlessDevice.isSensor("i2c:kxcjk1013"))
        let unknown = good.with {
            $0.accelerometers = []
            $0.driverless = [DriverlessDevice(name: "i2c-BMI0160:00", bus: "i2c", modules: [])]
        }
        let finding = unknown.fault("drivers")
        #expect(finding?.level == .problem && finding?.fix == nil)
        #expect(finding?.summary == "no driver of this kernel knows i2c-BMI0160:00 (i2c)")
    }

    @Test func `a hub without an accelerometer and a Snapdragon are named`() {
        let hub = good.with {
            $0.accelerometers = []
            $0.hubs = ["pcie_mp2_amd 0000:04:00.7"]
        }
        #expect(hub.fault("devices")?.detail?.contains("is present (pcie_mp2_amd 0000:04:00.7), and offers no") == true)
        let snapdragon = hub.with { $0.sensorCore = "fastrpc-adsp" }
        #expect(snapdragon.fault("devices")?.detail?.contains("(fastrpc-adsp) lists none") == true)
        #expect(
            good.with { ($0.hubs, $0.sensorCore) = (["intel_ish_ipc 0000:00:12.0"], "fastrpc-adsp") }.faults() == [])
    }

    @Test func `on a read-only file system no command that writes to it is printed`() {
        let image = good.withDevice { $0.set("ACCEL_MOUNT_MATRIX", nil) }.with { $0.hasReadOnlySettings = true }
        #expect(image.fault("matrix")?.fix == nil)
        #expect(image.fault("matrix")?.detail?.contains("(NixOS: services.udev.extraHwdb)") == true)
        let locked = image.with { $0.daemon.state?.isLocked = true }
        #expect(locked.fault("lock")?.fix == .unlock)
    }

    @Test func `a loaded driver that did not bind is not loaded again`() {
        let device = DriverlessDevice(name: "X", bus: "i2c", modules: ["bmc150"], loaded: ["bmc150"])
        let finding = good.with { $0.driverless = [device] }.fault("drivers")
        #expect(finding?.fix == nil && finding?.detail?.contains("did not bind") == true)
        // Another accelerometer works.
        #expect(finding?.level == .note)
    }
}

// SPDX-License-Identifier: Apache-2.0

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

    @Test func `a loaded driver that did not bind is not loaded again`() {
        let device = DriverlessDevice(name: "X", bus: "i2c", modules: ["bmc150"], loaded: ["bmc150"])
        let finding = good.with { $0.driverless = [device] }.fault("drivers")
        #expect(finding?.fix == nil && finding?.detail?.contains("did not bind") == true)
        // Another accelerometer works.
        #expect(finding?.level == .note)
    }
}

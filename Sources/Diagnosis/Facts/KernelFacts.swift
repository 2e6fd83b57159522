// SPDX-License-Identifier: Apache-2.0

/// What the kernel has of industrial I/O.
package struct KernelFacts: Hashable, Sendable {
    package var release = ""
    /// Whether `/sys/bus/iio` is there.
    package var hasBus = false
    /// Whether `/lib/modules` has a folder for the release that runs.
    package var hasModules = false
    /// Whether the module industrialio is in that folder, or built in.
    package var offersBus = false

    package init() {}
}

/// A device that no driver has taken, and the drivers for accelerometers that would.
package struct DriverlessDevice: Hashable, Sendable {
    /// As the bus names it, for example `i2c-KIOX010A:00`.
    package var name: String
    /// `acpi`, `hid`, `i2c`, `platform` or `spi`.
    package var bus: String
    /// The modules that claim its kind.
    package var modules: [String]
    /// Those of them that are loaded already.
    package var loaded: Set<String>

    package init(name: String, bus: String, modules: [String], loaded: Set<String> = []) {
        self.name = name
        self.bus = bus
        self.modules = modules
        self.loaded = loaded
    }
}

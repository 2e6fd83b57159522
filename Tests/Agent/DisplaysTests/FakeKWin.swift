// SPDX-License-Identifier: Apache-2.0

import Foundation

/// KWin's output protocols, with devices as globals or from the registry.
nonisolated final class FakeKWin: FakeWaylandServer, @unchecked Sendable {
    struct Device: Equatable {
        var name: String
        var transform: Int32 = 0
        var position: [Int32] = [0, 0]
        /// The bits of `capabilities`, and the policy of automatic rotation.
        var capabilities: UInt32 = 0
        var policy: UInt32 = 0
    }

    /// The windows; nil if the client may not see them.
    let windows: FakeWindows?
    private let hasRegistry: Bool
    // The lock guards the rest.
    private var devices: [Device]
    private var objects: [UInt32?] = []
    private var pending: [Device] = []
    private var refusal: String?
    private var registry: UInt32?

    private static let management = "kde_output_management_v2", device = "kde_output_device_v2"

    init(_ devices: [Device], hasRegistry: Bool, hasWindows: Bool = false, hasWorkspaces: Bool = false) throws {
        self.devices = devices
        windows = hasWindows ? FakeWindows(.kwin, hasWorkspaces: hasWorkspaces) : nil
        self.hasRegistry = hasRegistry
        try super.init()
        objects = devices.map { _ in nil }
        globals = [(Self.management, 20)]
        if hasRegistry {
            globals.append(("kde_output_device_registry_v2", 23))
        } else {
            globals += devices.map { _ in (Self.device, 12) }
        }
        globals += windows?.globals ?? []
        start()
        windows?.server = self
    }

    // MARK: For the test

    /// Refuses the next configurations.
    func refuse(_ reason: String?) { lock.withLock { refusal = reason } }

    /// Changes the devices as the system settings do.
    func change(_ body: (inout [Device]) -> Void) {
        lock.withLock {
            body(&devices)
            for index in devices.indices { send(index) }
        }
    }

    func add(_ device: Device) {
        lock.withLock {
            devices.append(device)
            objects.append(nil)
            if hasRegistry {
                announceDevice(devices.count - 1)
            } else {
                globals.append((Self.device, 12))
                announce(globals.count - 1)
            }
        }
    }

    func remove(_ index: Int) {
        lock.withLock {
            if hasRegistry, let object = objects[index] { send(object, 36) } else { withdraw(index + 1) }
        }
    }

    // MARK: The protocol

    override func bound(_ interface: String, to object: UInt32) {
        if windows?.bound(interface, to: object) == true { return }
        interfaces[object] = interface
        if interface == "kde_output_device_registry_v2" {
            registry = object
            for index in devices.indices { announceDevice(index) }
        } else if interface == Self.device, let index = objects.firstIndex(of: nil) {
            objects[index] = object
            describe(index)
        }
    }

    private func announceDevice(_ index: Int) {
        guard let registry else { return }
        let object = newObject(Self.device)
        objects[index] = object
        send(registry, 1, .number(object))
        describe(index)
    }

    override func handle(_ object: UInt32, _ interface: String, _ opcode: Int, _ arguments: Reader) {
        if windows?.handle(object, interface, opcode, arguments) == true { return }
        let first = arguments.number(0)
        let index = objects.firstIndex(of: first)
        switch (interface, opcode) {
        case (Self.management, 0):
            interfaces[first] = "configuration"
            pending = devices
        case ("configuration", 2): if let index { pending[index].transform = arguments.signed(1) }
        case ("configuration", 3):
            if let index { pending[index].position = [arguments.signed(1), arguments.signed(2)] }
        case ("configuration", 5):
            if let refusal {
                send(object, 2, .text(refusal))
                send(object, 1)
            } else {
                devices = pending
                // KWin announces the devices one after the other.
                for index in devices.indices { send(index) }
                send(object, 0)
            }
        default: break
        }
    }

    private func describe(_ index: Int) {
        guard let object = objects[index] else { return }
        send(object, 14, .text(devices[index].name))
        let mode = newObject("mode")
        send(object, 2, .number(mode))
        send(mode, 0, .number(1280), .number(800))
        send(object, 1, .number(mode))
        send(object, 6, .number(1))
        send(object, 4, .number(256))
        send(index)
    }

    private func send(_ index: Int) {
        guard let object = objects[index] else { return }
        let device = devices[index]
        send(object, 10, .number(device.capabilities))
        send(object, 18, .number(device.policy))
        send(
            object, 0, .signed(device.position[0]), .signed(device.position[1]), .number(0), .number(0),
            .number(0),
            .text("ACME"), .text(""), .signed(device.transform))
        send(object, 3)
    }
}

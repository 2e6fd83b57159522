// SPDX-License-Identifier: Apache-2.0

internal import CSystemd

/// Something that is waited for on the bus; letting go of it ends that.
package final class BusSlot {
    private let handler: @MainActor (borrowing BusMessage) -> Void
    private var pointer: OpaquePointer?

    init(_ handler: @escaping @MainActor (borrowing BusMessage) -> Void) {
        self.handler = handler
    }

    isolated deinit {
        sd_bus_slot_unref(pointer)
    }

    /// Hands libsystemd the place for its slot and the userdata that leads back here.
    func attach(
        _ operation: String,
        _ add: (UnsafeMutablePointer<OpaquePointer?>, UnsafeMutableRawPointer) -> Int32
    ) throws(SystemError) {
        // Unretained: the slot never outlives this object, whose deinit takes it off the bus.
        try check(add(&pointer, Unmanaged.passUnretained(self).toOpaque()), operation)
    }

    /// The way from libsystemd's callback, which is on the loop's thread, to the handler.
    nonisolated static let run: sd_bus_message_handler_t = { message, userdata, _ in
        guard let message, let userdata else { return 0 }
        nonisolated(unsafe) let (handle, opaque) = (message, userdata)
        MainActor.assumeIsolated {
            // A strong reference: the handler may let go of the last one.
            let slot = Unmanaged<BusSlot>.fromOpaque(opaque).takeUnretainedValue()
            slot.handler(BusMessage(sharing: handle))
        }
        return 0
    }

    /// The same for the bus's answer to a request to hear of something, of which only a refusal matters.
    nonisolated static let runIfRefused: sd_bus_message_handler_t = { message, userdata, error in
        sd_bus_message_get_error(message) == nil ? 0 : run(message, userdata, error)
    }
}

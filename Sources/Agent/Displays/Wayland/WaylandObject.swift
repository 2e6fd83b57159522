// SPDX-License-Identifier: Apache-2.0

internal import CWayland
internal import CWaylandClient

/// The interface of a Wayland protocol: a table of CWayland.
typealias WaylandInterface = UnsafePointer<wl_interface>

enum WaylandArgument {
    case int(Int)
    case unsigned(UInt32)
    /// A fixed-point number with 8 binary places.
    case fixed(Double)
    /// A string that outlives the call.
    case text(UnsafePointer<CChar>)
    case object(WaylandObject)
    /// The place of the object that the request creates.
    case new
}

/// The arguments of an event, by index; the signature in the table of CWayland has their types.
struct WaylandArguments {
    fileprivate let arguments: UnsafeMutablePointer<wl_argument>

    func int(_ index: Int) -> Int { Int(arguments[index].i) }
    func unsigned(_ index: Int) -> UInt32 { arguments[index].u }
    func fixed(_ index: Int) -> Double { Double(arguments[index].f) / 256 }
    func text(_ index: Int) -> String { arguments[index].s.map { String(cString: $0) } ?? "" }
    /// The numbers of an array.
    func words(_ index: Int) -> [UInt32] {
        guard let array = arguments[index].a?.pointee, let data = array.data else { return [] }
        return UnsafeRawBufferPointer(start: data, count: array.size / 4 * 4).bindMemory(to: UInt32.self).map { $0 }
    }
    /// A new object, or one that exists; nil if it was destroyed.
    func proxy(_ index: Int) -> OpaquePointer? { arguments[index].o }
}

/// An object of a Wayland connection; releasing it destroys libwayland's proxy.
final class WaylandObject {
    let proxy: OpaquePointer
    private let display: WaylandDisplay
    private let handler: (_ opcode: Int, WaylandArguments) -> Void
    /// Whether its destructor request was made, or waits.
    private(set) var isDestroyed = false
    private var isProxyDestroyed = false

    /// The flag of wl_proxy_marshal_array_flags that destroys the proxy.
    private static let destroy: UInt32 = 1

    /// Adopts a new proxy. The handler receives its events, on the event loop; it may release the object.
    init(
        adopting proxy: OpaquePointer, of display: WaylandDisplay,
        handler: @escaping (_ opcode: Int, WaylandArguments) -> Void = { _, _ in }
    ) {
        self.proxy = proxy
        self.display = display
        self.handler = handler
        // Unretained: the deinit destroys the proxy.
        wl_proxy_add_dispatcher(proxy, dispatchEvent, nil, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        if !isProxyDestroyed { wl_proxy_destroy(proxy) }
    }

    var version: UInt32 { wl_proxy_get_version(proxy) }

    func send(_ opcode: Int, _ arguments: WaylandArgument...) {
        _ = marshal(proxy, opcode, arguments)
    }

    /// Sends a request that creates an object, of the version of this one.
    func create(
        _ interface: WaylandInterface, _ opcode: Int, _ arguments: WaylandArgument...,
        handler: @escaping (_ opcode: Int, WaylandArguments) -> Void = { _, _ in }
    ) -> WaylandObject? {
        guard let new = marshal(proxy, opcode, arguments, creating: interface, version: version) else { return nil }
        return WaylandObject(adopting: new, of: display, handler: handler)
    }

    /// Sends a destructor request; the object receives nothing more.
    func destroy(_ opcode: Int) {
        guard !isDestroyed else { return }
        isDestroyed = true
        display.enqueue { [self] in
            _ = marshal(proxy, opcode, [], flags: Self.destroy)
            isProxyDestroyed = true
        }
    }

    fileprivate func receive(_ opcode: UInt32, _ arguments: UnsafeMutablePointer<wl_argument>) {
        if !isDestroyed { handler(Int(opcode), WaylandArguments(arguments: arguments)) }
    }
}

/// Sends a request of a proxy; returns the proxy of the created object. A failed send ends the connection, which is
/// reported when it is read.
func marshal(
    _ proxy: OpaquePointer, _ opcode: Int, _ arguments: [WaylandArgument],
    creating interface: WaylandInterface? = nil, version: UInt32 = 0, flags: UInt32 = 0
) -> OpaquePointer? {
    var raw = arguments.map { argument in
        var value = wl_argument()
        switch argument {
        case .int(let number): value.i = Int32(clamping: number)
        case .unsigned(let number): value.u = number
        case .fixed(let number): value.f = Int32(clamping: Int((number * 256).rounded()))
        case .text(let text): value.s = text
        case .object(let object): value.o = object.proxy
        case .new: value.o = nil
        }
        return value
    }
    return wl_proxy_marshal_array_flags(proxy, UInt32(opcode), interface, version, flags, &raw)
}

/// Passes an event to its object. libwayland calls this in wl_display_dispatch_pending, on the event loop.
private func dispatchEvent(
    _: UnsafeRawPointer?, target: UnsafeMutableRawPointer?, opcode: UInt32, _: UnsafePointer<wl_message>?,
    arguments: UnsafeMutablePointer<wl_argument>?
) -> Int32 {
    guard let target, let arguments, let data = wl_proxy_get_user_data(OpaquePointer(target)) else { return 0 }
    // A strong reference: the handler may release the last one.
    let object = Unmanaged<WaylandObject>.fromOpaque(data).takeUnretainedValue()
    object.receive(opcode, arguments)
    return 0
}

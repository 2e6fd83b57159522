// SPDX-License-Identifier: Apache-2.0

import CGTK

/// A widget of GTK.
public typealias Widget = UnsafeMutablePointer<GtkWidget>

extension UnsafeMutablePointer<GtkWidget> {
    /// The same widget as a subclass that is a C structure, such as `GtkWindow`.
    public func cast<Subclass>() -> UnsafeMutablePointer<Subclass> {
        UnsafeMutableRawPointer(self).assumingMemoryBound(to: Subclass.self)
    }

    /// The same widget as a subclass without a public structure, such as `GtkLabel`.
    public var opaque: OpaquePointer { OpaquePointer(self) }
}

/// GLib's macros `G_SOURCE_CONTINUE` and `G_SOURCE_REMOVE`.
public nonisolated let (sourceContinue, sourceRemove): (gboolean, gboolean) = (1, 0)

/// A closure that GLib keeps as user data, and releases.
final class Callback {
    let run: () -> gboolean
    init(returning run: @escaping () -> gboolean) { self.run = run }

    /// A closure whose result GLib does not read.
    convenience init(_ run: @escaping () -> Void) {
        self.init(returning: {
            run()
            return 0
        })
    }
}

/// Calls `run` whenever the object emits the signal, until the object is finalized.
public func connect(_ object: UnsafeMutableRawPointer, _ signal: String, _ run: @escaping () -> Void) {
    let call: @convention(c) (gpointer?) -> Void = { data in callBack(data) }
    connect(object, signal, unsafeBitCast(call, to: GCallback.self), Callback(run))
}

/// Calls `run` whenever the object emits a signal whose handlers return a `gboolean`, such as `close-request`. If `run`
/// returns true, the signal is handled: GTK does nothing more.
public func connectRequest(_ object: UnsafeMutableRawPointer, _ signal: String, _ run: @escaping () -> Bool) {
    let call: @convention(c) (gpointer?) -> gboolean = callBack
    connect(object, signal, unsafeBitCast(call, to: GCallback.self), Callback(returning: { run() ? 1 : 0 }))
}

private func connect(
    _ object: UnsafeMutableRawPointer, _ signal: String, _ call: @escaping GCallback, _ callback: Callback
) {
    // "Swapped", so that the user data comes first, whatever the arguments of the signal are.
    g_signal_connect_data(
        object, signal, call, Unmanaged.passRetained(callback).toOpaque(), { data, _ in releaseCallback(data) },
        G_CONNECT_SWAPPED)
}

/// Calls `run` from the main loop whenever the descriptor is readable; returns the identifier of the source, which must be
/// removed before the descriptor is closed.
func watch(_ descriptor: Int32, _ run: @escaping () -> Void) -> guint {
    g_unix_fd_add_full(
        G_PRIORITY_DEFAULT, descriptor, G_IO_IN,
        { _, _, data in
            callBack(data)
            return sourceContinue
        }, Unmanaged.passRetained(Callback(run)).toOpaque(), releaseCallback)
}

/// Calls `run` from the main loop once, after this time in seconds; returns the identifier of the source.
func wait(_ seconds: Double, _ run: @escaping () -> Void) -> guint {
    g_timeout_add_full(
        G_PRIORITY_DEFAULT, guint(seconds * 1000) + 1,
        { data in
            callBack(data)
            return sourceRemove
        }, Unmanaged.passRetained(Callback(run)).toOpaque(), releaseCallback)
}

@discardableResult
nonisolated func callBack(_ data: gpointer?) -> gboolean {
    guard let data else { return 0 }
    let callback = Unmanaged<Callback>.fromOpaque(data)
    return MainActor.assumeIsolated { callback.takeUnretainedValue().run() }
}

nonisolated func releaseCallback(_ data: gpointer?) {
    guard let data else { return }
    Unmanaged<Callback>.fromOpaque(data).release()
}

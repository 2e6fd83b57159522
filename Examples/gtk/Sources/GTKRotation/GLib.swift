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
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
}

/// Calls `run` whenever the object emits the signal, until the object is finalized.
public func connect(_ object: UnsafeMutableRawPointer, _ signal: String, _ run: @escaping () -> Void) {
    // "Swapped", so that the user data comes first, whatever the arguments of the signal are.
    let call: @convention(c) (gpointer?) -> Void = callBack
    g_signal_connect_data(
        object, signal, unsafeBitCast(call, to: GCallback.self), Unmanaged.passRetained(Callback(run)).toOpaque(),
        { data, _ in releaseCallback(data) }, G_CONNECT_SWAPPED)
}

/// Calls `run` from the main loop whenever the descriptor is readable.
func watch(_ descriptor: Int32, _ run: @escaping () -> Void) {
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

nonisolated func callBack(_ data: gpointer?) {
    nonisolated(unsafe) let data = data
    MainActor.assumeIsolated {
        guard let data else { return }
        Unmanaged<Callback>.fromOpaque(data).takeUnretainedValue().run()
    }
}

nonisolated func releaseCallback(_ data: gpointer?) {
    guard let data else { return }
    Unmanaged<Callback>.fromOpaque(data).release()
}

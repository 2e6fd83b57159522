// SPDX-License-Identifier: Apache-2.0

internal import DesktopEntry
internal import OrientationModel
internal import OrientationRules

/// A live request of an app: `Hold` of `org.orientationd.Display`, for as long as its connection lasts.
struct OrientationHold: Hashable, Sendable {
    /// The number of the connection; later holds have higher numbers.
    var id: Int
    /// The app in front of which it applies; nil for any.
    var appID: String?
    /// Not empty.
    var supported: OrientationList
    /// One of ``supported``.
    var preferred: OrientationWord?
    /// Whether the device is not followed.
    var isLocked = false
    /// The process that made it; nil if unknown.
    var process: Int32?

    func mask(natural: Edge) -> InterfaceOrientationMask {
        InterfaceOrientationMask(supported.interfaces(natural: natural))
    }

    /// The preferred orientation, of a word for two the first; unknown without one.
    func first(natural: Edge) -> InterfaceOrientation {
        supported.first(preferred, natural: natural).map { InterfaceOrientation($0) } ?? .unknown
    }

    /// The name in sentences.
    var name: String {
        let name = appID.map { "the hold of \($0)" } ?? "hold \(id)"
        return process.map { "\(name) (process \($0))" } ?? name
    }
}

// SPDX-License-Identifier: Apache-2.0

extension InterfaceOrientation {
    /// How far an interface in this orientation is turned on an upright panel, in degrees; clockwise is positive.
    public var angle: Double {
        switch self {
        case .unknown, .portrait: 0
        case .landscapeLeft: -90
        case .portraitUpsideDown: 180
        case .landscapeRight: 90
        }
    }

    /// The map that turns an interface in this orientation about its centre; identity for portrait.
    public var transform: Transform {
        switch self {
        case .unknown, .portrait: .identity
        case .landscapeLeft: Transform(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: 0)
        case .landscapeRight: Transform(a: 0, b: 1, c: -1, d: 0, tx: 0, ty: 0)
        case .portraitUpsideDown: Transform(a: -1, b: 0, c: 0, d: -1, tx: 0, ty: 0)
        }
    }
}

/// The way from one interface orientation to another: the short one, and clockwise where both are the same.
public struct InterfaceTurn: Hashable, Sendable {
    /// Where it begins.
    public var from: InterfaceOrientation
    /// Where it ends.
    public var to: InterfaceOrientation

    /// Makes a turn.
    public init(from: InterfaceOrientation, to: InterfaceOrientation) {
        self.from = from
        self.to = to
    }

    /// How far it goes in degrees: 0, 90, −90, or 180; clockwise is positive.
    public var degrees: Double {
        let difference = to.angle - from.angle
        if difference <= -180 { return difference + 360 }
        return difference > 180 ? difference - 360 : difference
    }

    /// Whether it ends upside down compared with its beginning, so that no size changes.
    public var isHalfTurn: Bool { degrees == 180 }

    /// The angle in degrees after a part of the way; `progress` goes from 0 to 1.
    public func angle(at progress: Double) -> Double {
        from.angle + degrees * progress
    }

    /// The map from the old picture to the new one.
    public var targetTransform: Transform { Transform(degrees: degrees) }
}

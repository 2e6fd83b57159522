// SPDX-License-Identifier: Apache-2.0

/// Whether the display follows the device, and the transform that leaving tablet mode restores.
enum TabletPose: Hashable, Sendable {
    /// The display follows. The transform is that before the first rotation in tablet mode, nil if there was none.
    case tablet(former: SavedTransform?)
    /// The display does not follow, and does not have its former transform yet.
    case restoring(SavedTransform)
    case laptop

    var isActive: Bool { if case .tablet = self { true } else { false } }

    /// The output rotates from this transform.
    mutating func save(_ saved: SavedTransform) {
        if case .tablet(let former) = self, former?.output != saved.output { self = .tablet(former: saved) }
    }

    /// A former transform that was not restored stays the former one.
    mutating func enterTabletMode() {
        if case .restoring(let former) = self { self = .tablet(former: former) } else { self = .tablet(former: nil) }
    }

    /// Returns the transform to restore; nil if this output was not rotated.
    mutating func leaveTabletMode(of output: String?) -> SavedTransform? {
        guard case .tablet(let former?) = self, former.output == output else {
            self = .laptop
            return nil
        }
        self = .restoring(former)
        return former
    }
}

// SPDX-License-Identifier: Apache-2.0

/// A switch of an input device, by its number in the kernel's input-event-codes.h. The udev rule opens the nodes that
/// have one of these and that ``InputAttributes/switchRejection`` accepts.
package enum InputSwitch: Int, Sendable {
    /// SW_LID: closed while the lid of a laptop is shut.
    case lid = 0
    /// SW_TABLET_MODE, in the hinge of a convertible: closed while the device is a tablet.
    case tabletMode = 1
    /// SW_FRONT_PROXIMITY: closed while an object is near.
    case frontProximity = 11
}

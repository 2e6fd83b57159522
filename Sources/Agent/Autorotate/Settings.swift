// SPDX-License-Identifier: Apache-2.0

internal import Displays
internal import OrientationModel

/// The settings of the policy: the options of the command line.
struct Settings: Hashable, Sendable {
    /// When the display rotates.
    enum When: String, CaseIterable, Sendable {
        /// In every mode.
        case always
        /// While the hinge's switch or the lid angle says tablet mode; on a device with neither, unless it is a laptop
        /// (``Chassis``).
        case tablet
        /// Never: touch screens and pens are still mapped.
        case never

        /// Whether the display rotates in a state.
        func isActive(_ state: OrientationState, _ chassis: Chassis?) -> Bool {
            switch self {
            case .always: true
            case .tablet: state.tabletMode ?? (chassis?.laptopReason == nil)
            case .never: false
            }
        }
    }

    /// Which windows count: those whose declared orientations restrict the display while they are in front.
    enum AppsWhen: String, CaseIterable, Sendable {
        case fullscreen
        /// Maximized and full-screen windows.
        case maximized
        /// Every window.
        case focused
        /// No window, and no hold.
        case never

        func counts(_ window: FrontWindow) -> Bool {
            switch self {
            case .fullscreen: window.state >= .fullscreen
            case .maximized: window.state >= .maximized
            case .focused: true
            case .never: false
            }
        }
    }

    /// The names of the outputs to rotate, separated by commas; nil for the internal one.
    var output: String?
    /// When the display rotates.
    var when = When.tablet
    /// The windows whose apps can restrict the rotation.
    var appsWhen = AppsWhen.fullscreen
    /// The orientations to which the display rotates.
    var orientations = OrientationList([.any])
    /// Whether the end restores the rotation from before the start.
    var restoresOnExit = true
    /// Whether a notification suggests to rotate while the rotation lock is on.
    var suggests = false
    /// Whether rotations are only reported.
    var isDryRun = false

    /// Returns the transform that a state asks for: for the locked edge, otherwise for the edge that is up. Nil
    /// if the display keeps its transform: while the device lies flat, the orientation is unknown or not permitted, or the
    /// lock holds no edge.
    func transform(for state: OrientationState) -> OutputTransform? {
        let edge = state.isLocked ? state.lockedPanelEdge : state.panelEdge
        let permitted = orientations.edges(natural: state.assumedNatural)
        guard let edge, permitted.contains(Edge(edge, natural: state.assumedNatural)) else { return nil }
        return OutputTransform(edge)
    }
}

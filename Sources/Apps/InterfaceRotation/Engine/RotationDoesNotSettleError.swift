// SPDX-License-Identifier: Apache-2.0

/// Callbacks of the program that cause each other without end; the interface keeps its orientation.
public struct RotationDoesNotSettleError: Error, Hashable, CustomStringConvertible {
    /// What repeats.
    public enum Repetition: Hashable, Sendable {
        /// Turns, each caused by a callback of the previous one.
        case turns
        /// Evaluations and appearances, each caused by a callback of the previous one.
        case changes
        /// Animation blocks of a turn, each registered by another.
        case animations
        /// Key windows, each set after the status bar followed the previous one.
        case keyWindows
        /// Sizes of the screen, each set in a callback of the change to the previous one.
        case screenSizes
    }

    /// What repeats.
    public let repetition: Repetition
    /// The number of repetitions without another cause.
    public let count: Int
    /// The topmost view controller.
    public let controller: String

    /// The cause and the remedy.
    public var description: String {
        switch repetition {
        case .turns:
            "\(count) consecutive turns caused each other, the last with \(controller) topmost; do not change "
                + "supportedInterfaceOrientations, present, push or request in every rotation callback"
        case .changes:
            "\(count) consecutive changes of the hierarchy or of masks caused each other, the last with "
                + "\(controller) topmost; do not present, dismiss, push or pop in every viewDidAppear, and do not call "
                + "setNeedsUpdate… in supportedInterfaceOrientations"
        case .animations:
            "\(count) animation blocks of a turn were registered by other such blocks, with \(controller) topmost; "
                + "do not call animate(alongsideTransition:) of the coordinator in its own block: draw what changes in every "
                + "frame in the window's surface"
        case .keyWindows:
            "\(count) windows were made key by each other, the last with \(controller) topmost; "
                + "do not call makeKeyAndVisible() at every change of the status bar's orientation"
        case .screenSizes:
            "\(count) changes of the screen's size caused each other, the last with \(controller) topmost; do not call "
                + "screen.resize(to:) in every viewWillTransition or layout callback: call it when the mode changes"
        }
    }
}

extension RotationDoesNotSettleError {
    @MainActor init(_ repetition: Repetition, after count: Int, in window: Window?) {
        let controller = window?.topmostViewController.map { "\($0)" } ?? "no view controller"
        self.init(repetition: repetition, count: count, controller: controller)
    }
}

// SPDX-License-Identifier: Apache-2.0

extension ViewController {
    /// Asks everybody again and follows the device, because an answer of this controller changed.
    ///
    /// Nothing happens while this controller is not asked: when it is covered, hidden, in a sheet, or in a container
    /// that answers for itself; what that says then changes, so call it there. The interface is right when the call
    /// returns, or, during a turn, when that has ended.
    /// - Throws: ``InvalidInterfaceOrientationError`` if nothing is left; the interface stays as it is.
    public func setNeedsUpdateOfSupportedInterfaceOrientations() throws {
        guard let window = hierarchyWindow, window.isAsked(self) else { return }
        try window.evaluate(Pending(hasNewAnswers: true, isAnimated: true))
    }

    /// Asks for ``prefersInterfaceOrientationLocked`` again, if this controller is the one that is asked for it or on
    /// the way there. When the lock opens, the device is followed at once.
    public func setNeedsUpdateOfPrefersInterfaceOrientationLocked() throws {
        guard let window = hierarchyWindow, window.isAskedForLock(self) else { return }
        try window.updateOwnLock()
    }
}

extension InterfaceOrientationMask {
    /// The orientations for which a controller's `shouldAutorotate(to:)` says true, asked in raw order: for
    /// controllers that serve `.legacy` and the other rule sets with one answer.
    @MainActor public static func mask(fromLegacy controller: ViewController) -> InterfaceOrientationMask {
        Self(InterfaceOrientationMask.all.orientations.filter { controller.shouldAutorotate(to: $0) })
    }
}

// SPDX-License-Identifier: Apache-2.0

import OrientationModel

/// The model of `watch`: everything received from the daemon, as a value.
struct WatchedDevice: Equatable {
    enum Link: Equatable {
        case waiting
        case connected
        /// Not connected; the last state is still shown.
        case lost(reason: String)
    }

    enum Motion: Equatable {
        case none
        case live(LiveMotion)
        /// Refused by the daemon, with the reason.
        case refused(String)
    }

    private(set) var link = Link.waiting
    private(set) var state: OrientationState?
    private(set) var motion = Motion.none
    /// The status of the command of `--exec`; nil without one.
    var command: CommandProgress?
    private(set) var settings: ClassifierSettings
    private var classifier: OrientationClassifier

    init(settings: ClassifierSettings) {
        self.settings = settings
        classifier = OrientationClassifier(settings: settings)
    }

    static func == (one: WatchedDevice, other: WatchedDevice) -> Bool {
        one.settings == other.settings && one.link == other.link && one.state == other.state
            && one.motion == other.motion && one.command == other.command
    }

    var isOutOfDate: Bool {
        if case .lost = link { true } else { false }
    }

    mutating func update(_ state: OrientationState) {
        link = .connected
        self.state = state
        // Without a sensor the last samples are invalid.
        if state.sensor == nil || state.reason != nil { clearMotion() }
    }

    mutating func lose(_ reason: String) {
        link = .lost(reason: reason)
        clearMotion()
    }

    mutating func update(_ settings: ClassifierSettings) {
        guard settings != self.settings else { return }
        self.settings = settings
        classifier = OrientationClassifier(settings: settings)
    }

    mutating func update(_ samples: [Sample]) {
        // Ignores samples that arrive after the connection was lost.
        if case .lost = link { return }
        guard !samples.isEmpty else { return }
        for sample in samples { _ = classifier.ingest(sample) }
        var live = LiveMotion()
        if case .live(let previous) = motion { live = previous }
        live.follow(samples, classifier)
        motion = .live(live)
    }

    mutating func refuseMotion(_ why: String) {
        motion = .refused(why)
    }

    private mutating func clearMotion() {
        guard case .live = motion else { return }
        motion = .none
        classifier.restart()
    }
}

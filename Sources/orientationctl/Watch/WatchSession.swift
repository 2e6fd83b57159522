// SPDX-License-Identifier: Apache-2.0

import OrientationClient
import OrientationModel
import OrientationWire
import Recordings
import Varlink

/// One run of `watch`: hears the daemon, keeps what is known, and hands it to the display and to the command.
@MainActor final class WatchSession {
    /// Samples in a second: more than there are pictures, and no more than a sensor is asked for that moves anyway.
    private static let rate = 25.0
    /// Before the samples are asked for again while the states still come.
    private static let motionPause = Duration.milliseconds(500)

    private let service: OrientationService
    private let monitor: OrientationMonitor
    private let display: any WatchDisplay
    private let count: Int?
    private let wantsMotion: Bool
    /// The bands are those that the daemon tells of.
    private let takesSettings: Bool
    private var device: WatchedDevice
    private var command: ChangeCommand?
    private var motion: Task<Void, Never>?
    private var seen = 0
    private let (firstState, hasBegun) = AsyncStream.makeStream(of: Void.self)

    init(
        socketPath: String?, buffering: OrientationBuffering, display: any WatchDisplay,
        settings: ClassifierSettings?, wantsMotion: Bool, count: Int?
    ) {
        service = OrientationService(socketPath: socketPath)
        monitor = OrientationMonitor(socketPath: socketPath, buffering: buffering)
        device = WatchedDevice(settings: settings ?? .standard)
        takesSettings = settings == nil
        self.display = display
        self.wantsMotion = wantsMotion
        self.count = count
    }

    /// Runs a command on each change.
    func execute(_ text: String, debounce: Double, keepsOutput: Bool) {
        device.command = .waiting
        command = ChangeCommand(text, debounce: debounce, keepsOutput: keepsOutput) { [weak self] report in
            self?.hear(report)
        }
    }

    /// Watches until `ending` ends, until there were enough states, or for so many seconds after the first one.
    func run(until ending: AsyncStream<Void>, duration: Double?) async throws {
        let firstState = firstState
        let result: Result<Void, any Error>
        do {
            try await withThrowingTaskGroup { group in
                group.addTask { try await self.followStates() }
                group.addTask { for await _ in ending {} }
                if let duration {
                    group.addTask {
                        for await _ in firstState { break }
                        try await Task.sleep(for: .seconds(duration))
                    }
                }
                // Whichever is over first ends the others.
                try await group.next()
                group.cancelAll()
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        motion?.cancel()
        await command?.stop()
        try result.get()
    }

    private func followStates() async throws {
        try display.show(device, after: .command)
        for try await update in monitor.updates {
            switch update {
            case .notConnected(let reason):
                device.lose(reason)
                try display.show(device, after: .lost)
            case .state(let state):
                device.hear(state)
                try display.show(device, after: .state)
                command?.changed(to: state)
                followMotion()
                seen += 1
                if seen == count { return }
                hasBegun.yield()
            }
        }
    }

    private func hear(_ report: CommandReport) {
        device.command = report
        try? display.show(device, after: .command)
    }
}

// MARK: The samples

extension WatchSession {
    /// Follows the samples while there is a connection, unless that was refused.
    private func followMotion() {
        guard wantsMotion, motion == nil else { return }
        if case .refused = device.motion { return }
        motion = Task {
            while device.link == .connected, await followMotionOnce() { try? await Task.sleep(for: Self.motionPause) }
            motion = nil
        }
    }

    /// Takes the samples of one connection; whether another may have more.
    private func followMotionOnce() async -> Bool {
        do {
            let rate: JSONObject = ["maximumRate": .real(Self.rate)]
            for try await reply in service.replies(to: MotionInterface.monitor, rate) {
                if takesSettings { try hear(origin: reply.optionalValue("origin")) }
                hear(try reply.value("samples", as: [JSONObject].self).map { try RecordedSample($0).sample })
            }
        } catch OrientationServiceError.notConnected {
            // That of the states is lost with it, and says why.
            return !Task.isCancelled
        } catch let error as OrientationServiceError {
            refuse(Self.explanation(error))
        } catch {
            refuse("The samples are not understood: \(error).")
        }
        return false
    }

    /// A daemon that does not tell how it judges, or tells what we do not know, is taken to do it as most do.
    private func hear(origin: JSONObject?) throws {
        guard let origin else { return }
        let told: String? = try origin.optionalValue("classifier")
        device.hear(told.flatMap { try? ClassifierSettings($0) } ?? .standard)
    }

    private func hear(_ samples: [Sample]) {
        device.hear(samples)
        try? display.show(device, after: .samples)
    }

    private func refuse(_ why: String) {
        device.refuseMotion(why)
        try? display.show(device, after: .samples)
    }

    /// What would show the rest.
    private static func explanation(_ error: OrientationServiceError) -> String {
        switch error {
        case .permissionDenied(let needs): return "Live vector, turn and bands need \(needs)."
        case .refused(let reply) where reply.name.hasPrefix("org.varlink.service."):
            return "This daemon shows no samples: no live vector, turn and bands."
        default: return "No live vector, turn and bands: \(error)."
        }
    }
}

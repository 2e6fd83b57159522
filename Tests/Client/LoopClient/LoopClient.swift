// SPDX-License-Identifier: Apache-2.0

// LoopClient SOCKET poll|none TIMEOUT [wide]: an app with a window under a main loop that does not run Dispatch. It waits
// for its launch state at most TIMEOUT milliseconds. It prints each picture and each orientation of the device, and for each line
// on standard input the number of threads; it ends with the input.

import Glibc
import InterfaceRotation
import OrientationClient
import OrientationModel

@MainActor private func write(_ line: String) {
    print(line)
    // All streams: `stdout` is a mutable global.
    fflush(nil)
}

/// Prints how the window is drawn.
@MainActor private final class Surface: WindowSurface {
    func window(_ window: Window, shows picture: Picture) {
        let size = picture.bounds.size
        write("\(picture.orientation) \(Int(size.width))x\(Int(size.height)) \(picture.progress)")
    }
}

@MainActor private final class App {
    let connection: OrientationConnection
    let application: Application
    private let surface = Surface()
    private let window: Window

    init(socket: String, timeout: Duration, isWide: Bool) throws {
        let state = try? OrientationConnection.current(socketPath: socket, timeout: timeout)
        let size = isWide ? Size(width: 200, height: 100) : Size(width: 100, height: 200)
        application = Application(
            screen: Screen(size: size), frameClock: ManualFrameClock(), launchState: state)
        application.rotationDuration = 0
        application.orientationFailureHandler = { write("error \($0)") }
        connection = try OrientationConnection(socketPath: socket)
        application.device.follow(connection)
        window = Window(application: application)
        window.surface = surface
        try window.trySetRootViewController(ViewController())
        application.device.orientationDidChange.addObserver(surface) { _, change in
            write("device \(change.new)")
        }
        try window.tryMakeKeyAndVisible()
    }

    /// Answers one line of standard input; false at its end.
    func answer() -> Bool {
        guard readLine() != nil else { return false }
        guard let directory = opendir("/proc/self/task") else { return false }
        defer { closedir(directory) }
        var threads = 0
        while let entry = readdir(directory) {
            if entry.pointee.d_name.0 != CChar(bitPattern: UInt8(ascii: ".")) { threads += 1 }
        }
        write("threads \(threads)")
        return true
    }

    // MARK: Loops

    /// Waits with poll(2).
    func runPoll() {
        while true {
            var descriptors = [pollfd(fd: connection.fileDescriptor, events: Int16(POLLIN), revents: 0), Self.input]
            poll(&descriptors, 2, -1)
            if descriptors[0].revents != 0 { application.device.processUpdates() }
            if descriptors[1].revents != 0, !answer() { return }
        }
    }

    /// A loop that watches nothing of the library: a game's, 100 times a second.
    func runFrames() {
        while true {
            application.device.processUpdates()
            var input = Self.input
            if poll(&input, 1, 10) == 1, !answer() { return }
        }
    }

    private static var input: pollfd { pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0) }
}

@main private struct LoopClient {
    @MainActor static func main() throws {
        let arguments = CommandLine.arguments
        let app = try App(
            socket: arguments[1], timeout: .milliseconds(Int(arguments[3]) ?? 0), isWide: arguments.last == "wide")
        switch arguments[2] {
        case "none": app.runFrames()
        default: app.runPoll()
        }
    }
}

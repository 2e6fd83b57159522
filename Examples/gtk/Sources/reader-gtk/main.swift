// SPDX-License-Identifier: Apache-2.0

// A reader with pages, and a film in landscape.
//
//     reader-gtk [--desktop] [--fullscreen] [--film] [--turn-duration SECONDS] [--frames] [--without-device]

import CGTK
import GTKRotation
import Glibc
import InterfaceRotation
import OrientationModel

let arguments = CommandLine.arguments
guard gtk_init_check() != 0 else {
    print("reader-gtk: cannot open the display; set DISPLAY or WAYLAND_DISPLAY")
    exit(1)
}
useStyle()

let stack = Stack()
let view = RotatingWindow(
    stack.widget, size: Size(width: 480, height: 800),
    rotator: arguments.contains("--desktop") ? .compositor : .application)
gtk_window_set_title(view.gtkWindow.cast(), "Reader")
if arguments.contains("--fullscreen") { gtk_window_fullscreen(view.gtkWindow.cast()) }

let followsDevice = !arguments.contains("--without-device")
let application = Application(
    screen: view.screen, frameClock: view.frameClock, launchState: followsDevice ? view.launchState : nil)
if let text = arguments.drop(while: { $0 != "--turn-duration" }).dropFirst().first, let seconds = Double(text) {
    application.rotationDuration = seconds
}
if arguments.contains("--frames") {
    // A line for each frame, and for each new device orientation before the interface follows it.
    func report(_ line: String) {
        print(line)
        fflush(nil)
    }
    view.onFrame = { report("\($0.orientation) \(Int($0.progress * 100)) %") }
    application.device.orientationDidChange.addObserver(view) { _, change in report("device \(change.new)") }
}
let window = Window(application: application)
let reader = Reader(stack)
window.rootViewController = reader
try view.show(window, followsDevice: followsDevice)
if arguments.contains("--film") { reader.showFilm() }

let loop = g_main_loop_new(nil, 0)
connectRequest(view.gtkWindow, "close-request") {
    g_main_loop_quit(loop)
    return false
}
g_main_loop_run(loop)

// SPDX-License-Identifier: Apache-2.0

// A reader with pages, and a film in landscape, drawn by a game's loop.
//
//     reader-sdl [--desktop] [--fullscreen] [--film] [--turn-duration SECONDS] [--frames] [--without-device]

import CSDL
import Glibc
import InterfaceRotation
import OrientationModel
import SDLRotation

let arguments = CommandLine.arguments
SDL_SetMainReady()
guard SDL_Init(SDL_INIT_VIDEO) == 0,
    let view = RotatingWindow(
        "Reader", size: Size(width: 480, height: 800),
        rotator: arguments.contains("--desktop") ? .compositor : .application)
else {
    print("reader-sdl: cannot open a window: \(String(cString: SDL_GetError())); set DISPLAY or WAYLAND_DISPLAY")
    exit(1)
}
if arguments.contains("--fullscreen") {
    SDL_SetWindowFullscreen(view.sdlWindow, SDL_WINDOW_FULLSCREEN_DESKTOP.rawValue)
}
let followsDevice = !arguments.contains("--without-device")
let application = Application(
    screen: view.screen, frameClock: view.frameClock, launchState: followsDevice ? view.launchState : nil)
if arguments.contains("--frames") {
    // A line for each frame, and for each new device orientation before the interface follows it.
    func report(_ line: String) {
        print(line)
        fflush(nil)
    }
    view.onFrame = { report("\($0.orientation) \(Int($0.progress * 100)) %") }
    application.device.orientationDidChange.addObserver(view) { _, change in report("device \(change.new)") }
}
if let index = arguments.firstIndex(of: "--turn-duration"), let seconds = Double(arguments[index + 1]) {
    application.rotationDuration = seconds
}
let window = Window(application: application)
let reader = Reader()
window.rootViewController = reader
try view.show(window, followsDevice: followsDevice)
if arguments.contains("--film") { reader.showFilm() }

var isRunning = true
while isRunning {
    var event = SDL_Event()
    // A suspended game waits for an event instead of drawing.
    if !application.isActive { SDL_WaitEvent(nil) }
    while SDL_PollEvent(&event) != 0 {
        switch SDL_EventType(event.type) {
        case SDL_QUIT: isRunning = false
        case SDL_MOUSEBUTTONDOWN:
            let point = view.convert(Point(x: Double(event.button.x), y: Double(event.button.y)))
            (window.topmostViewController?.view as? Box)?.press(at: point)
        default: view.handle(event)
        }
    }
    view.frame { size in
        (window.topmostViewController as? Film)?.advance()
        (window.topmostViewController?.view as? Box)?.draw(view.renderer, at: .zero)
    }
}
SDL_Quit()

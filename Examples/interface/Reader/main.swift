// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation

/// The program's frames: about 60 in a second, while one is requested.
final class Frames: FrameClock {
    private let start = ContinuousClock.now

    func requestFrame(_ body: @escaping @MainActor (Double) -> Void) {
        Task {
            try? await Task.sleep(for: .milliseconds(16))
            body((ContinuousClock.now - start) / .seconds(1))
        }
    }
}

/// Prints how it would draw.
final class Surface: WindowSurface {
    func window(_ window: Window, shows picture: Picture) {
        let (size, percent) = (picture.bounds.size, Int(picture.progress * 100))
        print("\(Int(size.width)) × \(Int(size.height)) in \(picture.orientation), turned \(percent) %")
    }
}

/// Text: any orientation.
final class Page: ViewController {
    override func viewWillTransition(to size: Size, with coordinator: TransitionCoordinator) {
        super.viewWillTransition(to: size, with: coordinator)
        coordinator.animate { _ in print("the lines become \(Int(size.width)) long") }
    }
}

/// A film: landscape only.
final class Film: ViewController {
    override var supportedInterfaceOrientations: InterfaceOrientationMask { .landscape }
}

let screen = Screen(size: Size(width: 720, height: 1440))
let application = Application(idiom: .phone, screen: screen, frameClock: Frames())
application.device.follow(OrientationMonitor())

let surface = Surface()
let page = Page()
let window = Window(application: application)
window.surface = surface
window.rootViewController = page
window.makeKeyAndVisible()

if CommandLine.arguments.contains("film") {
    page.present(Film())
}

for await _ in application.device.orientationDidChange.values {
    print(window.explain()?.sentence ?? "no decision yet")
}

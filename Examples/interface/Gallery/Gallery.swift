// SPDX-License-Identifier: Apache-2.0

import ExampleTerminal
import Foundation
import InterfaceRotation

/// Whether the pages in tabs and navigation are queried; otherwise their containers answer.
@MainActor private let pagesAreQueried = !Example.flag("--pages-are-not-queried")

/// Photos in a navigation inside tabs, and a viewer that is presented: every page has its own orientations.
@main @MainActor enum Gallery {
    static func main() async {
        let photos = NavigationController(
            rootViewController: TextController("Photos", text: "Photos\nportrait", supporting: .portrait))
        let map = TextController("Map", text: "Map\nany way")
        let tabs = TabBarController(viewControllers: [photos, map], title: "Gallery")
        photos.defersOrientationToContent = pagesAreQueried
        tabs.defersOrientationToContent = pagesAreQueried

        let example = Example()
        example.command("push", "a panorama, landscape only") { _ in
            photos.pushViewController(
                TextController("Panorama", text: "Panorama\nlandscape", supporting: .landscape))
        }
        example.command("pop", "back to the photos") { _ in photos.popViewController() }
        example.command("tab", "NUMBER  0 photos, 1 map") { tabs.selectedIndex = Int($0) ?? -1 }
        example.command("view", "present a film that prefers landscapeLeft") { _ in tabs.present(Viewer()) }
        example.command("film", "present one that goes any way and prefers landscapeRight") { _ in
            tabs.present(Film())
        }
        example.command("close", "dismiss it") { _ in tabs.dismiss() }

        let delegate = RootDecides()
        example.command("narrow", "the app allows what its root supports") { _ in
            example.application.delegate = delegate
            delegate.isWide = false
        }
        example.command("widen", "the app allows all but upside down") { _ in
            example.application.delegate = delegate
            delegate.isWide = true
        }
        exit(await example.run(showing: tabs))
    }
}

/// A film in landscape, with a preferred orientation.
@MainActor private final class Viewer: TextController {
    init() { super.init("Viewer", text: "Film\nlandscape", supporting: .landscape) }

    override var preferredInterfaceOrientationForPresentation: InterfaceOrientation { .landscapeLeft }
}

/// A film in any orientation that prefers a landscape one.
@MainActor private final class Film: TextController {
    init() { super.init("Film", text: "Film\nany way") }

    override var preferredInterfaceOrientationForPresentation: InterfaceOrientation { .landscapeRight }
}

/// Answers for the app with the mask of its root, or with a wider one while `isWide` is set.
@MainActor private final class RootDecides: ApplicationDelegate {
    var isWide = false

    func application(
        _ application: Application, supportedInterfaceOrientationsFor window: Window?
    ) -> InterfaceOrientationMask {
        isWide ? .allButUpsideDown : window?.rootViewController?.supportedInterfaceOrientations ?? .all
    }
}

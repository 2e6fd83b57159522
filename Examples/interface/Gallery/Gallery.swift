// SPDX-License-Identifier: Apache-2.0

import ExampleTerminal
import Foundation
import InterfaceRotation

/// Whether the pages in tabs and navigation are asked. Without it every page must be shown as its container is.
@MainActor private let pagesAreAsked = !Example.flag("--pages-are-not-asked")

/// Photos in a navigation inside tabs, and a viewer that is presented: every page has its own orientations.
@main @MainActor enum Gallery {
    static func main() async throws {
        let photos = try NavigationController(
            rootViewController: TextController("Photos", text: "Photos\nportrait", supporting: .portrait))
        let map = TextController("Map", text: "Map\nany way")
        let tabs = try TabBarController(viewControllers: [photos, map], title: "Gallery")
        photos.defersOrientationToContent = pagesAreAsked
        tabs.defersOrientationToContent = pagesAreAsked

        let example = Example()
        example.command("push", "a panorama, landscape only") { _ in
            try photos.pushViewController(
                TextController("Panorama", text: "Panorama\nlandscape", supporting: .landscape))
        }
        example.command("pop", "back to the photos") { _ in photos.popViewController() }
        example.command("tab", "NUMBER  0 photos, 1 map") { try tabs.select(Int($0) ?? -1) }
        example.command("view", "present a film that prefers landscapeLeft") { _ in try tabs.present(Viewer()) }
        example.command("close", "dismiss it") { _ in try tabs.dismiss() }
        exit(await example.run(showing: tabs))
    }
}

/// A film: wide, and with a wish.
@MainActor private final class Viewer: TextController {
    init() { super.init("Viewer", text: "Film\nlandscape", supporting: .landscape) }

    override var preferredInterfaceOrientationForPresentation: InterfaceOrientation { .landscapeLeft }
}

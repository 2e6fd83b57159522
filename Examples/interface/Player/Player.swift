// SPDX-License-Identifier: Apache-2.0

import ExampleTerminal
import Foundation
import InterfaceRotation
import OrientationModel

/// A video that is inline in a portrait page, and full screen in a landscape window of its own.
///
/// Two ways lead there: `.modern` requests the orientation, `.autorotating` (with `--autorotating`) overrides the
/// device orientation, as apps did before there were requests.
@main @MainActor enum Player {
    static func main() async {
        let isModern = !Example.flag("--autorotating")
        let example = Example(ruleSet: isModern ? .modern : .autorotating)
        let page = TextController("Page", text: "", supporting: .portrait)
        let stage = Stage(inlineIn: page)
        let full = Window(application: example.application)
        example.show(full)

        example.command("full", "go full screen") { _ in
            if full.rootViewController == nil { full.rootViewController = stage }
            full.makeKeyAndVisible()
            if isModern {
                full.requestGeometryUpdate(.iOS(interfaceOrientations: .landscape))
            } else {
                example.application.device.overrideOrientation(.landscapeLeft)
            }
        }
        example.command("inline", "and back") { _ in
            if isModern {
                full.requestGeometryUpdate(.iOS(interfaceOrientations: .portrait))
            } else {
                example.application.device.clearOverride()
            }
            // A turn to portrait leaves the full screen by itself.
            if stage.transitionCoordinator == nil { full.isHidden = true }
        }
        exit(await example.run(showing: page))
    }
}

/// The root of the full-screen window: the video moves here on its way to landscape, and home on its way back.
@MainActor private final class Stage: TextController {
    private let home: ViewController
    private let video = TextView("> video <", background: "~")

    init(inlineIn home: ViewController) {
        self.home = home
        super.init("Stage", text: "", supporting: .allButUpsideDown)
        goHome()
    }

    /// A window that is shown in landscape does not turn, so there is no transition.
    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        if interfaceOrientation.isLandscape { fill() }
    }

    override func viewWillTransition(to size: Size, with coordinator: TransitionCoordinator) {
        super.viewWillTransition(to: size, with: coordinator)
        guard size.width > size.height else {
            goHome()
            coordinator.animate(alongsideTransition: nil) { [weak self] _ in self?.view.window?.isHidden = true }
            return
        }
        fill()
    }

    private func fill() {
        view.addSubview(video)
        video.frame = view.bounds
        video.autoresizingMask = [.flexibleWidth, .flexibleHeight]
    }

    private func goHome() {
        home.view.addSubview(video)
        video.autoresizingMask = []
        video.frame = Rect(x: 1, y: 2, width: 13, height: 6)
    }
}

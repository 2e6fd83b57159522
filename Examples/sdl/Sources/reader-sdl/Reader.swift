// SPDX-License-Identifier: Apache-2.0

import CSDL
import InterfaceRotation

/// Text in pages: any orientation, unless the button locks it.
final class Reader: ViewController {
    private let pages = [
        "Turn the device: the page turns with it, by the rules that UIKit has for an interface. The lines become longer, "
            + "and the buttons stay at the lower edge.",
        "The button Lock keeps the page as it is, for reading in bed. Press it again, and the page turns to where the "
            + "device is held.",
        "The film supports landscape only. When it opens, the interface turns, even if the device is upright; when it "
            + "closes, the page has its former orientation.",
    ]
    private let colors = [Color(0xFDF6E3), Color(0xE3F0FD), Color(0xE9FDE3)]
    private let text = Box(color: Color(0xFDF6E3), textColor: Color(0x222222))
    private let heading = Box("Reader", color: Color(0xC82828))
    private lazy var lock = Box("Lock", color: Color(0x2850C8)) { [unowned self] in toggleLock() }
    private lazy var film = Box("Film", color: Color(0xE68C14)) { [unowned self] in showFilm() }
    private lazy var next = Box("Next", color: Color(0x28A03C)) { [unowned self] in turnPage() }
    private var page = 0
    private var isLocked = false

    override func loadView() {
        view = text
        for box in [heading, lock, film, next] { text.addSubview(box) }
        turnPage()
    }

    /// Called in every turn, with the new size.
    override func viewWillLayoutSubviews() {
        let size = text.bounds.size
        heading.frame = Rect(x: 0, y: 0, width: size.width, height: 60)
        for (index, button) in [lock, film, next].enumerated() {
            button.frame = Rect(
                x: size.width * Double(index) / 3, y: size.height - 64, width: size.width / 3, height: 64)
        }
    }

    private func turnPage() {
        text.text = pages[page]
        text.color = colors[page]
        page = (page + 1) % pages.count
    }

    private func toggleLock() {
        isLocked.toggle()
        lock.color = isLocked ? Color(0x8C28C8) : Color(0x2850C8)
        setNeedsUpdateOfPrefersInterfaceOrientationLocked()
    }

    /// Opens the film, in landscape.
    func showFilm() {
        present(Film())
    }

    override var prefersInterfaceOrientationLocked: Bool { isLocked }
}

/// A film: landscape only.
final class Film: ViewController {
    private let sky = Box(color: Color(0x1A1A40))
    private let hill = Box(color: Color(0x1A4D33))
    private let sun = Box(color: Color(0xFFD980))
    private lazy var close = Box("Close", color: Color(0xDCC828), textColor: Color(0x222222)) { [unowned self] in
        presentingViewController?.dismiss()
    }

    override var supportedInterfaceOrientations: InterfaceOrientationMask { .landscape }

    override func loadView() {
        view = sky
        for box in [hill, sun, close] { sky.addSubview(box) }
    }

    override func viewWillLayoutSubviews() {
        let size = sky.bounds.size
        hill.frame = Rect(x: 0, y: size.height * 3 / 4, width: size.width, height: size.height / 4)
        close.frame = Rect(x: size.width - 140, y: 16, width: 124, height: 56)
    }

    /// Moves the sun; called in each frame.
    func advance() {
        let size = sky.bounds.size
        let progress = Double(SDL_GetTicks64() % 10_000) / 10_000
        sun.frame = Rect(x: progress * (size.width - 80), y: size.height / 4, width: 80, height: 80)
    }
}

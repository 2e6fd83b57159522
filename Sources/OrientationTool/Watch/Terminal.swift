// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The terminal, taken for a picture and given back as it was: by `leave`, and at the latest when its owner goes.
///
/// While it is taken, the alternate screen is shown, the cursor is hidden, lines do not wrap, and what is typed arrives
/// key by key and unseen. Ctrl-C and Ctrl-Z stay signals.
struct Terminal: ~Copyable {
    /// A window may say anything of its size; what is larger than this is no window.
    private static let largest = (columns: 1000, rows: 500)
    /// For a terminal that does not know its size.
    private static let usual = (columns: 80, rows: 24)

    /// How it was; nil where what is typed does not come from a terminal.
    private let former: termios?

    /// Whether standard output is a terminal on which text can be placed.
    static var canShowPictures: Bool {
        isatty(STDOUT_FILENO) == 1 && !["", "dumb"].contains(Environment["TERM"] ?? "")
    }

    /// Whether colours are welcome: see no-color.org.
    static var welcomesColours: Bool { (Environment["NO_COLOR"] ?? "").isEmpty }

    /// What it can draw with.
    static var grain: Grain {
        guard TextEncoding.current.isUTF8 else { return .ascii }
        return Environment["TERM"] == "linux" ? .coarse : .fine
    }

    init() {
        var settings = termios()
        former = tcgetattr(STDIN_FILENO, &settings) == 0 ? settings : nil
        enter()
    }

    deinit { leave() }

    func enter() {
        if var settings = former {
            settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
            tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
        }
        write("\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l")
    }

    func leave() {
        write("\u{1b}[m\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l")
        if var settings = former { tcsetattr(STDIN_FILENO, TCSADRAIN, &settings) }
    }

    /// That of standard output; the usual one where that is no terminal.
    static var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return usual
        }
        return (min(Int(size.ws_col), largest.columns), min(Int(size.ws_row), largest.rows))
    }

    /// The width of the terminal that a descriptor is, at least 2.
    static func columns(of descriptor: Int32) -> Int {
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 1
        return isKnown ? min(Int(size.ws_col), largest.columns) : usual.columns
    }

    /// Writes all of it. A terminal that is gone is told by SIGHUP; until then what cannot be written is lost.
    func write(_ text: String) {
        _ = TextOutput.write(Array(text.utf8), to: STDOUT_FILENO)
    }
}

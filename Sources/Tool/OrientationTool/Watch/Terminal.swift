// SPDX-License-Identifier: Apache-2.0

import Glibc
import Posix

/// The terminal in picture mode, restored by `leave` or at the end of its lifetime.
///
/// In picture mode the alternate screen is shown, the cursor is hidden, lines do not wrap, and keys arrive one by one
/// without echo. Ctrl-C and Ctrl-Z still send signals.
struct Terminal: ~Copyable {
    /// The largest accepted size: a pseudoterminal may report any.
    private static let largest = (columns: 1000, rows: 500)
    /// The size of a terminal that reports none.
    private static let usual = (columns: 80, rows: 24)

    /// The saved settings; nil if standard input is not a terminal.
    private let previous: termios?

    /// Whether standard output is a terminal with cursor positioning.
    static var canShowPictures: Bool {
        isatty(STDOUT_FILENO) == 1 && ![nil, "dumb"].contains(Environment["TERM"])
    }

    /// Whether NO_COLOR is unset or empty (no-color.org), and the terminal may have colours.
    static var allowsColours: Bool { Environment["NO_COLOR"] == nil && Environment["TERM"] != "dumb" }

    /// The drawing characters of the terminal.
    static var grain: Grain {
        guard TextEncoding.current.isUTF8 else { return .ascii }
        return Environment["TERM"] == "linux" ? .coarse : .fine
    }

    init() {
        var settings = termios()
        previous = tcgetattr(STDIN_FILENO, &settings) == 0 ? settings : nil
        enter()
    }

    deinit { leave() }

    func enter() {
        if var settings = previous {
            settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
            tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
        }
        write("\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l")
    }

    func leave() {
        write("\u{1b}[m\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l")
        if var settings = previous { tcsetattr(STDIN_FILENO, TCSADRAIN, &settings) }
    }

    /// Returns the size of a terminal; the usual one if it is not a terminal or has no size.
    static func size(of descriptor: Int32 = STDOUT_FILENO) -> (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return usual }
        return (min(Int(size.ws_col), largest.columns), min(Int(size.ws_row), largest.rows))
    }

    /// Writes the text. Ignores errors: a closed terminal sends SIGHUP.
    func write(_ text: String) {
        try? OwnedDescriptor.write(Array(text.utf8), to: STDOUT_FILENO)
    }
}

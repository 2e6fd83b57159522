# SPDX-License-Identifier: Apache-2.0
"""A headless terminal: runs a program in a pseudo-terminal and keeps its screen with pyte.

    terminal.py COLUMNS ROWS PROGRAM [ARGUMENT...]

Each line of standard input is a JSON array, a command and its arguments; the answer is one line of JSON.

    ["until", [TEXT...], TEXT] wait until the screen contains all of these, after the last occurrence of the second
                              text; answer: the screen, a string per row
    ["resize", COLUMNS, ROWS] resize the terminal, with SIGWINCH
    ["type", TEXT]            press keys
    ["colours"]               answer: the colours on the screen
    ["cursor"]                answer: whether the cursor is visible
    ["written"]               answer: the bytes written since the last such command
    ["end"]                   wait for the end of the program; answer: its status, negative for a signal
"""
import fcntl
import json
import os
import pty
import select
import struct
import sys
import termios
import time

import pyte

# In seconds; a passing test never waits for it.
TIMEOUT = 25


class Terminal:
    def __init__(self, columns, rows, command):
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.rows = {}
        self.written = b""
        self.is_open = True
        self.child, self.master = pty.fork()
        if self.child == 0:
            self.set_size(0, columns, rows)
            os.execvp(command[0], command)
        self.set_size(self.master, columns, rows)

    @staticmethod
    def set_size(descriptor, columns, rows):
        fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, seconds):
        """Read the program's output for at most `seconds`; return False at its end."""
        if self.is_open and select.select([self.master], [], [], seconds)[0]:
            try:
                data = os.read(self.master, 65536)
            except OSError:  # EIO: the other end is closed
                data = b""
            self.is_open = bool(data)
            self.written += data
            self.stream.feed(data)
        return self.is_open

    def display(self):
        """Return the rows; only those that have changed are composed again."""
        for row in self.screen.dirty:
            cells = self.screen.buffer[row]
            self.rows[row] = "".join(cells[column].data for column in range(self.screen.columns)).rstrip()
        self.screen.dirty.clear()
        return [self.rows.get(row, "") for row in range(self.screen.lines)]

    def until(self, is_met):
        deadline = time.monotonic() + TIMEOUT
        while not is_met("\n".join(self.display())) and time.monotonic() < deadline and self.is_open:
            self.read(max(deadline - time.monotonic(), 0))
        return self.display()

    def do(self, what, *arguments):
        if what == "until":
            parts, start = arguments
            return self.until(lambda text: start in text
                              and all(part in text[text.rfind(start) if start else 0:] for part in parts))
        if what == "resize":
            columns, rows = arguments
            self.screen.resize(rows, columns)
            self.set_size(self.master, columns, rows)
            return "done"
        if what == "type":
            os.write(self.master, arguments[0].encode())
            return "done"
        if what == "colours":
            cells = [cell for line in self.screen.buffer.values() for cell in line.values()]
            return sorted({cell.fg for cell in cells} | {cell.bg for cell in cells})
        if what == "cursor":
            return not self.screen.cursor.hidden
        if what == "written":
            data, self.written = self.written, b""
            return data.decode(errors="replace")
        if what == "end":
            while self.read(TIMEOUT):
                pass
            return os.waitstatus_to_exitcode(os.waitpid(self.child, 0)[1])
        raise ValueError(what)


def main():
    terminal = Terminal(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
    print(json.dumps(terminal.child), flush=True)
    # Waits for commands and output together, so that the program's writes never block.
    commands = b""
    while True:
        waiting = [0] + ([terminal.master] if terminal.is_open else [])
        ready = select.select(waiting, [], [])[0]
        if terminal.master in ready:
            terminal.read(0)
        if 0 in ready:
            data = os.read(0, 65536)
            if not data:
                return
            commands += data
        while b"\n" in commands:
            line, commands = commands.split(b"\n", 1)
            print(json.dumps(terminal.do(*json.loads(line))), flush=True)


if __name__ == "__main__":
    main()

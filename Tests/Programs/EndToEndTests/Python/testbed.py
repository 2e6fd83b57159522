# SPDX-License-Identifier: Apache-2.0
"""A machine whose devices change. umockdev sends uevents from its library only.

Each line of standard input is a JSON array, a command and its arguments; the answer is one line.
"""
import json
import os
import subprocess
import sys

import gi

gi.require_version("UMockdev", "1.0")
from gi.repository import UMockdev  # noqa: E402

bed = UMockdev.Testbed.new()
print(bed.get_root_dir(), flush=True)
for line in sys.stdin:
    what, *words = json.loads(line)
    answer = "done"
    if what == "add":
        bed.add_from_string(words[0])
    elif what == "event":
        bed.uevent(*words)
    elif what == "property":
        bed.set_property(*words)
    elif what == "remove":
        bed.remove_device(*words)
    elif what == "ioctl":
        bed.load_ioctl(*words)
    elif what == "hang up":
        os.close(bed.get_dev_fd(*words))
    elif what == "quit":
        break
    elif what == "run":
        child = subprocess.Popen(words)
        answer = child.pid
    print(answer, flush=True)
# Writes to its folder until it ends.
child.wait()

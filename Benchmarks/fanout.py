# SPDX-License-Identifier: Apache-2.0
"""The time until the last of 100 subscribers has a change, beside a server in C that only sends (fanout.c)."""
import subprocess
import tempfile

import programs
from figures import Row


def measure(build):
    """Compile the client and the server, and change the rotation lock of both servers in turn."""
    with tempfile.TemporaryDirectory() as folder, programs.simulated(build, folder) as environment:
        program = f"{folder}/fanout"
        subprocess.run(["cc", "-O2", "-o", program, programs.ROOT / "Benchmarks/fanout.c"], check=True, env=environment)
        output = subprocess.run(
            [program, f"{folder}/socket", f"{folder}/peer"], check=True, stdout=subprocess.PIPE, env=environment).stdout
    own, peer = map(float, output.split())
    return [Row("100 subscribers: last one served, ms", own, 2 * peer, peer, "C server")]

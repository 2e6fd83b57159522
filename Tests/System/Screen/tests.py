# SPDX-License-Identifier: Apache-2.0
"""What must hold with every compositor: TESTS is the list, in the order in which they run in one session."""

import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import session
from compositors import Compositor, Output
from session import Failure

# The transform that draws the picture upright in each pose of a device with a tall panel.
POSES = {"landscapeRight": "90", "portraitUpsideDown": "180", "landscapeLeft": "270", "portrait": "normal"}
# Seconds of sleep after which nothing moves any more, and seconds without a wake-up.
SETTLING = 2.0
IDLE = 60.0


class Session:
    """A compositor, the daemon with a simulated sensor, and the agent."""

    def __init__(self, room: session.Room, kind: type[Compositor], pictures: Path) -> None:
        self.room = room
        self.pictures = pictures
        self.notes: list[str] = []
        self.compositor = kind(room)
        self.internal = self.compositor.internal
        self.daemon = self.start_daemon()
        self.agent = self.start_agent()

    def start_daemon(self) -> subprocess.Popen[bytes]:
        path = self.room.outside / "orientationd.sock"
        process = self.room.start(
            ["orientationd", "--sensor", "fake:", "--natural-orientation", "portrait", "--socket",
             f"{self.room.directory}/orientationd.sock", "--state-directory", f"{self.room.directory}/state"], "orientationd.log")
        self.room.wait(lambda: path.is_socket() and self.tool("status").returncode == 0, "orientationd")
        self.turn("portrait")
        return process

    def start_agent(self, *options: str, log: str = "agent.log") -> subprocess.Popen[bytes]:
        """Start the agent, and wait until it has the outputs."""
        before = len(self.room.read(log))
        process = self.room.start(
            ["orientation-autorotate", "--output", self.internal, "--json", "--on-exit", "keep",
             *options], log)
        self.room.wait(
            lambda: process.poll() is not None or '"output"' in self.room.read(log)[before:], "the agent")
        return process

    def restart_agent(self, *options: str) -> None:
        self.room.end(self.agent, signal.SIGTERM)
        self.agent = self.start_agent(*options)

    def tool(self, *words: str) -> subprocess.CompletedProcess[str]:
        return self.room.tool(*words)

    def agent_figures(self) -> tuple[int, int]:
        """Return how often the agent has waited, and its resident memory in kB."""
        values = proc_values(self.agent)
        return int(values["voluntary_ctxt_switches"]), int(values["VmRSS"].split()[0])

    def turn(self, pose: str) -> None:
        self.room.tool("simulate", "turn", pose, check=True)

    def transform(self) -> str | None:
        output = self.compositor.outputs().get(self.internal)
        return output.transform if output else None

    def expect(self, transform: str, what: str = "") -> None:
        try:
            self.room.wait(lambda: self.transform() == transform, "")
        except Failure:
            raise Failure(f"{what or 'the output'}: has {self.transform()} instead of {transform}") from None

    def expect_kept(self, transform: str, seconds: float, what: str) -> None:
        """Check that a transform does not change, as far as it can be read."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if (seen := self.transform()) not in (transform, None):
                raise Failure(f"{what}: has {seen} instead of {transform}")

    def picture(self, name: str) -> None:
        if not self.compositor.has_pictures:
            return
        path = f"{self.room.directory}/{name}.png"
        self.room.run(["grim", path], check=True)
        (self.pictures / f"{self.compositor.name}-{name}.png").write_bytes((self.room.outside / f"{name}.png").read_bytes())


def proc_values(process: subprocess.Popen[bytes]) -> dict[str, str]:
    """Return the values of /proc/PID/status."""
    lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
    return {name: value.strip() for name, value in (line.split(":", 1) for line in lines)}


def check_neighbour(before: dict[str, Output], after: dict[str, Output], internal: str, other: str) -> None:
    """Check the output beside the rotated one: mode, scale and transform stay; no overlap and no gap."""
    if (before[other].mode, before[other].scale, before[other].transform) != (
            after[other].mode, after[other].scale, after[other].transform):
        raise Failure(f"{other} changed: {before[other]} to {after[other]}")
    if after[internal].mode != before[internal].mode or after[internal].scale != before[internal].scale:
        raise Failure(f"{internal} changed: {before[internal]} to {after[internal]}")
    if before[other].position[0] == before[internal].position[0] + before[internal].layout_width:
        wanted = after[internal].position[0] + after[internal].layout_width
        if after[other].position != (wanted, before[other].position[1]):
            raise Failure(f"{other} is at {after[other].position}, {internal} ends at {wanted}")
    elif after[other].position != before[other].position:
        raise Failure(f"{other} moved from {before[other].position} to {after[other].position}")


def poses(it: Session) -> None:
    """four poses, and the other output stays beside it"""
    before = it.compositor.outputs()
    for pose, transform in POSES.items():
        it.turn(pose)
        it.expect(transform, pose)
        it.room.wait(lambda: _stands(before, it), f"{it.compositor.other} beside {it.internal} in {pose}: {it.compositor.outputs()}")
        it.picture(pose)


def _stands(before: dict[str, Output], it: Session) -> bool:
    """Return whether the other output has its place: some compositors move it a moment later."""
    try:
        check_neighbour(before, it.compositor.outputs(), it.internal, it.compositor.other)
    except Failure:
        return False
    return True


def hot_plug(it: Session) -> None:
    """an output added and removed"""
    it.turn("landscapeRight")
    it.expect("90")
    name = it.compositor.add_output()
    if name is None:
        it.notes.append("not possible with this compositor")
        return
    it.turn("portraitUpsideDown")
    it.expect("180", "with a third output")
    added = it.compositor.outputs()[name]
    it.turn("landscapeLeft")
    it.expect("270", "with a third output")
    if it.compositor.outputs()[name].mode != added.mode or it.compositor.outputs()[name].transform != "normal":
        raise Failure(f"{name} changed: {added} to {it.compositor.outputs()[name]}")
    it.compositor.remove_output(name)
    it.room.wait(lambda: name not in it.compositor.outputs(), f"{name} removed")
    it.turn("portrait")
    it.expect("normal", "after the removal")


def on_exit(it: Session) -> None:
    """--on-exit restore restores the rotation from before, also that from before a crash"""
    it.turn("portrait")
    it.expect("normal")
    it.restart_agent("--on-exit", "restore")
    it.turn("landscapeRight")
    it.expect("90")
    it.room.end(it.agent)
    it.agent = it.start_agent("--on-exit", "restore")
    it.agent.send_signal(signal.SIGTERM)
    if (status := it.room.wait_for_exit(it.agent, "the agent")) != 0:
        raise Failure(f"exit status {status}")
    it.expect("normal", "restored")
    it.agent = it.start_agent()
    it.expect("90")


def is_at_rest(it: Session) -> bool:
    """Return whether the agent has slept for a while, and it, the daemon and the compositor still do."""
    before, _ = it.agent_figures()
    time.sleep(SETTLING)
    after, _ = it.agent_figures()
    return before == after and all(
        proc_values(process)["State"].startswith("S") for process in (it.agent, it.daemon, it.compositor.process))


def idle(it: Session) -> None:
    """an agent does not wake up while nothing changes"""
    it.turn("portrait")
    it.expect("normal")
    it.room.wait(lambda: is_at_rest(it), "the agent at rest")
    before, memory = it.agent_figures()
    time.sleep(IDLE)
    after, _ = it.agent_figures()
    it.notes.append(f"{memory / 1024:.1f} MB resident, {after - before} wake-ups in {IDLE:.0f} s")
    if after != before:
        raise Failure(f"{after - before} wake-ups in {IDLE:.0f} s")


def compositor_end(it: Session) -> None:
    """the compositor killed: the agent exits with status 0"""
    it.room.end(it.compositor.process)
    status = it.room.wait_for_exit(it.agent, "the agent")
    if status != 0:
        raise Failure(f"exit status {status}: {it.room.read('agent.log')[-300:]}")


TESTS: list[Callable[[Session], None]] = [poses, hot_plug, on_exit, idle, compositor_end]

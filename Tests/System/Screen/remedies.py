# SPDX-License-Identifier: Apache-2.0
"""Remedies of the doctor for a session: it prints a command, which a shell runs as it is, and the doctor finds the agent."""

import json
from collections.abc import Callable

import autostart
import compositors
from session import Failure

AGENT = "orientation-autorotate"
TESTS: list[Callable[[autostart.Session], None]] = []


class Sway(autostart.Sway):
    """sway with two outputs, none of which is internal."""

    name = "remedies-sway"
    environment = compositors.WLROOTS


def remedy(kind: str, agent: list[str] | None = None) -> Callable:
    """Register a test of a fault, in which an agent with options runs or none; see VirtualMachine/guest/tests/remedies.py."""
    def add(function: Callable[[autostart.Session], None]) -> Callable:
        def test(it: autostart.Session) -> None:
            function(it)
            if agent is not None:
                it.room.start([AGENT, *agent], "agent.log")
                it.room.wait(lambda: f"{AGENT} " in display(it)["summary"], "the agent")
            found = display(it)
            fix = it.room.start(["sh", "-c", found["fix"]], "fix.log")
            if it.room.wait_for_exit(fix, found["fix"]) != 0:
                raise Failure(f"{found['fix']}: {it.room.read('fix.log')}")
            it.room.wait(lambda: display(it)["level"] == "ok", f"after {found['fix']}: {display(it)}")
            it.room.tool("simulate", "turn", "landscapeRight", check=True)
            # The doctor names the first output of the compositor's list.
            it.room.wait(lambda: any(output.transform == "90" for output in it.compositor.outputs().values()),
                         f"90: {it.compositor.outputs()}")
        test.__doc__ = f"{kind}: {function.__doc__}"
        TESTS.append(test)
        return test
    return add


def display(it: autostart.Session) -> dict:
    result = it.room.run(["orientationctl", "doctor", "--all", "--json"])
    return next(finding for finding in json.loads(result.stdout)["findings"] if finding["check"] == "display")


def end_agents(it: autostart.Session) -> None:
    it.room.run(["pkill", "-x", "orientation-aut"])
    it.room.wait(lambda: "process" not in display(it)["summary"], "the end of the agent")


@remedy("setOutput")
def no_agent(it: autostart.Session) -> None:
    """two outputs without an internal one, and no agent"""


@remedy("setOutput", ["--output", "eDP-1"])
def wrong_output(it: autostart.Session) -> None:
    """an agent for an output that is not there"""
    end_agents(it)
    it.room.tool("simulate", "turn", "landscapeLeft", check=True)


@remedy("setOutput", [])
def undecided_agent(it: autostart.Session) -> None:
    """an agent that finds no internal output"""
    end_agents(it)


@remedy("startAgent")
def one_output(it: autostart.Session) -> None:
    """one output, and no agent"""
    end_agents(it)
    it.compositor.message("output", "HEADLESS-2", "unplug")

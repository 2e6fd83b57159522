#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Test the library for C over its backends: orientationd, its SensorProxy service, iio-sensor-proxy, and none.

    run.py [TEST...]    `make -C Tests/System library-test` builds what it needs in .build/library

With ORIENTATION_VALGRIND=1 the program runs under valgrind, which reports leaks."""
import ctypes
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

sys.path.append(str(pathlib.Path(__file__).resolve().parent))

import services  # noqa: E402
from services import BUILD, ROOT, ROTATIONS, VALGRIND, Client, Daemon, OwnSensorProxy, Program, SensorProxy, Stub  # noqa: E402
from services import clean_environment, refuse, send, start_bus, wait  # noqa: E402

# Whether the program is not the one in C, or runs under valgrind: tests without it passed in the run before.
OTHER_PROGRAM = VALGRIND or "ORIENTATION_DRIVER" in os.environ

HERE = pathlib.Path(__file__).resolve().parent
LIBRARY = ROOT / "Sources/Client/CLibrary"
PYTHON = ROOT / "Sources/Client/Python"
sys.path.append(str(PYTHON))
# Python for glibc cannot load a library for musl, which is tested without the module.
if os.environ.get("ORIENTATION_PYTHON") != "0":
    # The module finds this library, because it is loaded.
    ctypes.CDLL(BUILD / "liborientation.so.0")
    import orientation  # noqa: E402

EXAMPLES = ROOT / "Examples/clients"
# The longest wait of a call, in seconds: for a page of the library, or a lock of the kernel on a busy machine.
LONGEST_CALL = 0.1
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
STATE = {"orientation": "landscapeLeft", "lastEdge": "landscapeLeft", "locked": False, "sequence": 1, "instance": "a",
         "timestamp": 1, "natural": "portrait", "rotation": 270}
MESSAGE = {"parameters": {"state": STATE}, "continues": True}


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def end(self, client):
        """End a program: it has no leaks, and no call has waited."""
        slowest = client.end()
        if not VALGRIND:
            self.assertLess(slowest, LONGEST_CALL)

    def check_delays(self, attempts, began):
        """Check the number of attempts to connect since a time: a busy machine sleeps for longer than asked."""
        # 50, 100, 200 ms, then 400 ms at most, less a quarter.
        self.assertLess(attempts, (time.monotonic() - began) / 0.3 + 5)


class Contract:
    """What every backend with a service does."""

    def setUp(self):
        super().setUp()
        self.service = self.make()

    def follow(self):
        return Client(self, **self.service.client_environment)

    def wait_for_edge(self, client, edge):
        state = client.wait(edge=edge, backend=self.service.backend)
        self.assertEqual(state["rotation"], ROTATIONS[edge])
        return state

    def test_the_first_state_and_every_turn_arrive(self):
        self.service.start()
        client = self.follow()
        for edge in ("top", "left", "bottom", "right"):
            self.service.turn(edge)
            self.check_names(self.wait_for_edge(client, edge), edge)
        sequences = [state["sequence"] for state in client.states]
        self.assertEqual(sequences, sorted(sequences))
        self.end(client)

    def test_a_restart_gives_the_reason_then_the_state(self):
        self.service.start()
        client = self.follow()
        self.wait_for_edge(client, "top")
        descriptors = []
        for edge in ("left", "right", "top"):
            self.service.stop()
            state = client.wait(backend="none", pose="unknown", edge="unknown")
            self.assertTrue(state["reason"])
            self.service.edge = edge
            self.service.start()
            self.wait_for_edge(client, edge)
            descriptors.append(client.descriptors())
        self.assertEqual(len(set(descriptors)), 1, "descriptors leak")
        self.end(client)

    def test_a_service_that_starts_later_is_found(self):
        client = self.follow()
        client.wait(backend="none")
        self.service.start()
        self.wait_for_edge(client, "top")
        self.end(client)

    def test_a_hanging_service_is_given_up_and_found_again(self):
        self.service.start()
        client = self.follow()
        self.wait_for_edge(client, "top")
        self.service.program.signal(signal.SIGSTOP)
        client.send("suspend")
        client.send("resume")
        self.assertIn("timed out", client.wait(backend="none")["reason"])
        self.service.program.signal(signal.SIGCONT)
        self.wait_for_edge(client, "top")
        self.end(client)

    def test_a_service_that_hangs_later_causes_no_wake_ups_and_continues(self):
        self.service.start()
        client = self.follow()
        self.wait_for_edge(client, "top")
        self.service.program.signal(signal.SIGSTOP)
        self.assertEqual(client.wakeups(1), 0)
        self.service.turn_later("left")
        self.service.program.signal(signal.SIGCONT)
        self.wait_for_edge(client, "left")
        self.end(client)

    def test_nothing_wakes_the_program_while_nothing_changes(self):
        self.service.start()
        client = self.follow()
        self.wait_for_edge(client, "top")
        self.assertEqual(client.wakeups(3), 0)
        self.end(client)

    def test_a_suspended_handle_keeps_its_state_and_resumes(self):
        client = self.follow()
        client.wait(backend="none")
        # Otherwise it may just be trying to connect.
        client.send("suspend")
        descriptors = client.descriptors()
        client.send("resume")
        self.service.start()
        self.wait_for_edge(client, "top")
        client.send("suspend")
        self.assertEqual((client.state["edge"], client.is_waiting()), ("top", False))
        self.assertEqual(client.descriptors(), descriptors)
        self.service.wait_until_unused()
        self.service.turn("left")
        client.send("resume")
        self.wait_for_edge(client, "left")
        self.end(client)


class DaemonTests(Contract, Case):
    def make(self):
        return Daemon(self, self.folder)

    def check_names(self, state, edge):
        self.assertEqual(
            (state["pose"], state["natural"], state["sensor"], state["locked"], state["reason"]),
            (services.POSES[edge], "portrait", "fake:", 0, ""))

    def test_faces_tablet_mode_and_the_reason_of_a_failed_sensor_arrive(self):
        self.service.start()
        client = self.follow()
        client.wait(pose="portrait")
        services.call(self.service.socket, "org.orientationd.Simulator.SetPose", pose="faceUp")
        self.assertEqual(client.wait(pose="faceUp")["edge"], "top")
        services.call(self.service.socket, "org.orientationd.Simulator.SetTabletMode", tabletMode=True)
        client.wait(tablet=1)
        services.call(self.service.socket, "org.orientationd.Simulator.Fail", kind="failed", duration=600)
        state = client.wait(pose="unknown", failed=1)
        self.assertTrue(state["reason"])
        # The edge stays; the picture is to be kept as it is.
        self.assertEqual((state["edge"], state["rotation"]), ("top", -1))
        self.end(client)

    def test_a_device_without_a_sensor_is_a_failure_with_the_reason(self):
        Daemon.options = ("--sensor", "iio:absent")
        self.addCleanup(setattr, Daemon, "options", ())
        self.service.start(turns=False)
        client = self.follow()
        state = client.wait(backend="varlink", failed=1)
        self.assertTrue(state["reason"])
        self.assertEqual((state["pose"], state["rotation"]), ("unknown", -1))
        self.end(client)

    def test_the_lock_is_set_and_released(self):
        self.service.start()
        client = self.follow()
        client.wait(pose="portrait", locked=0)
        self.assertEqual(client.send("lock right"), 0)
        client.wait(locked=1, lockedTo="right")
        # The state may arrive before the reply.
        self.assertEqual(client.send("lock off"), 0)
        client.wait(locked=0, lockedTo="unknown")
        self.assertEqual(client.send("lock face"), -22)
        self.end(client)

    def test_a_wide_panel_has_its_names(self):
        Daemon.options = ("--natural-orientation", "landscapeLeft")
        self.addCleanup(setattr, Daemon, "options", ())
        self.service.start()
        client = self.follow()
        state = client.wait(pose="portrait")
        self.assertEqual((state["natural"], state["edge"], state["rotation"]), ("landscapeLeft", "left", 90))
        self.end(client)


class BusContract(Contract):
    def check_names(self, state, edge):
        self.assertEqual(
            (state["pose"], state["natural"], state["locked"], state["tablet"]), ("unknown", "unknown", -1, -1))
        self.assertIn("natural orientation", state["reason"])

    def test_the_lock_is_not_supported(self):
        self.service.start()
        client = self.follow()
        self.wait_for_edge(client, "top")
        self.assertEqual(client.send("lock on"), -95)
        self.assertIn("needs orientationd", client.state["error"])
        self.end(client)

    def test_a_daemon_that_appears_is_used_from_the_next_turn_on_and_until_it_ends(self):
        self.service.start()
        client = self.follow()
        self.wait_for_edge(client, "top")
        folder = self.folder / "other"
        folder.mkdir()
        daemon = Daemon(self, folder)
        daemon.socket = self.service.client_environment["ORIENTATIOND_SOCKET"]
        daemon.edge = "bottom"
        daemon.start()
        self.service.turn("right")
        client.wait(backend="varlink", edge="bottom", pose="portraitUpsideDown")
        self.service.turn("left")
        daemon.stop()
        self.wait_for_edge(client, "left")
        self.end(client)


class OwnSensorProxyTests(BusContract, Case):
    def make(self):
        return OwnSensorProxy(self, self.folder, start_bus(self, self.folder))

    def test_signals_of_strangers_have_no_effect(self):
        self.service.start()
        client = self.follow()
        self.wait_for_edge(client, "top")
        count, bus = len(client.states), f"--bus={self.service.bus}"
        names = subprocess.run(
            ["dbus-send", bus, "--print-reply", "--dest=org.freedesktop.DBus", "/", "org.freedesktop.DBus.ListNames"],
            check=True, capture_output=True, text=True).stdout.split('"')[1::2]
        name = "net.hadess.SensorProxy"
        for receiver in [each for each in names if each.startswith(":")]:
            for path, member, *words in (
                ("/org/freedesktop/DBus", "org.freedesktop.DBus.NameOwnerChanged", name, ":1.1", ""),
                ("/net/hadess/SensorProxy", "org.freedesktop.DBus.Properties.PropertiesChanged", name),
            ):
                subprocess.run(["dbus-send", bus, "--type=signal", f"--dest={receiver}", path, member,
                                *(f"string:{word}" for word in words)], check=True)
        self.service.turn("left")
        self.wait_for_edge(client, "left")
        self.assertEqual([(state["backend"], state["edge"]) for state in client.states[count:]], [("sensorproxy", "left")])
        self.end(client)

    def test_a_face_is_known(self):
        self.service.start()
        client = self.follow()
        self.wait_for_edge(client, "top")
        services.call(self.service.socket, "org.orientationd.Simulator.SetPose", pose="faceDown")
        client.wait(pose="faceDown", edge="top", reason="")
        self.end(client)


class SensorProxyTests(BusContract, Case):
    """iio-sensor-proxy of this Debian."""
    programs = [[BUILD / "iio-sensor-proxy/usr/libexec/iio-sensor-proxy"], [BUILD / "iio-sensor-proxy/usr/sbin/iio-sensor-proxy"]]

    def make(self):
        command = next((each for each in self.programs if pathlib.Path(each[-1]).exists()), None)
        if not command:
            self.skipTest("iio-sensor-proxy was not found")
        return SensorProxy(self, self.folder, start_bus(self, self.folder), command)


class NewSensorProxyTests(SensorProxyTests):
    """The iio-sensor-proxy that `make -C Tests/System sensor-proxy-test` builds."""
    debian = ROOT / ".build/sensor-proxy/root"
    libraries = next(debian.glob("usr/lib/*-linux-gnu"), debian)
    programs = [[next(libraries.glob("ld-linux*.so.*"), "absent"), "--library-path", libraries,
                 debian / "suite/build/src/iio-sensor-proxy"]]


class WithoutServiceTests(Case):
    def test_the_reason_names_both_services_and_the_delays_grow(self):
        client = Client(self, ORIENTATIOND_SOCKET=self.folder / "a", DBUS_SYSTEM_BUS_ADDRESS=f"unix:path={self.folder}/b")
        state = client.wait(backend="none", pose="unknown", rotation=-1, locked=-1)
        self.assertRegex(state["reason"], r"cannot connect: no service is listening; iio-sensor-proxy: cannot connect to the system bus")
        client.send("state")
        wait(client.is_waiting, "the timer of the next attempt")
        began = time.monotonic()
        self.check_delays(client.wakeups(3), began)
        self.assertEqual(len({state["reason"] for state in client.states}), 1)
        self.end(client)

    def test_the_bus_without_the_service_is_a_reason(self):
        client = Client(self, ORIENTATIOND_SOCKET="/absent", DBUS_SYSTEM_BUS_ADDRESS=start_bus(self, self.folder))
        client.wait("iio-sensor-proxy: does not run", backend="none")
        self.end(client)

    def test_an_explicit_backend_is_used_alone(self):
        bus = start_bus(self, self.folder)
        service = OwnSensorProxy(self, self.folder, bus)
        service.start()
        environment = {"ORIENTATIOND_SOCKET": service.socket, "DBUS_SYSTEM_BUS_ADDRESS": bus}
        for backend in ("varlink", "sensorproxy"):
            client = Client(self, ORIENTATION_BACKEND=backend, **environment)
            client.wait(backend=backend, edge="top")
            self.end(client)
        for backend, reason in (("none", "the backend is none"), ("udev", "ORIENTATION_BACKEND: invalid value 'udev': must be")):
            client = Client(self, ORIENTATION_BACKEND=backend, **environment)
            state = client.wait(events=1, backend="none")
            self.assertIn(reason, state["reason"])
            client.send("state")
            self.assertFalse(client.is_waiting())
            self.end(client)

    def test_a_build_without_the_bus_follows_the_daemon(self):
        daemon = Daemon(self, self.folder)
        daemon.start()
        environment = {"ORIENTATIOND_SOCKET": daemon.socket, "LD_LIBRARY_PATH": BUILD / "nobus"}
        client = Client(self, **environment)
        client.wait(backend="varlink", pose="portrait")
        self.end(client)
        client = Client(self, ORIENTATION_BACKEND="sensorproxy", **environment)
        self.assertIn("must be auto, varlink, none", client.wait(backend="none")["reason"])
        self.end(client)


class RefusalTests(Case):
    def stub(self, answer, reads=True, **environment):
        stub = Stub(self, self.folder / "stub", answer, reads)
        return stub, Client(self, ORIENTATION_BACKEND="varlink", ORIENTATIOND_SOCKET=stub.path, **environment)

    def test_an_error_is_the_reason(self):
        for error, parameters, reason in (
            ("org.orientationd.Orientation.LimitReached", {"limit": "connections", "maximum": 1}, "limit reached: connections"),
            ("org.orientationd.Orientation.SensorUnavailable", {"reason": "no \u009bchip\n"}, "SensorUnavailable: no   chip "),
            ("org.varlink.service.InterfaceNotFound", {"interface": "a"}, "InterfaceNotFound"),
            ("x" * 300, None, "x" * 60),
        ):
            stub, client = self.stub(lambda connection, _: refuse(connection, error, **parameters or {}))
            self.assertEqual(client.wait(reason, backend="none")["reason"], f"orientationd: {reason}")
            self.end(client)
            stub.stop()

    def test_a_claim_that_polkit_refuses_is_the_reason(self):
        service = OwnSensorProxy(self, self.folder, start_bus(self, self.folder, "deny"))
        service.start()
        client = Client(self, **service.client_environment)
        # The service has its name on the bus a moment after its socket.
        client.wait("cannot claim the accelerometer: Not authorized", backend="none")
        self.end(client)

    def test_invalid_replies_end_the_connection_and_have_reasons(self):
        state = json.dumps(MESSAGE).encode()
        for data, reason in (
            (b"x" * 1_048_577, "longer than 1048576 bytes"), (b"\0", "not a JSON object"), (b"[]\0", "not a JSON object"),
            (b"[" * 10_000 + b"\0", "not a JSON object"), (b'{"parameters":{"state":[]}}\0', "without an orientation"),
            (b'{"a":"\xff"}\0', "not a JSON object"), (state[:-9], "connection closed"), (b"", "connection closed"),
            (state + b"\0{}\0", "without an orientation"),
            (state.replace(b"true", b"false") + b"\0", "connection closed"),
        ):
            def answer(connection, _, data=data):
                connection.sendall(data)
                connection.shutdown(2)
            stub, client = self.stub(answer)
            client.wait(reason, backend="none")
            # A service that fails for each client does not reset the backoff.
            began, count = time.monotonic(), len(stub.connections)
            time.sleep(1)
            self.check_delays(len(stub.connections) - count, began)
            self.end(client)
            stub.stop()

    def test_members_of_other_types_are_unknown(self):
        odd = STATE | {"locked": 1, "tabletMode": "yes", "rotation": 45.5, "natural": "round", "lastEdge": 3, "sensor": {}}
        _, client = self.stub(lambda connection, _: send(connection, state=odd))
        state = client.wait(pose="landscapeLeft")
        self.assertEqual((state["locked"], state["tablet"], state["rotation"], state["natural"], state["edge"], state["sensor"]),
                         (-1, -1, -1, "unknown", "unknown", ""))
        self.end(client)

    def test_an_older_daemon_has_the_names_of_a_tall_panel(self):
        old = {name: value for name, value in STATE.items() if name not in ("natural", "rotation")}
        _, client = self.stub(lambda connection, _: send(connection, state=old))
        client.wait(pose="landscapeLeft", natural="portrait", edge="right", rotation=270)
        self.end(client)

    def test_a_service_that_accepts_nothing_and_one_that_floods_do_not_block(self):
        flood = (json.dumps(MESSAGE).encode() + b"\0") * 50

        def answer(connection, _):
            while True:
                connection.sendall(flood)
        _, client = self.stub(answer)
        client.wait(pose="landscapeLeft")
        time.sleep(1)
        self.end(client)

    @unittest.skipIf(os.getuid() != 0, "needs root, for services of other users")
    def test_a_service_of_another_user_is_used_only_at_an_explicit_path(self):
        os.chmod(self.folder, 0o777)
        path = self.folder / "orientationd.sock"
        code = (f"import os,socket,json,time\nos.setuid(65533)\nl=socket.socket(socket.AF_UNIX)\nl.bind({str(path)!r})\n"
                f"l.listen()\nprint(1,flush=True)\nkept=[]\nwhile True:\n kept.append(l.accept()[0])\n try: kept[-1].sendall("
                f"{json.dumps(MESSAGE).encode()!r}+b'\\0')\n except OSError: pass\n")
        service = Program(self, sys.executable, "-c", code, stdout=subprocess.PIPE)
        service.process.stdout.readline()
        # The system's daemon, if there is one, would be used.
        Client.prefix = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs none /run && exec "$0" "$@"']
        self.addCleanup(setattr, Client, "prefix", [])
        client = Client(self, ORIENTATION_BACKEND="varlink", XDG_RUNTIME_DIR=self.folder)
        self.assertIn("untrusted service: runs as user 65533", client.wait(backend="none")["reason"])
        self.end(client)
        client = Client(self, ORIENTATION_BACKEND="varlink", ORIENTATIOND_SOCKET=path)
        client.wait(pose="landscapeLeft")
        self.end(client)

    def test_a_lock_that_is_not_permitted_fails_with_the_requirement(self):
        def answer(connection, call):
            if call["method"].endswith("Monitor"):
                send(connection, state=STATE)
            else:
                refuse(connection, "org.orientationd.Control.PermissionDenied", needs="the group orientation")
        stub, client = self.stub(answer)
        client.wait(pose="landscapeLeft")
        self.assertEqual(client.send("lock on"), 0)
        state = client.wait(error="cannot set the rotation lock: permission denied: needs the group orientation")
        self.assertEqual(state["events"] & 2, 2)
        self.assertEqual(stub.calls[-1]["parameters"], {"locked": True})
        self.end(client)

    def test_a_lock_replaces_one_without_a_reply(self):
        def answer(connection, call):
            if call["method"].endswith("Monitor"):
                send(connection, state=STATE)
            elif not call["parameters"]["locked"]:
                refuse(connection, "org.orientationd.Control.PermissionDenied", needs="the group orientation")
        stub, client = self.stub(answer)
        client.wait(pose="landscapeLeft")
        for command in ["lock on", "lock left", "lock off"]:
            self.assertEqual(client.send(command), 0)
        # Only the last one is still waiting. The service answers each connection on a thread of its own.
        client.wait(error="cannot set the rotation lock: permission denied: needs the group orientation")
        self.assertIn({"locked": False}, [call.get("parameters") for call in stub.calls])
        self.end(client)

    def test_a_lock_that_is_not_kept_gives_the_reason_and_one_without_a_reply_times_out(self):
        def answer(connection, call):
            if call["method"].endswith("Monitor"):
                send(connection, state=STATE)
            elif call["parameters"]["locked"]:
                send(connection, continues=False, notKept="the disk is full")
        _, client = self.stub(answer)
        client.wait(pose="landscapeLeft")
        client.send("lock on")
        client.wait(error="cannot set the rotation lock: the lock is set until the daemon stops: the disk is full")
        self.assertEqual(client.send("lock off"), 0)
        client.wait(error="cannot set the rotation lock: timed out: no reply within 5 s")
        self.end(client)


class HoldTests(Case):
    CALL = {"method": "org.orientationd.Display.Hold", "more": True,
            "parameters": {"locked": False, "supported": ["landscape"]}}

    def setUp(self):
        super().setUp()
        self.agent = self.folder / "orientation-autorotate/socket"

    def client(self, **environment):
        return Client(self, ORIENTATION_BACKEND="none", XDG_RUNTIME_DIR=self.folder, **environment)

    def test_a_hold_is_requested_from_the_agent_and_again_after_its_restart(self):
        def answer(connection, _):
            send(connection, applies=True, sentence="The display is in landscape.", orientation="landscapeLeft")
        agent = Stub(self, self.agent, answer)
        client = self.client(ORIENTATIOND_SOCKET="/absent")
        self.assertEqual(client.send("hold landscape"), 0)
        client.wait(held=1, holdReason="The display is in landscape.")
        self.assertEqual(agent.calls, [self.CALL])
        send(agent.connections[0], applies=False, sentence="Another window has the focus.")
        client.wait(held=0, holdReason="Another window has the focus.")
        agent.stop()
        state = client.wait(held=-1)
        self.assertEqual(state["events"], 3)
        self.assertIn("cannot hold the orientation: ", state["error"])
        agent = Stub(self, self.agent, answer)
        client.wait(held=1)
        self.assertEqual(client.send("hold portrait-primary film \"one\""), 0)
        wait(lambda: len(agent.calls) == 2 and agent.calls[1]["parameters"]["appId"] == 'film "one"')
        client.send("release")
        client.wait(held=-1, holdReason="")
        self.assertFalse(client.is_waiting())
        wait(lambda: not agent.connections[-1].recv(1))
        self.end(client)

    def test_all_replies_of_a_burst_arrive(self):
        def answer(connection, _):
            message = {"parameters": {"applies": False, "sentence": "Not yet."}, "continues": True}
            last = {"parameters": {"applies": True, "sentence": "The last."}, "continues": True}
            connection.sendall(199 * (json.dumps(message).encode() + b"\0") + json.dumps(last).encode() + b"\0")
        Stub(self, self.agent, answer)
        client = self.client(ORIENTATIOND_SOCKET="/absent")
        client.send("hold landscape")
        client.wait(held=1, holdReason="The last.")
        self.assertFalse(client.is_waiting())
        self.end(client)

    def test_without_an_agent_the_daemon_is_asked_and_later_an_agent_if_its_hold_has_no_effect(self):
        daemon = Stub(self, self.folder / "daemon", lambda connection, _: send(connection, applies=False, sentence="Not yet."))
        client = self.client(ORIENTATIOND_SOCKET=daemon.path)
        client.send("hold landscape")
        client.wait(held=0, holdReason="Not yet.")
        self.assertEqual(daemon.calls, [self.CALL])
        Stub(self, self.agent, lambda connection, _: send(connection, applies=True, sentence="It holds."))
        client.wait(held=1, holdReason="It holds.")
        self.assertFalse(client.is_waiting())
        self.end(client)

    def test_a_daemon_without_holds_is_a_reason_with_a_remedy(self):
        daemon = Daemon(self, self.folder)
        daemon.start()
        client = self.client(ORIENTATIOND_SOCKET=daemon.socket)
        client.send("hold landscape")
        client.wait(error="cannot hold the orientation: no program rotates the display: start orientation-autorotate")
        self.end(client)

    def test_a_hanging_agent_is_reported(self):
        Stub(self, self.agent, lambda connection, _: None)
        client = self.client(ORIENTATIOND_SOCKET="/absent")
        client.send("hold landscape")
        client.wait(error="cannot hold the orientation: timed out: no reply within 5 s")
        self.end(client)

    def test_invalid_holds_are_refused(self):
        client = self.client(ORIENTATIOND_SOCKET="/absent")
        for hold in (",", "landscape,", "landscap", "landscape " + "x" * 256, "landscape \x01"):
            self.assertEqual(client.send(f"hold {hold}"), -22)
        self.assertEqual(client.send("hold landscape " + "x" * 255), 0)
        self.end(client)


@unittest.skipIf(OTHER_PROGRAM, "does not run the program")
class InterfaceTests(Case):
    """The header, the symbols and the examples."""

    def compile(self, compiler, *words):
        result = subprocess.run([compiler, *WARNINGS, *map(str, words)], capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_the_header_compiles_as_c11_and_cxx17(self):
        for compiler, standard, name in (("cc", "c11", "a.c"), ("c++", "c++17", "a.cc")):
            source = self.folder / name
            source.write_text(
                "#include <orientation.h>\nint main(void) {\n struct orientation_state state;\n state.size = sizeof state;\n"
                " return orientation_fd(0) == 0 && orientation_state(0, &state);\n}\n")
            self.compile(compiler, f"-std={standard}", f"-I{LIBRARY}", "-o", self.folder / "a", source,
                         BUILD / "liborientation.so.0")

    def test_the_program_of_the_page_on_apps_compiles(self):
        body = (ROOT / "docs/apps.md").read_text().split("```c\n")[1].split("```")[0]
        source = self.folder / "page.c"
        source.write_text(f"#include <errno.h>\n#include <orientation.h>\n#include <poll.h>\n#include <stdio.h>\nint main(void) {{\n{body}}}\n")
        self.compile("cc", "-std=c11", f"-I{LIBRARY}", "-c", "-o", self.folder / "page.o", source)

    def test_the_symbols_are_pinned(self):
        # In the source package of Debian the folder is at the top.
        folder = next(each for each in (ROOT / "packaging/liborientation/debian", ROOT / "debian") if each.exists())
        lines = (folder / "liborientation0.symbols").read_text().splitlines()
        pinned = [line.split("@")[0].strip() for line in lines if "@" in line]
        for library in (BUILD / "liborientation.so.0", BUILD / "nobus/liborientation.so.0"):
            found = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
            self.assertEqual(sorted(line.split()[2].split("@")[0] for line in found.splitlines()), sorted(pinned))

    def install(self):
        for file, folder in ((BUILD / "liborientation.so.0", "lib"), (LIBRARY / "orientation.h", "include")):
            (self.folder / folder).mkdir()
            shutil.copy(file, self.folder / folder)
        (self.folder / "lib/liborientation.so").symlink_to("liborientation.so.0")
        text = (LIBRARY / "orientation.pc.in").read_text().replace("@prefix@", str(self.folder)).replace("@lib@", "lib")
        (self.folder / "lib/orientation.pc").write_text(text)
        return os.environ | {"PKG_CONFIG_PATH": f"{self.folder}/lib", "LD_LIBRARY_PATH": f"{self.folder}/lib",
                             "PYTHONPATH": str(PYTHON), "GOCACHE": f"{self.folder}/cache"}

    def test_the_examples_follow_a_simulated_device_and_its_restart(self):
        environment = self.install()
        daemon = Daemon(self, self.folder)
        daemon.start()
        for name in ("follow.c", "follow-glib.c", "follow.go", "follow.rs", "follow_library.py"):
            source, program = EXAMPLES / name, self.folder / name.replace(".", "-")
            self.assertLessEqual(len(source.read_text().splitlines()), 60)
            packages = ["orientation"] + (["glib-2.0"] if "glib" in name else [])
            commands = {
                ".c": ["sh", "-c", f"cc -std=c11 {' '.join(WARNINGS)} -o {program} {source} "
                       f"$(pkg-config --cflags --libs {' '.join(packages)})"],
                ".go": ["go", "build", "-o", program, source],
                ".rs": ["rustc", "-D", "warnings", "-o", program, source, "-L", self.folder / "lib", "-lorientation"],
                ".py": ["cp", source, program]}
            subprocess.run(commands[source.suffix], check=True, env=environment)
            run = Program(self, program, environment=environment | {"ORIENTATIOND_SOCKET": str(daemon.socket)},
                          stdout=subprocess.PIPE)
            # The last one after a restart.
            for edge in ("right", "top", "left"):
                if edge == "left":
                    daemon.stop()
                    self.assertTrue(run.process.stdout.readline().startswith(b"unknown: "))
                    daemon.edge = edge
                    daemon.start()
                daemon.turn(edge)
                line = f"{edge} edge up, picture rotated by {ROTATIONS[edge]} degrees\n".encode()
                while run.process.stdout.readline() != line:
                    self.assertIsNone(run.process.poll())
            if source.suffix != ".go":
                self.assertEqual(len(os.listdir(f"/proc/{run.process.pid}/task")), 1, "a thread")
            run.signal(signal.SIGTERM)


@unittest.skipIf(OTHER_PROGRAM, "does not run the program")
class LayoutTests(Case):
    """The sizes and offsets, which never change: those of the header, of the first version, and of the module for Python."""

    def test_the_header_and_python_have_the_layout_of_the_first_version(self):
        if ctypes.sizeof(ctypes.c_void_p) != 8:
            self.skipTest("the table is for 64 bits")
        pinned = json.loads((HERE / "layout.json").read_text())
        source = self.folder / "layout.c"
        lines = ["#include <orientation.h>"]
        for name, number in pinned.items():
            structure, _, member = name.partition(".")
            value = f"offsetof(struct orientation_{structure}, {member})" if member else f"sizeof(struct orientation_{name})"
            lines.append(f'_Static_assert({value} == {number}, "{name}");')
        source.write_text("\n".join([*lines, "int unused;", ""]))
        subprocess.run(["cc", "-std=c11", f"-I{LIBRARY}", "-c", "-o", self.folder / "layout.o", source], check=True)
        found = {}
        for name, structure in (("options", orientation._Options), ("state", orientation._State), ("hold", orientation._Hold)):
            found[name] = ctypes.sizeof(structure)
            found |= {f"{name}.{field}": getattr(structure, field).offset for field, _ in structure._fields_ if field != "size"}
        self.assertEqual(found, pinned)


@unittest.skipIf(OTHER_PROGRAM, "does not run the program")
class PythonTests(Case):
    """The module for Python beyond the commands of driver.py; the iterator of follow_library.py is tested with the examples."""

    def test_the_asynchronous_iterator_survives_absence_and_restart_and_ends_with_its_task(self):
        program = Program(
            self, sys.executable, "-c",
            "import asyncio, orientation, sys\n"
            "async def show():\n"
            "    async for state in orientation.follow(): print(state.pose, state.reason, flush=True)\n"
            "async def main():\n"
            "    task = asyncio.create_task(show())\n"
            "    asyncio.get_running_loop().add_signal_handler(15, task.cancel)\n"
            "    await asyncio.wait([task])\n"
            "asyncio.run(main())", stdout=subprocess.PIPE, stderr=sys.stderr,
            environment=clean_environment(PYTHONPATH=PYTHON, ORIENTATION_BACKEND="varlink", ORIENTATIOND_SOCKET=self.folder / "s"))
        lines = (line.decode() for line in iter(program.process.stdout.readline, b""))
        self.assertIn("no service is listening", next(lines))
        for is_restarted in (False, True):
            stub = Stub(self, self.folder / "s", lambda connection, _: send(connection, state=STATE))
            # The reasons of the outage precede it.
            while not (line := next(lines)).startswith("landscapeLeft"):
                self.assertIn("cannot connect", line)
            if not is_restarted:
                stub.stop()
                self.assertIn("connection closed", next(lines))
        program.signal(signal.SIGTERM)
        self.assertEqual(program.process.wait(services.TIMEOUT), 0)

    def test_the_asynchronous_iterator_does_not_spin_while_the_body_waits(self):
        Stub(self, self.folder / "s", lambda connection, _: [send(connection, state=STATE | {"sequence": i}) for i in range(2)])
        result = subprocess.run(
            [sys.executable, "-c",
             "import asyncio, orientation, time\n"
             "async def main():\n"
             "    handle = orientation.follow()\n"
             "    async for state in handle:\n"
             "        handle._handle.hold('any')\n"  # The descriptor is readable from here on.
             "        began = time.process_time()\n"
             "        await asyncio.sleep(1)\n"
             "        return print(time.process_time() - began)\n"
             "asyncio.run(main())"],
            env=clean_environment(PYTHONPATH=PYTHON, ORIENTATION_BACKEND="varlink", ORIENTATIOND_SOCKET=self.folder / "s"),
            check=True, capture_output=True)
        self.assertLess(float(result.stdout), 0.1)

    def test_values_of_a_newer_library_are_unknown(self):
        handle = orientation.Handle(backend="none")

        def call(_, state):
            state._obj.pose, state._obj.edge, state._obj.tablet_mode = 7, 5, 2
        with unittest.mock.patch.object(handle, "_call", call):
            state = handle.state()
        self.assertEqual((state.pose, state.edge, state.tablet_mode), ("unknown", "unknown", None))

    def test_a_failed_hold_gives_the_state_and_the_error(self):
        # Neither an agent nor a daemon runs.
        with unittest.mock.patch.dict(os.environ, XDG_RUNTIME_DIR=str(self.folder)):
            follower = orientation.follow(backend="none", socket=self.folder / "absent")
            states = iter(follower)
            next(states)
            follower._handle.hold("landscape")
            while not (state := next(states)).hold_reason:
                pass
            with self.assertRaisesRegex(orientation.Error, f"cannot hold the orientation: {state.hold_reason}") as raised:
                next(states)
            self.assertEqual(raised.exception.state, state)

    def test_a_failed_request_raises_its_sentence_and_a_closed_handle_an_error(self):
        handle = orientation.Handle(socket=self.folder / "absent")
        for request, sentence in (
            (lambda: handle.hold("up"), "cannot hold the orientation: invalid value: orientations: words separated by commas"),
            (lambda: handle.hold(["any", "up"]), "cannot hold the orientation: invalid value"),
            (lambda: handle.hold(""), "cannot hold the orientation: invalid value"),
            (lambda: handle.hold("any", app_id=""), "cannot hold the orientation: invalid value"),
            (lambda: handle.hold("any", preferred=""), "cannot hold the orientation: invalid value"),
            (lambda: handle.set_lock(True, "face"), "cannot set the rotation lock: invalid edge"),
        ):
            with self.assertRaises(orientation.Error) as raised:
                request()
            self.assertEqual(raised.exception.errno, 22)
            self.assertIn(sentence, str(raised.exception))
        for path in ("", "x" * 200):
            with self.assertRaisesRegex(orientation.Error, "cannot follow the orientation: Invalid argument"):
                orientation.Handle(socket=path)
        handle.hold(["top", "landscape"], preferred="top")
        for call in (lambda: orientation.Handle(socket="a\0b"), lambda: handle.hold("any\0")):
            self.assertRaisesRegex(ValueError, "contains a NUL", call)
        handle.close()
        handle.close()
        for call in (handle.fileno, handle.process, handle.state, handle.hold, handle.suspend):
            self.assertRaises(ValueError, call)


@unittest.skipIf(OTHER_PROGRAM, "does not run the program")
@unittest.skipUnless(shutil.which("sway") and shutil.which("grim"), "sway or grim was not found")
class WindowTests(Case):
    """The window of Python and GTK 4 in a compositor without a screen."""
    # Where the text is, which begins in the middle of the picture.
    SIDES = {"top": "right", "left": "above", "bottom": "left", "right": "below"}

    def side(self):
        """Take a picture; return on which side of its middle the dark pixels are, if they are on one side."""
        picture = subprocess.run(["grim", "-t", "ppm", "-"], env=self.environment, check=True, capture_output=True).stdout
        kind, width, height, _, pixels = picture.split(maxsplit=4)
        self.assertEqual(kind, b"P6")
        width, height = int(width), int(height)
        dark = [divmod(i // 3, width) for i in range(0, 3 * width * height, 3) if max(pixels[i:i + 3]) < 128]
        if not dark:
            return None
        rows, columns = sorted({row for row, _ in dark}), sorted({column for _, column in dark})
        spans = {"above": height // 2 - rows[0], "below": rows[-1] - height // 2, "left": width // 2 - columns[0],
                 "right": columns[-1] - width // 2}
        longest = max(spans, key=spans.get)
        return longest if spans[longest] > 2 * sorted(spans.values())[-2] else None

    def test_its_content_turns_and_survives_absence_and_restart(self):
        session = self.folder / "session"
        session.mkdir(mode=0o700)
        (session / "config").write_text("output * resolution 400x400\n")
        self.environment = clean_environment(
            XDG_RUNTIME_DIR=session, WLR_BACKENDS="headless", WLR_RENDERER="pixman", WLR_LIBINPUT_NO_DEVICES=1,
            WAYLAND_DISPLAY="wayland-1", GDK_BACKEND="wayland", GSK_RENDERER="cairo", GTK_THEME="Default", PYTHONPATH=PYTHON,
            ORIENTATION_BACKEND="varlink", ORIENTATIOND_SOCKET=self.folder / "daemon.sock", GSETTINGS_BACKEND="memory")
        compositor = {name: value for name, value in self.environment.items() if name != "WAYLAND_DISPLAY"}
        command = ["sway", "--config", session / "config"]
        if os.getuid() == 0:
            # sway does not run as root.
            os.chmod(self.folder, 0o711)
            os.chown(session, 65534, 65534)
            command = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", *command]
        Program(self, *command, environment=compositor)
        wait((session / "wayland-1").exists, "sway")
        window = Program(self, "/usr/bin/python3", EXAMPLES / "window.py", environment=self.environment, stderr=sys.stderr)
        daemon = Daemon(self, self.folder)
        for edge in ("top", "left"):
            daemon.edge = edge
            daemon.start()
            wait(lambda: self.side() == self.SIDES[edge], f"the text at the start with the {edge} edge up")
            for other in ("bottom", "right"):
                daemon.turn(other)
                wait(lambda: self.side() == self.SIDES[other], f"the text after the turn to the {other} edge")
            daemon.stop()
        self.assertIsNone(window.process.poll())


@unittest.skipIf(OTHER_PROGRAM, "does not run the program")
class FuzzTests(Case):
    def test_the_readers_withstand_mutated_replies(self):
        if not (BUILD / "fuzz").exists():
            self.skipTest("clang with libFuzzer was not found")
        corpus = self.folder / "corpus"
        corpus.mkdir()
        # The first byte chooses the reader.
        for seed in (ROOT / "Fuzzing/ClientCorpus").iterdir():
            for reader in range(4):
                (corpus / f"{seed.name}-{reader}").write_bytes(bytes([reader]) + seed.read_bytes())
        result = subprocess.run(
            [BUILD / "fuzz", f"-max_total_time={os.environ.get('SECONDS') or 10}", "-max_len=2048", "-timeout=10",
             f"-artifact_prefix={BUILD}/", f"-dict={ROOT}/Fuzzing/client.dict", corpus],
            capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr[-3000:])


def run_all():
    """Run the classes at the same time, because their tests mostly wait; return the exit status."""
    names = [name for name, value in globals().items() if isinstance(value, type) and issubclass(value, Case) and value is not Case]
    processes = [(name, subprocess.Popen([__file__, name], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)) for name in names]
    for name, process in processes:
        print(f"{name}:", process.communicate()[0].decode(errors="replace"), sep="\n", flush=True)
    return max(process.returncode for _, process in processes)


if __name__ == "__main__":
    if len(sys.argv) == 1:
        sys.exit(run_all())
    unittest.main(verbosity=2)

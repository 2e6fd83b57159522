# SPDX-License-Identifier: Apache-2.0
"""D-Bus: floods of calls to the service of desktops, while another user claims the accelerometer."""

import contextlib
import functools
import itertools
import select
import struct
import time
from collections import Counter
from collections.abc import Iterator

import varlink
from attack import Attack, Environment, Target
from bus import (
    BUS, MEMBER, NO_AUTO_START, NO_REPLY, PROPERTIES, SENDER, SENSOR_PROXY, BusClient, Message, Refused, call, claim, private_bus)
from daemon import SETTLE, Daemon
from users import REFERENCE, Child

# The limit of claims per user (ClaimTable.claimsPerUser), and the number of claiming clients.
QUOTA, CLIENTS = 32, 100
# The connections of a flood: the bus permits 256 of one user.
FLOODING = 240
# The calls of a client that wait for polkit (ClaimTable.callsPerClient), and a header field that the specification lacks.
PENDING, UNKNOWN = 8, 100
# The duration of a flood, and the timeout of a claim, in seconds.
FLOOD, TIMEOUT = 15.0, 2 * varlink.ANSWER
# The most memory in KiB, and the lines of a log without those of clients: three at the start, and one for each sensor that a
# claim starts.
MEMORY, LINES = 64 << 10, 6
SENSORS = "Accelerometer", "Light", "Proximity"
LIMIT = "org.freedesktop.DBus.Error.LimitsExceeded"
FAILS = (OSError, EOFError, Refused)
NAME, PLACE = SENSOR_PROXY
LONG = "x" * (1 << 20)
# Calls whose errors would repeat a text of 1 MB.
OVERSIZED = [call(NAME, f"/{LONG}", NAME, "ClaimAccelerometer"), call(NAME, PLACE, PROPERTIES, "GetAll", LONG),
             call(NAME, PLACE, PROPERTIES, "Get", NAME, LONG), call(NAME, f"/{LONG}", PROPERTIES, "Get", LONG, LONG)]
READS = [call(NAME, PLACE, PROPERTIES, "GetAll", NAME)]
CLAIMS = [claim(sensor, method) for sensor in SENSORS for method in ("Claim", "Claim", "Release")]


def address(path: str) -> str:
    return path.removesuffix("socket") + "bus"


def claims(target: Target) -> str:
    """Claim on many connections, then claim and disconnect repeatedly."""
    clients = [BusClient(address(target.path), varlink.ANSWER) for _ in range(CLIENTS)]
    results: Counter[str] = Counter()
    for client in clients:
        try:
            client.claim()
            results["claims"] += 1
        except Refused as error:
            results[str(error)] += 1
    assert results["claims"] <= QUOTA, f"one user has {results['claims']} claims"
    assert set(results) <= {"claims", LIMIT}, f"{results}"
    for number, _ in enumerate(target.attempts()):
        with contextlib.suppress(*FAILS):
            clients[number % CLIENTS].close()
            clients[number % CLIENTS] = BusClient(address(target.path), varlink.ANSWER)
            # Without waiting for the reply: calls and disconnects cross on the bus.
            for client in clients[number % CLIENTS::QUOTA]:
                client.send(claim(SENSORS[number % len(SENSORS)]))
    return f"{results['claims']} of {CLIENTS} clients of one user could claim"


def flood(messages: list[Message], target: Target) -> str:
    """Send calls on many connections as fast as the bus reads them; read no reply. Half of the calls expect one."""
    poll, clients, rest = select.poll(), {}, {}
    for _ in range(FLOODING):
        client = BusClient(address(target.path), varlink.ANSWER)
        client.socket.setblocking(False)
        poll.register(client.socket, select.POLLOUT)
        clients[client.socket.fileno()] = client
    data = [message.data(1) for message in messages]
    quiet = [Message(each.kind, each.fields, each.body, NO_AUTO_START | NO_REPLY).data(1) for each in messages]
    sent = 0
    for serial in itertools.count(2):
        if target.left <= 0:
            return f"{sent >> 20} MB sent"
        for file, events in poll.poll(100):
            if not rest.get(file):
                chosen = (data if file % 2 else quiet)[serial % len(data)]
                # The bus refuses a second call with the serial of a pending one.
                rest[file] = memoryview(chosen[:8] + struct.pack("<I", serial) + chosen[12:])
            try:
                count = clients[file].socket.send(rest[file])
                rest[file], sent = rest[file][count:], sent + count
            except BlockingIOError:
                pass
            except OSError:
                poll.unregister(file)


def keep(target: Target) -> str:
    """Claim as often as a client may while polkit decides, each time with an unknown header field of 1 MB, which dbus-broker
    forwards."""
    heavy = claim("Accelerometer")
    heavy.fields[UNKNOWN] = LONG
    clients = [BusClient(address(target.path), varlink.ANSWER) for _ in range(QUOTA)]
    for client in clients:
        for _ in range(PENDING):
            client.send(heavy)
    for client in clients:
        # Answered once the bus has forwarded the claims.
        client.ask("GetNameOwner", NAME)
    for _ in target.attempts():
        time.sleep(0.1)
    return f"{len(clients) * PENDING} claims sent"


@contextlib.contextmanager
def on_a_bus(kind: str, environment: Environment, polkit: str = "allow") -> Iterator[Daemon]:
    """A daemon on a bus, with a claim."""
    with private_bus(environment, kind, polkit) as bus:
        daemon = Daemon(environment.programs, environment.folder, ("--dbus", "--sensor", "fake:"),
                        environment={"DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={bus}"})
        daemon.claimant = BusClient(bus, varlink.ANSWER)
        while daemon.claimant.call(call(*BUS, BUS[0], "NameHasOwner", NAME)).body == bytes(4):
            time.sleep(0.02)
        if polkit == "allow":
            daemon.claimant.claim()
        try:
            yield daemon
        finally:
            daemon.claimant.close()
            ended = daemon.end()
            environment.expect(not ended, ended)


def turn(daemon: Daemon, pose: str) -> None:
    with varlink.Client(daemon.path) as client:
        client.call("org.orientationd.Simulator.SetPose", pose=pose)


def has_claim(daemon: Daemon) -> bool:
    """Turn the device to its left edge; return whether the claimant receives that from the owner of the name."""
    client = BusClient(address(daemon.path), varlink.ANSWER)
    owner = client.ask("GetNameOwner", NAME)[0]
    client.close()
    turn(daemon, "landscapeRight")
    with contextlib.suppress(OSError, EOFError):
        while True:
            message = daemon.claimant.next()
            if message.fields.get(MEMBER) == "PropertiesChanged" and message.fields[SENDER] == owner \
                    and b"left-up" in message.body:
                return True
    return False


def delay_of_claim(daemon: Daemon, user: int) -> float | str:
    """Claim as a user; return the delay of the reply in seconds, or why there was none."""
    def attempt() -> float:
        client = BusClient(address(daemon.path), TIMEOUT)
        start = time.monotonic()
        client.claim()
        client.close()
        return time.monotonic() - start

    try:
        return Child(user, attempt).wait(TIMEOUT) or f"no reply within {TIMEOUT:.0f} s"
    except RuntimeError as error:
        return str(error).strip().splitlines()[-1].rsplit(".", 1)[-1]


def others_can_claim(environment: Environment, daemon: Daemon) -> None:
    """Check the claims of another user and of root."""
    for user in (REFERENCE + 1, 0):
        delay = delay_of_claim(daemon, user)
        environment.expect(isinstance(delay, float), f"user {user} cannot claim: {delay}")


def under_flood(environment: Environment, daemon: Daemon) -> None:
    """Measure the claims of another user. The bus itself delays or refuses them: that fails no row."""
    results, end = [], time.monotonic() + FLOOD / 2 - 1
    while time.monotonic() < end:
        delay = delay_of_claim(daemon, REFERENCE + 1)
        results.append(f"{delay:.2f} s" if isinstance(delay, float) else delay)
    environment.remarks.append(f"claims of another user: {', '.join(results)}")


def after_flood(environment: Environment, daemon: Daemon) -> None:
    """Check that no claim has ended, and that others can claim once the bus has delivered what it holds."""
    stays_small(environment, daemon)
    environment.expect(has_claim(daemon), "the claim has ended")
    end = time.monotonic() + SETTLE
    while isinstance(delay_of_claim(daemon, 0), str) and time.monotonic() < end:
        pass
    others_can_claim(environment, daemon)


def stays_small(environment: Environment, daemon: Daemon) -> None:
    lines = len(daemon.log_text().splitlines())
    environment.expect(daemon.peak() < MEMORY, f"the daemon took {daemon.peak()} KiB")
    environment.expect(lines <= LINES, f"{lines} log lines")
    environment.remarks.append(f"peak {daemon.peak()} KiB, {lines} log lines")


ROWS = [Attack("claims of one user", claims, stage=functools.partial(on_a_bus, "dbus-daemon"), during=others_can_claim)]
for kind in ("dbus-daemon", "dbus-broker"):
    stage = functools.partial(on_a_bus, kind)
    ROWS += [Attack(f"{kind}: {name}", functools.partial(flood, messages), stage=stage, seconds=FLOOD, rounds=1,
                    during=under_flood, after=after_flood)
             for name, messages in (("calls of 1 MB", OVERSIZED), ("unread replies", READS), ("unread claims", CLAIMS))]
    ROWS.append(Attack(f"{kind}: claims of 1 MB that wait", keep, stage=functools.partial(stage, polkit="silent"), rounds=1,
                       after=stays_small))

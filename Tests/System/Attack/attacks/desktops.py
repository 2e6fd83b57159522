# SPDX-License-Identifier: Apache-2.0
"""D-Bus: a user that claims the sensors continuously, and other users that claim the accelerometer once."""

import contextlib
from collections import Counter
from collections.abc import Iterator

import varlink
from attack import Attack, Environment, Target
from bus import BusClient, Refused, private_bus
from daemon import Daemon
from users import REFERENCE, Child

# The limit of claims per user (ClaimTable.claimsPerUser), and the number of claiming clients.
QUOTA, CLIENTS = 32, 100
SENSORS = "Accelerometer", "Light", "Proximity"
LIMIT = "org.freedesktop.DBus.Error.LimitsExceeded"
FAILS = (OSError, EOFError, Refused)


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
                method = f"Claim{SENSORS[number % len(SENSORS)]}"
                client.send("net.hadess.SensorProxy", "/net/hadess/SensorProxy", method)
    return f"{results['claims']} of {CLIENTS} clients of one user could claim"


@contextlib.contextmanager
def on_a_bus(environment: Environment) -> Iterator[Daemon]:
    with private_bus(environment) as bus:
        daemon = Daemon(environment.programs, environment.folder, ("--dbus", "--sensor", "fake:"),
                        environment={"DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={bus}"})
        try:
            yield daemon
        finally:
            ended = daemon.end()
            environment.expect(not ended, ended)


def others_can_claim(environment: Environment, daemon: Daemon) -> None:
    """Check the claims of another user and of root."""
    def claim() -> None:
        client = BusClient(address(daemon.path), varlink.ANSWER)
        client.claim()
        client.close()

    child = Child(REFERENCE + 1, claim)
    for name, wait in (("another user", lambda: child.wait(varlink.ANSWER)), ("root", claim)):
        try:
            wait()
        except (RuntimeError, *FAILS) as error:
            environment.expect(False, f"{name} cannot claim: {str(error).strip().splitlines()[-1]}")


ROWS = [Attack("claims of one user", claims, stage=on_a_bus, during=others_can_claim)]

# SPDX-License-Identifier: Apache-2.0
"""org.orientationd.Orientation as a class for PyPI's `asyncvarlink`, which checks every name and type."""
import collections.abc
import dataclasses
import enum

from asyncvarlink import VarlinkInterface, varlinkmethod

Edge = enum.Enum("Edge", ["portrait", "portraitUpsideDown", "landscapeLeft", "landscapeRight"])
DeviceOrientation = enum.Enum("DeviceOrientation", ["unknown", *Edge.__members__, "faceUp", "faceDown"])


@dataclasses.dataclass
class State:
    orientation: DeviceOrientation
    locked: bool
    sequence: int
    instance: str
    timestamp: int
    lastEdge: Edge | None = None
    tilt: float | None = None
    disturbance: float | None = None
    lockedTo: Edge | None = None
    tabletMode: bool | None = None
    lidAngle: int | None = None
    tabletSwitchOverruled: bool | None = None
    sensor: str | None = None
    reason: str | None = None
    natural: Edge | None = None
    rotation: int | None = None


class Orientation(VarlinkInterface, name="org.orientationd.Orientation"):
    @varlinkmethod(return_parameter="state")
    def Get(self) -> State:
        raise NotImplementedError

    @varlinkmethod(return_parameter="state")
    def Monitor(self) -> collections.abc.Iterator[State]:
        raise NotImplementedError

    @varlinkmethod(return_parameter="sensors")
    def ListSensors(self) -> list[str]:
        raise NotImplementedError

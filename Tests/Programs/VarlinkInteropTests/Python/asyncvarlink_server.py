# SPDX-License-Identifier: Apache-2.0
"""Serve org.example.lamp with PyPI's `asyncvarlink`.

    asyncvarlink_server.py SOCKET
"""
import asyncio
import collections.abc
import enum
import sys

from asyncvarlink import (
    TypedVarlinkErrorReply, VarlinkInterface, VarlinkInterfaceRegistry, create_unix_server, varlinkmethod,
)
from asyncvarlink.serviceinterface import VarlinkServiceInterface


class Colour(enum.Enum):
    red = "red"
    green = "green"


class TooBright(TypedVarlinkErrorReply, interface="org.example.lamp"):
    class Parameters:
        maximum: float


class Lamp(VarlinkInterface, name="org.example.lamp"):
    """A lamp."""

    errors = (TooBright,)

    @varlinkmethod(return_parameter="lit")
    def Light(self, *, colour: Colour, brightness: float | None = None) -> dict[str, list[str]]:
        if brightness is not None and brightness > 1:
            raise TooBright(maximum=1.0)
        return {"colours": [colour.value]}

    @varlinkmethod(return_parameter="count")
    def Blink(self, *, times: int) -> collections.abc.Iterator[int]:
        yield from range(1, times + 1)


async def main():
    registry = VarlinkInterfaceRegistry()
    registry.register_interface(Lamp())
    registry.register_interface(VarlinkServiceInterface("Example", "lamp", "1", "https://example.org", registry))
    server = await create_unix_server(registry.protocol_factory, sys.argv[1])
    print("ready")
    async with server:
        await server.serve_forever()


asyncio.run(main())

# SPDX-License-Identifier: Apache-2.0
"""Call a service of org.orientationd.Orientation with PyPI's `asyncvarlink` and the interface before `natural` and
`rotation` were added to State.

    asyncvarlink_former_client.py SOCKET
"""
import asyncio
import collections.abc
import dataclasses
import sys

from asyncvarlink import VarlinkClientProtocol, VarlinkInterface, connect_unix_varlink, varlinkmethod

from orientation_interface import State

FormerState = dataclasses.make_dataclass("FormerState", [
    (field.name, field.type, dataclasses.field(default=field.default))
    for field in dataclasses.fields(State) if field.name not in ("natural", "rotation")])


class Orientation(VarlinkInterface, name="org.orientationd.Orientation"):
    @varlinkmethod(return_parameter="state")
    def Get(self) -> FormerState:
        raise NotImplementedError

    @varlinkmethod(return_parameter="state")
    def Monitor(self) -> collections.abc.Iterator[FormerState]:
        raise NotImplementedError


async def main():
    transport, protocol = await connect_unix_varlink(VarlinkClientProtocol, sys.argv[1])
    orientation = protocol.make_proxy(Orientation)
    for what, call in [("get", orientation.Get), ("monitor", orientation.Monitor().__anext__)]:
        try:
            await call()
            print(f"{what}: accepted")
        except Exception as error:
            print(f"{what}: {type(error).__name__}: {error}", flush=True)
    transport.close()


asyncio.run(main())

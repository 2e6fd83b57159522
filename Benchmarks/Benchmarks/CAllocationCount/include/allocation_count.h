// SPDX-License-Identifier: Apache-2.0
#pragma once

/// How many times this process has allocated memory.
long allocation_count(void);

// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Returns the number of allocations of this process.
long allocation_count(void);

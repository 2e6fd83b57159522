// SPDX-License-Identifier: Apache-2.0
// Swift imports every function in use; only the variadic json_pack and json_unpack are not importable.
#include <jansson.h>

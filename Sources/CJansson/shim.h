// SPDX-License-Identifier: Apache-2.0
// Nothing to add: Swift imports all that is used of jansson. The variadic json_pack and json_unpack do not come
// through, and are not missed.
#include <jansson.h>

// SPDX-License-Identifier: Apache-2.0
//
// The functions of libiio that IIOSensing calls: each forwards to the function of the loaded library.
#include "CIIO.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// FUNCTION(result, name, parameters, arguments)
#define FUNCTIONS                                                                                                    \
    FUNCTION(void, iio_buffer_destroy, (struct iio_buffer *b), (b))                                                  \
    FUNCTION(void *, iio_buffer_first, (const struct iio_buffer *b, const struct iio_channel *c), (b, c))            \
    FUNCTION(int, iio_buffer_get_poll_fd, (struct iio_buffer *b), (b))                                               \
    FUNCTION(ssize_t, iio_buffer_refill, (struct iio_buffer *b), (b))                                                \
    FUNCTION(int, iio_buffer_set_blocking_mode, (struct iio_buffer *b, bool blocking), (b, blocking))                \
    FUNCTION(const char *, iio_channel_attr_get_filename, (const struct iio_channel *c, const char *a), (c, a))      \
    FUNCTION(ssize_t, iio_channel_attr_read, (const struct iio_channel *c, const char *a, char *to, size_t n),       \
             (c, a, to, n))                                                                                          \
    FUNCTION(ssize_t, iio_channel_attr_write, (const struct iio_channel *c, const char *a, const char *from),        \
             (c, a, from))                                                                                           \
    FUNCTION(void, iio_channel_disable, (struct iio_channel *c), (c))                                                \
    FUNCTION(void, iio_channel_enable, (struct iio_channel *c), (c))                                                 \
    FUNCTION(const char *, iio_channel_find_attr, (const struct iio_channel *c, const char *a), (c, a))              \
    FUNCTION(const struct iio_data_format *, iio_channel_get_data_format, (const struct iio_channel *c), (c))        \
    FUNCTION(bool, iio_channel_is_scan_element, (const struct iio_channel *c), (c))                                  \
    FUNCTION(void, iio_context_destroy, (struct iio_context *c), (c))                                                \
    FUNCTION(struct iio_device *, iio_context_get_device, (const struct iio_context *c, unsigned int i), (c, i))     \
    FUNCTION(unsigned int, iio_context_get_devices_count, (const struct iio_context *c), (c))                        \
    FUNCTION(int, iio_context_set_timeout, (struct iio_context *c, unsigned int ms), (c, ms))                        \
    FUNCTION(struct iio_context *, iio_create_context_from_uri, (const char *uri), (uri))                            \
    FUNCTION(struct iio_context *, iio_create_local_context, (void), ())                                             \
    FUNCTION(ssize_t, iio_device_attr_read, (const struct iio_device *d, const char *a, char *to, size_t n),         \
             (d, a, to, n))                                                                                          \
    FUNCTION(ssize_t, iio_device_attr_write, (const struct iio_device *d, const char *a, const char *from),          \
             (d, a, from))                                                                                           \
    FUNCTION(int, iio_device_buffer_attr_read_bool, (const struct iio_device *d, const char *a, bool *to),           \
             (d, a, to))                                                                                             \
    FUNCTION(int, iio_device_buffer_attr_write_bool, (const struct iio_device *d, const char *a, bool value),        \
             (d, a, value))                                                                                          \
    FUNCTION(struct iio_buffer *, iio_device_create_buffer, (const struct iio_device *d, size_t n, bool cyclic),     \
             (d, n, cyclic))                                                                                         \
    FUNCTION(const char *, iio_device_find_attr, (const struct iio_device *d, const char *a), (d, a))                \
    FUNCTION(struct iio_channel *, iio_device_find_channel,                                                          \
             (const struct iio_device *d, const char *name, bool output), (d, name, output))                         \
    FUNCTION(const char *, iio_device_get_id, (const struct iio_device *d), (d))                                     \
    FUNCTION(const char *, iio_device_get_label, (const struct iio_device *d), (d))                                  \
    FUNCTION(const char *, iio_device_get_name, (const struct iio_device *d), (d))                                   \
    FUNCTION(int, iio_device_get_trigger, (const struct iio_device *d, const struct iio_device **to), (d, to))       \
    FUNCTION(bool, iio_device_is_trigger, (const struct iio_device *d), (d))                                         \
    FUNCTION(int, iio_device_set_kernel_buffers_count, (const struct iio_device *d, unsigned int n), (d, n))         \
    FUNCTION(int, iio_device_set_trigger, (const struct iio_device *d, const struct iio_device *t), (d, t))

#define FUNCTION(result, name, parameters, arguments)                                                                \
    static result(*loaded_##name) parameters;                                                                        \
    result name parameters { return loaded_##name arguments; }
FUNCTIONS
#undef FUNCTION

static const struct {
    const char *name;
    void *pointer; // to a pointer to a function
} functions[] = {
#define FUNCTION(result, name, parameters, arguments) {#name, &loaded_##name},
    FUNCTIONS
#undef FUNCTION
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
// Guarded by the mutex.
static void *library;
static size_t users;

// Looks up all functions, up to the first that is missing. Without a library, sets all to NULL.
static bool find_functions(void) {
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        void *found = library ? dlsym(library, functions[i].name) : NULL;
        memcpy(functions[i].pointer, &found, sizeof found);
        if (library && !found)
            return false;
    }
    return library != NULL;
}

static void close_library(void) {
    if (library)
        dlclose(library);
    library = NULL;
    find_functions();
}

static bool open_library(char *reason, size_t size) {
    library = dlopen("libiio.so.0", RTLD_LAZY | RTLD_LOCAL);
    if (find_functions())
        return true;
    const char *error = dlerror();
    snprintf(reason, size, "%s", error ? error : "libiio.so.0: unknown error");
    close_library();
    return false;
}

bool ciio_load(char *reason, size_t size) {
    pthread_mutex_lock(&mutex);
    bool is_loaded = users > 0 || open_library(reason, size);
    if (is_loaded)
        users++;
    pthread_mutex_unlock(&mutex);
    return is_loaded;
}

void ciio_unload(void) {
    pthread_mutex_lock(&mutex);
    if (--users == 0)
        close_library();
    pthread_mutex_unlock(&mutex);
}

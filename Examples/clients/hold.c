// SPDX-License-Identifier: Apache-2.0
// Hold landscape in C without libraries, until Ctrl-C: cc -o hold hold.c && ./hold [SOCKET]
//
// The session agent, orientation-autorotate, replies now and after each change. The hold ends with the connection. This
// program prints the raw replies; parse them with a JSON library.
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(int argc, char **argv) {
    // The NUL of the literal terminates the message.
    static const char call[] =
        "{\"method\":\"org.orientationd.Interface.Hold\",\"more\":true,"
        "\"parameters\":{\"supported\":[\"landscapeLeft\",\"landscapeRight\"]}}";

    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const char *folder = getenv("XDG_RUNTIME_DIR");
    int length = argc > 1 ? snprintf(address.sun_path, sizeof address.sun_path, "%s", argv[1])
                          : snprintf(address.sun_path, sizeof address.sun_path,
                                     "%s/orientation-autorotate/socket", folder ? folder : "");
    if (length < 0 || (size_t)length >= sizeof address.sun_path) {
        fprintf(stderr, "hold: the path is too long\n");
        return 1;
    }
    int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connection < 0 || connect(connection, (struct sockaddr *)&address, sizeof address) < 0) {
        perror(address.sun_path);
        return 1;
    }
    if (send(connection, call, sizeof call, MSG_NOSIGNAL) != sizeof call) {
        perror("send");
        return 1;
    }
    char buffer[4096];
    ssize_t count;
    while ((count = read(connection, buffer, sizeof buffer)) > 0) {
        for (ssize_t i = 0; i < count; i++)
            putchar(buffer[i] ? buffer[i] : '\n');
        fflush(stdout);
    }
    close(connection);
    return 0;
}

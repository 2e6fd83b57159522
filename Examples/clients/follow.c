// SPDX-License-Identifier: Apache-2.0
// Follow how the device is held, with plain C: cc -o follow follow.c && ./follow [SOCKET]
//
// One JSON object per message, ended by a NUL. The first reply is the state now, each further one a change. This prints
// the replies as they come; a real program hands them to a JSON library.
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(int argc, char **argv) {
    const char *path = argc > 1 ? argv[1] : "/run/orientationd/orientationd.sock";
    // The terminating NUL of the literal is that of the message.
    static const char call[] = "{\"method\":\"org.orientationd.Orientation.Monitor\",\"more\":true}";

    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        fprintf(stderr, "the path is too long\n");
        return 1;
    }
    strcpy(address.sun_path, path);
    int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connection < 0 || connect(connection, (struct sockaddr *)&address, sizeof address) < 0) {
        perror(path);
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

// SPDX-License-Identifier: Apache-2.0
// Subscribe to the orientation in C without libraries: cc -o follow follow.c && ./follow [SOCKET]
//
// A message is a JSON object followed by a NUL. The first reply is the current state, each further reply a change. This
// program prints the raw replies; parse them with a JSON library.
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(int argc, char **argv) {
    const char *path = argc > 1 ? argv[1] : "/run/orientationd/orientationd.sock";
    // The NUL of the literal terminates the message.
    static const char call[] = "{\"method\":\"org.orientationd.Orientation.Monitor\",\"more\":true}";

    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        fprintf(stderr, "follow: the path is too long\n");
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

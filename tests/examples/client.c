/* client - talks to the servers of the examples over a Unix socket.
 *
 *   client SOCKET              sends the lines of standard input one by one and shows the answers
 *   client SOCKET -n N LINE    sends a line N times and shows each different answer once
 *   client SOCKET -t N LINE    opens N connections, then sends the line on each, and shows how many different answers came
 *
 * An answer that does not come is an error.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { MAX_TOGETHER = 256, MAX_LINE = 1 << 16 };

struct connection {
    FILE *in, *out;
};

static struct connection open_connection(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    if (fd < 0 || strlen(path) >= sizeof address.sun_path)
        exit(2);
    strcpy(address.sun_path, path);
    if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0) {
        perror(path);
        exit(1);
    }
    return (struct connection){fdopen(fd, "r"), fdopen(dup(fd), "w")};
}

static void say(struct connection server, const char *line)
{
    fprintf(server.out, "%s\n", line);
    fflush(server.out);
}

static void hear(struct connection server, char *answer)
{
    if (fgets(answer, MAX_LINE, server.in) == NULL) {
        fputs("client: no answer\n", stderr);
        exit(1);
    }
}

static void talk(struct connection server)
{
    static char line[MAX_LINE], answer[MAX_LINE];
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        say(server, line);
        hear(server, answer);
        fputs(answer, stdout);
    }
}

static void repeat(struct connection server, int times, const char *line)
{
    static char answer[MAX_LINE], last[MAX_LINE];
    for (int i = 0; i < times; i++) {
        say(server, line);
        hear(server, answer);
        if (strcmp(answer, last) != 0)
            fputs(answer, stdout);
        strcpy(last, answer);
    }
}

static void together(const char *path, int times, const char *line)
{
    static struct connection servers[MAX_TOGETHER];
    static char answers[MAX_TOGETHER][128], answer[MAX_LINE];
    int different = 0;

    for (int i = 0; i < times; i++)
        servers[i] = open_connection(path);
    for (int i = 0; i < times; i++)
        say(servers[i], line);
    for (int i = 0; i < times; i++) {
        hear(servers[i], answer);
        snprintf(answers[i], sizeof answers[i], "%.120s", answer);
        int k = 0;
        while (k < i && strcmp(answers[k], answers[i]) != 0)
            k++;
        different += k == i;
    }
    for (int i = 0; i < times; i++) {
        fclose(servers[i].in);
        fclose(servers[i].out);
    }
    printf("%d connections at once, %d different answers\n", times, different);
}

int main(int argc, char **argv)
{
    int times = argc == 5 ? atoi(argv[3]) : 0;
    if (argc == 2)
        talk(open_connection(argv[1]));
    else if (argc == 5 && strcmp(argv[2], "-n") == 0)
        repeat(open_connection(argv[1]), times, argv[4]);
    else if (argc == 5 && strcmp(argv[2], "-t") == 0 && times <= MAX_TOGETHER)
        together(argv[1], times, argv[4]);
    else
        return 2;
    return 0;
}

/* serve.c - requests on a Unix socket, a new configuration on SIGHUP.
 *
 * A request is a line `METHOD PATH IP USER SIZE`, with `-` for no user; the answer is a line `ACTION (RULE)`.
 *
 * A configuration is loaded by a thread of its own, so that requests go on meanwhile. It comes back through a pipe; only
 * then, and only if nothing is wrong with it, it takes the place of the one in force. Nothing of libhcl is tied to the
 * thread that made it.
 */
#define _POSIX_C_SOURCE 200809L
#include "serve.h"

#include "config.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { MAX_CLIENTS = 64, MAX_LINE = 512 };

struct client {
    int fd; /* -1: free */
    size_t used;
    char line[MAX_LINE];
};

struct server {
    const char *config_name;
    struct config *config;
    struct client clients[MAX_CLIENTS];
    int listener, loaded[2]; /* the ends of the pipe */
    bool loading;
    unsigned generation;
    pthread_t loader;
};

static volatile sig_atomic_t wants_reload, wants_end;

static void on_signal(int number)
{
    if (number == SIGHUP)
        wants_reload = 1;
    else
        wants_end = 1;
}

static void *load_in_background(void *context)
{
    struct server *server = context;
    struct config *next = load_config(server->config_name);
    while (write(server->loaded[1], &next, sizeof next) < 0 && errno == EINTR)
        ;
    return NULL;
}

static void begin_reload(struct server *server)
{
    wants_reload = 0;
    server->loading = pthread_create(&server->loader, NULL, load_in_background, server) == 0;
    if (!server->loading)
        fputs("gatewayd: no thread for the new configuration; the one in force stays\n", stderr);
}

static void finish_reload(struct server *server)
{
    struct config *next = NULL;
    if (read(server->loaded[0], &next, sizeof next) != (ssize_t)sizeof next)
        next = NULL;
    (void)pthread_join(server->loader, NULL);
    server->loading = false;
    if (next != NULL) {
        free_config(server->config);
        server->config = next;
        server->generation++;
        fprintf(stderr, "gatewayd: configuration %u is in force\n", server->generation);
    } else {
        fprintf(stderr, "gatewayd: %s can't be used; configuration %u stays in force\n", server->config_name,
                server->generation);
    }
}

static void answer(const struct server *server, const struct client *client)
{
    char method[16], path[256], ip[64], user[64], text[512];
    struct request request = {method, path, ip, user, 0};

    if (sscanf(client->line, "%15s %255s %63s %63s %lld", method, path, ip, user, &request.size) == 5) {
        if (strcmp(user, "-") == 0)
            request.user = NULL;
        struct decision d = decide(server->config, &request);
        snprintf(text, sizeof text, "%s (%s)\n", d.action, d.rule);
    } else {
        snprintf(text, sizeof text, "a request is: METHOD PATH IP USER SIZE\n");
    }
    for (size_t sent = 0, all = strlen(text); sent < all;) {
        ssize_t n = send(client->fd, text + sent, all - sent, MSG_NOSIGNAL);
        if (n < 0 && errno != EINTR)
            return; /* the client went: reading from it will say so */
        sent += n > 0 ? (size_t)n : 0;
    }
}

static void close_client(struct client *client)
{
    close(client->fd);
    client->fd = -1;
    client->used = 0;
}

/* Reads what a client sent, and answers every whole line of it. */
static void hear(const struct server *server, struct client *client)
{
    ssize_t n = read(client->fd, client->line + client->used, sizeof client->line - 1 - client->used);
    if (n <= 0) {
        if (n == 0 || errno != EINTR)
            close_client(client);
        return;
    }
    client->used += (size_t)n;
    for (char *end; (end = memchr(client->line, '\n', client->used)) != NULL;) {
        size_t length = (size_t)(end - client->line) + 1;
        *end = '\0';
        answer(server, client);
        memmove(client->line, client->line + length, client->used - length);
        client->used -= length;
    }
    if (client->used == sizeof client->line - 1)
        close_client(client); /* no request is that long */
}

static void admit(struct server *server)
{
    int fd = accept(server->listener, NULL, NULL);
    if (fd < 0)
        return;
    for (size_t i = 0; i < MAX_CLIENTS; i++) {
        if (server->clients[i].fd >= 0)
            continue;
        server->clients[i].fd = fd;
        return;
    }
    close(fd);
}

/* Waits for something to do. Signals are let in only here, so that none is missed. */
static bool wait_for_work(const struct server *server, fd_set *ready, const sigset_t *signals)
{
    int highest = server->listener;

    FD_ZERO(ready);
    FD_SET(server->listener, ready);
    FD_SET(server->loaded[0], ready);
    if (server->loaded[0] > highest)
        highest = server->loaded[0];
    for (size_t i = 0; i < MAX_CLIENTS; i++) {
        if (server->clients[i].fd < 0)
            continue;
        FD_SET(server->clients[i].fd, ready);
        if (server->clients[i].fd > highest)
            highest = server->clients[i].fd;
    }
    return pselect(highest + 1, ready, NULL, NULL, NULL, signals) > 0;
}

static void run(struct server *server, const sigset_t *signals)
{
    fd_set ready;

    while (!wants_end) {
        if (wants_reload && !server->loading)
            begin_reload(server);
        if (!wait_for_work(server, &ready, signals))
            continue;
        if (FD_ISSET(server->loaded[0], &ready))
            finish_reload(server);
        for (size_t i = 0; i < MAX_CLIENTS; i++)
            if (server->clients[i].fd >= 0 && FD_ISSET(server->clients[i].fd, &ready))
                hear(server, &server->clients[i]);
        if (FD_ISSET(server->listener, &ready))
            admit(server);
    }
    if (server->loading)
        finish_reload(server);
}

static int listen_on(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    if (fd < 0 || strlen(path) >= sizeof address.sun_path)
        return -1;
    strcpy(address.sun_path, path);
    (void)unlink(path);
    if (bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, MAX_CLIENTS) == 0)
        return fd;
    close(fd);
    return -1;
}

int serve(const char *socket_path, const char *config_name)
{
    static struct server server;
    struct sigaction action = {.sa_handler = on_signal};
    sigset_t blocked, signals;

    sigemptyset(&blocked);
    sigaddset(&blocked, SIGHUP);
    sigaddset(&blocked, SIGTERM);
    sigprocmask(SIG_BLOCK, &blocked, &signals);
    sigaction(SIGHUP, &action, NULL);
    sigaction(SIGTERM, &action, NULL);

    for (size_t i = 0; i < MAX_CLIENTS; i++)
        server.clients[i].fd = -1;
    server.config_name = config_name;
    server.generation = 1;
    server.config = load_config(config_name);
    if (server.config == NULL)
        return 1;
    server.listener = listen_on(socket_path);
    if (server.listener < 0 || pipe(server.loaded) != 0) {
        perror(socket_path);
        free_config(server.config);
        return 1;
    }
    fputs("gatewayd: configuration 1 is in force\n", stderr);
    run(&server, &signals);

    for (size_t i = 0; i < MAX_CLIENTS; i++)
        if (server.clients[i].fd >= 0)
            close_client(&server.clients[i]);
    close(server.listener);
    close(server.loaded[0]);
    close(server.loaded[1]);
    (void)unlink(socket_path);
    free_config(server.config);
    return 0;
}

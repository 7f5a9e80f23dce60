/* gatewayd - a small daemon and its configuration.
 *
 *   gatewayd CONFIG [NEXT-CONFIG ...]
 *
 * Reads CONFIG, prints what it means, and decides about a list of requests. Then it loads each NEXT-CONFIG as a
 * reload would: all that is wrong with one is shown at once, and the configuration before it stays in force.
 *
 *   gatewayd -s SOCKET CONFIG
 *
 * Serves requests on a Unix socket until SIGTERM; SIGHUP loads CONFIG again. See serve.c.
 */
#include "config.h"
#include "serve.h"

#include <stdio.h>
#include <string.h>

static void print_config(const struct config *config)
{
    for (size_t i = 0; i < config->n_listeners; i++) {
        const struct listener *l = &config->listeners[i];
        printf("listener %-8s %s:%lld%s\n", l->name, l->address, l->port, l->tls ? " (tls)" : "");
        for (const char *line = l->notice; *line != '\0';) {
            size_t n = strcspn(line, "\n");
            printf("    | %.*s\n", (int)n, line);
            line += n + (line[n] == '\n');
        }
    }
    for (size_t i = 0; i < config->n_upstreams; i++)
        printf("upstream %-8s %s, timeout %g s\n", config->upstreams[i].name, config->upstreams[i].servers,
               config->upstreams[i].timeout);
    for (size_t i = 0; i < config->n_rules; i++)
        printf("acl      %s: %s\n", config->rules[i].name, config->rules[i].action);
}

static void ask(const struct config *config, const struct request *request)
{
    struct decision d = decide(config, request);
    printf("%-5s %-4s %-16s from %-12s %-6s (%s)\n", d.action, request->method, request->path, request->ip,
           request->user != NULL ? request->user : "-", d.rule);
}

int main(int argc, char **argv)
{
    static const struct request requests[] = {
        {"GET", "/healthz", "203.0.113.9", NULL, 0},
        {"GET", "/admin/users", "203.0.113.9", "mallory", 0},
        {"GET", "/admin/users", "10.0.3.1", "alice", 0},
        {"PUT", "/upload", "203.0.113.9", "bob", 20LL * 1024 * 1024},
        {"POST", "/orders", "203.0.113.9", "bob", 512},
        {"POST", "/orders", "203.0.113.9", NULL, 512},
    };

    if (argc < 2 || (strcmp(argv[1], "-s") == 0 && argc != 4)) {
        fprintf(stderr, "usage: %s CONFIG [NEXT-CONFIG ...]\n       %s -s SOCKET CONFIG\n", argv[0], argv[0]);
        return 2;
    }
    if (!hcl_compatible(HCL_VERSION)) {
        fputs("gatewayd: the library is not the one that this program was built for\n", stderr);
        return 3;
    }
    if (strcmp(argv[1], "-s") == 0)
        return serve(argv[2], argv[3]);
    struct config *config = load_config(argv[1]);
    if (config == NULL)
        return 1;
    print_config(config);
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        ask(config, &requests[i]);
    for (int i = 2; i < argc; i++) {
        fflush(stdout);
        struct config *next = load_config(argv[i]);
        if (next == NULL) {
            printf("%s can't be used: the configuration before it stays in force\n", argv[i]);
        } else {
            free_config(config);
            config = next;
            printf("%s is in force\n", argv[i]);
        }
        ask(config, &requests[0]);
    }
    free_config(config);
    return 0;
}

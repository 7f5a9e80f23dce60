/* config.h - the daemon's own idea of its configuration. */
#ifndef CONFIG_H
#define CONFIG_H

#include <hcl.h>

#define MAX_ITEMS 64

struct listener {
    char *name, *address, *notice;
    long long port;
    bool tls;
};

struct upstream {
    char *name, *servers;
    double timeout;
};

struct rule {
    char *name, *action;
    hcl_program *when;
};

struct config {
    struct listener listeners[MAX_ITEMS];
    struct upstream upstreams[MAX_ITEMS];
    struct rule rules[MAX_ITEMS];
    size_t n_listeners, n_upstreams, n_rules;
    hcl_frame *frame; /* the slots of `request`, and the locals */
    size_t path, method, ip, user, size;
};

struct request {
    const char *method, *path, *ip, *user; /* user may be null */
    long long size;
};

struct decision {
    const char *action, *rule;
};

/* The configuration in a file; null, with everything that is wrong on standard error, when it can't be used. One thread
 * may load while another one decides with a configuration that it has. */
struct config *load_config(const char *name);
void free_config(struct config *config);

/* Asks the rules in order. The texts live as long as the configuration. */
struct decision decide(const struct config *config, const struct request *request);

#endif

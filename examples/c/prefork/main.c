/* prefork - a server that loads its rules once, then forks workers that evaluate them.
 *
 *   prefork SOCKET RULES [WORKERS]
 *
 * The parent parses and compiles; the workers find the compiled programs in the memory that they share with it, and each
 * makes a frame of its own. libhcl has no threads, no locks that are held over a fork and no state of a process, so
 * nothing has to be done again after fork().
 *
 * A request is a line `METHOD PATH IP USER SIZE`, the answer a line `worker N: ACTION (RULE)`. SIGTERM ends the server.
 */
#define _POSIX_C_SOURCE 200809L
#include <hcl.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_RULES = 64, MAX_WORKERS = 256 };

struct rule {
    char name[64], action[16];
    hcl_program *when;
};

static struct rule rules[MAX_RULES];
static size_t n_rules;
static hcl_scope *scope;
static size_t slot_method, slot_path, slot_ip, slot_size;

/* ---------------------------------------------------------------------------------------- loading, before the fork */

static bool report(hcl_diags *diags)
{
    hcl_buf *text = NULL;
    bool wrong = hcl_diags_has_errors(diags);
    if (wrong && hcl_diags_render(diags, NULL, &text) == HCL_OK)
        fputs(hcl_buf_str(text).ptr, stderr);
    hcl_buf_free(text);
    hcl_diags_free(diags);
    return wrong;
}

static bool make_scope(void)
{
    return hcl_scope_new(NULL, &scope) == HCL_OK && hcl_scope_builtins(scope, HCL_BUILTINS_TERRAFORM) == HCL_OK
        && hcl_scope_slot(scope, "request.method", HCL_NUL, &slot_method) == HCL_OK
        && hcl_scope_slot(scope, "request.path", HCL_NUL, &slot_path) == HCL_OK
        && hcl_scope_slot(scope, "request.ip", HCL_NUL, &slot_ip) == HCL_OK
        && hcl_scope_slot(scope, "request.size", HCL_NUL, &slot_size) == HCL_OK && hcl_scope_seal(scope) == HCL_OK;
}

/* The attribute of that name, compiled; null, with a complaint, when that can't be done. */
static hcl_program *compile(const hcl_block *block, const char *name)
{
    const hcl_attr *attr = hcl_body_attr_find(hcl_block_body(block), name, HCL_NUL);
    hcl_program *program = NULL;
    hcl_diags *diags = NULL;

    if (attr == NULL) {
        fprintf(stderr, "prefork: a rule has no \"%s\"\n", name);
        return NULL;
    }
    (void)hcl_program_compile(hcl_attr_expr(attr), scope, 0, &program, &diags);
    report(diags);
    return program;
}

static bool load_rule(const hcl_block *block, struct rule *rule)
{
    hcl_str label = hcl_block_label(block, 0), action = {"", 0};
    hcl_program *program = compile(block, "action");
    hcl_frame *frame = NULL;

    rule->when = compile(block, "when");
    bool ok = program != NULL && rule->when != NULL && hcl_frame_new(scope, &frame) == HCL_OK
        && hcl_eval_str(program, frame, &action, NULL) == HCL_OK;
    snprintf(rule->name, sizeof rule->name, "%.*s", (int)label.len, label.ptr);
    snprintf(rule->action, sizeof rule->action, "%.*s", (int)action.len, action.ptr);
    hcl_frame_free(frame);
    hcl_program_free(program);
    return ok;
}

static bool load_rules(const char *name)
{
    static char text[1 << 16];
    FILE *in = fopen(name, "rb");
    hcl_file *file = NULL;
    hcl_diags *diags = NULL;

    if (in == NULL) {
        perror(name);
        return false;
    }
    size_t length = fread(text, 1, sizeof text, in);
    fclose(in);
    bool ok = make_scope() && hcl_file_parse(name, HCL_NUL, text, length, NULL, &file, &diags) == HCL_OK;
    report(diags);
    const hcl_body *body = hcl_file_body(file);
    for (size_t i = 0; ok && i < hcl_body_block_count(body) && n_rules < MAX_RULES; i++)
        ok = load_rule(hcl_body_block_at(body, i), &rules[n_rules++]);
    hcl_file_free(file); /* the programs keep what they need of it */
    return ok;
}

static void free_rules(void)
{
    for (size_t i = 0; i < n_rules; i++)
        hcl_program_free(rules[i].when);
    hcl_scope_free(scope);
}

/* --------------------------------------------------------------------------------------- workers, after the fork */

static void decide(hcl_frame *frame, char *line, char *out, size_t room)
{
    char method[16], path[256], ip[64], user[64];
    long long size;

    if (sscanf(line, "%15s %255s %63s %63s %lld", method, path, ip, user, &size) != 5) {
        snprintf(out, room, "a request is: METHOD PATH IP USER SIZE");
        return;
    }
    (void)hcl_frame_set_str(frame, slot_method, method, HCL_NUL);
    (void)hcl_frame_set_str(frame, slot_path, path, HCL_NUL);
    (void)hcl_frame_set_str(frame, slot_ip, ip, HCL_NUL);
    (void)hcl_frame_set_i64(frame, slot_size, size);
    for (size_t i = 0; i < n_rules; i++) {
        bool holds = false;
        hcl_status status = hcl_eval_bool(rules[i].when, frame, &holds, NULL);
        if (status == HCL_OK && !holds)
            continue;
        /* a rule that can't be evaluated denies */
        snprintf(out, room, "%s (%s)", status == HCL_OK ? rules[i].action : "deny", rules[i].name);
        return;
    }
    snprintf(out, room, "deny (no rule)");
}

static volatile sig_atomic_t wants_end, client_fd = -1;

/* Wakes the worker, also when it waits for its client. */
static void on_term(int number)
{
    (void)number;
    wants_end = 1;
    if (client_fd >= 0)
        (void)shutdown(client_fd, SHUT_RDWR);
}

static void converse(hcl_frame *frame, int number)
{
    char line[512], text[128];
    FILE *in = fdopen(client_fd, "r"), *out = fdopen(dup(client_fd), "w");

    while (!wants_end && in != NULL && out != NULL && fgets(line, sizeof line, in) != NULL) {
        decide(frame, line, text, sizeof text);
        fprintf(out, "worker %d: %s\n", number, text);
        fflush(out);
    }
    client_fd = -1;
    if (out != NULL)
        fclose(out);
    if (in != NULL)
        fclose(in);
}

/* What a worker does: one client after the other, until the parent closes the door. */
static void work(int listener, int number, const sigset_t *signals)
{
    struct sigaction action = {.sa_handler = on_term};
    hcl_frame *frame = NULL;

    sigaction(SIGTERM, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    sigprocmask(SIG_SETMASK, signals, NULL);
    if (hcl_frame_new(scope, &frame) != HCL_OK)
        exit(3);
    while (!wants_end) {
        int fd = accept(listener, NULL, NULL);
        if (fd < 0 && errno != EINTR)
            break;
        client_fd = fd;
        if (fd >= 0)
            converse(frame, number);
    }
    hcl_frame_free(frame);
    free_rules();
    exit(0);
}

/* ----------------------------------------------------------------------------------------------------- the parent */

struct parent {
    int listener, n_workers;
    pid_t workers[MAX_WORKERS];
    sigset_t signals; /* what workers let in */
};

static void start(struct parent *parent, int worker)
{
    parent->workers[worker] = fork();
    if (parent->workers[worker] == 0)
        work(parent->listener, worker + 1, &parent->signals);
}

/* Starts a worker again when it ended, whatever for. */
static void replace_ended(struct parent *parent)
{
    for (pid_t gone; (gone = waitpid(-1, NULL, WNOHANG)) > 0;)
        for (int i = 0; i < parent->n_workers; i++)
            if (parent->workers[i] == gone)
                start(parent, i);
}

/* Keeps the workers running until SIGTERM, then ends them. */
static int mind(struct parent *parent)
{
    sigset_t wanted;
    int number = 0, failed = 0;

    sigemptyset(&wanted);
    sigaddset(&wanted, SIGTERM);
    sigaddset(&wanted, SIGCHLD);
    sigprocmask(SIG_BLOCK, &wanted, &parent->signals);
    for (int i = 0; i < parent->n_workers; i++)
        start(parent, i);
    fprintf(stderr, "prefork: %zu rules, %d workers\n", n_rules, parent->n_workers);
    while (sigwait(&wanted, &number) == 0 && number != SIGTERM)
        replace_ended(parent);

    (void)shutdown(parent->listener, SHUT_RDWR);
    for (int i = 0; i < parent->n_workers; i++)
        if (parent->workers[i] > 0)
            kill(parent->workers[i], SIGTERM);
    for (int status; waitpid(-1, &status, 0) > 0;)
        failed += status != 0;
    return failed == 0 ? 0 : 1;
}

static int listen_on(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    if (fd < 0 || strlen(path) >= sizeof address.sun_path)
        return -1;
    strcpy(address.sun_path, path);
    (void)unlink(path);
    if (bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, 128) == 0)
        return fd;
    close(fd);
    return -1;
}

int main(int argc, char **argv)
{
    static struct parent parent;

    parent.n_workers = argc > 3 ? atoi(argv[3]) : 50;
    if (argc < 3 || parent.n_workers < 1 || parent.n_workers > MAX_WORKERS) {
        fprintf(stderr, "usage: %s SOCKET RULES [WORKERS]\n", argv[0]);
        return 2;
    }
    int result = 1;
    if (hcl_compatible(HCL_VERSION) && load_rules(argv[2])) {
        parent.listener = listen_on(argv[1]);
        if (parent.listener >= 0) {
            result = mind(&parent);
            close(parent.listener);
            (void)unlink(argv[1]);
        } else {
            perror(argv[1]);
        }
    }
    free_rules();
    return result;
}

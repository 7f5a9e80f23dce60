/* config.c - from a file to a configuration, and from a configuration to decisions.
 *
 * What a program that reads block by block does with libhcl is here: parse a file, walk its blocks, declare names as
 * slots, provide a function, compile expressions once, evaluate them often, read values, show diagnostics.
 */
#include "config.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How much one expression of a configuration may do, when it is loaded and for each request: a mistake in a rule must not stop
 * the daemon. Everything that is 0 here is the library's default. */
static const hcl_limits LIMITS = {
    .size = sizeof LIMITS, .max_steps = 100000, .max_memory = 16 << 20, .timeout_ns = 1000000000};

/* ------------------------------------------------------------------------------------------------- complaints */

/* Problems of a file, found by the library or by the daemon. The list holds the sources that it is about. */
struct complaints {
    hcl_diags *list;
};

static void add_diags(struct complaints *all, hcl_diags *diags)
{
    (void)hcl_diags_append(&all->list, diags);
    hcl_diags_free(diags);
}

static hcl_place at_attr(const hcl_attr *attr, uint32_t part)
{
    hcl_place place;
    memset(&place, 0, sizeof place);
    place.size = sizeof place;
    place.attr = attr;
    place.part = part;
    return place;
}

static hcl_place at_block(const hcl_block *block)
{
    hcl_place place = at_attr(NULL, HCL_PLACE_HEADER);
    place.block = block;
    return place;
}

static hcl_place at_body(const hcl_body *body)
{
    hcl_place place = at_attr(NULL, HCL_PLACE_WHOLE);
    place.body = body;
    return place;
}

/* A complaint of the daemon, shown with its source line like those of the library. */
static void complain(struct complaints *all, hcl_place at, const char *code, const char *summary, const char *format, ...)
{
    char detail[512];
    hcl_diag diag;
    va_list args;

    va_start(args, format);
    vsnprintf(detail, sizeof detail, format, args);
    va_end(args);
    memset(&diag, 0, sizeof diag);
    diag.size = sizeof diag;
    diag.severity = HCL_SEVERITY_ERROR;
    diag.code = (hcl_str){code, HCL_NUL};
    diag.summary = (hcl_str){summary, HCL_NUL};
    diag.detail = (hcl_str){detail, HCL_NUL};
    (void)hcl_diags_add(&all->list, &diag, &at, NULL);
}

static void show(struct complaints *all)
{
    hcl_render_opts opts = {0};
    hcl_buf *text = NULL;

    opts.size = sizeof opts;
    opts.width = 100;
    hcl_diags_sort(all->list);
    if (hcl_diags_render(all->list, &opts, &text) == HCL_OK)
        fputs(hcl_buf_str(text).ptr, stderr);
    hcl_buf_free(text);
    hcl_diags_free(all->list);
    all->list = NULL;
}

/* --------------------------------------------------------------------------------------------- small helpers */

static bool is(hcl_str a, const char *b)
{
    return a.len == strlen(b) && memcmp(a.ptr, b, a.len) == 0;
}

static void *must(void *memory)
{
    if (memory == NULL) {
        fputs("gatewayd: out of memory\n", stderr);
        exit(3);
    }
    return memory;
}

static char *copy(hcl_str s)
{
    char *text = must(malloc(s.len + 1));
    memcpy(text, s.ptr, s.len);
    text[s.len] = '\0';
    return text;
}

/* What reading a result said. One that is unknown depends on something that failed, and that has been said. */
static void add_outcome(struct complaints *all, hcl_status status, hcl_diags *diags)
{
    if (status == HCL_ERR_UNKNOWN)
        hcl_diags_free(diags);
    else
        add_diags(all, diags);
}

/* env(NAME, DEFAULT): what the environment says, else the default. */
static int32_t env_function(void *user, hcl_call *call)
{
    hcl_str name;
    char text[256];

    (void)user;
    if (hcl_call_arg_str(call, 0, &name) != HCL_OK || name.len >= sizeof text) {
        (void)hcl_call_fail(call, 0, "is longer than any name of an environment variable", HCL_NUL);
        return 1;
    }
    memcpy(text, name.ptr, name.len);
    text[name.len] = '\0';
    const char *found = getenv(text);
    return found != NULL ? hcl_call_return_str(call, found, HCL_NUL) : hcl_call_return(call, hcl_call_arg(call, 1));
}

/* --------------------------------------------------------------------------------- reading single attributes */

/* What reading a body needs at hand. */
struct reader {
    const hcl_body *body;
    const hcl_scope *scope;
    hcl_frame *frame;
    struct complaints *wrong;
    const char *known[8]; /* the attributes asked for, to find those that nobody knows */
    size_t n_known;
};

/* The program of an attribute, owned by the caller; null when there is none, which is a complaint if it is needed. */
static hcl_program *compile(struct reader *r, const char *name, bool needed, const hcl_attr **attr)
{
    hcl_program *program = NULL;
    hcl_diags *diags = NULL;

    if (r->n_known < sizeof r->known / sizeof *r->known)
        r->known[r->n_known++] = name;
    *attr = hcl_body_attr_find(r->body, name, HCL_NUL);
    if (*attr == NULL) {
        if (needed)
            complain(r->wrong, at_body(r->body), "gatewayd.missing", "Missing setting", "\"%s\" is missing here.", name);
        return NULL;
    }
    if (hcl_program_compile(hcl_attr_expr(*attr), r->scope, 0, &program, &diags) != HCL_OK)
        program = NULL;
    add_diags(r->wrong, diags);
    return program;
}

static char *read_text(struct reader *r, const char *name, const char *fallback)
{
    const hcl_attr *attr;
    hcl_diags *diags = NULL;
    hcl_str text = {fallback, fallback != NULL ? strlen(fallback) : 0};
    hcl_program *program = compile(r, name, fallback == NULL, &attr);

    if (program == NULL)
        return copy(text.ptr != NULL ? text : (hcl_str){"", 0});
    hcl_status status = hcl_eval_str(program, r->frame, &text, &diags);
    char *result = copy(status == HCL_OK ? text : (hcl_str){"", 0});
    add_outcome(r->wrong, status, diags);
    hcl_program_free(program);
    return result;
}

static double read_number(struct reader *r, const char *name, double least, double below)
{
    const hcl_attr *attr;
    hcl_diags *diags = NULL;
    double number = least;
    hcl_program *program = compile(r, name, true, &attr);

    if (program == NULL)
        return least;
    hcl_status status = hcl_eval_f64(program, r->frame, &number, &diags);
    add_outcome(r->wrong, status, diags);
    if (status == HCL_OK && number < least)
        complain(r->wrong, at_attr(attr, HCL_PLACE_VALUE), "gatewayd.range", "Number out of range", "%s must be at least %.10g.", name, least);
    else if (status == HCL_OK && number >= below)
        complain(r->wrong, at_attr(attr, HCL_PLACE_VALUE), "gatewayd.range", "Number out of range", "%s must be below %.10g.", name, below);
    hcl_program_free(program);
    return number;
}

static bool read_bool(struct reader *r, const char *name, bool fallback)
{
    const hcl_attr *attr;
    hcl_diags *diags = NULL;
    bool result = fallback;
    hcl_program *program = compile(r, name, false, &attr);

    if (program == NULL)
        return fallback;
    hcl_status status = hcl_eval_bool(program, r->frame, &result, &diags);
    add_outcome(r->wrong, status, diags);
    hcl_program_free(program);
    return result;
}

/* A list of texts, joined by blanks. */
static char *read_texts(struct reader *r, const char *name)
{
    const hcl_attr *attr;
    hcl_diags *diags = NULL;
    hcl_value *value = NULL;
    size_t n = 0, used = 0, room = 1;
    char *joined = must(calloc(1, 1));
    hcl_program *program = compile(r, name, true, &attr);

    if (program == NULL)
        return joined;
    hcl_status status = hcl_eval(program, r->frame, &value, &diags);
    add_diags(r->wrong, diags);
    if (status == HCL_OK && hcl_value_len(value, &n) != HCL_OK)
        complain(r->wrong, at_attr(attr, HCL_PLACE_VALUE), "gatewayd.type", "No list", "%s must be a list of texts.", name);
    for (size_t i = 0; i < n; i++) {
        hcl_str text;
        if (hcl_value_as_str(hcl_value_at(value, i), &text) != HCL_OK) {
            complain(r->wrong, at_attr(attr, HCL_PLACE_VALUE), "gatewayd.type", "No text", "Element %zu of %s must be a text.", i, name);
            continue;
        }
        room += text.len + 1;
        joined = must(realloc(joined, room));
        used += (size_t)sprintf(joined + used, "%s%.*s", used > 0 ? " " : "", (int)text.len, text.ptr);
    }
    hcl_value_free(value);
    hcl_program_free(program);
    return joined;
}

static void check_unknown(struct reader *r)
{
    for (size_t i = 0; i < hcl_body_attr_count(r->body); i++) {
        const hcl_attr *attr = hcl_body_attr_at(r->body, i);
        hcl_str name = hcl_attr_name(attr);
        bool known = false;
        for (size_t k = 0; k < r->n_known; k++)
            known = known || is(name, r->known[k]);
        if (!known)
            complain(r->wrong, at_attr(attr, HCL_PLACE_NAME), "gatewayd.unknown", "Unknown setting", "Nothing here is called \"%.*s\".",
                     (int)name.len, name.ptr);
    }
}

/* ---------------------------------------------------------------------------------------------- the locals */

struct local {
    const hcl_attr *attr;
    hcl_program *program;
    size_t slot;
    bool done;
};

struct locals {
    struct local items[MAX_ITEMS];
    size_t n;
};

/* Every local is a slot called `local.NAME`. */
static void declare_locals(struct locals *locals, const hcl_body *file, hcl_scope *scope, struct complaints *wrong)
{
    for (size_t b = 0; b < hcl_body_block_count(file); b++) {
        const hcl_block *block = hcl_body_block_at(file, b);
        if (!is(hcl_block_type(block), "locals"))
            continue;
        const hcl_body *body = hcl_block_body(block);
        for (size_t i = 0; i < hcl_body_attr_count(body) && locals->n < MAX_ITEMS; i++) {
            struct local *local = &locals->items[locals->n++];
            char path[256];
            local->attr = hcl_body_attr_at(body, i);
            hcl_str name = hcl_attr_name(local->attr);
            snprintf(path, sizeof path, "local.%.*s", (int)name.len, name.ptr);
            if (hcl_scope_slot(scope, path, HCL_NUL, &local->slot) != HCL_OK)
                complain(wrong, at_attr(local->attr, HCL_PLACE_NAME), "gatewayd.local", "Invalid local", "This local can't be declared.");
        }
    }
}

/* Whether all the locals that a program reads have been evaluated. */
static bool is_ready(const struct locals *locals, const hcl_program *program)
{
    for (size_t i = 0; i < hcl_program_needs_count(program); i++)
        for (size_t k = 0; k < locals->n; k++)
            if (locals->items[k].slot == hcl_program_needs_at(program, i) && !locals->items[k].done)
                return false;
    return true;
}

/* Evaluates each local after those that it needs. What then remains needs itself. */
static void evaluate_locals(struct locals *locals, const hcl_scope *scope, hcl_frame *frame, struct complaints *wrong)
{
    size_t left = 0;

    for (size_t i = 0; i < locals->n; i++) {
        hcl_diags *diags = NULL;
        if (hcl_program_compile(hcl_attr_expr(locals->items[i].attr), scope, 0, &locals->items[i].program, &diags) == HCL_OK)
            left++;
        add_diags(wrong, diags);
    }
    for (bool moved = true; left > 0 && moved;) {
        moved = false;
        for (size_t i = 0; i < locals->n; i++) {
            struct local *local = &locals->items[i];
            hcl_value *value = NULL;
            hcl_diags *diags = NULL;
            if (local->done || local->program == NULL || !is_ready(locals, local->program))
                continue;
            if (hcl_eval(local->program, frame, &value, &diags) != HCL_OK)
                (void)hcl_value_unknown(NULL, &value); /* what needs it is not wrong because of it */
            (void)hcl_frame_set(frame, local->slot, value);
            hcl_value_free(value);
            add_diags(wrong, diags);
            local->done = moved = true;
            left--;
        }
    }
    for (size_t i = 0; i < locals->n; i++) {
        struct local *local = &locals->items[i];
        hcl_str name = hcl_attr_name(local->attr);
        hcl_value *unknown = NULL;
        if (!local->done && hcl_value_unknown(NULL, &unknown) == HCL_OK)
            (void)hcl_frame_set(frame, local->slot, unknown);
        if (!local->done && local->program != NULL)
            complain(wrong, at_attr(local->attr, HCL_PLACE_NAME), "gatewayd.cycle", "Circular locals",
                     "\"local.%.*s\" needs itself, directly or through others.",
                     (int)name.len, name.ptr);
        hcl_value_free(unknown);
        hcl_program_free(local->program);
    }
}

/* ---------------------------------------------------------------------------------------------- the blocks */

static void read_block(struct config *config, const hcl_block *block, struct reader r)
{
    hcl_str type = hcl_block_type(block), label = hcl_block_label(block, 0);

    r.body = hcl_block_body(block);
    if (is(type, "locals"))
        return;
    if (hcl_block_label_count(block) != 1) {
        complain(r.wrong, at_block(block), "gatewayd.labels", "Wrong labels", "A block of this type has one label, its name.");
    } else if (is(type, "listener") && config->n_listeners < MAX_ITEMS) {
        struct listener *l = &config->listeners[config->n_listeners++];
        l->name = copy(label);
        l->address = read_text(&r, "address", NULL);
        l->port = (long long)read_number(&r, "port", 1, 65536);
        l->tls = read_bool(&r, "tls", false);
        l->notice = read_text(&r, "notice", "");
    } else if (is(type, "upstream") && config->n_upstreams < MAX_ITEMS) {
        struct upstream *u = &config->upstreams[config->n_upstreams++];
        u->name = copy(label);
        u->servers = read_texts(&r, "servers");
        u->timeout = read_number(&r, "timeout", 0.1, 600);
    } else if (is(type, "acl") && config->n_rules < MAX_ITEMS) {
        const hcl_attr *attr;
        struct rule *rule = &config->rules[config->n_rules++];
        rule->name = copy(label);
        rule->action = read_text(&r, "action", NULL);
        rule->when = compile(&r, "when", true, &attr);
    } else {
        complain(r.wrong, at_block(block), "gatewayd.block", "Unsuitable block",
                 "There are no blocks of type \"%.*s\", or too many.", (int)type.len, type.ptr);
        return;
    }
    check_unknown(&r);
}

/* ------------------------------------------------------------------------------------------ a whole file */

void free_config(struct config *config)
{
    if (config == NULL)
        return;
    for (size_t i = 0; i < config->n_listeners; i++) {
        free(config->listeners[i].name);
        free(config->listeners[i].address);
        free(config->listeners[i].notice);
    }
    for (size_t i = 0; i < config->n_upstreams; i++) {
        free(config->upstreams[i].name);
        free(config->upstreams[i].servers);
    }
    for (size_t i = 0; i < config->n_rules; i++) {
        free(config->rules[i].name);
        free(config->rules[i].action);
        hcl_program_free(config->rules[i].when);
    }
    hcl_frame_free(config->frame);
    free(config);
}

static char *read_file(const char *name, size_t *len)
{
    FILE *file = fopen(name, "rb");
    char *text = NULL;
    size_t room = 0;

    *len = 0;
    if (file == NULL)
        return NULL;
    do {
        room = room > 0 ? 2 * room : 4096;
        text = must(realloc(text, room));
        *len += fread(text + *len, 1, room - *len, file);
    } while (*len == room);
    if (ferror(file)) { /* a directory, for example */
        free(text);
        text = NULL;
    }
    fclose(file);
    return text;
}

/* What expressions of a configuration may use: Terraform's functions, env(), `request` and the locals. */
static hcl_scope *make_scope(struct config *config, struct locals *locals, const hcl_body *file, struct complaints *wrong)
{
    hcl_scope *scope = NULL;
    hcl_param params[2];
    hcl_function env;

    memset(params, 0, sizeof params);
    memset(&env, 0, sizeof env);
    params[0].name = (hcl_str){"name", 4};
    params[0].type_text = (hcl_str){"string", 6};
    params[1].name = (hcl_str){"default", 7};
    params[1].type_text = (hcl_str){"string", 6};
    env.size = sizeof env;
    env.name = (hcl_str){"env", 3};
    env.params = params;
    env.n_params = 2;
    env.result_type = (hcl_str){"string", 6};
    env.flags = HCL_FUNCTION_THREADED;
    env.call = env_function;

    bool ok = hcl_scope_new(NULL, &scope) == HCL_OK
        && hcl_scope_builtins(scope, HCL_BUILTINS_TERRAFORM) == HCL_OK
        && hcl_scope_function(scope, &env) == HCL_OK
        && hcl_scope_slot(scope, "request.path", HCL_NUL, &config->path) == HCL_OK
        && hcl_scope_slot(scope, "request.method", HCL_NUL, &config->method) == HCL_OK
        && hcl_scope_slot(scope, "request.ip", HCL_NUL, &config->ip) == HCL_OK
        && hcl_scope_slot(scope, "request.user", HCL_NUL, &config->user) == HCL_OK
        && hcl_scope_slot(scope, "request.size", HCL_NUL, &config->size) == HCL_OK;
    if (ok)
        declare_locals(locals, file, scope, wrong);
    if (!ok || hcl_scope_seal(scope) != HCL_OK || hcl_frame_new(scope, &config->frame) != HCL_OK
        || hcl_frame_set_limits(config->frame, &LIMITS) != HCL_OK) {
        fputs("gatewayd: libhcl refuses the daemon's scope\n", stderr);
        exit(3);
    }
    return scope;
}

struct config *load_config(const char *name)
{
    struct complaints wrong = {NULL};
    struct config *config = must(calloc(1, sizeof *config));
    struct locals *locals = must(calloc(1, sizeof *locals));
    hcl_parse_opts opts = {0};
    hcl_file *file = NULL;
    hcl_diags *diags = NULL;
    size_t len;
    char *text = read_file(name, &len);

    if (text == NULL) {
        perror(name);
        free(locals);
        free(config);
        return NULL;
    }
    opts.size = sizeof opts;
    opts.flags = HCL_PARSE_PARTIAL; /* go on with what could be read, to find the other mistakes too */
    hcl_status status = hcl_file_parse(name, HCL_NUL, text, len, &opts, &file, &diags);
    add_diags(&wrong, diags);
    if (file != NULL) {
        struct reader r = {0};
        hcl_scope *scope = make_scope(config, locals, hcl_file_body(file), &wrong);
        r.scope = scope;
        r.frame = config->frame;
        r.wrong = &wrong;
        evaluate_locals(locals, scope, config->frame, &wrong);
        for (size_t i = 0; i < hcl_body_block_count(hcl_file_body(file)); i++)
            read_block(config, hcl_body_block_at(hcl_file_body(file), i), r);
        hcl_scope_free(scope);
    } else {
        fprintf(stderr, "%s: %.*s\n", name, (int)hcl_status_name(status).len, hcl_status_name(status).ptr);
    }
    hcl_file_free(file); /* programs keep what they need of it */
    free(locals);
    free(text);
    bool is_right = !hcl_diags_has_errors(wrong.list);
    show(&wrong);
    if (is_right && status == HCL_OK)
        return config;
    free_config(config);
    return NULL;
}

/* ---------------------------------------------------------------------------------------------- requests */

struct decision decide(const struct config *config, const struct request *request)
{
    hcl_frame *frame = config->frame;
    const char *rule = "no rule", *action = "deny";

    (void)hcl_frame_set_str(frame, config->method, request->method, HCL_NUL);
    (void)hcl_frame_set_str(frame, config->path, request->path, HCL_NUL);
    (void)hcl_frame_set_str(frame, config->ip, request->ip, HCL_NUL);
    (void)hcl_frame_set_i64(frame, config->size, request->size);
    if (request->user != NULL)
        (void)hcl_frame_set_str(frame, config->user, request->user, HCL_NUL);
    else
        (void)hcl_frame_set_null(frame, config->user);

    for (size_t i = 0; i < config->n_rules; i++) {
        hcl_diags *diags = NULL;
        bool holds = false;
        hcl_status status = hcl_eval_bool(config->rules[i].when, frame, &holds, &diags);
        if (status != HCL_OK) {
            hcl_str name = hcl_status_name(status);
            fprintf(stderr, "acl %s: %.*s\n", config->rules[i].name, (int)name.len, name.ptr);
        }
        hcl_diags_free(diags);
        if (holds || status != HCL_OK) { /* a rule that can't be evaluated denies */
            rule = config->rules[i].name;
            action = status == HCL_OK ? config->rules[i].action : "deny";
            break;
        }
    }
    return (struct decision){action, rule};
}

/* Hosts: files, clock, randomness and stores from callbacks; the real world confined to folders. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <sys/stat.h>
#include <unistd.h>

struct world {
    int drops, reads;
    const hcl_program *again; /* evaluated from inside a callback */
    hcl_frame *frame;
};

static void dropped(void *user)
{
    ((struct world *)user)->drops++;
}

static int32_t read_file(void *user, hcl_str path, uint64_t most, hcl_answer *answer)
{
    struct world *world = user;
    world->reads++;
    if (str_is(path, "greeting.tmpl"))
        return (int32_t)hcl_answer_bytes(answer, "Hello, ${name}!", HCL_NUL);
    if (str_is(path, "bytes"))
        return (int32_t)hcl_answer_bytes(answer, "\0\377", 2);
    if (str_is(path, "long"))
        return most < 1000 ? (int32_t)HCL_ERR_LIMIT : (int32_t)hcl_answer_bytes(answer, "short", 5);
    if (str_is(path, "later"))
        return (int32_t)HCL_ERR_UNKNOWN;
    if (str_is(path, "secret"))
        return (int32_t)HCL_ERR_UNSUPPORTED;
    if (str_is(path, "broken")) {
        STATUS(HCL_OK, hcl_answer_fail(answer, "the disk is on fire", HCL_NUL));
        return 1;
    }
    if (str_is(path, "nothing"))
        return 0; /* without an answer */
    if (str_is(path, "again")) {
        hcl_str text;
        STATUS(HCL_ERR_BUSY, hcl_eval_str(world->again, world->frame, &text, NULL));
        return (int32_t)hcl_answer_bytes(answer, "", 0);
    }
    return (int32_t)HCL_ERR_NOT_FOUND;
}

static int32_t file_kind(void *user, hcl_str path, uint64_t most, hcl_answer *answer)
{
    (void)user, (void)most;
    if (path.len > 0 && path.ptr[path.len - 1] == 'd')
        return (int32_t)hcl_answer_kind(answer, HCL_FILE_DIRECTORY);
    STATUS(HCL_ERR_ARGUMENT, hcl_answer_kind(answer, 99));
    return (int32_t)hcl_answer_kind(answer, HCL_FILE_REGULAR);
}

static int32_t list_directory(void *user, hcl_str path, uint64_t most, hcl_answer *answer)
{
    (void)user;
    CHECK(most > 0);
    if (!str_is(path, "conf.d"))
        return (int32_t)HCL_ERR_NOT_FOUND;
    STATUS(HCL_OK, hcl_answer_entry(answer, "b.hcl", HCL_NUL, HCL_FILE_REGULAR));
    STATUS(HCL_OK, hcl_answer_entry(answer, "a.hcl", HCL_NUL, HCL_FILE_REGULAR));
    STATUS(HCL_OK, hcl_answer_entry(answer, "c.txt", HCL_NUL, HCL_FILE_REGULAR));
    return 0;
}

static int32_t now(void *user, hcl_str what, uint64_t most, hcl_answer *answer)
{
    (void)user, (void)what, (void)most;
    STATUS(HCL_ERR_RANGE, hcl_answer_time(answer, 0, 1000000000));
    return (int32_t)hcl_answer_time(answer, 1700000000, 5);
}

static int32_t random_bytes(void *user, hcl_str what, uint64_t most, hcl_answer *answer)
{
    char sevens[64];
    (void)user, (void)what;
    memset(sevens, 0x77, sizeof sevens);
    CHECK(most <= sizeof sevens);
    return (int32_t)hcl_answer_bytes(answer, sevens, (size_t)most);
}

static int32_t variable(void *user, hcl_str name, uint64_t most, hcl_answer *answer)
{
    (void)user, (void)most;
    return str_is(name, "USER") ? (int32_t)hcl_answer_bytes(answer, "ann", 3) : (int32_t)HCL_ERR_NOT_FOUND;
}

static int32_t store(void *user, hcl_str function, hcl_call *call)
{
    hcl_str key;
    (void)user;
    STATUS(HCL_OK, hcl_call_arg_str(call, 0, &key));
    CHECK(str_is(function, "consul_key"));
    if (str_is(key, "port"))
        return (int32_t)hcl_call_return_str(call, "8500", 4);
    return (int32_t)HCL_ERR_NOT_FOUND;
}

static hcl_host_callbacks callbacks(struct world *world)
{
    hcl_host_callbacks c;
    memset(&c, 0, sizeof c);
    c.size = sizeof c;
    c.read_file = read_file;
    c.file_kind = file_kind;
    c.list_directory = list_directory;
    c.now = now;
    c.random_bytes = random_bytes;
    c.environment_variable = variable;
    c.store = store;
    c.user = world;
    c.drop_user = dropped;
    return c;
}

static hcl_scope *scope_of(uint32_t library)
{
    hcl_scope *scope = NULL;
    STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
    STATUS(HCL_OK, hcl_scope_builtins(scope, library));
    STATUS(HCL_OK, hcl_scope_seal(scope));
    return scope;
}

/* What an expression gives with a host: its text or console form, or the detail of its first diagnostic. */
static const char *with_host(const hcl_scope *scope, const hcl_host *host, const char *source)
{
    static char out[1024];
    hcl_program *program = compile_in(scope, source);
    hcl_frame *frame = NULL;
    hcl_value *value = NULL;
    hcl_diags *diags = NULL;
    hcl_buf *text = NULL;
    hcl_diag diag;

    STATUS(HCL_OK, hcl_frame_new(scope, &frame));
    STATUS(HCL_OK, hcl_frame_set_host(frame, host));
    if (hcl_eval(program, frame, &value, &diags) == HCL_OK) {
        STATUS(HCL_OK, hcl_value_encode(value, HCL_FORMAT_CONSOLE, 0, NULL, &text, NULL));
        snprintf(out, sizeof out, "%s", hcl_buf_str(text).ptr);
    } else {
        memset(&diag, 0, sizeof diag);
        diag.size = sizeof diag;
        STATUS(HCL_OK, hcl_diags_get(diags, 0, &diag));
        snprintf(out, sizeof out, "%.*s", (int)diag.detail.len, diag.detail.ptr);
    }
    hcl_buf_free(text);
    hcl_diags_free(diags);
    hcl_value_free(value);
    hcl_frame_free(frame);
    hcl_program_free(program);
    return out;
}

#define IS(expected, source) CHECK(strcmp(with_host(scope, host, source), expected) == 0)
#define SAYS(part, source) CHECK(strstr(with_host(scope, host, source), part) != NULL)

static void made_of_callbacks(void)
{
    struct world world = {0};
    hcl_host_callbacks c = callbacks(&world);
    hcl_scope *scope = plain_scope();
    hcl_host *host = NULL, *other = NULL;

    SAYS("--allow fs=DIR", "file(\"greeting.tmpl\")"); /* no host at all */
    STATUS(HCL_OK, hcl_host_new(&c, &host));
    IS("\"Hello, ann!\"", "templatefile(\"greeting.tmpl\", { name = \"ann\" })");
    IS("\"AP8=\"", "filebase64(\"bytes\")");
    SAYS("UTF-8", "file(\"bytes\")");
    SAYS("no file", "file(\"missing\")");
    SAYS("the disk is on fire", "file(\"broken\")");
    SAYS("without an answer", "file(\"nothing\")");
    SAYS("not allowed", "file(\"secret\")");
    IS("(known after apply)", "upper(file(\"later\"))");
    IS("true", "fileexists(\"x\")");
    SAYS("a directory", "fileexists(\"conf.d\")");
    IS("[\n  \"a.hcl\",\n  \"b.hcl\",\n]", "[for f in fileset(\"conf.d\", \"*.hcl\") : f]");
    IS("\"2023-11-14T22:13:20Z\"", "timestamp()");
    IS("true", "plantimestamp() == timestamp()");
    IS("\"77777777-7777-7777-7777-777777777777\"", "uuid()");
    SAYS("not allowed", "abspath(\"x\")"); /* it has no working directory */
    SAYS("not allowed", "pathexpand(\"~\")");
    hcl_scope_free(scope);

    scope = scope_of(HCL_BUILTINS_PACKER);
    IS("\"8500\"", "consul_key(\"port\")");
    SAYS("no key", "consul_key(\"nope\")");
    hcl_scope_free(scope);
    scope = scope_of(HCL_BUILTINS_PACKER_DEFAULTS);
    IS("\"ann\"", "env(\"USER\")");
    IS("\"\"", "env(\"NOPE\")");
    hcl_scope_free(scope);

    STATUS(HCL_OK, hcl_host_ref(host, &other));
    hcl_host_free(host);
    CHECK(world.drops == 0);
    hcl_host_free(other);
    CHECK(world.drops == 1);
}

static void limits_and_misuse(void)
{
    struct world world = {0}, refused = {0};
    hcl_host_callbacks c = callbacks(&world);
    hcl_scope *scope = plain_scope();
    hcl_host *host = NULL, *none = NULL;
    hcl_frame *frame = NULL;
    hcl_limits limits;
    hcl_str text;

    STATUS(HCL_OK, hcl_host_new(&c, &host));
    STATUS(HCL_OK, hcl_frame_new(scope, &frame));
    STATUS(HCL_OK, hcl_frame_set_host(frame, host));
    hcl_host_free(host); /* the frame keeps it */
    hcl_program *program = compile_in(scope, "file(\"long\")");
    STATUS(HCL_OK, hcl_eval_str(program, frame, &text, NULL));
    CHECK(str_is(text, "short"));
    memset(&limits, 0, sizeof limits);
    limits.size = sizeof limits;
    limits.max_output_bytes = 100;
    STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
    STATUS(HCL_ERR_LIMIT, hcl_eval_str(program, frame, &text, NULL));
    hcl_program_free(program);

    program = compile_in(scope, "file(\"again\")");
    world.again = program;
    world.frame = frame;
    STATUS(HCL_OK, hcl_eval_str(program, frame, &text, NULL));
    STATUS(HCL_OK, hcl_frame_set_host(frame, NULL));
    CHECK(world.drops == 1);
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_eval_str(program, frame, &text, NULL));
    hcl_program_free(program);
    hcl_frame_free(frame);
    hcl_scope_free(scope);

    c = callbacks(&refused);
    c.flags = 64;
    STATUS(HCL_ERR_ARGUMENT, hcl_host_new(&c, &none));
    CHECK(refused.drops == 1);
    STATUS(HCL_ERR_ARGUMENT, hcl_host_new(&c, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_answer_bytes(NULL, "", 0));
    STATUS(HCL_ERR_ARGUMENT, hcl_answer_kind(NULL, 0));
    STATUS(HCL_ERR_ARGUMENT, hcl_answer_entry(NULL, "", 0, 0));
    STATUS(HCL_ERR_ARGUMENT, hcl_answer_time(NULL, 0, 0));
    STATUS(HCL_ERR_ARGUMENT, hcl_answer_fail(NULL, "", 0));
    STATUS(HCL_ERR_ARGUMENT, hcl_host_ref(NULL, &none));
    STATUS(HCL_ERR_ARGUMENT, hcl_frame_set_host(NULL, NULL));
    CHECK(none == NULL);
}

static void write_file(const char *folder, const char *name, const char *content)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    CHECK(file != NULL && fputs(content, file) >= 0 && fclose(file) == 0);
}

static void the_real_world(void)
{
    char folder[] = "/tmp/hcl-host-XXXXXX", inside[64], link[128];
    hcl_scope *scope = plain_scope();
    hcl_host *host = NULL;
    hcl_diags *diags = NULL;
    hcl_host_opts opts;
    hcl_str allowed;

    CHECK(mkdtemp(folder) != NULL);
    snprintf(inside, sizeof inside, "%s/in", folder);
    CHECK(mkdir(inside, 0700) == 0);
    write_file(folder, "secret.txt", "secret");
    write_file(inside, "a.txt", "a");
    snprintf(link, sizeof link, "%s/out", inside);
    CHECK(symlink("../secret.txt", link) == 0);

    memset(&opts, 0, sizeof opts);
    opts.size = sizeof opts;
    allowed = (hcl_str){inside, strlen(inside)};
    opts.folders = &allowed;
    opts.n_folders = 1;
    opts.start = allowed;
    opts.flags = HCL_ALLOW_CLOCK | HCL_ALLOW_RANDOM;
    STATUS(HCL_OK, hcl_host_system(&opts, &host, &diags));
    CHECK(diags == NULL);
    IS("\"a\"", "file(\"a.txt\")");
    IS("1", "length([for f in fileset(\".\", \"*.txt\") : f])");
    SAYS("not allowed", "file(\"out\")");
    SAYS("not allowed", "file(\"../secret.txt\")");
    SAYS("not allowed", "file(\"/etc/hostname\")");
    SAYS("not allowed", "pathexpand(\"~\")");
    IS("20", "length(timestamp())");
    IS("false", "uuid() == uuid()");
    hcl_host_free(host);

    host = NULL;
    allowed = (hcl_str){"/nonexistent/folder", 19};
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_host_system(&opts, &host, &diags));
    CHECK(host == NULL && hcl_diags_count(diags) == 1);
    hcl_diags_free(diags);
    opts.n_folders = 0;
    opts.flags = 1024;
    STATUS(HCL_ERR_ARGUMENT, hcl_host_system(&opts, &host, NULL));
    STATUS(HCL_OK, hcl_host_system(NULL, &host, NULL)); /* allows nothing */
    SAYS("not allowed", "file(\"a.txt\")");
    hcl_host_free(host);
    hcl_scope_free(scope);

    CHECK(unlink(link) == 0);
    snprintf(link, sizeof link, "%s/a.txt", inside);
    CHECK(unlink(link) == 0 && rmdir(inside) == 0);
    snprintf(link, sizeof link, "%s/secret.txt", folder);
    CHECK(unlink(link) == 0 && rmdir(folder) == 0);
}

int main(void)
{
    made_of_callbacks();
    limits_and_misuse();
    the_real_world();
    return failures != 0;
}

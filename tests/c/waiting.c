/* Waiting for the turn of a callback that one thread at a time may be inside: no longer than the evaluation may take. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <pthread.h>
#include <time.h>

/* A callback that stays inside until it is let go. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool inside, let_go;
} door = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, false};

static void stay(void)
{
    pthread_mutex_lock(&door.lock);
    door.inside = true;
    pthread_cond_broadcast(&door.changed);
    while (!door.let_go) pthread_cond_wait(&door.changed, &door.lock);
    pthread_mutex_unlock(&door.lock);
}

static int32_t function(void *user, hcl_call *call)
{
    (void)user;
    stay();
    return (int32_t)hcl_call_return_bool(call, true);
}

static int32_t result_type(void *user, hcl_call *call)
{
    hcl_type *type = NULL;
    (void)user;
    stay();
    if (hcl_type_parse("bool", HCL_NUL, &type, NULL) != HCL_OK) return HCL_ERR_INTERNAL;
    int32_t status = (int32_t)hcl_call_return_type(call, type);
    hcl_type_free(type);
    return status;
}

static int32_t read_file(void *user, hcl_str path, uint64_t most, hcl_answer *answer)
{
    (void)user, (void)path, (void)most;
    stay();
    return (int32_t)hcl_answer_bytes(answer, "", 0);
}

static int32_t now(void *user, hcl_str what, uint64_t most, hcl_answer *answer)
{
    (void)user, (void)what, (void)most, (void)answer;
    return HCL_ERR_DEADLINE;
}

/* A store that works until the evaluation that asks it ends. */
static int32_t store(void *user, hcl_str name, hcl_call *call)
{
    (void)user, (void)name;
    for (int i = 0; i < 10000; i++) {
        struct timespec little = {0, 1000000};
        if (hcl_call_cancelled(call)) return HCL_ERR_CANCELLED;
        nanosleep(&little, NULL);
    }
    return HCL_ERR_INTERNAL;
}

struct asked {
    const hcl_program *program;
    const hcl_host *host;
    const hcl_cancel *cancel;
    const hcl_value *unknown;
    uint64_t timeout_ns;
    hcl_status status;
};

static hcl_status ask(const struct asked *asked, const hcl_scope *scope)
{
    hcl_frame *frame = NULL;
    hcl_value *value = NULL;
    hcl_diags *diags = NULL;
    hcl_limits limits;
    memset(&limits, 0, sizeof limits);
    limits.size = sizeof limits;
    limits.timeout_ns = asked->timeout_ns;
    limits.cancel = asked->cancel;
    STATUS(HCL_OK, hcl_frame_new(scope, &frame));
    STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
    STATUS(HCL_OK, hcl_frame_set_host(frame, asked->host));
    STATUS(HCL_OK, hcl_frame_set(frame, 0, asked->unknown));
    hcl_status status = hcl_eval(asked->program, frame, &value, &diags);
    CHECK((status == HCL_OK) == (diags == NULL));
    hcl_diags_free(diags);
    hcl_value_free(value);
    hcl_frame_free(frame);
    return status;
}

static const hcl_scope *scope;

static void *ask_from(void *asked)
{
    ((struct asked *)asked)->status = ask(asked, scope);
    return NULL;
}

static void *throw_soon(void *cancel)
{
    struct timespec little = {0, 20000000};
    nanosleep(&little, NULL);
    hcl_cancel_trigger(cancel);
    return NULL;
}

/* One thread is inside; others come, are told to stop, and leave; then it is let go. */
static void one_is_inside(struct asked first, struct asked second)
{
    pthread_t inside, thrower, steady;
    hcl_cancel *cancel = NULL;
    struct asked third = second;

    door.inside = door.let_go = false;
    first.status = HCL_ERR_INTERNAL;
    CHECK(pthread_create(&inside, NULL, ask_from, &first) == 0);
    pthread_mutex_lock(&door.lock);
    while (!door.inside) pthread_cond_wait(&door.changed, &door.lock);
    pthread_mutex_unlock(&door.lock);

    second.timeout_ns = 20000000;
    STATUS(HCL_ERR_DEADLINE, ask(&second, scope));
    STATUS(HCL_OK, hcl_cancel_new(&cancel));
    CHECK(pthread_create(&thrower, NULL, throw_soon, cancel) == 0);
    second.timeout_ns = 0;
    second.cancel = cancel;
    STATUS(HCL_ERR_CANCELLED, ask(&second, scope));
    CHECK(pthread_join(thrower, NULL) == 0);
    STATUS(HCL_ERR_CANCELLED, ask(&second, scope));
    hcl_cancel_free(cancel);

    /* Who waits without an end gets its turn. */
    CHECK(pthread_create(&steady, NULL, ask_from, &third) == 0);
    pthread_mutex_lock(&door.lock);
    door.let_go = true;
    pthread_cond_broadcast(&door.changed);
    pthread_mutex_unlock(&door.lock);
    CHECK(pthread_join(inside, NULL) == 0 && pthread_join(steady, NULL) == 0);
    STATUS(HCL_OK, first.status);
    STATUS(HCL_OK, third.status);
}

int main(void)
{
    hcl_param any = {{"x", 1}, {"", 0}, 0, 0};
    hcl_function described;
    hcl_host_callbacks callbacks;
    hcl_host *host = NULL;
    hcl_scope *names = NULL;
    hcl_value *unknown = NULL;
    hcl_type *string = NULL;
    size_t slot;

    memset(&described, 0, sizeof described);
    described.size = sizeof described;
    described.name.ptr = "wait";
    described.name.len = 4;
    described.params = &any;
    described.n_params = 1;
    described.call = function;
    described.result_type_of = result_type;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.size = sizeof callbacks;
    callbacks.read_file = read_file;
    callbacks.now = now;
    callbacks.store = store;
    STATUS(HCL_OK, hcl_host_new(&callbacks, &host));
    STATUS(HCL_OK, hcl_scope_new(NULL, &names));
    STATUS(HCL_OK, hcl_scope_builtins(names, HCL_BUILTINS_PACKER));
    STATUS(HCL_OK, hcl_scope_function(names, &described));
    STATUS(HCL_OK, hcl_scope_slot(names, "x", 1, &slot));
    STATUS(HCL_OK, hcl_scope_seal(names));
    STATUS(HCL_OK, hcl_type_parse("string", HCL_NUL, &string, NULL));
    STATUS(HCL_OK, hcl_value_unknown(string, &unknown));
    hcl_type_free(string);
    scope = names;

    hcl_program *calls = compile_in(scope, "wait(1)"), *types = compile_in(scope, "wait(x)");
    hcl_program *file = compile_in(scope, "file(\"f\")"), *clock = compile_in(scope, "timestamp()");
    hcl_program *stores = compile_in(scope, "consul_key(\"k\")");
    struct asked with = {NULL, host, NULL, unknown, 0, HCL_OK};
    struct asked call = with, type = with, outside = with;
    call.program = calls;
    type.program = types;
    outside.program = file;
    one_is_inside(call, call);
    one_is_inside(call, type); /* the same turn */
    one_is_inside(outside, outside);

    /* A host that says that time is up ends the evaluation; a store can ask whether it is. */
    outside.program = clock;
    STATUS(HCL_ERR_DEADLINE, ask(&outside, scope));
    outside.program = stores;
    outside.timeout_ns = 20000000;
    STATUS(HCL_ERR_DEADLINE, ask(&outside, scope));

    hcl_program_free(stores);
    hcl_program_free(clock);
    hcl_program_free(file);
    hcl_program_free(types);
    hcl_program_free(calls);
    hcl_value_free(unknown);
    hcl_scope_free(names);
    hcl_host_free(host);
    return failures != 0;
}

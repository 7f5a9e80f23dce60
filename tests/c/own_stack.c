/* Callbacks run on the stack of the thread that made the call, however deep the library is in a stack of its own: a runtime
 * such as Go's ends the process otherwise. They may call the library again. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <pthread.h>

enum { DEPTH = 300, ROUNDS = 3 };

static unsigned char stack[512 << 10];
static hcl_scope *scope;
static char nested[64 + 2 * DEPTH];
static int n_calls, n_look_ups, n_files, rounds_left;

static void evaluate(void);

/* A callback's frame is on the thread's stack. Its variables need not be: the sanitizer for addresses keeps them elsewhere. */
static void note(int *n, const void *frame)
{
    ++*n;
    CHECK((const unsigned char *)frame >= stack && (const unsigned char *)frame < stack + sizeof stack);
}

static int32_t function(void *user, hcl_call *call)
{
    (void)user;
    note(&n_calls, __builtin_frame_address(0));
    if (rounds_left-- > 0)
        evaluate();
    return (int32_t)hcl_call_return_bool(call, true);
}

static int32_t look_up(void *user, size_t slot, hcl_str name, hcl_call *call)
{
    (void)user, (void)slot, (void)name;
    note(&n_look_ups, __builtin_frame_address(0));
    return (int32_t)hcl_call_return_bool(call, true);
}

static int32_t read_file(void *user, hcl_str path, uint64_t most, hcl_answer *answer)
{
    (void)user, (void)path, (void)most;
    note(&n_files, __builtin_frame_address(0));
    return (int32_t)hcl_answer_bytes(answer, "text", 4);
}

static void evaluate(void)
{
    hcl_program *program = compile_in(scope, nested);
    hcl_host_callbacks callbacks;
    hcl_resolver resolver;
    hcl_frame *frame = NULL;
    hcl_value *value = NULL;
    hcl_host *host = NULL;

    memset(&callbacks, 0, sizeof callbacks);
    callbacks.size = sizeof callbacks;
    callbacks.read_file = read_file;
    STATUS(HCL_OK, hcl_host_new(&callbacks, &host));
    memset(&resolver, 0, sizeof resolver);
    resolver.size = sizeof resolver;
    resolver.look_up = look_up;
    STATUS(HCL_OK, hcl_frame_new(scope, &frame));
    STATUS(HCL_OK, hcl_frame_set_host(frame, host));
    STATUS(HCL_OK, hcl_frame_set_resolver(frame, &resolver));
    STATUS(HCL_OK, hcl_eval(program, frame, &value, NULL));
    hcl_value_free(value);
    hcl_frame_free(frame);
    hcl_host_free(host);
    hcl_program_free(program);
}

/* Evaluations within each other, each of which waits for a callback eight levels down. */
enum { WITHIN = 12, KEPT = 8 << 10 };
static const char waits[] = "try([for x in [0] : \"${try(jsonencode(sort([for x in [0] : \"${within()}\"])), 1)}\"], 1)";
static hcl_scope *scope_of_waiting;
static const unsigned char *above;
static int n_within;

static void evaluate_waiting(void)
{
    hcl_program *program = compile_in(scope_of_waiting, waits);
    hcl_frame *frame = NULL;
    hcl_value *value = NULL;

    STATUS(HCL_OK, hcl_frame_new(scope_of_waiting, &frame));
    STATUS(HCL_OK, hcl_eval(program, frame, &value, NULL));
    hcl_value_free(value);
    hcl_frame_free(frame);
    hcl_program_free(program);
}

/* Of the thread's stack each evaluation within another keeps little, whatever its expression. */
static int32_t within(void *user, hcl_call *call)
{
    const unsigned char *here = __builtin_frame_address(0);
    (void)user;
    CHECK(above == NULL || above - here < KEPT);
    above = here;
    if (++n_within < WITHIN)
        evaluate_waiting();
    return (int32_t)hcl_call_return_bool(call, true);
}

static void *run(void *unused)
{
    evaluate();
    evaluate_waiting();
    return unused;
}

static void add_function(hcl_scope *to, const char *name, int32_t (*call)(void *, hcl_call *))
{
    hcl_function described;

    memset(&described, 0, sizeof described);
    described.size = sizeof described;
    described.name.ptr = name;
    described.name.len = strlen(name);
    described.call = call;
    described.flags = HCL_FUNCTION_THREADED;
    STATUS(HCL_OK, hcl_scope_function(to, &described));
}

int main(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    char *end = nested;
    size_t slot;

    memset(end, '[', DEPTH);
    end += DEPTH;
    end += sprintf(end, "function(), variable, file(\"a\")");
    memset(end, ']', DEPTH);

    STATUS(HCL_OK, hcl_scope_new(NULL, &scope_of_waiting));
    STATUS(HCL_OK, hcl_scope_builtins(scope_of_waiting, HCL_BUILTINS_TERRAFORM));
    add_function(scope_of_waiting, "within", within);
    STATUS(HCL_OK, hcl_scope_seal(scope_of_waiting));
    STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
    STATUS(HCL_OK, hcl_scope_builtins(scope, HCL_BUILTINS_TERRAFORM));
    add_function(scope, "function", function);
    STATUS(HCL_OK, hcl_scope_slot(scope, "variable", HCL_NUL, &slot));
    STATUS(HCL_OK, hcl_scope_seal(scope));

    rounds_left = ROUNDS;
    pthread_attr_init(&attributes);
    CHECK(pthread_attr_setstack(&attributes, stack, sizeof stack) == 0);
    CHECK(pthread_create(&thread, &attributes, run, NULL) == 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    CHECK(n_calls == ROUNDS + 1 && n_look_ups == ROUNDS + 1 && n_files >= ROUNDS + 1);
    CHECK(n_within == WITHIN);
    hcl_scope_free(scope_of_waiting);
    hcl_scope_free(scope);
    return failures != 0;
}

/* Callbacks of the host: what the ways to fail mean, types of unknown results, variables looked up, turns. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <pthread.h>

static hcl_param any_param(const char *name, uint32_t flags)
{
    hcl_param param = {{name, strlen(name)}, {"", 0}, flags, 0};
    return param;
}

static hcl_function function_of(const char *name, const hcl_param *param, hcl_callback call, void *user)
{
    hcl_function f;
    memset(&f, 0, sizeof f);
    f.size = sizeof f;
    f.name.ptr = name;
    f.name.len = strlen(name);
    f.params = param;
    f.n_params = param != NULL;
    f.call = call;
    f.user = user;
    return f;
}

static void expect_code(hcl_diags *diags, const char *code)
{
    hcl_diag diag;
    memset(&diag, 0, sizeof diag);
    diag.size = sizeof diag;
    STATUS(HCL_OK, hcl_diags_get(diags, 0, &diag));
    if (!str_is(diag.code, code)) {
        failures++;
        fprintf(stderr, "%.*s, not %s: %.*s\n", (int)diag.code.len, diag.code.ptr, code, (int)diag.detail.len, diag.detail.ptr);
    }
    hcl_diags_free(diags);
}

/* Returns the status that its argument is. */
static int32_t with_status(void *user, hcl_call *call)
{
    int64_t status = 0;
    (void)user;
    (void)hcl_call_arg_i64(call, 0, &status);
    return (int32_t)status;
}

static int32_t failing(void *user, hcl_call *call)
{
    (void)user;
    (void)hcl_call_fail(call, HCL_NO_ARGUMENT, "the store is empty", HCL_NUL);
    return HCL_ERR_CALLBACK;
}

static int32_t type_by_argument(void *user, hcl_call *call)
{
    hcl_type *type = NULL;
    (void)user;
    if (hcl_value_type(hcl_call_arg(call, 0), &type) != HCL_OK)
        return HCL_ERR_INTERNAL;
    int32_t status = hcl_call_return_type(call, type);
    hcl_type_free(type);
    return status;
}

static int32_t identity(void *user, hcl_call *call)
{
    ++*(int *)user;
    return hcl_call_return(call, hcl_call_arg(call, 0));
}

static void ways_to_fail(void)
{
    int calls = 0;
    hcl_param n = any_param("n", 0), x = any_param("x", 0);
    hcl_function functions[3];
    hcl_scope *scope = NULL;
    hcl_frame *frame = NULL;
    hcl_diags *diags = NULL;
    hcl_value *value = NULL, *unknown = NULL;
    hcl_type *string = NULL, *found = NULL;
    size_t given, later;
    int64_t answer = 0;
    const struct { hcl_status returned, status; const char *code; } cases[] = {
        {HCL_ERR_ARGUMENT, HCL_ERR_CALLBACK, "limit.host"},
        {HCL_ERR_CALLBACK, HCL_ERR_CALLBACK, "limit.host"},
        {HCL_ERR_NOT_FOUND, HCL_ERR_CALLBACK, "limit.host"},
        {HCL_ERR_CANCELLED, HCL_ERR_CANCELLED, "limit.cancelled"},
        {HCL_ERR_DEADLINE, HCL_ERR_DEADLINE, "limit.deadline"},
        {HCL_ERR_MEMORY, HCL_ERR_MEMORY, "limit.out_of_memory"},
    };

    functions[0] = function_of("status", &n, with_status, NULL);
    functions[1] = function_of("fail", NULL, failing, NULL);
    functions[2] = function_of("same", &x, identity, &calls);
    functions[2].result_type_of = type_by_argument;
    STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
    STATUS(HCL_OK, hcl_scope_builtins(scope, HCL_BUILTINS_TERRAFORM));
    for (int i = 0; i < 3; i++) STATUS(HCL_OK, hcl_scope_function(scope, &functions[i]));
    STATUS(HCL_OK, hcl_scope_slot(scope, "given", HCL_NUL, &given));
    STATUS(HCL_OK, hcl_scope_slot(scope, "later", HCL_NUL, &later));
    STATUS(HCL_OK, hcl_scope_seal(scope));
    STATUS(HCL_OK, hcl_frame_new(scope, &frame));

    /* A host that fails ends the evaluation, also inside try. */
    hcl_program *tried = compile_in(scope, "try(status(given), 5)");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        STATUS(HCL_OK, hcl_frame_set_i64(frame, given, cases[k].returned));
        STATUS(cases[k].status, hcl_eval_i64(tried, frame, &answer, &diags));
        expect_code(diags, cases[k].code);
    }
    /* What is unknown, and what is 0 without a result, end nothing. */
    STATUS(HCL_OK, hcl_frame_set_i64(frame, given, HCL_ERR_UNKNOWN));
    STATUS(HCL_ERR_UNKNOWN, hcl_eval_i64(tried, frame, &answer, NULL));
    STATUS(HCL_OK, hcl_frame_set_i64(frame, given, 0));
    STATUS(HCL_OK, hcl_eval_i64(tried, frame, &answer, NULL));
    CHECK(answer == 5);
    hcl_program_free(tried);

    /* An expression that fails is told about, and can be tried around. */
    hcl_program *failed = compile_in(scope, "fail()"), *around = compile_in(scope, "try(fail(), 6)");
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_eval_i64(failed, frame, &answer, &diags));
    expect_code(diags, "eval.call.failed");
    STATUS(HCL_OK, hcl_eval_i64(around, frame, &answer, NULL));
    CHECK(answer == 6);
    hcl_program_free(failed);
    hcl_program_free(around);

    /* The type of a result that is not known yet follows from the arguments. */
    hcl_program *same = compile_in(scope, "same(later)");
    STATUS(HCL_OK, hcl_type_parse("string", HCL_NUL, &string, NULL));
    STATUS(HCL_OK, hcl_value_unknown(string, &unknown));
    STATUS(HCL_OK, hcl_frame_set(frame, later, unknown));
    STATUS(HCL_OK, hcl_eval(same, frame, &value, NULL));
    STATUS(HCL_OK, hcl_value_type(value, &found));
    CHECK(calls == 0 && hcl_value_kind(value) == HCL_KIND_UNKNOWN && hcl_type_equal(found, string));
    hcl_type_free(found);
    hcl_value_free(value);
    STATUS(HCL_OK, hcl_frame_set_i64(frame, later, 7));
    STATUS(HCL_OK, hcl_eval_i64(same, frame, &answer, NULL));
    CHECK(calls == 1 && answer == 7);
    hcl_value_free(unknown);
    hcl_type_free(string);
    hcl_program_free(same);
    hcl_frame_free(frame);
    hcl_scope_free(scope);
}

struct lookups {
    int asked, dropped;
    size_t last_slot;
    char last_name[32];
};

static int32_t look_up(void *user, size_t slot, hcl_str name, hcl_call *call)
{
    struct lookups *lookups = user;
    lookups->asked++;
    lookups->last_slot = slot;
    snprintf(lookups->last_name, sizeof lookups->last_name, "%.*s", (int)name.len, name.ptr);
    CHECK(hcl_call_count(call) == 0 && !hcl_call_cancelled(call));
    if (str_is(name, "absent"))
        return HCL_ERR_NOT_FOUND;
    if (str_is(name, "broken")) {
        (void)hcl_call_fail(call, HCL_NO_ARGUMENT, "the store is down", HCL_NUL);
        return 1;
    }
    if (str_is(name, "unknown"))
        return HCL_ERR_UNKNOWN;
    if (str_is(name, "fatal"))
        return 77;
    return hcl_call_return_i64(call, (int64_t)name.len);
}

static void dropped(void *user)
{
    ((struct lookups *)user)->dropped++;
}

static void resolvers(void)
{
    struct lookups lookups = {0};
    const char *names[] = {"three", "each.key", "absent", "broken", "unknown", "fatal"};
    hcl_resolver resolver;
    hcl_scope *scope = NULL;
    hcl_frame *frame = NULL;
    hcl_diags *diags = NULL;
    hcl_diag diag;
    size_t slots[6];
    int64_t answer = 0;

    STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
    STATUS(HCL_OK, hcl_scope_builtins(scope, HCL_BUILTINS_TERRAFORM));
    for (int i = 0; i < 6; i++) STATUS(HCL_OK, hcl_scope_slot(scope, names[i], HCL_NUL, &slots[i]));
    STATUS(HCL_OK, hcl_scope_seal(scope));
    STATUS(HCL_OK, hcl_frame_new(scope, &frame));
    memset(&resolver, 0, sizeof resolver);
    resolver.size = sizeof resolver;
    resolver.user = &lookups;
    resolver.drop_user = dropped;
    STATUS(HCL_ERR_ARGUMENT, hcl_frame_set_resolver(frame, &resolver)); /* nobody to ask */
    CHECK(lookups.dropped == 1);
    resolver.look_up = look_up;
    STATUS(HCL_ERR_ARGUMENT, hcl_frame_set_resolver(NULL, &resolver));
    CHECK(lookups.dropped == 2);
    STATUS(HCL_OK, hcl_frame_set_resolver(frame, &resolver));

    /* Only what is needed is asked for, once. */
    hcl_program *sum = compile_in(scope, "three + three + each.key + length([for i in range(9) : three])");
    STATUS(HCL_OK, hcl_eval_i64(sum, frame, &answer, NULL));
    CHECK(answer == 5 + 5 + 8 + 9 && lookups.asked == 2);
    CHECK(lookups.last_slot == slots[1] && strcmp(lookups.last_name, "each.key") == 0);
    STATUS(HCL_OK, hcl_eval_i64(sum, frame, &answer, NULL));
    CHECK(lookups.asked == 4); /* another evaluation asks anew */
    STATUS(HCL_OK, hcl_frame_set_i64(frame, slots[0], 1));
    STATUS(HCL_OK, hcl_eval_i64(sum, frame, &answer, NULL));
    CHECK(answer == 1 + 1 + 8 + 9 && lookups.asked == 5); /* what the frame holds is not asked for */
    STATUS(HCL_OK, hcl_frame_reset(frame));

    resolver.flags = HCL_RESOLVER_KEEP;
    STATUS(HCL_OK, hcl_frame_set_resolver(frame, &resolver));
    CHECK(lookups.dropped == 3);
    lookups.asked = 0;
    STATUS(HCL_OK, hcl_eval_i64(sum, frame, &answer, NULL));
    STATUS(HCL_OK, hcl_eval_i64(sum, frame, &answer, NULL));
    CHECK(lookups.asked == 2);
    STATUS(HCL_OK, hcl_frame_reset(frame));
    STATUS(HCL_OK, hcl_eval_i64(sum, frame, &answer, NULL));
    CHECK(lookups.asked == 4);

    const struct { const char *text; hcl_status status; const char *code; } cases[] = {
        {"1 + absent", HCL_ERR_DIAGNOSTICS, "eval.unbound_variable"},
        {"1 + broken", HCL_ERR_DIAGNOSTICS, "eval.lookup_failed"},
        {"try(fatal, 1)", HCL_ERR_CALLBACK, "limit.host"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        hcl_program *program = compile_in(scope, cases[k].text);
        STATUS(cases[k].status, hcl_eval_i64(program, frame, &answer, &diags));
        expect_code(diags, cases[k].code);
        hcl_program_free(program);
    }
    hcl_program *broken = compile_in(scope, "1 + broken"), *unknown = compile_in(scope, "1 + unknown");
    memset(&diag, 0, sizeof diag);
    diag.size = sizeof diag;
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_eval_i64(broken, frame, &answer, &diags));
    STATUS(HCL_OK, hcl_diags_get(diags, 0, &diag));
    CHECK(diag.subject.start.column == 5 && diag.subject.end.column == 11);
    hcl_diags_free(diags);
    STATUS(HCL_ERR_UNKNOWN, hcl_eval_i64(unknown, frame, &answer, NULL));
    hcl_program_free(broken);
    hcl_program_free(unknown);

    STATUS(HCL_OK, hcl_frame_set_resolver(frame, NULL));
    CHECK(lookups.dropped == 4);
    STATUS(HCL_ERR_UNBOUND, hcl_eval_i64(sum, frame, &answer, NULL));
    STATUS(HCL_OK, hcl_frame_set_resolver(frame, &resolver));
    hcl_program_free(sum);
    hcl_frame_free(frame);
    CHECK(lookups.dropped == 5);
    hcl_scope_free(scope);
}

/* Two functions that only one thread at a time may be inside, each of which evaluates a call of the other. */
static struct {
    hcl_scope *scope;
    hcl_program *programs[2];
    pthread_barrier_t inside;
} crossing;

static int32_t cross(void *user, hcl_call *call)
{
    int other = *(int *)user;
    bool deep = false;
    int64_t answer = 0;
    hcl_frame *frame = NULL;
    hcl_status status;

    (void)hcl_call_arg_bool(call, 0, &deep);
    if (deep)
        return hcl_call_return_i64(call, 1);
    pthread_barrier_wait(&crossing.inside); /* both threads are inside their function now */
    if (hcl_frame_new(crossing.scope, &frame) != HCL_OK)
        return HCL_ERR_INTERNAL;
    status = hcl_eval_i64(crossing.programs[other], frame, &answer, NULL);
    hcl_frame_free(frame);
    return hcl_call_return_i64(call, status == HCL_OK ? answer : -(int64_t)status);
}

static void *cross_from(void *program)
{
    int64_t answer = 0;
    hcl_frame *frame = NULL;
    STATUS(HCL_OK, hcl_frame_new(crossing.scope, &frame));
    STATUS(HCL_OK, hcl_eval_i64(program, frame, &answer, NULL));
    hcl_frame_free(frame);
    return (void *)(intptr_t)answer;
}

static void turns(void)
{
    static int others[2] = {1, 0};
    hcl_param deep = any_param("deep", 0);
    hcl_function functions[2];
    hcl_program *starts[2];
    pthread_t threads[2];
    void *answers[2];

    functions[0] = function_of("left", &deep, cross, &others[0]);
    functions[1] = function_of("right", &deep, cross, &others[1]);
    STATUS(HCL_OK, hcl_scope_new(NULL, &crossing.scope));
    for (int i = 0; i < 2; i++) STATUS(HCL_OK, hcl_scope_function(crossing.scope, &functions[i]));
    STATUS(HCL_OK, hcl_scope_seal(crossing.scope));
    crossing.programs[0] = compile_in(crossing.scope, "left(true)");
    crossing.programs[1] = compile_in(crossing.scope, "right(true)");
    starts[0] = compile_in(crossing.scope, "left(false)");
    starts[1] = compile_in(crossing.scope, "right(false)");
    CHECK(pthread_barrier_init(&crossing.inside, NULL, 2) == 0);
    for (int i = 0; i < 2; i++) CHECK(pthread_create(&threads[i], NULL, cross_from, starts[i]) == 0);
    for (int i = 0; i < 2; i++) CHECK(pthread_join(threads[i], &answers[i]) == 0);
    /* One was refused, which let the other one go on. */
    intptr_t sum = (intptr_t)answers[0] + (intptr_t)answers[1];
    CHECK(sum == 1 - HCL_ERR_DIAGNOSTICS);
    pthread_barrier_destroy(&crossing.inside);
    for (int i = 0; i < 2; i++) {
        hcl_program_free(starts[i]);
        hcl_program_free(crossing.programs[i]);
    }
    hcl_scope_free(crossing.scope);
}

static int32_t text_of_a_thousand(void *user, hcl_call *call)
{
    char text[1000];
    (void)user;
    memset(text, 'x', sizeof text);
    return (int32_t)hcl_call_return_str(call, text, sizeof text);
}

/* A text of a pure function counts as one that is made, whether the function is called ahead of time or not. */
static void texts_that_are_made(void)
{
    hcl_function function = function_of("text", NULL, text_of_a_thousand, NULL);
    hcl_scope *scope = NULL;
    hcl_expr *expr = NULL;
    hcl_frame *frame = NULL;
    hcl_value *value = NULL;
    hcl_diags *diags = NULL;
    hcl_limits used[2] = {{0}, {0}}, limits = {0};

    function.flags = HCL_FUNCTION_PURE;
    STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
    STATUS(HCL_OK, hcl_scope_function(scope, &function));
    STATUS(HCL_OK, hcl_scope_seal(scope));
    STATUS(HCL_OK, hcl_frame_new(scope, &frame));
    STATUS(HCL_OK, hcl_expr_parse("f", 1, "[text()]", HCL_NUL, NULL, 0, NULL, &expr, NULL));
    hcl_program *program = compile_in(scope, "[text()]");
    for (int prepared = 0; prepared < 2; prepared++) {
        STATUS(HCL_OK, prepared ? hcl_eval(program, frame, &value, NULL) : hcl_expr_eval(expr, frame, &value, NULL));
        hcl_value_free(value);
        used[prepared].size = limits.size = sizeof limits;
        STATUS(HCL_OK, hcl_frame_used(frame, &used[prepared]));
        for (int k = 0; k < 2; k++) {
            limits.max_output_bytes = k ? 0 : 999;
            limits.max_memory = k ? 999 : 0;
            STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
            STATUS(HCL_ERR_LIMIT, prepared ? hcl_eval(program, frame, &value, &diags) : hcl_expr_eval(expr, frame, &value, &diags));
            expect_code(diags, k ? "limit.memory" : "limit.output");
            diags = NULL;
        }
        STATUS(HCL_OK, hcl_frame_set_limits(frame, NULL));
    }
    CHECK(memcmp(&used[0], &used[1], sizeof *used) == 0 && used[0].max_output_bytes == 1000);
    hcl_program_free(program);
    hcl_expr_free(expr);
    hcl_frame_free(frame);
    hcl_scope_free(scope);
}

int main(void)
{
    ways_to_fail();
    texts_that_are_made();
    resolvers();
    turns();
    return failures != 0;
}

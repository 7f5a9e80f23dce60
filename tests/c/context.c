/* User data for callbacks, the diagnostics that they fail with, and objects of the host as values. */
#include "check.h"

#include <pthread.h>

struct request {
    const char *tenant;
    int calls, look_ups, questions;
};

/* ---------------------------------------------------------------------------------------------- user data */

static int32_t tenant(void *user, hcl_call *call)
{
    struct request *request = hcl_call_user(call);
    (void)user;
    if (request == NULL)
        return (int32_t)hcl_call_return_str(call, "nobody", HCL_NUL);
    request->calls++;
    return (int32_t)hcl_call_return_str(call, request->tenant, HCL_NUL);
}

static int32_t look_up(void *user, size_t slot, hcl_str name, hcl_call *call)
{
    struct request *request = hcl_call_user(call);
    (void)user, (void)slot, (void)name;
    if (request == NULL)
        return HCL_ERR_NOT_FOUND;
    request->look_ups++;
    return (int32_t)hcl_call_return_str(call, request->tenant, HCL_NUL);
}

static int32_t variable(void *user, hcl_str what, uint64_t most, hcl_answer *answer)
{
    struct request *request = hcl_answer_user(answer);
    (void)user, (void)what, (void)most;
    if (request == NULL)
        return HCL_ERR_NOT_FOUND;
    request->questions++;
    return (int32_t)hcl_answer_bytes(answer, request->tenant, HCL_NUL);
}

static int32_t store(void *user, hcl_str function, hcl_call *call)
{
    (void)function;
    return tenant(user, call);
}

static hcl_scope *scope_of(hcl_function *functions, size_t n, size_t *slot)
{
    hcl_scope *scope = NULL;
    STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
    STATUS(HCL_OK, hcl_scope_builtins(scope, HCL_BUILTINS_PACKER));
    STATUS(HCL_OK, hcl_scope_builtins(scope, HCL_BUILTINS_PACKER_DEFAULTS));
    for (size_t i = 0; i < n; i++)
        STATUS(HCL_OK, hcl_scope_function(scope, &functions[i]));
    STATUS(HCL_OK, hcl_scope_slot(scope, "who", HCL_NUL, slot));
    STATUS(HCL_OK, hcl_scope_seal(scope));
    return scope;
}

static hcl_function function_of(const char *name, hcl_callback call)
{
    hcl_function function;
    memset(&function, 0, sizeof function);
    function.size = sizeof function;
    function.name = (hcl_str){name, HCL_NUL};
    function.call = call;
    function.flags = HCL_FUNCTION_THREADED;
    return function;
}

static void equals(hcl_frame *frame, const hcl_program *program, const char *expected)
{
    hcl_str text = {"", 0};
    hcl_diags *diags = NULL;
    STATUS(HCL_OK, hcl_eval_str(program, frame, &text, &diags));
    if (!str_is(text, expected)) {
        failures++;
        fprintf(stderr, "\"%.*s\" is not \"%s\"\n", (int)text.len, text.ptr, expected);
    }
    hcl_diags_free(diags);
}

/* A frame with a resolver and a host. */
static hcl_frame *frame_of(const hcl_scope *scope, hcl_resolve_callback look_up, hcl_host_callback variable,
                           hcl_store_callback store)
{
    hcl_frame *frame = NULL;
    hcl_resolver resolver;
    hcl_host_callbacks callbacks;
    hcl_host *host = NULL;
    memset(&resolver, 0, sizeof resolver);
    resolver.size = sizeof resolver;
    resolver.look_up = look_up;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.size = sizeof callbacks;
    callbacks.environment_variable = variable;
    callbacks.store = store;
    STATUS(HCL_OK, hcl_frame_new(scope, &frame));
    STATUS(HCL_OK, hcl_frame_set_resolver(frame, &resolver));
    STATUS(HCL_OK, hcl_host_new(&callbacks, &host));
    STATUS(HCL_OK, hcl_frame_set_host(frame, host));
    hcl_host_free(host);
    return frame;
}

static void test_user(void)
{
    hcl_function function = function_of("tenant", tenant);
    size_t slot = 0;
    hcl_scope *scope = scope_of(&function, 1, &slot);
    hcl_program *program = compile_in(scope, "join(\",\", [tenant(), who, env(\"X\"), consul_key(\"k\")])");
    hcl_program *alone = compile_in(scope, "tenant()");
    hcl_frame *frame = frame_of(scope, look_up, variable, store);
    struct request ann = {"ann", 0, 0, 0}, bob = {"bob", 0, 0, 0};

    equals(frame, alone, "nobody");
    STATUS(HCL_OK, hcl_frame_set_user(frame, &ann));
    equals(frame, program, "ann,ann,ann,ann");
    STATUS(HCL_OK, hcl_frame_set_user(frame, &bob));
    equals(frame, program, "bob,bob,bob,bob");
    /* A host that comes later is told too. */
    hcl_host_callbacks callbacks;
    hcl_host *host = NULL;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.size = sizeof callbacks;
    callbacks.environment_variable = variable;
    callbacks.store = store;
    STATUS(HCL_OK, hcl_host_new(&callbacks, &host));
    STATUS(HCL_OK, hcl_frame_set_host(frame, host));
    hcl_host_free(host);
    equals(frame, program, "bob,bob,bob,bob");
    STATUS(HCL_OK, hcl_frame_reset(frame));
    equals(frame, alone, "bob");
    STATUS(HCL_OK, hcl_frame_set_user(frame, NULL));
    equals(frame, alone, "nobody");
    CHECK(ann.calls == 2 && ann.look_ups == 1 && ann.questions == 1);
    CHECK(bob.calls == 5 && bob.look_ups == 2 && bob.questions == 2);

    STATUS(HCL_ERR_ARGUMENT, hcl_frame_set_user(NULL, &ann));
    CHECK(hcl_call_user(NULL) == NULL && hcl_answer_user(NULL) == NULL);
    hcl_frame_free(frame);
    hcl_program_free(alone);
    hcl_program_free(program);
    hcl_scope_free(scope);
}

/* A callback can't change for whom it is called. */
static int32_t meddle(void *user, hcl_call *call)
{
    STATUS(HCL_ERR_BUSY, hcl_frame_set_user(*(hcl_frame **)user, NULL));
    return tenant(NULL, call);
}

struct thread {
    const hcl_scope *scope;
    const hcl_program *program;
    char name[8];
};

static void *evaluate(void *of)
{
    struct thread *thread = of;
    struct request request = {thread->name, 0, 0, 0};
    hcl_frame *frame = frame_of(thread->scope, look_up, variable, store);
    char expected[32];
    snprintf(expected, sizeof expected, "%s,%s", thread->name, thread->name);
    STATUS(HCL_OK, hcl_frame_set_user(frame, &request));
    for (int i = 0; i < 100; i++)
        equals(frame, thread->program, expected);
    CHECK(request.calls == 100 && request.look_ups == 100);
    hcl_frame_free(frame);
    return NULL;
}

static void test_threads(void)
{
    hcl_frame *busy = NULL;
    hcl_function functions[2] = {function_of("tenant", tenant), function_of("meddle", meddle)};
    size_t slot = 0;
    functions[1].user = &busy;
    hcl_scope *scope = scope_of(functions, 2, &slot);
    hcl_program *program = compile_in(scope, "\"${tenant()},${who}\""), *meddling = compile_in(scope, "meddle()");
    struct request ann = {"ann", 0, 0, 0};
    pthread_t threads[4];
    struct thread of[4];

    busy = frame_of(scope, look_up, variable, store);
    STATUS(HCL_OK, hcl_frame_set_user(busy, &ann));
    equals(busy, meddling, "ann");
    hcl_frame_free(busy);
    for (int i = 0; i < 4; i++) {
        of[i].scope = scope;
        of[i].program = program;
        snprintf(of[i].name, sizeof of[i].name, "t%d", i);
        CHECK(pthread_create(&threads[i], NULL, evaluate, &of[i]) == 0);
    }
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    hcl_program_free(program);
    hcl_program_free(meddling);
    hcl_scope_free(scope);
}

/* ------------------------------------------------------------------------------------- failing in one's own words */

static hcl_diags *said(const char *code, const char *summary, const hcl_place *subject, uint32_t severity)
{
    hcl_diag diag;
    hcl_diags *diags = NULL;
    memset(&diag, 0, sizeof diag);
    diag.size = sizeof diag;
    diag.severity = severity;
    diag.code = (hcl_str){code, HCL_NUL};
    diag.summary = (hcl_str){summary, HCL_NUL};
    diag.detail = (hcl_str){"It says \"s3cret-text\".", HCL_NUL};
    STATUS(HCL_OK, hcl_diags_add(&diags, &diag, subject, NULL));
    return diags;
}

static int32_t refuse(void *user, hcl_call *call)
{
    hcl_diags *diags = said("host.refused", "Refused", NULL, HCL_SEVERITY_ERROR);
    hcl_diags *warning = said("host.odd", "Odd", NULL, HCL_SEVERITY_WARNING);
    (void)user;
    STATUS(HCL_ERR_ARGUMENT, hcl_call_fail_with(call, 0, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_call_fail_with(call, 0, warning));
    STATUS(HCL_ERR_ARGUMENT, hcl_call_fail_with(NULL, 0, diags));
    STATUS(HCL_OK, hcl_diags_append(&diags, warning));
    STATUS(HCL_OK, hcl_call_fail_with(call, hcl_call_count(call) > 1 ? 1 : HCL_NO_ARGUMENT, diags));
    hcl_diags_free(diags);
    hcl_diags_free(warning);
    return HCL_ERR_CALLBACK;
}

/* Fails because of what is in another file. */
static int32_t include(void *user, hcl_call *call)
{
    hcl_file *file = NULL;
    hcl_diags *diags = NULL;
    (void)user;
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_file_parse("other.hcl", HCL_NUL, "a = \n", HCL_NUL, NULL, &file, &diags));
    STATUS(HCL_OK, hcl_call_fail_with(call, 0, diags));
    hcl_diags_free(diags);
    return 1;
}

/* The code under which `refuse_as` fails. */
static const char *host_code;

static int32_t refuse_as(void *user, hcl_call *call)
{
    hcl_diags *diags = said(host_code, "Refused", NULL, HCL_SEVERITY_ERROR);
    (void)user;
    STATUS(HCL_OK, hcl_call_fail_with(call, HCL_NO_ARGUMENT, diags));
    hcl_diags_free(diags);
    return 1;
}

static int32_t refuse_look_up_as(void *user, size_t slot, hcl_str name, hcl_call *call)
{
    (void)slot, (void)name;
    return refuse_as(user, call);
}

static int32_t refuse_answer_as(void *user, hcl_str what, uint64_t most, hcl_answer *answer)
{
    hcl_diags *diags = said(host_code, "Refused", NULL, HCL_SEVERITY_ERROR);
    (void)user, (void)what, (void)most;
    STATUS(HCL_OK, hcl_answer_fail_with(answer, diags));
    hcl_diags_free(diags);
    return 1;
}

static int32_t refuse_store_as(void *user, hcl_str function, hcl_call *call)
{
    (void)function;
    return refuse_as(user, call);
}

static int32_t refuse_look_up(void *user, size_t slot, hcl_str name, hcl_call *call)
{
    (void)slot, (void)name;
    return refuse(user, call);
}

static int32_t refuse_answer(void *user, hcl_str what, uint64_t most, hcl_answer *answer)
{
    hcl_diags *diags = said("host.refused", "Refused", NULL, HCL_SEVERITY_ERROR);
    (void)user, (void)what, (void)most;
    STATUS(HCL_ERR_ARGUMENT, hcl_answer_fail_with(answer, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_answer_fail_with(NULL, diags));
    STATUS(HCL_OK, hcl_answer_fail_with(answer, diags));
    hcl_diags_free(diags);
    return 1;
}

static int32_t refuse_store(void *user, hcl_str function, hcl_call *call)
{
    (void)function;
    return refuse(user, call);
}

/* The diagnostics of an evaluation, one a line: CODE FILE "SUBJECT". */
static void fails(hcl_frame *frame, const hcl_scope *scope, const char *source, const char *expected)
{
    hcl_program *program = compile_in(scope, source);
    hcl_value *value = NULL;
    hcl_diags *diags = NULL;
    char text[1024] = "";

    STATUS(HCL_ERR_DIAGNOSTICS, hcl_eval(program, frame, &value, &diags));
    for (size_t i = 0; i < hcl_diags_count(diags); i++) {
        hcl_diag diag;
        size_t used = strlen(text);
        memset(&diag, 0, sizeof diag);
        diag.size = sizeof diag;
        STATUS(HCL_OK, hcl_diags_get(diags, i, &diag));
        snprintf(text + used, sizeof text - used, "%.*s %.*s \"%.*s\"\n", (int)diag.code.len, diag.code.ptr,
                 (int)diag.filename.len, diag.filename.ptr, (int)diag.expression.len, diag.expression.ptr);
    }
    if (strcmp(text, expected) != 0) {
        failures++;
        fprintf(stderr, "%s:\n%s", source, text);
    }
    hcl_diags_free(diags);
    hcl_program_free(program);
}

static void test_failures(void)
{
    hcl_param param;
    hcl_function functions[2] = {function_of("refuse", refuse), function_of("include", include)};
    size_t slot = 0;
    memset(&param, 0, sizeof param);
    param.name = (hcl_str){"x", 1};
    param.flags = HCL_PARAM_VARIADIC;
    for (int i = 0; i < 2; i++) {
        functions[i].params = &param;
        functions[i].n_params = 1;
    }
    hcl_scope *scope = scope_of(functions, 2, &slot);
    hcl_frame *frame = frame_of(scope, refuse_look_up, refuse_answer, refuse_store);

    fails(frame, scope, "refuse(3, 4)", "host.refused test \"4\"\nhost.odd test \"4\"\n");
    fails(frame, scope, "[refuse()]", "host.refused test \"refuse(\"\nhost.odd test \"refuse(\"\n");
    fails(frame, scope, "include(\"other\")", "parse.expression_invalid other.hcl \"\n\"\neval.call.failed test \"other\"\n");
    fails(frame, scope, "\"${who}\"", "host.refused test \"who\"\nhost.odd test \"who\"\n");
    fails(frame, scope, "env(\"X\")", "host.refused test \"env(\"\n");
    fails(frame, scope, "consul_key(\"k\")", "host.refused test \"consul_key(\"\nhost.odd test \"consul_key(\"\n");

    /* `try` goes on after them, and what is marked is not shown. */
    hcl_program *trying = compile_in(scope, "try(refuse(1), \"fine\")"), *secret = compile_in(scope, "refuse(who)");
    hcl_value *plain = NULL, *marked = NULL, *value = NULL;
    hcl_diags *diags = NULL;
    hcl_buf *text = NULL;
    equals(frame, trying, "fine");
    STATUS(HCL_OK, hcl_value_string("s3cret-text", HCL_NUL, &plain));
    STATUS(HCL_OK, hcl_value_mark(plain, "sensitive", HCL_NUL, &marked));
    STATUS(HCL_OK, hcl_frame_set(frame, slot, marked));
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_eval(secret, frame, &value, &diags));
    STATUS(HCL_OK, hcl_diags_render(diags, NULL, &text));
    CHECK(strstr(hcl_buf_str(text).ptr, "host.refused") != NULL && strstr(hcl_buf_str(text).ptr, "s3cret") == NULL);
    hcl_buf_free(text);
    hcl_diags_free(diags);
    hcl_value_free(plain);
    hcl_value_free(marked);
    hcl_program_free(trying);
    hcl_program_free(secret);
    hcl_frame_free(frame);
    hcl_scope_free(scope);
}

/* A host may give its diagnostics any code. What the library does is decided by its own: the status of the call, and whether
 * details are redacted. */
static void test_codes_of_the_host(void)
{
    static const char *const codes[] = {"limit.cancelled", "limit.deadline", "limit.out_of_memory", "limit.host",
                                        "limit.steps", "limit.of_the_host", "api.unbound", "api.internal"};
    hcl_param param;
    hcl_function function = function_of("refuse", refuse_as);
    size_t slot = 0;
    memset(&param, 0, sizeof param);
    param.name = (hcl_str){"x", 1};
    param.flags = HCL_PARAM_VARIADIC;
    function.params = &param;
    function.n_params = 1;
    hcl_scope *scope = scope_of(&function, 1, &slot);
    hcl_frame *frame = frame_of(scope, refuse_look_up_as, refuse_answer_as, refuse_store_as);

    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        char expected[128];
        host_code = codes[i];
        snprintf(expected, sizeof expected, "%s test \"refuse(\"\n", host_code);
        fails(frame, scope, "refuse()", expected);
        snprintf(expected, sizeof expected, "%s test \"who\"\n", host_code);
        fails(frame, scope, "who", expected);
        snprintf(expected, sizeof expected, "%s test \"env(\"\n", host_code);
        fails(frame, scope, "env(\"X\")", expected);
        snprintf(expected, sizeof expected, "%s test \"consul_key(\"\n", host_code);
        fails(frame, scope, "consul_key(\"k\")", expected);
    }

    /* The elements are marked, and so is what the host says of one of them. */
    hcl_value *plain = NULL, *marked = NULL, *value = NULL;
    hcl_diags *diags = NULL;
    hcl_buf *text = NULL;
    hcl_program *program = compile_in(scope, "[for secret in who : refuse(\"of\")]");
    host_code = "limit.steps";
    STATUS(HCL_OK, hcl_value_decode(HCL_FORMAT_JSON, "[1]", HCL_NUL, NULL, NULL, &plain, NULL));
    STATUS(HCL_OK, hcl_value_mark(plain, "sensitive", HCL_NUL, &marked));
    STATUS(HCL_OK, hcl_frame_set(frame, slot, marked));
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_eval(program, frame, &value, &diags));
    STATUS(HCL_OK, hcl_diags_render(diags, NULL, &text));
    CHECK(strstr(hcl_buf_str(text).ptr, "Refused") != NULL && strstr(hcl_buf_str(text).ptr, "s3cret") == NULL);
    hcl_buf_free(text);
    hcl_diags_free(diags);
    hcl_program_free(program);
    hcl_value_free(plain);
    hcl_value_free(marked);
    hcl_frame_free(frame);
    hcl_scope_free(scope);
}

/* ------------------------------------------------------------------------------------------------ capsules */

static int drops;

static void drop(void *pointer) { ++*(int *)pointer, drops++; }

static hcl_type *connection;

static int32_t fd_of(void *user, hcl_call *call)
{
    void *object = NULL;
    (void)user;
    if (hcl_value_as_capsule(hcl_call_arg(call, 0), connection, &object) != HCL_OK)
        return (int32_t)hcl_call_fail(call, 0, "must be a connection", HCL_NUL) + 1;
    return (int32_t)hcl_call_return_i64(call, *(int *)object + 40);
}

static void test_capsules(void)
{
    int first = 2, second = 2, dropped = 0;
    hcl_type *other = NULL, *text_type = NULL;
    hcl_value *a = NULL, *b = NULL, *out = NULL;
    hcl_param param;
    hcl_function function = function_of("fd", fd_of);
    size_t slot = 0;
    void *object = NULL;
    char text[64];

    memset(&param, 0, sizeof param);
    param.name = (hcl_str){"connection", HCL_NUL};
    function.params = &param;
    function.n_params = 1;
    STATUS(HCL_OK, hcl_type_capsule("connection", HCL_NUL, &connection));
    STATUS(HCL_OK, hcl_type_capsule("connection", HCL_NUL, &other));
    STATUS(HCL_OK, hcl_type_parse("string", HCL_NUL, &text_type, NULL));
    STATUS(HCL_OK, hcl_value_capsule(connection, &first, drop, &a));
    STATUS(HCL_OK, hcl_value_capsule(connection, &second, drop, &b));
    CHECK(hcl_value_kind(a) == HCL_KIND_CAPSULE);
    STATUS(HCL_OK, hcl_value_as_capsule(a, connection, &object));
    CHECK(object == &first);
    STATUS(HCL_ERR_TYPE, hcl_value_as_capsule(a, other, &object));
    STATUS(HCL_ERR_TYPE, hcl_value_as_capsule(a, text_type, &object));
    hcl_diags *diags = NULL;
    STATUS(HCL_ERR_TYPE, hcl_value_convert(a, text_type, NULL, &out, &diags));
    hcl_buf *buf = NULL;
    STATUS(HCL_OK, hcl_diags_render(diags, NULL, &buf));
    CHECK(strstr(hcl_buf_str(buf).ptr, "string") != NULL);
    hcl_buf_free(buf);
    hcl_diags_free(diags);
    STATUS(HCL_ERR_TYPE, hcl_value_encode(a, HCL_FORMAT_JSON, 0, NULL, &buf, NULL));
    hcl_value *null = NULL, *unknown = NULL, *marked = NULL;
    STATUS(HCL_OK, hcl_value_null(connection, &null));
    STATUS(HCL_OK, hcl_value_unknown(connection, &unknown));
    STATUS(HCL_OK, hcl_value_mark(a, "sensitive", HCL_NUL, &marked));
    STATUS(HCL_ERR_TYPE, hcl_value_as_capsule(null, connection, &object));
    STATUS(HCL_ERR_UNKNOWN, hcl_value_as_capsule(unknown, connection, &object));
    STATUS(HCL_ERR_MARKED, hcl_value_as_capsule(marked, connection, &object));
    hcl_value_free(null);
    hcl_value_free(unknown);
    hcl_value_free(marked);

    /* Through expressions: compared by identity, in collections, into a function. */
    hcl_scope *scope = NULL;
    hcl_frame *frame = NULL;
    STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
    STATUS(HCL_OK, hcl_scope_function(scope, &function));
    STATUS(HCL_OK, hcl_scope_slot(scope, "a", HCL_NUL, &slot));
    STATUS(HCL_OK, hcl_scope_const(scope, "b", HCL_NUL, b));
    STATUS(HCL_OK, hcl_scope_seal(scope));
    STATUS(HCL_OK, hcl_frame_new(scope, &frame));
    STATUS(HCL_OK, hcl_frame_set(frame, slot, a));
    hcl_program *program = compile_in(scope, "[a == a, a == b, {x = a}.x == a, fd([a, b][0])]");
    STATUS(HCL_OK, hcl_eval(program, frame, &out, NULL));
    STATUS(HCL_OK, hcl_value_encode(out, HCL_FORMAT_JSON, 0, NULL, &buf, NULL));
    snprintf(text, sizeof text, "%s", hcl_buf_str(buf).ptr);
    CHECK(strcmp(text, "[true,false,true,42]") == 0);
    hcl_buf_free(buf);
    hcl_value_free(out);
    hcl_program_free(program);
    program = compile_in(scope, "\"x${a}\"");
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_eval(program, frame, &out, NULL));
    hcl_program_free(program);
    program = compile_in(scope, "fd(1)");
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_eval(program, frame, &out, NULL));
    hcl_program_free(program);

    /* Each object goes once, with the last that holds it, or at once when nothing came of it. */
    hcl_value_free(a);
    hcl_value_free(b);
    CHECK(drops == 0);
    hcl_frame_free(frame);
    CHECK(drops == 1 && first == 3);
    hcl_scope_free(scope);
    CHECK(drops == 2 && second == 3);
    STATUS(HCL_ERR_TYPE, hcl_value_capsule(text_type, &dropped, drop, &a));
    STATUS(HCL_ERR_ARGUMENT, hcl_value_capsule(NULL, &dropped, drop, &a));
    STATUS(HCL_ERR_ARGUMENT, hcl_value_capsule(connection, &dropped, drop, NULL));
    CHECK(drops == 5 && dropped == 3);
    STATUS(HCL_OK, hcl_value_capsule(connection, &dropped, NULL, &a));
    STATUS(HCL_ERR_ARGUMENT, hcl_value_as_capsule(a, connection, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_value_as_capsule(NULL, connection, &object));
    STATUS(HCL_ERR_ARGUMENT, hcl_type_capsule("", 0, &other));
    hcl_value_free(a);
    CHECK(drops == 5);
    hcl_type_free(other);
    hcl_type_free(text_type);
    hcl_type_free(connection);
}

int main(void)
{
    test_user();
    test_threads();
    test_failures();
    test_codes_of_the_host();
    test_capsules();
    return failures;
}

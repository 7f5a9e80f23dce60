/* Scopes, programs, frames: names, slots, host functions, limits, errors. */
#include "check.h"

static void scopes(void)
{
    hcl_scope *outer = NULL, *inner = NULL;
    hcl_frame *frame = NULL;
    hcl_value *one = NULL;
    hcl_diags *diags = NULL;
    hcl_program *program;
    size_t key, each, again;
    int64_t i;
    bool b;
    hcl_str s;

    STATUS(HCL_OK, hcl_value_i64(1, &one));
    STATUS(HCL_OK, hcl_scope_new(NULL, &outer));
    STATUS(HCL_ERR_ARGUMENT, hcl_scope_new(outer, &inner)); /* not sealed */
    STATUS(HCL_ERR_ARGUMENT, hcl_frame_new(outer, &frame));
    STATUS(HCL_ERR_NOT_FOUND, hcl_scope_builtins(outer, 99));
    STATUS(HCL_OK, hcl_scope_const(outer, "one", HCL_NUL, one));
    STATUS(HCL_ERR_ARGUMENT, hcl_scope_const(outer, "", 0, one));
    STATUS(HCL_OK, hcl_scope_slot(outer, "request", HCL_NUL, &each));
    STATUS(HCL_OK, hcl_scope_seal(outer));
    STATUS(HCL_OK, hcl_scope_seal(outer));
    STATUS(HCL_ERR_ARGUMENT, hcl_scope_const(outer, "two", HCL_NUL, one));
    STATUS(HCL_OK, hcl_scope_new(outer, &inner));
    STATUS(HCL_OK, hcl_scope_slot(inner, "each.key", HCL_NUL, &key));
    STATUS(HCL_OK, hcl_scope_slot(inner, "each.key", HCL_NUL, &again));
    CHECK(key == again && key != each);
    STATUS(HCL_OK, hcl_scope_seal(inner));
    hcl_scope_free(outer); /* the inner one keeps it */
    STATUS(HCL_OK, hcl_frame_new(inner, &frame));

    program = compile_in(inner, "one + each.key + request");
    CHECK(hcl_program_needs_count(program) == 2);
    STATUS(HCL_OK, hcl_frame_set_i64(frame, key, 20));
    STATUS(HCL_ERR_UNBOUND, hcl_eval_i64(program, frame, &i, &diags));
    CHECK(hcl_diags_count(diags) == 1);
    hcl_diags_free(diags);
    STATUS(HCL_OK, hcl_frame_set_str(frame, each, "300", 3)); /* converts, as everywhere in HCL */
    STATUS(HCL_OK, hcl_eval_i64(program, frame, &i, &diags));
    CHECK(i == 321 && diags == NULL);
    STATUS(HCL_ERR_TYPE, hcl_eval_bool(program, frame, &b, NULL));
    STATUS(HCL_OK, hcl_eval_str(program, frame, &s, NULL));
    CHECK(str_is(s, "321"));
    STATUS(HCL_OK, hcl_frame_set_str(frame, each, "many", 4));
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_eval_i64(program, frame, &i, &diags));
    CHECK(hcl_diags_has_errors(diags));
    hcl_diags_free(diags);
    STATUS(HCL_ERR_RANGE, hcl_frame_set_i64(frame, 1000, 1));
    hcl_program_free(program);

    hcl_expr *expr = NULL;
    STATUS(HCL_OK, hcl_expr_parse("t", 1, "oen + nope()", HCL_NUL, NULL, 0, NULL, &expr, NULL));
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_program_compile(expr, inner, 0, &program, &diags));
    CHECK(hcl_diags_count(diags) == 2); /* the name and the function, both at once */
    hcl_diags_free(diags);
    hcl_expr_free(expr);

    hcl_scope_free(inner);
    hcl_frame_free(frame);
    hcl_value_free(one);
}

/* Names that mean nothing, by the rule of a dialect and by a flag. */
static void unknown_names(void)
{
    hcl_scope *job = NULL, *left = NULL, *none = NULL;
    hcl_frame *frame = NULL;
    hcl_program *program;
    size_t zone;
    hcl_str s;

    STATUS(HCL_OK, hcl_scope_new(NULL, &job));
    STATUS(HCL_ERR_NOT_FOUND, hcl_scope_dialect(job, "terraform-9.9", HCL_NUL));
    STATUS(HCL_ERR_ARGUMENT, hcl_scope_dialect(job, "", 0));
    STATUS(HCL_OK, hcl_scope_dialect(job, "nomad", HCL_NUL));
    STATUS(HCL_OK, hcl_scope_slot(job, "zone", HCL_NUL, &zone));
    STATUS(HCL_OK, hcl_scope_seal(job));
    STATUS(HCL_ERR_ARGUMENT, hcl_scope_dialect(job, "nomad", HCL_NUL));
    STATUS(HCL_ERR_ARGUMENT, hcl_scope_flags(job, HCL_SCOPE_RUNTIME_REFERENCES));
    STATUS(HCL_OK, hcl_frame_new(job, &frame));
    program = compile_in(job, "\"${zone}-${ node.class }-${upper(attr.arch)}\"");
    CHECK(hcl_program_needs_count(program) == 1);
    STATUS(HCL_OK, hcl_frame_set_str(frame, zone, "b", 1));
    STATUS(HCL_OK, hcl_eval_str(program, frame, &s, NULL));
    CHECK(str_is(s, "b-${ node.class }-${ATTR.ARCH}"));
    hcl_program_free(program);
    hcl_frame_free(frame);
    hcl_scope_free(job);

    STATUS(HCL_OK, hcl_scope_new(NULL, &left));
    STATUS(HCL_ERR_ARGUMENT, hcl_scope_flags(left, 0));
    STATUS(HCL_ERR_ARGUMENT, hcl_scope_flags(left, 4));
    STATUS(HCL_OK, hcl_scope_flags(left, HCL_SCOPE_LEAVE_UNKNOWN));
    STATUS(HCL_OK, hcl_scope_seal(left));
    STATUS(HCL_OK, hcl_frame_new(left, &frame));
    program = compile_in(left, "\"${node.class + 1}\"");
    STATUS(HCL_OK, hcl_eval_str(program, frame, &s, NULL));
    CHECK(str_is(s, "${node.class + 1}"));
    hcl_program_free(program);
    hcl_frame_free(frame);
    hcl_scope_free(left);
    STATUS(HCL_ERR_ARGUMENT, hcl_scope_flags(none, HCL_SCOPE_LEAVE_UNKNOWN));
}

struct counter {
    int calls, drops;
    hcl_frame *frame;
    hcl_program *program;
    hcl_status inner;
};

static int32_t twice(void *user, hcl_call *call)
{
    struct counter *counter = user;
    int64_t i = 0;
    counter->calls++;
    STATUS(HCL_ERR_RANGE, hcl_call_arg_i64(call, 1, &i));
    STATUS(HCL_OK, hcl_call_arg_i64(call, 0, &i));
    if (i < 0) {
        (void)hcl_call_fail(call, 0, "must not be negative", HCL_NUL);
        return 1;
    }
    if (i == 13)
        return 99;
    if (i == 14)
        return 0; /* without a result */
    if (counter->frame != NULL) { /* evaluates again inside of itself */
        int64_t nothing;
        counter->inner = hcl_eval_i64(counter->program, counter->frame, &nothing, NULL);
    }
    return hcl_call_return_i64(call, 2 * i);
}

static void dropped(void *user)
{
    ((struct counter *)user)->drops++;
}

static hcl_function make_function(const char *name, const hcl_param *params, size_t n, struct counter *counter)
{
    hcl_function f;
    memset(&f, 0, sizeof f);
    f.size = sizeof f;
    f.name = (hcl_str){name, strlen(name)};
    f.params = params;
    f.n_params = n;
    f.result_type = (hcl_str){"number", 6};
    f.call = twice;
    f.user = counter;
    f.drop_user = dropped;
    return f;
}

static void host_functions(void)
{
    struct counter counter = {0}, failed = {0};
    hcl_scope *scope = NULL;
    hcl_frame *frame = NULL;
    hcl_diags *diags = NULL;
    hcl_diag diag;
    hcl_program *program;
    hcl_param param;
    size_t x;
    int64_t i;

    memset(&param, 0, sizeof param);
    param.name = (hcl_str){"n", 1};
    param.type_text = (hcl_str){"number", 6};
    STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
    STATUS(HCL_OK, hcl_scope_slot(scope, "x", 1, &x));
    hcl_function function = make_function("my::twice", &param, 1, &counter);
    STATUS(HCL_OK, hcl_scope_function(scope, &function));
    hcl_function wrong = make_function("wrong", NULL, 3, &failed);
    STATUS(HCL_ERR_ARGUMENT, hcl_scope_function(scope, &wrong));
    CHECK(failed.drops == 1); /* released though it was refused */
    wrong = make_function("", &param, 1, &failed);
    STATUS(HCL_ERR_ARGUMENT, hcl_scope_function(scope, &wrong));
    CHECK(failed.drops == 2);
    STATUS(HCL_OK, hcl_scope_seal(scope));
    STATUS(HCL_OK, hcl_frame_new(scope, &frame));

    program = compile_in(scope, "my::twice(x) + my::twice(\"4\")");
    STATUS(HCL_OK, hcl_frame_set_i64(frame, x, 3));
    STATUS(HCL_OK, hcl_eval_i64(program, frame, &i, NULL));
    CHECK(i == 14 && counter.calls == 2);

    memset(&diag, 0, sizeof diag);
    diag.size = sizeof diag;
    const struct { int64_t argument; hcl_status status; const char *summary; } cases[] = {
        {-1, HCL_ERR_DIAGNOSTICS, "Invalid function argument"},
        {13, HCL_ERR_CALLBACK, "Ended by the host"},
        {14, HCL_ERR_DIAGNOSTICS, "Error in function call"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        STATUS(HCL_OK, hcl_frame_set_i64(frame, x, cases[k].argument));
        STATUS(cases[k].status, hcl_eval_i64(program, frame, &i, &diags));
        STATUS(HCL_OK, hcl_diags_get(diags, 0, &diag));
        CHECK(str_is(diag.summary, cases[k].summary));
        hcl_diags_free(diags);
    }

    /* An unknown argument makes the result unknown; nothing is called. */
    hcl_value *unknown = NULL;
    counter.calls = 0;
    STATUS(HCL_OK, hcl_value_unknown(NULL, &unknown));
    STATUS(HCL_OK, hcl_frame_set(frame, x, unknown));
    STATUS(HCL_ERR_UNKNOWN, hcl_eval_i64(program, frame, &i, NULL));
    CHECK(counter.calls == 1);
    hcl_value_free(unknown);

    /* A frame in use is not used again. */
    STATUS(HCL_OK, hcl_frame_set_i64(frame, x, 3));
    counter.frame = frame;
    counter.program = program;
    STATUS(HCL_OK, hcl_eval_i64(program, frame, &i, NULL));
    CHECK(counter.inner == HCL_ERR_BUSY);
    counter.frame = NULL;

    CHECK(counter.drops == 0);
    hcl_scope_free(scope);
    hcl_program_free(program);
    CHECK(counter.drops == 0); /* the frame holds the scope */
    hcl_frame_free(frame);
    CHECK(counter.drops == 1);
}

static int32_t peek(void *user, hcl_call *call)
{
    hcl_status *seen = user;
    hcl_str text = {"", 0};
    int64_t whole = 0;
    bool truth = false;

    seen[0] = hcl_call_arg_str(call, 0, &text);
    seen[1] = hcl_call_arg_i64(call, 0, &whole);
    seen[2] = hcl_call_arg_bool(call, 0, &truth);
    CHECK(text.len == 0 && whole == 0 && !truth);
    return hcl_call_return_null(call);
}

/* What is marked or unknown is not read by accident: reading arguments answers as reading values does. */
static void guarded_arguments(void)
{
    hcl_status seen[3];
    hcl_param param = {{"x", 1}, {"", 0}, HCL_PARAM_MARKED | HCL_PARAM_UNKNOWN, 0};
    hcl_function function;
    hcl_scope *scope = NULL;
    hcl_frame *frame = NULL;
    hcl_value *plain = NULL, *given[2] = {NULL, NULL}, *value = NULL;
    hcl_type *type = NULL;
    const hcl_status expected[2] = {HCL_ERR_MARKED, HCL_ERR_UNKNOWN};
    size_t x;

    memset(&function, 0, sizeof function);
    function.size = sizeof function;
    function.name.ptr = "peek";
    function.name.len = 4;
    function.params = &param;
    function.n_params = 1;
    function.call = peek;
    function.user = seen;
    STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
    STATUS(HCL_OK, hcl_scope_function(scope, &function));
    STATUS(HCL_OK, hcl_scope_slot(scope, "x", 1, &x));
    STATUS(HCL_OK, hcl_scope_seal(scope));
    STATUS(HCL_OK, hcl_frame_new(scope, &frame));
    STATUS(HCL_OK, hcl_value_string("secret", HCL_NUL, &plain));
    STATUS(HCL_OK, hcl_value_mark(plain, "sensitive", HCL_NUL, &given[0]));
    STATUS(HCL_OK, hcl_type_parse("string", HCL_NUL, &type, NULL));
    STATUS(HCL_OK, hcl_value_unknown(type, &given[1]));
    hcl_program *program = compile_in(scope, "peek(x)");
    for (int k = 0; k < 2; k++) {
        STATUS(HCL_OK, hcl_frame_set(frame, x, given[k]));
        STATUS(HCL_OK, hcl_eval(program, frame, &value, NULL));
        hcl_value_free(value);
        for (int i = 0; i < 3; i++) STATUS(expected[k], seen[i]);
        hcl_value_free(given[k]);
    }
    hcl_value_free(plain);
    hcl_type_free(type);
    hcl_program_free(program);
    hcl_frame_free(frame);
    hcl_scope_free(scope);
}

static void limits(void)
{
    hcl_scope *scope = plain_scope();
    hcl_frame *frame = NULL;
    hcl_value *value = NULL;
    hcl_diags *diags = NULL;
    hcl_cancel *cancel = NULL;
    hcl_limits limits, used;
    hcl_program *program = compile_in(scope, "length([for a in range(1000) : [for b in range(1000) : a * b]])");

    memset(&limits, 0, sizeof limits);
    memset(&used, 0, sizeof used);
    limits.size = used.size = sizeof limits;
    STATUS(HCL_OK, hcl_frame_new(scope, &frame));
    limits.max_steps = 10000;
    STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
    STATUS(HCL_ERR_LIMIT, hcl_eval(program, frame, &value, &diags));
    CHECK(hcl_diags_has_errors(diags));
    hcl_diags_free(diags);
    STATUS(HCL_OK, hcl_frame_used(frame, &used));
    CHECK(used.max_steps <= 10000 && used.max_steps > 9000);

    /* Limits are for later evaluations and leave alone what the last one used. */
    limits.max_steps = limits.max_elements = limits.max_output_bytes = 1;
    STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
    used.max_steps = 0;
    STATUS(HCL_OK, hcl_frame_used(frame, &used));
    CHECK(used.max_steps <= 10000 && used.max_steps > 9000);
    limits.max_elements = limits.max_output_bytes = 0;
    STATUS(HCL_OK, hcl_frame_set_limits(frame, NULL));
    STATUS(HCL_OK, hcl_frame_used(frame, &used));
    CHECK(used.max_steps <= 10000 && used.max_steps > 9000);

    /* An expression that is not compiled is charged to the frame as well. */
    hcl_expr *expr = NULL;
    STATUS(HCL_OK, hcl_expr_parse("t", 1, "[for a in range(100) : a]", HCL_NUL, NULL, 0, NULL, &expr, NULL));
    STATUS(HCL_OK, hcl_expr_eval(expr, frame, &value, NULL));
    hcl_value_free(value);
    hcl_expr_free(expr);
    STATUS(HCL_OK, hcl_frame_used(frame, &used));
    CHECK(used.max_elements == 200 && used.max_steps > 100 && used.max_steps < 1000);

    limits.max_steps = 0;
    limits.timeout_ns = 1;
    STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
    STATUS(HCL_ERR_DEADLINE, hcl_eval(program, frame, &value, NULL));
    STATUS(HCL_OK, hcl_frame_set_limits(frame, NULL));

    STATUS(HCL_OK, hcl_cancel_new(&cancel));
    STATUS(HCL_OK, hcl_frame_set_cancel(frame, cancel));
    hcl_cancel_trigger(cancel);
    hcl_cancel_free(cancel);
    STATUS(HCL_ERR_CANCELLED, hcl_eval(program, frame, &value, NULL));
    STATUS(HCL_OK, hcl_frame_set_cancel(frame, NULL));
    STATUS(HCL_OK, hcl_eval(program, frame, &value, NULL));
    hcl_value_free(value);
    hcl_frame_free(frame);
    hcl_program_free(program);
    hcl_scope_free(scope);
}

static void language(void)
{
    hcl_scope *scope = plain_scope();
    char out[256];

    CHECK(strcmp(console(scope, "1 + 2 * 3", out, sizeof out), "7") == 0);
    CHECK(strcmp(console(scope, "0.1 + 0.2", out, sizeof out), "0.3") == 0);
    CHECK(strcmp(console(scope, "true ? 1 : \"a\"", out, sizeof out), "\"1\"") == 0);
    CHECK(strcmp(console(scope, "[for s in [\"a\", \"b\"] : upper(s)]", out, sizeof out), "[\n  \"A\",\n  \"B\",\n]") == 0);
    CHECK(strcmp(console(scope, "\"%{ for i in [1, 2] }${i};%{ endfor }\"", out, sizeof out), "\"1;2;\"") == 0);
    hcl_scope_free(scope);
}

int main(void)
{
    scopes();
    unknown_names();
    host_functions();
    guarded_arguments();
    limits();
    language();
    return failures != 0;
}

/* Limits and cancelling in everything that takes them; a switch thrown by a signal handler. */
#define _DEFAULT_SOURCE
#include "check.h"

#include <signal.h>
#include <stdint.h>
#include <unistd.h>

static hcl_limits no_limits(void)
{
    hcl_limits limits;
    memset(&limits, 0, sizeof limits);
    limits.size = sizeof limits;
    return limits;
}

/* A list of lists that share their parts: 100 at the bottom, 100 times as many with each level. */
static hcl_value *shared(int levels)
{
    hcl_builder *builder = NULL;
    hcl_value *value = NULL;

    STATUS(HCL_OK, hcl_value_string("some text", HCL_NUL, &value));
    STATUS(HCL_OK, hcl_builder_new(&builder));
    for (int level = 0; level < levels; level++) {
        hcl_value *wider = NULL;
        STATUS(HCL_OK, hcl_builder_begin(builder, HCL_KIND_TUPLE));
        for (int i = 0; i < 100; i++) STATUS(HCL_OK, hcl_builder_value(builder, value));
        STATUS(HCL_OK, hcl_builder_end(builder));
        STATUS(HCL_OK, hcl_builder_finish(builder, &wider));
        hcl_value_free(value);
        value = wider;
    }
    hcl_builder_free(builder);
    return value;
}

/* Everything that is done to values, with the same limits. */
static void all_refuse(hcl_status expected, const hcl_limits *limits)
{
    hcl_value *value = shared(3), *marked = NULL, *out = NULL;
    hcl_type *list = NULL;
    hcl_buf *text = NULL, *read = NULL;
    hcl_diags *diags = NULL;
    uint64_t hash = 0;

    STATUS(HCL_OK, hcl_value_mark(value, "secret", HCL_NUL, &marked));
    STATUS(HCL_OK, hcl_type_parse("set(set(set(string)))", HCL_NUL, &list, NULL));
    for (uint32_t format = HCL_FORMAT_JSON; format <= HCL_FORMAT_CANONICAL; format++) {
        STATUS(expected, hcl_value_encode(value, format, 0, limits, &text, &diags));
        CHECK(hcl_diags_count(diags) == 1);
        hcl_diags_free(diags);
    }
    STATUS(expected, hcl_value_encode(marked, HCL_FORMAT_JSON, HCL_ENCODE_REVEAL, limits, &text, NULL));
    STATUS(expected, hcl_value_convert(value, list, limits, &out, NULL));
    STATUS(expected, hcl_value_equal(value, value, limits, &out, NULL));
    STATUS(expected, hcl_value_hash(value, limits, &hash, NULL));
    STATUS(expected, hcl_value_unmark_deep(marked, limits, &out, NULL, NULL));
    CHECK(out == NULL && text == NULL);
    STATUS(HCL_OK, hcl_value_encode(value, HCL_FORMAT_JSON, 0, NULL, &read, NULL));
    STATUS(expected, hcl_value_decode(HCL_FORMAT_JSON, hcl_buf_str(read).ptr, hcl_buf_str(read).len, NULL, limits, &out, NULL));
    STATUS(expected, hcl_value_decode(HCL_FORMAT_JSON, hcl_buf_str(read).ptr, hcl_buf_str(read).len, list, limits, &out, NULL));
    CHECK(out == NULL);
    hcl_buf_free(read);
    hcl_type_free(list);
    hcl_value_free(marked);
    hcl_value_free(value);
}

static void values(void)
{
    hcl_limits limits = no_limits();
    hcl_cancel *cancel = NULL;

    limits.max_steps = 1000;
    all_refuse(HCL_ERR_LIMIT, &limits);
    limits.max_steps = 0;
    limits.timeout_ns = 1;
    all_refuse(HCL_ERR_DEADLINE, &limits);
    limits.timeout_ns = 0;
    STATUS(HCL_OK, hcl_cancel_new(&cancel));
    hcl_cancel_trigger(cancel);
    limits.cancel = cancel;
    all_refuse(HCL_ERR_CANCELLED, &limits);
    hcl_cancel_free(cancel);
}

/* Limits that only some of it meets. */
static void particular(void)
{
    hcl_limits limits = no_limits();
    hcl_value *value = shared(2), *number = NULL, *out = NULL;
    hcl_type *lists = NULL;
    hcl_buf *text = NULL;

    limits.max_output_bytes = 100;
    STATUS(HCL_ERR_LIMIT, hcl_value_encode(value, HCL_FORMAT_JSON, 0, &limits, &text, NULL));
    STATUS(HCL_ERR_LIMIT, hcl_value_encode(value, HCL_FORMAT_CONSOLE, 0, &limits, &text, NULL));
    limits.max_output_bytes = 0;
    limits.max_memory = 100;
    STATUS(HCL_ERR_LIMIT, hcl_value_encode(value, HCL_FORMAT_JSON, 0, &limits, &text, NULL));
    STATUS(HCL_ERR_LIMIT, hcl_value_decode(HCL_FORMAT_JSON, "[1,2,3,4,5]", HCL_NUL, NULL, &limits, &out, NULL));
    STATUS(HCL_OK, hcl_type_parse("list(list(string))", HCL_NUL, &lists, NULL));
    STATUS(HCL_ERR_LIMIT, hcl_value_convert(value, lists, &limits, &out, NULL));
    hcl_type_free(lists);
    limits.max_memory = 0;
    limits.max_depth = 2;
    STATUS(HCL_ERR_LIMIT, hcl_value_decode(HCL_FORMAT_JSON, "[[[1]]]", HCL_NUL, NULL, &limits, &out, NULL));
    STATUS(HCL_OK, hcl_value_decode(HCL_FORMAT_JSON, "[[1]]", HCL_NUL, NULL, &limits, &out, NULL));
    hcl_value_free(out);
    hcl_value_free(value);

    /* A number with hundreds of millions of digits is not written, by default either. */
    STATUS(HCL_OK, hcl_value_number("1e640000000", HCL_NUL, &number));
    for (uint32_t format = HCL_FORMAT_JSON; format <= HCL_FORMAT_CANONICAL; format++)
        STATUS(HCL_ERR_LIMIT, hcl_value_encode(number, format, 0, NULL, &text, NULL));
    STATUS(HCL_ERR_LIMIT, hcl_value_number_text(number, &text));
    hcl_value_free(number);

    limits.max_depth = 0;
    limits.size = 4;
    STATUS(HCL_ERR_ARGUMENT, hcl_value_decode(HCL_FORMAT_JSON, "1", 1, NULL, &limits, &out, NULL));
}

/* What was used is told, the same each time, and what the limits say. */
static void usage(void)
{
    hcl_scope *scope = plain_scope();
    hcl_program *program = compile_in(scope, "join(\",\", [for i in range(100) : \"${i} and some text\"])");
    hcl_frame *frame = NULL;
    hcl_value *value = NULL;
    hcl_diags *diags = NULL;
    hcl_limits limits = no_limits(), used = no_limits(), again = no_limits();

    STATUS(HCL_OK, hcl_frame_new(scope, &frame));
    STATUS(HCL_OK, hcl_eval(program, frame, &value, NULL));
    hcl_value_free(value);
    STATUS(HCL_OK, hcl_frame_used(frame, &used));
    CHECK(used.max_memory == 24 * used.max_elements + used.max_output_bytes);
    CHECK(used.max_elements >= 100 && used.max_output_bytes > 1500 && used.max_steps > 300 && used.max_depth >= 3);
    STATUS(HCL_OK, hcl_eval(program, frame, &value, NULL));
    hcl_value_free(value);
    STATUS(HCL_OK, hcl_frame_used(frame, &again));
    CHECK(memcmp(&used, &again, sizeof used) == 0);

    /* Exactly what was used is enough, less is not. */
    uint64_t *fields[] = {&limits.max_steps, &limits.max_elements, &limits.max_output_bytes, &limits.max_memory};
    const uint64_t enough[] = {used.max_steps, used.max_elements, used.max_output_bytes, used.max_memory};
    for (int k = 0; k < 4; k++) {
        limits = no_limits();
        *fields[k] = enough[k];
        STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
        STATUS(HCL_OK, hcl_eval(program, frame, &value, NULL));
        hcl_value_free(value);
        *fields[k] -= 1;
        STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
        STATUS(HCL_ERR_LIMIT, hcl_eval(program, frame, &value, &diags));
        hcl_diags_free(diags);
    }
    limits = no_limits();
    limits.max_depth = used.max_depth - 1;
    STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
    STATUS(HCL_ERR_LIMIT, hcl_eval(program, frame, &value, NULL));
    hcl_frame_free(frame);
    hcl_program_free(program);
    hcl_scope_free(scope);
}

static hcl_cancel *by_signal;

static void on_alarm(int signal)
{
    (void)signal;
    hcl_cancel_trigger(by_signal);
}

/* The default limit of steps lets this run for long; the alarm ends it. */
static void signal_handler(void)
{
    hcl_scope *scope = plain_scope();
    hcl_program *program =
        compile_in(scope, "length([for a in range(1000) : length([for b in range(1000) : length([for c in range(1000) : 1])])])");
    hcl_frame *frame = NULL;
    hcl_limits limits = no_limits();
    int64_t answer = 0;

    STATUS(HCL_OK, hcl_cancel_new(&by_signal));
    STATUS(HCL_OK, hcl_frame_new(scope, &frame));
    limits.max_steps = limits.max_elements = limits.max_memory = UINT64_MAX;
    limits.cancel = by_signal;
    STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
    CHECK(signal(SIGALRM, on_alarm) != SIG_ERR);
    (void)ualarm(50000, 0);
    STATUS(HCL_ERR_CANCELLED, hcl_eval_i64(program, frame, &answer, NULL));
    /* Limits without a switch leave the one that is there. */
    limits.cancel = NULL;
    STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
    STATUS(HCL_ERR_CANCELLED, hcl_eval_i64(program, frame, &answer, NULL));
    hcl_frame_free(frame);
    hcl_cancel_free(by_signal);
    hcl_program_free(program);
    hcl_scope_free(scope);
}

/* Writes a piece so many times behind a text. */
static char *repeat(char *end, const char *piece, int times)
{
    for (int i = 0; i < times; i++)
        end += sprintf(end, "%s", piece);
    return end;
}

static int32_t nothing(void *user, hcl_call *call)
{
    (void)user, (void)call;
    return HCL_OK;
}

/* Defaults in a type have the limits of an evaluation that is given none. */
static void defaults(void)
{
    enum { N = 20000, LONG = 100000 };
    char *source = malloc(64 * N), *end = source + sprintf(source, "object({");
    hcl_value *none = NULL, *whole = NULL;
    hcl_type *type = NULL;
    hcl_diags *diags = NULL;
    hcl_diag diag = {.size = sizeof diag};

    for (int i = 0; i < N; i++)
        end += sprintf(end, "a%d = optional(list(number), [1, 2, 3, 4, 5, 6]),", i);
    end += sprintf(end, "})");
    STATUS(HCL_OK, hcl_type_parse(source, (size_t)(end - source), &type, NULL));
    STATUS(HCL_OK, hcl_value_decode(HCL_FORMAT_JSON, "{}", HCL_NUL, NULL, NULL, &none, NULL));
    if (type != NULL) {
        STATUS(HCL_OK, hcl_value_convert(none, type, NULL, &whole, NULL));
        CHECK(hcl_value_kind(hcl_value_get(whole, "a19999", HCL_NUL)) == HCL_KIND_LIST);
    }
    hcl_value_free(whole);
    hcl_value_free(none);
    hcl_type_free(type);

    /* 80 million bytes of text: the limit has its status, beside its diagnostic. */
    type = NULL;
    end = repeat(source + sprintf(source, "object({ a = optional(any, [for a in ["), "1,", 800);
    end = repeat(end + sprintf(end, "] : \""), "x", LONG);
    end += sprintf(end, "${a}\"]) })");
    STATUS(HCL_ERR_LIMIT, hcl_type_parse(source, (size_t)(end - source), &type, &diags));
    CHECK(hcl_diags_count(diags) == 1 && type == NULL);
    STATUS(HCL_OK, hcl_diags_get(diags, 0, &diag));
    CHECK(str_is(diag.code, "limit.output") && diag.subject.start.line == 1);
    hcl_diags_free(diags);

    /* Types of functions and of their parameters too. */
    hcl_scope *scope = NULL;
    hcl_str long_type = { source, (size_t)(end - source) }, no_type = { "nothing", HCL_NUL };
    hcl_param param = { .name = { "a", 1 }, .type_text = long_type };
    hcl_function function = { .size = sizeof function, .name = { "f", 1 }, .params = &param, .n_params = 1, .call = nothing };
    STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
    STATUS(HCL_ERR_LIMIT, hcl_scope_function(scope, &function));
    param.type_text = no_type;
    STATUS(HCL_ERR_TYPE, hcl_scope_function(scope, &function));
    function.n_params = 0;
    function.result_type = long_type;
    STATUS(HCL_ERR_LIMIT, hcl_scope_function(scope, &function));
    hcl_scope_free(scope);
    free(source);
}

int main(void)
{
    values();
    defaults();
    particular();
    usage();
    signal_handler();
    return failures != 0;
}

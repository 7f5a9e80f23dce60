/* The codes of diagnostics that the interface itself gives, and of limits. */
#include "check.h"

#include <stdint.h>

/* Whether `code` is among the diagnostics, which are released. */
static bool says(hcl_diags *diags, const char *code)
{
    bool said = false;
    for (size_t i = 0; i < hcl_diags_count(diags); i++) {
        hcl_diag diag;
        memset(&diag, 0, sizeof diag);
        diag.size = sizeof diag;
        STATUS(HCL_OK, hcl_diags_get(diags, i, &diag));
        said = said || str_is(diag.code, code);
        CHECK(diag.summary.len > 0 && diag.detail.len > 0);
    }
    if (!said)
        fprintf(stderr, "  %s is not said\n", code);
    hcl_diags_free(diags);
    return said;
}

static void parsing(void)
{
    hcl_parse_opts opts;
    hcl_file *file = NULL;
    hcl_diags *diags = NULL;

    STATUS(HCL_ERR_ARGUMENT, hcl_file_parse("f", 1, NULL, 5, NULL, &file, &diags));
    CHECK(says(diags, "api.argument"));

    memset(&opts, 0, sizeof opts);
    opts.size = sizeof opts;
    opts.max_source_bytes = 4;
    STATUS(HCL_ERR_LIMIT, hcl_file_parse("f", 1, "a = 1", HCL_NUL, &opts, &file, &diags));
    hcl_diag diag = {.size = sizeof diag};
    STATUS(HCL_OK, hcl_diags_get(diags, 0, &diag));
    CHECK(str_is(diag.detail, "The source \"f\" is 5 bytes long; the limit is 4. Split it, or raise the limit."));
    CHECK(says(diags, "limit.source"));

    opts.max_source_bytes = 0;
    opts.max_depth = 3;
    STATUS(HCL_ERR_LIMIT, hcl_file_parse("f", 1, "a = [[[[1]]]]", HCL_NUL, &opts, &file, &diags));
    CHECK(says(diags, "limit.depth"));
    opts.flags = HCL_PARSE_JSON;
    STATUS(HCL_ERR_LIMIT, hcl_file_parse("f", 1, "{\"a\": [[[[1]]]]}", HCL_NUL, &opts, &file, &diags));
    CHECK(says(diags, "limit.depth"));
    opts.flags = 0;
    opts.max_diagnostics = 1;
    STATUS(HCL_ERR_LIMIT, hcl_file_parse("f", 1, "a = 1\na = 2\na = 3\n", HCL_NUL, &opts, &file, &diags));
    CHECK(says(diags, "limit.diagnostics"));
    CHECK(file == NULL);
}

/* Indentation that grows with each line is more than sixteen times the text. */
static void formatting(void)
{
    enum { LEVELS = 900 };
    char source[4 * LEVELS + 1];
    hcl_buf *out = NULL;
    hcl_diags *diags = NULL;

    for (int i = 0; i < LEVELS; i++) {
        memcpy(source + 2 * i, "[\n", 2);
        memcpy(source + 2 * (LEVELS + i), "]\n", 2);
    }
    STATUS(HCL_ERR_LIMIT, hcl_format("f", 1, source, 4 * LEVELS, HCL_STYLE_HCL, NULL, &out, &diags));
    CHECK(says(diags, "limit.source") && out == NULL);
}

static void evaluation(void)
{
    const struct {
        const char *code, *source;
        hcl_limits limits;
    } cases[] = {
        {"limit.steps", "[for i in range(1000) : i]", {.max_steps = 10}},
        {"limit.elements", "[for i in range(1000) : i]", {.max_elements = 10}},
        {"limit.output", "join(\"\", [for i in range(9) : \"${i}\"])", {.max_output_bytes = 5}},
        {"limit.memory", "[for i in range(1000) : i]", {.max_memory = 100}},
        {"limit.depth", "[for i in range(2) : [for j in range(2) : i + j]]", {.max_depth = 1}},
        {"limit.deadline", "length([for a in range(1000) : [for b in range(1000) : a * b]])", {.timeout_ns = 1}},
    };
    hcl_scope *scope = plain_scope();

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hcl_program *program = compile_in(scope, cases[i].source);
        hcl_frame *frame = NULL;
        hcl_limits limits = cases[i].limits;
        hcl_value *value = NULL;
        hcl_diags *diags = NULL;
        bool late = strcmp(cases[i].code, "limit.deadline") == 0;

        limits.size = sizeof limits;
        STATUS(HCL_OK, hcl_frame_new(scope, &frame));
        STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
        STATUS(late ? HCL_ERR_DEADLINE : HCL_ERR_LIMIT, hcl_eval(program, frame, &value, &diags));
        CHECK(says(diags, cases[i].code) && value == NULL);
        hcl_frame_free(frame);
        hcl_program_free(program);
    }
    hcl_scope_free(scope);
}

static int32_t refuses(void *user, hcl_call *call)
{
    (void)user;
    (void)call;
    return HCL_ERR_NOT_FOUND;
}

/* A switch that is thrown, a callback that ends it all, a slot that nobody set. */
static void from_outside(void)
{
    const char *sources[] = {"1 + 1", "refuses()", "unset"};
    const char *codes[] = {"limit.cancelled", "limit.host", "api.unbound"};
    const hcl_status statuses[] = {HCL_ERR_CANCELLED, HCL_ERR_CALLBACK, HCL_ERR_UNBOUND};
    hcl_scope *scope = NULL;
    hcl_function function;
    hcl_cancel *cancel = NULL;
    size_t slot;

    memset(&function, 0, sizeof function);
    function.size = sizeof function;
    function.name = (hcl_str){"refuses", 7};
    function.call = refuses;
    STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
    STATUS(HCL_OK, hcl_scope_function(scope, &function));
    STATUS(HCL_OK, hcl_scope_slot(scope, "unset", HCL_NUL, &slot));
    STATUS(HCL_OK, hcl_scope_seal(scope));
    STATUS(HCL_OK, hcl_cancel_new(&cancel));
    hcl_cancel_trigger(cancel);
    for (size_t i = 0; i < 3; i++) {
        hcl_program *program = compile_in(scope, sources[i]);
        hcl_frame *frame = NULL;
        hcl_value *value = NULL;
        hcl_diags *diags = NULL;
        STATUS(HCL_OK, hcl_frame_new(scope, &frame));
        STATUS(HCL_OK, hcl_frame_set_cancel(frame, i == 0 ? cancel : NULL));
        STATUS(statuses[i], hcl_eval(program, frame, &value, &diags));
        CHECK(says(diags, codes[i]));
        hcl_frame_free(frame);
        hcl_program_free(program);
    }
    hcl_cancel_free(cancel);
    hcl_scope_free(scope);
}

/* A call that fails says why, whatever its status: a result of another kind at the expression, a value that can't be
 * written with the place in it, and what has no words of its own in those of the status. */
static void other_results(void)
{
    enum { BOOL, WHOLE, DOUBLE, TEXT, JSON, NO_FORMAT };
    const struct {
        const char *code, *detail, *source;
        int wanted;
        hcl_status status;
    } cases[] = {
        {"api.result", "The result can't be read as bool: ", "\"abc\"", BOOL, HCL_ERR_TYPE},
        {"api.result", "The result can't be read as number: it is not a whole", "3 / 2", WHOLE, HCL_ERR_RANGE},
        {"api.result", "The result can't be read as number: ", "[1]", DOUBLE, HCL_ERR_TYPE},
        {"api.result", "The result can't be read as string: it is null", "null", TEXT, HCL_ERR_TYPE},
        {"api.result", "The result can't be read as bool: it has marks", "sensitive(true)", BOOL, HCL_ERR_MARKED},
        {"api.result", "The result can't be read as string: it is not known", "unknown", TEXT, HCL_ERR_UNKNOWN},
        {"value.json.marked", "At .a[0]: ", "{ a = [sensitive(1)] }", JSON, HCL_ERR_MARKED},
        {"value.json.unknown", "At .a: ", "{ a = unknown }", JSON, HCL_ERR_UNKNOWN},
        {"api.refused", "The library was built without this, or", "1", NO_FORMAT, HCL_ERR_UNSUPPORTED},
    };
    hcl_scope *scope = NULL;
    hcl_frame *frame = NULL;
    hcl_type *type = NULL;
    hcl_value *unknown = NULL;

    STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
    STATUS(HCL_OK, hcl_scope_builtins(scope, HCL_BUILTINS_TERRAFORM));
    STATUS(HCL_OK, hcl_type_parse("string", HCL_NUL, &type, NULL));
    STATUS(HCL_OK, hcl_value_unknown(type, &unknown));
    STATUS(HCL_OK, hcl_scope_const(scope, "unknown", HCL_NUL, unknown));
    STATUS(HCL_OK, hcl_scope_seal(scope));
    STATUS(HCL_OK, hcl_frame_new(scope, &frame));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hcl_program *program = compile_in(scope, cases[i].source);
        hcl_value *value = NULL;
        hcl_buf *text = NULL;
        hcl_diags *diags = NULL;
        hcl_diag diag = {.size = sizeof diag};
        hcl_str s;
        hcl_status status = HCL_OK;
        int64_t whole;
        double number;
        bool b;

        switch (cases[i].wanted) {
        case BOOL: status = hcl_eval_bool(program, frame, &b, &diags); break;
        case WHOLE: status = hcl_eval_i64(program, frame, &whole, &diags); break;
        case DOUBLE: status = hcl_eval_f64(program, frame, &number, &diags); break;
        case TEXT: status = hcl_eval_str(program, frame, &s, &diags); break;
        default:
            STATUS(HCL_OK, hcl_eval(program, frame, &value, NULL));
            status = hcl_value_encode(value, cases[i].wanted == JSON ? HCL_FORMAT_JSON : 99, 0, NULL, &text, &diags);
        }
        STATUS(cases[i].status, status);
        CHECK(hcl_diags_count(diags) == 1 && text == NULL);
        STATUS(HCL_OK, hcl_diags_get(diags, 0, &diag));
        CHECK(diag.severity == HCL_SEVERITY_ERROR && diag.detail.len > strlen(cases[i].detail));
        CHECK(strncmp(diag.detail.ptr, cases[i].detail, strlen(cases[i].detail)) == 0);
        CHECK(cases[i].wanted >= JSON || str_is(diag.expression, cases[i].source));
        CHECK(says(diags, cases[i].code));
        hcl_value_free(value);
        hcl_program_free(program);
    }
    hcl_value_free(unknown);
    hcl_type_free(type);
    hcl_frame_free(frame);
    hcl_scope_free(scope);
}

static void hosts(void)
{
    hcl_host_opts opts;
    hcl_str folder = {"/there/is/no/such/folder", 24};
    hcl_host *host = NULL;
    hcl_diags *diags = NULL;

    memset(&opts, 0, sizeof opts);
    opts.size = sizeof opts;
    opts.folders = &folder;
    opts.n_folders = 1;
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_host_system(&opts, &host, &diags));
    CHECK(says(diags, "api.folder") && host == NULL);
}

int main(void)
{
    parsing();
    formatting();
    evaluation();
    from_outside();
    other_results();
    hosts();
    return failures != 0;
}

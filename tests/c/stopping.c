/* Deadlines and switches: parsing, formatting, decoding, editing, diagnostics as text, explanations, names, patterns, numbers. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <pthread.h>
#include <time.h>

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* The work of the thread, whatever else the machine does. */
static double worked(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static hcl_parse_opts opts_of(uint32_t flags, uint64_t timeout_ns, const hcl_cancel *cancel)
{
    hcl_parse_opts opts;
    memset(&opts, 0, sizeof opts);
    opts.size = sizeof opts;
    opts.flags = flags;
    opts.timeout_ns = timeout_ns;
    opts.cancel = cancel;
    return opts;
}

static void expect_one(hcl_diags *diags, const char *code)
{
    hcl_diag diag;
    memset(&diag, 0, sizeof diag);
    diag.size = sizeof diag;
    CHECK(hcl_diags_count(diags) == 1);
    STATUS(HCL_OK, hcl_diags_get(diags, 0, &diag));
    CHECK(str_is(diag.code, code) && diag.subject.start.line == 0 && diag.detail.len > 10);
    hcl_diags_free(diags);
}

/* Whatever takes options is stopped by a switch that was thrown before, and says so. */
static void everything_stops(void)
{
    hcl_cancel *cancel = NULL;
    STATUS(HCL_OK, hcl_cancel_new(&cancel));
    hcl_cancel_trigger(cancel);
    hcl_parse_opts native = opts_of(0, 0, cancel), json = opts_of(HCL_PARSE_JSON, 0, cancel);
    hcl_file *file = NULL;
    hcl_expr *expr = NULL;
    hcl_traversals *traversals = NULL;
    hcl_schema *schema = NULL;
    hcl_spec *spec = NULL;
    hcl_buf *text = NULL;
    hcl_diags *diags = NULL;
    bool canonical = true;

#define STOPS(call)                                                                \
    do {                                                                           \
        STATUS(HCL_ERR_CANCELLED, call);                                           \
        expect_one(diags, "limit.cancelled");                                      \
    } while (0)
    STOPS(hcl_file_parse("f", 1, "a = 1\n", HCL_NUL, &native, &file, &diags));
    STOPS(hcl_file_parse("f", 1, "{}", HCL_NUL, &json, &file, &diags));
    STOPS(hcl_expr_parse("f", 1, "1", HCL_NUL, NULL, 0, &native, &expr, &diags));
    STOPS(hcl_expr_parse("f", 1, "t", HCL_NUL, NULL, HCL_EXPR_TEMPLATE, &native, &expr, &diags));
    STOPS(hcl_expr_parse("f", 1, "1", HCL_NUL, NULL, HCL_EXPR_JSON, &native, &expr, &diags));
    STOPS(hcl_traversal_parse("f", 1, "a.b", HCL_NUL, NULL, 0, &native, &traversals, &diags));
    STOPS(hcl_schema_parse("f", 1, "a = required\n", HCL_NUL, &native, &schema, &diags));
    STOPS(hcl_spec_parse("f", 1, "literal { value = 1 }\n", HCL_NUL, &native, &spec, &diags));
    STOPS(hcl_format("f", 1, "a=1\n", HCL_NUL, HCL_STYLE_HCL, &native, &text, &diags));
    STOPS(hcl_format("f", 1, "a=1\n", HCL_NUL, HCL_STYLE_TERRAFORM, &native, &text, &diags));
    STOPS(hcl_format_check("f", 1, "a=1\n", HCL_NUL, 0, &native, &canonical, &diags));
#undef STOPS
    CHECK(file == NULL && expr == NULL && traversals == NULL && schema == NULL && spec == NULL && text == NULL && canonical);

    /* With what was read by then, if that is wanted: nothing here. */
    native.flags = HCL_PARSE_PARTIAL;
    STATUS(HCL_ERR_CANCELLED, hcl_file_parse("f", 1, "a = 1\n", HCL_NUL, &native, &file, NULL));
    CHECK(file != NULL && hcl_body_attr_count(hcl_file_body(file)) == 0);
    hcl_file_free(file);
    /* The other options hold for formatting, too. */
    STATUS(HCL_ERR_ARGUMENT, hcl_format("f", 1, "", 0, 0, &native, &text, NULL));
    native = opts_of(0, 0, NULL);
    native.max_source_bytes = 3;
    STATUS(HCL_ERR_LIMIT, hcl_format("f", 1, "a=1\n", HCL_NUL, 0, &native, &text, NULL));
    native.max_source_bytes = 4;
    STATUS(HCL_OK, hcl_format("f", 1, "a=1\n", HCL_NUL, 0, &native, &text, NULL));
    hcl_buf_free(text);
    hcl_cancel_free(cancel);
}

static char *long_source(size_t lines, const char *line)
{
    size_t n = strlen(line);
    char *source = malloc(lines * n + 1);
    for (size_t i = 0; i < lines; i++)
        memcpy(source + i * n, line, n + 1);
    return source;
}

/* A deadline in the middle of a source ends the parse soon, and what was read by then can be had. */
static void in_time(void)
{
    size_t lines = in_valgrind() ? 30000 : 300000;
    char *source = long_source(lines, "b {}\n");
    hcl_parse_opts opts = opts_of(0, 0, NULL);
    hcl_file *file = NULL;
    hcl_buf *text = NULL;
    hcl_diags *diags = NULL;

    /* The first time is no measure: its memory is new. */
    double whole = 1e9;
    for (int round = 0; round < 5; round++) {
        double begun = seconds();
        STATUS(HCL_OK, hcl_file_parse("f", 1, source, HCL_NUL, &opts, &file, NULL));
        whole = seconds() - begun < whole ? seconds() - begun : whole;
        hcl_file_free(file);
    }
    opts = opts_of(HCL_PARSE_PARTIAL, (uint64_t)(whole / 3 * 1e9), NULL);
    STATUS(HCL_ERR_DEADLINE, hcl_file_parse("f", 1, source, HCL_NUL, &opts, &file, &diags));
    CHECK(hcl_body_block_count(hcl_file_body(file)) < lines);
    expect_one(diags, "limit.deadline");
    hcl_file_free(file);
    opts = opts_of(0, 1, NULL);
    STATUS(HCL_ERR_DEADLINE, hcl_format("f", 1, source, HCL_NUL, 0, &opts, &text, &diags));
    expect_one(diags, "limit.deadline");
    free(source);
}

/* A call that is out of time has released what it made by then, too. */
static void made_values_in_time(void)
{
    static const char *const texts[] = {"[for i in all : {a = {b = {c = i}}}]", "[for i in all : \"item number ${i} is long\"]",
                                        "flatten([for i in all : [i, [i]]])", "jsondecode(jsonencode([for i in all : {a = i}]))",
                                        /* Keys in another order than their values lie in memory. */
                                        "{for i, n in all : \"key ${i * 7919 % 3000017}\" => {a = n}}",
                                        "{for i, n in all : \"key ${i * 7919 % 400009}\" => {a = n}...}",
                                        /* Groups that lie between each other. */
                                        "{for i, n in all : \"key ${i * 7919 % 6}\" => {a = n, b = \"item number ${i} is long\"}...}",
                                        "{for i, n in all : \"key ${i * 7919 % 10007}\" => {a = n}...}",
                                        /* Small blocks of several sizes made in turn. */
                                        "[for i in all : {for x in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] : \"g${x}\" => {a = x}...}]",
                                        "[for i in all : {a = \"item number ${i} is long\", b = [\"item number ${i}\"], c = {d = i}}]",
                                        "merge([for i, n in all : {\"k${i}\" = {a = sensitive(n), b = \"item number ${i}\"}}]...)",
                                        "concat(all, all, all, all, all)",
                                        /* Lists of one another's elements. */
                                        "[for some in [[for i in slice(all, 0, 20000) : {a = i}]] : [for j in all : [for v in some : v]]]"};
    size_t n = in_valgrind() ? 20000 : 3000000, slot = 0;
    char *numbers = long_source(n, ",1");
    numbers[0] = '[';
    memcpy(numbers + 2 * n - 2, "] ", 2);
    hcl_limits limits;
    memset(&limits, 0, sizeof limits);
    limits.size = sizeof limits;
    limits.max_memory = UINT64_MAX;
    limits.max_elements = UINT64_MAX;
    hcl_value *all = NULL, *value = NULL;
    hcl_scope *scope = NULL;
    hcl_frame *frame = NULL;
    hcl_diags *diags = NULL;
    STATUS(HCL_OK, hcl_value_decode(HCL_FORMAT_JSON, numbers, 2 * n, NULL, &limits, &all, NULL));
    STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
    STATUS(HCL_OK, hcl_scope_builtins(scope, HCL_BUILTINS_TERRAFORM));
    STATUS(HCL_OK, hcl_scope_slot(scope, "all", 3, &slot));
    STATUS(HCL_OK, hcl_scope_seal(scope));
    STATUS(HCL_OK, hcl_frame_new(scope, &frame));
    STATUS(HCL_OK, hcl_frame_set(frame, slot, all));
    limits.timeout_ns = 100000000;
    STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        hcl_expr *expr = NULL;
        STATUS(HCL_OK, hcl_expr_parse("e", 1, texts[i], HCL_NUL, NULL, 0, NULL, &expr, NULL));
        double begun = worked();
        hcl_status status = hcl_expr_eval(expr, frame, &value, &diags);
        double took = worked() - begun;
        printf("%s: stopped after %.1f of 100 ms\n", texts[i], took * 1e3);
        CHECK(in_valgrind() || took < 0.120);
        CHECK(in_valgrind() || status == HCL_ERR_DEADLINE);
        if (status == HCL_OK)
            hcl_value_free(value);
        hcl_diags_free(diags);
        hcl_expr_free(expr);
    }
    hcl_frame_free(frame);
    hcl_scope_free(scope);
    hcl_value_free(all);
    free(numbers);
}

/* Parts that a value has many times are not looked through as often without looks: types of such values, and whether a message
 * may tell their names. */
static void shared_parts_in_time(void)
{
    static const char *const texts[] = {"!z", "sum(z)", "tolist(z)", "z == [1]", "true ? z : 1"};
    const int n_levels = in_valgrind() ? 12 : 21;
    hcl_limits limits;
    memset(&limits, 0, sizeof limits);
    limits.size = sizeof limits;
    limits.timeout_ns = 50000000;
    hcl_scope *scope = NULL;
    hcl_frame *frame = NULL;
    STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
    STATUS(HCL_OK, hcl_scope_builtins(scope, HCL_BUILTINS_TERRAFORM));
    STATUS(HCL_OK, hcl_scope_seal(scope));
    STATUS(HCL_OK, hcl_frame_new(scope, &frame));
    STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
    for (size_t i = 0; i < 2 * (sizeof texts / sizeof *texts); i++) {
        char source[2000], *at = source + sprintf(source, "[for q0 in [[%s, 1]] : ", i % 2 ? "sensitive(1)" : "1");
        for (int level = 1; level < n_levels; level++)
            at += sprintf(at, "[for q%d in [[q%d, q%d]] : ", level, level - 1, level - 1);
        at += sprintf(at, "[for z in [q%d] : %s]", n_levels - 1, texts[i / 2]);
        memset(at, ']', (size_t)n_levels);
        at[n_levels] = 0;
        hcl_expr *expr = NULL;
        hcl_value *value = NULL;
        STATUS(HCL_OK, hcl_expr_parse("e", 1, source, HCL_NUL, NULL, 0, NULL, &expr, NULL));
        double begun = worked();
        (void)hcl_expr_eval(expr, frame, &value, NULL);
        double took = worked() - begun;
        printf("%s of shared parts: ended after %.1f of 50 ms\n", texts[i / 2], took * 1e3);
        CHECK(in_valgrind() || took < 0.070);
        hcl_value_free(value);
        hcl_expr_free(expr);
    }
    hcl_frame_free(frame);
    hcl_scope_free(scope);
}

/* Bytes that are not UTF-8 are looked for within the deadline, too. */
static void bytes_in_time(void)
{
    size_t n = in_valgrind() ? 400000 : 4000000;
    char *bytes = malloc(n);
    hcl_file *file = NULL;
    hcl_diags *diags = NULL;

    memset(bytes, 0xff, n);
    double begun = worked();
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_file_parse("f", 1, bytes, n, NULL, &file, NULL));
    double whole = worked() - begun;
    hcl_parse_opts opts = opts_of(HCL_PARSE_PARTIAL, (uint64_t)(whole / 20 * 1e9), NULL);
    begun = worked();
    STATUS(HCL_ERR_DEADLINE, hcl_file_parse("f", 1, bytes, n, &opts, &file, &diags));
    double took = worked() - begun;
    printf("bytes: %.1f ms, stopped after %.1f of %.1f ms\n", whole * 1e3, took * 1e3, whole / 20 * 1e3);
    CHECK(took < whole / 4);
    CHECK(hcl_body_attr_count(hcl_file_body(file)) == 0);
    expect_one(diags, "limit.deadline");
    hcl_file_free(file);
    free(bytes);
}

/* The text of a cell is brought into normalisation form C within the deadline. */
static void texts_of_cells_in_time(void)
{
    size_t n = in_valgrind() ? 300000 : 6000000;
    char *text = malloc(n);
    for (size_t i = 0; i < n; i += 3)
        memcpy(text + i, "e\xcc\x81", 3);
    hcl_scope *scope = NULL;
    hcl_frame *frame = NULL;
    hcl_expr *expr = NULL;
    hcl_program *program = NULL;
    hcl_buf *results = NULL;
    hcl_diags *diags = NULL;
    size_t slot = 0;
    STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
    STATUS(HCL_OK, hcl_scope_slot(scope, "a", 1, &slot));
    STATUS(HCL_OK, hcl_scope_seal(scope));
    STATUS(HCL_OK, hcl_frame_new(scope, &frame));
    STATUS(HCL_OK, hcl_expr_parse("e", 1, "a == \"\"", HCL_NUL, NULL, 0, NULL, &expr, NULL));
    STATUS(HCL_OK, hcl_program_compile(expr, scope, 0, &program, NULL));
    hcl_cell cell, out;
    memset(&cell, 0, sizeof cell);
    cell.kind = HCL_CELL_STR;
    cell.payload.text.ptr = text;
    cell.payload.text.len = n;
    double begun = worked();
    STATUS(HCL_OK, hcl_eval_rows(program, frame, &slot, 1, &cell, 1, &out, &results, NULL));
    double whole = worked() - begun;
    CHECK(out.kind == HCL_CELL_BOOL && out.payload.boolean == 0);
    hcl_buf_free(results);
    hcl_limits limits;
    memset(&limits, 0, sizeof limits);
    limits.size = sizeof limits;
    limits.timeout_ns = 1;
    STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
    begun = worked();
    STATUS(HCL_ERR_DEADLINE, hcl_eval_rows(program, frame, &slot, 1, &cell, 1, &out, &results, &diags));
    double took = worked() - begun;
    printf("a text: %.1f ms, stopped after %.1f ms\n", whole * 1e3, took * 1e3);
    CHECK(in_valgrind() || took < whole / 2);
    expect_one(diags, "limit.deadline");
    hcl_program_free(program);
    hcl_expr_free(expr);
    hcl_frame_free(frame);
    hcl_scope_free(scope);
    free(text);
}

static void *throw_soon(void *cancel)
{
    struct timespec little = {0, 3000000};
    nanosleep(&little, NULL);
    hcl_cancel_trigger(cancel);
    return NULL;
}

/* Another thread ends parses that would go on and on. */
static void from_another_thread(void)
{
    char *source = long_source(20000, "a = [1, \"${b}\"]\n");
    hcl_cancel *cancel = NULL;
    hcl_status ended = HCL_OK;
    pthread_t thread;
    STATUS(HCL_OK, hcl_cancel_new(&cancel));
    hcl_parse_opts opts = opts_of(HCL_PARSE_PARTIAL, 0, cancel);
    opts.max_diagnostics = 1;
    CHECK(pthread_create(&thread, NULL, throw_soon, cancel) == 0);
    for (int i = 0; i < 100000 && ended != HCL_ERR_CANCELLED; i++) {
        hcl_file *file = NULL;
        hcl_diags *diags = NULL;
        ended = hcl_file_parse("f", 1, source, HCL_NUL, &opts, &file, &diags);
        CHECK(file != NULL && (ended == HCL_ERR_CANCELLED || ended == HCL_ERR_LIMIT || ended == HCL_ERR_DIAGNOSTICS));
        hcl_diags_free(diags);
        hcl_file_free(file);
    }
    CHECK(ended == HCL_ERR_CANCELLED);
    CHECK(pthread_join(thread, NULL) == 0);
    hcl_cancel_free(cancel);
    free(source);
}

/* A deadline in the middle of decoding ends it soon, of blocks that are written and of blocks that are generated. */
static void decoding(void)
{
    static const char spec_text[] = "block_list {\n  block_type = \"b\"\n  object {\n    attr \"n\" {\n      type = number\n    }\n  }\n}\n";
    static const char generated[] =
        "dynamic \"b\" {\n  for_each = range(1000)\n  content {\n    n = b.value + 1\n  }\n}\n";
    size_t thousands = in_valgrind() ? 4 : 40;
    char *sources[] = {long_source(thousands * 1000, "b {\n  n = 1 + 1\n}\n"), long_source(thousands, generated)};
    hcl_spec *spec = NULL;
    hcl_scope *scope = NULL;
    hcl_frame *frame = NULL;
    STATUS(HCL_OK, hcl_spec_parse("spec", HCL_NUL, spec_text, HCL_NUL, NULL, &spec, NULL));
    STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
    STATUS(HCL_OK, hcl_scope_dialect(scope, "terraform", HCL_NUL));
    STATUS(HCL_OK, hcl_scope_seal(scope));
    STATUS(HCL_OK, hcl_frame_new(scope, &frame));
    for (size_t i = 0; i < 2; i++) {
        hcl_file *file = NULL;
        hcl_body *body = NULL;
        hcl_limits limits;
        STATUS(HCL_OK, hcl_file_parse("f", 1, sources[i], HCL_NUL, NULL, &file, NULL));
        STATUS(HCL_OK, hcl_body_expand_dynamic(hcl_file_body(file), scope, NULL, &body));
        memset(&limits, 0, sizeof limits);
        limits.size = sizeof limits;
        STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
        double whole = 1e9;
        for (int round = 0; round < 3; round++) {
            hcl_value *value = NULL;
            size_t n = 0;
            double begun = worked();
            STATUS(HCL_OK, hcl_spec_decode(spec, body, frame, &value, NULL));
            whole = worked() - begun < whole ? worked() - begun : whole;
            STATUS(HCL_OK, hcl_value_len(value, &n));
            CHECK(n == thousands * 1000);
            hcl_value_free(value);
        }
        hcl_value *value = NULL;
        hcl_diags *diags = NULL;
        limits.timeout_ns = (uint64_t)(whole / 4 * 1e9);
        STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
        double begun = worked();
        STATUS(HCL_ERR_DEADLINE, hcl_spec_decode(spec, body, frame, &value, &diags));
        double took = worked() - begun;
        printf("decoding: %.1f ms, stopped after %.1f of %.1f ms\n", whole * 1e3, took * 1e3, whole / 4 * 1e3);
        CHECK(took < whole * 3 / 4);
        CHECK(hcl_diags_count(diags) == 1);
        hcl_diags_free(diags);
        hcl_body_free(body);
        hcl_file_free(file);
        free(sources[i]);
    }
    hcl_frame_free(frame);
    hcl_scope_free(scope);
    hcl_spec_free(spec);
}

static hcl_document *document_of(const char *source, const hcl_parse_opts *opts)
{
    hcl_document *document = NULL;
    STATUS(HCL_OK, hcl_document_parse("f", 1, source, HCL_NUL, opts, &document, NULL));
    return document;
}

/* The switch that a document was read with ends every later call on it, and nothing changes then. */
static void documents_stop(void)
{
    static const char text[] = "a = 1\nb \"x\" {\n  c = 1 # c\n}\n";
    hcl_cancel *cancel = NULL, *kept = NULL;
    hcl_diags *diags = NULL;
    hcl_value *value = NULL, *number = NULL;
    size_t n = 7;
    hcl_str label = {"l", 1};
    STATUS(HCL_OK, hcl_cancel_new(&cancel));
    STATUS(HCL_OK, hcl_cancel_ref(cancel, &kept));
    hcl_parse_opts opts = opts_of(0, 0, cancel);
    hcl_document *document = document_of(text, &opts);
    /* The document keeps the switch. */
    hcl_cancel_free(cancel);
    STATUS(HCL_OK, hcl_document_set(document, "a", 1, "2", 1, 0, NULL));
    STATUS(HCL_OK, hcl_document_set(document, "a", 1, "1", 1, 0, NULL));
    STATUS(HCL_OK, hcl_value_i64(1, &number));
    hcl_cancel_trigger(kept);
#define STOPS(call)                                                                \
    do {                                                                           \
        STATUS(HCL_ERR_CANCELLED, call);                                           \
        expect_one(diags, "limit.cancelled");                                      \
    } while (0)
    STOPS(hcl_document_list(document, NULL, 0, &value, &diags));
    STOPS(hcl_document_get(document, "a", 1, &value, &diags));
    STOPS(hcl_document_get(document, "z", 1, &value, &diags));
    STOPS(hcl_document_comments(document, "a", 1, &value, &diags));
    STOPS(hcl_document_set(document, "a", 1, "2", 1, 0, &diags));
    STOPS(hcl_document_set(document, "z.y", 3, "2", 1, HCL_EDIT_CREATE, &diags));
    STOPS(hcl_document_set_value(document, "a", 1, number, 0, &diags));
    STOPS(hcl_document_append(document, NULL, 0, "d {}\n", 5, &diags));
    STOPS(hcl_document_append_block(document, NULL, 0, "d", 1, NULL, 0, NULL, 0, &diags));
    STOPS(hcl_document_insert(document, "a", 1, HCL_SIDE_BEFORE, "d = 1\n", 6, &diags));
    STOPS(hcl_document_move(document, "b", 1, "a", 1, HCL_SIDE_BEFORE, &diags));
    STOPS(hcl_document_move_to(document, "a", 1, "d", 1, 0, &diags));
    STOPS(hcl_document_remove(document, "a", 1, 0, &n, &diags));
    STOPS(hcl_document_rename(document, "a", 1, "d", 1, 0, &diags));
    STOPS(hcl_document_relabel(document, "b", 1, &label, 1, 0, &diags));
    STOPS(hcl_document_set_comment(document, "a", 1, HCL_COMMENT_LEAD, "x", 1, 0, &diags));
    STOPS(hcl_document_set_comment(document, "a", 1, HCL_COMMENT_LINE, "x", 1, 0, &diags));
    STOPS(hcl_document_rename_references(document, "x", 1, "y", 1, &n, &diags));
    STOPS(hcl_document_format(document, &diags));
#undef STOPS
    CHECK(value == NULL && n == 7 && str_is(hcl_document_text(document), text));
    hcl_document_free(document);
    hcl_value_free(number);
    hcl_cancel_free(kept);

    /* A longer text than is wanted is refused, also where the text as a whole is not read for an edit. */
    opts = opts_of(0, 0, NULL);
    opts.max_source_bytes = 9;
    document = document_of("a = 1\n", &opts);
    STATUS(HCL_OK, hcl_document_set(document, "a", 1, "1000", 4, 0, NULL));
    STATUS(HCL_ERR_LIMIT, hcl_document_set(document, "a", 1, "10000", 5, 0, &diags));
    expect_one(diags, "limit.source");
    STATUS(HCL_ERR_LIMIT, hcl_document_append(document, NULL, 0, "b {}\n", 5, &diags));
    expect_one(diags, "limit.source");
    CHECK(str_is(hcl_document_text(document), "a = 1000\n"));
    hcl_document_free(document);
}

/* A deadline in the middle of an edit of a long text ends it soon; the text stays, and shorter work goes on. */
static void editing_in_time(void)
{
    const size_t n_chunks = in_valgrind() ? 20 : 80;
    char *chunk = long_source(5000, "block \"x\" {\n  n = 1\n}\n");
    char *long_text = long_source(400000, "b {\n n = 1\n}\n");
    hcl_diags *diags = NULL;
    hcl_value *value = NULL;
    double piece = 1e9, whole = 1e9;
    for (int round = 0; round < 5; round++) {
        hcl_document *document = document_of("a = 1\n", NULL);
        double begun = worked();
        STATUS(HCL_OK, hcl_document_append(document, NULL, 0, chunk, HCL_NUL, NULL));
        piece = worked() - begun < piece ? worked() - begun : piece;
        hcl_document_free(document);
    }
    hcl_parse_opts opts = opts_of(0, (uint64_t)(piece * 8 * 1e9), NULL);
    hcl_document *document = document_of("a = 1\n", &opts), *free_of_limits = document_of("a = 1\n", NULL);
    /* Blocks are added in time in proportion to them, each time with a deadline of its own. */
    for (size_t i = 0, tries = 0; i < n_chunks && tries < 1000; tries++)
        i += hcl_document_append(document, NULL, 0, chunk, HCL_NUL, NULL) == HCL_OK;
    for (size_t i = 0; i < n_chunks; i++)
        STATUS(HCL_OK, hcl_document_append(free_of_limits, NULL, 0, chunk, HCL_NUL, NULL));
    size_t len = hcl_document_text(document).len;
    CHECK(len == hcl_document_text(free_of_limits).len);
    double begun = worked();
    STATUS(HCL_OK, hcl_document_set(free_of_limits, "block.*.n", HCL_NUL, "12", 2, HCL_EDIT_ALL, NULL));
    whole = worked() - begun;
    hcl_document_free(free_of_limits);

#define LATE(call)                                                                                     \
    do {                                                                                               \
        begun = worked();                                                                              \
        STATUS(HCL_ERR_DEADLINE, call);                                                                \
        double took = worked() - begun;                                                                \
        printf("editing: %.1f ms, stopped after %.1f of %.1f ms\n", whole * 1e3, took * 1e3, piece * 8e3); \
        CHECK(took < whole / 2);                                                                       \
        expect_one(diags, "limit.deadline");                                                           \
    } while (0)
    LATE(hcl_document_set(document, "block.*.n", HCL_NUL, "12", 2, HCL_EDIT_ALL, &diags));
    LATE(hcl_document_get(document, "block.*.n", HCL_NUL, &value, &diags));
    LATE(hcl_document_list(document, NULL, 0, &value, &diags));
    LATE(hcl_document_format(document, &diags));
    LATE(hcl_document_append(document, NULL, 0, long_text, HCL_NUL, &diags));
#undef LATE
    CHECK(value == NULL && hcl_document_text(document).len == len);
    hcl_status added = HCL_ERR_DEADLINE;
    for (int tries = 0; tries < 100 && added == HCL_ERR_DEADLINE; tries++)
        added = hcl_document_append(document, NULL, 0, "last {}\n", 8, NULL);
    CHECK(added == HCL_OK && hcl_document_text(document).len == len + 9);
    hcl_document_free(document);
    free(chunk);
    free(long_text);
}

static void diagnostics_as_text(void)
{
    hcl_render_opts opts;
    hcl_cancel *cancel = NULL;
    hcl_diags *diags = NULL;
    hcl_expr *expr = NULL;
    hcl_buf *text = NULL;
    memset(&opts, 0, sizeof opts);
    opts.size = sizeof opts;
    STATUS(HCL_OK, hcl_cancel_new(&cancel));
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_expr_parse("f", 1, "[1 2, @, &, a = ]", HCL_NUL, NULL, 0, NULL, &expr, &diags));
    size_t n = hcl_diags_count(diags);
    CHECK(n > 1);

    opts.cancel = cancel;
    opts.timeout_ns = UINT64_MAX;
    STATUS(HCL_OK, hcl_diags_render(diags, &opts, &text));
    hcl_buf_free(text);
    STATUS(HCL_OK, hcl_diags_json(diags, &opts, &text));
    size_t whole = hcl_buf_str(text).len;
    CHECK(hcl_buf_str(text).ptr[0] == '[' && hcl_buf_str(text).ptr[whole - 1] == ']');
    hcl_buf_free(text);
    opts.max_count = 1;
    STATUS(HCL_OK, hcl_diags_json(diags, &opts, &text));
    CHECK(hcl_buf_str(text).len > 40 && hcl_buf_str(text).len < whole);
    hcl_buf_free(text);
    text = NULL;
    opts.max_count = 0;
    opts.max_bytes = whole / 2;
    STATUS(HCL_ERR_LIMIT, hcl_diags_json(diags, &opts, &text));
    opts.max_bytes = 0;
    opts.timeout_ns = 1;
    STATUS(HCL_ERR_DEADLINE, hcl_diags_json(diags, &opts, &text));
    STATUS(HCL_ERR_DEADLINE, hcl_diags_render(diags, &opts, &text));
    hcl_cancel_trigger(cancel);
    STATUS(HCL_ERR_CANCELLED, hcl_diags_json(diags, &opts, &text));
    STATUS(HCL_ERR_CANCELLED, hcl_diags_render(diags, &opts, &text));
    CHECK(text == NULL);
    hcl_diags_free(diags);
    hcl_cancel_free(cancel);
}

/* The work of a call beyond a timeout that has passed when it begins, best of three; it is worked(), so load does not matter. */
#define BEYOND(call)                                                               \
    do {                                                                           \
        double least = 1e9;                                                        \
        for (int round = 0; round < 3; round++) {                                  \
            double begun = worked();                                               \
            call;                                                                  \
            double took = worked() - begun;                                        \
            least = took < least ? took : least;                                   \
        }                                                                          \
        printf("%s: %.1f ms\n", what, least * 1e3);                                \
        CHECK(in_valgrind() || least < 0.020);                                     \
    } while (0)

/* A frame with the functions of Terraform, a variable `a`, and a name for it to be set by. */
static hcl_frame *frame_with_a(hcl_scope **scope, size_t *slot)
{
    hcl_frame *frame = NULL;
    STATUS(HCL_OK, hcl_scope_new(NULL, scope));
    STATUS(HCL_OK, hcl_scope_builtins(*scope, HCL_BUILTINS_TERRAFORM));
    STATUS(HCL_OK, hcl_scope_slot(*scope, "a", 1, slot));
    STATUS(HCL_OK, hcl_scope_seal(*scope));
    STATUS(HCL_OK, hcl_frame_new(*scope, &frame));
    return frame;
}

static hcl_expr *parsed(const char *source)
{
    hcl_expr *expr = NULL;
    STATUS(HCL_OK, hcl_expr_parse("e", 1, source, HCL_NUL, NULL, 0, NULL, &expr, NULL));
    return expr;
}

/* `leaf` in a pair, that in a pair of which both are it, and so on: 2^(levels + 1) parts in the memory of a few. */
static hcl_value *shared(hcl_frame *frame, const char *leaf, int levels)
{
    static char source[4096];
    hcl_value *value = NULL;
    int n = snprintf(source, sizeof source, "[for v0 in [%s] : ", leaf);
    for (int i = 1; i <= levels; i++)
        n += snprintf(source + n, sizeof source - (size_t)n, "[for v%d in [[v%d, v%d]] : ", i, i - 1, i - 1);
    n += snprintf(source + n, sizeof source - (size_t)n, "v%d", levels);
    for (int i = 0; i <= levels; i++) source[n++] = ']';
    source[n] = 0;
    hcl_expr *expr = parsed(source);
    STATUS(HCL_OK, hcl_expr_eval(expr, frame, &value, NULL));
    hcl_expr_free(expr);
    return value;
}

/* An explanation of shared parts ends in time: of a condition that is none, of marks, of unknown values of such a type. */
static void explanations_in_time(void)
{
    hcl_scope *scope = NULL;
    size_t slot = 0;
    hcl_frame *frame = frame_with_a(&scope, &slot);
    const int levels = in_valgrind() ? 12 : 20;
    hcl_limits limits = {.size = sizeof limits, .max_elements = UINT64_MAX, .max_steps = UINT64_MAX};
    STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
    hcl_value *plain = shared(frame, "[1, 2]", levels), *secret = shared(frame, "sensitive(1)", levels), *unknown = NULL;
    hcl_type *type = NULL;
    STATUS(HCL_OK, hcl_value_type(plain, &type));
    STATUS(HCL_OK, hcl_value_unknown(type, &unknown));
    /* The parts of a value count as elements: what is looked at by the functions ends at the limit, and all the time is the
       explanation's. */
    limits.max_elements = 1000;
    limits.timeout_ns = 20000000;
    STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
    const struct {
        const char *what, *expr;
        const hcl_value *value;
    } cases[] = {
        {"a condition", "a && true", plain},   {"marks", "a", secret}, {"a condition with marks", "a || false", secret},
        {"an unknown value", "a", unknown},    {"a tuple of it", "[a, 1]", unknown},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hcl_expr *expr = parsed(cases[i].expr);
        STATUS(HCL_OK, hcl_frame_set(frame, slot, cases[i].value));
        for (uint32_t flags = 0; flags <= HCL_EXPLAIN_JSON; flags += HCL_EXPLAIN_JSON) {
            hcl_explain_opts opts = {.size = sizeof opts, .flags = flags};
            const char *what = cases[i].what;
            hcl_buf *told = NULL;
            BEYOND(STATUS(HCL_OK, hcl_expr_explain(expr, frame, &opts, &told, NULL)); hcl_buf_free(told));
        }
        hcl_expr_free(expr);
    }
    hcl_type_free(type);
    hcl_value_free(unknown);
    hcl_value_free(secret);
    hcl_value_free(plain);
    hcl_frame_free(frame);
    hcl_scope_free(scope);
}

/* A long name beyond ASCII that becomes a value, or that an error leads to, is not gone through again. */
static void names_in_time(void)
{
    static const char piece[] = "e\xcc\x81\xcc\xa3 \xf0\x9f\x91\xa9 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    const size_t n = in_valgrind() ? 1000 : 100000;
    char *text = malloc(n * (sizeof piece - 1) + 1);
    for (size_t i = 0; i < n; i++) memcpy(text + i * (sizeof piece - 1), piece, sizeof piece);
    hcl_scope *scope = NULL;
    size_t slot = 0;
    hcl_frame *frame = frame_with_a(&scope, &slot);
    const char *const exprs[][2] = {
        {"{(a) = [\"x\"]}", "keys(a)"},
        {"{(a) = [\"x\"]}", "transpose(a)"},
        {"{(a) = {b = 1}}", "true ? a : {for name, value in a : name => {c = 2}}"},
        {"{(a) = \"x\"}", "convert(a, map(number))"},
        {"{(a) = [\"x\"]}", "provider::terraform::encode_expr(a)"},
    };
    for (size_t i = 0; i < sizeof exprs / sizeof *exprs; i++) {
        hcl_expr *object = parsed(exprs[i][0]), *expr = parsed(exprs[i][1]);
        hcl_value *value = NULL;
        hcl_limits limits = {.size = sizeof limits};
        STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
        STATUS(HCL_OK, hcl_frame_set_str(frame, slot, text, n * (sizeof piece - 1)));
        STATUS(HCL_OK, hcl_expr_eval(object, frame, &value, NULL));
        STATUS(HCL_OK, hcl_frame_set(frame, slot, value));
        limits.timeout_ns = 1000000;
        STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
        const char *what = exprs[i][1];
        hcl_value *result = NULL;
        BEYOND(hcl_expr_eval(expr, frame, &result, NULL); hcl_value_free(result); result = NULL);
        hcl_value_free(value);
        hcl_expr_free(expr);
        hcl_expr_free(object);
    }
    hcl_frame_free(frame);
    hcl_scope_free(scope);
    free(text);
}

/* A long pattern is read within the deadline; what the crates make of it is bounded by its size. */
static void patterns_in_time(void)
{
    hcl_scope *scope = NULL;
    size_t slot = 0;
    hcl_frame *frame = frame_with_a(&scope, &slot);
    hcl_expr *expr = parsed("regexall(a, \"b\")");
    const size_t n = in_valgrind() ? 1000 : 131000;
    char *pattern = long_source(n, "\\d");
    hcl_limits limits = {.size = sizeof limits, .timeout_ns = 1000000, .max_memory = UINT64_C(1) << 30};
    STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
    STATUS(HCL_OK, hcl_frame_set_str(frame, slot, pattern, HCL_NUL));
    const char *what = "a pattern";
    hcl_value *found = NULL;
    BEYOND(hcl_expr_eval(expr, frame, &found, NULL); hcl_value_free(found); found = NULL);
    free(pattern);
    hcl_expr_free(expr);
    hcl_frame_free(frame);
    hcl_scope_free(scope);
}

/* Numbers of few digits and many zeros are written one by one within the deadline, and the limit is named that ends it. */
static void numbers_in_time(void)
{
    hcl_scope *scope = NULL;
    size_t slot = 0;
    hcl_frame *frame = frame_with_a(&scope, &slot);
    hcl_expr *expr = parsed("[for i in range(200) : 1e5000000]");
    hcl_value *value = NULL;
    hcl_diags *diags = NULL;
    hcl_buf *text = NULL;
    hcl_limits wide = {.size = sizeof wide, .max_steps = UINT64_MAX, .max_elements = UINT64_MAX};
    wide.max_memory = wide.max_output_bytes = UINT64_C(1) << 30;
    STATUS(HCL_OK, hcl_frame_set_limits(frame, &wide));
    STATUS(HCL_OK, hcl_expr_eval(expr, frame, &value, NULL));
    for (uint32_t format = HCL_FORMAT_JSON; format <= HCL_FORMAT_CANONICAL; format++) {
        hcl_limits limits = wide;
        limits.timeout_ns = 1000000;
        const char *what = "numbers";
        BEYOND(STATUS(HCL_ERR_DEADLINE, hcl_value_encode(value, format, 0, &limits, &text, NULL)));
        limits.timeout_ns = 0;
        limits.max_memory = 1 << 20;
        STATUS(HCL_ERR_LIMIT, hcl_value_encode(value, format, 0, &limits, &text, &diags));
        expect_one(diags, "limit.memory");
        limits.max_memory = 1 << 30;
        limits.max_output_bytes = 1 << 20;
        STATUS(HCL_ERR_LIMIT, hcl_value_encode(value, format, 0, &limits, &text, &diags));
        expect_one(diags, "limit.output");
        CHECK(text == NULL);
    }
    hcl_value_free(value);
    hcl_expr_free(expr);
    hcl_frame_free(frame);
    hcl_scope_free(scope);
}

/* Work with a mark on each part of a value, and on blocks of a schema, ends soon after a timeout in the middle of it. */
typedef struct {
    const hcl_value *marked;
    const hcl_type *set;
    const char *schema;
} parts;

static hcl_status list_marks(const parts *of, const hcl_limits *limits)
{
    hcl_value *plain = NULL;
    hcl_marks *marks = NULL;
    hcl_status status = hcl_value_unmark_deep(of->marked, limits, &plain, &marks, NULL);
    hcl_value_free(plain);
    hcl_marks_free(marks);
    return status;
}

static hcl_status make_set(const parts *of, const hcl_limits *limits)
{
    hcl_value *set = NULL;
    hcl_status status = hcl_value_convert(of->marked, of->set, limits, &set, NULL);
    hcl_value_free(set);
    return status;
}

static hcl_status read_schema(const parts *of, const hcl_limits *limits)
{
    hcl_parse_opts opts = opts_of(0, limits->timeout_ns, NULL);
    hcl_schema *schema = NULL;
    hcl_status status = hcl_schema_parse("s", 1, of->schema, HCL_NUL, &opts, &schema, NULL);
    hcl_schema_free(schema);
    return status;
}

static void parts_in_time(void)
{
    const size_t n = in_valgrind() ? 10000 : 1000000, n_blocks = n / 10 * 3;
    static const struct {
        const char *what;
        hcl_status (*work)(const parts *, const hcl_limits *);
        double part; /* Of the time that it takes. */
    } works[] = {{"marks", list_marks, 0.4}, {"a set of marked parts", make_set, 0.25}, {"blocks of a schema", read_schema, 0.85}};
    hcl_scope *scope = NULL;
    size_t slot = 0;
    hcl_frame *frame = frame_with_a(&scope, &slot);
    hcl_limits wide = {.size = sizeof wide, .max_steps = UINT64_MAX, .max_elements = UINT64_MAX, .max_memory = UINT64_MAX};
    char *numbers = malloc(n * 8 + 2), *schema = malloc(n_blocks * 32), *end = numbers;
    for (size_t i = 0; i < n; i++) end += sprintf(end, "%c%zu", i ? ',' : '[', i);
    *end++ = ']';
    hcl_value *all = NULL, *marked = NULL;
    hcl_type *set = NULL;
    STATUS(HCL_OK, hcl_value_decode(HCL_FORMAT_JSON, numbers, (size_t)(end - numbers), NULL, &wide, &all, NULL));
    end = schema;
    for (size_t i = 0; i < n_blocks; i++) end += sprintf(end, "b%zu \"l\" {\n c = optional\n}\n", i);
    hcl_expr *expr = parsed("[for i in a : sensitive(i)]");
    STATUS(HCL_OK, hcl_frame_set_limits(frame, &wide));
    STATUS(HCL_OK, hcl_frame_set(frame, slot, all));
    STATUS(HCL_OK, hcl_expr_eval(expr, frame, &marked, NULL));
    STATUS(HCL_OK, hcl_type_parse("set(number)", HCL_NUL, &set, NULL));
    parts of = {marked, set, schema};
    for (size_t i = 0; i < sizeof works / sizeof *works; i++) {
        double whole = 1e9, least = 1e9;
        hcl_limits limits = wide;
        for (int round = 0; round < 3; round++) {
            double begun = worked();
            STATUS(HCL_OK, works[i].work(&of, &wide));
            whole = worked() - begun < whole ? worked() - begun : whole;
        }
        /* The few blocks below valgrind have no look in the last part of the time. */
        double part = in_valgrind() ? 0.25 : works[i].part;
        limits.timeout_ns = (uint64_t)(whole * part * 1e9);
        for (int round = 0; round < 5; round++) {
            double begun = worked();
            STATUS(HCL_ERR_DEADLINE, works[i].work(&of, &limits));
            least = worked() - begun < least ? worked() - begun : least;
        }
        printf("%s: %.1f ms, stopped after %.1f of %.1f ms\n", works[i].what, whole * 1e3, least * 1e3,
               whole * part * 1e3);
        CHECK(in_valgrind() || least < whole * part + 0.020);
    }
    hcl_type_free(set);
    hcl_value_free(marked);
    hcl_value_free(all);
    hcl_expr_free(expr);
    hcl_frame_free(frame);
    hcl_scope_free(scope);
    free(numbers);
    free(schema);
}

/* Small modules that are called often declare millions of things. */
static void modules_in_time(void)
{
    static const char *const dialects[] = {"terraform", "opentofu"};
    char text[90 * 40], *end = text, *declared = malloc(3000 * 16 + 16);
    for (int i = 0; i < 90; i++) end += sprintf(end, "module \"m%d\" {\n source = \"./a\"\n}\n", i);
    end = declared + sprintf(declared, "locals {\n");
    for (int i = 0; i < 3000; i++) end += sprintf(end, "a%d = 1\n", i);
    strcpy(end, "}\n");
    for (size_t i = 0; i < sizeof dialects / sizeof *dialects; i++) {
        hcl_module_loader *loader = NULL;
        hcl_module *module = NULL;
        hcl_parse_opts opts = opts_of(0, 20000000, NULL);
        double least = 1e9;
        STATUS(HCL_OK, hcl_module_loader_new(dialects[i], HCL_NUL, &loader, NULL));
        STATUS(HCL_OK, hcl_module_loader_text(loader, "main.tf", HCL_NUL, text, HCL_NUL));
        STATUS(HCL_OK, hcl_module_loader_text(loader, "a/main.tf", HCL_NUL, text, HCL_NUL));
        STATUS(HCL_OK, hcl_module_loader_text(loader, "a/a/main.tf", HCL_NUL, declared, HCL_NUL));
        for (int round = 0; round < 3; round++) {
            double begun = worked();
            hcl_status status = hcl_module_load(loader, &opts, &module, NULL);
            CHECK(status == HCL_ERR_DEADLINE || status == HCL_OK);
            least = worked() - begun < least ? worked() - begun : least;
            hcl_module_free(module);
            module = NULL;
        }
        printf("modules of %s: ended after %.1f of 20 ms\n", dialects[i], least * 1e3);
        CHECK(in_valgrind() || least < 0.040);
        hcl_module_loader_free(loader);
    }
    free(declared);
}

int main(void)
{
    everything_stops();
    in_time();
    made_values_in_time();
    shared_parts_in_time();
    bytes_in_time();
    texts_of_cells_in_time();
    from_another_thread();
    decoding();
    documents_stop();
    editing_in_time();
    diagnostics_as_text();
    explanations_in_time();
    names_in_time();
    patterns_in_time();
    numbers_in_time();
    parts_in_time();
    modules_in_time();
    return failures != 0;
}

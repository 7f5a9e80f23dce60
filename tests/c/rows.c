/* Many rows in one call: cells of every kind in and out, rows that fail, limits, and what compile flags do. */
#include "check.h"

#include <math.h>
#include <stdint.h>

static hcl_scope *scope;
static hcl_frame *frame;
static size_t a, b;

static hcl_cell i64_cell(int64_t integer)
{
    hcl_cell cell = {0};
    cell.kind = HCL_CELL_I64;
    cell.payload.integer = integer;
    return cell;
}

static hcl_cell str_cell(const char *text)
{
    hcl_cell cell = {0};
    cell.kind = HCL_CELL_STR;
    cell.payload.text.ptr = text;
    cell.payload.text.len = strlen(text);
    return cell;
}

static bool is_i64(hcl_cell cell, int64_t expected)
{
    return cell.kind == HCL_CELL_I64 && cell.payload.integer == expected;
}

/* Every kind of argument comes out as it went in. */
static void every_kind(void)
{
    hcl_program *same = compile_in(scope, "a");
    hcl_value *list = NULL, *plain = NULL, *marked = NULL, *third = NULL;
    hcl_builder *builder = NULL;
    hcl_cell cells[12], out[12];
    hcl_buf *buf = NULL;
    hcl_diags *diags = NULL;
    size_t len = 0;

    STATUS(HCL_OK, hcl_builder_new(&builder));
    STATUS(HCL_OK, hcl_builder_begin(builder, HCL_KIND_LIST));
    STATUS(HCL_OK, hcl_builder_i64(builder, 1));
    STATUS(HCL_OK, hcl_builder_end(builder));
    STATUS(HCL_OK, hcl_builder_finish(builder, &list));
    hcl_builder_free(builder);
    STATUS(HCL_OK, hcl_value_string("secret", HCL_NUL, &plain));
    STATUS(HCL_OK, hcl_value_mark(plain, "sensitive", HCL_NUL, &marked));
    STATUS(HCL_OK, hcl_value_number("0.1", HCL_NUL, &third));

    memset(cells, 0, sizeof cells);
    cells[0].kind = HCL_CELL_NULL;
    cells[1].kind = HCL_CELL_BOOL;
    cells[1].payload.boolean = 1;
    cells[2] = i64_cell(INT64_MIN);
    cells[3].kind = HCL_CELL_U64;
    cells[3].payload.natural = UINT64_MAX;
    cells[4].kind = HCL_CELL_F64;
    cells[4].payload.number = 0.25;
    cells[5] = str_cell("text");
    cells[6].kind = cells[7].kind = cells[8].kind = HCL_CELL_VALUE;
    cells[6].payload.value = list;
    cells[7].payload.value = marked;
    cells[8].payload.value = third;
    cells[9] = str_cell("");
    cells[10].kind = HCL_CELL_U64;
    cells[10].payload.natural = 5;
    cells[11] = str_cell("a text that is too long to lie in the value itself");
    STATUS(HCL_OK, hcl_eval_rows(same, frame, &a, 1, cells, 12, out, &buf, &diags));
    CHECK(diags == NULL);
    CHECK(out[0].kind == HCL_CELL_NULL);
    CHECK(out[1].kind == HCL_CELL_BOOL && out[1].payload.boolean == 1);
    CHECK(is_i64(out[2], INT64_MIN));
    CHECK(out[3].kind == HCL_CELL_U64 && out[3].payload.natural == UINT64_MAX);
    CHECK(out[4].kind == HCL_CELL_F64 && out[4].payload.number == 0.25);
    CHECK(out[5].kind == HCL_CELL_STR && str_is(out[5].payload.text, "text"));
    CHECK(out[6].kind == HCL_CELL_VALUE && hcl_value_kind(out[6].payload.value) == HCL_KIND_LIST);
    STATUS(HCL_OK, hcl_value_len(out[6].payload.value, &len));
    CHECK(len == 1);
    CHECK(out[7].kind == HCL_CELL_VALUE && hcl_value_is_marked(out[7].payload.value));
    CHECK(out[8].kind == HCL_CELL_VALUE && hcl_value_kind(out[8].payload.value) == HCL_KIND_NUMBER);
    CHECK(out[9].kind == HCL_CELL_STR && out[9].payload.text.len == 0);
    CHECK(is_i64(out[10], 5));
    CHECK(str_is(out[11].payload.text, cells[11].payload.text.ptr));

    /* Results outlive what they were made of. */
    hcl_value_free(list);
    hcl_value_free(plain);
    hcl_value_free(marked);
    hcl_value_free(third);
    hcl_frame_reset(frame);
    CHECK(hcl_value_is_marked(out[7].payload.value));
    hcl_buf_free(buf);
    hcl_program_free(same);
}

/* Rows that fail leave the others alone. */
static void failing_rows(void)
{
    hcl_program *sum = compile_in(scope, "a + b");
    const size_t slots[2] = {b, a};
    hcl_cell cells[8], out[4];
    hcl_buf *buf = NULL;
    hcl_diags *diags = NULL;
    hcl_diag diag;

    memset(&diag, 0, sizeof diag);
    diag.size = sizeof diag;
    for (int k = 0; k < 8; k++) cells[k] = i64_cell(k);
    cells[3] = str_cell("many");
    cells[4].kind = HCL_CELL_EMPTY;
    STATUS(HCL_OK, hcl_eval_rows(sum, frame, slots, 2, cells, 4, out, &buf, &diags));
    CHECK(is_i64(out[0], 1) && is_i64(out[3], 13));
    CHECK(out[1].kind == HCL_CELL_ERROR && out[1].payload.index == 0);
    CHECK(out[2].kind == HCL_CELL_ERROR && out[2].payload.index == 1);
    STATUS(HCL_OK, hcl_diags_get(diags, out[1].payload.index, &diag));
    CHECK(str_is(diag.summary, "Invalid operand"));
    STATUS(HCL_OK, hcl_diags_get(diags, out[2].payload.index, &diag));
    CHECK(str_is(diag.code, "api.unbound"));
    hcl_diags_free(diags);
    hcl_buf_free(buf);

    /* Rows that are not evaluated use nothing, also after a change of the limits. */
    for (int changes = 0; changes < 2; changes++) {
        hcl_limits limits = {0}, used = {0};
        limits.size = used.size = sizeof used;
        limits.max_steps = 100;
        if (changes) STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
        STATUS(HCL_OK, hcl_eval_rows(sum, frame, &b, 1, cells, 3, out, &buf, NULL));
        STATUS(HCL_OK, hcl_frame_used(frame, &used));
        CHECK(out[0].kind == HCL_CELL_ERROR && out[2].kind == HCL_CELL_ERROR);
        CHECK(used.max_steps == 0 && used.max_elements == 0 && used.max_memory == 0);
        hcl_buf_free(buf);
    }
    STATUS(HCL_OK, hcl_frame_set_limits(frame, NULL));

    /* The slots are empty afterwards, and others keep what they hold. */
    int64_t nothing = 0;
    STATUS(HCL_ERR_UNBOUND, hcl_eval_i64(sum, frame, &nothing, NULL));
    STATUS(HCL_OK, hcl_frame_set_u64(frame, a, 100));
    STATUS(HCL_OK, hcl_eval_rows(sum, frame, &b, 1, cells, 2, out, &buf, NULL));
    CHECK(is_i64(out[0], 100) && is_i64(out[1], 101));
    hcl_buf_free(buf);

    /* More rows fail than diagnostics are kept. */
    enum { MANY = 1500 };
    hcl_cell *many = calloc(MANY, sizeof *many), *answers = malloc(MANY * sizeof *answers);
    STATUS(HCL_OK, hcl_eval_rows(sum, frame, &b, 1, many, MANY, answers, &buf, &diags));
    CHECK(hcl_diags_count(diags) == 1000);
    CHECK(answers[999].payload.index == 999 && answers[1000].payload.index == SIZE_MAX);
    hcl_diags_free(diags);
    hcl_buf_free(buf);
    free(many);
    free(answers);
    hcl_program_free(sum);
}

static void wrong_calls(void)
{
    hcl_program *same = compile_in(scope, "a");
    hcl_scope *other = plain_scope();
    hcl_program *foreign = compile_in(other, "1");
    hcl_cell cell = i64_cell(1), out[2];
    hcl_buf *buf = NULL;
    hcl_diags *diags = NULL;
    const size_t beyond = 99;

    STATUS(HCL_OK, hcl_eval_rows(same, frame, NULL, 0, NULL, 0, NULL, &buf, &diags));
    CHECK(diags == NULL && hcl_buf_str(buf).len == 0);
    hcl_buf_free(buf);
    buf = NULL;
    STATUS(HCL_ERR_ARGUMENT, hcl_eval_rows(NULL, frame, &a, 1, &cell, 1, out, &buf, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_eval_rows(same, NULL, &a, 1, &cell, 1, out, &buf, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_eval_rows(same, frame, NULL, 1, &cell, 1, out, &buf, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_eval_rows(same, frame, &a, 1, NULL, 1, out, &buf, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_eval_rows(same, frame, &a, 1, &cell, 1, NULL, &buf, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_eval_rows(same, frame, &a, 1, &cell, 1, out, NULL, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_eval_rows(same, frame, &a, 2, &cell, SIZE_MAX, out, &buf, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_eval_rows(foreign, frame, &a, 1, &cell, 1, out, &buf, NULL));
    cell.reserved = 1;
    STATUS(HCL_ERR_ARGUMENT, hcl_eval_rows(same, frame, &a, 1, &cell, 1, out, &buf, NULL));
    CHECK(str_is(hcl_status_detail(), "cells[].reserved is not zero; it is reserved."));
    cell.reserved = 0;
    STATUS(HCL_ERR_RANGE, hcl_eval_rows(same, frame, &beyond, 1, &cell, 1, out, &buf, NULL));
    cell.kind = HCL_CELL_ERROR;
    STATUS(HCL_ERR_ARGUMENT, hcl_eval_rows(same, frame, &a, 1, &cell, 1, out, &buf, NULL));
    cell = str_cell("\xff");
    STATUS(HCL_ERR_ARGUMENT, hcl_eval_rows(same, frame, &a, 1, &cell, 1, out, &buf, NULL));
    cell.kind = HCL_CELL_F64;
    cell.payload.number = NAN;
    STATUS(HCL_ERR_RANGE, hcl_eval_rows(same, frame, &a, 1, &cell, 1, out, &buf, NULL));
    cell.kind = HCL_CELL_VALUE;
    cell.payload.value = NULL;
    STATUS(HCL_ERR_ARGUMENT, hcl_eval_rows(same, frame, &a, 1, &cell, 1, out, &buf, NULL));
    CHECK(buf == NULL);
    hcl_program_free(same);
    hcl_program_free(foreign);
    hcl_scope_free(other);
}

static void limits(void)
{
    hcl_program *squares = compile_in(scope, "join(\",\", [for x in range(a) : x * x])");
    hcl_limits limits, used;
    hcl_cell cells[3], out[3];
    hcl_buf *buf = NULL;
    hcl_diags *diags = NULL;
    hcl_diag diag;
    hcl_cancel *cancel = NULL;

    memset(&limits, 0, sizeof limits);
    memset(&diag, 0, sizeof diag);
    limits.size = sizeof limits;
    used = limits;
    diag.size = sizeof diag;
    cells[0] = i64_cell(3);
    cells[1] = i64_cell(1000);
    cells[2] = i64_cell(4);
    limits.max_steps = 500; /* for each row */
    STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
    STATUS(HCL_OK, hcl_eval_rows(squares, frame, &a, 1, cells, 3, out, &buf, &diags));
    CHECK(str_is(out[0].payload.text, "0,1,4") && out[1].kind == HCL_CELL_ERROR);
    CHECK(str_is(out[2].payload.text, "0,1,4,9"));
    STATUS(HCL_OK, hcl_diags_get(diags, 0, &diag));
    CHECK(str_is(diag.code, "limit.steps"));
    hcl_diags_free(diags);
    hcl_buf_free(buf);
    STATUS(HCL_OK, hcl_frame_used(frame, &used));
    CHECK(used.max_steps > 500 && used.max_steps < 1500);

    limits.max_steps = 0;
    limits.max_output_bytes = 30; /* for each row, and for all texts in the buffer */
    STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
    cells[0] = i64_cell(8);
    cells[1] = i64_cell(8);
    STATUS(HCL_OK, hcl_eval_rows(squares, frame, &a, 1, cells, 3, out, &buf, &diags));
    CHECK(out[0].kind == HCL_CELL_STR && out[1].kind == HCL_CELL_ERROR && out[2].kind == HCL_CELL_STR);
    STATUS(HCL_OK, hcl_diags_get(diags, 0, &diag));
    CHECK(str_is(diag.code, "limit.output"));
    hcl_diags_free(diags);
    hcl_buf_free(buf);
    buf = NULL;

    /* The deadline and the switch are the same for all rows, so they end the call. */
    limits.max_output_bytes = 0;
    limits.timeout_ns = 1;
    STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
    STATUS(HCL_ERR_DEADLINE, hcl_eval_rows(squares, frame, &a, 1, cells, 3, out, &buf, NULL));
    STATUS(HCL_OK, hcl_frame_set_limits(frame, NULL));
    STATUS(HCL_OK, hcl_cancel_new(&cancel));
    STATUS(HCL_OK, hcl_frame_set_cancel(frame, cancel));
    hcl_cancel_trigger(cancel);
    STATUS(HCL_ERR_CANCELLED, hcl_eval_rows(squares, frame, &a, 1, cells, 3, out, &buf, &diags));
    CHECK(buf == NULL && hcl_diags_count(diags) == 1);
    hcl_diags_free(diags);
    STATUS(HCL_OK, hcl_frame_set_cancel(frame, NULL));
    hcl_cancel_free(cancel);
    hcl_program_free(squares);
}

static int32_t count(void *user, hcl_call *call)
{
    ++*(int *)user;
    return hcl_call_return_i64(call, 1);
}

static void compile_flags(void)
{
    int calls = 0;
    hcl_scope *own = NULL;
    hcl_frame *own_frame = NULL;
    hcl_expr *expr = NULL;
    hcl_program *program = NULL;
    hcl_diags *diags = NULL;
    hcl_function function;
    int64_t answer = 0;
    size_t x;

    memset(&function, 0, sizeof function);
    function.size = sizeof function;
    function.name.ptr = "one";
    function.name.len = 3;
    function.flags = HCL_FUNCTION_PURE;
    function.call = count;
    function.user = &calls;
    STATUS(HCL_OK, hcl_scope_new(NULL, &own));
    STATUS(HCL_OK, hcl_scope_function(own, &function));
    STATUS(HCL_OK, hcl_scope_slot(own, "x", 1, &x));
    STATUS(HCL_OK, hcl_scope_seal(own));
    STATUS(HCL_OK, hcl_frame_new(own, &own_frame));
    STATUS(HCL_OK, hcl_frame_set_i64(own_frame, x, 1));

    STATUS(HCL_OK, hcl_expr_parse("t", 1, "x + one()", HCL_NUL, NULL, 0, NULL, &expr, NULL));
    STATUS(HCL_OK, hcl_program_compile(expr, own, HCL_COMPILE_NO_FOLDING, &program, NULL));
    CHECK(calls == 0);
    STATUS(HCL_OK, hcl_eval_i64(program, own_frame, &answer, NULL));
    CHECK(calls == 1 && answer == 2);
    hcl_program_free(program);
    STATUS(HCL_OK, hcl_program_compile(expr, own, 0, &program, NULL));
    CHECK(calls == 2); /* called while compiling, */
    STATUS(HCL_OK, hcl_eval_i64(program, own_frame, &answer, NULL));
    CHECK(calls == 2 && answer == 2); /* and not again */
    hcl_program_free(program);
    hcl_expr_free(expr);

    STATUS(HCL_OK, hcl_expr_parse("t", 1, "x == 1 ? x : y", HCL_NUL, NULL, 0, NULL, &expr, NULL));
    program = NULL;
    STATUS(HCL_ERR_ARGUMENT, hcl_program_compile(expr, own, 1u << 31, &program, NULL));
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_program_compile(expr, own, 0, &program, NULL));
    CHECK(program == NULL);
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_program_compile(expr, own, HCL_COMPILE_PARTIAL, &program, &diags));
    CHECK(hcl_diags_count(diags) == 1 && program != NULL);
    hcl_diags_free(diags);
    STATUS(HCL_OK, hcl_eval_i64(program, own_frame, &answer, NULL)); /* y is not chosen */
    STATUS(HCL_OK, hcl_frame_set_i64(own_frame, x, 2));
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_eval_i64(program, own_frame, &answer, NULL));
    hcl_program_free(program);
    hcl_expr_free(expr);
    hcl_scope_free(own);
    hcl_frame_free(own_frame);
}

/* The attributes of a body by name: every kind of result, those that fail or are not there, and those asked for twice. */
static void attributes(void)
{
    static const char text[] = "t = \"text\"\nn = -5\nu = 18446744073709551615\nf = 0.25\nb = true\nnone = null\nlist = [1]\n"
                               "bad = missing\nsum = a + 1\nworse = upper()\nempty = \"\"\n";
    static const char *asked[] = {"t", "n", "u", "f", "b", "none", "list", "bad", "absent", "sum", "worse", "t", "empty"};
    enum { N = sizeof asked / sizeof *asked };
    hcl_file *file = NULL;
    hcl_str names[N];
    hcl_cell out[N];
    hcl_buf *buf = NULL;
    hcl_diags *diags = NULL;
    hcl_diag first;
    hcl_limits used = {0}, one = {0};
    hcl_value *value = NULL;
    uint64_t steps = 0;
    size_t len = 0;

    for (size_t i = 0; i < N; i++) {
        names[i].ptr = asked[i];
        names[i].len = strlen(asked[i]);
    }
    STATUS(HCL_OK, hcl_file_parse("f", 1, text, HCL_NUL, NULL, &file, NULL));
    const hcl_body *body = hcl_file_body(file);
    STATUS(HCL_OK, hcl_frame_set_i64(frame, a, 41));
    STATUS(HCL_OK, hcl_body_eval(body, names, N, frame, out, &buf, &diags));
    /* The usage is that of all attributes. */
    used.size = sizeof used;
    STATUS(HCL_OK, hcl_frame_used(frame, &used));
    for (size_t i = 0; i < N; i++) {
        const hcl_attr *attr = hcl_body_attr_find(body, names[i].ptr, names[i].len);
        if (!attr) continue;
        hcl_attr_eval(attr, frame, &value, NULL);
        hcl_value_free(value);
        value = NULL;
        one.size = sizeof one;
        STATUS(HCL_OK, hcl_frame_used(frame, &one));
        steps += one.max_steps;
    }
    CHECK(steps > one.max_steps && used.max_steps == steps);
    hcl_file_free(file);
    CHECK(out[0].kind == HCL_CELL_STR && str_is(out[0].payload.text, "text"));
    CHECK(is_i64(out[1], -5));
    CHECK(out[2].kind == HCL_CELL_U64 && out[2].payload.natural == UINT64_MAX);
    CHECK(out[3].kind == HCL_CELL_F64 && out[3].payload.number == 0.25);
    CHECK(out[4].kind == HCL_CELL_BOOL && out[4].payload.boolean == 1);
    CHECK(out[5].kind == HCL_CELL_NULL);
    CHECK(out[6].kind == HCL_CELL_VALUE && hcl_value_len(out[6].payload.value, &len) == HCL_OK && len == 1);
    CHECK(out[7].kind == HCL_CELL_ERROR && out[7].payload.index == 0);
    CHECK(out[8].kind == HCL_CELL_EMPTY);
    CHECK(is_i64(out[9], 42));
    CHECK(out[10].kind == HCL_CELL_ERROR && out[10].payload.index == 1);
    CHECK(out[11].kind == HCL_CELL_STR && str_is(out[11].payload.text, "text"));
    CHECK(out[12].kind == HCL_CELL_STR && out[12].payload.text.len == 0);
    CHECK(hcl_diags_count(diags) == 2);
    memset(&first, 0, sizeof first);
    first.size = sizeof first;
    STATUS(HCL_OK, hcl_diags_get(diags, 0, &first));
    CHECK(first.subject.start.line == 8);
    hcl_diags_free(diags);
    hcl_buf_free(buf);
    STATUS(HCL_OK, hcl_frame_reset(frame));
}

/* Properties of one name in an object and attributes of one name in two files fail as they do when they are read by schema. */
static void attributes_twice(void)
{
    static const char text[] = "{\n  \"x\": 1,\n  \"y\": 2,\n  \"x\": 3,\n  \"//\": \"a comment\",\n  \"//\": \"and more\"\n}\n";
    hcl_parse_opts json = {0};
    hcl_file *files[2] = {NULL, NULL};
    hcl_body *merged = NULL, *content = NULL;
    hcl_schema *schema = NULL;
    hcl_str names[2] = {{"x", 1}, {"y", 1}};
    hcl_cell out[2];
    hcl_buf *buf = NULL, *by_name = NULL, *by_schema = NULL;
    hcl_diags *diags = NULL;
    hcl_diag diag;

    json.size = sizeof json;
    json.flags = HCL_PARSE_JSON;
    STATUS(HCL_OK, hcl_file_parse("f", 1, text, HCL_NUL, &json, &files[0], NULL));
    STATUS(HCL_OK, hcl_file_parse("g", 1, "y = 4\n", HCL_NUL, NULL, &files[1], NULL));
    STATUS(HCL_OK, hcl_body_eval(hcl_file_body(files[0]), names, 2, frame, out, &buf, &diags));
    CHECK(out[0].kind == HCL_CELL_ERROR && out[0].payload.index == 0 && is_i64(out[1], 2));
    memset(&diag, 0, sizeof diag);
    diag.size = sizeof diag;
    CHECK(hcl_diags_count(diags) == 1);
    STATUS(HCL_OK, hcl_diags_get(diags, 0, &diag));
    CHECK(str_is(diag.code, "content.duplicate_argument") && diag.subject.start.line == 4);
    STATUS(HCL_OK, hcl_diags_render(diags, NULL, &by_name));
    hcl_diags_free(diags);
    hcl_buf_free(buf);
    STATUS(HCL_OK, hcl_schema_parse("s", 1, "x = optional\ny = optional\n", HCL_NUL, NULL, &schema, NULL));
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_body_content(hcl_file_body(files[0]), schema, 0, NULL, &content, NULL, &diags));
    STATUS(HCL_OK, hcl_diags_render(diags, NULL, &by_schema));
    CHECK(strcmp(hcl_buf_str(by_name).ptr, hcl_buf_str(by_schema).ptr) == 0);
    hcl_buf_free(by_name);
    hcl_buf_free(by_schema);
    hcl_diags_free(diags);
    hcl_schema_free(schema);

    const hcl_body *both[2] = {hcl_file_body(files[0]), hcl_file_body(files[1])};
    STATUS(HCL_OK, hcl_body_merge(both, 2, &merged));
    STATUS(HCL_OK, hcl_body_eval(merged, names, 2, frame, out, &buf, &diags));
    CHECK(out[0].kind == HCL_CELL_ERROR && out[0].payload.index == 0);
    CHECK(out[1].kind == HCL_CELL_ERROR && out[1].payload.index == 1);
    CHECK(hcl_diags_count(diags) == 2);
    STATUS(HCL_OK, hcl_diags_get(diags, 1, &diag));
    CHECK(str_is(diag.code, "content.duplicate_argument") && str_is(diag.filename, "g") && diag.subject.start.line == 1);
    hcl_diags_free(diags);
    hcl_buf_free(buf);
    hcl_body_free(merged);
    hcl_file_free(files[0]);
    hcl_file_free(files[1]);
}

/* Of a property that is there very often no more is said than an evaluation may say. */
static void attributes_often(void)
{
    enum { MANY = 3000 };
    static const char property[] = "\"x\": 1, ";
    static char text[MANY * (sizeof property - 1) + 16];
    hcl_parse_opts json = {0};
    hcl_file *file = NULL;
    hcl_str name = {"x", 1};
    hcl_cell out;
    hcl_buf *buf = NULL;
    hcl_diags *diags = NULL;
    char *end = text;

    *end++ = '{';
    for (int i = 0; i < MANY; i++, end += sizeof property - 1) memcpy(end, property, sizeof property - 1);
    strcpy(end, "\"y\": 1}");
    json.size = sizeof json;
    json.flags = HCL_PARSE_JSON;
    STATUS(HCL_OK, hcl_file_parse("f", 1, text, HCL_NUL, &json, &file, NULL));
    STATUS(HCL_OK, hcl_body_eval(hcl_file_body(file), &name, 1, NULL, &out, &buf, &diags));
    CHECK(out.kind == HCL_CELL_ERROR && out.payload.index == 0 && hcl_diags_count(diags) == 1000);
    hcl_diags_free(diags);
    hcl_buf_free(buf);
    hcl_file_free(file);
}

/* Templates whose complaints were left out fail like the others. */
static void attributes_left_out(void)
{
    hcl_parse_opts json = {0};
    hcl_scope *scope = NULL;
    hcl_frame *frame = NULL;
    hcl_file *file = NULL;
    hcl_str names[] = {{"a", 1}, {"b", 1}, {"good", 4}};
    hcl_cell out[3];
    hcl_buf *buf = NULL;
    hcl_diags *diags = NULL;

    STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
    STATUS(HCL_OK, hcl_scope_seal(scope));
    STATUS(HCL_OK, hcl_frame_new(scope, &frame));
    json.size = sizeof json;
    json.flags = HCL_PARSE_JSON;
    json.max_diagnostics = 1;
    STATUS(HCL_OK, hcl_file_parse("f", 1, "{\"a\": \"${\", \"b\": \"${\", \"good\": \"fine\"}", HCL_NUL, &json, &file, NULL));
    STATUS(HCL_OK, hcl_body_eval(hcl_file_body(file), names, 3, frame, out, &buf, &diags));
    CHECK(out[0].kind == HCL_CELL_ERROR && out[1].kind == HCL_CELL_ERROR && out[2].kind == HCL_CELL_STR);
    CHECK(hcl_diags_count(diags) == 2);
    hcl_diags_free(diags);
    hcl_buf_free(buf);
    hcl_file_free(file);
    hcl_frame_free(frame);
    hcl_scope_free(scope);
}

/* Attributes by name: what makes no sense is refused, and what ends an evaluation ends the call. */
static void attributes_refused(void)
{
    hcl_file *file = NULL, *longer = NULL;
    hcl_limits few = {0};
    hcl_str name = {"x", 1}, no_text = {"\xff", 1}, nowhere = {NULL, 1};
    hcl_cell out;
    hcl_buf *buf = NULL;
    hcl_diags *diags = NULL;
    hcl_cancel *cancel = NULL;

    STATUS(HCL_OK, hcl_file_parse("f", 1, "x = a\n", HCL_NUL, NULL, &file, NULL));
    const hcl_body *body = hcl_file_body(file);
    STATUS(HCL_ERR_ARGUMENT, hcl_body_eval(NULL, &name, 1, frame, &out, &buf, &diags));
    CHECK(hcl_diags_count(diags) == 1);
    hcl_diags_free(diags);
    STATUS(HCL_ERR_ARGUMENT, hcl_body_eval(body, NULL, 1, frame, &out, &buf, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_body_eval(body, &name, SIZE_MAX, frame, &out, &buf, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_body_eval(body, &no_text, 1, frame, &out, &buf, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_body_eval(body, &nowhere, 1, frame, &out, &buf, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_body_eval(body, &name, 1, frame, NULL, &buf, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_body_eval(body, &name, 1, frame, &out, NULL, NULL));
    CHECK(buf == NULL);
    STATUS(HCL_OK, hcl_body_eval(body, NULL, 0, frame, NULL, &buf, NULL));
    hcl_buf_free(buf);
    STATUS(HCL_OK, hcl_body_eval(body, &name, 1, NULL, &out, &buf, &diags));
    CHECK(out.kind == HCL_CELL_ERROR && hcl_diags_count(diags) == 1);
    hcl_diags_free(diags);
    hcl_buf_free(buf);
    STATUS(HCL_OK, hcl_body_eval(body, &name, 1, frame, &out, &buf, &diags));
    CHECK(out.kind == HCL_CELL_ERROR && hcl_diags_count(diags) == 1);
    hcl_diags_free(diags);
    hcl_buf_free(buf);
    buf = NULL;
    STATUS(HCL_OK, hcl_frame_set_i64(frame, a, 1));
    few.size = sizeof few;
    few.max_steps = 1;
    STATUS(HCL_OK, hcl_frame_set_limits(frame, &few));
    STATUS(HCL_OK, hcl_file_parse("f", 1, "x = [a, a, a, a, a]\n", HCL_NUL, NULL, &longer, NULL));
    STATUS(HCL_ERR_LIMIT, hcl_body_eval(hcl_file_body(longer), &name, 1, frame, &out, &buf, &diags));
    CHECK(buf == NULL && hcl_diags_count(diags) == 1);
    hcl_diags_free(diags);
    hcl_file_free(longer);
    STATUS(HCL_OK, hcl_frame_set_limits(frame, NULL));
    STATUS(HCL_OK, hcl_cancel_new(&cancel));
    STATUS(HCL_OK, hcl_frame_set_cancel(frame, cancel));
    hcl_cancel_trigger(cancel);
    STATUS(HCL_ERR_CANCELLED, hcl_body_eval(body, &name, 1, frame, &out, &buf, NULL));
    STATUS(HCL_OK, hcl_frame_set_cancel(frame, NULL));
    hcl_cancel_free(cancel);
    STATUS(HCL_OK, hcl_frame_reset(frame));
    hcl_file_free(file);
}

int main(void)
{
    STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
    STATUS(HCL_OK, hcl_scope_builtins(scope, HCL_BUILTINS_TERRAFORM));
    STATUS(HCL_OK, hcl_scope_slot(scope, "a", 1, &a));
    STATUS(HCL_OK, hcl_scope_slot(scope, "b", 1, &b));
    STATUS(HCL_OK, hcl_scope_seal(scope));
    STATUS(HCL_OK, hcl_frame_new(scope, &frame));
    every_kind();
    failing_rows();
    wrong_calls();
    limits();
    compile_flags();
    attributes();
    attributes_twice();
    attributes_often();
    attributes_left_out();
    attributes_refused();
    hcl_frame_free(frame);
    hcl_scope_free(scope);
    return failures != 0;
}

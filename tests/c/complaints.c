/* Diagnostics of the host: beside the library's own in one list, at the places of handles, sorted, capped, written out. */
#include "check.h"

static hcl_diag saying(uint32_t severity, const char *code, const char *summary, const char *detail)
{
    hcl_diag diag;
    memset(&diag, 0, sizeof diag);
    diag.size = sizeof diag;
    diag.severity = severity;
    diag.code = (hcl_str){code, HCL_NUL};
    diag.summary = (hcl_str){summary, HCL_NUL};
    diag.detail = (hcl_str){detail, HCL_NUL};
    return diag;
}

static hcl_place nowhere(void)
{
    hcl_place place;
    memset(&place, 0, sizeof place);
    place.size = sizeof place;
    return place;
}

static hcl_file *parse(const char *name, const char *text)
{
    hcl_file *file = NULL;
    STATUS(HCL_OK, hcl_file_parse(name, HCL_NUL, text, HCL_NUL, NULL, &file, NULL));
    return file;
}

static const char gateway[] = "listen \"public\" {\n  port = 70000\n}\n";

static hcl_diag get(const hcl_diags *diags, size_t index)
{
    hcl_diag diag;
    memset(&diag, 0, sizeof diag);
    diag.size = sizeof diag;
    STATUS(HCL_OK, hcl_diags_get(diags, index, &diag));
    return diag;
}

/* Each part of each handle is the place that its own functions tell. */
static void test_places(void)
{
    hcl_file *file = parse("gateway.hcl", gateway), *sum = parse("gateway.hcl", "port = 443 + 70000\n");
    const hcl_body *body = hcl_file_body(file);
    const hcl_block *block = hcl_body_block_at(body, 0);
    const hcl_attr *attr = hcl_body_attr_at(hcl_block_body(block), 0);
    struct { hcl_place place; const char *written; } cases[9];
    size_t n = 0;
    hcl_diag said = saying(HCL_SEVERITY_ERROR, "gatewayd.test", "Test", "A test.");

    for (size_t i = 0; i < 9; i++)
        cases[i].place = nowhere();
    cases[n].place.attr = attr, cases[n++].written = "port = 70000";
    cases[n].place.attr = attr, cases[n].place.part = HCL_PLACE_VALUE, cases[n++].written = "70000";
    cases[n].place.attr = attr, cases[n].place.part = HCL_PLACE_NAME, cases[n++].written = "port";
    cases[n].place.block = block, cases[n].place.part = HCL_PLACE_NAME, cases[n++].written = "listen";
    cases[n].place.block = block, cases[n].place.part = HCL_PLACE_HEADER, cases[n++].written = "listen \"public\"";
    cases[n].place.block = block, cases[n].place.part = HCL_PLACE_WHOLE, cases[n++].written = "listen \"public\" {\n  port = 70000\n}";
    cases[n].place.expr = hcl_attr_expr(attr), cases[n++].written = "70000";
    cases[n].place.file = file, cases[n].place.range.start.byte = 7, cases[n].place.range.end.byte = 15, cases[n++].written = "\"public\"";
    cases[n].place.attr = hcl_body_attr_at(hcl_file_body(sum), 0), cases[n].place.part = HCL_PLACE_START, cases[n++].written = "443";
    CHECK(n == 9);
    for (size_t i = 0; i < n; i++) {
        hcl_diags *diags = NULL;
        STATUS(HCL_OK, hcl_diags_add(&diags, &said, &cases[i].place, NULL));
        CHECK(str_is(get(diags, 0).expression, cases[i].written));
        CHECK(str_is(get(diags, 0).filename, "gateway.hcl"));
        hcl_diags_free(diags);
    }

    /* A range is one of the source that any handle is in, widened to whole characters, at most to its end. */
    hcl_diags *diags = NULL;
    hcl_place far = nowhere(), missing = nowhere(), beginning = nowhere();
    far.attr = attr;
    far.range.start.byte = sizeof gateway - 3;
    far.range.end.byte = UINT64_MAX;
    missing.body = hcl_block_body(block);
    beginning.file = file;
    STATUS(HCL_OK, hcl_diags_add(&diags, &said, &far, NULL));
    STATUS(HCL_OK, hcl_diags_add(&diags, &said, &missing, NULL));
    STATUS(HCL_OK, hcl_diags_add(&diags, &said, &beginning, NULL));
    CHECK(str_is(get(diags, 0).expression, "}\n"));
    CHECK(get(diags, 1).subject.start.line == 1 && get(diags, 1).subject.start.byte == get(diags, 1).subject.end.byte);
    CHECK(get(diags, 2).subject.start.byte == 0 && get(diags, 2).subject.start.line == 1);
    hcl_diags_free(diags);
    hcl_file_free(sum);
    hcl_file_free(file);
}

static const char *text_of(hcl_buf *buf, char *out, size_t room)
{
    snprintf(out, room, "%s", hcl_buf_str(buf).ptr);
    hcl_buf_free(buf);
    return out;
}

/* One list with the library's: counted, drawn, written as JSON and SARIF; the source outlives its file. */
static void test_one_list(void)
{
    static const char broken[] = "a = b\nlisten \"public\" {\n  port = 70000\n}\n";
    static char text[4096];
    hcl_file *file = parse("gateway.hcl", broken);
    hcl_scope *scope = plain_scope();
    const hcl_body *body = hcl_file_body(file);
    const hcl_block *block = hcl_body_block_at(body, 0);
    hcl_program *program = NULL;
    hcl_diags *diags = NULL;
    hcl_buf *buf = NULL;
    hcl_str key = {"", 0}, value = {"", 0};
    hcl_diag said = saying(HCL_SEVERITY_ERROR, "gatewayd.port", "Port out of range", "The port must be below 65536.");
    hcl_place subject = nowhere(), context = nowhere();

    subject.attr = hcl_body_attr_at(hcl_block_body(block), 0);
    subject.part = HCL_PLACE_VALUE;
    context.block = block;
    STATUS(HCL_OK, hcl_diags_add(&diags, &said, &subject, &context));
    STATUS(HCL_OK, hcl_diags_note(diags, "port", HCL_NUL, "7000", HCL_NUL));
    STATUS(HCL_OK, hcl_diags_note(diags, "port", HCL_NUL, "70000", HCL_NUL));
    hcl_diags *own = NULL;
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_program_compile(hcl_attr_expr(hcl_body_attr_at(body, 0)), scope, 0, &program, &own));
    STATUS(HCL_OK, hcl_diags_append(&diags, own));
    hcl_diags_free(own);
    hcl_file_free(file);
    hcl_scope_free(scope);

    CHECK(hcl_diags_count(diags) == 2 && hcl_diags_has_errors(diags));
    hcl_diags_sort(diags);
    CHECK(str_is(get(diags, 0).code, "eval.unknown_variable") || str_is(get(diags, 0).code, "eval.variables_not_allowed"));
    hcl_diag mine = get(diags, 1);
    CHECK(str_is(mine.code, "gatewayd.port") && str_is(mine.expression, "70000") && mine.n_extra == 1);
    CHECK(mine.subject.start.line == 3 && mine.context.start.line == 2 && mine.context.end.line == 4);
    STATUS(HCL_OK, hcl_diags_extra(diags, 1, 0, &key, &value));
    CHECK(str_is(key, "port") && str_is(value, "70000"));
    STATUS(HCL_ERR_RANGE, hcl_diags_extra(diags, 1, 1, &key, &value));
    STATUS(HCL_ERR_RANGE, hcl_diags_extra(diags, 0, 0, &key, &value));
    STATUS(HCL_ERR_RANGE, hcl_diags_extra(diags, 2, 0, &key, &value));

    hcl_render_opts ascii;
    memset(&ascii, 0, sizeof ascii);
    ascii.size = sizeof ascii;
    ascii.flags = HCL_RENDER_ASCII;
    STATUS(HCL_OK, hcl_diags_render(diags, &ascii, &buf));
    text_of(buf, text, sizeof text);
    CHECK(strstr(text, "error: Port out of range (gatewayd.port)\n  at gateway.hcl:3:10\n") != NULL);
    CHECK(strstr(text, "  3 |   port = 70000\n    |          ^^^^^\n") != NULL);
    STATUS(HCL_OK, hcl_diags_json(diags, NULL, &buf));
    text_of(buf, text, sizeof text);
    CHECK(strstr(text, "\"code\":\"gatewayd.port\"") != NULL && strstr(text, "\"extra\":{\"port\":\"70000\"}") != NULL);
    STATUS(HCL_OK, hcl_diags_sarif(diags, "gatewayd", HCL_NUL, "1.2", HCL_NUL, NULL, &buf));
    text_of(buf, text, sizeof text);
    CHECK(strstr(text, "\"driver\":{\"name\":\"gatewayd\",\"version\":\"1.2\",\"rules\":[{\"id\":\"eval.") != NULL);
    CHECK(strstr(text, "\"startLine\":3,\"startColumn\":10,") != NULL);
    CHECK(strstr(text, "\"properties\":{\"port\":\"70000\"}") != NULL);

    hcl_render_opts few;
    memset(&few, 0, sizeof few);
    few.size = sizeof few;
    few.max_bytes = 10;
    STATUS(HCL_ERR_LIMIT, hcl_diags_sarif(diags, "gatewayd", HCL_NUL, "1.2", HCL_NUL, &few, &buf));
    few.max_bytes = 0;
    few.max_count = 1;
    STATUS(HCL_OK, hcl_diags_sarif(diags, "gatewayd", HCL_NUL, "1.2", HCL_NUL, &few, &buf));
    text_of(buf, text, sizeof text);
    CHECK(strstr(text, "gatewayd.port") == NULL);
    STATUS(HCL_OK, hcl_diags_sarif(NULL, "gatewayd", HCL_NUL, "1.2", HCL_NUL, NULL, &buf));
    text_of(buf, text, sizeof text);
    CHECK(strstr(text, "\"results\":[]") != NULL);
    hcl_diags_free(diags);
}

/* A drawing of few of many diagnostics still says what ended the work. */
static void test_ending_limit(void)
{
    static const char source[] = "[for i in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] : [for j in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] :"
                                 " [for k in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] : [k + \"x\", k + \"x\"]]]]";
    hcl_diags *diags = NULL;
    hcl_buf *buf = NULL;
    char text[4096];
    STATUS(HCL_ERR_LIMIT, hcl_evaluate(source, HCL_NUL, NULL, 0, NULL, &buf, &diags));
    size_t n = hcl_diags_count(diags);
    CHECK(n > 3 && str_is(get(diags, n - 1).code, "limit.diagnostics"));
    hcl_render_opts few;
    memset(&few, 0, sizeof few);
    few.size = sizeof few;
    few.max_count = 2;
    STATUS(HCL_OK, hcl_diags_render(diags, &few, &buf));
    text_of(buf, text, sizeof text);
    const char *rest = strstr(text, " more diagnostics are not shown)\n\n");
    CHECK(rest != NULL && strstr(rest, "limit.diagnostics") != NULL);
    few.max_count = (uint32_t)n - 1;
    few.max_bytes = 0;
    STATUS(HCL_OK, hcl_diags_render(diags, &few, &buf));
    CHECK(strstr(hcl_buf_str(buf).ptr, "not shown") == NULL && strstr(hcl_buf_str(buf).ptr, "limit.diagnostics") != NULL);
    hcl_buf_free(buf);
    hcl_diags_free(diags);
}

static void test_order_and_cap(void)
{
    hcl_file *a = parse("a.hcl", "x = 1\ny = 2\n"), *b = parse("b.hcl", "x = 1\n");
    hcl_diags *diags = NULL;
    struct { hcl_file *file; uint64_t byte; uint32_t severity; const char *code; } list[] = {
        {NULL, 0, HCL_SEVERITY_ERROR, "none"},      {b, 4, HCL_SEVERITY_WARNING, "b"},
        {a, 10, HCL_SEVERITY_WARNING, "a second"},  {a, 4, HCL_SEVERITY_ERROR, "a first"},
        {a, 4, HCL_SEVERITY_WARNING, "a first too"},
    };
    static const char *const order[] = {"a first", "a first too", "a second", "b", "none"};
    static const char *const left[] = {"a first", "a first too", "none"};

    STATUS(HCL_OK, hcl_diags_new(&diags));
    CHECK(diags != NULL && hcl_diags_count(diags) == 0 && !hcl_diags_has_errors(diags));
    STATUS(HCL_ERR_RANGE, hcl_diags_note(diags, "k", 1, "v", 1));
    for (size_t i = 0; i < 5; i++) {
        hcl_diag said = saying(list[i].severity, list[i].code, "S", "D");
        hcl_place place = nowhere();
        place.file = list[i].file;
        place.range.start.byte = list[i].byte;
        place.range.end.byte = list[i].byte + 1;
        STATUS(HCL_OK, hcl_diags_add(&diags, &said, list[i].file != NULL ? &place : NULL, NULL));
    }
    hcl_diags_sort(diags);
    for (size_t i = 0; i < 5; i++)
        CHECK(str_is(get(diags, i).code, order[i]));
    hcl_diags_cap(diags, 3);
    CHECK(hcl_diags_count(diags) == 3);
    for (size_t i = 0; i < 3; i++)
        CHECK(str_is(get(diags, i).code, left[i]));

    /* A diagnostic of one list can be added to another. */
    hcl_diags *other = NULL;
    hcl_diag copy = get(diags, 0);
    STATUS(HCL_OK, hcl_diags_add(&other, &copy, NULL, NULL));
    CHECK(str_is(get(other, 0).filename, "a.hcl") && get(other, 0).subject.start.byte == 4);
    CHECK(str_is(get(other, 0).expression, ""));
    hcl_buf *buf = NULL;
    STATUS(HCL_OK, hcl_diags_render(other, NULL, &buf));
    hcl_buf_free(buf);
    hcl_diags_cap(diags, 0);
    CHECK(hcl_diags_count(diags) == 0);
    hcl_diags_sort(NULL);
    hcl_diags_cap(NULL, 0);
    hcl_diags_free(other);
    hcl_diags_free(diags);
    hcl_file_free(a);
    hcl_file_free(b);
}

static void test_misuse(void)
{
    hcl_file *file = parse("gateway.hcl", gateway), *other = parse("other.hcl", gateway);
    const hcl_block *block = hcl_body_block_at(hcl_file_body(file), 0);
    hcl_diags *diags = NULL;
    hcl_diag said = saying(HCL_SEVERITY_ERROR, "", "\xff low", "");
    hcl_place place = nowhere(), elsewhere = nowhere();

    /* No more is kept of a summary than of a detail. */
    char *long_text = malloc(100000);
    memset(long_text, 'x', 100000);
    hcl_diag at_length = said;
    at_length.summary = at_length.detail = (hcl_str){ long_text, 100000 };
    STATUS(HCL_OK, hcl_diags_add(&diags, &at_length, NULL, NULL));
    CHECK(get(diags, 0).summary.len <= 4096 && get(diags, 0).detail.len == get(diags, 0).summary.len);
    hcl_diags_free(diags);
    free(long_text);
    diags = NULL;

    STATUS(HCL_ERR_ARGUMENT, hcl_diags_new(NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_diags_add(NULL, &said, NULL, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_diags_add(&diags, NULL, NULL, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_diags_add(&diags, &said, &place, NULL)); /* no handle */
    place.block = block;
    place.part = HCL_PLACE_VALUE;
    STATUS(HCL_ERR_ARGUMENT, hcl_diags_add(&diags, &said, &place, NULL)); /* a block has no value */
    place.part = 99;
    STATUS(HCL_ERR_ARGUMENT, hcl_diags_add(&diags, &said, &place, NULL));
    place.part = 0;
    place.file = file;
    STATUS(HCL_ERR_ARGUMENT, hcl_diags_add(&diags, &said, &place, NULL)); /* two handles */
    place.file = NULL;
    elsewhere.file = other;
    STATUS(HCL_ERR_ARGUMENT, hcl_diags_add(&diags, &said, NULL, &place)); /* a context alone */
    STATUS(HCL_ERR_ARGUMENT, hcl_diags_add(&diags, &said, &place, &elsewhere)); /* in another source */
    said.severity = 0;
    STATUS(HCL_ERR_ARGUMENT, hcl_diags_add(&diags, &said, &place, NULL));
    said.severity = HCL_SEVERITY_ERROR;
    said.size = 0;
    STATUS(HCL_ERR_ARGUMENT, hcl_diags_add(&diags, &said, &place, NULL));
    said.size = sizeof said;
    elsewhere.size = 3;
    STATUS(HCL_ERR_ARGUMENT, hcl_diags_add(&diags, &said, &elsewhere, NULL));
    CHECK(diags == NULL);

    /* A missing code, and bytes that are no UTF-8, are no reason to say nothing. */
    STATUS(HCL_OK, hcl_diags_add(&diags, &said, &place, NULL));
    CHECK(str_is(get(diags, 0).code, "host") && str_is(get(diags, 0).summary, "\xef\xbf\xbd low"));
    STATUS(HCL_ERR_ARGUMENT, hcl_diags_note(NULL, "k", 1, "v", 1));
    STATUS(HCL_OK, hcl_diags_note(diags, "\xff", 1, "v", 1));
    STATUS(HCL_OK, hcl_diags_note(diags, "k", 1, "\xff", 1));
    STATUS(HCL_ERR_ARGUMENT, hcl_diags_extra(diags, 0, 0, NULL, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_diags_sarif(diags, "t", 1, "1", 1, NULL, NULL));
    hcl_diags_free(diags);
    hcl_file_free(file);
    hcl_file_free(other);
}

int main(void)
{
    test_places();
    test_one_list();
    test_ending_limit();
    test_order_and_cap();
    test_misuse();
    return failures;
}

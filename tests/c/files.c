/* Files: bodies, blocks and labels by index, diagnostics as fields, handles that outlive each other. */
#include "check.h"

static const char source[] =
    "a = 1\n"
    "server \"web\" main {\n"
    "  port = 80 + offset\n"
    "  inner {}\n"
    "}\n"
    "b = a.b[\"c\"] + [for x in a : x]\n";

static void walk(void)
{
    hcl_file *file = NULL, *again = NULL;
    hcl_expr *keep = NULL;
    hcl_traversals *list = NULL;
    hcl_range at;

    STATUS(HCL_OK, hcl_file_parse("main.hcl", HCL_NUL, source, HCL_NUL, NULL, &file, NULL));
    const hcl_body *body = hcl_file_body(file);
    CHECK(str_is(hcl_file_name(file), "main.hcl"));
    CHECK(str_is(hcl_file_source(file), source));
    CHECK(hcl_body_attr_count(body) == 2 && hcl_body_block_count(body) == 1);
    CHECK(str_is(hcl_attr_name(hcl_body_attr_at(body, 1)), "b"));
    CHECK(hcl_body_attr_at(body, 2) == NULL && hcl_body_block_at(body, 1) == NULL);
    CHECK(hcl_body_attr_find(body, "b", 1) == hcl_body_attr_at(body, 1));
    CHECK(hcl_body_attr_find(body, "c", 1) == NULL);

    const hcl_block *block = hcl_body_block_at(body, 0);
    CHECK(str_is(hcl_block_type(block), "server") && hcl_block_label_count(block) == 2);
    CHECK(str_is(hcl_block_label(block, 0), "web") && str_is(hcl_block_label(block, 1), "main"));
    STATUS(HCL_OK, hcl_block_label_range(block, 0, &at));
    CHECK(at.start.line == 2 && at.start.column == 8 && at.start.byte == 13 && at.end.column == 13);
    STATUS(HCL_ERR_RANGE, hcl_block_label_range(block, 2, &at));
    STATUS(HCL_OK, hcl_block_range(block, &at));
    CHECK(at.start.line == 2 && at.end.line == 5 && at.end.column == 2);
    const hcl_body *inner = hcl_block_body(block);
    CHECK(hcl_body_block_count(inner) == 1 && hcl_body_attr_count(hcl_block_body(hcl_body_block_at(inner, 0))) == 0);

    /* The expression and a second handle outlive the first one. */
    STATUS(HCL_OK, hcl_expr_ref(hcl_attr_expr(hcl_body_attr_at(inner, 0)), &keep));
    STATUS(HCL_OK, hcl_file_ref(file, &again));
    STATUS(HCL_OK, hcl_expr_variables(hcl_attr_expr(hcl_body_attr_at(body, 1)), &list));
    hcl_file_free(file);
    CHECK(str_is(hcl_block_type(block), "server"));
    hcl_file_free(again);
    CHECK(str_is(hcl_expr_source(keep), "80 + offset"));
    STATUS(HCL_OK, hcl_expr_range(keep, &at));
    CHECK(at.start.line == 3 && at.start.column == 10);
    CHECK(hcl_traversals_count(list) == 2 && str_is(hcl_traversals_root(list, 0), "a"));
    CHECK(str_is(hcl_traversals_text(list, 0), "a.b[\"c\"]") && str_is(hcl_traversals_text(list, 1), "a"));
    STATUS(HCL_OK, hcl_traversals_range(list, 1, &at));
    CHECK(at.start.line == 6 && at.start.column == 26);
    STATUS(HCL_ERR_RANGE, hcl_traversals_range(list, 2, &at));
    hcl_traversals_free(list);
    hcl_expr_free(keep);
}

static void broken(void)
{
    hcl_parse_opts opts = {0};
    hcl_file *file = NULL;
    hcl_diags *diags = NULL;
    hcl_diag diag;
    hcl_buf *text = NULL;

    STATUS(HCL_ERR_DIAGNOSTICS, hcl_file_parse("bad.hcl", HCL_NUL, "a = 1\nb = \nc = 3\nc = 4\n", HCL_NUL, NULL, &file, &diags));
    CHECK(file == NULL && hcl_diags_count(diags) == 2 && hcl_diags_has_errors(diags));
    hcl_diags_free(diags);

    opts.size = sizeof opts;
    opts.flags = HCL_PARSE_PARTIAL;
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_file_parse("bad.hcl", HCL_NUL, "a = 1\nb = \nc = 3\nc = 4\n", HCL_NUL, &opts, &file, &diags));
    CHECK(hcl_body_attr_find(hcl_file_body(file), "a", 1) != NULL);
    CHECK(hcl_body_attr_find(hcl_file_body(file), "c", 1) != NULL);
    hcl_file_free(file); /* diagnostics need no file */

    memset(&diag, 0xff, sizeof diag);
    diag.size = sizeof diag;
    STATUS(HCL_OK, hcl_diags_get(diags, 1, &diag));
    CHECK(diag.size == sizeof diag && diag.severity == HCL_SEVERITY_ERROR);
    CHECK(str_is(diag.summary, "Attribute redefined") && str_is(diag.filename, "bad.hcl"));
    CHECK(diag.subject.start.line == 4 && diag.subject.start.column == 1 && diag.subject.end.column == 2);
    CHECK(diag.detail.len > 0 && diag.code.len > 0 && str_is(diag.expression, "c"));
    STATUS(HCL_ERR_RANGE, hcl_diags_get(diags, 2, &diag));
    STATUS(HCL_OK, hcl_diags_render(diags, NULL, &text));
    CHECK(strstr(hcl_buf_str(text).ptr, "Attribute redefined") != NULL);
    hcl_buf_free(text);
    STATUS(HCL_OK, hcl_diags_json(diags, NULL, &text));
    CHECK(strstr(hcl_buf_str(text).ptr, "\"summary\":\"Attribute redefined\"") != NULL);
    hcl_buf_free(text);

    /* What a code means is told at length. */
    STATUS(HCL_OK, hcl_code_explain(diag.code.ptr, diag.code.len, &text));
    CHECK(strstr(hcl_buf_str(text).ptr, "set twice") != NULL);
    hcl_buf_free(text);
    text = NULL;
    STATUS(HCL_ERR_NOT_FOUND, hcl_code_explain("parse.nothing", HCL_NUL, &text));
    CHECK(text == NULL);
    hcl_diags_free(diags);
}

static hcl_diags *complaints_about(const char *name, const char *text)
{
    hcl_file *file = NULL;
    hcl_diags *diags = NULL;
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_file_parse(name, HCL_NUL, text, HCL_NUL, NULL, &file, &diags));
    return diags;
}

/* What is wrong with several files, in one list and one text; how much of it is drawn. */
static void several_files(void)
{
    hcl_diags *all = NULL, *first = complaints_about("first.hcl", "a = 1 b\n"), *second = complaints_about("second.hcl", "b = 1\nb = 2\n");
    hcl_render_opts opts = {0};
    hcl_diag diag = {0};
    hcl_buf *text = NULL;

    diag.size = sizeof diag;
    opts.size = sizeof opts;
    STATUS(HCL_OK, hcl_diags_append(&all, NULL));
    CHECK(all == NULL);
    STATUS(HCL_OK, hcl_diags_append(&all, first));
    STATUS(HCL_OK, hcl_diags_append(&all, second));
    hcl_diags_free(first);
    CHECK(hcl_diags_count(all) == 2 && hcl_diags_count(second) == 1);
    hcl_diags_free(second);
    STATUS(HCL_OK, hcl_diags_get(all, 1, &diag));
    CHECK(str_is(diag.filename, "second.hcl") && str_is(diag.expression, "b"));
    STATUS(HCL_OK, hcl_diags_render(all, NULL, &text));
    CHECK(strstr(hcl_buf_str(text).ptr, "first.hcl:1") != NULL && strstr(hcl_buf_str(text).ptr, "a = 1 b") != NULL);
    CHECK(strstr(hcl_buf_str(text).ptr, "second.hcl:2") != NULL && strstr(hcl_buf_str(text).ptr, "b = 2") != NULL);
    CHECK(strstr(hcl_buf_str(text).ptr, "\n\nerror: ") != NULL && hcl_buf_str(text).ptr[0] == 'e');
    opts.max_bytes = hcl_buf_str(text).len - 1;
    hcl_buf_free(text);
    STATUS(HCL_OK, hcl_diags_render(all, &opts, &text));
    CHECK(strstr(hcl_buf_str(text).ptr, "first.hcl:1") != NULL && strstr(hcl_buf_str(text).ptr, "second.hcl") == NULL);
    CHECK(strstr(hcl_buf_str(text).ptr, "\n\n(1 more diagnostic is not shown)\n") != NULL);
    hcl_buf_free(text);
    opts.max_bytes = 1;
    STATUS(HCL_OK, hcl_diags_render(all, &opts, &text));
    CHECK(str_is(hcl_buf_str(text), "(2 more diagnostics are not shown)\n"));
    hcl_buf_free(text);

    STATUS(HCL_OK, hcl_diags_append(&all, all)); /* also to itself */
    CHECK(hcl_diags_count(all) == 4);
    STATUS(HCL_ERR_ARGUMENT, hcl_diags_append(NULL, all));
    hcl_diags_free(all);
}

/* Bytes that are no text, bombs, and limits. */
static void hostile(void)
{
    static const char bytes[] = "a = \"\xff\xfe\"\nb = 1 \x00\nc = 2\n";
    size_t n = 1 << 20;
    char *bomb = malloc(n);
    hcl_parse_opts opts = {0};
    hcl_file *file = NULL;
    hcl_expr *expr = NULL;
    hcl_diags *diags = NULL;

    opts.size = sizeof opts;
    opts.flags = HCL_PARSE_PARTIAL;
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_file_parse("bytes", HCL_NUL, bytes, sizeof bytes - 1, &opts, &file, &diags));
    hcl_diags_free(diags);
    hcl_file_free(file);

    CHECK(bomb != NULL);
    for (const char *open = "([{-!\"$"; *open != '\0'; open++) {
        memset(bomb, *open, n);
        hcl_status status = hcl_expr_parse("bomb", HCL_NUL, bomb, n, NULL, 0, &opts, &expr, &diags);
        CHECK(status == HCL_ERR_DIAGNOSTICS || status == HCL_ERR_LIMIT);
        CHECK(hcl_diags_has_errors(diags));
        hcl_diags_free(diags);
        hcl_expr_free(expr);
        expr = NULL;
        status = hcl_file_parse("bomb", HCL_NUL, bomb, n, &opts, &file, &diags);
        CHECK(status == HCL_ERR_DIAGNOSTICS || status == HCL_ERR_LIMIT);
        hcl_diags_free(diags);
        hcl_file_free(file);
    }
    opts.max_source_bytes = 1000;
    STATUS(HCL_ERR_LIMIT, hcl_file_parse("big", HCL_NUL, bomb, n, &opts, &file, NULL));
    opts.max_depth = 3;
    opts.max_source_bytes = 0;
    STATUS(HCL_OK, hcl_expr_parse("deep", HCL_NUL, "(1)", HCL_NUL, NULL, 0, &opts, &expr, NULL));
    hcl_expr_free(expr);
    expr = NULL;
    STATUS(HCL_ERR_LIMIT, hcl_expr_parse("deep", HCL_NUL, "(((((1)))))", HCL_NUL, NULL, 0, &opts, &expr, NULL));
    hcl_expr_free(expr);
    free(bomb);
}

int main(void)
{
    walk();
    broken();
    several_files();
    hostile();
    return failures != 0;
}

/* Expressions looked at without evaluating them: variables step by step, functions, static forms, references alone. */
#include "check.h"

static hcl_expr *expr_of(const char *source, uint32_t flags)
{
    hcl_expr *expr = NULL;
    STATUS(HCL_OK, hcl_expr_parse("test", HCL_NUL, source, HCL_NUL, NULL, flags, NULL, &expr, NULL));
    return expr;
}

static hcl_step step_of(const hcl_traversals *list, size_t index, size_t step_index)
{
    hcl_step step;
    memset(&step, 0, sizeof step);
    step.size = sizeof step;
    STATUS(HCL_OK, hcl_traversals_step(list, index, step_index, &step));
    return step;
}

static void steps(void)
{
    hcl_expr *expr = expr_of("a.b[\"c d\"][-1 + 2].e + g.0[7][true]", 0);
    hcl_traversals *list = NULL;
    hcl_step step;
    hcl_str text;
    int64_t number = 0;

    STATUS(HCL_OK, hcl_expr_variables(expr, &list));
    hcl_expr_free(expr);
    CHECK(hcl_traversals_count(list) == 2 && hcl_traversals_step_count(list, 0) == 2);
    CHECK(str_is(hcl_traversals_text(list, 0), "a.b[\"c d\"]") && str_is(hcl_traversals_filename(list, 0), "test"));
    step = step_of(list, 0, 0);
    CHECK(step.kind == HCL_STEP_ATTR && str_is(step.name, "b") && step.key == NULL);
    CHECK(step.range.start.byte == 1 && step.range.end.byte == 3);
    step = step_of(list, 0, 1);
    CHECK(step.kind == HCL_STEP_INDEX && step.name.len == 0);
    STATUS(HCL_OK, hcl_value_as_str(step.key, &text));
    CHECK(str_is(text, "c d"));
    step = step_of(list, 1, 0);
    STATUS(HCL_OK, hcl_value_as_i64(step.key, &number));
    CHECK(step.kind == HCL_STEP_INDEX && number == 0);
    step = step_of(list, 1, 1);
    STATUS(HCL_OK, hcl_value_as_i64(step.key, &number));
    CHECK(number == 7);
    CHECK(hcl_value_kind(step_of(list, 1, 2).key) == HCL_KIND_BOOL);
    STATUS(HCL_ERR_RANGE, hcl_traversals_step(list, 1, 3, &step));
    STATUS(HCL_ERR_RANGE, hcl_traversals_step(list, 2, 0, &step));
    step.size = 1;
    STATUS(HCL_ERR_ARGUMENT, hcl_traversals_step(list, 1, 0, &step));
    CHECK(hcl_traversals_step_count(list, 2) == 0);
    hcl_traversals_free(list);
}

static void functions(void)
{
    hcl_expr *expr = expr_of("upper(core::join(\",\", [for x in f(y) : g(x)]))", 0);
    hcl_traversals *list = NULL;
    hcl_range at;

    STATUS(HCL_OK, hcl_expr_functions(expr, &list));
    CHECK(hcl_traversals_count(list) == 4 && str_is(hcl_traversals_root(list, 0), "upper"));
    CHECK(str_is(hcl_traversals_text(list, 1), "core::join") && hcl_traversals_step_count(list, 1) == 0);
    STATUS(HCL_OK, hcl_traversals_range(list, 1, &at));
    CHECK(at.start.column == 7 && at.end.column == 17);
    hcl_traversals_free(list);
    hcl_expr_free(expr);
}

/* What an expression is, taken literally; for each kind one that is and one that is not. */
static void static_forms(void)
{
    hcl_static *form = NULL;
    hcl_traversals *list = NULL;
    hcl_expr *expr = expr_of("object({ port = number }, [a.b])", 0);

    STATUS(HCL_OK, hcl_expr_static(expr, HCL_STATIC_CALL, &form));
    CHECK(str_is(hcl_static_name(form), "object") && hcl_static_count(form) == 2);
    CHECK(hcl_static_key(form, 0) == NULL && hcl_static_at(form, 2) == NULL);
    hcl_expr *map = NULL, *tuple = NULL;
    STATUS(HCL_OK, hcl_expr_ref(hcl_static_at(form, 0), &map));
    STATUS(HCL_OK, hcl_expr_ref(hcl_static_at(form, 1), &tuple));
    hcl_static_free(form);
    form = NULL;
    STATUS(HCL_ERR_TYPE, hcl_expr_static(expr, HCL_STATIC_LIST, &form));
    STATUS(HCL_ERR_TYPE, hcl_expr_static(map, HCL_STATIC_CALL, &form));
    STATUS(HCL_ERR_ARGUMENT, hcl_expr_static(map, 0, &form));
    STATUS(HCL_ERR_ARGUMENT, hcl_expr_static(map, 5, &form));
    STATUS(HCL_ERR_TYPE, hcl_expr_static_traversal(expr, &list));
    CHECK(form == NULL && list == NULL);
    hcl_expr_free(expr);

    STATUS(HCL_OK, hcl_expr_static(map, HCL_STATIC_MAP, &form));
    CHECK(hcl_static_count(form) == 1 && str_is(hcl_expr_source(hcl_static_key(form, 0)), "port"));
    hcl_static *keyword = NULL;
    STATUS(HCL_OK, hcl_expr_static(hcl_static_at(form, 0), HCL_STATIC_KEYWORD, &keyword));
    CHECK(str_is(hcl_static_name(keyword), "number") && hcl_static_count(keyword) == 0);
    hcl_static_free(keyword);
    hcl_static_free(form);
    STATUS(HCL_OK, hcl_expr_static(tuple, HCL_STATIC_LIST, &form));
    CHECK(hcl_static_count(form) == 1 && hcl_static_name(form).len == 0);
    STATUS(HCL_OK, hcl_expr_static_traversal(hcl_static_at(form, 0), &list));
    CHECK(hcl_traversals_count(list) == 1 && str_is(hcl_traversals_text(list, 0), "a.b"));
    hcl_traversals_free(list);
    hcl_static_free(form);
    hcl_expr_free(map);
    hcl_expr_free(tuple);
}

/* A JSON value by itself: its strings are templates, calls and references, as they are asked. */
static void json_values(void)
{
    hcl_expr *expr = expr_of("{\"type\": \"list(string)\", \"from\": [\"a.b[0]\", \"${x.y}\"]}", HCL_EXPR_JSON);
    hcl_static *map = NULL, *call = NULL, *list = NULL;
    hcl_traversals *found = NULL;
    hcl_range at;

    CHECK(str_is(hcl_expr_source(expr), "{\"type\": \"list(string)\", \"from\": [\"a.b[0]\", \"${x.y}\"]}"));
    STATUS(HCL_OK, hcl_expr_variables(expr, &found));
    CHECK(hcl_traversals_count(found) == 1 && str_is(hcl_traversals_text(found, 0), "x.y"));
    STATUS(HCL_OK, hcl_traversals_range(found, 0, &at));
    CHECK(at.start.line == 1 && at.start.column == 48);
    hcl_traversals_free(found);
    STATUS(HCL_OK, hcl_expr_static(expr, HCL_STATIC_MAP, &map));
    STATUS(HCL_OK, hcl_expr_static(hcl_static_at(map, 0), HCL_STATIC_CALL, &call));
    CHECK(str_is(hcl_static_name(call), "list") && str_is(hcl_expr_source(hcl_static_at(call, 0)), "string"));
    STATUS(HCL_OK, hcl_expr_static(hcl_static_at(map, 1), HCL_STATIC_LIST, &list));
    STATUS(HCL_OK, hcl_expr_static_traversal(hcl_static_at(list, 0), &found));
    CHECK(str_is(hcl_traversals_text(found, 0), "a.b[0]"));
    hcl_traversals_free(found);
    found = NULL;
    STATUS(HCL_ERR_TYPE, hcl_expr_static_traversal(hcl_static_at(list, 1), &found));
    hcl_static_free(list);
    hcl_static_free(call);
    hcl_static_free(map);
    hcl_expr_free(expr);

    hcl_parse_opts opts = {0};
    hcl_diags *diags = NULL;
    hcl_diag diag = {0};
    opts.size = sizeof opts;
    opts.start.line = 3;
    expr = NULL;
    STATUS(HCL_ERR_DIAGNOSTICS,
        hcl_expr_parse("j", 1, "{\"a\":", HCL_NUL, NULL, HCL_EXPR_JSON, &opts, &expr, &diags));
    diag.size = sizeof diag;
    STATUS(HCL_OK, hcl_diags_get(diags, 0, &diag));
    CHECK(expr == NULL && diag.subject.start.line == 3);
    hcl_diags_free(diags);
}

static void references(void)
{
    hcl_traversals *list = NULL;
    hcl_parse_opts opts = {0};
    hcl_pos start = {4, 2, 30};
    hcl_range at;

    STATUS(HCL_OK, hcl_traversal_parse("r", 1, "module.web[\"a\"][*].port", HCL_NUL, &start, HCL_TRAVERSAL_SPLAT, NULL, &list, NULL));
    CHECK(hcl_traversals_step_count(list, 0) == 4 && str_is(hcl_traversals_text(list, 0), "module.web[\"a\"][*].port"));
    CHECK(step_of(list, 0, 2).kind == HCL_STEP_SPLAT && step_of(list, 0, 2).key == NULL);
    CHECK(str_is(step_of(list, 0, 3).name, "port"));
    STATUS(HCL_OK, hcl_traversals_range(list, 0, &at));
    CHECK(at.start.line == 4 && at.start.column == 2 && at.start.byte == 30 && at.end.byte == 53);
    hcl_traversals_free(list);
    list = NULL;
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_traversal_parse("r", 1, "a[*]", HCL_NUL, NULL, 0, NULL, &list, NULL));
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_traversal_parse("r", 1, "a.b[c]", HCL_NUL, NULL, 0, NULL, &list, NULL));
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_traversal_parse("r", 1, "", 0, NULL, 0, NULL, &list, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_traversal_parse("r", 1, "a", 1, NULL, 2, NULL, &list, NULL));
    CHECK(list == NULL);
    opts.size = sizeof opts;
    opts.flags = HCL_PARSE_PARTIAL;
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_traversal_parse("r", 1, "a.b[c]", HCL_NUL, NULL, 0, &opts, &list, NULL));
    CHECK(str_is(hcl_traversals_text(list, 0), "a.b"));
    hcl_traversals_free(list);
    list = NULL;
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_traversal_parse("r", 1, "", 0, NULL, 0, &opts, &list, NULL));
    CHECK(list == NULL);
    opts.flags = HCL_PARSE_JSON;
    STATUS(HCL_ERR_ARGUMENT, hcl_traversal_parse("r", 1, "a", 1, NULL, 0, &opts, &list, NULL));
}

int main(void)
{
    steps();
    functions();
    static_forms();
    json_values();
    references();
    return failures != 0;
}

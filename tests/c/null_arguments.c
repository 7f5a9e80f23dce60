/* Null pointers, lengths and sizes that make no sense: a status or the documented empty answer, never a crash. */
#include "check.h"

#include <math.h>

static void frees(void)
{
    hcl_buf_free(NULL);
    hcl_builder_free(NULL);
    hcl_cancel_free(NULL);
    hcl_cancel_trigger(NULL);
    hcl_diags_free(NULL);
    hcl_expr_free(NULL);
    hcl_file_free(NULL);
    hcl_frame_free(NULL);
    hcl_functions_free(NULL);
    hcl_host_free(NULL);
    hcl_program_free(NULL);
    hcl_scope_free(NULL);
    hcl_traversals_free(NULL);
    hcl_type_free(NULL);
    hcl_value_free(NULL);
}

static void empty_answers(void)
{
    CHECK(hcl_buf_str(NULL).len == 0);
    CHECK(hcl_file_body(NULL) == NULL);
    CHECK(hcl_file_name(NULL).len == 0);
    CHECK(hcl_file_source(NULL).len == 0);
    CHECK(hcl_body_attr_count(NULL) == 0);
    CHECK(hcl_body_attr_at(NULL, 0) == NULL);
    CHECK(hcl_body_attr_find(NULL, "a", 1) == NULL);
    CHECK(hcl_body_block_count(NULL) == 0);
    CHECK(hcl_body_block_at(NULL, 0) == NULL);
    CHECK(hcl_attr_name(NULL).len == 0);
    CHECK(hcl_attr_expr(NULL) == NULL);
    CHECK(hcl_block_type(NULL).len == 0);
    CHECK(hcl_block_label_count(NULL) == 0);
    CHECK(hcl_block_label(NULL, 0).len == 0);
    CHECK(hcl_block_body(NULL) == NULL);
    CHECK(hcl_expr_source(NULL).len == 0);
    CHECK(hcl_traversals_count(NULL) == 0);
    CHECK(hcl_traversals_root(NULL, 0).len == 0);
    CHECK(hcl_traversals_text(NULL, 0).len == 0);
    CHECK(hcl_program_needs_count(NULL) == 0);
    CHECK(hcl_program_needs_at(NULL, 0) == SIZE_MAX);
    CHECK(hcl_diags_count(NULL) == 0);
    CHECK(!hcl_diags_has_errors(NULL));
    CHECK(hcl_value_kind(NULL) == HCL_KIND_INVALID);
    CHECK(!hcl_value_is_null(NULL));
    CHECK(!hcl_value_is_known(NULL));
    CHECK(!hcl_value_is_wholly_known(NULL));
    CHECK(!hcl_value_is_marked(NULL));
    CHECK(!hcl_value_contains_marks(NULL));
    CHECK(!hcl_value_has_mark(NULL, "a", 1));
    CHECK(hcl_value_at(NULL, 0) == NULL);
    CHECK(hcl_value_get(NULL, "a", 1) == NULL);
    CHECK(!hcl_value_identical(NULL, NULL));
    CHECK(!hcl_type_equal(NULL, NULL));
    CHECK(hcl_call_count(NULL) == 0);
    CHECK(hcl_call_arg(NULL, 0) == NULL);
    CHECK(!hcl_call_cancelled(NULL));
    CHECK(str_is(hcl_status_name(HCL_ERR_TYPE), "HCL_ERR_TYPE"));
    CHECK(hcl_status_name(-7).len > 0);
}

static void statuses(void)
{
    hcl_file *file = NULL;
    hcl_expr *expr = NULL;
    hcl_value *value = NULL;
    hcl_diags *diags = (hcl_diags *)1;
    hcl_str text;
    hcl_range range;
    bool truth;
    int64_t number;
    size_t size;
    hcl_limits limits = {0};
    hcl_diag diag = {0};

    STATUS(HCL_ERR_ARGUMENT, hcl_file_parse("f", 1, NULL, 5, NULL, &file, &diags));
    CHECK(diags != NULL && diags != (hcl_diags *)1 && hcl_diags_count(diags) == 1);
    hcl_diags_free(diags);
    STATUS(HCL_ERR_ARGUMENT, hcl_file_parse(NULL, 3, "", 0, NULL, &file, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_file_parse("f", 1, "", 0, NULL, NULL, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_file_parse("f", 1, "a", SIZE_MAX / 2 + 1, NULL, &file, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_expr_parse("f", 1, NULL, HCL_NUL, NULL, 0, NULL, &expr, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_expr_parse("f", 1, "1", 1, NULL, 1u << 30, NULL, &expr, NULL));
    CHECK(file == NULL && expr == NULL);

    STATUS(HCL_OK, hcl_file_parse(NULL, 0, NULL, 0, NULL, &file, &diags));
    CHECK(diags == NULL);
    STATUS(HCL_ERR_ARGUMENT, hcl_file_ref(file, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_file_ref(NULL, &file));
    hcl_file_free(file);

    STATUS(HCL_ERR_ARGUMENT, hcl_body_missing_range(NULL, &range));
    STATUS(HCL_ERR_ARGUMENT, hcl_attr_range(NULL, &range));
    STATUS(HCL_ERR_ARGUMENT, hcl_block_range(NULL, &range));
    STATUS(HCL_ERR_ARGUMENT, hcl_block_label_range(NULL, 0, &range));
    STATUS(HCL_ERR_ARGUMENT, hcl_expr_range(NULL, &range));
    STATUS(HCL_ERR_ARGUMENT, hcl_expr_variables(NULL, NULL));

    STATUS(HCL_ERR_ARGUMENT, hcl_value_string(NULL, 1, &value));
    STATUS(HCL_ERR_ARGUMENT, hcl_value_string("\xc3(", 2, &value));
    STATUS(HCL_ERR_ARGUMENT, hcl_value_string("a", 1, NULL));
    STATUS(HCL_ERR_RANGE, hcl_value_f64(NAN, &value));
    STATUS(HCL_ERR_RANGE, hcl_value_number("ten", 3, &value));
    STATUS(HCL_ERR_ARGUMENT, hcl_value_as_bool(NULL, &truth));
    STATUS(HCL_ERR_ARGUMENT, hcl_value_as_i64(NULL, &number));
    STATUS(HCL_ERR_ARGUMENT, hcl_value_as_str(NULL, &text));
    STATUS(HCL_ERR_ARGUMENT, hcl_value_len(NULL, &size));
    STATUS(HCL_ERR_ARGUMENT, hcl_value_key_at(NULL, 0, &text));
    STATUS(HCL_ERR_ARGUMENT, hcl_value_convert(NULL, NULL, NULL, &value, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_value_encode(NULL, HCL_FORMAT_JSON, 0, NULL, NULL, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_value_equal(NULL, NULL, NULL, &value, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_value_mark(NULL, "a", 1, &value));
    CHECK(value == NULL);

    STATUS(HCL_ERR_ARGUMENT, hcl_builder_begin(NULL, HCL_KIND_LIST));
    STATUS(HCL_ERR_ARGUMENT, hcl_builder_i64(NULL, 1));
    STATUS(HCL_ERR_ARGUMENT, hcl_builder_finish(NULL, &value));
    STATUS(HCL_ERR_ARGUMENT, hcl_scope_slot(NULL, "a", 1, &size));
    STATUS(HCL_ERR_ARGUMENT, hcl_scope_function(NULL, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_scope_seal(NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_program_compile(NULL, NULL, 0, NULL, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_frame_new(NULL, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_frame_set(NULL, 0, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_frame_used(NULL, &limits));
    STATUS(HCL_ERR_ARGUMENT, hcl_eval(NULL, NULL, &value, &diags));
    CHECK(diags != NULL);
    hcl_diags_free(diags);
    STATUS(HCL_ERR_ARGUMENT, hcl_expr_eval(NULL, NULL, &value, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_expr_explain(NULL, NULL, NULL, NULL, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_call_return_i64(NULL, 1));
    STATUS(HCL_ERR_ARGUMENT, hcl_call_fail(NULL, 0, "x", 1));
    STATUS(HCL_ERR_ARGUMENT, hcl_diags_get(NULL, 0, &diag));
    STATUS(HCL_ERR_ARGUMENT, hcl_diags_json(NULL, NULL, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_code_explain("x", HCL_NUL, NULL));
}

/* Structs that may grow. */
static void sizes(void)
{
    struct { hcl_parse_opts known; uint64_t newer; } longer;
    hcl_parse_opts opts = {0};
    hcl_file *file = NULL;

    STATUS(HCL_ERR_ARGUMENT, hcl_file_parse("f", 1, "", 0, &opts, &file, NULL)); /* size 0 */
    opts.size = sizeof opts;
    opts.flags = 1u << 31;
    STATUS(HCL_ERR_ARGUMENT, hcl_file_parse("f", 1, "", 0, &opts, &file, NULL));
    opts.flags = 0;
    opts.size = offsetof(hcl_parse_opts, max_diagnostics); /* an older, shorter struct */
    STATUS(HCL_OK, hcl_file_parse("f", 1, "", 0, &opts, &file, NULL));
    hcl_file_free(file);
    memset(&longer, 0, sizeof longer);
    longer.known.size = sizeof longer; /* a newer, longer one, as long as it asks for nothing unknown */
    STATUS(HCL_OK, hcl_file_parse("f", 1, "", 0, &longer.known, &file, NULL));
    hcl_file_free(file);
    longer.newer = 1;
    STATUS(HCL_ERR_ARGUMENT, hcl_file_parse("f", 1, "", 0, &longer.known, &file, NULL));
}

int main(void)
{
    frees();
    empty_answers();
    statuses();
    sizes();
    return failures != 0;
}

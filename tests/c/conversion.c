/* Texts to other texts: the canonical form, native syntax to JSON syntax and back; types with defaults. */
#include "check.h"

static void formatting(void)
{
    static const char messy[] = "a=1\nbb   = \"\xff\" # c\n";
    hcl_buf *text = NULL;
    hcl_diags *diags = NULL;
    bool canonical = true;

    STATUS(HCL_OK, hcl_format("f", 1, messy, HCL_NUL, HCL_STYLE_HCL, NULL, &text, NULL));
    CHECK(str_is(hcl_buf_str(text), "a  = 1\nbb = \"\xff\" # c\n"));
    STATUS(HCL_OK, hcl_format_check("f", 1, messy, HCL_NUL, HCL_STYLE_HCL, NULL, &canonical, NULL));
    CHECK(!canonical);
    hcl_str done = hcl_buf_str(text);
    STATUS(HCL_OK, hcl_format_check("f", 1, done.ptr, done.len, HCL_STYLE_HCL, NULL, &canonical, NULL));
    CHECK(canonical);
    hcl_buf_free(text);
    text = NULL;
    STATUS(HCL_OK, hcl_format("f", 1, "a = \"${b}\"\nr x {}\n", HCL_NUL, HCL_STYLE_TERRAFORM, NULL, &text, NULL));
    CHECK(str_is(hcl_buf_str(text), "a = b\nr \"x\" {}\n"));
    hcl_buf_free(text);
    text = NULL;
    STATUS(HCL_OK, hcl_format("f", 1, "a = ((", HCL_NUL, HCL_STYLE_HCL, NULL, &text, NULL));
    hcl_buf_free(text);
    text = NULL;
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_format("f", 1, "a = ((", HCL_NUL, HCL_STYLE_TERRAFORM, NULL, &text, &diags));
    CHECK(text == NULL && hcl_diags_has_errors(diags));
    hcl_diags_free(diags);
    STATUS(HCL_ERR_ARGUMENT, hcl_format("f", 1, "", 0, 7, NULL, &text, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_format("f", 1, NULL, 2, 0, NULL, &text, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_format("f", 1, "", 0, 0, NULL, NULL, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_format_check("f", 1, "", 0, 0, NULL, NULL, NULL));

    /* Nesting without end would be indented without end. */
    size_t n = 1 << 14;
    char *deep = malloc(2 * n);
    CHECK(deep != NULL);
    for (size_t i = 0; i < n; i++)
        memcpy(deep + 2 * i, "[\n", 2);
    STATUS(HCL_ERR_LIMIT, hcl_format("f", 1, deep, 2 * n, 0, NULL, &text, NULL));
    CHECK(text == NULL);
    free(deep);
}

static hcl_file *file_of(const char *source, uint32_t flags)
{
    hcl_parse_opts opts = {0};
    hcl_file *file = NULL;
    opts.size = sizeof opts;
    opts.flags = flags;
    STATUS(HCL_OK, hcl_file_parse("f", 1, source, HCL_NUL, &opts, &file, NULL));
    return file;
}

static void syntaxes(void)
{
    hcl_file *native = file_of("size = max(2, 3)\nservice \"web\" {\n  host = \"${name}.x\"\n}\n", 0);
    hcl_scope *scope = plain_scope();
    hcl_frame *frame = NULL;
    hcl_buf *json = NULL, *back = NULL;
    hcl_schema *schema = NULL;
    hcl_diags *diags = NULL;

    STATUS(HCL_OK, hcl_frame_new(scope, &frame));
    STATUS(HCL_OK, hcl_file_to_json(native, frame, &json, NULL));
    CHECK(strstr(hcl_buf_str(json).ptr, "\"size\": 3") != NULL);
    CHECK(strstr(hcl_buf_str(json).ptr, "\"host\": \"${name}.x\"") != NULL);
    hcl_file *again = file_of(hcl_buf_str(json).ptr, HCL_PARSE_JSON);
    hcl_buf_free(json);
    json = NULL;
    STATUS(HCL_OK, hcl_file_to_json(native, NULL, &json, NULL));
    CHECK(strstr(hcl_buf_str(json).ptr, "\"size\": \"${max(2, 3)}\"") != NULL);
    hcl_buf_free(json);
    json = NULL;
    STATUS(HCL_OK, hcl_file_to_native(again, NULL, &back, NULL));
    CHECK(str_is(hcl_buf_str(back), "size = 3\n\nservice \"web\" {\n  host = \"${name}.x\"\n}\n"));
    hcl_buf_free(back);
    back = NULL;
    STATUS(HCL_OK, hcl_schema_parse("s", 1, "size = optional\nservice = optional\n", HCL_NUL, NULL, &schema, NULL));
    STATUS(HCL_OK, hcl_file_to_native(again, schema, &back, NULL));
    CHECK(strstr(hcl_buf_str(back).ptr, "service = {") != NULL);
    hcl_buf_free(back);
    back = NULL;
    hcl_schema_free(schema);
    STATUS(HCL_ERR_TYPE, hcl_file_to_native(native, NULL, &back, NULL));
    STATUS(HCL_ERR_TYPE, hcl_file_to_json(again, frame, &json, NULL));
    hcl_file_free(native);
    hcl_file_free(again);

    /* What has no form in the other syntax, and a limit for the whole file. */
    native = file_of("a = 1\na {}\n", HCL_PARSE_PARTIAL);
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_file_to_json(native, frame, &json, &diags));
    CHECK(hcl_diags_count(diags) == 1);
    hcl_diags_free(diags);
    hcl_file_free(native);
    hcl_limits limit = {0};
    limit.size = sizeof limit;
    limit.max_elements = 1500;
    STATUS(HCL_OK, hcl_frame_set_limits(frame, &limit));
    native = file_of("a = length(range(1000))\n", 0);
    STATUS(HCL_OK, hcl_file_to_json(native, frame, &json, NULL));
    hcl_buf_free(json);
    hcl_file_free(native);
    json = NULL;
    native = file_of("a = length(range(1000))\nb = length(range(1000))\nc = 1 + 1\n", 0);
    STATUS(HCL_ERR_LIMIT, hcl_file_to_json(native, frame, &json, &diags));
    CHECK(json == NULL && hcl_diags_count(diags) == 1);
    hcl_diags_free(diags);
    STATUS(HCL_ERR_ARGUMENT, hcl_file_to_json(NULL, NULL, &json, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_file_to_json(native, NULL, NULL, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_file_to_native(NULL, NULL, &back, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_file_to_native(native, NULL, NULL, NULL));
    hcl_file_free(native);
    hcl_frame_free(frame);
    hcl_scope_free(scope);
}

static void types_with_defaults(void)
{
    hcl_file *file = file_of("type = object({ name = string, port = optional(number, 80) })\nbad = strin\n", 0);
    hcl_type *type = NULL, *same = NULL, *parsed = NULL;
    hcl_value *value = NULL, *whole = NULL;
    hcl_buf *text = NULL;
    hcl_diags *diags = NULL;
    hcl_diag diag = {0};
    int64_t port = 0;
    const hcl_body *body = hcl_file_body(file);

    STATUS(HCL_OK, hcl_expr_type(hcl_attr_expr(hcl_body_attr_at(body, 0)), &type, NULL));
    STATUS(HCL_OK, hcl_type_ref(type, &same));
    hcl_type_free(type);
    STATUS(HCL_OK, hcl_type_parse("object({name = string, port = optional(number, 80)})", HCL_NUL, &parsed, NULL));
    CHECK(hcl_type_equal(same, parsed));
    STATUS(HCL_OK, hcl_value_decode(HCL_FORMAT_JSON, "{\"name\": 1}", HCL_NUL, NULL, NULL, &value, NULL));
    for (int round = 0; round < 2; round++) {
        STATUS(HCL_OK, hcl_value_convert(value, round == 0 ? same : parsed, NULL, &whole, NULL));
        STATUS(HCL_OK, hcl_value_as_i64(hcl_value_get(whole, "port", HCL_NUL), &port));
        CHECK(port == 80 && hcl_value_kind(hcl_value_get(whole, "name", HCL_NUL)) == HCL_KIND_STRING);
        hcl_value_free(whole);
    }
    hcl_value_free(value);
    STATUS(HCL_OK, hcl_type_text(same, &text));
    CHECK(strstr(hcl_buf_str(text).ptr, "optional(number") != NULL);
    hcl_buf_free(text);
    hcl_type_free(same);
    hcl_type_free(parsed);

    type = NULL;
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_expr_type(hcl_attr_expr(hcl_body_attr_at(body, 1)), &type, &diags));
    diag.size = sizeof diag;
    STATUS(HCL_OK, hcl_diags_get(diags, 0, &diag));
    CHECK(type == NULL && diag.subject.start.line == 2 && diag.subject.start.column == 7);
    hcl_diags_free(diags);
    STATUS(HCL_ERR_ARGUMENT, hcl_expr_type(NULL, &type, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_type_ref(NULL, &type));
    hcl_file_free(file);
    file = file_of("{\"a\": \"string\"}", HCL_PARSE_JSON);
    STATUS(HCL_ERR_TYPE, hcl_expr_type(hcl_attr_expr(hcl_body_attr_at(hcl_file_body(file), 0)), &type, NULL));
    CHECK(type == NULL);
    hcl_file_free(file);
}

int main(void)
{
    formatting();
    syntaxes();
    types_with_defaults();
    return failures != 0;
}

/* core.c - a library without any feature still has the language; what it has not says so, and is in the header all the same. */
#include <hcl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
            exit(1); \
        } \
    } while (0)

/* Twice its argument: programs bring functions of their own. */
static int32_t twice(void *user, hcl_call *call)
{
    int64_t n = 0;
    (void)user;
    hcl_status status = hcl_call_arg_i64(call, 0, &n);
    return status == HCL_OK ? hcl_call_return_i64(call, 2 * n) : status;
}

static hcl_status evaluate(const char *source, hcl_frame *frame, int64_t *out)
{
    hcl_expr *expr = NULL;
    hcl_value *value = NULL;
    CHECK(hcl_expr_parse("core", HCL_NUL, source, HCL_NUL, NULL, 0, NULL, &expr, NULL) == HCL_OK);
    hcl_status status = hcl_expr_eval(expr, frame, &value, NULL);
    if (status == HCL_OK) status = hcl_value_as_i64(value, out);
    hcl_value_free(value);
    hcl_expr_free(expr);
    return status;
}

static void language(hcl_frame *frame)
{
    int64_t n = 0;
    CHECK(evaluate("sum([for x in [1, 2]: x])", frame, &n) == HCL_ERR_DIAGNOSTICS);
    CHECK(evaluate("twice([for x in [1, 20]: x + 1 if x > 2][0])", frame, &n) == HCL_OK && n == 42);

    hcl_buf *text = NULL;
    CHECK(hcl_format("core", HCL_NUL, "a=1", HCL_NUL, HCL_STYLE_HCL, NULL, &text, NULL) == HCL_OK);
    CHECK(strcmp(hcl_buf_str(text).ptr, "a = 1") == 0);
    hcl_buf_free(text);
}

static void unsupported(hcl_frame *frame, const hcl_file *file, const hcl_file *json)
{
    hcl_buf *text = NULL;
    hcl_host *host = NULL;
    hcl_expr *expr = NULL;
    CHECK(hcl_code_explain("lex.semicolon", HCL_NUL, &text) == HCL_ERR_UNSUPPORTED);
    CHECK(hcl_expr_parse("core", HCL_NUL, "1", HCL_NUL, NULL, 0, NULL, &expr, NULL) == HCL_OK);
    CHECK(hcl_expr_explain(expr, frame, NULL, &text, NULL) == HCL_ERR_UNSUPPORTED);
    CHECK(hcl_file_to_json(file, NULL, &text, NULL) == HCL_ERR_UNSUPPORTED);
    CHECK(hcl_file_to_native(json, NULL, &text, NULL) == HCL_ERR_UNSUPPORTED);
    CHECK(hcl_host_system(NULL, &host, NULL) == HCL_ERR_UNSUPPORTED);
    hcl_body *body = NULL;
    hcl_spec *spec = NULL;
    hcl_definitions *definitions = NULL;
    hcl_scope *open = NULL;
    CHECK(hcl_spec_parse("core", HCL_NUL, "object {}\n", HCL_NUL, NULL, &spec, NULL) == HCL_ERR_UNSUPPORTED);
    CHECK(hcl_definitions_new("local", HCL_NUL, &definitions) == HCL_ERR_UNSUPPORTED);
    CHECK(hcl_scope_new(NULL, &open) == HCL_OK);
    CHECK(hcl_scope_user_functions(open, hcl_file_body(file), "function", HCL_NUL, 0, NULL, NULL, NULL) == HCL_ERR_UNSUPPORTED);
    CHECK(hcl_body_expand_dynamic(hcl_file_body(file), NULL, NULL, &body) == HCL_ERR_UNSUPPORTED);
    hcl_document *document = NULL;
    CHECK(hcl_document_new("core", HCL_NUL, &document, NULL) == HCL_ERR_UNSUPPORTED);
    CHECK(hcl_document_parse("core", HCL_NUL, "a = 1", HCL_NUL, NULL, &document, NULL) == HCL_ERR_UNSUPPORTED);
    CHECK(document == NULL);
    CHECK(text == NULL && host == NULL && body == NULL && spec == NULL && definitions == NULL);
    hcl_scope_free(open);
    hcl_spec_free(spec);
    hcl_definitions_free(definitions);
    hcl_expr_free(expr);
}

int main(void)
{
    hcl_scope *scope = NULL;
    hcl_frame *frame = NULL;
    hcl_file *file = NULL, *json = NULL;
    hcl_param number = {.name = {"n", 1}, .type_text = {"number", 6}};
    hcl_function function = {.size = sizeof function, .name = {"twice", 5}, .params = &number, .n_params = 1,
                             .result_type = {"number", 6}, .call = twice};
    hcl_parse_opts as_json = {.size = sizeof as_json, .flags = HCL_PARSE_JSON};
    CHECK(hcl_scope_new(NULL, &scope) == HCL_OK);
    CHECK(hcl_scope_builtins(scope, HCL_BUILTINS_TERRAFORM) == HCL_OK);
    CHECK(hcl_scope_function(scope, &function) == HCL_OK);
    CHECK(hcl_scope_seal(scope) == HCL_OK);
    CHECK(hcl_frame_new(scope, &frame) == HCL_OK);
    CHECK(hcl_file_parse("core.hcl", HCL_NUL, "a = 1 + 2\n", HCL_NUL, NULL, &file, NULL) == HCL_OK);
    CHECK(hcl_file_parse("core.json", HCL_NUL, "{\"a\": 1}", HCL_NUL, &as_json, &json, NULL) == HCL_OK);
    language(frame);
    unsupported(frame, file, json);
    hcl_file_free(json);
    hcl_file_free(file);
    hcl_frame_free(frame);
    hcl_scope_free(scope);
    puts("the language is whole");
    return 0;
}

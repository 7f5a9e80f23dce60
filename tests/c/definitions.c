/* What configurations define themselves: functions, and values that refer to each other. */
#include "check.h"

static hcl_file *file_of(const char *source)
{
    hcl_file *file = NULL;
    STATUS(HCL_OK, hcl_file_parse("main.hcl", HCL_NUL, source, HCL_NUL, NULL, &file, NULL));
    return file;
}

static hcl_definitions *definitions_of(const hcl_body *body, const char *root)
{
    hcl_definitions *definitions = NULL;
    STATUS(HCL_OK, hcl_definitions_new(root, HCL_NUL, &definitions));
    for (size_t i = 0; i < hcl_body_attr_count(body); i++)
        STATUS(HCL_OK, hcl_definitions_add(definitions, hcl_body_attr_at(body, i)));
    return definitions;
}

static void functions(void)
{
    hcl_file *file = file_of(
        "function \"double\" {\n  params = [x]\n  result = x * factor\n}\n"
        "function \"quadruple\" {\n  params = [n]\n  result = double(double(n))\n}\n"
        "port = 80\n");
    hcl_scope *base = NULL, *scope = NULL;
    hcl_body *rest = NULL;
    hcl_value *two = NULL;
    char text[64];

    STATUS(HCL_OK, hcl_value_i64(2, &two));
    STATUS(HCL_OK, hcl_scope_new(NULL, &base));
    STATUS(HCL_OK, hcl_scope_const(base, "factor", HCL_NUL, two));
    hcl_value_free(two);
    STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
    STATUS(HCL_ERR_ARGUMENT, hcl_scope_user_functions(scope, hcl_file_body(file), "function", HCL_NUL, 0, base, NULL, NULL));
    STATUS(HCL_OK, hcl_scope_seal(base));
    STATUS(HCL_ERR_ARGUMENT, hcl_scope_user_functions(scope, hcl_file_body(file), "function", HCL_NUL, 2, base, NULL, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_scope_user_functions(NULL, hcl_file_body(file), "function", HCL_NUL, 0, base, NULL, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_scope_user_functions(scope, NULL, "function", HCL_NUL, 0, base, NULL, NULL));
    STATUS(HCL_OK, hcl_scope_user_functions(scope, hcl_file_body(file), "function", HCL_NUL, HCL_USER_FUNCTIONS_CALLER, base, &rest, NULL));
    hcl_file_free(file);
    CHECK(hcl_body_block_count(rest) == 0 && hcl_body_attr_count(rest) == 1);
    hcl_body_free(rest);
    STATUS(HCL_OK, hcl_scope_seal(scope));
    CHECK(strcmp(console(scope, "double(21)", text, sizeof text), "42") == 0);
    CHECK(strcmp(console(scope, "quadruple(5)", text, sizeof text), "20") == 0);

    /* One wrong definition, and none is added. */
    hcl_scope *open = NULL;
    hcl_diags *diags = NULL;
    file = file_of("function \"good\" {\n  params = []\n  result = 1\n}\nfunction \"bad\" {\n  params = 1\n  result = 1\n}\n");
    rest = NULL;
    STATUS(HCL_OK, hcl_scope_new(NULL, &open));
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_scope_user_functions(open, hcl_file_body(file), "function", HCL_NUL, 0, NULL, &rest, &diags));
    CHECK(rest == NULL && hcl_diags_count(diags) == 1);
    hcl_diags_free(diags);
    STATUS(HCL_OK, hcl_scope_seal(open));
    hcl_expr *call = NULL;
    hcl_program *program = NULL;
    STATUS(HCL_OK, hcl_expr_parse("call", 4, "good()", HCL_NUL, NULL, 0, NULL, &call, NULL));
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_program_compile(call, open, 0, &program, NULL));
    hcl_expr_free(call);
    STATUS(HCL_ERR_ARGUMENT, hcl_scope_user_functions(open, hcl_file_body(file), "none", HCL_NUL, 0, NULL, NULL, NULL));
    hcl_scope_free(open);
    hcl_file_free(file);
    hcl_scope_free(scope);
    hcl_scope_free(base);
}

static void order(void)
{
    hcl_file *file = file_of("url = \"http://${local.host}:${port}\"\nhost = \"${local.name}.x\"\nname = \"www\"\n");
    hcl_definitions *definitions = definitions_of(hcl_file_body(file), "local");
    hcl_value *names = NULL, *values = NULL;
    hcl_scope *scope = NULL;
    hcl_frame *frame = NULL;
    hcl_str text;
    size_t slot = 0;

    hcl_file_free(file);
    STATUS(HCL_OK, hcl_definitions_order(definitions, &names, NULL));
    STATUS(HCL_OK, hcl_value_as_str(hcl_value_at(names, 0), &text));
    CHECK(str_is(text, "name"));
    STATUS(HCL_OK, hcl_value_as_str(hcl_value_at(names, 2), &text));
    CHECK(str_is(text, "url") && hcl_value_at(names, 3) == NULL);
    hcl_value_free(names);
    STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
    STATUS(HCL_OK, hcl_scope_slot(scope, "port", HCL_NUL, &slot));
    STATUS(HCL_OK, hcl_scope_seal(scope));
    STATUS(HCL_OK, hcl_frame_new(scope, &frame));
    STATUS(HCL_OK, hcl_frame_set_i64(frame, slot, 80));
    STATUS(HCL_OK, hcl_definitions_eval(definitions, frame, &values, NULL));
    STATUS(HCL_OK, hcl_value_as_str(hcl_value_get(values, "url", HCL_NUL), &text));
    CHECK(str_is(text, "http://www.x:80"));
    hcl_value_free(values);
    values = NULL;
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_definitions_eval(definitions, NULL, &values, NULL));
    CHECK(values == NULL);
    hcl_limits limit = {0};
    limit.size = sizeof limit;
    limit.max_output_bytes = 10;
    STATUS(HCL_OK, hcl_frame_set_limits(frame, &limit));
    STATUS(HCL_ERR_LIMIT, hcl_definitions_eval(definitions, frame, &values, NULL));
    hcl_definitions_free(definitions);
    hcl_frame_free(frame);
    hcl_scope_free(scope);
}

static void circles(void)
{
    hcl_file *file = file_of("a = b\nb = c\nc = a\nd = 1\n");
    hcl_definitions *definitions = definitions_of(hcl_file_body(file), "");
    hcl_value *names = NULL;
    hcl_diags *diags = NULL;
    hcl_diag diag = {0};

    STATUS(HCL_ERR_DIAGNOSTICS, hcl_definitions_order(definitions, &names, &diags));
    diag.size = sizeof diag;
    STATUS(HCL_OK, hcl_diags_get(diags, 0, &diag));
    CHECK(names == NULL && hcl_diags_count(diags) == 1 && str_is(diag.code, "order.cycle"));
    hcl_diags_free(diags);
    STATUS(HCL_OK, hcl_definitions_add(definitions, hcl_body_attr_at(hcl_file_body(file), 3)));
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_definitions_order(definitions, &names, &diags));
    CHECK(hcl_diags_count(diags) == 2);
    hcl_diags_free(diags);
    hcl_definitions_free(definitions);
    hcl_file_free(file);
}

int main(void)
{
    functions();
    order();
    circles();
    return failures != 0;
}

/* eval.c - the first five minutes: evaluate an expression with a variable.
 *
 *   cc eval.c $(pkg-config --cflags --libs hcl) && ./a.out '"Hello, ${upper(name)}!"'
 */
#include <hcl.h>

#include <stdio.h>

int main(int argc, char **argv)
{
    const char *source = argc > 1 ? argv[1] : "\"Hello, ${upper(name)}!\"";
    hcl_expr *expr = NULL;
    hcl_scope *scope = NULL;
    hcl_frame *frame = NULL;
    hcl_value *name = NULL, *result = NULL;
    hcl_diags *diags = NULL;
    hcl_buf *text = NULL;

    /* What names mean: Terraform's functions, and one variable. */
    hcl_status status = hcl_value_string("world", HCL_NUL, &name);
    if (status == HCL_OK) status = hcl_scope_new(NULL, &scope);
    if (status == HCL_OK) status = hcl_scope_builtins(scope, HCL_BUILTINS_TERRAFORM);
    if (status == HCL_OK) status = hcl_scope_const(scope, "name", HCL_NUL, name);
    if (status == HCL_OK) status = hcl_scope_seal(scope);
    if (status == HCL_OK) status = hcl_frame_new(scope, &frame);

    /* Parse and evaluate; what goes wrong is in `diags`. */
    if (status == HCL_OK)
        status = hcl_expr_parse("argument", HCL_NUL, source, HCL_NUL, NULL, 0, NULL, &expr, &diags);
    if (status == HCL_OK) {
        hcl_diags_free(diags); /* there may be warnings */
        status = hcl_expr_eval(expr, frame, &result, &diags);
    }
    if (status == HCL_OK) {
        hcl_diags_free(diags);
        status = hcl_value_encode(result, HCL_FORMAT_CONSOLE, 0, NULL, &text, &diags);
    }

    if (status == HCL_OK)
        puts(hcl_buf_str(text).ptr);
    else if (hcl_diags_render(diags, NULL, &text) == HCL_OK)
        fputs(hcl_buf_str(text).ptr, stderr);

    hcl_buf_free(text);
    hcl_diags_free(diags);
    hcl_value_free(result);
    hcl_value_free(name);
    hcl_expr_free(expr);
    hcl_frame_free(frame);
    hcl_scope_free(scope);
    return status == HCL_OK ? 0 : 1;
}

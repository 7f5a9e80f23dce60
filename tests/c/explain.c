/* How a result came about: text, JSON, failures, bounds, what is refused. */
#include "check.h"

static hcl_expr *parsed(const char *source)
{
    hcl_expr *expr = NULL;
    STATUS(HCL_OK, hcl_expr_parse("test", HCL_NUL, source, HCL_NUL, NULL, 0, NULL, &expr, NULL));
    return expr;
}

/* The steps of a long expression nest as deep as they may; stack/run gives that 64 KiB. */
static void nested(hcl_frame *frame)
{
    static char text[2001];
    const uint32_t flags[] = {0, HCL_EXPLAIN_JSON};
    hcl_explain_opts opts = {.size = sizeof opts, .max_depth = 500};
    hcl_buf *told = NULL;

    for (size_t i = 0; i + 2 < sizeof text; i += 2) memcpy(text + i, "n+", 2);
    text[sizeof text - 3] = 'n';
    text[sizeof text - 2] = 0;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        opts.flags = flags[i];
        hcl_expr *expr = parsed(text);
        STATUS(HCL_OK, hcl_expr_explain(expr, frame, &opts, &told, NULL));
        CHECK(hcl_buf_str(told).len > 10000);
        hcl_buf_free(told);
        hcl_expr_free(expr);
    }
}

int main(void)
{
    hcl_scope *scope = NULL;
    hcl_frame *frame = NULL;
    hcl_buf *text = NULL;
    hcl_diags *diags = NULL;
    hcl_explain_opts opts = {0};
    hcl_expr *expr;
    size_t slot;

    STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
    STATUS(HCL_OK, hcl_scope_builtins(scope, HCL_BUILTINS_TERRAFORM));
    STATUS(HCL_OK, hcl_scope_slot(scope, "n", HCL_NUL, &slot));
    STATUS(HCL_OK, hcl_scope_seal(scope));
    STATUS(HCL_OK, hcl_frame_new(scope, &frame));
    STATUS(HCL_OK, hcl_frame_set_i64(frame, slot, 3));

    expr = parsed("n > 2 ? upper(\"many\") : \"few\"");
    STATUS(HCL_OK, hcl_expr_explain(expr, frame, NULL, &text, &diags));
    CHECK(diags == NULL);
    CHECK(str_is(hcl_buf_str(text),
                 "n > 2 ? upper(\"many\") : \"few\" = \"MANY\"\n"
                 "├─ condition n > 2 = true\n"
                 "│  └─ n = 3\n"
                 "├─ upper(\"many\") = \"MANY\", chosen, because the condition is true\n"
                 "└─ \"few\" is not chosen\n"));
    hcl_buf_free(text);

    opts.size = sizeof opts;
    opts.flags = HCL_EXPLAIN_JSON;
    STATUS(HCL_OK, hcl_expr_explain(expr, frame, &opts, &text, NULL));
    CHECK(strncmp(hcl_buf_str(text).ptr, "{\"root\":{\"role\":\"whole\",", 24) == 0);
    CHECK(strstr(hcl_buf_str(text).ptr, "\"functions\":[\"upper\"]") != NULL);
    hcl_buf_free(text);

    opts.flags = HCL_EXPLAIN_COLOR;
    opts.max_steps = 1;
    STATUS(HCL_OK, hcl_expr_explain(expr, frame, &opts, &text, NULL));
    CHECK(strstr(hcl_buf_str(text).ptr, "further steps are not shown") != NULL);
    CHECK(strchr(hcl_buf_str(text).ptr, '\033') != NULL);
    hcl_buf_free(text);

    opts.flags = 64;
    text = NULL;
    STATUS(HCL_ERR_ARGUMENT, hcl_expr_explain(expr, frame, &opts, &text, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_expr_explain(NULL, frame, NULL, &text, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_expr_explain(expr, NULL, NULL, &text, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_expr_explain(expr, frame, NULL, NULL, NULL));
    CHECK(text == NULL);
    hcl_expr_free(expr);

    expr = parsed("n + nope");
    STATUS(HCL_OK, hcl_expr_explain(expr, frame, NULL, &text, &diags));
    CHECK(hcl_diags_has_errors(diags));
    CHECK(strstr(hcl_buf_str(text).ptr, "nope failed: Unknown variable") != NULL);
    hcl_buf_free(text);
    hcl_diags_free(diags);
    hcl_expr_free(expr);

    nested(frame);
    hcl_frame_free(frame);
    hcl_scope_free(scope);
    return failures != 0;
}

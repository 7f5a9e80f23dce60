/* Everything in one call: a text goes in, JSON comes out. */
#include "check.h"

static hcl_once_opts none(void)
{
    hcl_once_opts opts;
    memset(&opts, 0, sizeof opts);
    opts.size = sizeof opts;
    return opts;
}

/* The JSON of an expression, or the name of the status with the first diagnostic: "STATUS CODE FILE". */
static const char *evaluated(const char *source, const char *vars, const hcl_once_opts *opts)
{
    static char text[256];
    hcl_buf *out = NULL;
    hcl_diags *diags = NULL;
    hcl_status status = hcl_evaluate(source, HCL_NUL, vars, vars == NULL ? 0 : HCL_NUL, opts, &out, &diags);

    CHECK((status == HCL_OK) == (out != NULL));
    CHECK((status == HCL_OK) == (diags == NULL));
    if (status == HCL_OK) {
        snprintf(text, sizeof text, "%s", hcl_buf_str(out).ptr);
    } else {
        hcl_str name = hcl_status_name((int32_t)status);
        hcl_diag diag;
        memset(&diag, 0, sizeof diag);
        diag.size = sizeof diag;
        STATUS(HCL_OK, hcl_diags_get(diags, 0, &diag));
        snprintf(text, sizeof text, "%.*s %.*s %.*s", (int)name.len, name.ptr, (int)diag.code.len, diag.code.ptr,
                 (int)diag.filename.len, diag.filename.ptr);
    }
    hcl_buf_free(out);
    hcl_diags_free(diags);
    return text;
}

#define GIVES(expected, call) same(__LINE__, expected, call)

static void same(int line, const char *expected, const char *found)
{
    if (strcmp(expected, found) == 0) return;
    failures++;
    fprintf(stderr, "line %d: %s, not %s\n", line, found, expected);
}

/* Wrong variables, whatever is wrong with them, are told with their place. */
static void wrong_variables(void)
{
    static const struct {
        const char *vars, *code;
        uint64_t line, column;
        const char *detail;
    } cases[] = {
        {"{", "value.json.syntax", 1, 2, "the text ends"},
        {"{\n  \"a\": 1,\n  \"\xc3\xa4\": \xc3\xb6\n}", "value.json.syntax", 3, 8, "can't stand here"},
        {"\xef\xbb\xbf{}", "value.json.syntax", 1, 1, "begins with a byte order mark"},
        {"{}\n{}", "value.json.syntax", 2, 1, "extraneous"},
        {"\n [1]", "value.json.mismatch", 2, 2, "An object is required"},
        {"null", "value.json.mismatch", 1, 1, "An object is required"},
        {" ", "value.json.syntax", 1, 2, "the text ends"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hcl_buf *out = NULL;
        hcl_diags *diags = NULL;
        hcl_diag diag;
        memset(&diag, 0, sizeof diag);
        diag.size = sizeof diag;
        STATUS(HCL_ERR_DIAGNOSTICS, hcl_evaluate("1", HCL_NUL, cases[i].vars, HCL_NUL, NULL, &out, &diags));
        CHECK(strncmp(hcl_status_detail().ptr, "In vars_json: ", 14) == 0);
        CHECK(out == NULL && hcl_diags_count(diags) == 1);
        STATUS(HCL_OK, hcl_diags_get(diags, 0, &diag));
        char detail[256];
        snprintf(detail, sizeof detail, "%.*s", (int)diag.detail.len, diag.detail.ptr);
        CHECK(str_is(diag.code, cases[i].code) && str_is(diag.filename, "vars_json"));
        CHECK(strstr(detail, cases[i].detail) != NULL);
        CHECK(diag.subject.start.line == cases[i].line && diag.subject.start.column == cases[i].column);
        hcl_diags_free(diags);
    }
    /* A text that is no text is a mistake of the program. */
    GIVES("HCL_ERR_ARGUMENT api.argument ", evaluated("1", "{\"\xff\": 1}", NULL));
}

static void test_evaluate(void)
{
    hcl_once_opts opts = none();
    hcl_limits limits;
    hcl_cancel *cancel = NULL;
    memset(&limits, 0, sizeof limits);
    limits.size = sizeof limits;

    GIVES("3", evaluated("1 + 2", NULL, NULL));
    GIVES("[\"A\",\"B\"]", evaluated("[for s in list : upper(s)]", "{\"list\": [\"a\", \"b\"]}", NULL));
    GIVES("{\"a\":1,\"b\":null}", evaluated("{a = x.y, b = z}", "{\"x\": {\"y\": 1}, \"z\": null}", NULL));
    GIVES("123456789012345678901234567890", evaluated("n", "{\"n\": 123456789012345678901234567890}", NULL));
    GIVES("\"\"", evaluated("\"\"", "{}", &opts));

    opts.flags = HCL_ONCE_TEMPLATE;
    GIVES("\"hello ann\\n\"", evaluated("hello ${name}\n", "{\"name\": \"ann\"}", &opts));

    /* The mistake is told, with its place in the text. */
    opts = none();
    opts.name = (hcl_str){"rule \xff", HCL_NUL};
    GIVES("HCL_ERR_DIAGNOSTICS parse.expression_missing input", evaluated("1 +", NULL, NULL));
    GIVES("HCL_ERR_DIAGNOSTICS eval.unknown_variable rule \xef\xbf\xbd", evaluated("missing", "{}", &opts));
    wrong_variables();

    /* Values without a form in JSON are refused as by hcl_value_encode. */
    GIVES("HCL_ERR_MARKED value.json.marked ", evaluated("sensitive(\"s\")", NULL, NULL));
    GIVES("HCL_ERR_DIAGNOSTICS eval.call.not_allowed input", evaluated("file(\"x\")", NULL, NULL));

    /* Functions are those of the dialect. */
    opts = none();
    opts.dialect = (hcl_str){"packer", HCL_NUL};
    GIVES("HCL_ERR_DIAGNOSTICS eval.unknown_function input", evaluated("cidrcontains(\"10.0.0.0/8\", \"10.0.0.1\")", NULL, &opts));
    opts.dialect = (hcl_str){"cobol", HCL_NUL};
    GIVES("HCL_ERR_ARGUMENT api.argument ", evaluated("1", NULL, &opts));
    CHECK(str_is(hcl_status_detail(), "opts->dialect is \"cobol\", which is no dialect."));

    /* Limits hold for parsing and for what is evaluated. */
    opts = none();
    opts.limits = &limits;
    limits.max_depth = 3;
    GIVES("HCL_ERR_LIMIT limit.depth input", evaluated("[[[[[1]]]]]", NULL, &opts));
    limits.max_depth = 0;
    limits.max_steps = 100;
    GIVES("HCL_ERR_LIMIT limit.steps input", evaluated("[for i in range(1000) : i]", NULL, &opts));
    limits.max_steps = 0;
    STATUS(HCL_OK, hcl_cancel_new(&cancel));
    hcl_cancel_trigger(cancel);
    limits.cancel = cancel;
    GIVES("HCL_ERR_CANCELLED limit.cancelled ", evaluated("1", NULL, &opts));
    hcl_cancel_free(cancel);
    limits.cancel = NULL;
    limits.reserved = 1;
    GIVES("HCL_ERR_ARGUMENT api.argument ", evaluated("1", NULL, &opts));
    CHECK(str_is(hcl_status_detail(), "opts->limits->reserved is not zero; it is reserved."));

    opts = none();
    opts.flags = HCL_ONCE_JSON;
    GIVES("HCL_ERR_ARGUMENT api.argument ", evaluated("1", NULL, &opts));
    CHECK(str_is(hcl_status_detail(), "opts->flags holds an unknown flag."));
}

static const char spec[] =
    "object {\n"
    "  attr \"port\" {\n    type     = number\n    required = true\n  }\n"
    "  block_map \"service\" {\n    labels = [\"name\"]\n    attr {\n      name = \"host\"\n      type = string\n    }\n  }\n"
    "}\n";

static const char *decoded(const char *source, const char *vars, const hcl_once_opts *opts, hcl_status expected)
{
    static char text[512];
    hcl_buf *out = NULL;
    hcl_diags *diags = NULL;

    STATUS(expected, hcl_decode_json(source, HCL_NUL, spec, HCL_NUL, vars, vars == NULL ? 0 : HCL_NUL, opts, &out, &diags));
    if (expected != HCL_OK) {
        CHECK(out == NULL);
        STATUS(HCL_OK, hcl_diags_render(diags, NULL, &out));
    }
    snprintf(text, sizeof text, "%s", hcl_buf_str(out).ptr);
    hcl_buf_free(out);
    hcl_diags_free(diags);
    return text;
}

static void test_decode(void)
{
    hcl_once_opts opts = none();
    hcl_buf *out = NULL;
    hcl_diags *diags = NULL;
    const char *json = "{\"port\": \"${base + 80}\", \"service\": {\"web\": {\"host\": \"h\"}}}";

    GIVES("{\"port\":8080,\"service\":{\"web\":\"h\"}}",
          decoded("port = base + 80\nservice \"web\" {\n  host = \"h\"\n}\n", "{\"base\": 8000}", NULL, HCL_OK));
    opts.flags = HCL_ONCE_JSON;
    GIVES("{\"port\":8080,\"service\":{\"web\":\"h\"}}", decoded(json, "{\"base\": 8000}", &opts, HCL_OK));
    CHECK(strstr(decoded("", NULL, NULL, HCL_ERR_DIAGNOSTICS), "Missing required argument") != NULL);
    CHECK(strstr(decoded("port = \n", NULL, NULL, HCL_ERR_DIAGNOSTICS), "at input:1:") != NULL);
    opts.flags = HCL_ONCE_TEMPLATE;
    CHECK(strstr(decoded("port = 1", NULL, &opts, HCL_ERR_ARGUMENT), "unknown flag") != NULL);

    /* A mistake in the specification is shown there. */
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_decode_json("a = 1", HCL_NUL, "object {\n  atr \"a\" {\n  }\n}\n", HCL_NUL, NULL, 0, NULL, &out, &diags));
    STATUS(HCL_OK, hcl_diags_render(diags, NULL, &out));
    CHECK(strstr(hcl_buf_str(out).ptr, "at specification:2:") != NULL);
    hcl_buf_free(out);
    hcl_diags_free(diags);
}

int main(void)
{
    test_evaluate();
    test_decode();
    return failures;
}

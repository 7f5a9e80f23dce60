/* The library's messages about texts of the host that are no UTF-8, and why a call failed. */
#include "check.h"

#include <pthread.h>

#define BAD "n\xff"
#define SHOWN "n\xef\xbf\xbd"

static hcl_str str(const char *text) { return (hcl_str){text, HCL_NUL}; }

/* True if the drawn diagnostics have the text; they are released. */
static void shows(int line, hcl_diags *diags, const char *text)
{
    hcl_buf *drawn = NULL;
    STATUS(HCL_OK, hcl_diags_render(diags, NULL, &drawn));
    if (strstr(hcl_buf_str(drawn).ptr, text) == NULL) {
        failures++;
        fprintf(stderr, "line %d: no %s in\n%s", line, text, hcl_buf_str(drawn).ptr);
    }
    hcl_buf_free(drawn);
    hcl_diags_free(diags);
}

#define SHOWS(diags, text) shows(__LINE__, diags, text)

/* Names of files and of texts. */
static void test_names(void)
{
    hcl_diags *diags = NULL;
    hcl_file *file = NULL;
    hcl_expr *expr = NULL;
    hcl_schema *schema = NULL;
    hcl_spec *spec = NULL;
    hcl_traversals *list = NULL;
    hcl_document *document = NULL;
    hcl_buf *text = NULL;
    bool canonical;

    STATUS(HCL_ERR_DIAGNOSTICS, hcl_file_parse(BAD, HCL_NUL, "a =", HCL_NUL, NULL, &file, &diags));
    SHOWS(diags, "at " SHOWN ":1:");
    STATUS(HCL_OK, hcl_file_parse(BAD, HCL_NUL, "", 0, NULL, &file, NULL));
    CHECK(str_is(hcl_file_name(file), SHOWN));
    hcl_file_free(file);
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_expr_parse(BAD, HCL_NUL, "1 +", HCL_NUL, NULL, 0, NULL, &expr, &diags));
    SHOWS(diags, "at " SHOWN ":1:");
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_schema_parse(BAD, HCL_NUL, "a =", HCL_NUL, NULL, &schema, &diags));
    SHOWS(diags, "at " SHOWN ":1:");
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_spec_parse(BAD, HCL_NUL, "a =", HCL_NUL, NULL, &spec, &diags));
    SHOWS(diags, "at " SHOWN ":1:");
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_traversal_parse(BAD, HCL_NUL, "a.", HCL_NUL, NULL, 0, NULL, &list, &diags));
    SHOWS(diags, "at " SHOWN ":1:");
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_format(BAD, HCL_NUL, "a =", HCL_NUL, HCL_STYLE_TERRAFORM, NULL, &text, &diags));
    SHOWS(diags, "at " SHOWN ":1:");
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_format_check(BAD, HCL_NUL, "a =", HCL_NUL, HCL_STYLE_TERRAFORM, NULL, &canonical, &diags));
    SHOWS(diags, "at " SHOWN ":1:");
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_document_parse(BAD, HCL_NUL, "a =", HCL_NUL, NULL, &document, &diags));
    SHOWS(diags, "at " SHOWN ":1:");
    STATUS(HCL_OK, hcl_document_new(BAD, HCL_NUL, &document, NULL));
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_document_append(document, NULL, 0, "a =", HCL_NUL, &diags));
    hcl_diags_free(diags);
    hcl_document_free(document);
}

static int32_t fail(void *user, hcl_call *call)
{
    (void)user;
    STATUS(HCL_OK, hcl_call_fail(call, 0, "no " BAD, HCL_NUL));
    return 1;
}

static int n_dropped;

static void count_drop(void *user) { (void)user, n_dropped++; }

static int32_t fail_answer(void *user, hcl_str what, uint64_t most, hcl_answer *answer)
{
    (void)user, (void)what, (void)most;
    STATUS(HCL_OK, hcl_answer_fail(answer, "no " BAD, HCL_NUL));
    return 1;
}

static void evaluate(hcl_frame *frame, const hcl_scope *scope, const char *source, const char *text)
{
    hcl_program *program = compile_in(scope, source);
    hcl_value *value = NULL;
    hcl_diags *diags = NULL;
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_eval(program, frame, &value, &diags));
    SHOWS(diags, text);
    hcl_program_free(program);
}

/* Messages of functions and hosts, and the names of parameters and capsules in what the library says of them. */
static void test_messages(void)
{
    hcl_param param;
    hcl_function function;
    hcl_host_callbacks callbacks;
    hcl_scope *scope = NULL;
    hcl_frame *frame = NULL;
    hcl_host *host = NULL;
    hcl_type *type = NULL;
    hcl_value *capsule = NULL;
    int object = 0;

    memset(&param, 0, sizeof param);
    param.name = str("p" BAD);
    param.type_text = str("number");
    memset(&function, 0, sizeof function);
    function.size = sizeof function;
    function.name = str("f");
    function.description = str(BAD);
    function.params = &param;
    function.n_params = 1;
    function.call = fail;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.size = sizeof callbacks;
    callbacks.environment_variable = fail_answer;
    STATUS(HCL_OK, hcl_type_capsule("c" BAD, HCL_NUL, &type));
    STATUS(HCL_OK, hcl_value_capsule(type, &object, NULL, &capsule));
    STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
    STATUS(HCL_OK, hcl_scope_builtins(scope, HCL_BUILTINS_PACKER_DEFAULTS));
    STATUS(HCL_OK, hcl_scope_function(scope, &function));
    STATUS(HCL_OK, hcl_scope_const(scope, "object", HCL_NUL, capsule));
    STATUS(HCL_OK, hcl_scope_seal(scope));
    STATUS(HCL_OK, hcl_frame_new(scope, &frame));
    STATUS(HCL_OK, hcl_host_new(&callbacks, &host));
    STATUS(HCL_OK, hcl_frame_set_host(frame, host));
    evaluate(frame, scope, "f(1)", "\"p" SHOWN "\"");
    evaluate(frame, scope, "f(1)", "no " SHOWN);
    evaluate(frame, scope, "f(\"x\")", "\"p" SHOWN "\"");
    evaluate(frame, scope, "env(\"X\")", "no " SHOWN);
    evaluate(frame, scope, "object + 1", "number");
    hcl_scope_free(scope);

    /* The name that a function is called by must be one. */
    function.name = str(BAD);
    STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
    STATUS(HCL_ERR_ARGUMENT, hcl_scope_function(scope, &function));
    CHECK(str_is(hcl_status_detail(), "function->name is not UTF-8: byte 1 is out of place."));
    STATUS(HCL_ERR_ARGUMENT, hcl_scope_const(scope, BAD, HCL_NUL, capsule));
    CHECK(str_is(hcl_status_detail(), "name is not UTF-8: byte 1 is out of place."));
    function.name = str("f");
    param.reserved = 1;
    STATUS(HCL_ERR_ARGUMENT, hcl_scope_function(scope, &function));
    CHECK(str_is(hcl_status_detail(), "function->params[0].reserved is not zero; it is reserved."));
    param.reserved = 0;
    param.flags = 1u << 30;
    STATUS(HCL_ERR_ARGUMENT, hcl_scope_function(scope, &function));
    CHECK(str_is(hcl_status_detail(), "function->params[0].flags holds an unknown flag."));

    /* An object owned from a call on is released also when the struct is refused. */
    hcl_resolver resolver;
    hcl_host *none = NULL;
    memset(&resolver, 0, sizeof resolver);
    resolver.size = sizeof resolver;
    resolver.reserved = function.reserved = callbacks.reserved = 1;
    resolver.drop_user = function.drop_user = callbacks.drop_user = count_drop;
    STATUS(HCL_ERR_ARGUMENT, hcl_scope_function(scope, &function));
    STATUS(HCL_ERR_ARGUMENT, hcl_frame_set_resolver(frame, &resolver));
    STATUS(HCL_ERR_ARGUMENT, hcl_host_new(&callbacks, &none));
    CHECK(n_dropped == 3);

    hcl_scope_free(scope);
    hcl_host_free(host);
    hcl_frame_free(frame);
    hcl_value_free(capsule);
    hcl_type_free(type);
}

/* All texts of a diagnostic of the host. */
static void test_diagnostics(void)
{
    hcl_diag diag;
    hcl_diags *diags = NULL;
    hcl_buf *text = NULL;
    hcl_str key, value;

    memset(&diag, 0, sizeof diag);
    diag.size = sizeof diag;
    diag.severity = HCL_SEVERITY_ERROR;
    diag.code = str("code" BAD);
    diag.summary = str("summary" BAD);
    diag.detail = str("detail" BAD);
    diag.filename = str("file" BAD);
    diag.subject.start.line = diag.subject.end.line = 1;
    STATUS(HCL_OK, hcl_diags_add(&diags, &diag, NULL, NULL));
    STATUS(HCL_OK, hcl_diags_note(diags, "key" BAD, HCL_NUL, "value" BAD, HCL_NUL));
    STATUS(HCL_OK, hcl_diags_extra(diags, 0, 0, &key, &value));
    CHECK(str_is(key, "key" SHOWN) && str_is(value, "value" SHOWN));
    STATUS(HCL_OK, hcl_diags_get(diags, 0, &diag));
    CHECK(str_is(diag.code, "code" SHOWN) && str_is(diag.summary, "summary" SHOWN) && str_is(diag.detail, "detail" SHOWN));
    CHECK(str_is(diag.filename, "file" SHOWN));
    STATUS(HCL_OK, hcl_diags_sarif(diags, "tool" BAD, HCL_NUL, "1" BAD, HCL_NUL, NULL, &text));
    CHECK(strstr(hcl_buf_str(text).ptr, "tool" SHOWN) != NULL);
    hcl_buf_free(text);
    SHOWS(diags, "summary" SHOWN);
}

static void *other_thread(void *unused)
{
    (void)unused;
    CHECK(hcl_status_detail().len == 0);
    STATUS(HCL_ERR_ARGUMENT, hcl_file_ref(NULL, NULL));
    CHECK(str_is(hcl_status_detail(), "out is a null pointer."));
    return NULL;
}

/* The text of the last failure: of each thread its own, kept by calls that succeed. */
static void test_detail(void)
{
    hcl_value *value = NULL;
    hcl_type *type = NULL;
    pthread_t thread;
    int64_t number;
    char name[1000];

    STATUS(HCL_ERR_ARGUMENT, hcl_value_as_i64(NULL, &number));
    CHECK(str_is(hcl_status_detail(), "value is a null pointer."));
    STATUS(HCL_OK, hcl_value_string("x", 1, &value));
    CHECK(hcl_status_detail().len == strlen("value is a null pointer."));
    CHECK(pthread_create(&thread, NULL, other_thread, NULL) == 0);
    pthread_join(thread, NULL);
    CHECK(str_is(hcl_status_detail(), "value is a null pointer."));
    STATUS(HCL_ERR_TYPE, hcl_value_as_i64(value, &number));
    CHECK(hcl_status_detail().len > 0 && !str_is(hcl_status_detail(), "value is a null pointer."));

    /* With diagnostics it is the detail of the first error; of a long one the beginning, by whole characters. */
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_type_parse("strin", HCL_NUL, &type, NULL));
    CHECK(hcl_status_detail().len > 10);
    for (size_t i = 0; i + 2 < sizeof name; i += 2) memcpy(name + i, "\xc3\xa9", 2);
    name[998] = '\0';
    hcl_module_loader *loader = NULL;
    STATUS(HCL_ERR_ARGUMENT, hcl_module_loader_new(name, HCL_NUL, &loader, NULL));
    hcl_str cut = hcl_status_detail();
    CHECK(cut.len > 200 && cut.len <= 240 && strncmp(cut.ptr, "dialect is \"\xc3\xa9", 14) == 0 && (unsigned char)cut.ptr[cut.len - 1] == 0xa9);
    hcl_value_free(value);
}

int main(void)
{
    test_names();
    test_messages();
    test_diagnostics();
    test_detail();
    return failures;
}

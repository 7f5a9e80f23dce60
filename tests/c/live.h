/* live.h - one live object of every kind, made anew for each call of the program that arguments.awk writes. */
#ifndef LIVE_H
#define LIVE_H

#include "check.h"

/* The arguments of calls. Scopes that are passed as `const` are sealed, the others open. */
static struct {
    hcl_attr *attr;
    hcl_block *block;
    hcl_body *body;
    hcl_buf *buf;
    hcl_builder *builder;
    hcl_cancel *cancel;
    hcl_definitions *definitions;
    hcl_diags *diags;
    hcl_document *document;
    hcl_expr *expr;
    hcl_file *file;
    hcl_frame *frame;
    hcl_functions *functions;
    hcl_host *host;
    hcl_marks *marks;
    hcl_module *module;
    hcl_module_loader *module_loader;
    hcl_program *program;
    hcl_schema *schema;
    hcl_scope *scope;
    hcl_scope *open_scope;
    hcl_spec *spec;
    hcl_static *static_;
    hcl_traversals *traversals;
    hcl_type *type;
    hcl_type *capsule_type;
    hcl_value *value;
    hcl_call *call;
    hcl_answer *answer;
} live;

static int32_t do_nothing(void *user, hcl_call *call) { return (void)user, (int32_t)hcl_call_return_bool(call, true); }

static int32_t look_up_nothing(void *user, size_t slot, hcl_str name, hcl_call *call)
{
    return (void)user, (void)slot, (void)name, (void)call, HCL_ERR_NOT_FOUND;
}

/* A table without columns and rows, which owns nothing. */
static void release_table_array(struct ArrowArray *array) { array->release = NULL; }
static void release_table_schema(struct ArrowSchema *schema) { schema->release = NULL; }
static const void *table_buffers[1];
static struct ArrowArray table_array = {.n_buffers = 1, .buffers = table_buffers, .release = release_table_array};
static struct ArrowSchema table_schema = {.format = "+s", .name = "", .release = release_table_schema};

static void make_live(void)
{
    static const char text[] = "a = keyword\nb \"l\" {\n}\n";
    size_t slot;
    hcl_value *plain = NULL, *marked = NULL;

    STATUS(HCL_OK, hcl_file_parse("live", HCL_NUL, text, HCL_NUL, NULL, &live.file, NULL));
    STATUS(HCL_OK, hcl_body_ref(hcl_file_body(live.file), &live.body));
    live.attr = (hcl_attr *)(uintptr_t)hcl_body_attr_at(live.body, 0);
    live.block = (hcl_block *)(uintptr_t)hcl_body_block_at(live.body, 0);
    STATUS(HCL_OK, hcl_expr_parse("live", HCL_NUL, "keyword", HCL_NUL, NULL, 0, NULL, &live.expr, NULL));
    STATUS(HCL_OK, hcl_builder_new(&live.builder));
    STATUS(HCL_OK, hcl_cancel_new(&live.cancel));
    STATUS(HCL_OK, hcl_definitions_new("local", HCL_NUL, &live.definitions));
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_type_parse("strin", HCL_NUL, &live.type, &live.diags));
    STATUS(HCL_OK, hcl_type_parse("list(string)", HCL_NUL, &live.type, NULL));
    STATUS(HCL_OK, hcl_type_capsule("live", HCL_NUL, &live.capsule_type));
    STATUS(HCL_OK, hcl_document_parse("live", HCL_NUL, text, HCL_NUL, NULL, &live.document, NULL));
    STATUS(HCL_OK, hcl_scope_new(NULL, &live.scope));
    STATUS(HCL_OK, hcl_scope_slot(live.scope, "keyword", HCL_NUL, &slot));
    STATUS(HCL_OK, hcl_scope_seal(live.scope));
    STATUS(HCL_OK, hcl_scope_new(NULL, &live.open_scope));
    STATUS(HCL_OK, hcl_frame_new(live.scope, &live.frame));
    STATUS(HCL_OK, hcl_frame_set_bool(live.frame, slot, true));
    STATUS(HCL_OK, hcl_program_compile(live.expr, live.scope, 0, &live.program, NULL));
    STATUS(HCL_OK, hcl_functions_of(HCL_BUILTINS_HCL, &live.functions));
    STATUS(HCL_OK, hcl_host_system(NULL, &live.host, NULL));
    STATUS(HCL_OK, hcl_module_loader_new("nomad", HCL_NUL, &live.module_loader, NULL));
    STATUS(HCL_OK, hcl_module_loader_folder(live.module_loader, "a.nomad.hcl", HCL_NUL));
    STATUS(HCL_OK, hcl_module_loader_text(live.module_loader, "a.nomad.hcl", HCL_NUL, "job \"a\" {\n}\n", HCL_NUL));
    STATUS(HCL_OK, hcl_module_load(live.module_loader, NULL, &live.module, NULL));
    STATUS(HCL_OK, hcl_schema_parse("live", HCL_NUL, "a = optional\n", HCL_NUL, NULL, &live.schema, NULL));
    STATUS(HCL_OK, hcl_spec_parse("live", HCL_NUL, "literal {\n  value = 1\n}\n", HCL_NUL, NULL, &live.spec, NULL));
    STATUS(HCL_OK, hcl_expr_static(live.expr, HCL_STATIC_KEYWORD, &live.static_));
    STATUS(HCL_OK, hcl_traversal_parse("live", HCL_NUL, "a.b", HCL_NUL, NULL, 0, NULL, &live.traversals, NULL));
    STATUS(HCL_OK, hcl_value_string("live", HCL_NUL, &plain));
    STATUS(HCL_OK, hcl_value_mark(plain, "m", HCL_NUL, &marked));
    STATUS(HCL_OK, hcl_value_unmark_deep(marked, NULL, &live.value, &live.marks, NULL));
    hcl_value_free(plain);
    hcl_value_free(marked);
    STATUS(HCL_OK, hcl_type_text(live.type, &live.buf));
}

static void free_live(void)
{
    hcl_body_free(live.body);
    hcl_buf_free(live.buf);
    hcl_builder_free(live.builder);
    hcl_cancel_free(live.cancel);
    hcl_definitions_free(live.definitions);
    hcl_diags_free(live.diags);
    hcl_document_free(live.document);
    hcl_expr_free(live.expr);
    hcl_file_free(live.file);
    hcl_frame_free(live.frame);
    hcl_functions_free(live.functions);
    hcl_host_free(live.host);
    hcl_marks_free(live.marks);
    hcl_module_free(live.module);
    hcl_module_loader_free(live.module_loader);
    hcl_program_free(live.program);
    hcl_schema_free(live.schema);
    hcl_scope_free(live.scope);
    hcl_scope_free(live.open_scope);
    hcl_spec_free(live.spec);
    hcl_static_free(live.static_);
    hcl_traversals_free(live.traversals);
    hcl_type_free(live.type);
    hcl_type_free(live.capsule_type);
    hcl_value_free(live.value);
    memset(&live, 0, sizeof live);
}

/* True if the first word of `detail`, up to a field or an index, is `parameter`. */
static bool names(hcl_str detail, const char *parameter)
{
    size_t len = strlen(parameter);
    return detail.len > len && memcmp(detail.ptr, parameter, len) == 0 && strchr(" -[", detail.ptr[len]) != NULL;
}

/* True if it is one of the parameters, which stand between bars. */
static bool names_one_of(hcl_str detail, const char *parameters)
{
    char name[64];
    for (const char *at = parameters + 1; *at != '\0'; at = strchr(at, '|') + 1) {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, "|"), at);
        if (names(detail, name)) return true;
    }
    return false;
}

static int n_calls, n_refused;

/* A call of which `parameter` is wrong, or none if that is null; `must` says that it has to be refused. */
static void judge(const char *call, const char *parameters, const char *parameter, bool must, hcl_status status)
{
    hcl_str detail = hcl_status_detail();
    n_calls++;
    if (status == HCL_ERR_ARGUMENT) {
        n_refused++;
        if (parameter != NULL ? names(detail, parameter) : false) return;
        failures++;
        fprintf(stderr, "%s: \"%.*s\" does not begin with %s%s\n", call, (int)detail.len, detail.ptr,
                parameter == NULL ? "anything, for all is right" : parameter,
                names_one_of(detail, parameters) ? "" : ", nor with any parameter");
    } else if (must || status == HCL_ERR_INTERNAL) {
        hcl_str name = hcl_status_name((int32_t)status);
        failures++;
        fprintf(stderr, "%s gave %.*s\n", call, (int)name.len, name.ptr);
    }
}

/* Evaluates a call of `now`, and one that asks the host for a variable of the environment. */
static void inside_callbacks(hcl_callback now, hcl_host_callback variable)
{
    static const hcl_param param = {{"x", 1}, {"string", 6}, 0, 0};
    hcl_function function;
    hcl_host_callbacks callbacks;
    hcl_scope *scope = NULL;
    hcl_frame *frame = NULL;
    hcl_host *host = NULL;
    hcl_value *value = NULL;

    memset(&function, 0, sizeof function);
    function.size = sizeof function;
    function.name = (hcl_str){"now", 3};
    function.params = &param;
    function.n_params = 1;
    function.call = now;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.size = sizeof callbacks;
    callbacks.environment_variable = variable;
    STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
    STATUS(HCL_OK, hcl_scope_builtins(scope, HCL_BUILTINS_PACKER_DEFAULTS));
    STATUS(HCL_OK, hcl_scope_function(scope, &function));
    STATUS(HCL_OK, hcl_scope_seal(scope));
    STATUS(HCL_OK, hcl_frame_new(scope, &frame));
    STATUS(HCL_OK, hcl_host_new(&callbacks, &host));
    STATUS(HCL_OK, hcl_frame_set_host(frame, host));
    hcl_program *program = compile_in(scope, "[now(\"x\"), env(\"X\")]");
    int before = n_calls;
    (void)hcl_eval(program, frame, &value, NULL);
    CHECK(n_calls > before);
    hcl_value_free(value);
    hcl_program_free(program);
    hcl_host_free(host);
    hcl_frame_free(frame);
    hcl_scope_free(scope);
}

#endif

/* Memory that runs out in calls that take neither a frame nor limits. Each call of the table is made in a child with less and
 * less of the memory that it takes or asks for: it ends as it does otherwise, or says HCL_ERR_MEMORY; functions without a status
 * give null or 0. The name of a call as the argument makes that one alone. */
#define _GNU_SOURCE
#include "../check.h"
#include "counted.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* How many times a call is made with less and less memory. */
enum { PARTS = 10, MOST = 60000 };

/* How many things a call gets. */
static int n;

static hcl_file *file;
static hcl_body *body;
static hcl_expr *expr;
static hcl_value *value;
static hcl_spec *spec;
static hcl_schema *schema;
static hcl_module *module;
static hcl_diags *diags;

/* A text that a part is repeated in. Each number in the part counts. */
static char *many(const char *begin, const char *part, const char *end)
{
    char *text = malloc(strlen(begin) + (size_t)n * (strlen(part) + 24) + strlen(end) + 1), *at = stpcpy(text, begin);
    for (int i = 0; i < n; i++) at += sprintf(at, part, i, i, i);
    strcpy(at, end);
    return text;
}

static void native(const char *source)
{
    STATUS(HCL_OK, hcl_file_parse("main.hcl", HCL_NUL, source, HCL_NUL, NULL, &file, NULL));
}

static void json(const char *source)
{
    const hcl_parse_opts opts = {.size = sizeof opts, .flags = HCL_PARSE_JSON};
    STATUS(HCL_OK, hcl_file_parse("main.json", HCL_NUL, source, HCL_NUL, &opts, &file, NULL));
}

static void expression(const char *source, uint32_t flags)
{
    STATUS(HCL_OK, hcl_expr_parse("main.hcl", HCL_NUL, source, HCL_NUL, NULL, flags, NULL, &expr, NULL));
}

static void a_spec(const char *source)
{
    STATUS(HCL_OK, hcl_spec_parse("spec.hcl", HCL_NUL, source, HCL_NUL, NULL, &spec, NULL));
}

static void a_value(const char *source)
{
    hcl_frame *plain = NULL;
    expression(source, 0);
    STATUS(HCL_OK, hcl_frame_new(plain_scope(), &plain));
    STATUS(HCL_OK, hcl_expr_eval(expr, plain, &value, NULL));
}

static hcl_status if_there(const void *found) { return found != NULL ? HCL_OK : HCL_ERR_MEMORY; }
static hcl_status if_any(size_t n) { return n > 0 ? HCL_OK : HCL_ERR_MEMORY; }

/* Results are not released: the child ends. */
static hcl_traversals *traversals;
static hcl_static *form;
static hcl_type *type;
static hcl_buf *buf;
static hcl_scope *scope;
static hcl_range range;

/* Bodies. */
static void attributes(void) { native(many("", "a%d = 1\n", "")); }
static void members(void) { json(many("{", "\"a%d\": 1,", "\"z\": 1}")); }
static void members_twice(void) { json(many("{", "\"a%1$d\": 1, \"a%1$d\": 2,", "\"z\": 1}")); }
static void blocks(void) { native(many("", "b \"l%d\" {}\n", "")); }
static hcl_status attr_count(void) { return if_any(hcl_body_attr_count(hcl_file_body(file))); }
static hcl_status attr_at(void) { return if_there(hcl_body_attr_at(hcl_file_body(file), 0)); }
static hcl_status attr_find(void) { return if_there(hcl_body_attr_find(hcl_file_body(file), "a5", 2)); }
static hcl_status block_count(void) { return if_any(hcl_body_block_count(hcl_file_body(file))); }
static hcl_status block_at(void) { return if_there(hcl_body_block_at(hcl_file_body(file), 0)); }
static hcl_status attr_of_merged(void) { return if_there(hcl_body_attr_at(body, 0)); }
static hcl_status just_attributes(void) { return hcl_body_just_attributes(hcl_file_body(file), 0, &body, NULL); }

static void two_files(void)
{
    const hcl_body *bodies[2];
    attributes();
    bodies[0] = hcl_file_body(file);
    members_twice();
    bodies[1] = hcl_file_body(file);
    STATUS(HCL_OK, hcl_body_merge(bodies, 2, &body));
}

static hcl_status merged(void)
{
    static const hcl_body *bodies[MOST];
    for (int i = 0; i < n; i++) bodies[i] = hcl_file_body(file);
    return hcl_body_merge(bodies, (size_t)n, &body);
}

/* Diagnostics at places take the lines of the source. */
static void lines(void)
{
    char *source = many("a = b.c # x", "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n", "\n");
    native(source);
    (void)attr_at();
    expression("b.c", 0);
    STATUS(HCL_OK, hcl_attr_variables(hcl_body_attr_at(hcl_file_body(file), 0), &traversals));
}

static hcl_status attr_range(void) { return hcl_attr_range(hcl_body_attr_at(hcl_file_body(file), 0), &range); }
static hcl_status name_range(void) { return hcl_attr_name_range(hcl_body_attr_at(hcl_file_body(file), 0), &range); }
static hcl_status missing_range(void) { return hcl_body_missing_range(hcl_file_body(file), &range); }
static hcl_status expr_range(void) { return hcl_expr_range(hcl_attr_expr(hcl_body_attr_at(hcl_file_body(file), 0)), &range); }
static hcl_status range_of_traversal(void) { return hcl_traversals_range(traversals, 0, &range); }

static hcl_status step(void)
{
    hcl_step out = {.size = sizeof out};
    return hcl_traversals_step(traversals, 0, 0, &out);
}

static hcl_status add_at_place(void)
{
    const hcl_diag diag = {.size = sizeof diag, .severity = HCL_SEVERITY_ERROR};
    const hcl_place place = {.size = sizeof place, .file = file};
    return hcl_diags_add(&diags, &diag, &place, NULL);
}

/* Variables, functions and forms. */
static void variables(void) { expression(many("[", "a%d.b,", "]"), 0); }
static void variables_of_json(void) { expression(many("[", "\"${a%d.b}\",", "1]"), HCL_EXPR_JSON); }
static void calls(void) { expression(many("[", "f%d(),", "]"), 0); }
static void long_traversal(void) { expression(many("a", ".b%d", ""), 0); }
static void pairs(void) { expression(many("{", "a%d = b,", "}"), 0); }
static void arguments(void) { expression(many("f(", "b%d,", "1)"), 0); }
static void attribute_of_many(void) { native(many("a = [", "b%d.c,", "]\n")); }
static hcl_status expr_variables(void) { return hcl_expr_variables(expr, &traversals); }
static hcl_status expr_functions(void) { return hcl_expr_functions(expr, &traversals); }
static hcl_status static_traversal(void) { return hcl_expr_static_traversal(expr, &traversals); }
static hcl_status static_list(void) { return hcl_expr_static(expr, HCL_STATIC_LIST, &form); }
static hcl_status static_map(void) { return hcl_expr_static(expr, HCL_STATIC_MAP, &form); }
static hcl_status static_call(void) { return hcl_expr_static(expr, HCL_STATIC_CALL, &form); }

static hcl_status attr_variables(void)
{
    const hcl_attr *attr = hcl_body_attr_at(hcl_file_body(file), 0);
    return attr == NULL ? HCL_ERR_MEMORY : hcl_attr_variables(attr, &traversals);
}

static void blocks_with_schema(void)
{
    native(many("", "b {\n  x = c%d.d\n}\n", ""));
    STATUS(HCL_OK, hcl_schema_parse("schema.hcl", HCL_NUL, "b {\n  x = optional\n}\n", HCL_NUL, NULL, &schema, NULL));
    a_spec("object {\n  block_list \"b\" {\n    object {\n      attr \"x\" { type = any }\n    }\n  }\n}\n");
}

static hcl_status body_variables(void) { return hcl_body_variables(hcl_file_body(file), schema, 0, &traversals); }
static hcl_status spec_variables(void) { return hcl_spec_variables(spec, hcl_file_body(file), 0, &traversals); }

static void dynamic_blocks(void)
{
    blocks_with_schema();
    native(many("", "dynamic \"b\" {\n  for_each = e%d\n  content {\n    x = [b.value, c]\n  }\n}\n", ""));
    scope = plain_scope();
    STATUS(HCL_OK, hcl_body_expand_dynamic(hcl_file_body(file), scope, NULL, &body));
}

static hcl_status variables_of_dynamic(void) { return hcl_spec_variables(spec, body, 0, &traversals); }

/* Specifications, types and conversion. */
static void large_spec(void) { a_spec(many("object {\n", "attr \"a%d\" { type = string }\n", "}\n")); }

static void spec_of_blocks(void)
{
    a_spec(many("object {\n", "block \"b%d\" {\n  object {\n    attr \"x\" { type = any }\n  }\n}\n", "}\n"));
}

static hcl_status spec_schema(void) { return hcl_spec_schema(spec, &schema); }
static void large_object(void) { a_value(many("{", "a%d = [],", "}")); }
static hcl_status value_type(void) { return hcl_value_type(value, &type); }

static void large_type(void)
{
    large_object();
    STATUS(HCL_OK, hcl_value_type(value, &type));
}

static hcl_status type_text(void) { return hcl_type_text(type, &buf); }

static char *source;
static void type_source(void) { source = many("object({", "a%d = optional(string, \"x\"),", "})"); }
static hcl_status type_parsed(void) { return hcl_type_parse(source, HCL_NUL, &type, NULL); }

static void type_of_options(void)
{
    type_source();
    STATUS(HCL_OK, type_parsed());
}

static hcl_document *document;

static void a_document(void)
{
    char *blocks = many("", "b \"l%d\" {}\n", "");
    STATUS(HCL_OK, hcl_document_parse("main.hcl", HCL_NUL, blocks, HCL_NUL, NULL, &document, NULL));
}

static hcl_status block_appended(void) { return hcl_document_append_block(document, "", 0, "b", 1, NULL, 0, NULL, 0, NULL); }
static void guessed(void) { json(many("{", "\"a%d\":[{\"b\":\"x${c}\"}],", "\"z\":[{\"a b\":1},{}]}")); }
static hcl_status to_native(void) { return hcl_file_to_native(file, NULL, &buf, NULL); }

static void known(void)
{
    json(many("{\"b\":[", "{\"x\":[%d,[2]]},", "{}]}"));
    STATUS(HCL_OK, hcl_schema_parse("schema.hcl", HCL_NUL, "b {\n  x = optional\n}\n", HCL_NUL, NULL, &schema, NULL));
}

static hcl_status to_known_native(void) { return hcl_file_to_native(file, schema, &buf, NULL); }

/* Lists that grow call by call. */
static char name[32];

static const char *named(const char *format, int i)
{
    (void)sprintf(name, format, i);
    return name;
}

static void nothing(void) {}
static void a_scope(void) { STATUS(HCL_OK, hcl_scope_new(NULL, &scope)); }

static hcl_status slots_of(const char *format)
{
    hcl_status status = HCL_OK;
    size_t slot;
    for (int i = 0; status == HCL_OK && i < n; i++) status = hcl_scope_slot(scope, named(format, i), HCL_NUL, &slot);
    return status == HCL_OK ? hcl_scope_seal(scope) : status;
}

static hcl_status slots(void) { return slots_of("s%d"); }
static hcl_status paths(void) { return slots_of("a.b%d"); }

static void a_scope_and_value(void)
{
    a_scope();
    a_value("1");
}

static hcl_status constants(void)
{
    hcl_status status = HCL_OK;
    for (int i = 0; status == HCL_OK && i < n; i++) status = hcl_scope_const(scope, named("c%d", i), HCL_NUL, value);
    return status;
}

static int32_t never(void *user, hcl_call *call)
{
    (void)user, (void)call;
    return 1;
}

static hcl_status functions(void)
{
    hcl_function function = {.size = sizeof function, .name = {name, HCL_NUL}, .call = never};
    hcl_status status = HCL_OK;
    for (int i = 0; status == HCL_OK && i < n; i++) (void)named("f%d", i), status = hcl_scope_function(scope, &function);
    return status;
}

static void defined_functions(void)
{
    a_scope();
    native(many("", "function \"f%d\" {\n  params = [x]\n  result = x\n}\n", ""));
}

static hcl_status user_functions(void)
{
    return hcl_scope_user_functions(scope, hcl_file_body(file), "function", HCL_NUL, 0, NULL, &body, NULL);
}

static hcl_definitions *definitions;

static void definitions_of(const char *source)
{
    native(source);
    (void)hcl_body_attr_count(hcl_file_body(file));
    STATUS(HCL_OK, hcl_definitions_new("local", HCL_NUL, &definitions));
}

static void plain_definitions(void) { definitions_of(many("", "a%d = [local.a0, local.a1]\n", "")); }

static hcl_status defined(void)
{
    hcl_status status = HCL_OK;
    for (int i = 0; status == HCL_OK && i < n; i++)
        status = hcl_definitions_add(definitions, hcl_body_attr_at(hcl_file_body(file), (size_t)i));
    return status;
}

static void one_definition(void) { definitions_of("a = 1\n"); }

static hcl_status defined_again(void)
{
    hcl_status status = HCL_OK;
    for (int i = 0; status == HCL_OK && i < n; i++)
        status = hcl_definitions_add(definitions, hcl_body_attr_at(hcl_file_body(file), 0));
    return status;
}

static void all_defined(void)
{
    definitions_of(many("a = 1\n", "a%d = local.a\n", ""));
    STATUS(HCL_OK, defined());
}

static hcl_status order(void) { return hcl_definitions_order(definitions, &value, NULL); }

static hcl_status built(uint32_t kind)
{
    hcl_builder *builder = NULL;
    hcl_status status = hcl_builder_new(&builder);
    const bool is_keyed = kind == HCL_KIND_OBJECT || kind == HCL_KIND_MAP;

    if (status == HCL_OK) status = hcl_builder_begin(builder, kind);
    for (int i = 0; status == HCL_OK && i < n; i++) {
        if (is_keyed) status = hcl_builder_key(builder, named("k%d", i), HCL_NUL);
        if (status == HCL_OK) status = hcl_builder_string(builder, named("v%d", i), HCL_NUL);
    }
    if (status == HCL_OK) status = hcl_builder_end(builder);
    return status == HCL_OK ? hcl_builder_finish(builder, &value) : status;
}

static hcl_status object(void) { return built(HCL_KIND_OBJECT); }
static hcl_status map(void) { return built(HCL_KIND_MAP); }
static hcl_status list(void) { return built(HCL_KIND_LIST); }
static hcl_status set(void) { return built(HCL_KIND_SET); }
static hcl_status tuple(void) { return built(HCL_KIND_TUPLE); }

static hcl_status added(void)
{
    hcl_diag diag = {.size = sizeof diag, .severity = HCL_SEVERITY_ERROR, .detail = {"wrong", 5}, .filename = {"f", 1}};
    hcl_status status = HCL_OK;
    for (int i = 0; status == HCL_OK && i < n; i++) {
        diag.subject.start = diag.subject.end = (hcl_pos){1, 1, (size_t)(n - i)};
        status = hcl_diags_add(&diags, &diag, NULL, NULL);
    }
    return status;
}

static hcl_status noted(void)
{
    const hcl_diag diag = {.size = sizeof diag, .severity = HCL_SEVERITY_ERROR};
    hcl_status status = hcl_diags_add(&diags, &diag, NULL, NULL);
    for (int i = 0; status == HCL_OK && i < n; i++)
        status = hcl_diags_note(diags, named("k%d", i), HCL_NUL, "v", 1);
    return status;
}

static void many_added(void) { STATUS(HCL_OK, added()); }
static hcl_status appended(void) { return hcl_diags_append(&diags, diags); }

/* Without memory the list stays as it is. */
static hcl_status sorted(void)
{
    hcl_diag first = {.size = sizeof first};
    const size_t n_before = hcl_diags_count(diags);
    hcl_diags_sort(diags);
    if (hcl_diags_count(diags) != n_before || hcl_diags_get(diags, 0, &first) != HCL_OK) return HCL_ERR_INTERNAL;
    return first.subject.start.byte == 1 ? HCL_OK : HCL_ERR_MEMORY;
}

static hcl_module_loader *loader;
static void a_loader(void)
{
    a_value("1");
    STATUS(HCL_OK, hcl_module_loader_new("terraform", HCL_NUL, &loader, NULL));
}

static hcl_status prepared(hcl_status (*add)(const char *))
{
    hcl_status status = HCL_OK;
    for (int i = 0; status == HCL_OK && i < n; i++) status = add(named("n%d", i));
    return status;
}

static hcl_status add_text(const char *of) { return hcl_module_loader_text(loader, of, HCL_NUL, "", 0); }
static hcl_status add_value(const char *of) { return hcl_module_loader_set(loader, of, HCL_NUL, value); }
static hcl_status add_set(const char *of) { return hcl_module_loader_set_text(loader, of, HCL_NUL, "1", 1, 0); }
static hcl_status add_file(const char *of) { return hcl_module_loader_values(loader, of, HCL_NUL); }
static hcl_status add_resource(const char *of) { return hcl_module_loader_resource(loader, of, HCL_NUL, value); }
static hcl_status loader_text(void) { return prepared(add_text); }
static hcl_status loader_set(void) { return prepared(add_value); }
static hcl_status loader_set_text(void) { return prepared(add_set); }
static hcl_status loader_values(void) { return prepared(add_file); }
static hcl_status loader_resource(void) { return prepared(add_resource); }

static void a_module(void)
{
    a_loader();
    STATUS(HCL_OK, hcl_module_loader_text(loader, "main.tf", HCL_NUL, many("locals {\n", "a%d = 1\n", "}\n"), HCL_NUL));
    STATUS(HCL_OK, hcl_module_load(loader, NULL, &module, NULL));
}

static hcl_status module_count(void) { return if_any(hcl_module_count(module)); }

static hcl_status module_at(void)
{
    hcl_declared declared = {.size = sizeof declared};
    return hcl_module_at(module, 0, &declared);
}

static hcl_frame *frame;
static hcl_program *program;

static int32_t entries(void *user, hcl_str path, uint64_t most, hcl_answer *answer)
{
    hcl_status status = HCL_OK;
    (void)user, (void)path, (void)most;
    for (int i = 0; status == HCL_OK && i < n; i++)
        status = hcl_answer_entry(answer, named("f%d", i), HCL_NUL, HCL_FILE_REGULAR);
    return (int32_t)status;
}

static int32_t kind(void *user, hcl_str path, uint64_t most, hcl_answer *answer)
{
    (void)user, (void)path, (void)most;
    return (int32_t)hcl_answer_kind(answer, HCL_FILE_DIRECTORY);
}

static void a_folder(void)
{
    const hcl_host_callbacks callbacks = {.size = sizeof callbacks, .file_kind = kind, .list_directory = entries};
    hcl_host *host = NULL;
    scope = plain_scope();
    program = compile_in(scope, "length(fileset(\"/\", \"*\"))");
    STATUS(HCL_OK, hcl_host_new(&callbacks, &host));
    STATUS(HCL_OK, hcl_frame_new(scope, &frame));
    STATUS(HCL_OK, hcl_frame_set_host(frame, host));
}

static hcl_status listed(void) { return hcl_eval(program, frame, &value, NULL); }

static const struct {
    const char *name;
    int n;
    void (*prepare)(void);
    hcl_status (*call)(void);
} CALLS[] = {
    {"hcl_body_attr_count", 4000, attributes, attr_count},
    {"hcl_body_attr_at", 4000, attributes, attr_at},
    {"hcl_body_attr_find", 4000, attributes, attr_find},
    {"hcl_body_attr_at of JSON", 4000, members, attr_at},
    {"hcl_body_attr_at of names that are there twice", 4000, members_twice, attr_at},
    {"hcl_body_attr_at of several files", 4000, two_files, attr_of_merged},
    {"hcl_body_block_count", 4000, blocks, block_count},
    {"hcl_body_block_at", 4000, blocks, block_at},
    {"hcl_body_just_attributes", 4000, attributes, just_attributes},
    {"hcl_body_merge", 60000, attributes, merged},
    {"hcl_attr_range", 4000, lines, attr_range},
    {"hcl_attr_name_range", 4000, lines, name_range},
    {"hcl_body_missing_range", 4000, lines, missing_range},
    {"hcl_expr_range", 4000, lines, expr_range},
    {"hcl_traversals_range", 6000, lines, range_of_traversal},
    {"hcl_traversals_step", 4000, lines, step},
    {"hcl_diags_add at a place", 8000, lines, add_at_place},
    {"hcl_expr_variables", 4000, variables, expr_variables},
    {"hcl_expr_variables of JSON", 4000, variables_of_json, expr_variables},
    {"hcl_expr_functions", 8000, calls, expr_functions},
    {"hcl_expr_static_traversal", 20000, long_traversal, static_traversal},
    {"hcl_expr_static of a list", 30000, variables, static_list},
    {"hcl_expr_static of a list of JSON", 30000, variables_of_json, static_list},
    {"hcl_expr_static of a map", 10000, pairs, static_map},
    {"hcl_expr_static of a call", 30000, arguments, static_call},
    {"hcl_attr_variables", 4000, attribute_of_many, attr_variables},
    {"hcl_body_variables", 4000, blocks_with_schema, body_variables},
    {"hcl_spec_variables", 4000, blocks_with_schema, spec_variables},
    {"hcl_spec_variables of dynamic blocks", 4000, dynamic_blocks, variables_of_dynamic},
    {"hcl_spec_schema", 16000, large_spec, spec_schema},
    {"hcl_spec_schema of blocks", 900, spec_of_blocks, spec_schema},
    {"hcl_value_type", 8000, large_object, value_type},
    {"hcl_type_text", 16000, large_type, type_text},
    {"hcl_type_text of optional attributes", 20000, type_of_options, type_text},
    {"hcl_type_parse", 20000, type_source, type_parsed},
    {"hcl_document_append_block", 60000, a_document, block_appended},
    {"hcl_file_to_native", 4000, guessed, to_native},
    {"hcl_file_to_native with a schema", 4000, known, to_known_native},
    {"hcl_scope_slot", 6000, a_scope, slots},
    {"hcl_scope_slot of paths", 4000, a_scope, paths},
    {"hcl_scope_const", 4000, a_scope_and_value, constants},
    {"hcl_scope_function", 4000, a_scope, functions},
    {"hcl_scope_user_functions", 4000, defined_functions, user_functions},
    {"hcl_definitions_add", 4000, plain_definitions, defined},
    {"hcl_definitions_add of one name", 4000, one_definition, defined_again},
    {"hcl_definitions_order", 4000, all_defined, order},
    {"hcl_builder_key", 4000, nothing, object},
    {"hcl_builder_end of a map", 4000, nothing, map},
    {"hcl_builder_end of a list", 4000, nothing, list},
    {"hcl_builder_end of a set", 4000, nothing, set},
    {"hcl_builder_end of a tuple", 10000, nothing, tuple},
    {"hcl_diags_add", 4000, nothing, added},
    {"hcl_diags_note", 8000, nothing, noted},
    {"hcl_diags_append", 4000, many_added, appended},
    {"hcl_diags_sort", 4000, many_added, sorted},
    {"hcl_module_loader_text", 8000, a_loader, loader_text},
    {"hcl_module_loader_set", 4000, a_loader, loader_set},
    {"hcl_module_loader_set_text", 4000, a_loader, loader_set_text},
    {"hcl_module_loader_values", 4000, a_loader, loader_values},
    {"hcl_module_loader_resource", 4000, a_loader, loader_resource},
    {"hcl_module_count", 4000, a_module, module_count},
    {"hcl_module_at", 4000, a_module, module_at},
    {"hcl_answer_entry", 4000, a_folder, listed},
};

enum { N_CALLS = sizeof CALLS / sizeof *CALLS };

/* The status of a call with so much memory beside what is held, made in a child; less than 0 if that dies. The most memory that
 * it took is in `*taken`. One that was refused is made once more with all memory. */
static int made(size_t i, size_t room, size_t *taken)
{
    int how = 0;
    pid_t child = fork();

    if (child == 0) {
        const size_t before = peak = live;
        most_live = room > SIZE_MAX - live ? SIZE_MAX : live + room;
        hcl_status status = CALLS[i].call();
        most_live = SIZE_MAX;
        *taken = peak - before;
        if (status == HCL_ERR_MEMORY && CALLS[i].call() != HCL_OK)
            status = HCL_ERR_INTERNAL;
        _exit(status);
    }
    CHECK(child > 0 && waitpid(child, &how, 0) == child);
    return WIFEXITED(how) ? WEXITSTATUS(how) : -1;
}

/* How often memory ran out of a call. */
static size_t refused(size_t i, size_t *taken)
{
    size_t n_refused = 0;
    int whole = made(i, SIZE_MAX, taken);
    const size_t all = *taken;

    if (whole != HCL_OK || all < 600000) {
        fprintf(stderr, "%s: status %d, %zu bytes\n", CALLS[i].name, whole, all);
        failures++;
    }
    size_t room = all;
    for (int part = 0; part < PARTS; part++) {
        room = part + 1 < PARTS ? room / 5 * 3 : 0;
        int status = made(i, room, taken);
        n_refused += status == HCL_ERR_MEMORY;
        if (status != HCL_OK && status != HCL_ERR_MEMORY) {
            fprintf(stderr, "%s with %zu of %zu bytes: %d\n", CALLS[i].name, room, all, status);
            failures++;
        }
    }
    CHECK(n_refused > 0);
    return n_refused;
}

/* Lines and columns are right after a call that memory ran out of, which may have looked for its place. */
static void places(const char *part)
{
    for (size_t room = 0; room < 1000000; room = room * 3 + 1000) {
        n = 5000;
        native(many("", part, ""));
        most_live = live + room;
        hcl_status status = hcl_body_just_attributes(hcl_file_body(file), 0, &body, &diags);
        most_live = SIZE_MAX;
        CHECK(status == HCL_OK || status == HCL_ERR_MEMORY);
        STATUS(HCL_OK, hcl_attr_range(hcl_body_attr_at(hcl_file_body(file), (size_t)n - 1), &range));
        CHECK(range.start.line == (uint32_t)n && range.end.column == 16);
        hcl_diags_free(diags);
    }
}

/* The diagnostic of a call that memory ran out for has a place, in a text of a thousand lines. */
static void place_of_refusal(void)
{
    hcl_frame *empty = NULL;
    hcl_diag diag = {.size = sizeof diag};

    n = 1000;
    native(many("", "a%d = 1\n", "z = [for x in range(1000) : [for y in range(1000) : \"text ${x} and ${y}\"]]\n"));
    STATUS(HCL_OK, hcl_frame_new(plain_scope(), &empty));
    const hcl_attr *last = hcl_body_attr_find(hcl_file_body(file), "z", 1);
    most_live = live + 1000000;
    STATUS(HCL_ERR_MEMORY, hcl_attr_eval(last, empty, &value, &diags));
    most_live = SIZE_MAX;
    STATUS(HCL_OK, hcl_diags_get(diags, 0, &diag));
    CHECK(diag.subject.start.line == (uint32_t)n + 1);
    hcl_diags_free(diags);
}

int main(int argc, char **argv)
{
    size_t *taken = mmap(NULL, sizeof *taken, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    size_t n_refused = 0;

    for (size_t i = 0; i < N_CALLS; i++) {
        if (argc > 1 && strcmp(CALLS[i].name, argv[1]) != 0)
            continue;
        n = CALLS[i].n;
        CALLS[i].prepare();
        n_refused += refused(i, taken);
    }
    place_of_refusal();
    places("a%d = \"x%d\"\n");
    places("\u00e9%d = \"x%d\"\n");
    printf("%d calls with parts of their memory, %zu of %d times refused\n", N_CALLS, n_refused, N_CALLS * PARTS);
    return failures != 0;
}

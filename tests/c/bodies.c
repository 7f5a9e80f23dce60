/* Bodies read by schema: native and JSON syntax alike, the rest for others, several files as one. */
#include "check.h"

static const char schema_source[] =
    "region = required\n"
    "zone = optional\n"
    "service \"name\" {\n"
    "  port = required\n"
    "  check {\n"
    "    path = optional\n"
    "  }\n"
    "}\n"
    "tags {}\n";

static const char native_source[] =
    "service \"web\" {\n"
    "  port = base + 80\n"
    "  check {}\n"
    "}\n"
    "region = \"n${base}\"\n"
    "tags {\n"
    "  any = thing\n"
    "}\n";

static const char json_source[] =
    "{\"service\": {\"web\": {\"port\": \"${base + 80}\", \"check\": {}}},\n"
    " \"region\": \"n${base}\", \"tags\": {\"any\": \"${thing}\"}}\n";

static hcl_schema *schema_of(const char *source)
{
    hcl_schema *schema = NULL;
    STATUS(HCL_OK, hcl_schema_parse("schema.hcl", HCL_NUL, source, HCL_NUL, NULL, &schema, NULL));
    return schema;
}

static hcl_file *file_of(const char *name, const char *source)
{
    hcl_parse_opts opts = {0};
    hcl_file *file = NULL;
    opts.size = sizeof opts;
    opts.flags = strstr(name, ".json") != NULL ? HCL_PARSE_JSON : 0;
    STATUS(HCL_OK, hcl_file_parse(name, HCL_NUL, source, HCL_NUL, &opts, &file, NULL));
    return file;
}

/* A scope in which `base` is a slot, and a frame where it is 1. */
static hcl_frame *frame_with_base(hcl_scope **scope)
{
    hcl_frame *frame = NULL;
    size_t slot = 99;
    STATUS(HCL_OK, hcl_scope_new(NULL, scope));
    STATUS(HCL_OK, hcl_scope_slot(*scope, "base", HCL_NUL, &slot));
    STATUS(HCL_OK, hcl_scope_seal(*scope));
    STATUS(HCL_OK, hcl_frame_new(*scope, &frame));
    STATUS(HCL_OK, hcl_frame_set_i64(frame, slot, 1));
    return frame;
}

/* Both syntaxes say the same to a reader with a schema. */
static void by_schema(const char *name, const char *source)
{
    hcl_file *file = file_of(name, source);
    hcl_schema *schema = schema_of(schema_source);
    hcl_body *content = NULL, *inner = NULL, *tags = NULL;
    hcl_scope *scope = NULL;
    hcl_frame *frame = frame_with_base(&scope);
    hcl_value *value = NULL;
    hcl_traversals *list = NULL;
    hcl_diags *diags = NULL;
    hcl_range at;
    int64_t port = 0;

    STATUS(HCL_OK, hcl_body_content(hcl_file_body(file), schema, 0, NULL, &content, NULL, &diags));
    CHECK(diags == NULL);
    CHECK(hcl_body_attr_count(content) == 1 && hcl_body_block_count(content) == 2);
    const hcl_attr *region = hcl_body_attr_find(content, "region", HCL_NUL);
    STATUS(HCL_OK, hcl_attr_eval(region, frame, &value, NULL));
    hcl_str text;
    STATUS(HCL_OK, hcl_value_as_str(value, &text));
    CHECK(str_is(text, "n1"));
    hcl_value_free(value);
    value = NULL;
    STATUS(HCL_OK, hcl_attr_name_range(region, &at));
    CHECK(at.end.byte - at.start.byte == (strstr(name, ".json") != NULL ? 8u : 6u));

    const hcl_block *service = hcl_body_block_at(content, 0);
    CHECK(str_is(hcl_block_type(service), "service") && hcl_block_label_count(service) == 1);
    CHECK(str_is(hcl_block_label(service, 0), "web") && str_is(hcl_block_filename(service), name));
    STATUS(HCL_OK, hcl_block_definition_range(service, &at));
    CHECK(at.start.line == 1);
    STATUS(HCL_OK, hcl_block_type_range(service, &at));
    CHECK(at.start.line == 1 && at.start.byte == (strstr(name, ".json") != NULL ? 1u : 0u));
    const hcl_schema *of_service = hcl_schema_block(schema, "service", HCL_NUL);
    STATUS(HCL_OK, hcl_body_content(hcl_block_body(service), of_service, 0, frame, &inner, NULL, NULL));
    CHECK(hcl_body_attr_count(inner) == 1 && hcl_body_block_count(inner) == 1);
    const hcl_expr *expr = hcl_attr_expr(hcl_body_attr_at(inner, 0));
    CHECK(str_is(hcl_expr_filename(expr), name));
    STATUS(HCL_OK, hcl_expr_eval(expr, frame, &value, NULL));
    STATUS(HCL_OK, hcl_value_as_i64(value, &port));
    CHECK(port == 81);
    hcl_value_free(value);

    /* `tags {}` says that any names may be there; no schema for them. */
    const hcl_block *of_tags = hcl_body_block_at(content, 1);
    CHECK(hcl_schema_block(schema, "tags", HCL_NUL) == NULL);
    STATUS(HCL_OK, hcl_body_just_attributes(hcl_block_body(of_tags), 0, &tags, NULL));
    CHECK(hcl_body_attr_count(tags) == 1 && str_is(hcl_attr_name(hcl_body_attr_at(tags, 0)), "any"));
    STATUS(HCL_OK, hcl_attr_variables(hcl_body_attr_at(tags, 0), &list));
    CHECK(hcl_traversals_count(list) == 1 && str_is(hcl_traversals_root(list, 0), "thing"));
    hcl_traversals_free(list);

    STATUS(HCL_OK, hcl_body_variables(hcl_file_body(file), schema, 0, &list));
    CHECK(hcl_traversals_count(list) == 3 && str_is(hcl_traversals_root(list, 0), "base"));
    CHECK(str_is(hcl_traversals_root(list, 2), "thing") && str_is(hcl_traversals_filename(list, 1), name));
    hcl_traversals_free(list);

    /* What was read is no body to read again; the handles outlive the file. */
    hcl_body *again = NULL;
    STATUS(HCL_ERR_TYPE, hcl_body_content(content, schema, 0, NULL, &again, NULL, NULL));
    STATUS(HCL_ERR_TYPE, hcl_body_merge((const hcl_body *const *)&content, 1, &again));
    CHECK(again == NULL);
    STATUS(HCL_OK, hcl_body_ref(hcl_block_body(service), &again));
    hcl_file_free(file);
    hcl_body_free(content);
    hcl_body_free(inner);
    STATUS(HCL_OK, hcl_body_content(again, of_service, 0, NULL, &inner, NULL, NULL));
    CHECK(str_is(hcl_attr_name(hcl_body_attr_at(inner, 0)), "port"));
    hcl_body_free(inner);
    hcl_body_free(again);
    hcl_body_free(tags);
    hcl_schema_free(schema);
    hcl_frame_free(frame);
    hcl_scope_free(scope);
}

/* What is wrong, what is given nevertheless, and the rest for another reader. */
static void complaints(void)
{
    hcl_file *file = file_of("main.hcl", "zone = 1\nspeed = 2\nlamp {}\nservice {}\n");
    hcl_schema *schema = schema_of(schema_source), *other = schema_of("speed = optional\nlamp {}\n");
    hcl_body *content = NULL, *rest = NULL;
    hcl_diags *diags = NULL;
    hcl_diag diag = {0};
    const hcl_body *body = hcl_file_body(file);
    hcl_range at;

    STATUS(HCL_ERR_DIAGNOSTICS, hcl_body_content(body, schema, 0, NULL, &content, NULL, &diags));
    CHECK(content == NULL && hcl_diags_count(diags) == 4);
    diag.size = sizeof diag;
    STATUS(HCL_OK, hcl_diags_get(diags, 0, &diag));
    STATUS(HCL_OK, hcl_body_missing_range(body, &at));
    CHECK(str_is(diag.summary, "Missing required argument") && diag.subject.start.byte == at.start.byte);
    STATUS(HCL_OK, hcl_diags_get(diags, 3, &diag));
    CHECK(str_is(diag.summary, "Unsupported block type"));
    hcl_diags_free(diags);

    STATUS(HCL_ERR_DIAGNOSTICS,
        hcl_body_content(body, schema, HCL_CONTENT_PARTIAL | HCL_CONTENT_WITH_ERRORS, NULL, &content, &rest, &diags));
    CHECK(hcl_diags_count(diags) == 2 && hcl_body_attr_count(content) == 1 && hcl_body_block_count(content) == 0);
    CHECK(hcl_body_attr_count(rest) == 1 && hcl_body_block_count(rest) == 1);
    hcl_diags_free(diags);
    hcl_body_free(content);
    content = NULL;
    STATUS(HCL_OK, hcl_body_content(rest, other, 0, NULL, &content, NULL, &diags));
    CHECK(hcl_body_attr_count(content) == 1 && hcl_body_block_count(content) == 1);
    hcl_body_free(content);
    hcl_body_free(rest);
    content = rest = NULL;

    STATUS(HCL_ERR_DIAGNOSTICS, hcl_body_just_attributes(body, 0, &content, NULL));
    CHECK(content == NULL);
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_body_just_attributes(body, HCL_CONTENT_WITH_ERRORS, &content, NULL));
    CHECK(hcl_body_attr_count(content) == 2);
    hcl_body_free(content);
    content = NULL;

    STATUS(HCL_ERR_ARGUMENT, hcl_body_content(body, schema, 0, NULL, &content, &rest, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_body_content(body, schema, 64, NULL, &content, NULL, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_body_just_attributes(body, 1, &content, NULL));
    CHECK(content == NULL && rest == NULL);
    hcl_schema_free(schema);
    hcl_schema_free(other);
    hcl_file_free(file);
}

/* No reading tells more than 1,000 problems, and one more that there are others. */
static void many_problems(void)
{
    enum { NAMES = 3000 };
    char *text = malloc(8 * NAMES + 16), *end = text + sprintf(text, "{\"a\": 0");
    hcl_parse_opts opts = { .size = sizeof opts, .flags = HCL_PARSE_JSON };
    hcl_file *file = NULL;
    hcl_body *content = NULL;
    hcl_diags *diags = NULL;

    for (size_t i = 0; i < NAMES; i++)
        end += sprintf(end, ",\"a\": 1");
    strcpy(end, "}");
    STATUS(HCL_OK, hcl_file_parse("f", 1, text, HCL_NUL, &opts, &file, NULL));
    STATUS(HCL_ERR_LIMIT, hcl_body_just_attributes(hcl_file_body(file), HCL_CONTENT_WITH_ERRORS, &content, &diags));
    CHECK(hcl_diags_count(diags) == 1001 && content != NULL);
    hcl_diags_free(diags);
    hcl_body_free(content);
    hcl_file_free(file);
    free(text);
}

static void schemas(void)
{
    hcl_schema *schema = NULL, *copy = NULL;
    hcl_diags *diags = NULL;
    hcl_diag diag = {0};
    hcl_parse_opts opts = {0};

    STATUS(HCL_ERR_DIAGNOSTICS,
        hcl_schema_parse("s", 1, "a = 1\nb {}\nb \"x\" {}\n", HCL_NUL, NULL, &schema, &diags));
    CHECK(schema == NULL && hcl_diags_count(diags) == 2);
    diag.size = sizeof diag;
    STATUS(HCL_OK, hcl_diags_get(diags, 0, &diag));
    CHECK(str_is(diag.summary, "Invalid schema") && str_is(diag.code, "schema.attribute"));
    CHECK(diag.subject.start.line == 1 && diag.subject.start.column == 5);
    STATUS(HCL_OK, hcl_diags_get(diags, 1, &diag));
    CHECK(str_is(diag.code, "schema.block") && diag.subject.start.line == 3);
    hcl_diags_free(diags);
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_schema_parse("s", 1, "a = ", HCL_NUL, NULL, &schema, &diags));
    hcl_diags_free(diags);
    opts.size = sizeof opts;
    opts.flags = HCL_PARSE_JSON;
    STATUS(HCL_ERR_ARGUMENT, hcl_schema_parse("s", 1, "{}", HCL_NUL, &opts, &schema, NULL));

    /* As deep as schemas go, and one level more. */
    size_t depth = 1000;
    char *deep = malloc(6 * (depth + 2));
    CHECK(deep != NULL);
    opts.flags = 0;
    opts.max_depth = 5000;
    for (size_t levels = depth; levels <= depth + 2; levels += 2) {
        for (size_t i = 0; i < levels; i++) {
            memcpy(deep + 4 * i, "a {\n", 4);
            memcpy(deep + 4 * levels + 2 * i, "}\n", 2);
        }
        STATUS(levels == depth ? HCL_OK : HCL_ERR_LIMIT,
            hcl_schema_parse("s", 1, deep, 6 * levels, &opts, &schema, NULL));
    }
    STATUS(HCL_OK, hcl_schema_ref(hcl_schema_block(schema, "a", 1), &copy));
    hcl_schema_free(schema);
    CHECK(hcl_schema_block(copy, "a", 1) != NULL && hcl_schema_block(copy, "b", 1) == NULL);
    hcl_schema_free(copy);
    free(deep);
}

/* Two files of different syntax as one body; JSON without a schema; deep handles go without recursion. */
static void merged(void)
{
    hcl_file *native = file_of("a.hcl", "zone = 1\nservice \"x\" {\n  port = 1\n}\n");
    hcl_file *json = file_of("b.json", "{\"region\": 2, \"zone\": 3, \"service\": {\"y\": {\"port\": 2}}}");
    const hcl_body *both[2] = {hcl_file_body(native), hcl_file_body(json)};
    hcl_schema *schema = schema_of(schema_source);
    hcl_body *body = NULL, *content = NULL;
    hcl_diags *diags = NULL;
    hcl_diag diag = {0};
    hcl_range at;

    CHECK(hcl_body_attr_count(both[1]) == 3 && hcl_body_block_count(both[1]) == 0);
    STATUS(HCL_OK, hcl_body_merge(both, 2, &body));
    hcl_file_free(native);
    hcl_file_free(json);
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_body_content(body, schema, HCL_CONTENT_WITH_ERRORS, NULL, &content, NULL, &diags));
    CHECK(hcl_body_attr_count(content) == 2 && hcl_body_block_count(content) == 2 && hcl_diags_count(diags) == 1);
    CHECK(str_is(hcl_block_filename(hcl_body_block_at(content, 1)), "b.json"));
    diag.size = sizeof diag;
    STATUS(HCL_OK, hcl_diags_get(diags, 0, &diag));
    CHECK(str_is(diag.filename, "b.json"));
    hcl_diags_free(diags);
    hcl_body_free(content);
    hcl_body_free(body);

    STATUS(HCL_OK, hcl_body_merge(NULL, 0, &body));
    CHECK(hcl_body_attr_count(body) == 0);
    STATUS(HCL_ERR_NOT_FOUND, hcl_body_missing_range(body, &at));
    hcl_body_free(body);
    hcl_schema_free(schema);

    size_t depth = 9000;
    char *deep = malloc(6 * depth);
    hcl_parse_opts opts = {0};
    hcl_file *file = NULL;
    CHECK(deep != NULL);
    for (size_t i = 0; i < depth; i++) {
        memcpy(deep + 4 * i, "a {\n", 4);
        memcpy(deep + 4 * depth + 2 * i, "}\n", 2);
    }
    opts.size = sizeof opts;
    opts.max_depth = 10000;
    STATUS(HCL_OK, hcl_file_parse("deep", 4, deep, 6 * depth, &opts, &file, NULL));
    size_t seen = 0;
    const hcl_body *inside = hcl_file_body(file);
    while (hcl_body_block_count(inside) == 1) {
        inside = hcl_block_body(hcl_body_block_at(inside, 0));
        seen++;
    }
    CHECK(seen == depth);
    hcl_file_free(file);
    free(deep);
}

static void places(void)
{
    hcl_parse_opts opts = {0};
    hcl_file *file = NULL;
    hcl_range at;

    opts.size = sizeof opts;
    opts.start.line = 7;
    opts.start.byte = 100;
    STATUS(HCL_OK, hcl_file_parse("part", 4, "\na = 1\n", HCL_NUL, &opts, &file, NULL));
    STATUS(HCL_OK, hcl_attr_range(hcl_body_attr_at(hcl_file_body(file), 0), &at));
    CHECK(at.start.line == 8 && at.start.column == 1 && at.start.byte == 101);
    hcl_file_free(file);
}

int main(void)
{
    by_schema("main.hcl", native_source);
    by_schema("main.hcl.json", json_source);
    complaints();
    many_problems();
    schemas();
    merged();
    places();
    return failures != 0;
}

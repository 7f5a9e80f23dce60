/* Bodies decoded by specifications, with dynamic blocks, limits, and what a specification brings along. */
#include "check.h"

static const char spec_source[] =
    "variables {\n"
    "  base = 8000\n"
    "}\n"
    "function \"twice\" {\n"
    "  params = [x]\n"
    "  result = x * 2\n"
    "}\n"
    "object {\n"
    "  attr \"name\" {\n"
    "    type = string\n"
    "    required = true\n"
    "  }\n"
    "  block_list \"port\" {\n"
    "    attr {\n"
    "      name = \"number\"\n"
    "      type = number\n"
    "    }\n"
    "  }\n"
    "}\n";

static hcl_spec *spec_of(const char *source, uint32_t flags)
{
    hcl_parse_opts opts = {0};
    hcl_spec *spec = NULL;
    opts.size = sizeof opts;
    opts.flags = flags;
    STATUS(HCL_OK, hcl_spec_parse("spec", 4, source, HCL_NUL, &opts, &spec, NULL));
    return spec;
}

static hcl_file *file_of(const char *source)
{
    hcl_file *file = NULL;
    STATUS(HCL_OK, hcl_file_parse("main.hcl", HCL_NUL, source, HCL_NUL, NULL, &file, NULL));
    return file;
}

/* Whether a value, which it frees, is that JSON. */
static bool json_is(hcl_value *value, const char *expected)
{
    hcl_buf *text = NULL;
    bool same = hcl_value_encode(value, HCL_FORMAT_JSON, 0, NULL, &text, NULL) == HCL_OK && str_is(hcl_buf_str(text), expected);
    if (!same)
        fprintf(stderr, "got %s\n", text == NULL ? "nothing" : hcl_buf_str(text).ptr);
    hcl_buf_free(text);
    hcl_value_free(value);
    return same;
}

static void decoding(void)
{
    hcl_spec *spec = spec_of(spec_source, 0), *again = NULL;
    hcl_file *file = file_of("name = 5\nport {\n  number = twice(base)\n}\nport {}\n");
    hcl_value *value = NULL;
    hcl_type *type = NULL, *want = NULL;
    hcl_traversals *list = NULL;
    hcl_schema *schema = NULL;
    const hcl_body *body = hcl_file_body(file);

    STATUS(HCL_OK, hcl_spec_ref(spec, &again));
    hcl_spec_free(spec);
    spec = again;
    STATUS(HCL_OK, hcl_spec_decode(spec, body, NULL, &value, NULL));
    CHECK(json_is(value, "{\"name\":\"5\",\"port\":[16000,null]}"));
    STATUS(HCL_OK, hcl_spec_type(spec, &type));
    STATUS(HCL_OK, hcl_type_parse("object({name = string, port = list(number)})", HCL_NUL, &want, NULL));
    CHECK(hcl_type_equal(type, want));
    hcl_type_free(type);
    hcl_type_free(want);
    STATUS(HCL_OK, hcl_spec_variables(spec, body, 0, &list));
    CHECK(hcl_traversals_count(list) == 1 && str_is(hcl_traversals_root(list, 0), "base"));
    hcl_traversals_free(list);
    STATUS(HCL_OK, hcl_spec_schema(spec, &schema));
    CHECK(hcl_schema_block(schema, "port", 4) != NULL && hcl_schema_block(schema, "name", 4) == NULL);
    hcl_schema_free(schema);

    /* What is wrong has a place; nothing is written. */
    hcl_file *bad = file_of("port {\n  number = \"x\"\n}\nspeed = 1\n");
    hcl_diags *diags = NULL;
    hcl_diag diag = {0};
    value = NULL;
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_spec_decode(spec, hcl_file_body(bad), NULL, &value, &diags));
    CHECK(value == NULL && hcl_diags_count(diags) == 3);
    diag.size = sizeof diag;
    STATUS(HCL_OK, hcl_diags_get(diags, 2, &diag));
    CHECK(diag.subject.start.line == 2);
    hcl_diags_free(diags);
    hcl_file_free(bad);
    hcl_file_free(file);
    hcl_spec_free(spec);

    /* The JSON form of the language, and a specification with an error. */
    spec = spec_of("{\"attr\": {\"name\": \"a\", \"type\": \"${number}\"}}", HCL_PARSE_JSON);
    file = file_of("a = \"7\"\n");
    STATUS(HCL_OK, hcl_spec_decode(spec, hcl_file_body(file), NULL, &value, NULL));
    CHECK(json_is(value, "7"));
    hcl_file_free(file);
    hcl_spec_free(spec);
    spec = NULL;
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_spec_parse("spec", 4, "object {}\nobject {}\n", HCL_NUL, NULL, &spec, &diags));
    CHECK(spec == NULL && hcl_diags_count(diags) == 1);
    hcl_diags_free(diags);
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_spec_parse("spec", 4, "object {", HCL_NUL, NULL, &spec, NULL));
    CHECK(spec == NULL);
}

static const char dynamic_source[] =
    "name = \"x\"\n"
    "dynamic \"port\" {\n"
    "  for_each = ports\n"
    "  content {\n"
    "    number = port.value + base\n"
    "  }\n"
    "}\n"
    "port {\n"
    "  number = 1\n"
    "}\n";

static void dynamic_blocks(void)
{
    hcl_spec *spec = spec_of(spec_source, 0);
    hcl_file *file = file_of(dynamic_source);
    hcl_scope *outer = NULL, *scope = NULL, *other = plain_scope();
    hcl_frame *frame = NULL, *strange = NULL;
    hcl_body *body = NULL, *content = NULL, *inner = NULL;
    hcl_schema *schema = NULL;
    hcl_value *value = NULL, *ports = NULL;
    hcl_traversals *list = NULL;
    hcl_diags *diags = NULL;
    size_t slot = 0;

    STATUS(HCL_OK, hcl_scope_new(NULL, &outer));
    STATUS(HCL_OK, hcl_scope_slot(outer, "ports", HCL_NUL, &slot));
    STATUS(HCL_ERR_ARGUMENT, hcl_spec_scope(spec, outer, &scope));
    STATUS(HCL_ERR_ARGUMENT, hcl_body_expand_dynamic(hcl_file_body(file), outer, NULL, &body));
    STATUS(HCL_OK, hcl_scope_seal(outer));
    STATUS(HCL_OK, hcl_spec_scope(spec, outer, &scope));
    STATUS(HCL_OK, hcl_frame_new(scope, &frame));
    STATUS(HCL_OK, hcl_frame_new(other, &strange));
    STATUS(HCL_OK, hcl_value_decode(HCL_FORMAT_JSON, "[80, 443]", HCL_NUL, NULL, NULL, &ports, NULL));
    STATUS(HCL_OK, hcl_frame_set(frame, slot, ports));
    STATUS(HCL_OK, hcl_body_expand_dynamic(hcl_file_body(file), scope, NULL, &body));
    hcl_file_free(file);
    STATUS(HCL_OK, hcl_spec_decode(spec, body, frame, &value, NULL));
    CHECK(json_is(value, "{\"name\":\"x\",\"port\":[8080,8443,1]}"));
    value = NULL;
    STATUS(HCL_ERR_ARGUMENT, hcl_spec_decode(spec, body, strange, &value, &diags));
    CHECK(value == NULL && hcl_diags_count(diags) == 1);
    hcl_diags_free(diags);

    STATUS(HCL_OK, hcl_spec_variables(spec, body, 0, &list));
    CHECK(hcl_traversals_count(list) == 2 && str_is(hcl_traversals_root(list, 1), "base"));
    hcl_traversals_free(list);
    STATUS(HCL_OK, hcl_spec_variables(spec, body, HCL_VARIABLES_FOR_EXPANSION, &list));
    CHECK(hcl_traversals_count(list) == 1 && str_is(hcl_traversals_root(list, 0), "ports"));
    hcl_traversals_free(list);

    /* By schema: attributes of generated blocks know their iterators, in a frame and after it. */
    STATUS(HCL_OK, hcl_spec_schema(spec, &schema));
    STATUS(HCL_OK, hcl_body_content(body, schema, 0, frame, &content, NULL, NULL));
    CHECK(hcl_body_block_count(content) == 3);
    STATUS(HCL_OK, hcl_body_content(hcl_block_body(hcl_body_block_at(content, 1)),
                       hcl_schema_block(schema, "port", 4), 0, frame, &inner, NULL, NULL));
    STATUS(HCL_OK, hcl_attr_eval(hcl_body_attr_at(inner, 0), frame, &value, NULL));
    CHECK(json_is(value, "8443"));
    STATUS(HCL_OK, hcl_attr_variables(hcl_body_attr_at(inner, 0), &list));
    CHECK(hcl_traversals_count(list) == 1 && str_is(hcl_traversals_root(list, 0), "base"));
    hcl_traversals_free(list);
    hcl_body_free(inner);
    hcl_body_free(content);

    /* A collection that is not known: one block stands for all. */
    hcl_type *any = NULL;
    hcl_value *unknown = NULL;
    STATUS(HCL_OK, hcl_type_parse("list(number)", HCL_NUL, &any, NULL));
    STATUS(HCL_OK, hcl_value_unknown(any, &unknown));
    STATUS(HCL_OK, hcl_frame_set(frame, slot, unknown));
    STATUS(HCL_OK, hcl_body_content(body, schema, 0, frame, &content, NULL, NULL));
    CHECK(hcl_body_is_unknown(hcl_block_body(hcl_body_block_at(content, 0))));
    CHECK(!hcl_body_is_unknown(hcl_block_body(hcl_body_block_at(content, 1))) && !hcl_body_is_unknown(body));
    hcl_body_free(content);
    hcl_value_free(unknown);
    hcl_type_free(any);

    /* Expanded once, it can be neither expanded nor merged again. */
    hcl_body *again = NULL;
    STATUS(HCL_ERR_TYPE, hcl_body_expand_dynamic(body, scope, NULL, &again));
    STATUS(HCL_ERR_TYPE, hcl_body_merge((const hcl_body *const *)&body, 1, &again));
    CHECK(again == NULL);
    hcl_body_free(body);
    hcl_schema_free(schema);
    hcl_value_free(ports);
    hcl_frame_free(frame);
    hcl_frame_free(strange);
    hcl_scope_free(scope);
    hcl_scope_free(outer);
    hcl_scope_free(other);
    hcl_spec_free(spec);
}

static void options_of_dynamic(void)
{
    hcl_spec *spec = spec_of(spec_source, 0);
    hcl_file *file = file_of("name = \"n\"\ndynamic \"port\" {\n  for_each = [1]\n  content {}\n}\n");
    hcl_dynamic_opts opts = {0};
    hcl_str port = {"port", 4}, lamp = {"lamp", 4}, bad = {"\xff", 1};
    hcl_body *body = NULL;
    hcl_value *value = NULL;

    opts.size = sizeof opts;
    opts.only = &port;
    opts.n_only = 1;
    STATUS(HCL_OK, hcl_body_expand_dynamic(hcl_file_body(file), NULL, &opts, &body));
    STATUS(HCL_OK, hcl_spec_decode(spec, body, NULL, &value, NULL));
    CHECK(json_is(value, "{\"name\":\"n\",\"port\":[null]}"));
    hcl_body_free(body);
    body = NULL;
    value = NULL;
    opts.only = &lamp;
    STATUS(HCL_OK, hcl_body_expand_dynamic(hcl_file_body(file), NULL, &opts, &body));
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_spec_decode(spec, body, NULL, &value, NULL));
    CHECK(value == NULL);
    hcl_body_free(body);
    body = NULL;
    opts.only = &bad;
    STATUS(HCL_ERR_ARGUMENT, hcl_body_expand_dynamic(hcl_file_body(file), NULL, &opts, &body));
    opts.only = NULL;
    STATUS(HCL_ERR_ARGUMENT, hcl_body_expand_dynamic(hcl_file_body(file), NULL, &opts, &body));
    opts.n_only = 0;
    opts.opaque = &port;
    opts.n_opaque = SIZE_MAX;
    STATUS(HCL_ERR_ARGUMENT, hcl_body_expand_dynamic(hcl_file_body(file), NULL, &opts, &body));
    CHECK(body == NULL);
    hcl_file_free(file);
    hcl_spec_free(spec);
}

/* Limits count for all of a body together, and cancelling is heard. */
static void limits(void)
{
    hcl_spec *spec = spec_of(spec_source, 0);
    hcl_file *file = file_of("name = \"x\"\nport {\n  number = length([for a in range(1000) : a])\n}\n");
    hcl_scope *scope = plain_scope();
    hcl_frame *frame = NULL;
    hcl_limits limit = {0}, used = {0};
    hcl_cancel *cancel = NULL;
    hcl_value *value = NULL;

    STATUS(HCL_OK, hcl_frame_new(scope, &frame));
    STATUS(HCL_OK, hcl_spec_decode(spec, hcl_file_body(file), frame, &value, NULL));
    CHECK(json_is(value, "{\"name\":\"x\",\"port\":[1000]}"));
    value = NULL;
    used.size = limit.size = sizeof used;
    STATUS(HCL_OK, hcl_frame_used(frame, &used));
    CHECK(used.max_steps > 1000 && used.max_elements >= 1000);
    limit.max_elements = 500;
    STATUS(HCL_OK, hcl_frame_set_limits(frame, &limit));
    STATUS(HCL_ERR_LIMIT, hcl_spec_decode(spec, hcl_file_body(file), frame, &value, NULL));
    STATUS(HCL_OK, hcl_frame_set_limits(frame, NULL));
    STATUS(HCL_OK, hcl_cancel_new(&cancel));
    STATUS(HCL_OK, hcl_frame_set_cancel(frame, cancel));
    hcl_cancel_trigger(cancel);
    STATUS(HCL_ERR_CANCELLED, hcl_spec_decode(spec, hcl_file_body(file), frame, &value, NULL));
    CHECK(value == NULL);
    hcl_cancel_free(cancel);
    hcl_frame_free(frame);
    hcl_scope_free(scope);
    hcl_file_free(file);
    hcl_spec_free(spec);
}

int main(void)
{
    decoding();
    dynamic_blocks();
    options_of_dynamic();
    limits();
    return failures != 0;
}

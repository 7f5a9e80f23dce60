/* Null pointers, lengths and flags that make no sense, for what reads sources and bodies: a status or the documented
 * empty answer, never a crash. */
#include "check.h"

static const char no_text[] = "\xff";

static void frees(void)
{
    hcl_body_free(NULL);
    hcl_definitions_free(NULL);
    hcl_schema_free(NULL);
    hcl_spec_free(NULL);
    hcl_static_free(NULL);
    hcl_traversals_free(NULL);
}

static void empty_answers(void)
{
    hcl_schema *schema = NULL;

    CHECK(!hcl_body_is_unknown(NULL));
    CHECK(hcl_block_filename(NULL).len == 0);
    CHECK(hcl_expr_filename(NULL).len == 0);
    CHECK(hcl_static_name(NULL).len == 0);
    CHECK(hcl_static_count(NULL) == 0);
    CHECK(hcl_static_at(NULL, 0) == NULL);
    CHECK(hcl_static_key(NULL, 0) == NULL);
    CHECK(hcl_traversals_filename(NULL, 0).len == 0);
    CHECK(hcl_traversals_step_count(NULL, 0) == 0);
    CHECK(hcl_schema_block(NULL, "a", 1) == NULL);
    STATUS(HCL_OK, hcl_schema_parse(NULL, 0, "a {\n  b = optional\n}\n", HCL_NUL, NULL, &schema, NULL));
    CHECK(hcl_schema_block(schema, "a", 1) != NULL);
    CHECK(hcl_schema_block(schema, NULL, 1) == NULL && hcl_schema_block(schema, no_text, 1) == NULL);
    hcl_schema_free(schema);
}

static void reading(void)
{
    hcl_file *file = NULL;
    hcl_schema *schema = NULL;
    hcl_body *body = NULL;
    hcl_traversals *list = NULL;
    hcl_value *value = NULL;
    hcl_diags *diags = NULL;
    hcl_range range;

    STATUS(HCL_OK, hcl_file_parse("f", 1, "a = 1\n", HCL_NUL, NULL, &file, NULL));
    STATUS(HCL_OK, hcl_schema_parse("s", 1, "a = required\n", HCL_NUL, NULL, &schema, NULL));
    const hcl_body *root = hcl_file_body(file);
    STATUS(HCL_ERR_ARGUMENT, hcl_body_content(NULL, schema, 0, NULL, &body, NULL, &diags));
    CHECK(hcl_diags_count(diags) == 1);
    hcl_diags_free(diags);
    STATUS(HCL_ERR_ARGUMENT, hcl_body_content(root, NULL, 0, NULL, &body, NULL, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_body_content(root, schema, 0, NULL, NULL, NULL, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_body_just_attributes(NULL, 0, &body, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_body_just_attributes(root, 0, NULL, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_body_merge(NULL, 1, &body));
    STATUS(HCL_ERR_ARGUMENT, hcl_body_merge(&root, SIZE_MAX, &body));
    STATUS(HCL_ERR_ARGUMENT, hcl_body_merge(&root, 1, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_body_merge((const hcl_body *const[]){root, NULL}, 2, &body));
    STATUS(HCL_ERR_ARGUMENT, hcl_body_ref(NULL, &body));
    STATUS(HCL_ERR_ARGUMENT, hcl_body_ref(root, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_body_variables(NULL, schema, 0, &list));
    STATUS(HCL_ERR_ARGUMENT, hcl_body_variables(root, NULL, 0, &list));
    STATUS(HCL_ERR_ARGUMENT, hcl_body_variables(root, schema, 2, &list));
    STATUS(HCL_ERR_ARGUMENT, hcl_body_variables(root, schema, 0, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_attr_eval(NULL, NULL, &value, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_attr_eval(hcl_body_attr_at(root, 0), NULL, NULL, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_attr_name_range(NULL, &range));
    STATUS(HCL_ERR_ARGUMENT, hcl_attr_variables(NULL, &list));
    STATUS(HCL_ERR_ARGUMENT, hcl_attr_variables(hcl_body_attr_at(root, 0), NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_block_type_range(NULL, &range));
    STATUS(HCL_ERR_ARGUMENT, hcl_block_definition_range(NULL, &range));
    STATUS(HCL_ERR_ARGUMENT, hcl_schema_ref(NULL, &schema));
    STATUS(HCL_ERR_ARGUMENT, hcl_schema_ref(schema, NULL));
    CHECK(body == NULL && list == NULL && value == NULL);
    hcl_schema_free(schema);
    schema = NULL;
    STATUS(HCL_ERR_ARGUMENT, hcl_schema_parse("s", 1, NULL, 3, NULL, &schema, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_schema_parse("s", 1, "", 0, NULL, NULL, NULL));
    CHECK(schema == NULL);
    hcl_file_free(file);
}

static void analysis(void)
{
    hcl_expr *expr = NULL;
    hcl_static *form = NULL;
    hcl_traversals *list = NULL;
    hcl_step step = {0};

    STATUS(HCL_OK, hcl_expr_parse("e", 1, "a.b", HCL_NUL, NULL, 0, NULL, &expr, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_expr_functions(NULL, &list));
    STATUS(HCL_ERR_ARGUMENT, hcl_expr_functions(expr, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_expr_static(NULL, HCL_STATIC_LIST, &form));
    STATUS(HCL_ERR_ARGUMENT, hcl_expr_static(expr, HCL_STATIC_LIST, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_expr_static_traversal(NULL, &list));
    STATUS(HCL_ERR_ARGUMENT, hcl_expr_static_traversal(expr, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_traversal_parse("e", 1, NULL, 2, NULL, 0, NULL, &list, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_traversal_parse("e", 1, "a", 1, NULL, 0, NULL, NULL, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_traversals_step(NULL, 0, 0, &step));
    CHECK(list == NULL && form == NULL);
    STATUS(HCL_OK, hcl_expr_variables(expr, &list));
    STATUS(HCL_ERR_ARGUMENT, hcl_traversals_step(list, 0, 0, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_traversals_step(list, 0, 0, &step)); /* size 0 */
    hcl_traversals_free(list);
    hcl_expr_free(expr);
}

static void specifications(void)
{
    hcl_file *file = NULL;
    hcl_spec *spec = NULL, *again = NULL;
    hcl_type *type = NULL;
    hcl_schema *schema = NULL;
    hcl_scope *scope = NULL;
    hcl_body *body = NULL;
    hcl_value *value = NULL;
    hcl_traversals *list = NULL;
    hcl_definitions *definitions = NULL;

    STATUS(HCL_OK, hcl_file_parse("f", 1, "a = 1\n", HCL_NUL, NULL, &file, NULL));
    const hcl_body *root = hcl_file_body(file);
    STATUS(HCL_ERR_ARGUMENT, hcl_spec_parse("s", 1, NULL, 3, NULL, &spec, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_spec_parse("s", 1, "", 0, NULL, NULL, NULL));
    CHECK(spec == NULL);
    STATUS(HCL_OK, hcl_spec_parse("s", 1, "attr {\n  name = \"a\"\n}\n", HCL_NUL, NULL, &spec, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_spec_ref(NULL, &again));
    STATUS(HCL_ERR_ARGUMENT, hcl_spec_ref(spec, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_spec_type(NULL, &type));
    STATUS(HCL_ERR_ARGUMENT, hcl_spec_type(spec, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_spec_schema(NULL, &schema));
    STATUS(HCL_ERR_ARGUMENT, hcl_spec_schema(spec, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_spec_scope(NULL, NULL, &scope));
    STATUS(HCL_ERR_ARGUMENT, hcl_spec_scope(spec, NULL, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_spec_variables(NULL, root, 0, &list));
    STATUS(HCL_ERR_ARGUMENT, hcl_spec_variables(spec, NULL, 0, &list));
    STATUS(HCL_ERR_ARGUMENT, hcl_spec_variables(spec, root, 4, &list));
    STATUS(HCL_ERR_ARGUMENT, hcl_spec_variables(spec, root, 0, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_spec_decode(NULL, root, NULL, &value, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_spec_decode(spec, NULL, NULL, &value, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_spec_decode(spec, root, NULL, NULL, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_body_expand_dynamic(NULL, NULL, NULL, &body));
    STATUS(HCL_ERR_ARGUMENT, hcl_body_expand_dynamic(root, NULL, NULL, NULL));
    hcl_dynamic_opts opts = {0};
    STATUS(HCL_ERR_ARGUMENT, hcl_body_expand_dynamic(root, NULL, &opts, &body)); /* size 0 */
    STATUS(HCL_ERR_ARGUMENT, hcl_definitions_new(no_text, 1, &definitions));
    STATUS(HCL_ERR_ARGUMENT, hcl_definitions_new("a", 1, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_definitions_add(NULL, hcl_body_attr_at(root, 0)));
    STATUS(HCL_ERR_ARGUMENT, hcl_definitions_order(NULL, &value, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_definitions_eval(NULL, NULL, &value, NULL));
    CHECK(again == NULL && type == NULL && schema == NULL && scope == NULL && body == NULL);
    CHECK(value == NULL && list == NULL && definitions == NULL);
    STATUS(HCL_OK, hcl_definitions_new(NULL, 0, &definitions));
    STATUS(HCL_ERR_ARGUMENT, hcl_definitions_add(definitions, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_definitions_order(definitions, NULL, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_definitions_eval(definitions, NULL, NULL, NULL));
    hcl_definitions_free(definitions);
    hcl_spec_free(spec);
    hcl_file_free(file);
}

int main(void)
{
    specifications();
    frees();
    empty_answers();
    reading();
    analysis();
    return failures != 0;
}

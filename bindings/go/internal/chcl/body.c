/* Bodies: what is in one is listed in one crossing. */
#include "wire.h"

hclgo_made hclgo_schema_parse(const char *name, size_t name_len, const char *src, size_t len, const hcl_parse_opts *opts)
{
    hclgo_made made = {NULL, NULL, 0};
    hcl_schema *object = NULL;
    made.status = hcl_schema_parse(name, name_len, src, len, opts, &object, &made.diags);
    made.object = object;
    return made;
}

static hclgo_made body_made(int32_t status, hcl_body *body, hcl_diags *diags)
{
    hclgo_made made = {body, diags, status};
    return made;
}

hclgo_made hclgo_file_body(const hcl_file *file)
{
    hcl_body *body = NULL;
    int32_t status = hcl_body_ref(hcl_file_body(file), &body);
    return body_made(status, body, NULL);
}

hclgo_made hclgo_block_body(const hcl_block *block)
{
    hcl_body *body = NULL;
    int32_t status = hcl_body_ref(hcl_block_body(block), &body);
    return body_made(status, body, NULL);
}

hclgo_made hclgo_body_just_attributes(const hcl_body *body)
{
    hcl_body *content = NULL;
    hcl_diags *diags = NULL;
    int32_t status = hcl_body_just_attributes(body, 0, &content, &diags);
    return body_made(status, content, diags);
}

hclgo_made hclgo_body_merge(const hcl_body *first, const hcl_body *second)
{
    const hcl_body *both[2];
    hcl_body *merged = NULL;
    both[0] = first;
    both[1] = second;
    int32_t status = hcl_body_merge(both, 2, &merged);
    return body_made(status, merged, NULL);
}

hclgo_content hclgo_body_content(const hcl_body *body, const hcl_schema *schema, bool partial, hcl_frame *frame,
                                 uintptr_t env)
{
    hclgo_content content = {NULL, NULL, NULL, 0};
    uint32_t flags = HCL_CONTENT_WITH_ERRORS | (partial ? HCL_CONTENT_PARTIAL : 0);
    uintptr_t outer = hclgo_enter(env);
    content.status = hcl_body_content(body, schema, flags, frame, &content.content, partial ? &content.rest : NULL,
                                      &content.diags);
    hclgo_enter(outer);
    return content;
}

hclgo_made hclgo_attr_eval(const hcl_attr *attr, hcl_frame *frame, uintptr_t env)
{
    hclgo_made made = {NULL, NULL, 0};
    hcl_value *value = NULL;
    uintptr_t outer = hclgo_enter(env);
    made.status = hcl_attr_eval(attr, frame, &value, &made.diags);
    hclgo_enter(outer);
    made.object = value;
    return made;
}

hclgo_made hclgo_attr_expr(const hcl_attr *attr)
{
    hclgo_made made = {NULL, NULL, 0};
    hcl_expr *expr = NULL;
    made.status = hcl_expr_ref(hcl_attr_expr(attr), &expr);
    made.object = expr;
    return made;
}

static int32_t put_attr(out *o, const hcl_attr *attr)
{
    hcl_range all, name, expr;
    const hcl_expr *expression = hcl_attr_expr(attr);
    int32_t status = hcl_attr_range(attr, &all);
    if (status == HCL_OK) status = hcl_attr_name_range(attr, &name);
    if (status == HCL_OK) status = hcl_expr_range(expression, &expr);
    if (status != HCL_OK) return status;
    hclgo_put_word(o, (uint64_t)(uintptr_t)attr);
    hclgo_put_text(o, hcl_attr_name(attr));
    hclgo_put_text(o, hcl_expr_filename(expression));
    hclgo_put_range(o, &all);
    hclgo_put_range(o, &name);
    hclgo_put_range(o, &expr);
    return HCL_OK;
}

static int32_t put_block(out *o, const hcl_block *block)
{
    hcl_range all, definition, type, label;
    size_t labels = hcl_block_label_count(block);
    int32_t status = hcl_block_range(block, &all);
    if (status == HCL_OK) status = hcl_block_definition_range(block, &definition);
    if (status == HCL_OK) status = hcl_block_type_range(block, &type);
    if (status != HCL_OK) return status;
    hclgo_put_word(o, (uint64_t)(uintptr_t)block);
    hclgo_put_text(o, hcl_block_type(block));
    hclgo_put_text(o, hcl_block_filename(block));
    hclgo_put_range(o, &all);
    hclgo_put_range(o, &definition);
    hclgo_put_range(o, &type);
    hclgo_put_word(o, labels);
    for (size_t l = 0; status == HCL_OK && l < labels; l++) {
        hclgo_put_text(o, hcl_block_label(block, l));
        status = hcl_block_label_range(block, l, &label);
        if (status == HCL_OK) hclgo_put_range(o, &label);
    }
    return status;
}

hclgo_bytes hclgo_body_dump(const hcl_body *body)
{
    out o = {NULL, 0, 0};
    hcl_range missing = {{0, 0, 0}, {0, 0, 0}};
    int32_t status = hcl_body_missing_range(body, &missing);
    if (status == HCL_ERR_NOT_FOUND) status = HCL_OK;
    hclgo_put_range(&o, &missing);
    size_t attrs = hcl_body_attr_count(body), blocks = hcl_body_block_count(body);
    hclgo_put_word(&o, attrs);
    for (size_t a = 0; status == HCL_OK && a < attrs; a++) status = put_attr(&o, hcl_body_attr_at(body, a));
    hclgo_put_word(&o, blocks);
    for (size_t b = 0; status == HCL_OK && b < blocks; b++) status = put_block(&o, hcl_body_block_at(body, b));
    return hclgo_bytes_of(&o, status);
}

/* Specifications, dynamic blocks and formatting. */
#include "wire.h"

hclgo_bytes hclgo_decoded_range(const hcl_spec *spec, const hcl_body *body, hcl_frame *frame, const char *path,
                                size_t path_len, uint32_t part, uintptr_t env)
{
    out o = {NULL, 0, 0};
    hcl_str name = {"", 0};
    hcl_range range = {{0, 0, 0}, {0, 0, 0}};
    uintptr_t outer = hclgo_enter(env);
    int32_t status = hcl_decoded_range(spec, body, frame, path, path_len, part, &name, &range);
    hclgo_enter(outer);
    hclgo_put_text(&o, name);
    hclgo_put_range(&o, &range);
    return hclgo_bytes_of(&o, status);
}

#include <stdlib.h>
#include <string.h>

hclgo_made hclgo_spec_parse(const char *name, size_t name_len, const char *src, size_t src_len, const hcl_parse_opts *opts)
{
    hclgo_made made = {NULL, NULL, 0};
    hcl_spec *object = NULL;
    made.status = hcl_spec_parse(name, name_len, src, src_len, opts, &object, &made.diags);
    made.object = object;
    return made;
}

hclgo_bytes hclgo_spec_type(const hcl_spec *spec)
{
    hcl_type *type = NULL;
    hcl_buf *buf = NULL;
    int32_t status = hcl_spec_type(spec, &type);
    if (status == HCL_OK) status = hcl_type_text(type, &buf);
    hcl_type_free(type);
    hclgo_bytes bytes = hclgo_buf_take(buf);
    bytes.status = status;
    return bytes;
}

hclgo_made hclgo_spec_decode(const hcl_spec *spec, const hcl_body *body, hcl_frame *frame, uintptr_t env)
{
    hclgo_made made = {NULL, NULL, 0};
    hcl_value *value = NULL;
    uintptr_t outer = hclgo_enter(env);
    made.status = hcl_spec_decode(spec, body, frame, &value, &made.diags);
    hclgo_enter(outer);
    made.object = value;
    return made;
}

hclgo_made hclgo_body_expand(const hcl_body *body, const hcl_scope *scope, const char *only, const size_t *lens, size_t n_only)
{
    hclgo_made made = {NULL, NULL, 0};
    hcl_body *object = NULL;
    hcl_dynamic_opts opts;
    hcl_str *types = calloc(n_only + 1, sizeof *types);
    if (types == NULL) abort();
    for (size_t t = 0; t < n_only; t++) {
        types[t].ptr = only;
        types[t].len = lens[t];
        only += lens[t];
    }
    memset(&opts, 0, sizeof opts);
    opts.size = sizeof opts;
    opts.only = types;
    opts.n_only = n_only;
    made.status = hcl_body_expand_dynamic(body, scope, &opts, &object);
    free(types);
    made.object = object;
    return made;
}

/* The object is an hcl_buf. */
hclgo_made hclgo_format(const char *name, size_t name_len, const char *src, size_t src_len, uint32_t style,
                        const hcl_parse_opts *opts)
{
    hclgo_made made = {NULL, NULL, 0};
    hcl_buf *object = NULL;
    made.status = hcl_format(name, name_len, src, src_len, style, opts, &object, &made.diags);
    made.object = object;
    return made;
}

hclgo_made hclgo_file_to_json(const hcl_file *file, hcl_frame *frame, uintptr_t env)
{
    hclgo_made made = {NULL, NULL, 0};
    hcl_buf *object = NULL;
    uintptr_t outer = hclgo_enter(env);
    made.status = hcl_file_to_json(file, frame, &object, &made.diags);
    hclgo_enter(outer);
    made.object = object;
    return made;
}

hclgo_made hclgo_file_to_native(const hcl_file *file, const hcl_schema *schema)
{
    hclgo_made made = {NULL, NULL, 0};
    hcl_buf *object = NULL;
    made.status = hcl_file_to_native(file, schema, &object, &made.diags);
    made.object = object;
    return made;
}

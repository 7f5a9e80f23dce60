/* Documents. */
#include "document.h"

#include <stdlib.h>

hclgo_made hclgo_document_new(const char *name, size_t name_len)
{
    hclgo_made made = {NULL, NULL, 0};
    hcl_document *object = NULL;
    made.status = hcl_document_new(name, name_len, &object, &made.diags);
    made.object = object;
    return made;
}

hclgo_made hclgo_document_parse(const char *name, size_t name_len, const char *src, size_t src_len, const hcl_parse_opts *opts)
{
    hclgo_made made = {NULL, NULL, 0};
    hcl_document *object = NULL;
    made.status = hcl_document_parse(name, name_len, src, src_len, opts, &object, &made.diags);
    made.object = object;
    return made;
}

hclgo_made hclgo_document_read(const hcl_document *document, int what, const char *address, size_t address_len)
{
    hclgo_made made = {NULL, NULL, 0};
    hcl_value *value = NULL;
    switch (what) {
    case HCLGO_LIST: made.status = hcl_document_list(document, address, address_len, &value, &made.diags); break;
    case HCLGO_SOURCE: made.status = hcl_document_get(document, address, address_len, &value, &made.diags); break;
    default: made.status = hcl_document_comments(document, address, address_len, &value, &made.diags); break;
    }
    made.object = value;
    return made;
}

hclgo_edited hclgo_document_edit(hcl_document *document, int what, const char *a, size_t a_len, const char *b, size_t b_len,
                                 uint32_t place, const hcl_value *value, uint32_t flags)
{
    hclgo_edited e = {NULL, 0, 0};
    switch (what) {
    case HCLGO_SET: e.status = hcl_document_set(document, a, a_len, b, b_len, flags, &e.diags); break;
    case HCLGO_SET_VALUE: e.status = hcl_document_set_value(document, a, a_len, value, flags, &e.diags); break;
    case HCLGO_APPEND: e.status = hcl_document_append(document, a, a_len, b, b_len, &e.diags); break;
    case HCLGO_INSERT: e.status = hcl_document_insert(document, a, a_len, place, b, b_len, &e.diags); break;
    case HCLGO_MOVE: e.status = hcl_document_move(document, a, a_len, b, b_len, place, &e.diags); break;
    case HCLGO_MOVE_TO: e.status = hcl_document_move_to(document, a, a_len, b, b_len, flags, &e.diags); break;
    case HCLGO_REMOVE: e.status = hcl_document_remove(document, a, a_len, flags, &e.n, &e.diags); break;
    case HCLGO_RENAME: e.status = hcl_document_rename(document, a, a_len, b, b_len, flags, &e.diags); break;
    case HCLGO_SET_COMMENT:
        e.status = hcl_document_set_comment(document, a, a_len, place, b, b_len, flags, &e.diags);
        break;
    case HCLGO_RENAME_REFERENCES:
        e.status = hcl_document_rename_references(document, a, a_len, b, b_len, &e.n, &e.diags);
        break;
    default: e.status = hcl_document_format(document, &e.diags); break;
    }
    return e;
}

hclgo_edited hclgo_document_block(hcl_document *document, const char *container, size_t container_len, const char *type,
                                  size_t type_len, const char *labels, const size_t *lens, size_t n_labels,
                                  const hcl_value *body, uint32_t flags)
{
    hclgo_edited e = {NULL, 0, 0};
    hcl_str *texts = calloc(n_labels + 1, sizeof *texts);
    if (texts == NULL) abort();
    for (size_t l = 0; l < n_labels; l++) {
        texts[l].ptr = labels;
        texts[l].len = lens[l];
        labels += lens[l];
    }
    if (type == NULL)
        e.status = hcl_document_relabel(document, container, container_len, texts, n_labels, flags, &e.diags);
    else
        e.status = hcl_document_append_block(document, container, container_len, type, type_len, texts, n_labels, body,
                                             flags, &e.diags);
    free(texts);
    return e;
}

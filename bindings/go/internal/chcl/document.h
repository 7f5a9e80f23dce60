/* Documents: one way for all edits, which differ in two texts, a number and a value. */
#ifndef HCLGO_DOCUMENT_H
#define HCLGO_DOCUMENT_H

#include "glue.h"

/* Which edit. */
enum {
    HCLGO_SET,
    HCLGO_SET_VALUE,
    HCLGO_APPEND,
    HCLGO_INSERT,
    HCLGO_MOVE,
    HCLGO_MOVE_TO,
    HCLGO_REMOVE,
    HCLGO_RENAME,
    HCLGO_SET_COMMENT,
    HCLGO_RENAME_REFERENCES,
    HCLGO_FORMAT
};

/* Which question. */
enum { HCLGO_LIST, HCLGO_SOURCE, HCLGO_COMMENTS };

/* How many places an edit changed, where it tells, or why there is none. */
typedef struct {
    hcl_diags *diags;
    size_t n;
    int32_t status;
} hclgo_edited;

hclgo_made hclgo_document_new(const char *name, size_t name_len);
hclgo_made hclgo_document_parse(const char *name, size_t name_len, const char *src, size_t src_len, const hcl_parse_opts *opts);
hclgo_made hclgo_document_read(const hcl_document *document, int what, const char *address, size_t address_len);
hclgo_edited hclgo_document_edit(hcl_document *document, int what, const char *a, size_t a_len, const char *b, size_t b_len,
                                 uint32_t place, const hcl_value *value, uint32_t flags);
/* Labels are their texts one behind the other, and their lengths. Without a type blocks are given other labels. */
hclgo_edited hclgo_document_block(hcl_document *document, const char *container, size_t container_len, const char *type,
                                  size_t type_len, const char *labels, const size_t *lens, size_t n_labels,
                                  const hcl_value *body, uint32_t flags);

#endif

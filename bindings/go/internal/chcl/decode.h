/* The wishes of a Go struct for a body, and a body read by it in one crossing. */
#ifndef HCLGO_DECODE_H
#define HCLGO_DECODE_H

#include "glue.h"

/* How a struct type reads bodies. It is described once, after it was made, and then only read, from any thread. Plans may
 * refer to each other in circles. They are never released: a program has as many as it has such types. */
typedef struct hclgo_plan hclgo_plan;

hclgo_plan *hclgo_plan_new(void);
/* Describes a plan by a run of bytes, whose form stands in plan.go. The plan takes the schema. */
int32_t hclgo_plan_fill(hclgo_plan *plan, hcl_schema *schema, const char *wire, size_t len);

/* The result of reading: bytes, whose form stands in decode.c, and the objects that they point to. */
typedef struct {
    char *bytes;
    size_t len;
    void *held;
    hcl_diags *diags;
    int32_t status;
} hclgo_read;

hclgo_read hclgo_body_read(const hcl_body *body, const hclgo_plan *plan, hcl_frame *frame, uintptr_t env);
/* Releases what was read. */
void hclgo_read_free(char *bytes, void *held);

hclgo_made hclgo_body_ref(const hcl_body *body);
/* Where the header of a block stands, behind the name of its file. */
hclgo_bytes hclgo_block_definition(const hcl_block *block);
/* The full text of the first diagnostic of a list. */
hclgo_bytes hclgo_diags_detail(const hcl_diags *diags);

#endif

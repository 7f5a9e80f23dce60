/* Rows: many evaluations for one crossing. The cells come as a run of values, row by row, and go as one. */
#include "wire.h"

#include <stdlib.h>
#include <string.h>

/* What the cells point to while the call lasts. */
typedef struct {
    hcl_cell *cells, *results;
    hcl_value **values;
    size_t n_values;
} batch;

/* A cell from the next value of a run. Texts stay where they are; what has no cell is built. */
static int32_t cell_of(hcl_cell *cell, batch *b, hcl_builder *builder, in *i)
{
    switch (*i->at) {
    case 'n': i->at++; cell->kind = HCL_CELL_NULL; return HCL_OK;
    case 't':
    case 'f': cell->kind = HCL_CELL_BOOL; cell->payload.boolean = *i->at++ == 't'; return HCL_OK;
    case 'i': i->at++; cell->kind = HCL_CELL_I64; cell->payload.integer = (int64_t)hclgo_get_word(i); return HCL_OK;
    case 's': i->at++; cell->kind = HCL_CELL_STR; cell->payload.text = hclgo_get_text(i); return HCL_OK;
    case 'v':
        i->at++;
        cell->kind = HCL_CELL_VALUE;
        cell->payload.value = (const hcl_value *)(uintptr_t)hclgo_get_word(i);
        return HCL_OK;
    case 'd': {
        i->at++;
        uint64_t word = hclgo_get_word(i);
        cell->kind = HCL_CELL_F64;
        memcpy(&cell->payload.number, &word, sizeof word);
        return HCL_OK;
    }
    default: break;
    }
    hcl_value *value = NULL;
    int32_t status = hclgo_build(builder, i, &value);
    if (status != HCL_OK) return status;
    b->values[b->n_values++] = value;
    cell->kind = HCL_CELL_VALUE;
    cell->payload.value = value;
    return HCL_OK;
}

static void put_tagged(out *o, char tag, uint64_t word)
{
    hclgo_put_byte(o, tag);
    hclgo_put_word(o, word);
}

/* A result; a value becomes a handle of its own. */
static int32_t put_cell(out *o, const hcl_cell *cell)
{
    uint64_t word;
    switch (cell->kind) {
    case HCL_CELL_NULL: hclgo_put_byte(o, 'n'); return HCL_OK;
    case HCL_CELL_BOOL: hclgo_put_byte(o, cell->payload.boolean ? 't' : 'f'); return HCL_OK;
    case HCL_CELL_I64: put_tagged(o, 'i', (uint64_t)cell->payload.integer); return HCL_OK;
    case HCL_CELL_U64: put_tagged(o, 'w', cell->payload.natural); return HCL_OK;
    case HCL_CELL_F64:
        memcpy(&word, &cell->payload.number, sizeof word);
        put_tagged(o, 'd', word);
        return HCL_OK;
    case HCL_CELL_STR:
        hclgo_put_byte(o, 's');
        hclgo_put_text(o, cell->payload.text);
        return HCL_OK;
    case HCL_CELL_ERROR: put_tagged(o, 'E', cell->payload.index); return HCL_OK;
    default: break;
    }
    hcl_value *value = NULL;
    int32_t status = hcl_value_ref(cell->payload.value, &value);
    put_tagged(o, 'v', (uint64_t)(uintptr_t)value);
    return status;
}

static void *room_for(size_t count, size_t each)
{
    void *room = calloc(count + 1, each);
    if (room == NULL) abort();
    return room;
}

hclgo_rows hclgo_eval_rows(const hcl_program *program, hcl_frame *frame, uintptr_t env, const char *wire, size_t len,
                           const size_t *slots, size_t n_slots, size_t n_rows)
{
    hclgo_rows rows = {NULL, NULL, 0, 0};
    size_t n_cells = n_slots * n_rows;
    batch b = {room_for(n_cells, sizeof *b.cells), room_for(n_rows, sizeof *b.results),
               room_for(n_cells, sizeof *b.values), 0};
    in i = {wire, wire + len};
    out o = {NULL, 0, 0};
    hcl_builder *builder = NULL;
    hcl_buf *buf = NULL;
    rows.status = hcl_builder_new(&builder);
    for (size_t c = 0; rows.status == HCL_OK && c < n_cells; c++) {
        if (i.at == i.end) abort();
        rows.status = cell_of(&b.cells[c], &b, builder, &i);
    }
    if (rows.status == HCL_OK) {
        uintptr_t outer = hclgo_enter(env);
        rows.status = hcl_eval_rows(program, frame, slots, n_slots, b.cells, n_rows, b.results, &buf, &rows.diags);
        hclgo_enter(outer);
    }
    for (size_t r = 0; rows.status == HCL_OK && r < n_rows; r++) rows.status = put_cell(&o, &b.results[r]);
    for (size_t v = 0; v < b.n_values; v++) hcl_value_free(b.values[v]);
    hcl_buf_free(buf);
    hcl_builder_free(builder);
    free(b.cells);
    free(b.results);
    free(b.values);
    rows.bytes = o.bytes;
    rows.len = o.len;
    return rows;
}

hclgo_over hclgo_eval_arrow(const hcl_program *program, hcl_frame *frame, uintptr_t env, const struct ArrowArray *array,
                            const struct ArrowSchema *schema, uint32_t flags, const char *format, size_t format_len,
                            struct ArrowArray *out_array, struct ArrowSchema *out_schema)
{
    hclgo_over over = {NULL, 0, 0};
    hcl_arrow_opts opts = {.size = sizeof opts, .flags = flags, .format = {format, format_len}};
    uintptr_t outer = hclgo_enter(env);
    over.status = hcl_eval_arrow(program, frame, array, schema, &opts, out_array, out_schema, &over.failed, &over.diags);
    hclgo_enter(outer);
    return over;
}

void hclgo_arrow_release(struct ArrowArray *array, struct ArrowSchema *schema)
{
    if (array != NULL && array->release != NULL) array->release(array);
    if (schema != NULL && schema->release != NULL) schema->release(schema);
}

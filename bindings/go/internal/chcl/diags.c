/* Diagnostics of a Go program, and lists of them written out. */
#include "wire.h"

#include <string.h>

static hcl_range range_of(const uint64_t *words)
{
    hcl_range range;
    range.start.line = (uint32_t)words[0];
    range.start.column = (uint32_t)words[1];
    range.start.byte = words[2];
    range.end.line = (uint32_t)words[3];
    range.end.column = (uint32_t)words[4];
    range.end.byte = words[5];
    return range;
}

/* Fills a place; whether it has a handle. */
static bool place_of(const hclgo_place *from, hcl_place *place)
{
    memset(place, 0, sizeof *place);
    place->size = sizeof *place;
    place->part = from->part;
    place->attr = from->attr;
    place->block = from->block;
    place->body = from->body;
    place->expr = from->expr;
    place->spec = from->spec;
    place->path = from->path;
    place->range = range_of(from->words);
    return from->attr != NULL || from->block != NULL || from->body != NULL || from->expr != NULL;
}

hclgo_made hclgo_diags_say(const hclgo_said *said, const hclgo_place *subject, const hclgo_place *context)
{
    hclgo_made made = {NULL, NULL, 0};
    hcl_diags *list = NULL;
    hcl_diag diag;
    hcl_place tight, wide;
    memset(&diag, 0, sizeof diag);
    diag.size = sizeof diag;
    diag.severity = said->severity;
    diag.code = said->code;
    diag.summary = said->summary;
    diag.detail = said->detail;
    diag.filename = said->filename;
    diag.subject = range_of(subject->words);
    diag.context = range_of(context->words);
    bool is_tight = place_of(subject, &tight), is_wide = place_of(context, &wide);
    made.status = hcl_diags_add(&list, &diag, is_tight ? &tight : NULL, is_wide ? &wide : NULL);
    made.object = list;
    return made;
}

hclgo_made hclgo_diags_copy(const hcl_diags *diags)
{
    hclgo_made made = {NULL, NULL, 0};
    hcl_diags *list = NULL;
    made.status = hcl_diags_append(&list, diags);
    made.object = list;
    return made;
}

int32_t hclgo_diags_join(hcl_diags *list, const hcl_diags *more)
{
    return hcl_diags_append(&list, more);
}

static hclgo_bytes taken(int32_t status, hcl_buf *buf)
{
    hclgo_bytes bytes = hclgo_buf_take(buf);
    bytes.status = status;
    return bytes;
}

hclgo_bytes hclgo_diags_json(const hcl_diags *diags)
{
    hcl_buf *buf = NULL;
    int32_t status = hcl_diags_json(diags, NULL, &buf);
    return taken(status, buf);
}

hclgo_bytes hclgo_diags_sarif(const hcl_diags *diags, const char *tool, size_t tool_len, const char *version,
                              size_t version_len)
{
    hcl_buf *buf = NULL;
    int32_t status = hcl_diags_sarif(diags, tool, tool_len, version, version_len, NULL, &buf);
    return taken(status, buf);
}

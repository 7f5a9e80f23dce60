/* Memory that runs out, for large requests: work on texts of 0.5 to 8 MB is done with a part of the memory that it takes,
 * sixteenth by sixteenth or finer. It ends as it does otherwise, or says HCL_ERR_MEMORY; the process goes on. */
#define _GNU_SOURCE
#include "../check.h"
#include "../table.h"
#include "counted.h"

enum { LEN = 8 << 20, PARTS = 16, N_FINE = 8 };

static char text[LEN + 1];
static hcl_scope *scope;
static hcl_frame *frame;
static size_t slot;

static hcl_status string(void)
{
    hcl_value *value = NULL;
    hcl_status status = hcl_value_string(text, LEN, &value);
    hcl_value_free(value);
    return status;
}

static hcl_status set(void)
{
    hcl_status status = hcl_frame_set_str(frame, slot, text, LEN);
    (void)hcl_frame_set_str(frame, slot, "", 0);
    return status;
}

static hcl_status built(void)
{
    hcl_builder *builder = NULL;
    hcl_status status = hcl_builder_new(&builder);
    if (status == HCL_OK) status = hcl_builder_string(builder, text, LEN);
    hcl_builder_free(builder);
    return status;
}

static hcl_status told(void)
{
    hcl_diag diag = {.size = sizeof diag, .severity = HCL_SEVERITY_ERROR, .detail = {text, LEN}};
    hcl_diags *diags = NULL;
    hcl_buf *rendered = NULL;
    hcl_status status = hcl_diags_add(&diags, &diag, NULL, NULL);
    if (status == HCL_OK) status = hcl_diags_render(diags, NULL, &rendered);
    hcl_buf_free(rendered);
    hcl_diags_free(diags);
    return status;
}

static hcl_status formatted(void)
{
    hcl_buf *out = NULL;
    hcl_status status = hcl_format("large", HCL_NUL, text, LEN, HCL_STYLE_HCL, NULL, &out, NULL);
    hcl_buf_free(out);
    return status;
}

static hcl_status edited(void)
{
    hcl_document *document = NULL;
    hcl_status status = hcl_document_parse("large", HCL_NUL, text, LEN, NULL, &document, NULL);
    hcl_document_free(document);
    return status;
}

static hcl_status loaded(void)
{
    hcl_module_loader *loader = NULL;
    hcl_module *module = NULL;
    hcl_status status = hcl_module_loader_new("terraform", HCL_NUL, &loader, NULL);
    if (status == HCL_OK) status = hcl_module_loader_text(loader, "main.tf", HCL_NUL, text, LEN);
    if (status == HCL_OK) status = hcl_module_load(loader, NULL, &module, NULL);
    hcl_module_free(module);
    hcl_module_loader_free(loader);
    return status;
}

/* Texts of nothing but short tokens, which take many times their size to read, and again to compile. */
enum { N_TOKENS = 1 << 18 };

static char dense[4 * N_TOKENS + 16];

static const char *dense_text(const char *begin, const char *token, const char *end)
{
    char *at = stpcpy(dense, begin);
    for (size_t i = 0; i < N_TOKENS; i++) at = stpcpy(at, token);
    strcpy(at, end);
    return dense;
}

static hcl_status compiled(const char *source)
{
    hcl_expr *expr = NULL;
    hcl_program *program = NULL;
    hcl_status status = hcl_expr_parse("dense", HCL_NUL, source, HCL_NUL, NULL, 0, NULL, &expr, NULL);
    if (status == HCL_OK) status = hcl_program_compile(expr, scope, 0, &program, NULL);
    hcl_program_free(program);
    hcl_expr_free(expr);
    return status;
}

static hcl_status list(void) { return compiled(dense_text("[", "1,", "1]")); }
static hcl_status signs(void) { return compiled(dense_text("", "!", "true")); }
static hcl_status operators(void) { return compiled(dense_text("", "1+", "1")); }
static hcl_status arguments(void) { return compiled(dense_text("max(", "1,", "1)")); }
static hcl_status objects(void) { return compiled(dense_text("[", "{},", "1]")); }
static hcl_status tuples(void) { return compiled(dense_text("[", "[],", "1]")); }

static hcl_status type(void)
{
    hcl_type *type = NULL;
    hcl_status status = hcl_type_parse(dense_text("[", "1,", "1]"), HCL_NUL, &type, NULL);
    hcl_type_free(type);
    return status;
}

/* Each element has a diagnostic. */
static hcl_status no_type(void)
{
    hcl_type *type = NULL;
    return hcl_type_parse(dense_text("tuple([", "[],", "1])"), HCL_NUL, &type, NULL);
}

static hcl_status blocks(void)
{
    hcl_file *file = NULL;
    hcl_status status = hcl_file_parse("dense", HCL_NUL, text, LEN, NULL, &file, NULL);
    hcl_file_free(file);
    return status;
}

/* Edits of a small document with many labels or keys, or a long name. */
enum { N_LABELS = 1 << 17 };

static hcl_str labels[N_LABELS];
static hcl_value *keys;
static hcl_document *document;

static hcl_status document_of(const char *source)
{
    return hcl_document_parse("small", HCL_NUL, source, HCL_NUL, NULL, &document, NULL);
}

static hcl_status document_ended(hcl_status status)
{
    hcl_document_free(document);
    document = NULL;
    return status;
}

static hcl_status relabelled(void)
{
    hcl_status status = document_of("b {}\n");
    if (status == HCL_OK) status = hcl_document_relabel(document, "b", 1, labels, N_LABELS, 0, NULL);
    return document_ended(status);
}

static hcl_status listed(void)
{
    hcl_value *items = NULL;
    hcl_status status = document_of(text);
    if (status == HCL_OK) status = hcl_document_list(document, NULL, 0, &items, NULL);
    hcl_value_free(items);
    return document_ended(status);
}

static hcl_status keys_set(void)
{
    hcl_status status = document_of("b {}\n");
    if (status == HCL_OK) status = hcl_document_set_value(document, "a", 1, keys, 0, NULL);
    return document_ended(status);
}

static hcl_status block_added(size_t type_len, size_t n_labels)
{
    hcl_status status = document_of("b {}\n");
    if (status == HCL_OK)
        status = hcl_document_append_block(document, "b", 1, text, type_len, labels, n_labels, keys, 0, NULL);
    return document_ended(status);
}

static hcl_status labels_added(void) { return block_added(1, N_LABELS); }
static hcl_status long_type_added(void) { return block_added(LEN / 8, 0); }

static hcl_status renamed(void)
{
    hcl_status status = document_of("a = 1\n");
    if (status == HCL_OK) status = hcl_document_rename(document, "a", 1, text, LEN / 4, 0, NULL);
    return document_ended(status);
}

static hcl_module_loader *loader;
static hcl_file *file;

/* The loader has the text, of which the module takes a copy. */
static hcl_status copied(void)
{
    hcl_module *module = NULL;
    hcl_status status = hcl_module_load(loader, NULL, &module, NULL);
    hcl_module_free(module);
    return status;
}

/* 90 times 90 modules of few declarations. */
static hcl_status called(void)
{
    char *end = text;
    hcl_module_loader *fan = NULL;
    hcl_module *module = NULL;
    for (int i = 0; i < 90; i++) end += sprintf(end, "module \"m%d\" {\n  source = \"./a\"\n}\n", i);
    hcl_status status = hcl_module_loader_new("terraform", HCL_NUL, &fan, NULL);
    if (status == HCL_OK) status = hcl_module_loader_text(fan, "main.tf", HCL_NUL, text, HCL_NUL);
    if (status == HCL_OK) status = hcl_module_loader_text(fan, "a/main.tf", HCL_NUL, text, HCL_NUL);
    for (end = text + sprintf(text, "locals {\n"); end < text + 5000;) end += sprintf(end, "a%zu = 1\n", (size_t)(end - text));
    strcpy(end, "}\n");
    if (status == HCL_OK) status = hcl_module_loader_text(fan, "a/a/main.tf", HCL_NUL, text, HCL_NUL);
    if (status == HCL_OK) status = hcl_module_load(fan, NULL, &module, NULL);
    hcl_module_free(module);
    hcl_module_loader_free(fan);
    return status;
}

/* 1,000 modules that would have 1,000 each. */
static hcl_status instances(void)
{
    static const char times[] = "module \"a\" {\n  source = \"./a\"\n  count = 1000\n}\noutput \"o\" {\n  value = module.a\n}\n";
    hcl_module_loader *fan = NULL;
    hcl_module *module = NULL;
    hcl_value *value = NULL;
    hcl_status status = hcl_module_loader_new("terraform", HCL_NUL, &fan, NULL);
    if (status == HCL_OK) status = hcl_module_loader_text(fan, "main.tf", HCL_NUL, times, HCL_NUL);
    if (status == HCL_OK) status = hcl_module_loader_text(fan, "a/main.tf", HCL_NUL, times, HCL_NUL);
    if (status == HCL_OK) status = hcl_module_loader_text(fan, "a/a/main.tf", HCL_NUL, "", HCL_NUL);
    if (status == HCL_OK) status = hcl_module_load(fan, NULL, &module, NULL);
    if (status == HCL_OK) status = hcl_module_value(module, "output.o", HCL_NUL, NULL, &value, NULL);
    hcl_value_free(value);
    hcl_module_free(module);
    hcl_module_loader_free(fan);
    return status;
}

static hcl_status written(void)
{
    hcl_buf *json = NULL;
    hcl_status status = hcl_file_to_json(file, NULL, &json, NULL);
    hcl_buf_free(json);
    return status;
}

static const struct { const char *name; hcl_status (*work)(void); } CALLS[] = {
    {"hcl_value_string", string}, {"hcl_frame_set_str", set}, {"hcl_builder_string", built}, {"hcl_diags_add", told},
    {"hcl_format", formatted}, {"hcl_document_parse", edited}, {"hcl_module_load", loaded},
};

/* Of a text of 8 MB. */
static const char *const EXPRESSIONS[] = {
    "from_host()", "\"${text}${text}\"", "zipmap([text], [text])", "format(text)", "format(\"%q\", text)", "yamlencode({\"${text}\" = 1})",
    "jsonencode({\"${text}\" = text})", "jsondecode(jsonencode([text]))", "strcontains(text, \"${text}b\")", "trimspace(text)",
    "replace(text, \"a\", \"bc\")", "regexall(\"a\", text)", "csvdecode(\"${text}\\n1\")", "keys({\"${text}b\" = 1})",
    "provider::terraform::encode_expr(text)", "strrev(text)", "split(\"aaaa\", text)", "sha256(text)", "base64gzip(text)",
};

/* Of short tokens that become values of many times their size. */
static const struct { const char *source, *begin, *token, *end; } DECODED[] = {
    {"csvdecode(text)", "a,b\n", "1,2\n", ""}, {"csvdecode(text)", "a\n", "1\n", ""},
    {"jsondecode(text)", "[", "[],", "1]"}, {"jsondecode(text)", "[", "{},", "1]"}, {"jsondecode(text)", "[", "[1],", "1]"},
    {"yamldecode(text)", "[", "[],", "1]"}, {"yamldecode(text)", "", "- 1\n", ""},
    {"provider::terraform::decode_tfvars(text)", "a = [", "[],", "1]\n"}, {"templatestring(text, {})", "", "${1", "}"},
    {"regexall(\"(a)(a)(a)\", text)", "", "aaa", ""}, {"regexall(\"(?P<x>a)(?P<y>a)\", text)", "", "aa", ""},
    {"chunklist(split(\",\", text), 1)", "1", ",1", ""}, {"[for x in split(\",\", text) : [x]]", "1", ",1", ""},
};

static int32_t from_host(void *user, hcl_call *call)
{
    (void)user;
    return (int32_t)hcl_call_return_str(call, text, LEN);
}

static const char *source;

/* Without limits that would end it first. */
static hcl_status decoded(void)
{
    static const hcl_limits limits = {.size = sizeof limits, .max_memory = (uint64_t)4 << 30};
    hcl_value *value = NULL;
    hcl_status status = hcl_value_decode(HCL_FORMAT_JSON, dense, HCL_NUL, NULL, &limits, &value, NULL);
    hcl_value_free(value);
    return status;
}

static hcl_status evaluated(void)
{
    hcl_expr *expr = NULL;
    hcl_value *value = NULL;
    hcl_status status = hcl_expr_parse("large", HCL_NUL, source, HCL_NUL, NULL, 0, NULL, &expr, NULL);
    if (status == HCL_OK) status = hcl_expr_eval(expr, frame, &value, NULL);
    hcl_value_free(value);
    hcl_expr_free(expr);
    return status;
}

/* Rows that are kept in small blocks, each of which may fail. */
static hcl_status rows(void)
{
    enum { N_ROWS = 12000 };
    static hcl_cell in[N_ROWS], out[N_ROWS];
    hcl_expr *expr = NULL;
    hcl_program *program = NULL;
    hcl_buf *results = NULL;
    hcl_diags *diags = NULL;
    hcl_status status = hcl_expr_parse("rows", HCL_NUL, source, HCL_NUL, NULL, 0, NULL, &expr, NULL);

    for (size_t i = 0; i < N_ROWS; i++) in[i] = (hcl_cell){.kind = HCL_CELL_F64, .payload.number = (double)i + 0.5};
    if (status == HCL_OK) status = hcl_program_compile(expr, scope, 0, &program, NULL);
    if (status == HCL_OK) status = hcl_eval_rows(program, frame, &slot, 1, in, N_ROWS, out, &results, &diags);
    if (status == HCL_OK && diags != NULL) status = HCL_ERR_DIAGNOSTICS;
    hcl_diags_free(diags);
    hcl_buf_free(results);
    hcl_program_free(program);
    hcl_expr_free(expr);
    return status;
}

/* A struct of many fields, of which the type takes memory. */
static hcl_status fields(void)
{
    enum { N_FIELDS = 20000 };
    static struct { struct ArrowArray array; struct ArrowSchema schema; char name[8]; } wide[N_FIELDS];
    static struct ArrowArray *arrays[N_FIELDS];
    static struct ArrowSchema *schemas[N_FIELDS];
    static field row, column, none;
    struct ArrowArray results = {.release = NULL};
    struct ArrowSchema type = {.release = NULL};
    hcl_expr *expr = NULL;
    hcl_program *program = NULL;

    make(&none, "n", "", 1, 0);
    make(&row, "+s", "", 1, 1);
    make(&column, "+s", "text", 1, 1);
    with_child(&row, &column);
    for (size_t i = 0; i < N_FIELDS; i++) {
        wide[i].array = none.array;
        wide[i].schema = none.schema;
        sprintf(wide[i].name, "f%u", (unsigned)(i * 7919 % N_FIELDS));
        wide[i].schema.name = wide[i].name;
        arrays[i] = &wide[i].array;
        schemas[i] = &wide[i].schema;
    }
    column.array.children = arrays;
    column.schema.children = schemas;
    column.array.n_children = column.schema.n_children = N_FIELDS;
    hcl_status status = hcl_expr_parse("fields", HCL_NUL, "text", HCL_NUL, NULL, 0, NULL, &expr, NULL);
    if (status == HCL_OK) status = hcl_program_compile(expr, scope, 0, &program, NULL);
    if (status == HCL_OK) status = hcl_eval_arrow(program, frame, &row.array, &row.schema, NULL, &results, &type, NULL, NULL);
    if (results.release != NULL) results.release(&results), type.release(&type);
    hcl_program_free(program);
    hcl_expr_free(expr);
    return status;
}

/* Attributes of a body that nobody has asked for, each with a complaint. */
static hcl_status attributes(void)
{
    enum { N_NAMES = 10000 };
    static hcl_str names[N_NAMES];
    static hcl_cell out[N_NAMES];
    static char letters[N_NAMES][8], *end;
    hcl_file *body = NULL;
    hcl_buf *results = NULL;
    hcl_diags *diags = NULL;

    end = dense;
    for (size_t i = 0; i < N_NAMES; i++) {
        names[i] = (hcl_str){letters[i], (size_t)sprintf(letters[i], "a%zu", i)};
        end += sprintf(end, "a%zu = text.x\n", i);
    }
    hcl_status status = hcl_file_parse("dense", HCL_NUL, dense, HCL_NUL, NULL, &body, NULL);
    if (status == HCL_OK) status = hcl_body_eval(hcl_file_body(body), names, N_NAMES, frame, out, &results, &diags);
    hcl_diags_free(diags);
    hcl_buf_free(results);
    hcl_file_free(body);
    return status;
}

/* Work of a host on diagnostics: those of a text with many attributes of one name, on long lines, and its own. */
enum { N_TWICE = 8000, N_COMPLAINTS = 12000 };

static hcl_diags *complaints;

static void complain(void)
{
    const hcl_parse_opts opts = {.size = sizeof opts, .max_diagnostics = 2 * N_TWICE};
    hcl_file *wrong = NULL;
    char *end = text;

    for (size_t i = 0; i < N_TWICE; i++) end += sprintf(end, "%-400s = 1\n", "a_name_that_is_written_more_than_once");
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_file_parse("twice", HCL_NUL, text, (size_t)(end - text), &opts, &wrong, &complaints));
    CHECK(hcl_diags_count(complaints) == N_TWICE - 1);
    hcl_file_free(wrong);
}

static hcl_status as_text(hcl_status status, hcl_buf *buf)
{
    hcl_buf_free(buf);
    return status;
}

static hcl_status drawn(void)
{
    const hcl_render_opts opts = {.size = sizeof opts, .width = 300};
    hcl_buf *buf = NULL;
    hcl_status status = hcl_diags_render(complaints, &opts, &buf);
    return as_text(status, buf);
}

static hcl_status as_json(void)
{
    hcl_buf *buf = NULL;
    hcl_status status = hcl_diags_json(complaints, NULL, &buf);
    return as_text(status, buf);
}

static hcl_status as_sarif(void)
{
    hcl_buf *buf = NULL;
    hcl_status status = hcl_diags_sarif(complaints, "t", 1, "1", 1, NULL, &buf);
    return as_text(status, buf);
}

static hcl_status appended(void)
{
    hcl_diags *diags = NULL;
    hcl_status status = hcl_diags_append(&diags, complaints);
    if (status == HCL_OK) status = hcl_diags_append(&diags, complaints);
    CHECK(hcl_diags_count(diags) % (N_TWICE - 1) == 0);
    hcl_diags_free(diags);
    return status;
}

/* Each with a code of its own, of which a log has a list, and in the order of their places at last. */
static hcl_status added(void)
{
    hcl_diag diag = {.size = sizeof diag, .severity = HCL_SEVERITY_ERROR, .filename = {"file", 4}};
    hcl_diags *diags = NULL;
    hcl_buf *buf = NULL;
    hcl_status status = HCL_OK;
    char code[16];
    size_t n = 0;

    for (; status == HCL_OK && n < N_COMPLAINTS; n += status == HCL_OK) {
        diag.code = (hcl_str){code, (size_t)sprintf(code, "c%zu", n)};
        diag.subject.start.line = 1, diag.subject.start.byte = (n * 7919) % N_COMPLAINTS;
        status = hcl_diags_add(&diags, &diag, NULL, NULL);
    }
    CHECK(hcl_diags_count(diags) == n);
    if (status == HCL_OK) status = hcl_diags_sarif(diags, "t", 1, "1", 1, NULL, &buf);
    hcl_diags_sort(diags);
    /* Without memory the list stays as it is. */
    for (size_t i = 1; most_live == SIZE_MAX && i < n; i++) {
        STATUS(HCL_OK, hcl_diags_get(diags, i, &diag));
        CHECK(diag.subject.start.byte == i);
    }
    hcl_diags_free(diags);
    return as_text(status, buf);
}

static hcl_status noted(void)
{
    enum { N_KEYS = 2000 };
    hcl_diag diag = {.size = sizeof diag, .severity = HCL_SEVERITY_ERROR};
    hcl_diags *diags = NULL;
    hcl_buf *buf = NULL;
    hcl_status status = hcl_diags_add(&diags, &diag, NULL, NULL);
    char key[16];

    for (size_t i = 0; status == HCL_OK && i < N_KEYS; i++)
        status = hcl_diags_note(diags, key, (size_t)sprintf(key, "k%zu", i), text, 1500);
    if (status == HCL_OK) status = hcl_diags_json(diags, NULL, &buf);
    hcl_diags_free(diags);
    return as_text(status, buf);
}

/* Returns whether memory runs out where there is so much of it, beside what is held. */
static bool is_refused(const char *name, hcl_status (*work)(void), hcl_status whole, size_t room)
{
    most_live = live + room;
    /* A death says where. */
    fprintf(stderr, "%s with %zu bytes\n", name, room);
    hcl_status status = work();
    most_live = SIZE_MAX;
    CHECK(status == whole || status == HCL_ERR_MEMORY);
    return status == HCL_ERR_MEMORY;
}

/* How often memory ran out, of so many parts. */
static size_t refused_of(size_t n_parts, const char *name, hcl_status (*work)(void))
{
    const size_t before = peak = live;
    const hcl_status whole = work();
    const size_t taken = peak - before;
    size_t n_refused = 0;

    CHECK(taken >= LEN / 2 && whole != HCL_ERR_MEMORY);
    for (size_t part = 0; part < n_parts; part++)
        n_refused += is_refused(name, work, whole, taken / n_parts * part);
    CHECK(n_refused > 0);
    return n_refused;
}

static size_t refused(const char *name, hcl_status (*work)(void)) { return refused_of(PARTS, name, work); }

/* How often memory ran out of an edit, which ends also where there is little of it. */
static size_t refused_edit(const char *name, hcl_status (*work)(void))
{
    for (size_t room = LEN / 4; room >= LEN / 64; room -= room / 4)
        (void)is_refused(name, work, HCL_OK, room);
    return refused(name, work);
}

static hcl_status short_read(void)
{
    hcl_expr *expr = NULL;
    hcl_status status = hcl_expr_parse("short", HCL_NUL, dense, HCL_NUL, NULL, 0, NULL, &expr, NULL);
    hcl_expr_free(expr);
    return status;
}

static hcl_status short_set(void)
{
    hcl_document *document = NULL;
    hcl_status status = hcl_document_parse("short", HCL_NUL, "a = 1\n", HCL_NUL, NULL, &document, NULL);
    if (status == HCL_OK) status = hcl_document_set(document, "a", 1, dense, HCL_NUL, 0, NULL);
    hcl_document_free(document);
    return status;
}

/* Texts of up to 36 KB are read in one piece, whatever memory they take. */
static void short_texts(void)
{
    static const char *const tokens[] = {"-1*", "1+", "x."};
    size_t n_refused = 0;

    for (size_t i = 0; i < 2 * (sizeof tokens / sizeof *tokens); i++) {
        char *end = dense;
        for (int n = i % 2 ? 3000 : 12000; n > 0; n--) end = stpcpy(end, tokens[i / 2]);
        strcpy(end, "1");
        for (size_t room = LEN; room >= LEN / 256; room -= room / 4) {
            n_refused += is_refused(tokens[i / 2], short_read, HCL_OK, room);
            n_refused += is_refused(tokens[i / 2], short_set, HCL_OK, room);
        }
    }
    CHECK(n_refused > 0);
}

/* How often memory ran out. */
static size_t documents(void)
{
    size_t n_refused = 0;
    hcl_builder *builder = NULL;

    for (size_t i = 0; i < N_LABELS; i++) labels[i] = (hcl_str){"label", 5};
    STATUS(HCL_OK, hcl_builder_new(&builder));
    STATUS(HCL_OK, hcl_builder_begin(builder, HCL_KIND_OBJECT));
    for (size_t i = 0; i < N_LABELS / 4; i++) {
        char key[32];
        STATUS(HCL_OK, hcl_builder_key(builder, key, (size_t)sprintf(key, "key_%zu", i)));
        STATUS(HCL_OK, hcl_builder_bool(builder, true));
    }
    STATUS(HCL_OK, hcl_builder_end(builder));
    STATUS(HCL_OK, hcl_builder_finish(builder, &keys));
    hcl_builder_free(builder);
    memset(text, 'b', LEN);
    n_refused += refused_edit("hcl_document_relabel", relabelled);
    n_refused += refused_edit("hcl_document_set_value", keys_set);
    n_refused += refused_edit("hcl_document_append_block with many labels", labels_added);
    n_refused += refused_edit("hcl_document_append_block of a long type", long_type_added);
    n_refused += refused_edit("hcl_document_rename", renamed);
    char *end = text + 1;
    for (size_t i = 0; i < N_LABELS; i++) end = stpcpy(end, " \"l\"");
    strcpy(end, " {}\n");
    n_refused += refused_edit("hcl_document_list", listed);
    memset(text, 'b', LEN);
    hcl_value_free(keys);
    return n_refused;
}

int main(void)
{
    const hcl_function function = {.size = sizeof function, .name = {"from_host", HCL_NUL}, .call = from_host};
    size_t n_refused = 0, n = 0;
    hcl_value *value = NULL;

    memset(text, 'a', LEN);
    STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
    STATUS(HCL_OK, hcl_scope_builtins(scope, HCL_BUILTINS_TERRAFORM));
    STATUS(HCL_OK, hcl_scope_slot(scope, "text", HCL_NUL, &slot));
    STATUS(HCL_OK, hcl_scope_function(scope, &function));
    STATUS(HCL_OK, hcl_scope_seal(scope));
    STATUS(HCL_OK, hcl_frame_new(scope, &frame));
    for (size_t i = 0; i < sizeof CALLS / sizeof *CALLS; i++, n++) n_refused += refused(CALLS[i].name, CALLS[i].work);
    STATUS(HCL_OK, hcl_value_string(text, LEN, &value));
    STATUS(HCL_OK, hcl_frame_set(frame, slot, value));
    for (size_t i = 0; i < sizeof EXPRESSIONS / sizeof *EXPRESSIONS; i++, n++) {
        source = EXPRESSIONS[i];
        n_refused += refused(source, evaluated);
    }
    hcl_value_free(value);
    /* A pattern that is too large when most of it has been compiled, and characters that combine with the first one. */
    for (size_t i = 0; i < 120000; i += 2) memcpy(text + i, "a?", 2);
    STATUS(HCL_OK, hcl_frame_set_str(frame, slot, text, 120000));
    source = "regexall(text, text)";
    n_refused += refused("regexall of a large pattern", evaluated);
    for (size_t i = 0; i < LEN; i += 2) memcpy(text + i, "\xcc\x81", 2);
    n_refused += refused("hcl_value_string of marks", string);
    n_refused += refused("a list compiled", list);
    n_refused += refused("signs compiled", signs);
    n_refused += refused("operators compiled", operators);
    n_refused += refused("arguments compiled", arguments);
    n_refused += refused("objects compiled", objects);
    n_refused += refused("tuples compiled", tuples);
    n_refused += refused("a type", type);
    n_refused += refused("what is no type", no_type);
    hcl_limits limits = {.size = sizeof limits, .max_memory = (uint64_t)4 << 30};
    STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
    for (size_t i = 0; i < sizeof DECODED / sizeof *DECODED; i++, n++) {
        STATUS(HCL_OK, hcl_frame_set_str(frame, slot, dense_text(DECODED[i].begin, DECODED[i].token, DECODED[i].end), HCL_NUL));
        source = DECODED[i].source;
        n_refused += refused(source, evaluated);
    }
    dense_text("[", "[],", "1]");
    n_refused += refused("hcl_value_decode", decoded);
    source = "[[text * 1.1, text * 1.2], text * 1.3]";
    n_refused += refused("hcl_eval_rows", rows);
    n_refused += refused("hcl_eval_arrow of many fields", fields);
    n_refused += refused("hcl_body_eval", attributes);
    memset(text, ' ', LEN);
    for (size_t i = 0; i + 5 <= LEN; i += 5) memcpy(text + i, "b {}\n", 5);
    n_refused += refused("blocks read", blocks);
    for (size_t i = 0; i + 32 <= LEN; i += 32) memcpy(text + i, "resource \"a\" \"b\" {}\n           ", 32);
    memset(text + LEN / 8, ' ', LEN - LEN / 8);
    n_refused += refused("resources loaded", loaded);
    memset(text, ' ', LEN);
    STATUS(HCL_OK, hcl_module_loader_new("packer", HCL_NUL, &loader, NULL));
    STATUS(HCL_OK, hcl_module_loader_text(loader, "main.pkr.hcl", HCL_NUL, text, LEN));
    n_refused += refused("hcl_module_load of a text that the loader has", copied);
    hcl_module_loader_free(loader);
    n_refused += refused("modules that are called often", called);
    n_refused += refused("instances of modules", instances);
    /* A template of nothing but one long text and an interpolation. */
    memset(text, '-', LEN);
    memcpy(text, "a = \"", 5);
    memcpy(text + LEN - 6, "${b}\"\n", 6);
    STATUS(HCL_OK, hcl_file_parse("large", HCL_NUL, text, LEN, NULL, &file, NULL));
    n_refused += refused("hcl_file_to_json of a template", written);
    hcl_file_free(file);
    char *end = text;
    for (size_t i = 0; i < 30000; i++) end += sprintf(end, "%%TAG !e%zu! tag:x,2000:\n", i);
    strcpy(end, "--- 1\n");
    STATUS(HCL_OK, hcl_frame_set_str(frame, slot, text, HCL_NUL));
    source = "yamldecode(text)";
    n_refused += refused_of(N_FINE * PARTS, "yamldecode of directives", evaluated);
    memset(text, 'x', LEN);
    memcpy(text, "%TAG !e! ", 9);
    strcpy(text + LEN - 32, "\n---\n- !e!a {}\n");
    STATUS(HCL_OK, hcl_frame_set_str(frame, slot, text, HCL_NUL));
    n_refused += refused("yamldecode of a long tag", evaluated);
    complain();
    n_refused += refused_of(3, "hcl_diags_render", drawn);
    n_refused += refused("hcl_diags_json", as_json);
    n_refused += refused("hcl_diags_sarif", as_sarif);
    n_refused += refused("hcl_diags_append", appended);
    n_refused += refused("hcl_diags_add", added);
    n_refused += refused("hcl_diags_note", noted);
    hcl_diags_free(complaints);
    memset(text, 0xff, LEN);
    n_refused += refused_of(PARTS / 2, "hcl_diags_add of bytes that are no text", told);
    n += 27 + N_FINE;
    n_refused += documents();
    n += 6;
    short_texts();
    hcl_frame_free(frame);
    hcl_scope_free(scope);
    printf("%zu kinds of work on 0.5 to 8 MB with parts of their memory, %zu of %zu times refused\n", n, n_refused, n * PARTS);
    return failures != 0;
}

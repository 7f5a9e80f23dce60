/* Documents: read, edited in place, written from scratch; what is refused changes nothing. */
#include "check.h"

#define ADDRESS(text) text, HCL_NUL

static hcl_document *parse(const char *text)
{
    hcl_document *document = NULL;
    hcl_diags *diags = NULL;

    STATUS(HCL_OK, hcl_document_parse("main.hcl", HCL_NUL, text, HCL_NUL, NULL, &document, &diags));
    CHECK(diags == NULL);
    return document;
}

/* Checks that a document has this text, which is shown if not. */
static bool reads(const hcl_document *document, const char *expected)
{
    hcl_str text = hcl_document_text(document);

    if (!str_is(text, expected)) fprintf(stderr, "%.*s", (int)text.len, text.ptr);
    return str_is(text, expected);
}

/* A value as JSON. */
static bool is_json(hcl_value *value, const char *expected)
{
    hcl_buf *buf = NULL;
    bool same;

    STATUS(HCL_OK, hcl_value_encode(value, HCL_FORMAT_JSON, 0, NULL, &buf, NULL));
    same = str_is(hcl_buf_str(buf), expected);
    if (!same) fprintf(stderr, "%s\n", hcl_buf_str(buf).ptr);
    hcl_buf_free(buf);
    hcl_value_free(value);
    return same;
}

static void what_is_read(void)
{
    hcl_document *document = parse("a = { k = 1 }\n# why\nb \"x\" {\n  c = [1,\n    2] # two\n}\nb \"x\" {\n}\n");
    hcl_value *value = NULL;

    STATUS(HCL_OK, hcl_document_list(document, NULL, 0, &value, NULL));
    CHECK(is_json(value, "[{\"address\":\"a\",\"kind\":\"attribute\",\"labels\":[],\"name\":\"a\"},"
                         "{\"address\":\"b.x[0]\",\"kind\":\"block\",\"labels\":[\"x\"],\"name\":\"b\"},"
                         "{\"address\":\"b.x[1]\",\"kind\":\"block\",\"labels\":[\"x\"],\"name\":\"b\"}]"));
    STATUS(HCL_OK, hcl_document_list(document, ADDRESS("a"), &value, NULL));
    CHECK(is_json(value, "[{\"address\":\"a.k\",\"kind\":\"key\",\"labels\":[],\"name\":\"k\"}]"));
    STATUS(HCL_OK, hcl_document_get(document, ADDRESS("b.*.c"), &value, NULL));
    CHECK(is_json(value, "[\"[1,\\n  2]\"]"));
    STATUS(HCL_OK, hcl_document_get(document, ADDRESS("b"), &value, NULL));
    CHECK(is_json(value, "[\"b \\\"x\\\" {\\n  c = [1,\\n    2] # two\\n}\",\"b \\\"x\\\" {\\n}\"]"));
    STATUS(HCL_OK, hcl_document_comments(document, ADDRESS("b[0]"), &value, NULL));
    CHECK(is_json(value, "{\"lead\":[\"# why\"],\"line\":[]}"));
    STATUS(HCL_OK, hcl_document_comments(document, ADDRESS("b.x[0].c"), &value, NULL));
    CHECK(is_json(value, "{\"lead\":[],\"line\":[\"# two\"]}"));
    STATUS(HCL_ERR_NOT_FOUND, hcl_document_get(document, ADDRESS("z"), &value, NULL));
    STATUS(HCL_ERR_NOT_FOUND, hcl_document_list(document, ADDRESS("z"), &value, NULL));
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_document_list(document, ADDRESS("b"), &value, NULL));
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_document_comments(document, ADDRESS("b"), &value, NULL));
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_document_get(document, ADDRESS("a..b"), &value, NULL));
    hcl_document_free(document);
}

static void what_is_edited(void)
{
    hcl_document *document = parse("# one\na = 1 # two\nb \"x.y\" {\n  c = var.old\n}\n");
    hcl_str labels[2] = {{"l", 1}, {"m\"", 2}};
    size_t n = 0;

    STATUS(HCL_OK, hcl_document_set(document, ADDRESS("b.x\\.y.c"), ADDRESS("\"${var.old}-1\""), 0, NULL));
    STATUS(HCL_OK, hcl_document_set(document, ADDRESS("b.x\\.y.d"), ADDRESS("[]"), 0, NULL));
    STATUS(HCL_OK, hcl_document_set(document, ADDRESS("new.e"), ADDRESS("2"), HCL_EDIT_CREATE, NULL));
    STATUS(HCL_OK, hcl_document_rename_references(document, ADDRESS("var.old"), ADDRESS("local.new"), &n, NULL));
    CHECK(n == 1);
    CHECK(reads(document, "# one\na = 1 # two\nb \"x.y\" {\n  c = \"${local.new}-1\"\n  d = []\n}\n\nnew {\n  e = 2\n}\n"));
    STATUS(HCL_OK, hcl_document_relabel(document, ADDRESS("b"), labels, 2, 0, NULL));
    STATUS(HCL_OK, hcl_document_rename(document, ADDRESS("b"), ADDRESS("block"), 0, NULL));
    STATUS(HCL_OK, hcl_document_set_comment(document, ADDRESS("a"), HCL_COMMENT_LEAD, ADDRESS("x\ny"), 0, NULL));
    STATUS(HCL_OK, hcl_document_set_comment(document, ADDRESS("a"), HCL_COMMENT_LINE, NULL, 0, 0, NULL));
    STATUS(HCL_OK, hcl_document_insert(document, ADDRESS("new"), HCL_SIDE_BEFORE, ADDRESS("f=3"), NULL));
    STATUS(HCL_OK, hcl_document_move(document, ADDRESS("new.e"), NULL, 0, HCL_SIDE_INTO, NULL));
    STATUS(HCL_OK, hcl_document_move(document, ADDRESS("new"), ADDRESS("a"), HCL_SIDE_BEFORE, NULL));
    STATUS(HCL_OK, hcl_document_move_to(document, ADDRESS("block.*.*"), ADDRESS("block.*.z"), HCL_EDIT_ALL, NULL));
    CHECK(reads(document, "new {\n}\n\n# x\n# y\na = 1\nblock \"l\" \"z\" {\n  c = \"${local.new}-1\"\n  d = []\n}\n\nf=3\ne = 2\n"));
    STATUS(HCL_OK, hcl_document_format(document, NULL));
    STATUS(HCL_OK, hcl_document_remove(document, ADDRESS("block.l.z"), 0, &n, NULL));
    CHECK(n == 1);
    STATUS(HCL_OK, hcl_document_remove(document, ADDRESS("new"), 0, NULL, NULL));
    CHECK(reads(document, "# x\n# y\na = 1\n\nf = 3\ne = 2\n"));
    hcl_document_free(document);
}

static void what_is_written(void)
{
    hcl_document *document = NULL;
    hcl_builder *builder = NULL;
    hcl_value *body = NULL;
    hcl_str label = {"web", 3};

    STATUS(HCL_OK, hcl_builder_new(&builder));
    STATUS(HCL_OK, hcl_builder_begin(builder, HCL_KIND_OBJECT));
    STATUS(HCL_OK, hcl_builder_key(builder, "name", HCL_NUL));
    STATUS(HCL_OK, hcl_builder_string(builder, "a ${b}", HCL_NUL));
    STATUS(HCL_OK, hcl_builder_key(builder, "on", HCL_NUL));
    STATUS(HCL_OK, hcl_builder_bool(builder, true));
    STATUS(HCL_OK, hcl_builder_end(builder));
    STATUS(HCL_OK, hcl_builder_finish(builder, &body));
    hcl_builder_free(builder);
    STATUS(HCL_OK, hcl_document_new("new.hcl", HCL_NUL, &document, NULL));
    CHECK(hcl_document_text(document).len == 0);
    STATUS(HCL_OK, hcl_document_set_value(document, ADDRESS("object"), body, 0, NULL));
    STATUS(HCL_OK, hcl_document_append_block(document, NULL, 0, ADDRESS("service"), &label, 1, body, 0, NULL));
    STATUS(HCL_OK, hcl_document_append_block(document, ADDRESS("service.web"), ADDRESS("empty"), NULL, 0, NULL,
                                             HCL_EDIT_CLOSE, NULL));
    STATUS(HCL_OK, hcl_document_append(document, NULL, 0, ADDRESS("last {\n}\n"), NULL));
    CHECK(reads(document, "object = {\n  name = \"a $${b}\"\n  on   = true\n}\n\n"
                          "service \"web\" {\n  name = \"a $${b}\"\n  on   = true\n  empty {\n  }\n}\n\nlast {\n}\n"));
    hcl_value_free(body);
    hcl_document_free(document);
}

/* An edit that can't be made says why and changes nothing. */
static void what_is_refused(void)
{
    const char *text = "a = 1\nb {\n  c = 1\n}\nd {}\nd {}\n";
    hcl_document *document = parse(text);
    hcl_document *broken = NULL;
    hcl_value *unknown = NULL;
    hcl_diags *diags = NULL;
    hcl_parse_opts opts;
    hcl_type *type = NULL;

    STATUS(HCL_ERR_DIAGNOSTICS, hcl_document_parse("x", 1, "a = ", 4, NULL, &broken, &diags));
    CHECK(broken == NULL && hcl_diags_count(diags) == 1);
    hcl_diags_free(diags);
    memset(&opts, 0, sizeof opts);
    opts.size = sizeof opts;
    opts.max_source_bytes = 3;
    STATUS(HCL_ERR_LIMIT, hcl_document_parse("x", 1, "a = 1", 5, &opts, &broken, NULL));
    opts.max_source_bytes = 0;
    opts.max_depth = 2;
    STATUS(HCL_ERR_LIMIT, hcl_document_parse("x", 1, "a = [[[1]]]\n", 12, &opts, &broken, NULL));

    STATUS(HCL_ERR_DIAGNOSTICS, hcl_document_set(document, ADDRESS("a"), ADDRESS("1 +"), 0, NULL));
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_document_set(document, ADDRESS("b"), ADDRESS("1"), 0, NULL));
    STATUS(HCL_ERR_NOT_FOUND, hcl_document_set(document, ADDRESS("x.y"), ADDRESS("1"), 0, NULL));
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_document_remove(document, ADDRESS("d"), 0, NULL, &diags));
    CHECK(hcl_diags_count(diags) == 1);
    hcl_diags_free(diags);
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_document_append(document, NULL, 0, ADDRESS("a = 2\n"), NULL));
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_document_append_block(document, NULL, 0, ADDRESS("1"), NULL, 0, NULL, 0, NULL));
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_document_move(document, ADDRESS("b"), ADDRESS("b"), HCL_SIDE_INTO, NULL));
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_document_rename_references(document, ADDRESS("1"), ADDRESS("b"), NULL, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_document_set(document, ADDRESS("a"), ADDRESS("1"), 8, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_document_remove(document, ADDRESS("a"), HCL_EDIT_CREATE, NULL, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_document_insert(document, ADDRESS("a"), HCL_SIDE_INTO, ADDRESS("x = 1"), NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_document_move(document, ADDRESS("a"), NULL, 0, HCL_SIDE_AFTER, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_document_move(document, ADDRESS("a"), ADDRESS("b"), 9, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_document_set_comment(document, ADDRESS("a"), 2, ADDRESS("x"), 0, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_document_set(document, ADDRESS("a"), "\xff", 1, 0, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_document_relabel(document, ADDRESS("b"), NULL, 1, 0, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_document_set_value(document, ADDRESS("a"), NULL, 0, NULL));
    STATUS(HCL_OK, hcl_type_parse("string", HCL_NUL, &type, NULL));
    STATUS(HCL_OK, hcl_value_unknown(type, &unknown));
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_document_set_value(document, ADDRESS("a"), unknown, 0, NULL));
    hcl_type_free(type);
    hcl_value_free(unknown);
    CHECK(reads(document, text));

    STATUS(HCL_ERR_ARGUMENT, hcl_document_format(NULL, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_document_new("x", 1, NULL, NULL));
    CHECK(hcl_document_text(NULL).len == 0);
    hcl_document_free(NULL);
    hcl_document_free(document);
}

int main(void)
{
    what_is_read();
    what_is_edited();
    what_is_written();
    what_is_refused();
    return failures != 0;
}

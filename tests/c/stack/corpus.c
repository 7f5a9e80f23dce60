/* Expressions of all kinds on a thread with little stack: those of the files that are named, one JSON object a line; every
 * function of every product, with arguments of the types that it declares; and nesting. */
#define _GNU_SOURCE
#include "../check.h"

#include <pthread.h>

static char line[1 << 20], text[1 << 20];
static unsigned char *lowest;
static size_t most;
static unsigned long n_expressions;
/* With HCL_STACK_OVER set, expressions that take more KiB than that are named. */
static size_t told_from = SIZE_MAX;

enum { DEPTH = 500 };

/* The function that takes most for itself, where most has been taken already. */
static const char deep_work[] = "[[[[[[base64gunzip(base64gzip(\"a\"))]]]]]]";

static void begin(void)
{
    volatile unsigned char here = 0;
    unsigned char *at;

    for (at = lowest; at < (unsigned char *)&here - 1024; at++)
        *at = 0xa5;
}

static void end(const char *what)
{
    volatile unsigned char here = 0;
    unsigned char *at = lowest;
    size_t used;

    n_expressions++;
    while (at < (unsigned char *)&here && *at == 0xa5)
        at++;
    used = (size_t)((unsigned char *)&here - at);
    if (used > most) {
        most = used;
    }
    if (used >> 10 >= told_from)
        fprintf(stderr, "%zu KiB: %.100s\n", used >> 10, what);
}

/* From a text to its value, what can be asked of that, and back to nothing. */
static void evaluate(const hcl_scope *scope, const char *source, size_t length)
{
    static const uint32_t FORMATS[] = { HCL_FORMAT_JSON, HCL_FORMAT_TYPED_JSON, HCL_FORMAT_CONSOLE, HCL_FORMAT_CANONICAL };
    hcl_expr *expr = NULL;
    hcl_program *program = NULL;
    hcl_frame *frame = NULL;
    hcl_value *value = NULL, *same = NULL, *back = NULL;
    hcl_diags *diags = NULL;
    hcl_buf *buf = NULL;
    size_t i;

    begin();
    (void)hcl_expr_parse("test", HCL_NUL, source, length, NULL, 0, NULL, &expr, &diags);
    hcl_diags_free(diags);
    diags = NULL;
    if (expr != NULL && hcl_frame_new(scope, &frame) == HCL_OK) {
        (void)hcl_program_compile(expr, scope, HCL_COMPILE_PARTIAL | HCL_COMPILE_NO_FOLDING, &program, &diags);
        hcl_diags_free(diags);
        diags = NULL;
        if (program != NULL && hcl_eval(program, frame, &value, &diags) != HCL_OK) {
            STATUS(HCL_OK, hcl_diags_render(diags, NULL, &buf));
            hcl_buf_free(buf);
        }
        hcl_diags_free(diags);
        diags = NULL;
        (void)hcl_expr_eval(expr, frame, &same, &diags);
    }
    if (value != NULL && same != NULL) {
        hcl_value *equal = NULL;
        (void)hcl_value_identical(value, same);
        (void)hcl_value_equal(value, same, NULL, &equal, NULL);
        hcl_value_free(equal);
        for (i = 0; i < sizeof FORMATS / sizeof *FORMATS; i++) {
            hcl_buf *encoded = NULL;
            if (hcl_value_encode(value, FORMATS[i], 0, NULL, &encoded, NULL) == HCL_OK && FORMATS[i] == HCL_FORMAT_TYPED_JSON) {
                hcl_str as_json = hcl_buf_str(encoded);
                (void)hcl_value_decode(FORMATS[i], as_json.ptr, as_json.len, NULL, NULL, &back, NULL);
            }
            hcl_buf_free(encoded);
        }
    }
    hcl_value_free(back);
    hcl_value_free(same);
    hcl_value_free(value);
    hcl_diags_free(diags);
    hcl_frame_free(frame);
    hcl_program_free(program);
    hcl_expr_free(expr);
    end(source);
}

static hcl_scope *scope_of(uint32_t builtins)
{
    hcl_scope *scope = NULL;

    STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
    STATUS(HCL_OK, hcl_scope_builtins(scope, builtins));
    STATUS(HCL_OK, hcl_scope_seal(scope));
    return scope;
}

/* The expressions of a file. */
static void corpus(const hcl_scope *scope, const char *path)
{
    FILE *file = fopen(path, "r");

    CHECK(file != NULL);
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        hcl_value *record = NULL;
        const hcl_value *source;
        hcl_str read;

        if (hcl_value_decode(HCL_FORMAT_JSON, line, strlen(line), NULL, NULL, &record, NULL) != HCL_OK)
            continue;
        source = hcl_value_get(record, "expr", HCL_NUL);
        if (source != NULL && hcl_value_as_str(source, &read) == HCL_OK) {
            snprintf(text, sizeof text, "%.*s", (int)read.len, read.ptr);
            evaluate(scope, text, read.len);
        }
        hcl_value_free(record);
    }
    if (file != NULL)
        fclose(file);
}

/* Arguments that go well with a type. */
static const char *argument(hcl_str type, int kind)
{
    static const struct {
        const char *type, *values[3];
    } known[] = {
        { "string", { "\"a1b2\"", "\"10.0.0.0/8\"", "\"2024-01-31T00:00:00Z\"" } },
        { "number", { "2", "10", "0" } },
        { "bool", { "true", "false", "true" } },
        { "list(string)", { "[\"a\", \"b\"]", "[]", "[\"b\", \"a\", \"b\"]" } },
        { "set(any)", { "toset([1, 2])", "toset([\"a\"])", "toset([])" } },
        { "map(string)", { "{ a = \"x\" }", "{}", "{ b = \"y\" }" } },
    };
    static const char *const others[] = { "[{ a = \"x\" }, { a = \"y\" }]", "\"a\"", "{ a = [\"x\"] }" };
    size_t i;

    for (i = 0; i < sizeof known / sizeof *known; i++)
        if (str_is(type, known[i].type))
            return known[i].values[kind];
    return others[kind];
}

/* A call of every function that the library has. */
static void functions(const hcl_scope *scope, uint32_t builtins)
{
    hcl_functions *all = NULL;
    size_t i, p;
    int kind;

    STATUS(HCL_OK, hcl_functions_of(builtins, &all));
    for (i = 0; i < hcl_functions_count(all); i++) {
        hcl_function_info info = { .size = sizeof info };
        STATUS(HCL_OK, hcl_functions_get(all, i, &info));
        for (kind = 0; kind < 3; kind++) {
            int length = snprintf(text, sizeof text, "%.*s(", (int)info.name.len, info.name.ptr);
            for (p = 0; p < info.n_params; p++) {
                hcl_param_info param = { .size = sizeof param };
                STATUS(HCL_OK, hcl_functions_param(all, i, p, &param));
                length += sprintf(text + length, "%s%s", p == 0 ? "" : ", ", argument(param.type_text, kind));
            }
            length += sprintf(text + length, ")");
            evaluate(scope, text, (size_t)length);
        }
    }
    hcl_functions_free(all);
}

/* Writes a text that nests, and returns its length. */
static size_t nest(const char *open, const char *middle, const char *close)
{
    size_t length = 0;
    int i;

    for (i = 0; i < DEPTH; i++)
        length += (size_t)sprintf(text + length, "%s", open);
    length += (size_t)sprintf(text + length, "%s", middle);
    for (i = 0; i < DEPTH; i++)
        length += (size_t)sprintf(text + length, "%s", close);
    return length;
}

static void nested(const hcl_scope *scope, const char *open, const char *middle, const char *close)
{
    evaluate(scope, text, nest(open, middle, close));
}

/* A text as a file of both syntaxes, and formatted. */
static void document(const char *open, const char *middle, const char *close)
{
    hcl_file *file = NULL;
    hcl_diags *diags = NULL;
    hcl_buf *buf = NULL;
    const size_t length = nest(open, middle, close);

    begin();
    (void)hcl_file_parse("test.hcl", HCL_NUL, text, length, NULL, &file, &diags);
    hcl_diags_free(diags);
    diags = NULL;
    if (file != NULL) {
        (void)hcl_file_to_json(file, NULL, &buf, &diags);
        hcl_buf_free(buf);
        hcl_diags_free(diags);
    }
    hcl_file_free(file);
    buf = NULL;
    diags = NULL;
    (void)hcl_format("test.hcl", HCL_NUL, text, length, HCL_STYLE_TERRAFORM, NULL, &buf, &diags);
    hcl_buf_free(buf);
    hcl_diags_free(diags);
    end(text);
}

/* Edits of an attribute in blocks that nest, by its address. */
static void edits(void)
{
    static char address[2 * DEPTH + 2];
    hcl_document *document = NULL;
    hcl_value *value = NULL;
    size_t length = nest("a {\n", "b = 1\n", "}\n"), n_removed = 0;
    int i;

    for (i = 0; i < DEPTH; i++)
        memcpy(address + 2 * i, "a.", 2);
    strcpy(address + 2 * DEPTH, "b");
    begin();
    STATUS(HCL_OK, hcl_document_parse("test.hcl", HCL_NUL, text, length, NULL, &document, NULL));
    STATUS(HCL_OK, hcl_document_get(document, address, HCL_NUL, &value, NULL));
    STATUS(HCL_OK, hcl_document_set(document, address, HCL_NUL, "2", 1, 0, NULL));
    STATUS(HCL_OK, hcl_document_remove(document, address, HCL_NUL, 0, &n_removed, NULL));
    CHECK(n_removed == 1);
    hcl_value_free(value);
    hcl_document_free(document);
    end("edits");
}

/* Blocks that nest in a job or a template. */
static void evaluated(const char *product, const char *file, const char *open, const char *close)
{
    hcl_module_loader *loader = NULL;
    hcl_module *module = NULL;
    hcl_value *value = NULL;
    size_t length = nest("b {\n", "c = 1\n", "}\n");
    char *whole = malloc(length + 100);

    length = (size_t)sprintf(whole, "%s%s%s", open, text, close);
    begin();
    STATUS(HCL_OK, hcl_module_loader_new(product, HCL_NUL, &loader, NULL));
    STATUS(HCL_OK, hcl_module_loader_folder(loader, file, HCL_NUL));
    STATUS(HCL_OK, hcl_module_loader_text(loader, file, HCL_NUL, whole, length));
    STATUS(HCL_OK, hcl_module_load(loader, NULL, &module, NULL));
    STATUS(HCL_OK, hcl_module_evaluated(module, NULL, &value, NULL));
    hcl_value_free(value);
    hcl_module_free(module);
    hcl_module_loader_free(loader);
    end(product);
    free(whole);
}

/* A specification that nests. */
static void specification(const char *open, const char *middle, const char *close)
{
    hcl_spec *spec = NULL;
    const size_t length = nest(open, middle, close);

    begin();
    STATUS(HCL_OK, hcl_spec_parse("test.hcldec", HCL_NUL, text, length, NULL, &spec, NULL));
    hcl_spec_free(spec);
    end(text);
}

/* Scopes within each other, or within functions of each other, released from the innermost on. */
static void scopes(int with_functions)
{
    static const char FUNCTION[] = "function \"f\" {\n  params = [a]\n  result = a\n}\n";
    hcl_file *file = NULL;
    hcl_scope *scope = scope_of(HCL_BUILTINS_HCL), *inner;
    int i;

    STATUS(HCL_OK, hcl_file_parse("test.hcl", HCL_NUL, FUNCTION, HCL_NUL, NULL, &file, NULL));
    begin();
    for (i = 0; i < 4 * DEPTH; i++) {
        STATUS(HCL_OK, hcl_scope_new(with_functions ? NULL : scope, &inner));
        if (with_functions)
            STATUS(HCL_OK, hcl_scope_user_functions(inner, hcl_file_body(file), "function", HCL_NUL, 1, scope, NULL, NULL));
        STATUS(HCL_OK, hcl_scope_seal(inner));
        hcl_scope_free(scope);
        scope = inner;
    }
    hcl_scope_free(scope);
    end("scopes");
    hcl_file_free(file);
}

int main(int argc, char **argv)
{
    static const uint32_t PRODUCTS[] = { HCL_BUILTINS_HCL, HCL_BUILTINS_TERRAFORM, HCL_BUILTINS_OPENTOFU,
                                         HCL_BUILTINS_PACKER, HCL_BUILTINS_NOMAD };
    pthread_attr_t attributes;
    void *stack;
    size_t size, i;
    int a;

    CHECK(pthread_getattr_np(pthread_self(), &attributes) == 0);
    CHECK(pthread_attr_getstack(&attributes, &stack, &size) == 0);
    pthread_attr_destroy(&attributes);
    lowest = stack;
    if (getenv("HCL_STACK_OVER") != NULL)
        told_from = strtoul(getenv("HCL_STACK_OVER"), NULL, 10);
    for (i = 0; i < sizeof PRODUCTS / sizeof *PRODUCTS; i++) {
        hcl_scope *scope = scope_of(PRODUCTS[i]);
        functions(scope, PRODUCTS[i]);
        for (a = 1; a < argc; a++)
            if (i == 1 || a == 1)
                corpus(scope, argv[a]);
        if (i == 1) {
            nested(scope, "(", "1", ")");
            nested(scope, "-(", "1", ")");
            nested(scope, "[", "1", "]");
            nested(scope, "{ a = ", "1", " }");
            nested(scope, "\"a${", "1", "}\"");
            nested(scope, "\"%{ if true }${", "1", "}%{ endif }\"");
            nested(scope, "abs(", "1", ")");
            nested(scope, "try(", "nosuch", ")");
            nested(scope, "jsonencode(", "1", ")");
            nested(scope, "[for x in [1] : ", "x", "]");
            nested(scope, "{ for k, v in { a = 1 } : k => ", "v", " }");
            nested(scope, "true ? ", "1", " : 0");
            nested(scope, "[[", "1", "][*]]");
            nested(scope, "[1][", "0", "]");
            nested(scope, "tolist([", "1", "])");
            nested(scope, "jsondecode(jsonencode([", "1", "]))");
            nested(scope, "", "[1]", ".a[0]");
            nested(scope, "[", "", "");
            evaluate(scope, deep_work, sizeof deep_work - 1);
            nested(scope, "[ try({}.a, ", "1", ")]");
        }
        hcl_scope_free(scope);
    }
    document("a {\n", "b = 1\n", "}\n");
    document("a = [", "1", "]");
    document("{\"a\": ", "1", "}");
    edits();
    evaluated("nomad", "a.nomad.hcl", "job \"a\" {\n", "}\n");
    evaluated("packer", "a.pkr.hcl", "source \"null\" \"a\" {\n", "}\nbuild {\n  sources = [\"source.null.a\"]\n}\n");
    specification("array {\n", "literal {\n  value = 1\n}\n", "}\n");
    specification("block {\n  block_type = \"a\"\n", "attr {\n  name = \"b\"\n  type = number\n}\n", "}\n");
    scopes(0);
    scopes(1);
    printf("%lu expressions, %zu KiB for one\n", n_expressions, most >> 10);
    return failures != 0;
}

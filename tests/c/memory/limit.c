/* The bytes that the allocator is asked for while expressions, once and for the rows of a table, run into max_memory: at most
 * 1.25 times the limit and 1 MiB at a time.
 *
 * With an argument there is no such limit, and the system has so many MiB left: each expression comes back all the same. */
#define _GNU_SOURCE
#include "../check.h"
#include "../table.h"
#include "counted.h"

#include <sys/resource.h>

enum { LIMIT = 16 << 20 };

/* 60 brackets, so that lines of the type of what is within begin with 240 blanks. */
#define OPEN "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["
#define CLOSE "]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]"

/* `big` is a list of 200,000 numbers, `words` one of 20,000 texts of 40 bytes, `text` a text of 4 MB, `lines` one of 1,000,000
 * lines, `many` an object of 200,000 attributes that are numbers, `alike` one of as many texts by the same names. */
static const char *const EXPRESSIONS[] = {
    "jsonencode([for x in range(1000) : words])",
    "jsonencode(big)",
    "setproduct(big, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])",
    "setproduct(toset(words), toset(words))",
    "range(5000000)",
    "range(0, 1, 0.0000001)",
    "replace(text, \"a\", \"bbbbbbbbbbbbbbbb\")",
    "replace(text, \"/a/\", \"bbbbbbbbbbbbbbbb\")",
    "replace(text, \"/(a+)/\", \"$1$1$1$1$1$1$1$1$1$1$1$1$1$1$1$1$1$1$1$1$1$1$1$1$1$1$1$1$1$1$1$1\")",
    "replace(\"a\", \"/a/\", replace(text, \"a\", \"$\"))",
    "jsonencode({ (replace(text, \"a\", \"<\")) = 1 })",
    "format(\"%5000000s%5000000s%5000000s%5000000s\", \"a\", \"b\", \"c\", \"d\")",
    "formatlist(\"%100s\", big)",
    "join(\"\", [for x in range(100) : join(text, words)])",
    "[for x in big : [for y in big : \"a text longer than what fits inside ${x} ${y}\"]]",
    "{ for x in big : \"a key that is longer than what fits inside ${x}\" => words }",
    "[for x in big : { a = x, b = words[0], c = [x] }]",
    "{ for x in big : \"k${x % 10}\" => \"another long text for the group ${x}\"... }",
    "[[for x in range(1000) : words][*]][*][0]",
    "\"%{ for x in big }${text}%{ endfor }\"",
    "base64gzip(text)",
    "base64gzip(join(\"\", [text, text, text]))",
    "base64encode(base64encode(base64encode(base64encode(text))))",
    "yamldecode(\"[${join(\", \", [for x in big : \"{ a: ${x}, b: [1, 2] }\"])}]\")",
    "jsondecode(\"[${join(\", \", [for x in big : \"{}\"])}]\")",
    "csvdecode(join(\"\\n\", concat([\"a,b,c\"], [for x in big : \"${x},2,3\"])))",
    "format(\"%${replace(text, \"a\", \"9\")}d\", 1)",
    "yamldecode(\"%TAG !a${join(\"! tag:x\\n%TAG !a\", big)}! tag:x\\n--- 1\\n\")",
    "yamldecode(\"- &a${join(\" x\\n- &a\", big)} x\\n\")",
    "yamldecode(\"{ a${join(\": x, a\", big)}: x }\")",
    "templatestring(words[0], many)",
    "regexall(\"a\", text)",
    "regexall(\"(a)(a)(a)(a)\", text)",
    "regexall(replace(substr(text, 0, 65536), \"a\", \"\\\\b\"), \"\")",
    "split(\"\", text)",
    "split(\"a\", text)",
    "tolist([for x in big : tostring(x)])",
    "toset([for x in big : \"a text longer than what fits inside ${x}\"])",
    "tomap({ for x in big : tostring(x) => tostring(x) })",
    "true ? [for x in big : [x, \"a\"]] : [for x in big : [x, 1]]",
    "concat(big, big, big, big, big, big, big, big, big, big, big, big, big, big, big, big)",
    "flatten([for x in range(100) : big])",
    "distinct(concat(big, big))",
    "distinct([for x in big : [x]])",
    "setsymmetricdifference(big, [for x in big : x + 100000])",
    "toset([for x in big : [x]]) == toset([for x in big : [x + 1]])",
    "transpose({ for x in range(100) : tostring(x) => words })",
    "format(\"%v\", [text, text, text])",
    "base64decode(replace(base64encode(text), \"Y\", \"Y\\n\"))",
    "transpose({ for x in range(10) : tostring(x) => [for y in big : tostring(y)] })",
    "chunklist(big, 1)",
    "zipmap([for x in big : tostring(x)], big)",
    "merge([for x in big : { \"${x}\" = x }]...)",
    "setunion([for x in range(50) : [for y in big : x * y]]...)",
    "sort([for x in big : \"a text longer than what fits inside ${x}\"])",
    "reverse(sort(split(\"\", text)))",
    "reverse([for x in big : { a = x }])",
    "values({ for x in big : x => { a = x } })",
    "strrev(text)",
    "upper(text)",
    "title(text)",
    "indent(100, replace(text, \"a\", \"\\n\"))",
    "urlencode(replace(text, \"a\", \"/\"))",
    "textencodebase64(text, \"UTF-16LE\")",
    "templatestring(\"%{ for x in b }${t}%{ endfor }\", { b = big, t = text })",
    "pow(2, 100000000)",
    "cidrsubnets(\"10.0.0.0/8\", [for x in big : 20]...)",
    "matchkeys(big, big, big)",
    "yamlencode(big)",
    "yamlencode([for x in range(100) : words])",
    "yamlencode(\"${text}${text}\")",
    "templatestring(lines, {})",
    "provider::terraform::decode_tfvars(lines)",
    "type(" OPEN "[for x in range(1000) : [for y in range(100) : y]]" CLOSE ")",
    "[for x in big : x.missing]",
    "{ for x in big : nosuch => x }",
    "{ for x in big : \"same\" => x }",
};

enum { ROWS = 200000, WIDTH = 40 };

/* `n` is the number of the row, `word` a text of 40 bytes, which is an entry of `kind`, an element of `tags`, a value of `map`
 * and a field of `pair`. `nulls` is a list of 1,000,000,000 nulls. */
static const char *const COLUMNS[] = { "n", "word", "kind", "tags", "map", "pair", "nulls" };
static field table, n, word, kind, tags, map, entries, pair, nulls, no_cell;

/* Programs over the table, and the types of their results as in `hcl_arrow_opts`. */
static const struct { const char *source, *format, *type; } RULES[] = {
    { "n > 5 && word != \"x\"", "", NULL },
    { "n > 5 && kind == \"x\"", "", NULL },
    { "n * 0.5", "", NULL },
    { "n", "d:38,2", NULL },
    { "n", "", "string" },
    { "n", "U", NULL },
    { "n < 1000 ? null : n", "l", NULL },
    { "n < 150000 ? n : n + 0.5", "", NULL },
    { "n < 150000 ? null : n", "", NULL },
    { "n < 150000 ? null : [n]", "", NULL },
    { "word", "", NULL },
    { "kind", "", NULL },
    { "upper(word)", "", NULL },
    { "\"a text of row ${n}: ${word}\"", "", NULL },
    { "[n]", "", NULL },
    { "[n, word]", "", NULL },
    { "[n, n + 0.5]", "", "list(string)" },
    { "tags", "", NULL },
    { "map", "", NULL },
    { "pair", "", NULL },
    { "length(tags) + length(map)", "", NULL },
    { "{ a = n, b = [word], c = { d = kind } }", "", NULL },
    { "{ a = n }", "", "object({ a = number, b = optional(string, \"a text that is longer than what fits inside\") })" },
    { "{ \"${word}\" = n }", "", "map(number)" },
    { "[for i in range(n % 1000) : word]", "", NULL },
    { "{ for i in range(n % 1000) : \"${word}${i}\" => i }", "", "map(string)" },
    { "join(\",\", [for i in range(n) : word])", "", NULL },
    { "nulls", "", NULL },
    { "length(nulls)", "", NULL },
    { "big", "", NULL },
    { "words", "", NULL },
    { "text", "", NULL },
    { "[for w in words : \"${w}${n}\"]", "", NULL },
    { "word + 1", "", NULL },
    { "\"${word}${text}\" + 1", "", NULL },
    { "sensitive(word)", "", NULL },
};

static void make_table(void)
{
    static int64_t numbers[ROWS];
    static int32_t places[ROWS], ends[ROWS + 1], each[ROWS + 1];
    static char texts[ROWS * WIDTH + 1];
    field *columns[] = { &n, &word, &kind, &tags, &map, &pair, &nulls };
    int row;

    for (row = 0; row < ROWS; row++) {
        numbers[row] = row;
        places[row] = ROWS - 1 - row;
        each[row + 1] = row + 1;
        ends[row + 1] = WIDTH * (row + 1);
        sprintf(texts + WIDTH * row, "%0*d", WIDTH, row);
    }
    make(&n, "l", "n", ROWS, 2);
    n.buffers[1] = numbers;
    make(&word, "u", "word", ROWS, 3);
    word.buffers[1] = ends;
    word.buffers[2] = texts;
    make(&kind, "i", "kind", ROWS, 2);
    kind.buffers[1] = places;
    kind.array.dictionary = &word.array;
    kind.schema.dictionary = &word.schema;
    make(&tags, "+l", "tags", ROWS, 2);
    tags.buffers[1] = each;
    with_child(&tags, &word);
    make(&entries, "+s", "entries", ROWS, 1);
    with_child(&entries, &word);
    with_child(&entries, &word);
    make(&map, "+m", "map", ROWS, 2);
    map.buffers[1] = each;
    with_child(&map, &entries);
    make(&pair, "+s", "pair", ROWS, 1);
    with_child(&pair, &n);
    with_child(&pair, &word);
    make(&no_cell, "n", "item", INT64_C(1000000000) * ROWS, 0);
    make(&nulls, "+w:1000000000", "nulls", ROWS, 1);
    with_child(&nulls, &no_cell);
    make(&table, "+s", "", ROWS, 1);
    for (row = 0; row < (int)(sizeof columns / sizeof *columns); row++)
        with_child(&table, columns[row]);
}

static hcl_value *made(const char *source)
{
    hcl_scope *scope = plain_scope();
    hcl_program *program = compile_in(scope, source);
    hcl_frame *frame = NULL;
    hcl_value *value = NULL;

    STATUS(HCL_OK, hcl_frame_new(scope, &frame));
    STATUS(HCL_OK, hcl_eval(program, frame, &value, NULL));
    hcl_frame_free(frame);
    hcl_program_free(program);
    hcl_scope_free(scope);
    return value;
}

/* How much of memory the process may map beside what it has. */
static void leave(size_t bytes)
{
    FILE *file = fopen("/proc/self/statm", "r");
    struct rlimit most;
    size_t pages = 0;

    CHECK(file != NULL && fscanf(file, "%zu", &pages) == 1 && fclose(file) == 0);
    most.rlim_cur = most.rlim_max = (pages << 12) + bytes;
    CHECK(setrlimit(RLIMIT_AS, &most) == 0);
}

/* Says how much work has asked for since `before`, and complains if that is more than a limit of so many bytes allows. */
static void check_peak(const char *work, size_t before, size_t limit)
{
    const size_t asked = peak - before;

    if (getenv("HCL_TELL") != NULL)
        printf("%6.1f MiB for %s\n", (double)asked / (1 << 20), work);
    if (asked > limit + limit / 4 + (1 << 20)) {
        failures++;
        fprintf(stderr, "%.1f MiB for %s\n", (double)asked / (1 << 20), work);
    }
}

/* An expression with a name that is not known, in a text of 6 MB: the place of the diagnostic is made of lines and columns, which
 * take several times max_memory. */
static void place_in_a_long_text(hcl_frame *frame, hcl_limits limits)
{
    static const struct { uint64_t max_memory; hcl_status status; } BOUNDS[] = {
        { LIMIT, HCL_ERR_LIMIT }, { (uint64_t)LIMIT << 6, HCL_ERR_DIAGNOSTICS },
    };
    enum { PAIRS = 2000000 };
    char *source = malloc(3 * PAIRS + 32), *end = source + sprintf(source, "missing /* ");
    size_t i, before;

    for (i = 0; i < PAIRS; i++)
        end += sprintf(end, "\xc3\xa9-");
    strcpy(end, "*/");
    for (i = 0; i < sizeof BOUNDS / sizeof *BOUNDS; i++) {
        hcl_expr *expr = NULL;
        hcl_value *value = NULL;
        hcl_diags *diags = NULL;

        limits.max_memory = BOUNDS[i].max_memory;
        STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
        STATUS(HCL_OK, hcl_expr_parse("test", HCL_NUL, source, HCL_NUL, NULL, 0, NULL, &expr, NULL));
        before = peak = live;
        STATUS(BOUNDS[i].status, hcl_expr_eval(expr, frame, &value, &diags));
        if (BOUNDS[i].status == HCL_ERR_LIMIT)
            check_peak("a place in a long text", before, LIMIT);
        hcl_diags_free(diags);
        hcl_value_free(value);
        hcl_expr_free(expr);
    }
    free(source);
}

/* So many lines, each with its number, between a head and a foot. */
static char *many_lines(const char *head, const char *line, size_t n, const char *foot)
{
    char *text = malloc(strlen(head) + n * (strlen(line) + 8) + strlen(foot) + 1), *end = text;
    size_t i;

    end += sprintf(end, "%s", head);
    for (i = 0; i < n; i++)
        end += sprintf(end, line, (unsigned)i);
    strcpy(end, foot);
    return text;
}

/* Chains without end, which are prepared link by link and evaluated once. */
static void long_chains(hcl_frame *frame, hcl_limits limits)
{
    static const struct { const char *link, *last; size_t n; } CHAINS[] = {
        { "1+", "1", 2000000 }, { "big+", "1", 1000000 }, { "true?1:", "1", 500000 }, { "!", "true", 2000000 },
    };
    size_t i, j, before;

    limits.max_memory = LIMIT;
    STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
    for (i = 0; i < sizeof CHAINS / sizeof *CHAINS; i++) {
        const size_t len = strlen(CHAINS[i].link);
        char *source = malloc(CHAINS[i].n * len + 8);
        hcl_expr *expr = NULL;
        hcl_value *value = NULL;

        for (j = 0; j < CHAINS[i].n; j++)
            memcpy(source + j * len, CHAINS[i].link, len);
        strcpy(source + CHAINS[i].n * len, CHAINS[i].last);
        STATUS(HCL_OK, hcl_expr_parse("chain", HCL_NUL, source, HCL_NUL, NULL, 0, NULL, &expr, NULL));
        before = peak = live;
        STATUS(HCL_ERR_LIMIT, hcl_expr_eval(expr, frame, &value, NULL));
        check_peak(CHAINS[i].link, before, LIMIT);
        hcl_value_free(value);
        hcl_expr_free(expr);
        free(source);
    }
}

/* Objects of so many attributes as the results of a conditional, which are brought to one type. */
static void wide_results(hcl_frame *frame, hcl_limits limits)
{
    char *objects[] = { many_lines("{", "a%u = 1\n", 100000, "}"), many_lines("{", "b%u = \"x\"\n", 100000, "}"), "{}" };
    size_t i, before;

    limits.max_memory = LIMIT / 4;
    STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
    for (i = 1; i < sizeof objects / sizeof *objects; i++) {
        char *source = malloc(strlen(objects[0]) + strlen(objects[i]) + 40);
        hcl_expr *expr = NULL;
        hcl_value *value = NULL;

        sprintf(source, "[for b in [true] : b ? %s : %s]", objects[0], objects[i]);
        STATUS(HCL_OK, hcl_expr_parse("wide", HCL_NUL, source, HCL_NUL, NULL, 0, NULL, &expr, NULL));
        before = peak = live;
        STATUS(HCL_ERR_LIMIT, hcl_expr_eval(expr, frame, &value, NULL));
        check_peak("a conditional of wide objects", before, LIMIT / 4);
        hcl_value_free(value);
        hcl_expr_free(expr);
        free(source);
    }
    free(objects[0]);
    free(objects[1]);
}

/* How the elements of a list came about, of which all are kept: steps beyond the limit are not. */
static void explained_elements(hcl_frame *frame, hcl_limits limits)
{
    hcl_explain_opts opts = { .size = sizeof opts, .max_steps = 1000000, .max_elements = 1000000 };
    hcl_expr *expr = NULL;
    hcl_buf *told = NULL;
    size_t before;

    limits.max_memory = LIMIT / 4;
    STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
    STATUS(HCL_OK, hcl_expr_parse("told", HCL_NUL, "length([for w in words : upper(lower(w)) if w == \"\"])", HCL_NUL, NULL, 0,
                                  NULL, &expr, NULL));
    before = peak = live;
    STATUS(HCL_OK, hcl_expr_explain(expr, frame, &opts, &told, NULL));
    check_peak("the steps of an explanation", before, LIMIT / 4);
    hcl_buf_free(told);
    hcl_expr_free(expr);
}

/* How the parts of a long list came about, written as JSON until the limit is reached. */
static void explanations(hcl_frame *frame, hcl_limits limits)
{
    char *source = many_lines("[", "substr(text, %u, 1000),\n", 1500, "1]");
    hcl_explain_opts opts = { .size = sizeof opts, .flags = HCL_EXPLAIN_JSON, .max_steps = 100000 };
    hcl_expr *expr = NULL;
    hcl_buf *told = NULL;
    hcl_diags *diags = NULL;
    hcl_diag diag = { .size = sizeof diag };
    size_t before;

    limits.max_memory = LIMIT / 4;
    STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
    STATUS(HCL_OK, hcl_expr_parse("told", HCL_NUL, source, HCL_NUL, NULL, 0, NULL, &expr, NULL));
    before = peak = live;
    STATUS(HCL_OK, hcl_expr_explain(expr, frame, &opts, &told, &diags));
    check_peak("an explanation", before, LIMIT / 4);
    STATUS(HCL_OK, hcl_diags_get(diags, 0, &diag));
    CHECK(diag.code.len == 12 && memcmp(diag.code.ptr, "limit.memory", 12) == 0);
    hcl_diags_free(diags);
    hcl_buf_free(told);
    hcl_expr_free(expr);
    free(source);
}

/* Names of 8 MB that messages quote; types and lists that are made before anything is evaluated; a text of one character. */
static void long_names(hcl_frame *frame, hcl_limits limits)
{
    static const struct { const char *head, *part; size_t n; const char *foot; hcl_status status; } TEXTS[] = {
        { "", "nosuch00", 1000000, "", HCL_ERR_DIAGNOSTICS },
        { "", "nosuch00", 1000000, "(1)", HCL_ERR_DIAGNOSTICS },
        { "convert(null, ", "nosuch00", 1000000, ")", HCL_ERR_DIAGNOSTICS },
        { "convert(null, ", "nosuch00", 1000000, "(string))", HCL_ERR_DIAGNOSTICS },
        { "convert(null, object({ ", "nosuch00", 1000000, " = string }))", HCL_ERR_LIMIT },
        { "convert(null, tuple([", "string, ", 300000, "]))", HCL_ERR_LIMIT },
        { "{ for x in [1, 2] : text => x }", "", 0, "", HCL_ERR_DIAGNOSTICS },
        { "lookup({ a = 1 }, text)", "", 0, "", HCL_ERR_DIAGNOSTICS },
        { "textencodebase64(\"a\", text)", "", 0, "", HCL_ERR_DIAGNOSTICS },
        { "uuidv5(text, \"a\")", "", 0, "", HCL_ERR_DIAGNOSTICS },
        { "file(text)", "", 0, "", HCL_ERR_DIAGNOSTICS },
        { "substr(\"e", "\xcc\x81", 1000000, "\", 0, 1)", HCL_ERR_LIMIT },
        { "[for x in big : x]", "", 0, "", HCL_ERR_LIMIT },
        { "upper(\"[${text}${text}]\")", "", 0, "", HCL_ERR_LIMIT },
        { "\"%{ for x in [1, 2, 3] }${text}%{ endfor }\"", "", 0, "", HCL_ERR_LIMIT },
    };
    size_t i, before;

    limits.max_memory = LIMIT / 4;
    for (i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
        char *source = many_lines(TEXTS[i].head, TEXTS[i].part, TEXTS[i].n, TEXTS[i].foot), work[40];
        hcl_expr *expr = NULL;
        hcl_value *value = NULL;

        STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
        STATUS(HCL_OK, hcl_expr_parse("long", HCL_NUL, source, HCL_NUL, NULL, 0, NULL, &expr, NULL));
        before = peak = live;
        STATUS(TEXTS[i].status, hcl_expr_eval(expr, frame, &value, NULL));
        sprintf(work, "%.38s", source);
        check_peak(work, before, LIMIT / 4);
        hcl_value_free(value);
        hcl_expr_free(expr);
        free(source);
    }
}

/* Labels, names and types of blocks as parts of values and in complaints: many long ones, and one of 8 MB. */
static void labels_and_names(hcl_frame *frame, hcl_limits limits)
{
    static const struct { const char *work, *spec, *head, *line; size_t width, n; hcl_status status; } TEXTS[] = {
        { "labels of a map", "block_map {\n block_type = \"b\"\n labels = [\"k\"]\n literal {\n value = 1\n}\n}\n", "b \"",
          "%u\" {}\n", 1000, 10000, HCL_ERR_LIMIT },
        { "a label of an object", "block_object {\n block_type = \"b\"\n labels = [\"k\"]\n literal {\n value = 1\n}\n}\n",
          "b \"", "%u\" {}\n", 8 << 20, 1, HCL_ERR_LIMIT },
        { "labels in a list", "block_list {\n block_type = \"b\"\n block_label {\n name = \"x\"\n}\n}\n", "b \"", "%u\" {}\n", 1000,
          10000, HCL_ERR_LIMIT },
        { "names of attributes", "block_attrs {\n block_type = \"b\"\n element_type = number\n}\n", "b {\n a", "%u = 1\n}\n",
          8 << 20, 1, HCL_ERR_LIMIT },
        { "an argument that is not expected", "literal {\n value = 1\n}\n", "a", "%u = 1\n", 8 << 20, 1, HCL_ERR_DIAGNOSTICS },
        { "a block that is not expected", "literal {\n value = 1\n}\n", "a", "%u {}\n", 8 << 20, 1, HCL_ERR_DIAGNOSTICS },
        { "a label twice", "block_map {\n block_type = \"b\"\n labels = [\"k\"]\n literal {\n value = 1\n}\n}\n", "b \"",
          "\" {}\n", 100000, 2, HCL_ERR_DIAGNOSTICS },
    };
    size_t i, before;

    limits.max_memory = LIMIT / 16;
    STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
    for (i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
        const size_t head = strlen(TEXTS[i].head), width = TEXTS[i].width;
        char *line = malloc(head + width + strlen(TEXTS[i].line) + 1), *text;
        hcl_spec *spec = NULL;
        hcl_file *file = NULL;
        hcl_value *value = NULL;
        hcl_diags *diags = NULL;

        memcpy(line, TEXTS[i].head, head);
        memset(line + head, 'k', width);
        strcpy(line + head + width, TEXTS[i].line);
        text = many_lines("", line, TEXTS[i].n, "");
        STATUS(HCL_OK, hcl_spec_parse("s", HCL_NUL, TEXTS[i].spec, HCL_NUL, NULL, &spec, NULL));
        STATUS(HCL_OK, hcl_file_parse("f", HCL_NUL, text, HCL_NUL, NULL, &file, NULL));
        CHECK(hcl_file_body(file) != NULL);
        before = peak = live;
        STATUS(TEXTS[i].status, hcl_spec_decode(spec, hcl_file_body(file), frame, &value, &diags));
        check_peak(TEXTS[i].work, before, LIMIT / 16);
        hcl_diags_free(diags);
        hcl_value_free(value);
        hcl_file_free(file);
        hcl_spec_free(spec);
        free(text);
        free(line);
    }
}

/* Definitions: many, and one that refers to another many times. */
static void many_definitions(hcl_frame *frame, hcl_limits limits)
{
    static const struct { const char *head, *part; size_t n; const char *foot; } TEXTS[] = {
        { "", "a%u = 1\n", 200000, "" },
        { "a = 1\n", "b%u = local.a\n", 100000, "" },
        { "a = 1\nb = [", "local.a, ", 400000, "1]\n" },
        { "a = 1\nb = ", "local.a + ", 400000, "1\n" },
        { "b = ", "1 + ", 800000, "1\n" },
    };
    size_t i, j, before;

    limits.max_memory = LIMIT / 4;
    STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
    for (i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
        char *text = many_lines(TEXTS[i].head, TEXTS[i].part, TEXTS[i].n, TEXTS[i].foot), work[20];
        hcl_definitions *definitions = NULL;
        hcl_file *file = NULL;
        hcl_value *value = NULL;
        const hcl_body *body;

        STATUS(HCL_OK, hcl_file_parse("f", HCL_NUL, text, HCL_NUL, NULL, &file, NULL));
        STATUS(HCL_OK, hcl_definitions_new("local", HCL_NUL, &definitions));
        body = hcl_file_body(file);
        for (j = 0; j < hcl_body_attr_count(body); j++)
            STATUS(HCL_OK, hcl_definitions_add(definitions, hcl_body_attr_at(body, j)));
        before = peak = live;
        STATUS(HCL_ERR_LIMIT, hcl_definitions_eval(definitions, frame, &value, NULL));
        sprintf(work, "definitions %u", (unsigned)i);
        check_peak(work, before, LIMIT / 4);
        hcl_value_free(value);
        hcl_definitions_free(definitions);
        hcl_file_free(file);
        free(text);
    }
}

/* Files as JSON syntax: of many blocks, labels and keys, and of one long name and number. */
static void json_syntax(hcl_frame *frame, hcl_limits limits)
{
    static const struct { const char *what, *head, *line; size_t n; const char *foot; size_t limit; } FILES[] = {
        { "many labels", "b ", "\"x%u\" ", 500000, "{}\n", LIMIT },
        { "many keys", "a = {\n", "k%u = 1\n", 300000, "}\n", LIMIT },
        { "many blocks", "", "b {}\n", 500000, "", LIMIT },
        { "many blocks of labels", "", "b \"x\" \"y%u\" {}\n", 300000, "", LIMIT },
        { "a long name", "", "abcdefgh", 1000000, " = 1\n", LIMIT / 4 },
        { "a long number", "a = 1", "23456789", 1000000, "\n", LIMIT / 4 },
    };
    size_t i, before;

    for (i = 0; i < sizeof FILES / sizeof *FILES; i++) {
        char *text = many_lines(FILES[i].head, FILES[i].line, FILES[i].n, FILES[i].foot);
        hcl_file *file = NULL;
        hcl_buf *json = NULL;

        limits.max_memory = FILES[i].limit;
        STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
        STATUS(HCL_OK, hcl_file_parse("f", HCL_NUL, text, HCL_NUL, NULL, &file, NULL));
        before = peak = live;
        STATUS(HCL_ERR_LIMIT, hcl_file_to_json(file, frame, &json, NULL));
        check_peak(FILES[i].what, before, FILES[i].limit);
        if (i == 1) {
            STATUS(HCL_OK, hcl_file_to_json(file, NULL, &json, NULL));
            hcl_buf_free(json);
        }
        hcl_file_free(file);
        free(text);
    }
}

/* Modules, a job and templates checked, the latter two also as one value; and files as JSON syntax. */
static void wholes(hcl_frame *frame, hcl_limits limits)
{
    static const struct { const char *dialect, *file, *head, *line, *foot; unsigned n, flags; hcl_status check; } MODULES[] = {
        { "nomad", "a.nomad", "job \"j\" {\n", "a%u = 1\n", "}\n", 100000, 0, HCL_ERR_LIMIT },
        { "nomad", "a.nomad", "job \"j\" {\n", "group \"g%u\" {}\n", "}\n", 50000, 0, HCL_ERR_LIMIT },
        { "nomad", "a.nomad", "job \"j\" {\n  g", " \"l%u\"", " {}\n}\n", 200000, 0, HCL_ERR_LIMIT },
        { "terraform", "main.tf", "locals {\n", "a%u = \"a text\"\n", "}\n", 100000, 0, HCL_ERR_LIMIT },
        { "terraform", "main.tf", "locals {\n  a = 1\n  b = [\n", "local.a + %u,\n", "]\n}\n", 100000, 0, HCL_ERR_LIMIT },
        { "packer", "a.pkr.hcl", "source \"null\" \"x\" {}\n",
          "build {\nname = \"b%u\"\nsources = [\"null.x\"]\n}\n", "", 50000, 0, HCL_ERR_LIMIT },
        { "packer", "a.pkr.hcl", "source \"null\" \"x\" {\n", "a%u = 1\n",
          "}\nbuild {\nsources = [\"null.x\"]\n}\n", 100000, 0, HCL_ERR_LIMIT },
        { "packer", "a.pkr.hcl", "", "source \"null\" \"x%u\" {}\n", "build {\nsources = [\"null.x0\"]\n}\n", 40000, 0, HCL_OK },
        { "terraform", "main.tf", "locals {\n  a = [\n", "1,\n", "]\n}\n", 1000000, 0, HCL_ERR_LIMIT },
        { "terraform", "main.tf", "resource \"t\" \"r\" {\n", "a%u = 1\n", "}\n", 100000, 0, HCL_ERR_LIMIT },
        { "terraform", "main.tf", "resource \"t\" \"r\" {\n", "a%u = 1\n", "}\n", 100000, HCL_MODULE_PLANNED, HCL_ERR_LIMIT },
        { "terraform", "main.tf", "resource \"t\" \"r\" {\n", "b {}\n", "}\n", 100000, 0, HCL_ERR_LIMIT },
        { "terraform", "main.tf", "variable \"v\" {\ndefault = 2\n",
          "validation {\ncondition = var.v != 1\nerror_message = \"x\"\n}\n", "}\n", 30000, 0, HCL_ERR_LIMIT },
        { "terraform", "main.tf", "locals {\n  a = [\n", "local.b%u,\n", "]\n}\n", 30000, 0, HCL_ERR_LIMIT },
        { "terraform", "main.tf", "output \"o\" {\n  value = 1\n  depends_on = [\n", "t.r%u,\n", "]\n}\n", 30000, 0, HCL_OK },
        { "terraform", "main.tf.json", "{\"resource\": {\"t\": {\"r\": {\n",
          "\"a%u\": 1,\n", "\"z\": 1}}}}\n", 100000, 0, HCL_ERR_LIMIT },
    };
    size_t i, before;
    char *text;

    limits.max_memory = LIMIT / 4;
    for (i = 0; i < sizeof MODULES / sizeof *MODULES; i++) {
        hcl_module_loader *loader = NULL;
        hcl_module *module = NULL;
        hcl_value *value = NULL;
        hcl_limits few = { .size = sizeof few, .max_elements = 1000 };
        char work[40];

        text = many_lines(MODULES[i].head, MODULES[i].line, MODULES[i].n, MODULES[i].foot);
        STATUS(HCL_OK, hcl_module_loader_new(MODULES[i].dialect, HCL_NUL, &loader, NULL));
        STATUS(HCL_OK, hcl_module_loader_text(loader, MODULES[i].file, HCL_NUL, text, HCL_NUL));
        if (strcmp(MODULES[i].dialect, "nomad") == 0)
            STATUS(HCL_OK, hcl_module_loader_folder(loader, MODULES[i].file, HCL_NUL));
        STATUS(HCL_OK, hcl_module_loader_resources(loader, MODULES[i].flags));
        STATUS(HCL_OK, hcl_module_load(loader, NULL, &module, NULL));
        if (strcmp(MODULES[i].dialect, "terraform") != 0) {
            STATUS(HCL_ERR_LIMIT, hcl_module_evaluated(module, &few, &value, NULL));
            before = peak = live;
            STATUS(HCL_ERR_LIMIT, hcl_module_evaluated(module, &limits, &value, NULL));
            sprintf(work, "module %u", (unsigned)i);
            check_peak(work, before, LIMIT / 4);
            STATUS(HCL_OK, hcl_module_evaluated(module, NULL, &value, NULL));
            hcl_value_free(value);
        }
        before = peak = live;
        STATUS(MODULES[i].check, hcl_module_check(module, &limits, NULL));
        sprintf(work, "a check of module %u", (unsigned)i);
        check_peak(work, before, LIMIT / 4);
        hcl_module_free(module);
        hcl_module_loader_free(loader);
        free(text);
    }
    json_syntax(frame, limits);
}

/* Modules that are called, and resources that are planned, 100,000 times: instances and their values are asked for. */
static void instances(hcl_limits limits)
{
#define KEYS "merge([for y in range(100) : { for x in range(1000) : \"a key of some length ${y}-${x}\" => x }]...)"
    static const struct { const char *main, *child, *expression, *given; } MODULES[] = {
        { "module \"m\" {\n  source = \"./m\"\n  count = 100000\n  v = count.index\n}\n",
          "variable \"v\" {}\noutput \"a\" {\n  value = var.v\n}\n", "module.m", NULL },
        { "module \"m\" {\n  source = \"./m\"\n  for_each = " KEYS "\n}\n", "output \"a\" {\n  value = 1\n}\n", "module.m", NULL },
        { "module \"m\" {\n  source = \"./m\"\n  for_each = toset(keys(" KEYS "))\n}\n", "output \"a\" {\n  value = 1\n}\n",
          "length(module.m)", NULL },
        { "module \"m\" {\n  source = \"./m\"\n  count = 1000\n}\n",
          "module \"n\" {\n  source = \"../n\"\n  count = 1000\n}\noutput \"a\" {\n  value = module.n\n}\n", "module.m", NULL },
        { "resource \"t\" \"r\" {\n  count = 100000\n  a = 1\n}\n", "", "t.r", NULL },
        { "resource \"t\" \"r\" {\n  for_each = " KEYS "\n  a = 1\n}\n", "", "t.r", NULL },
        { "resource \"t\" \"r\" {\n  a = 1\n}\n", "", "t.r", "merge([for y in range(500) : { for x in range(1000) : \"k${y}-${x}\" => x }]...)" },
    };
    static const size_t MOST[] = { 1 << 20, LIMIT / 4, LIMIT };
    size_t i, j, before;

    for (i = 0; i < sizeof MODULES / sizeof *MODULES; i++) {
        for (j = 0; j < sizeof MOST / sizeof *MOST; j++) {
            hcl_module_loader *loader = NULL;
            hcl_module *module = NULL;
            hcl_value *value = NULL;
            char work[40];

            limits.max_memory = MOST[j];
            STATUS(HCL_OK, hcl_module_loader_new("terraform", HCL_NUL, &loader, NULL));
            STATUS(HCL_OK, hcl_module_loader_text(loader, "main.tf", HCL_NUL, MODULES[i].main, HCL_NUL));
            STATUS(HCL_OK, hcl_module_loader_text(loader, "m/main.tf", HCL_NUL, MODULES[i].child, HCL_NUL));
            STATUS(HCL_OK, hcl_module_loader_text(loader, "n/main.tf", HCL_NUL, "", HCL_NUL));
            STATUS(HCL_OK, hcl_module_loader_resources(loader, HCL_MODULE_PLANNED));
            if (MODULES[i].given != NULL) {
                hcl_value *given = made(MODULES[i].given);
                STATUS(HCL_OK, hcl_module_loader_resource(loader, "t.r", HCL_NUL, given));
                hcl_value_free(given);
            }
            STATUS(HCL_OK, hcl_module_load(loader, NULL, &module, NULL));
            before = peak = live;
            STATUS(HCL_ERR_LIMIT, hcl_module_eval(module, MODULES[i].expression, HCL_NUL, &limits, &value, NULL));
            sprintf(work, "instances %u, bound %u", (unsigned)i, (unsigned)j);
            check_peak(work, before, MOST[j]);
            hcl_module_free(module);
            hcl_module_loader_free(loader);
        }
    }
#undef KEYS
}

/* Small modules that are called so often that they declare millions of things: what is never evaluated takes no memory. */
static void called_often(void)
{
    char *calls = many_lines("", "module \"m%u\" {\n  source = \"../b\"\n}\n", 90, "");
    char *declared = many_lines("locals {\n", "a%u = 1\n", 1000, "}\n");
    hcl_module_loader *loader = NULL;
    hcl_module *module = NULL;
    size_t before;

    STATUS(HCL_OK, hcl_module_loader_new("terraform", HCL_NUL, &loader, NULL));
    STATUS(HCL_OK, hcl_module_loader_text(loader, "b/main.tf", HCL_NUL, declared, HCL_NUL));
    STATUS(HCL_OK, hcl_module_loader_text(loader, "a/main.tf", HCL_NUL, calls, HCL_NUL));
    free(calls);
    calls = many_lines("", "module \"m%u\" {\n  source = \"./a\"\n}\n", 90, "");
    STATUS(HCL_OK, hcl_module_loader_text(loader, "main.tf", HCL_NUL, calls, HCL_NUL));
    before = peak = live;
    STATUS(HCL_OK, hcl_module_load(loader, NULL, &module, NULL));
    check_peak("modules that are called often", before, LIMIT);
    hcl_module_free(module);
    hcl_module_loader_free(loader);
    free(calls);
    free(declared);
}

/* Typed JSON: the type of a value of many parts is written, and objects are read that lack most attributes of their type. */
static void typed_json(hcl_limits limits)
{
    hcl_value *value = NULL;
    hcl_buf *json = NULL;
    size_t before;
    uint32_t format;
    char *types = many_lines("", "\"attribute %u\": \"string\",\n", 3000, "\"z\": \"bool\"}]]}");
    char *objects = many_lines("{\"value\": [", "{},", 30000, "{}], \"type\": [\"list\", [\"object\", {");
    char *text = many_lines("[", "[[1], {}],\n", 200000, "1]");

    STATUS(HCL_OK, hcl_value_decode(HCL_FORMAT_JSON, text, strlen(text), NULL, NULL, &value, NULL));
    limits.max_memory = LIMIT / 4;
    before = peak = live;
    STATUS(HCL_ERR_LIMIT, hcl_value_encode(value, HCL_FORMAT_TYPED_JSON, 0, &limits, &json, NULL));
    check_peak("a value with its type", before, LIMIT / 4);
    hcl_value_free(value);
    /* A text that is itself longer than the limit. */
    limits.max_memory = LIMIT / 16;
    for (format = HCL_FORMAT_JSON; format <= HCL_FORMAT_TYPED_JSON; format++) {
        before = peak = live;
        STATUS(HCL_ERR_LIMIT, hcl_value_decode(format, text, strlen(text), NULL, &limits, &value, NULL));
        check_peak("a long text that is decoded", before, LIMIT / 16);
    }
    free(text);
    objects = realloc(objects, strlen(objects) + strlen(types) + 1);
    strcat(objects, types);
    limits.max_memory = LIMIT;
    before = peak = live;
    STATUS(HCL_ERR_LIMIT, hcl_value_decode(HCL_FORMAT_TYPED_JSON, objects, strlen(objects), NULL, &limits, &value, NULL));
    check_peak("objects that lack attributes", before, LIMIT);
    free(objects);
    free(types);
}

/* Results that are kept together: of rows, of which those that find no room fail, and of attributes; and values that are
 * completed with the defaults of a type. */
static void kept_together(hcl_scope *scope, hcl_frame *frame, hcl_limits limits)
{
    static const char *const SOURCES[] = { "[n]", "\"a text of row ${n} that is longer than what fits inside\"", "n" };
    static const char SPEC[] = "attr {\n name = \"a\"\n type = list(object({ b = optional(number, 1), c = optional(string, \"c\") }))\n}\n";
    static hcl_cell in[ROWS], out[ROWS];
    static hcl_str names[ROWS];
    static char letters[ROWS][8];
    const size_t slot = 5;
    hcl_str long_name;
    hcl_file *file = NULL;
    hcl_spec *spec = NULL;
    hcl_value *value = NULL;
    hcl_buf *buf = NULL;
    hcl_type *type = NULL;
    size_t i, row, n_failed, before;
    char *text;

    limits.max_memory = LIMIT / 4;
    STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
    for (row = 0; row < ROWS; row++) {
        in[row].kind = HCL_CELL_I64;
        in[row].payload.integer = (int64_t)row;
        names[row].len = (size_t)sprintf(letters[row], "a%u", (unsigned)row);
        names[row].ptr = letters[row];
    }
    for (i = 0; i < sizeof SOURCES / sizeof *SOURCES; i++) {
        hcl_program *program = compile_in(scope, SOURCES[i]);

        before = peak = live;
        STATUS(HCL_OK, hcl_eval_rows(program, frame, &slot, 1, in, ROWS, out, &buf, NULL));
        check_peak(SOURCES[i], before, LIMIT / 4);
        for (row = 0, n_failed = 0; row < ROWS; row++)
            n_failed += out[row].kind == HCL_CELL_ERROR;
        CHECK((n_failed > 0) == (i < 2) && n_failed < ROWS);
        hcl_buf_free(buf);
        /* What rows have kept is nothing to the call after them. */
        STATUS(HCL_OK, hcl_frame_set_i64(frame, slot, 1));
        STATUS(HCL_OK, hcl_eval(program, frame, &value, NULL));
        hcl_value_free(value);
        value = NULL;
        hcl_program_free(program);
    }
    text = many_lines("", "a%u = [1, \"x\"]\n", ROWS, "");
    STATUS(HCL_OK, hcl_file_parse("f", HCL_NUL, text, HCL_NUL, NULL, &file, NULL));
    before = peak = live;
    STATUS(HCL_ERR_LIMIT, hcl_body_eval(hcl_file_body(file), names, 1, frame, out, &buf, NULL));
    check_peak("attributes that nobody has asked for", before, LIMIT / 4);
    CHECK(hcl_body_attr_find(hcl_file_body(file), "a0", HCL_NUL) != NULL);
    before = peak = live;
    STATUS(HCL_ERR_LIMIT, hcl_body_eval(hcl_file_body(file), names, ROWS, frame, out, &buf, NULL));
    check_peak("attributes of a body", before, LIMIT / 4);
    long_name = (hcl_str){ text, strlen(text) };
    before = peak = live;
    STATUS(HCL_OK, hcl_body_eval(hcl_file_body(file), &long_name, 1, frame, out, &buf, NULL));
    check_peak("a long name", before, LIMIT / 64);
    hcl_buf_free(buf);
    STATUS(HCL_OK, hcl_body_eval(hcl_file_body(file), names, 1000, frame, out, &buf, NULL));
    hcl_buf_free(buf);
    hcl_file_free(file);
    free(text);
    text = many_lines("", "a%u = nosuch\n", ROWS / 8, "");
    STATUS(HCL_OK, hcl_file_parse("f", HCL_NUL, text, HCL_NUL, NULL, &file, NULL));
    CHECK(hcl_body_attr_find(hcl_file_body(file), "a0", HCL_NUL) != NULL);
    before = peak = live;
    STATUS(HCL_ERR_LIMIT, hcl_body_eval(hcl_file_body(file), names, ROWS / 8, frame, out, &buf, NULL));
    check_peak("complaints about attributes", before, LIMIT / 4);
    hcl_file_free(file);
    free(text);
    text = many_lines("a = [\n", "{},\n", 100000, "]\n");
    STATUS(HCL_OK, hcl_file_parse("f", HCL_NUL, text, HCL_NUL, NULL, &file, NULL));
    STATUS(HCL_OK, hcl_spec_parse("s", HCL_NUL, SPEC, HCL_NUL, NULL, &spec, NULL));
    before = peak = live;
    STATUS(HCL_ERR_LIMIT, hcl_spec_decode(spec, hcl_file_body(file), frame, &value, NULL));
    check_peak("decoding with defaults", before, LIMIT / 4);
    hcl_spec_free(spec);
    hcl_file_free(file);
    free(text);
    text = many_lines("[", "{},", 100000, "{}]");
    STATUS(HCL_OK, hcl_type_parse("list(object({ b = optional(number, 1), c = optional(string, \"c\") }))", HCL_NUL, &type, NULL));
    STATUS(HCL_OK, hcl_value_decode(HCL_FORMAT_JSON, text, strlen(text), NULL, NULL, &value, NULL));
    hcl_value *completed = NULL;
    before = peak = live;
    STATUS(HCL_ERR_LIMIT, hcl_value_convert(value, type, &limits, &completed, NULL));
    check_peak("conversion with defaults", before, LIMIT / 4);
    hcl_value_free(value);
    value = NULL;
    before = peak = live;
    STATUS(HCL_ERR_LIMIT, hcl_value_decode(HCL_FORMAT_JSON, text, strlen(text), NULL, &limits, &value, NULL));
    check_peak("a long JSON text", before, LIMIT / 4);
    hcl_type_free(type);
    free(text);
}

/* One expression that stops at the limit or not, with nobody interested in the result. */
static void expect_bounded(hcl_frame *frame, const char *source, size_t limit)
{
    hcl_expr *expr = NULL;
    hcl_value *value = NULL;
    size_t before;

    STATUS(HCL_OK, hcl_expr_parse("bounded", HCL_NUL, source, HCL_NUL, NULL, 0, NULL, &expr, NULL));
    before = peak = live;
    (void)hcl_expr_eval(expr, frame, &value, NULL);
    check_peak(source, before, limit);
    hcl_value_free(value);
    hcl_expr_free(expr);
}

/* Objects in objects, each with a default that makes those within it: reading takes in proportion to the text, of 250 KB. */
static void types_in_types(void)
{
    enum { DEPTH = 200, WIDTH = 50 };
    char *text = malloc(DEPTH * (WIDTH * 32 + 64)), *end = text;
    hcl_type *type = NULL;
    size_t before;

    for (int i = 0; i < DEPTH; i++) {
        end += sprintf(end, "object({");
        for (int j = 0; j < WIDTH; j++)
            end += sprintf(end, "a%d = optional(string, \"x\"), ", j);
        end += sprintf(end, "within = optional(");
    }
    end += sprintf(end, "string");
    for (int i = 0; i < DEPTH; i++)
        end += sprintf(end, "%s)})", i == 0 ? "" : ", {}");
    before = peak = live;
    STATUS(HCL_OK, hcl_type_parse(text, (size_t)(end - text), &type, NULL));
    check_peak("types in types", before, 8 << 20);
    hcl_type_free(type);
    free(text);
}

/* Values whose types are as large as themselves, and made anew where somebody asks for them: a tuple of objects and an object of
 * tuples, as every argument of every function, and in operations. A function that is new is among them. */
static void large_types(hcl_limits limits)
{
    enum { SMALL = 1 << 20 };
    static const uint32_t PRODUCTS[] = { HCL_BUILTINS_TERRAFORM, HCL_BUILTINS_PACKER, HCL_BUILTINS_NOMAD };
    static const char *const LARGE[] = {
        "flatten([for x in range(20) : [for y in range(1000) : { a = { b = 1000 * x + y } }]])",
        "{ for x in range(200) : \"k${x}\" => [for y in range(100) : [x]] }",
    };
    static const char *const ARGUMENTS[] = { "objs", "wide", "objs...", "objs, \"a\"", "\"a\", objs", "wide, \"k\"", "[\"a\"], wide",
                                             "objs, objs", "objs, [\"a\"], 1" };
    static const char *const OPERATIONS[] = {
        "flag ? objs : {}", "flag ? objs : null", "flag ? null : wide", "flag ? objs : wide", "flag ? sensitive(objs) : {}",
        "objs == wide", "objs[wide]", "wide[objs]", "objs + 1", "!wide", "objs.a", "objs[*].b", "\"${wide}\"", "{ (objs) = 1 }",
        "[for x in objs : x if x]", "ephemeralasnull(sensitive(objs))", "convert(objs, string)",
    };
    size_t i, j, k, slot;

    limits.max_memory = SMALL;
    for (i = 0; i < sizeof PRODUCTS / sizeof *PRODUCTS; i++) {
        hcl_functions *functions = NULL;
        hcl_scope *scope = NULL;
        hcl_frame *frame = NULL;

        STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
        STATUS(HCL_OK, hcl_scope_builtins(scope, PRODUCTS[i]));
        STATUS(HCL_OK, hcl_scope_slot(scope, "objs", HCL_NUL, &slot));
        STATUS(HCL_OK, hcl_scope_slot(scope, "wide", HCL_NUL, &slot));
        STATUS(HCL_OK, hcl_scope_slot(scope, "flag", HCL_NUL, &slot));
        STATUS(HCL_OK, hcl_scope_seal(scope));
        STATUS(HCL_OK, hcl_frame_new(scope, &frame));
        STATUS(HCL_OK, hcl_frame_set_bool(frame, slot, true));
        for (j = 0; j < sizeof LARGE / sizeof *LARGE; j++) {
            hcl_value *value = made(LARGE[j]);
            STATUS(HCL_OK, hcl_frame_set(frame, j, value));
            hcl_value_free(value);
        }
        STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
        for (j = 0; i == 0 && j < sizeof OPERATIONS / sizeof *OPERATIONS; j++)
            expect_bounded(frame, OPERATIONS[j], SMALL);
        STATUS(HCL_OK, hcl_functions_of(PRODUCTS[i], &functions));
        for (j = 0; j < hcl_functions_count(functions); j++) {
            hcl_function_info info = { .size = sizeof info };

            STATUS(HCL_OK, hcl_functions_get(functions, j, &info));
            for (k = 0; k < sizeof ARGUMENTS / sizeof *ARGUMENTS; k++) {
                char source[200];

                sprintf(source, "%.*s(%s)", (int)info.name.len, info.name.ptr, ARGUMENTS[k]);
                expect_bounded(frame, source, SMALL);
            }
        }
        hcl_functions_free(functions);
        hcl_frame_free(frame);
        hcl_scope_free(scope);
    }
}

/* A text that is longer than the limit, in a slot, as arguments of every function: what is a copy of it, or a key made of it, is
 * asked for. */
static void long_slots(hcl_limits limits)
{
    enum { SMALL = 1 << 20, LONG = 3 << 20 };
    static const uint32_t PRODUCTS[] = { HCL_BUILTINS_TERRAFORM, HCL_BUILTINS_PACKER, HCL_BUILTINS_NOMAD };
    static const char *const ARGUMENTS[] = { "body", "[body]", "{ (body) = 1 }", "body, {}", "[body], [1]", "[body], [\"a\"]",
                                             "[1], [body], [\"a\"]", "body, body", "\"a\", body", "[body, \"a\"], [[body]]" };
    static const char *const MORE[] = { "distinct([\"a\", wide])", "toset([[wide], [body]])",
                                        "contains([{ a = wide }], { a = body })", "[for x in [1, 2] : try(format(body), 1)]",
                                        "provider::terraform::encode_tfvars({ a = wide })", "setunion([wide], [body])" };
    hcl_value *value = NULL;
    size_t i, j, k, slot;
    char *text = malloc(LONG);

    limits.max_memory = SMALL;
    for (i = 0; i < sizeof PRODUCTS / sizeof *PRODUCTS; i++) {
        hcl_functions *functions = NULL;
        hcl_scope *scope = NULL;
        hcl_frame *frame = NULL;

        STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
        STATUS(HCL_OK, hcl_scope_builtins(scope, PRODUCTS[i]));
        STATUS(HCL_OK, hcl_scope_slot(scope, "body", HCL_NUL, &slot));
        STATUS(HCL_OK, hcl_scope_slot(scope, "wide", HCL_NUL, &slot));
        STATUS(HCL_OK, hcl_scope_seal(scope));
        STATUS(HCL_OK, hcl_frame_new(scope, &frame));
        for (j = 0; j < 2; j++) {
            memset(text, j == 0 ? 'x' : '\n', LONG);
            STATUS(HCL_OK, hcl_value_string(text, LONG, &value));
            STATUS(HCL_OK, hcl_frame_set(frame, j, value));
            hcl_value_free(value);
        }
        STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
        for (j = 0; i == 0 && j < sizeof MORE / sizeof *MORE; j++)
            expect_bounded(frame, MORE[j], SMALL);
        STATUS(HCL_OK, hcl_functions_of(PRODUCTS[i], &functions));
        for (j = 0; j < hcl_functions_count(functions); j++) {
            hcl_function_info info = { .size = sizeof info };

            STATUS(HCL_OK, hcl_functions_get(functions, j, &info));
            /* Another name of a function that has been called already. */
            if (info.name.len > 6 && memcmp(info.name.ptr, "core::", 6) == 0)
                continue;
            for (k = 0; k < sizeof ARGUMENTS / sizeof *ARGUMENTS; k++) {
                char source[200];

                sprintf(source, "%.*s(%s)", (int)info.name.len, info.name.ptr, ARGUMENTS[k]);
                expect_bounded(frame, source, SMALL);
            }
        }
        hcl_functions_free(functions);
        hcl_frame_free(frame);
        hcl_scope_free(scope);
    }
    free(text);
}

/* Lists that lie side by side while a value is made of them: the names of an object, the types of two objects and what they have
 * in common, and labelled blocks and their values. */
static void side_by_side(hcl_frame *frame, hcl_limits limits)
{
    static const char *const SPECS[] = {
        "block_map {\n block_type = \"s\"\n labels = [\"n\"]\n attr {\n name = \"a\"\n type = number\n}\n}\n",
        "block_object {\n block_type = \"s\"\n labels = [\"n\"]\n attr {\n name = \"a\"\n type = any\n}\n}\n",
    };
    static const size_t MOST[] = { 6, 7, 8, 9, 10, 11, 12, 14, 16, 18, 20 };
    char *text = many_lines("", "s \"k%u\" {\n a = 1\n}\n", 60000, "");
    hcl_file *file = NULL;
    size_t i, j;

    STATUS(HCL_OK, hcl_file_parse("f", HCL_NUL, text, HCL_NUL, NULL, &file, NULL));
    free(text);
    CHECK(hcl_body_block_count(hcl_file_body(file)) == 60000);
    for (j = 0; j < sizeof MOST / sizeof *MOST; j++) {
        limits.max_memory = MOST[j] << 20;
        STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
        expect_bounded(frame, "keys(many)", limits.max_memory);
        expect_bounded(frame, "true ? many : alike", limits.max_memory);
        for (i = 0; i < sizeof SPECS / sizeof *SPECS; i++) {
            hcl_spec *spec = NULL;
            hcl_value *value = NULL;
            size_t before;

            STATUS(HCL_OK, hcl_spec_parse("s", HCL_NUL, SPECS[i], HCL_NUL, NULL, &spec, NULL));
            before = peak = live;
            (void)hcl_spec_decode(spec, hcl_file_body(file), frame, &value, NULL);
            check_peak(SPECS[i], before, limits.max_memory);
            hcl_value_free(value);
            hcl_spec_free(spec);
        }
    }
    hcl_file_free(file);
}

/* The canonical form of texts of nothing but signs that are escaped: one long one, and many of them. */
static void canonical_form(hcl_limits limits)
{
    enum { LONG = 11 << 20 };
    static const char *const UNITS[] = { "abcdefghi\n", "\n" };
    char *text = malloc(LONG + 16), *list = many_lines("[", "\"\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\",\n", 300000, "1]");
    hcl_value *values[3] = { NULL };
    size_t i, before;

    for (i = 0; i < 2; i++) {
        const size_t len = strlen(UNITS[i]);

        for (size_t at = 0; at < LONG; at += len)
            memcpy(text + at, UNITS[i], len);
        STATUS(HCL_OK, hcl_value_string(text, LONG, &values[i]));
    }
    STATUS(HCL_OK, hcl_value_decode(HCL_FORMAT_JSON, list, strlen(list), NULL, NULL, &values[2], NULL));
    for (limits.max_memory = 9 << 20; limits.max_memory <= 14 << 20; limits.max_memory += 1 << 19) {
        for (i = 0; i < 3; i++) {
            hcl_buf *out = NULL;

            before = peak = live;
            (void)hcl_value_encode(values[i], HCL_FORMAT_CANONICAL, 0, &limits, &out, NULL);
            check_peak("a canonical form", before, limits.max_memory);
            hcl_buf_free(out);
        }
    }
    for (i = 0; i < 3; i++)
        hcl_value_free(values[i]);
    free(list);
    free(text);
}

/* A host with 200 files in each folder, and a folder for each path. */
static int32_t listed(void *user, hcl_str path, uint64_t most, hcl_answer *answer)
{
    uint64_t i;
    char name[16];

    (void)user, (void)path;
    for (i = 0; i < 200 && i < most; i++)
        STATUS(HCL_OK, hcl_answer_entry(answer, name, (size_t)sprintf(name, "file%u", (unsigned)i), HCL_FILE_REGULAR));
    return HCL_OK;
}

static int32_t kind_of(void *user, hcl_str path, uint64_t most, hcl_answer *answer)
{
    (void)user, (void)path, (void)most;
    return hcl_answer_kind(answer, HCL_FILE_REGULAR);
}

static int32_t one_byte(void *user, hcl_str path, uint64_t most, hcl_answer *answer)
{
    (void)user, (void)path, (void)most;
    return hcl_answer_bytes(answer, "x", 1);
}

/* Paths of 500,000 parts, which are cleaned, and found in folders. */
static void long_paths(hcl_limits limits)
{
    static const char *const SOURCES[] = { "abspath(path)", "dirname(path)", "file(path)", "fileset(path, \"a\")",
                                           "fileset(\"a\", path)", "fileset(path, \"*\")", "fileset(plain, \"*\")" };
    static const char *const PATHS[][2] = { { "path", "join(\"\", [for x in range(500) : join(\"\", [for y in range(1000) : \"a/\"])])" },
                                            { "plain", "join(\"\", [for x in range(100) : join(\"\", [for y in range(1000) : \"a\"])])" } };
    const hcl_host_callbacks callbacks = { .size = sizeof callbacks, .read_file = one_byte, .file_kind = kind_of,
                                           .list_directory = listed, .working_directory = one_byte };
    hcl_host *host = NULL;
    hcl_scope *scope = NULL;
    hcl_frame *frame = NULL;
    size_t i, slot;

    STATUS(HCL_OK, hcl_host_new(&callbacks, &host));
    STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
    STATUS(HCL_OK, hcl_scope_builtins(scope, HCL_BUILTINS_TERRAFORM));
    for (i = 0; i < 2; i++)
        STATUS(HCL_OK, hcl_scope_slot(scope, PATHS[i][0], HCL_NUL, &slot));
    STATUS(HCL_OK, hcl_scope_seal(scope));
    STATUS(HCL_OK, hcl_frame_new(scope, &frame));
    limits.max_memory = LIMIT / 4;
    STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
    STATUS(HCL_OK, hcl_frame_set_host(frame, host));
    for (i = 0; i < 2; i++) {
        hcl_value *value = made(PATHS[i][1]);
        STATUS(HCL_OK, hcl_frame_set(frame, i, value));
        hcl_value_free(value);
    }
    for (i = 0; i < sizeof SOURCES / sizeof *SOURCES; i++)
        expect_bounded(frame, SOURCES[i], LIMIT / 4);
    hcl_frame_free(frame);
    hcl_scope_free(scope);
    hcl_host_free(host);
}

/* A tuple of 20,000 numbers, which a callback makes itself and answers with. */
static int32_t answer(hcl_call *call)
{
    hcl_builder *builder = NULL;
    hcl_value *value = NULL;
    hcl_status status;
    int i;

    STATUS(HCL_OK, hcl_builder_new(&builder));
    STATUS(HCL_OK, hcl_builder_begin(builder, HCL_KIND_TUPLE));
    for (i = 0; i < 20000; i++)
        STATUS(HCL_OK, hcl_builder_i64(builder, i));
    STATUS(HCL_OK, hcl_builder_end(builder));
    STATUS(HCL_OK, hcl_builder_finish(builder, &value));
    hcl_builder_free(builder);
    status = hcl_call_return(call, value);
    hcl_value_free(value);
    return status;
}

static int32_t called(void *user, hcl_call *call)
{
    (void)user;
    return answer(call);
}

static int32_t looked_up(void *user, size_t slot, hcl_str name, hcl_call *call)
{
    (void)user, (void)slot, (void)name;
    return answer(call);
}

static int32_t complained(void *user, size_t slot, hcl_str name, hcl_call *call)
{
    static char message[5 << 20];

    (void)user, (void)slot, (void)name;
    memset(message, 'm', sizeof message);
    STATUS(HCL_OK, hcl_call_fail(call, HCL_NO_ARGUMENT, message, sizeof message));
    return HCL_ERR_DIAGNOSTICS;
}

/* Of a message of 5 MB no more is kept than a diagnostic shows. */
static void long_complaint(const hcl_scope *scope)
{
    const hcl_resolver resolver = { .size = sizeof resolver, .look_up = complained };
    hcl_program *program = compile_in(scope, "v0");
    hcl_frame *frame = NULL;
    hcl_value *value = NULL;
    hcl_diags *diags = NULL;
    size_t before;

    STATUS(HCL_OK, hcl_frame_new(scope, &frame));
    STATUS(HCL_OK, hcl_frame_set_resolver(frame, &resolver));
    before = peak = live;
    STATUS(HCL_ERR_DIAGNOSTICS, hcl_eval(program, frame, &value, &diags));
    CHECK(hcl_diags_count(diags) == 1 && peak - before < 64 << 10);
    hcl_diags_free(diags);
    hcl_frame_free(frame);
    hcl_program_free(program);
}

static const char LONG_TEXT[16 << 20];

static int32_t tells(void *user, hcl_call *call)
{
    (void)user;
    STATUS(HCL_ERR_LIMIT, hcl_call_return_str(call, LONG_TEXT, sizeof LONG_TEXT));
    STATUS(HCL_OK, hcl_call_fail(call, SIZE_MAX, "another reason", HCL_NUL));
    return 1;
}

static int32_t looks_up(void *user, size_t slot, hcl_str name, hcl_call *call)
{
    (void)slot, (void)name;
    return tells(user, call);
}

/* A text that a callback answers with, and that is longer than the limit, is refused before the system is asked for it. */
static void long_answer(hcl_limits limits)
{
    static const char *const SOURCES[] = { "told()", "try(told(), 1)", "v" };
    const hcl_function function = { .size = sizeof function, .name = { "told", 4 }, .call = tells };
    const hcl_resolver resolver = { .size = sizeof resolver, .look_up = looks_up };
    hcl_scope *scope = NULL;
    hcl_frame *frame = NULL;
    size_t i, slot, before;

    limits.max_memory = sizeof LONG_TEXT / 4;
    STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
    STATUS(HCL_OK, hcl_scope_builtins(scope, HCL_BUILTINS_TERRAFORM));
    STATUS(HCL_OK, hcl_scope_function(scope, &function));
    STATUS(HCL_OK, hcl_scope_slot(scope, "v", HCL_NUL, &slot));
    STATUS(HCL_OK, hcl_scope_seal(scope));
    STATUS(HCL_OK, hcl_frame_new(scope, &frame));
    STATUS(HCL_OK, hcl_frame_set_resolver(frame, &resolver));
    STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
    for (i = 0; i < sizeof SOURCES / sizeof *SOURCES; i++) {
        hcl_program *program = compile_in(scope, SOURCES[i]);
        hcl_value *value = NULL;

        before = peak = live;
        STATUS(HCL_ERR_LIMIT, hcl_eval(program, frame, &value, NULL));
        check_peak(SOURCES[i], before, 0);
        hcl_value_free(value);
        hcl_program_free(program);
    }
    hcl_frame_free(frame);
    hcl_scope_free(scope);
}

/* A frame gives its room for a long text back when the evaluation is over, whether a limit ended it or not. */
static void rooms(hcl_frame *frame, hcl_limits limits)
{
    static const char *const SOURCES[] = { "length(\"${text}x\")", "length(\"${text}${text}${text}${text}${text}x\")" };
    size_t i;

    limits.max_memory = 32 << 20;
    STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
    for (i = 0; i < sizeof SOURCES / sizeof *SOURCES; i++) {
        hcl_expr *expr = NULL;
        hcl_value *value = NULL;
        size_t before = live;

        STATUS(HCL_OK, hcl_expr_parse("test", HCL_NUL, SOURCES[i], HCL_NUL, NULL, 0, NULL, &expr, NULL));
        (void)hcl_expr_eval(expr, frame, &value, NULL);
        hcl_value_free(value);
        hcl_expr_free(expr);
        CHECK(live < before + (1 << 18));
    }
}

/* Compiled chains without end, whose links wait for the last one. */
static void chains(hcl_limits limits)
{
    enum { SMALL = 4 << 20, N_LINKS = 200000 };
    static const struct { const char *link, *last; } CHAINS[] = { { "n ? 1 : ", "2" }, { "!", "n" }, { "-", "1" }, { "n && ", "n" } };
    static char source[N_LINKS * 8 + 8];
    hcl_scope *scope = NULL;
    hcl_frame *frame = NULL;
    size_t i, k, slot, before;

    limits.max_memory = SMALL;
    STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
    STATUS(HCL_OK, hcl_scope_slot(scope, "n", 1, &slot));
    STATUS(HCL_OK, hcl_scope_seal(scope));
    STATUS(HCL_OK, hcl_frame_new(scope, &frame));
    STATUS(HCL_OK, hcl_frame_set_bool(frame, slot, true));
    STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
    for (i = 0; i < sizeof CHAINS / sizeof *CHAINS; i++) {
        char *at = source;
        hcl_program *program;
        hcl_value *value = NULL;
        hcl_status status;

        for (k = 0; k < N_LINKS; k++)
            at = stpcpy(at, CHAINS[i].link);
        strcpy(at, CHAINS[i].last);
        program = compile_in(scope, source);
        before = peak = live;
        status = hcl_eval(program, frame, &value, NULL);
        CHECK(status == HCL_OK || status == HCL_ERR_LIMIT);
        check_peak(CHAINS[i].link, before, SMALL);
        hcl_value_free(value);
        hcl_program_free(program);
    }
    hcl_frame_free(frame);
    hcl_scope_free(scope);
}

/* Values that callbacks make count once the callback has returned: a limit is passed by the values of one callback at most. */
static void callbacks(hcl_limits limits)
{
    enum { SMALL = 4 << 20, SLOTS = 20 };
    static const char *const SOURCES[] = { "[for x in range(1000) : made()]", "length([for x in range(1000) : made()])",
                                           "[v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15, v16, v17, v18]",
                                           "v0" };
    const hcl_function function = { .size = sizeof function, .name = { "made", 4 }, .call = called };
    const hcl_resolver resolver = { .size = sizeof resolver, .flags = HCL_RESOLVER_KEEP, .look_up = looked_up };
    hcl_scope *scope = NULL;
    hcl_frame *frame = NULL;
    size_t i, slot, before, of_one = 0;
    char name[8];

    STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
    STATUS(HCL_OK, hcl_scope_builtins(scope, HCL_BUILTINS_TERRAFORM));
    STATUS(HCL_OK, hcl_scope_function(scope, &function));
    for (i = 0; i < SLOTS; i++) {
        sprintf(name, "v%zu", i);
        STATUS(HCL_OK, hcl_scope_slot(scope, name, HCL_NUL, &slot));
    }
    STATUS(HCL_OK, hcl_scope_seal(scope));
    for (i = sizeof SOURCES / sizeof *SOURCES; i-- > 0;) {
        hcl_program *program = compile_in(scope, SOURCES[i]);
        hcl_value *value = NULL;

        STATUS(HCL_OK, hcl_frame_new(scope, &frame));
        STATUS(HCL_OK, hcl_frame_set_resolver(frame, &resolver));
        limits.max_memory = of_one == 0 ? SIZE_MAX : SMALL;
        STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
        before = peak = live;
        STATUS(of_one == 0 ? HCL_OK : HCL_ERR_LIMIT, hcl_eval(program, frame, &value, NULL));
        if (of_one == 0)
            of_one = peak - before;
        else
            check_peak(SOURCES[i], before + of_one, SMALL);
        hcl_value_free(value);
        hcl_frame_free(frame);
        hcl_program_free(program);
    }
    long_complaint(scope);
    hcl_scope_free(scope);
}

/* A file in JSON syntax whose 200,000 strings are faulty templates takes no more than one whose templates are not: their
 * complaints are kept up to max_diagnostics, and the one behind them says so. */
static void faulty_templates(void)
{
    static const char *const TEMPLATES[] = { "\"${a}\"", "\"${\"", "\"${a b}\"", "\"%{if}\"" };
    const hcl_parse_opts opts = { .size = sizeof opts, .flags = HCL_PARSE_JSON };
    size_t i, n, before, of_sound = 0;

    for (i = 0; i < sizeof TEMPLATES / sizeof *TEMPLATES; i++) {
        char *text = malloc(2000000), *end = text + sprintf(text, "{\"a\": [%s", TEMPLATES[i]);
        hcl_file *file = NULL;

        for (n = 1; n < 200000; n++)
            end += sprintf(end, ",%s", TEMPLATES[i]);
        end += sprintf(end, "]}");
        before = peak = live;
        STATUS(HCL_OK, hcl_file_parse("faulty", HCL_NUL, text, (size_t)(end - text), &opts, &file, NULL));
        if (i == 0)
            of_sound = peak - before;
        else
            check_peak(TEMPLATES[i], before, of_sound);
        hcl_file_free(file);
        free(text);
    }
}

/* Tables of one row: a struct of many fields, of which the type takes memory; a map whose keys are in no order; and many rows of
 * one text of 8 MB, an entry of a dictionary. */
static void wide_tables(hcl_limits limits)
{
    enum { FIELDS = 50000, KEYS = 200000, TEXT = 7500000, CELLS = 20 };
    static struct { struct ArrowArray array; struct ArrowSchema schema; char name[8]; } wide[FIELDS];
    static struct ArrowArray *arrays[FIELDS];
    static struct ArrowSchema *schemas[FIELDS];
    static int32_t offsets[2] = { 0, KEYS }, ends[KEYS + 1], numbers[CELLS], text_ends[2] = { 0, TEXT };
    static field row, column, entry, key, value, none;
    hcl_scope *scope = NULL;
    hcl_frame *frame = NULL;
    hcl_program *program;
    size_t slot, i;
    char *keys = malloc(7 * KEYS + 1), *text = malloc(TEXT);

    STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
    STATUS(HCL_OK, hcl_scope_slot(scope, "x", HCL_NUL, &slot));
    STATUS(HCL_OK, hcl_scope_seal(scope));
    STATUS(HCL_OK, hcl_frame_new(scope, &frame));
    program = compile_in(scope, "x");
    make(&none, "n", "", 1, 0);
    for (i = 0; i < FIELDS; i++) {
        wide[i].array = none.array;
        wide[i].schema = none.schema;
        sprintf(wide[i].name, "f%u", (unsigned)(i * 7919 % FIELDS));
        wide[i].schema.name = wide[i].name;
        arrays[i] = &wide[i].array;
        schemas[i] = &wide[i].schema;
    }
    for (i = 0; i < KEYS; i++) {
        sprintf(keys + 7 * i, "k%06u", (unsigned)(i * 7919 % KEYS));
        ends[i + 1] = 7 * (int32_t)(i + 1);
    }
    memset(text, 'x', TEXT);
    for (i = 0; i < 3; i++) {
        static const char *const WORK[] = { "a struct of many fields", "a map of many keys", "rows of one text" };
        const int64_t n_rows = i == 2 ? CELLS : 1;
        struct ArrowArray results = { 0 };
        struct ArrowSchema type = { 0 };
        size_t before;

        limits.max_memory = i == 0 ? LIMIT / 4 : i == 1 ? LIMIT / 16 * 13 : LIMIT;
        STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
        make(&row, "+s", "", n_rows, 1);
        make(&column, i == 0 ? "+s" : i == 1 ? "+m" : "i", "x", n_rows, i == 0 ? 1 : 2);
        with_child(&row, &column);
        if (i == 0) {
            column.array.children = arrays;
            column.schema.children = schemas;
            column.array.n_children = column.schema.n_children = FIELDS;
        } else if (i == 1) {
            column.buffers[1] = offsets;
            make(&entry, "+s", "entries", KEYS, 1);
            make(&key, "u", "key", KEYS, 3);
            make(&value, "n", "value", KEYS, 0);
            key.buffers[1] = ends;
            key.buffers[2] = keys;
            with_child(&column, &entry);
            with_child(&entry, &key);
            with_child(&entry, &value);
        } else {
            column.buffers[1] = numbers;
            make(&entry, "u", "", 1, 3);
            entry.buffers[1] = text_ends;
            entry.buffers[2] = text;
            column.array.dictionary = &entry.array;
            column.schema.dictionary = &entry.schema;
        }
        before = peak = live;
        STATUS(HCL_ERR_LIMIT, hcl_eval_arrow(program, frame, &row.array, &row.schema, NULL, &results, &type, NULL, NULL));
        check_peak(WORK[i], before, limits.max_memory);
    }
    hcl_program_free(program);
    hcl_frame_free(frame);
    hcl_scope_free(scope);
    free(keys);
    free(text);
}

int main(int argc, char **argv)
{
    const hcl_status full = argc > 1 ? HCL_ERR_MEMORY : HCL_ERR_LIMIT;
    static const struct { const char *name, *source; } GIVEN[] = {
        { "big", "flatten([for x in range(200) : [for y in range(1000) : x * 1000 + y]])" },
        { "words", "flatten([for x in range(200) : [for y in range(100) : format(\"%040d\", x * 100 + y)]])" },
        { "text", "join(\"\", [for x in range(1000) : join(\"\", [for y in range(100) : "
                  "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"])])" },
        { "lines", "join(\"\", [for x in range(1000) : join(\"\", [for y in range(1000) : \"ab\\n\"])])" },
        { "many", "merge([for x in range(200) : { for y in range(1000) : \"k${x}_${y}\" => y }]...)" },
    };
    const size_t n_given = sizeof GIVEN / sizeof *GIVEN;
    hcl_limits limits = { .size = sizeof limits, .max_memory = LIMIT, .max_elements = UINT32_MAX,
                          .max_output_bytes = UINT32_MAX, .timeout_ns = UINT64_C(60000000000) };
    const size_t n_expressions = sizeof EXPRESSIONS / sizeof *EXPRESSIONS;
    const size_t n_rules = sizeof RULES / sizeof *RULES;
    hcl_scope *scope = NULL;
    hcl_frame *frame = NULL;
    size_t i, slot, stopped = 0, highest = 0;

    make_table();
    STATUS(HCL_OK, hcl_scope_new(NULL, &scope));
    STATUS(HCL_OK, hcl_scope_builtins(scope, HCL_BUILTINS_TERRAFORM));
    for (i = 0; i < n_given; i++)
        STATUS(HCL_OK, hcl_scope_slot(scope, GIVEN[i].name, HCL_NUL, &slot));
    for (i = 0; i < sizeof COLUMNS / sizeof *COLUMNS; i++)
        STATUS(HCL_OK, hcl_scope_slot(scope, COLUMNS[i], HCL_NUL, &slot));
    STATUS(HCL_OK, hcl_scope_slot(scope, "alike", HCL_NUL, &slot));
    STATUS(HCL_OK, hcl_scope_seal(scope));
    STATUS(HCL_OK, hcl_frame_new(scope, &frame));
    hcl_value *alike = made("merge([for x in range(200) : { for y in range(1000) : \"k${x}_${y}\" => \"text\" }]...)");
    STATUS(HCL_OK, hcl_frame_set(frame, slot, alike));
    hcl_value_free(alike);
    for (i = 0; i < n_given; i++) {
        hcl_value *value = made(GIVEN[i].source);
        STATUS(HCL_OK, hcl_frame_set(frame, i, value));
        hcl_value_free(value);
    }
    if (full == HCL_ERR_MEMORY) {
        limits.max_memory = UINT64_MAX;
        leave(strtoul(argv[1], NULL, 10) << 20);
    }
    STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
    for (i = 0; i < n_expressions + n_rules; i++) {
        const bool is_rule = i >= n_expressions;
        const char *source = is_rule ? RULES[i - n_expressions].source : EXPRESSIONS[i];
        hcl_arrow_opts opts = { .size = sizeof opts };
        struct ArrowArray results = { 0 };
        struct ArrowSchema type = { 0 };
        hcl_type *of = NULL;
        hcl_expr *expr = NULL;
        hcl_program *program = NULL;
        hcl_value *value = NULL;
        hcl_diags *diags = NULL;
        hcl_status status;
        size_t before;

        if (getenv("HCL_ONLY") != NULL && strtoul(getenv("HCL_ONLY"), NULL, 10) != i)
            continue;
        STATUS(HCL_OK, hcl_expr_parse("test", HCL_NUL, source, HCL_NUL, NULL, 0, NULL, &expr, NULL));
        (void)hcl_program_compile(expr, scope, HCL_COMPILE_NO_FOLDING | HCL_COMPILE_PARTIAL, &program, NULL);
        if (is_rule) {
            opts.format.ptr = RULES[i - n_expressions].format;
            opts.format.len = HCL_NUL;
            if (RULES[i - n_expressions].type != NULL)
                STATUS(HCL_OK, hcl_type_parse(RULES[i - n_expressions].type, HCL_NUL, &of, NULL));
            opts.ty = of;
        }
        /* The memory of a rule shows in its first rows. One rule makes a list of 4,000,000,000 parts, which takes next to no
           memory and no end of time; another one complains a thousand times of texts of 4 MB. */
        if (is_rule) {
            limits.timeout_ns = UINT64_C(2000000000);
            STATUS(HCL_OK, hcl_frame_set_limits(frame, &limits));
        }
        before = peak = live;
        status = is_rule ? hcl_eval_arrow(program, frame, &table.array, &table.schema, &opts, &results, &type, NULL, &diags)
                         : hcl_eval(program, frame, &value, &diags);
        if (getenv("HCL_TELL") != NULL)
            printf("status %2d: ", status);
        check_peak(source, before, full == HCL_ERR_LIMIT ? LIMIT : SIZE_MAX / 2);
        if (peak - before > highest)
            highest = peak - before;
        stopped += status == full;
        CHECK(status == HCL_OK || status == full || status == HCL_ERR_LIMIT || status == HCL_ERR_DIAGNOSTICS
              || (is_rule && status == HCL_ERR_DEADLINE));
        if (results.release != NULL) {
            results.release(&results);
            type.release(&type);
        }
        hcl_diags_free(diags);
        hcl_value_free(value);
        hcl_type_free(of);
        hcl_program_free(program);
        hcl_expr_free(expr);
    }
    if (full == HCL_ERR_LIMIT)
        place_in_a_long_text(frame, limits), long_chains(frame, limits), wide_results(frame, limits), wholes(frame, limits),
            instances(limits), called_often(), typed_json(limits), explanations(frame, limits), explained_elements(frame, limits),
            long_names(frame, limits), labels_and_names(frame, limits), many_definitions(frame, limits), kept_together(scope, frame, limits), types_in_types(), large_types(limits),
            long_slots(limits), side_by_side(frame, limits), canonical_form(limits),
            long_paths(limits), callbacks(limits), long_answer(limits), chains(limits), rooms(frame, limits), faulty_templates(), wide_tables(limits);
    printf("%zu expressions and %zu rules over %d rows, %zu stopped, at most %.1f MiB for one\n", n_expressions, n_rules, (int)ROWS,
           stopped, (double)highest / (1 << 20));
    hcl_frame_free(frame);
    hcl_scope_free(scope);
    return failures != 0;
}

/* contender.c - libhcl as it is installed, as a contender: makes pieces of work and runs them when told to, a line for each.
 *
 *     make <tab> KIND <tab> ARGUMENT    answers the number of the piece, or what is wrong
 *     run <tab> PIECE <tab> TIMES       answers the nanoseconds of processor time that it took
 *     value <tab> EXPRESSION            answers the value as JSON
 *
 * An argument that begins with `@` names a file. The protocol is that of go/peer.
 */
#define _POSIX_C_SOURCE 200809L
#include <hcl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_PIECES = 4096 };

/* A piece of work and what it works on; only what its kind needs is set. */
struct piece {
    hcl_status (*work)(const struct piece *piece);
    char *text;
    size_t len;
    hcl_file *file;
    hcl_expr *expr;
    hcl_program *program;
};

static struct piece pieces[MOST_PIECES];
static size_t n_pieces;

static hcl_scope *scope;
static hcl_frame *frame;
static size_t var;
static hcl_spec *spec;

/* Parses every text of a file, which a NUL byte ends each. */
static hcl_status parse_all(const struct piece *piece)
{
    const char *at = piece->text, *end = piece->text + piece->len;
    for (;;) {
        size_t len = strnlen(at, (size_t)(end - at));
        hcl_file *file = NULL;
        hcl_status status = hcl_file_parse("input", HCL_NUL, at, len, NULL, &file, NULL);
        hcl_file_free(file);
        if (status != HCL_OK || at + len == end) return status;
        at += len + 1;
    }
}

static hcl_status parse_json(const struct piece *piece)
{
    hcl_parse_opts opts = {.size = sizeof opts, .flags = HCL_PARSE_JSON};
    hcl_file *file = NULL;
    hcl_status status = hcl_file_parse("input.json", HCL_NUL, piece->text, piece->len, &opts, &file, NULL);
    hcl_file_free(file);
    return status;
}

static hcl_status format(const struct piece *piece)
{
    hcl_buf *out = NULL;
    hcl_status status = hcl_format("input", HCL_NUL, piece->text, piece->len, HCL_STYLE_HCL, NULL, &out, NULL);
    hcl_buf_free(out);
    return status;
}

static hcl_status decode(const struct piece *piece)
{
    hcl_value *value = NULL;
    hcl_status status = hcl_spec_decode(spec, hcl_file_body(piece->file), NULL, &value, NULL);
    hcl_value_free(value);
    return status;
}

static hcl_status value_of_json(const struct piece *piece)
{
    hcl_value *value = NULL;
    hcl_status status = hcl_value_decode(HCL_FORMAT_JSON, piece->text, piece->len, NULL, NULL, &value, NULL);
    hcl_value_free(value);
    return status;
}

/* The value of the only attribute of a file, as a program would load it. */
static hcl_status value_of_data(const struct piece *piece)
{
    hcl_file *file = NULL;
    hcl_value *value = NULL;
    hcl_status status = hcl_file_parse("input", HCL_NUL, piece->text, piece->len, NULL, &file, NULL);
    if (status == HCL_OK)
        status = hcl_expr_eval(hcl_attr_expr(hcl_body_attr_at(hcl_file_body(file), 0)), frame, &value, NULL);
    hcl_value_free(value);
    hcl_file_free(file);
    return status;
}

static hcl_status evaluate(const struct piece *piece)
{
    hcl_value *value = NULL;
    hcl_status status = hcl_eval(piece->program, frame, &value, NULL);
    hcl_value_free(value);
    return status;
}

static hcl_status evaluate_once(const struct piece *piece)
{
    hcl_value *value = NULL;
    hcl_status status = hcl_expr_eval(piece->expr, frame, &value, NULL);
    hcl_value_free(value);
    return status;
}

static hcl_status parse_expression(const struct piece *piece)
{
    hcl_expr *expr = NULL;
    hcl_status status = hcl_expr_parse("expression", HCL_NUL, piece->text, piece->len, NULL, 0, NULL, &expr, NULL);
    hcl_expr_free(expr);
    return status;
}

static hcl_status compile(const char *text, size_t len, hcl_expr **expr, hcl_program **program)
{
    hcl_status status = hcl_expr_parse("expression", HCL_NUL, text, len, NULL, 0, NULL, expr, NULL);
    return status == HCL_OK ? hcl_program_compile(*expr, scope, 0, program, NULL) : status;
}

static hcl_status prepare(const struct piece *piece)
{
    hcl_expr *expr = NULL;
    hcl_program *program = NULL;
    hcl_status status = compile(piece->text, piece->len, &expr, &program);
    hcl_program_free(program);
    hcl_expr_free(expr);
    return status;
}

/* Gives the slot `var` the attribute `var` of an object. */
static hcl_status set_variables(const struct piece *piece)
{
    hcl_value *all = NULL;
    hcl_status status = hcl_value_decode(HCL_FORMAT_JSON, piece->text, piece->len, NULL, NULL, &all, NULL);
    if (status == HCL_OK) status = hcl_frame_set(frame, var, hcl_value_get(all, "var", HCL_NUL));
    hcl_value_free(all);
    return status;
}

static hcl_status set_spec(const struct piece *piece)
{
    hcl_spec *old = spec;
    hcl_status status = hcl_spec_parse("spec", HCL_NUL, piece->text, piece->len, NULL, &spec, NULL);
    hcl_spec_free(old);
    return status;
}

static const struct kind {
    const char *name;
    hcl_status (*work)(const struct piece *piece);
} kinds[] = {
    {"variables", set_variables},
    {"spec", set_spec},
    {"parse-all", parse_all},
    {"parse-json", parse_json},
    {"format", format},
    {"decode", decode},
    {"value-of-json", value_of_json},
    {"value-of-data", value_of_data},
    {"evaluate", evaluate},
    {"one-shot", evaluate_once},
    {"parse-expression", parse_expression},
    {"prepare", prepare},
};

/* The content of a file; null if it can't be read. */
static char *read_file(const char *path, size_t *len)
{
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    char *text = NULL;
    long size = -1;
    if (fseek(file, 0, SEEK_END) == 0) size = ftell(file);
    rewind(file);
    if (size >= 0) text = malloc((size_t)size + 1);
    if (text) {
        *len = fread(text, 1, (size_t)size, file);
        text[*len] = '\0';
    }
    fclose(file);
    return text;
}

/* Makes a piece and prints its number. The work has been done once when this returns. */
static hcl_status make_piece(const char *name, const char *argument)
{
    if (n_pieces == MOST_PIECES) return HCL_ERR_LIMIT;
    struct piece *piece = &pieces[n_pieces];
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, name) == 0) piece->work = kinds[i].work;
    if (!piece->work) return HCL_ERR_ARGUMENT;
    if (*argument == '@') {
        piece->text = read_file(argument + 1, &piece->len);
    } else {
        piece->text = strdup(argument);
        piece->len = strlen(argument);
    }
    if (!piece->text) return HCL_ERR_ARGUMENT;
    hcl_status status = HCL_OK;
    if (piece->work == decode)
        status = hcl_file_parse("input", HCL_NUL, piece->text, piece->len, NULL, &piece->file, NULL);
    if (piece->work == evaluate || piece->work == evaluate_once)
        status = compile(piece->text, piece->len, &piece->expr, &piece->program);
    if (status == HCL_OK) status = piece->work(piece);
    if (status == HCL_OK) printf("%zu\n", n_pieces++);
    return status;
}

/* Prints the value of an expression as JSON. */
static hcl_status print_value(const char *text)
{
    hcl_expr *expr = NULL;
    hcl_program *program = NULL;
    hcl_value *value = NULL;
    hcl_buf *json = NULL;
    hcl_status status = compile(text, strlen(text), &expr, &program);
    if (status == HCL_OK) status = hcl_eval(program, frame, &value, NULL);
    if (status == HCL_OK) status = hcl_value_encode(value, HCL_FORMAT_JSON, 0, NULL, &json, NULL);
    if (status == HCL_OK) printf("%.*s\n", (int)hcl_buf_str(json).len, hcl_buf_str(json).ptr);
    hcl_buf_free(json);
    hcl_value_free(value);
    hcl_program_free(program);
    hcl_expr_free(expr);
    return status;
}

static long long processor_nanos(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (long long)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Does the work of a piece and prints the nanoseconds that it took. */
static hcl_status run_piece(size_t index, long times)
{
    if (index >= n_pieces) return HCL_ERR_ARGUMENT;
    const struct piece *piece = &pieces[index];
    hcl_status status = HCL_OK;
    long long start = processor_nanos();
    for (long i = 0; i < times && status == HCL_OK; i++) status = piece->work(piece);
    if (status == HCL_OK) printf("%lld\n", processor_nanos() - start);
    return status;
}

/* Answers one line, unless something is wrong with it. */
static hcl_status answer(char *line)
{
    char *words[3] = {line, NULL, NULL};
    for (size_t i = 1; i < 3; i++) {
        words[i] = words[i - 1] ? strchr(words[i - 1], '\t') : NULL;
        if (words[i]) *words[i]++ = '\0';
    }
    if (words[2] && strcmp(words[0], "make") == 0) return make_piece(words[1], words[2]);
    if (words[2] && strcmp(words[0], "run") == 0)
        return run_piece((size_t)strtoul(words[1], NULL, 10), strtol(words[2], NULL, 10));
    if (words[1] && strcmp(words[0], "value") == 0) return print_value(words[1]);
    return HCL_ERR_ARGUMENT;
}

int main(void)
{
    if (hcl_scope_new(NULL, &scope) != HCL_OK || hcl_scope_builtins(scope, HCL_BUILTINS_TERRAFORM) != HCL_OK
        || hcl_scope_slot(scope, "var", HCL_NUL, &var) != HCL_OK || hcl_scope_seal(scope) != HCL_OK
        || hcl_frame_new(scope, &frame) != HCL_OK)
        return 1;
    char *line = NULL;
    size_t capacity = 0;
    ssize_t len;
    while ((len = getline(&line, &capacity, stdin)) > 0) {
        if (line[len - 1] == '\n') line[len - 1] = '\0';
        hcl_status status = answer(line);
        hcl_str name = hcl_status_name(status);
        if (status != HCL_OK) printf("error %.*s\n", (int)name.len, name.ptr);
        fflush(stdout);
    }
    free(line);
    for (size_t i = 0; i < n_pieces; i++) {
        hcl_program_free(pieces[i].program);
        hcl_expr_free(pieces[i].expr);
        hcl_file_free(pieces[i].file);
        free(pieces[i].text);
    }
    hcl_spec_free(spec);
    hcl_frame_free(frame);
    hcl_scope_free(scope);
    return 0;
}

/* A sample of the corpus of modules, through the C interface: every tenth answer of a product's console. */
#include "check.h"

/* What stands below a key of a case; null if there is nothing. */
static const hcl_value *at(const hcl_value *object, const char *key) { return hcl_value_get(object, key, HCL_NUL); }

static hcl_str text_of(const hcl_value *value)
{
    hcl_str text = {"", 0};
    (void)hcl_value_as_str(value, &text);
    return text;
}

/* The host of a case: its files and its environment. */
static int32_t read_file(void *user, hcl_str path, uint64_t most, hcl_answer *answer)
{
    const hcl_value *content = hcl_value_get(at(user, "files"), path.ptr, path.len);
    (void)most;
    if (content == NULL) return HCL_ERR_NOT_FOUND;
    hcl_str text = text_of(content);
    return (int32_t)hcl_answer_bytes(answer, text.ptr, text.len);
}

/* The part of a path below a folder; its length is SIZE_MAX if it is elsewhere. */
static hcl_str below(hcl_str path, hcl_str folder)
{
    hcl_str rest = path, none = {"", SIZE_MAX};
    if (folder.len == 1 && folder.ptr[0] == '.') return rest;
    if (path.len <= folder.len || memcmp(path.ptr, folder.ptr, folder.len) != 0 || path.ptr[folder.len] != '/') return none;
    rest.ptr += folder.len + 1;
    rest.len -= folder.len + 1;
    return rest;
}

/* How many paths of files lie below a folder; each entry of the folder is told to `answer`, if there is one. */
static size_t walk(const hcl_value *files, hcl_str folder, hcl_answer *answer)
{
    hcl_str last = {"", 0};
    size_t count = 0, found = 0;
    (void)hcl_value_len(files, &count);
    for (size_t i = 0; i < count; i++) {
        hcl_str path = {"", 0};
        (void)hcl_value_key_at(files, i, &path);
        hcl_str name = below(path, folder);
        if (name.len == SIZE_MAX) continue;
        found++;
        const char *slash = memchr(name.ptr, '/', name.len);
        if (slash != NULL) name.len = (size_t)(slash - name.ptr);
        /* Paths are sorted, so the files of a folder stand together. */
        if (answer != NULL && (last.len != name.len || memcmp(last.ptr, name.ptr, name.len) != 0))
            (void)hcl_answer_entry(answer, name.ptr, name.len, slash != NULL ? HCL_FILE_DIRECTORY : HCL_FILE_REGULAR);
        last = name;
    }
    return found;
}

static int32_t list_directory(void *user, hcl_str folder, uint64_t most, hcl_answer *answer)
{
    (void)most;
    return walk(at(user, "files"), folder, answer) > 0 ? HCL_OK : HCL_ERR_NOT_FOUND;
}

static int32_t file_kind(void *user, hcl_str path, uint64_t most, hcl_answer *answer)
{
    (void)most;
    if (hcl_value_get(at(user, "files"), path.ptr, path.len) != NULL) return (int32_t)hcl_answer_kind(answer, HCL_FILE_REGULAR);
    if (walk(at(user, "files"), path, NULL) > 0) return (int32_t)hcl_answer_kind(answer, HCL_FILE_DIRECTORY);
    return HCL_ERR_NOT_FOUND;
}

static int32_t environment(void *user, hcl_str name, uint64_t most, hcl_answer *answer)
{
    const hcl_value *found = hcl_value_get(at(user, "env"), name.ptr, name.len);
    (void)most;
    if (found == NULL) return HCL_ERR_NOT_FOUND;
    hcl_str text = text_of(found);
    return (int32_t)hcl_answer_bytes(answer, text.ptr, text.len);
}

static int32_t working_directory(void *user, hcl_str what, uint64_t most, hcl_answer *answer)
{
    (void)user, (void)what, (void)most;
    return (int32_t)hcl_answer_bytes(answer, "/work", HCL_NUL);
}

static int32_t now(void *user, hcl_str what, uint64_t most, hcl_answer *answer)
{
    (void)user, (void)what, (void)most;
    return (int32_t)hcl_answer_time(answer, 1700000000, 0);
}

static bool begins(hcl_str text, const char *with)
{
    return text.len >= strlen(with) && memcmp(text.ptr, with, strlen(with)) == 0;
}

/* Gives the values of an argument of the console, which may take the next one too; false if it is none of -var and
 * -var-file. */
static bool give(hcl_module_loader *loader, const hcl_value *args, size_t *i)
{
    hcl_str argument = text_of(hcl_value_at(args, *i));
    bool is_file = begins(argument, "-var-file");
    size_t name = strlen(is_file ? "-var-file" : "-var");
    if (!is_file && !begins(argument, "-var")) return false;
    if (argument.len == name) {
        argument = text_of(hcl_value_at(args, ++*i));
    } else {
        argument.ptr += name + 1;
        argument.len -= name + 1;
    }
    if (is_file) return hcl_module_loader_values(loader, argument.ptr, argument.len) == HCL_OK;
    const char *equals = memchr(argument.ptr, '=', argument.len);
    if (equals == NULL) return false;
    size_t len = (size_t)(equals - argument.ptr);
    return hcl_module_loader_set_text(loader, argument.ptr, len, equals + 1, argument.len - len - 1, 0) == HCL_OK;
}

static bool has_title(const hcl_diags *diags, hcl_str title)
{
    for (size_t i = 0; i < hcl_diags_count(diags); i++) {
        hcl_diag diag = {0};
        diag.size = sizeof diag;
        if (hcl_diags_get(diags, i, &diag) == HCL_OK && diag.summary.len >= title.len
            && memcmp(diag.summary.ptr, title.ptr, title.len) == 0)
            return true;
    }
    return false;
}

/* The text without blanks around it. */
static hcl_str stripped(hcl_str text)
{
    while (text.len > 0 && strchr(" \n", text.ptr[0]) != NULL) text.ptr++, text.len--;
    while (text.len > 0 && strchr(" \n", text.ptr[text.len - 1]) != NULL) text.len--;
    return text;
}

static void judge(const hcl_value *record, const hcl_value *value, const hcl_diags *diags)
{
    hcl_str id = text_of(at(record, "id"));
    const hcl_value *errors = at(record, "errors");
    bool ok = false, same = true;
    size_t count = 0;
    hcl_buf *text = NULL;
    (void)hcl_value_as_bool(at(record, "ok"), &ok);
    if (ok) {
        hcl_str want = stripped(text_of(at(record, "text")));
        same = value != NULL && hcl_value_encode(value, HCL_FORMAT_CONSOLE, 0, NULL, &text, NULL) == HCL_OK;
        hcl_str got = stripped(hcl_buf_str(text));
        same = same && got.len == want.len && memcmp(got.ptr, want.ptr, want.len) == 0;
    } else {
        (void)hcl_value_len(errors, &count);
        same = hcl_diags_has_errors(diags);
        for (size_t i = 0; i < count; i++) {
            hcl_str title = text_of(at(hcl_value_at(errors, i), "title"));
            same = same && (begins(title, "Reference to un") || has_title(diags, title));
        }
    }
    if (!same) {
        hcl_buf *said = NULL;
        (void)hcl_diags_render(diags, NULL, &said);
        fprintf(stderr, "%.*s: %s\n%s\n", (int)id.len, id.ptr, hcl_buf_str(text).ptr, hcl_buf_str(said).ptr);
        hcl_buf_free(said);
    }
    hcl_buf_free(text);
    CHECK(same);
}

/* Answers a record as the console does: everything is evaluated, then the expression. False if it can't be asked. */
static bool answer(const hcl_value *record)
{
    hcl_host_callbacks callbacks = {0};
    hcl_host *host = NULL;
    hcl_module_loader *loader = NULL;
    hcl_module *module = NULL;
    hcl_value *value = NULL;
    hcl_diags *diags = NULL, *more = NULL;
    hcl_str dialect = at(record, "dialect") != NULL ? text_of(at(record, "dialect")) : (hcl_str){"terraform", 9};
    hcl_str source = text_of(at(record, "expr"));
    const hcl_value *args = at(record, "args");
    size_t n_args = 0;
    bool can_be_asked = true;

    callbacks.size = sizeof callbacks;
    callbacks.read_file = read_file;
    callbacks.list_directory = list_directory;
    callbacks.file_kind = file_kind;
    callbacks.environment_variable = environment;
    callbacks.working_directory = working_directory;
    callbacks.now = now;
    callbacks.user = (void *)record;
    STATUS(HCL_OK, hcl_host_new(&callbacks, &host));
    STATUS(HCL_OK, hcl_module_loader_new(dialect.ptr, dialect.len, &loader, NULL));
    STATUS(HCL_OK, hcl_module_loader_host(loader, host));
    (void)hcl_value_len(args, &n_args);
    for (size_t i = 0; i < n_args; i++) can_be_asked = give(loader, args, &i) && can_be_asked;
    if (can_be_asked && hcl_module_load(loader, NULL, &module, &diags) == HCL_OK) {
        hcl_diags_free(diags);
        (void)hcl_module_check(module, NULL, &diags);
        (void)hcl_module_eval(module, source.ptr, source.len, NULL, &value, &more);
        STATUS(HCL_OK, hcl_diags_append(&diags, more));
    }
    if (can_be_asked) judge(record, value, diags);
    hcl_diags_free(more);
    hcl_diags_free(diags);
    hcl_value_free(value);
    hcl_module_free(module);
    hcl_module_loader_free(loader);
    hcl_host_free(host);
    return can_be_asked;
}

/* Whether `type()`, which is of the console alone, occurs. */
static bool asks_for_type(hcl_str text)
{
    for (; text.len >= 5; text.ptr++, text.len--)
        if (memcmp(text.ptr, "type(", 5) == 0) return true;
    return false;
}

int main(void)
{
    FILE *corpus = fopen("tests/conformance/modules.jsonl", "rb");
    static char line[1 << 20];
    size_t asked = 0;
    if (corpus == NULL) return fprintf(stderr, "tests/conformance/modules.jsonl can't be opened\n"), 1;
    for (size_t number = 0; fgets(line, sizeof line, corpus) != NULL; number++) {
        hcl_value *record = NULL;
        if (number % 10 != 0) continue;
        STATUS(HCL_OK, hcl_value_decode(HCL_FORMAT_JSON, line, HCL_NUL, NULL, NULL, &record, NULL));
        if (at(record, "differs") == NULL && !asks_for_type(text_of(at(record, "expr")))) asked += answer(record);
        hcl_value_free(record);
    }
    fclose(corpus);
    CHECK(asked >= 80);
    return failures != 0;
}

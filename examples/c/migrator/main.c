/* migrator - renames a variable of a Terraform module: its declaration, every reference to it, and its value in .tfvars
 * files. Comments, blanks and everything else stay as they are.
 *
 *   migrator FOLDER OLD NEW
 *
 * It says which files changed. If one of them can't be read, none is written.
 */
#define _POSIX_C_SOURCE 200809L
#include <hcl.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FILES = 1000, MAX_PATH = 4096 };

/* A file and what it will say. */
struct change {
    char path[MAX_PATH];
    hcl_document *document;
};

/* Shows diagnostics on standard error and releases them. */
static void show(hcl_diags *diags)
{
    hcl_buf *text = NULL;
    if (hcl_diags_render(diags, NULL, &text) == HCL_OK)
        fputs(hcl_buf_str(text).ptr, stderr);
    hcl_buf_free(text);
    hcl_diags_free(diags);
}

static bool ends_with(const char *text, const char *ending)
{
    size_t len = strlen(text), n = strlen(ending);
    return len >= n && strcmp(text + len - n, ending) == 0;
}

static int is_meant(const struct dirent *entry)
{
    return ends_with(entry->d_name, ".tf") || ends_with(entry->d_name, ".tfvars");
}

/* The bytes of a file, for free(); null if it can't be read. */
static char *contents(const char *path, size_t *len)
{
    FILE *file = fopen(path, "rb");
    size_t room = 1 << 12, got;
    char *text = malloc(room);

    *len = 0;
    while (file != NULL && text != NULL && (got = fread(text + *len, 1, room - *len, file)) > 0)
        if ((*len += got) == room) {
            char *larger = realloc(text, room *= 2);
            if (larger == NULL) free(text);
            text = larger;
        }
    if (file == NULL || ferror(file)) {
        perror(path);
        free(text);
        text = NULL;
    }
    if (file != NULL) fclose(file);
    return text;
}

/* Renames the variable in a document; counts the places. What is not there is no failure. */
static hcl_status migrate(hcl_document *document, const char *path, const char *old, const char *new, size_t *n, hcl_diags **diags)
{
    char from[256], to[256];
    hcl_str label = {new, strlen(new)};
    hcl_status status;

    if (ends_with(path, ".tfvars")) {
        status = hcl_document_rename(document, old, HCL_NUL, new, HCL_NUL, 0, diags);
    } else {
        snprintf(from, sizeof from, "var.%s", old);
        snprintf(to, sizeof to, "var.%s", new);
        status = hcl_document_rename_references(document, from, HCL_NUL, to, HCL_NUL, n, diags);
        if (status != HCL_OK) return status;
        hcl_diags_free(*diags);
        snprintf(from, sizeof from, "variable.%s", old);
        status = hcl_document_relabel(document, from, HCL_NUL, &label, 1, 0, diags);
    }
    if (status == HCL_OK) *n += 1;
    if (status == HCL_ERR_NOT_FOUND) {
        hcl_diags_free(*diags);
        *diags = NULL;
        status = HCL_OK;
    }
    return status;
}

/* Reads and changes one file; null without a message if nothing changes. */
static hcl_status change(const char *path, const char *old, const char *new, hcl_document **document, size_t *n)
{
    size_t len;
    char *text = contents(path, &len);
    hcl_diags *diags = NULL;
    hcl_status status;

    if (text == NULL) return HCL_ERR_NOT_FOUND;
    status = hcl_document_parse(path, HCL_NUL, text, len, NULL, document, &diags);
    free(text);
    if (status == HCL_OK) {
        hcl_diags_free(diags);
        diags = NULL;
        status = migrate(*document, path, old, new, n, &diags);
    }
    show(diags);
    return status;
}

int main(int argc, char **argv)
{
    static struct change changes[MAX_FILES];
    struct dirent **entries = NULL;
    int n_entries, n_changes = 0, failed = 0;

    if (argc != 4) {
        fputs("usage: migrator FOLDER OLD NEW\n", stderr);
        return 2;
    }
    n_entries = scandir(argv[1], &entries, is_meant, alphasort);
    if (n_entries < 0) perror(argv[1]);
    failed = n_entries < 0 || n_entries > MAX_FILES;
    for (int i = 0; i < n_entries; i++) {
        struct change *next = &changes[n_changes];
        size_t n = 0;
        int len = snprintf(next->path, sizeof next->path, "%s/%s", argv[1], entries[i]->d_name);
        free(entries[i]);
        if (failed || len < 0 || (size_t)len >= sizeof next->path) {
            failed = 1;
            continue;
        }
        next->document = NULL;
        failed = change(next->path, argv[2], argv[3], &next->document, &n) != HCL_OK;
        if (n > 0) {
            printf("%s: %zu\n", next->path, n);
            n_changes++;
        } else {
            hcl_document_free(next->document);
        }
    }
    free(entries);
    for (int i = 0; i < n_changes; i++) {
        hcl_str text = hcl_document_text(changes[i].document);
        FILE *file = failed ? NULL : fopen(changes[i].path, "wb");
        if (file != NULL) {
            failed |= fwrite(text.ptr, 1, text.len, file) != text.len;
            failed |= fclose(file) != 0;
        }
        hcl_document_free(changes[i].document);
    }
    return failed;
}

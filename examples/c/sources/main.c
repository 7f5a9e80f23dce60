/* sources.c - the locals and the sources of a template of Packer, without Packer.
 *
 *   sources FOLDER [NAME=TEXT | FILE.pkrvars.hcl]...
 *
 * Loads the template in a folder, gives its variables values as `-var` and `-var-file` do, and prints each local with its
 * value, then each source of images. Functions such as `file` may read what lies below the working directory, and nothing
 * else.
 */
#include <hcl.h>

#include <stdio.h>
#include <string.h>

/* Shows diagnostics on standard error and releases them. */
static void show(hcl_diags *diags)
{
    hcl_buf *text = NULL;
    if (hcl_diags_render(diags, NULL, &text) == HCL_OK)
        fputs(hcl_buf_str(text).ptr, stderr);
    hcl_buf_free(text);
    hcl_diags_free(diags);
}

/* A host that opens the files below the working directory. */
static hcl_status open_files(hcl_host **host, hcl_diags **diags)
{
    hcl_str here = {".", 1};
    hcl_host_opts opts = {0};
    opts.size = sizeof opts;
    opts.folders = &here;
    opts.n_folders = 1;
    return hcl_host_system(&opts, host, diags);
}

/* NAME=TEXT is a value as the command line has it; anything else is a file of values. */
static hcl_status give(hcl_module_loader *loader, const char *argument)
{
    const char *equals = strchr(argument, '=');
    if (equals == NULL)
        return hcl_module_loader_values(loader, argument, HCL_NUL);
    return hcl_module_loader_set_text(loader, argument, (size_t)(equals - argument), equals + 1, HCL_NUL, 0);
}

/* Prints one local; its diagnostics go to standard error. */
static hcl_status print(const hcl_module *module, hcl_str address)
{
    hcl_value *value = NULL;
    hcl_diags *diags = NULL;
    hcl_buf *text = NULL;
    hcl_status status = hcl_module_value(module, address.ptr, address.len, NULL, &value, &diags);
    show(diags);
    if (status == HCL_OK)
        status = hcl_value_encode(value, HCL_FORMAT_CONSOLE, 0, NULL, &text, NULL);
    if (status == HCL_OK)
        printf("%.*s = %s\n", (int)address.len, address.ptr, hcl_buf_str(text).ptr);
    hcl_buf_free(text);
    hcl_value_free(value);
    return status;
}

int main(int argc, char **argv)
{
    hcl_host *host = NULL;
    hcl_module_loader *loader = NULL;
    hcl_module *module = NULL;
    hcl_diags *diags = NULL;

    if (argc < 2) {
        fprintf(stderr, "usage: sources FOLDER [NAME=TEXT | FILE.pkrvars.hcl]...\n");
        return 2;
    }
    hcl_status status = open_files(&host, &diags);
    if (status == HCL_OK) status = hcl_module_loader_new("packer", HCL_NUL, &loader, &diags);
    if (status == HCL_OK) status = hcl_module_loader_host(loader, host);
    if (status == HCL_OK) status = hcl_module_loader_folder(loader, argv[1], HCL_NUL);
    for (int i = 2; i < argc && status == HCL_OK; i++)
        status = give(loader, argv[i]);
    if (status == HCL_OK) status = hcl_module_load(loader, NULL, &module, &diags);
    show(diags);

    bool failed = status != HCL_OK;
    for (size_t i = 0; i < hcl_module_count(module); i++) {
        hcl_declared declared = {0};
        declared.size = sizeof declared;
        if (hcl_module_at(module, i, &declared) != HCL_OK)
            continue;
        if (declared.kind == HCL_DECLARED_LOCAL && declared.flags & HCL_DECLARED_SENSITIVE)
            printf("%.*s is sensitive\n", (int)declared.address.len, declared.address.ptr);
        else if (declared.kind == HCL_DECLARED_LOCAL)
            failed = print(module, declared.address) != HCL_OK || failed;
        else if (declared.kind == HCL_DECLARED_SOURCE)
            printf("%.*s\n", (int)declared.address.len, declared.address.ptr);
    }
    hcl_module_free(module);
    hcl_module_loader_free(loader);
    hcl_host_free(host);
    return failed;
}

#include <hcl.h>
#include <stdio.h>
int main(void)
{
    hcl_buf *out = NULL;
    hcl_diags *diags = NULL;
    if (hcl_evaluate("upper(name)", HCL_NUL, "{\"name\": \"ann\"}", HCL_NUL, NULL, &out, &diags) != HCL_OK)
        hcl_diags_render(diags, NULL, &out);
    puts(hcl_buf_str(out).ptr);
    hcl_buf_free(out);
    hcl_diags_free(diags);
}

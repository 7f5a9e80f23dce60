/* The functions of a product as a list: names, signatures, parameters, completion. */
#include "check.h"

#include <stdint.h>

static hcl_functions *of(uint32_t builtins)
{
    hcl_functions *functions = NULL;
    STATUS(HCL_OK, hcl_functions_of(builtins, &functions));
    return functions;
}

static void one_function(void)
{
    hcl_functions *functions = of(HCL_BUILTINS_TERRAFORM), *again = NULL;
    hcl_function_info info = {0};
    hcl_param_info param = {0};
    size_t index = 0;

    info.size = sizeof info;
    param.size = sizeof param;
    STATUS(HCL_OK, hcl_functions_find(functions, "join", HCL_NUL, &index));
    STATUS(HCL_OK, hcl_functions_get(functions, index, &info));
    CHECK(str_is(info.name, "join"));
    CHECK(str_is(info.signature, "join(separator: string, lists: list(string)...) -> string"));
    CHECK(str_is(info.result_type, "string"));
    CHECK(info.description.len > 0 && info.asks_for.len == 0);
    CHECK(info.n_params == 2 && info.flags == HCL_FUNCTION_PURE);

    STATUS(HCL_OK, hcl_functions_param(functions, index, 0, &param));
    CHECK(str_is(param.name, "separator") && str_is(param.type_text, "string"));
    CHECK(param.description.len > 0 && param.flags == 0);
    STATUS(HCL_OK, hcl_functions_param(functions, index, 1, &param));
    CHECK(str_is(param.name, "lists") && param.flags == HCL_PARAM_VARIADIC);
    STATUS(HCL_ERR_RANGE, hcl_functions_param(functions, index, 2, &param));

    STATUS(HCL_OK, hcl_functions_ref(functions, &again));
    hcl_functions_free(functions);
    CHECK(str_is(param.name, "lists"));
    CHECK(hcl_functions_count(again) > 200);
    hcl_functions_free(again);
}

static void every_function(void)
{
    const uint32_t products[] = {HCL_BUILTINS_HCL, HCL_BUILTINS_TERRAFORM, HCL_BUILTINS_OPENTOFU, HCL_BUILTINS_PACKER,
                                 HCL_BUILTINS_NOMAD, HCL_BUILTINS_TERRAFORM_1_11};

    for (size_t p = 0; p < sizeof products / sizeof *products; p++) {
        hcl_functions *functions = of(products[p]);
        hcl_str last = {"", 0};
        for (size_t i = 0; i < hcl_functions_count(functions); i++) {
            hcl_function_info info = {0};
            size_t found = SIZE_MAX;
            info.size = sizeof info;
            STATUS(HCL_OK, hcl_functions_get(functions, i, &info));
            CHECK(info.description.len > 0 && info.signature.len > info.name.len);
            STATUS(HCL_OK, hcl_functions_find(functions, info.name.ptr, info.name.len, &found));
            CHECK(found == i);
            size_t common = last.len < info.name.len ? last.len : info.name.len;
            int order = memcmp(last.ptr, info.name.ptr, common);
            CHECK(order < 0 || (order == 0 && last.len < info.name.len));
            last = info.name;
            for (size_t j = 0; j < info.n_params; j++) {
                hcl_param_info param = {0};
                hcl_type *type = NULL;
                param.size = sizeof param;
                STATUS(HCL_OK, hcl_functions_param(functions, i, j, &param));
                CHECK(param.name.len > 0 && param.description.len > 0);
                CHECK((param.flags & HCL_PARAM_VARIADIC) == 0 || j + 1 == info.n_params);
                if (str_is(param.type_text, "bytes"))
                    continue;
                STATUS(HCL_OK, hcl_type_parse(param.type_text.ptr, param.type_text.len, &type, NULL));
                hcl_type_free(type);
            }
        }
        hcl_functions_free(functions);
    }
}

static void completion(void)
{
    hcl_functions *functions = of(HCL_BUILTINS_NOMAD);
    hcl_function_info info = {0};
    size_t index = 77, found = 0;

    info.size = sizeof info;
    STATUS(HCL_ERR_NOT_FOUND, hcl_functions_find(functions, "cidr", HCL_NUL, &index));
    CHECK(index == 77);
    index = hcl_functions_from(functions, "cidr", HCL_NUL);
    while (hcl_functions_get(functions, index, &info) == HCL_OK && info.name.len >= 4 && memcmp(info.name.ptr, "cidr", 4) == 0)
        index++, found++;
    CHECK(found == 4);
    index = hcl_functions_from(functions, "zzz", HCL_NUL);
    CHECK(index == hcl_functions_count(functions));
    STATUS(HCL_ERR_RANGE, hcl_functions_get(functions, index, &info));
    hcl_functions_free(functions);
}

static void mistakes(void)
{
    hcl_functions *functions = NULL;
    hcl_function_info info = {0};
    size_t index;

    STATUS(HCL_ERR_NOT_FOUND, hcl_functions_of(99, &functions));
    STATUS(HCL_ERR_ARGUMENT, hcl_functions_of(HCL_BUILTINS_HCL, NULL));
    STATUS(HCL_ERR_ARGUMENT, hcl_functions_ref(NULL, &functions));
    STATUS(HCL_ERR_ARGUMENT, hcl_functions_find(NULL, "a", 1, &index));
    STATUS(HCL_ERR_ARGUMENT, hcl_functions_get(NULL, 0, &info));
    STATUS(HCL_ERR_ARGUMENT, hcl_functions_param(NULL, 0, 0, NULL));
    CHECK(hcl_functions_count(NULL) == 0);
    CHECK(hcl_functions_from(NULL, "a", 1) == 0);
    hcl_functions_free(NULL);
    functions = of(HCL_BUILTINS_HCL);
    STATUS(HCL_ERR_ARGUMENT, hcl_functions_get(functions, 0, &info)); /* size is 0 */
    STATUS(HCL_ERR_ARGUMENT, hcl_functions_get(functions, 0, NULL));
    hcl_functions_free(functions);
}

int main(void)
{
    one_function();
    every_function();
    completion();
    mistakes();
    return failures != 0;
}

// hcl.hpp in a program that is compiled without exceptions and run-time type information.
#include <hcl.hpp>

#ifndef HCL_NO_EXCEPTIONS
#    error "hcl.hpp did not notice that there are no exceptions"
#endif

int main()
{
    auto names = hcl::scope_builder::make();
    if (!names) return 1;
    if (!names->add(hcl::function("half", [](std::int64_t n) -> hcl::result<std::int64_t> {
            if (n % 2 != 0) return hcl::error(HCL_ERR_RANGE, "an odd number has no half");
            return n / 2;
        })))
        return 2;
    auto scope = std::move(*names).seal();
    if (!scope) return 3;
    auto even = hcl::program::compile("half(8)", *scope), odd = hcl::program::compile("half(7)", *scope);
    auto frame = hcl::frame::make(*scope);
    if (!even || !odd || !frame) return 4;
    if (even->eval_i64(*frame).value() != 4) return 5;
    auto failed = odd->eval_i64(*frame);
    return failed || failed.error().message().find("odd") == std::string::npos ? 6 : 0;
}

// C++20: std::format, where the standard library has it.
#include "../check.hpp"

#include <hcl/format.hpp>

int main()
{
    hcl::value list = hcl::value::json("\"ab\"").value();
    CHECK(std::format("{}", list) == "\"ab\"");
    CHECK(std::format("{:>6}|", list) == "  \"ab\"|");
    CHECK(std::format("{}", list.type().value()) == "string");
    CHECK(std::format("{}", hcl::type::parse("strin").error()) == hcl::type::parse("strin").error().message());
    return failures;
}

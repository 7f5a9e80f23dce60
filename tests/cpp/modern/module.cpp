// C++20: hcl.hpp in the global part of a module that exports some of it.
module;

#include <hcl.hpp>

export module hcl_of_the_host;

export namespace config {
using hcl::evaluate;
using hcl::file;
using hcl::value;
inline bool is_true(const hcl::value &of) { return of.as_bool().value_or(false); }
}

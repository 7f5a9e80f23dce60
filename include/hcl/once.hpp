/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * once.hpp - everything in one call: a text goes in, JSON comes out. Include hcl.hpp, or this alone.
 */
#ifndef LIBHCL_HCL_ONCE_HPP
#define LIBHCL_HCL_ONCE_HPP

#include "result.hpp"

namespace hcl {

/** How a call works that does everything at once. */
struct once_options {
    /** `HCL_ONCE_…`, joined by `|`. */
    std::uint32_t flags = 0;
    /** The name by which diagnostics call the text; empty for `input`. */
    std::string_view name = {};
    /** The dialect whose functions there are; empty for `terraform`. */
    std::string_view dialect = {};
    /** The limits of each step: reading variables, parsing, evaluating, writing. The timeout is that of the call as a whole. */
    limits most = {};
};

namespace detail {

/** Makes a call of C with the options as C has them. */
template <class Call> result<buffer> at_once(const once_options &options, const Call &call)
{
    hcl_limits most = options.most.raw();
    hcl_once_opts raw = sized<hcl_once_opts>();
    raw.flags = options.flags;
    raw.name = str(options.name);
    raw.dialect = str(options.dialect);
    raw.limits = &most;
    hcl_buf *out = nullptr;
    notes said(nullptr);
    status code = call(&raw, &out, said.out());
    return said.owned<buffer>(code, out);
}

} // namespace detail

/**
 * Evaluates one expression, or with HCL_ONCE_TEMPLATE one template, and gives its value as JSON:
 * `hcl::evaluate("a + 1", R"({"a": 1})").value()` is `2`. The variables are the properties of a JSON object.
 */
inline result<buffer> evaluate(std::string_view text, std::string_view vars_json = {}, const once_options &options = {})
{
    return detail::at_once(options, [&](const hcl_once_opts *raw, hcl_buf **out, hcl_diags **diags) {
        return hcl_evaluate(text.data(), text.size(), vars_json.data(), vars_json.size(), raw, out, diags);
    });
}

/** Makes one value of a whole configuration file, as a specification says, and gives it as JSON. */
inline result<buffer> decode_json(std::string_view text, std::string_view spec, std::string_view vars_json = {},
                                  const once_options &options = {})
{
    return detail::at_once(options, [&](const hcl_once_opts *raw, hcl_buf **out, hcl_diags **diags) {
        return hcl_decode_json(text.data(), text.size(), spec.data(), spec.size(), vars_json.data(), vars_json.size(), raw, out,
                               diags);
    });
}

} // namespace hcl

#endif

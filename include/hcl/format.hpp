/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * format.hpp - for std::format of C++20 what stream.hpp is for streams: `std::format("{:>10}", value)`. Not included by hcl.hpp,
 * because <format> takes long to compile.
 */
#ifndef LIBHCL_HCL_FORMAT_HPP
#define LIBHCL_HCL_FORMAT_HPP

#include "stream.hpp"

#include <format>

/** The format specification is that of a text. */
template <class T>
    requires hcl::detail::is_shown<T>
struct std::formatter<T, char> : std::formatter<std::string_view, char> {
    template <class Context> auto format(const T &shown, Context &context) const
    {
        return std::formatter<std::string_view, char>::format(hcl::detail::text_of(shown), context);
    }
};

#endif

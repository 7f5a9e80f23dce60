/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * stream.hpp - values, types, expressions, documents and what is wrong, written to a stream: `std::cout << value`. Include
 * hcl.hpp, and <ostream> or <iostream> as for other types. For std::format include hcl/format.hpp too.
 */
#ifndef LIBHCL_HCL_STREAM_HPP
#define LIBHCL_HCL_STREAM_HPP

#include "document.hpp"

#include <iosfwd>

namespace hcl::detail {

/** A text that was made, or how that failed, in angle brackets. */
inline std::string or_why(const result<buffer> &made)
{
    return made ? made->str() : '<' + std::string(status_name(made.code())) + '>';
}

/** How each type is shown; marked values are blotted out. */
inline std::string text_of(const buffer &of) { return of.str(); }
inline std::string text_of(const value_view &of) { return or_why(of.console()); }
inline std::string text_of(const type &of) { return or_why(of.text()); }
inline std::string text_of(const expr_view &of) { return std::string(of.source()); }
inline std::string text_of(const document &of) { return std::string(of.text()); }
inline std::string text_of(const diagnostics &of) { return or_why(of.render()); }
inline std::string text_of(const error &of) { return of.message(); }

/** True if `text_of` shows a type: one of these, or its owner. */
template <class T, class... Shown>
inline constexpr bool is_any_of = ((std::is_same_v<T, Shown> || std::is_base_of_v<Shown, T>) || ...);
template <class T> inline constexpr bool is_shown = is_any_of<T, buffer, value_view, type, expr_view, document, diagnostics, error>;

} // namespace hcl::detail

namespace hcl {

/** Writes a value as a console shows it, a type as a type expression, diagnostics with source lines, and so on. */
template <class Traits, class T, class = std::enable_if_t<detail::is_shown<T>>>
std::basic_ostream<char, Traits> &operator<<(std::basic_ostream<char, Traits> &out, const T &shown)
{
    return out << detail::text_of(shown);
}

} // namespace hcl

#endif

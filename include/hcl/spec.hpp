/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * spec.hpp - decoding by specification, dynamic blocks, definitions, other forms of a text. Include hcl.hpp.
 */
#ifndef LIBHCL_HCL_SPEC_HPP
#define LIBHCL_HCL_SPEC_HPP

#include "evaluate.hpp"

namespace hcl {

/** One value of a whole body: a specification in the language of `hcldec`. */
class spec : public handle<hcl_spec, hcl_spec_free> {
public:
    using handle::handle;
    /** Reads a specification. */
    static result<spec> parse(std::string_view source, std::string_view name = "spec", const parse_options &options = {})
    {
        hcl_spec *out = nullptr;
        hcl_parse_opts raw = options.raw();
        detail::notes notes(options.notes);
        status code = hcl_spec_parse(name.data(), name.size(), source.data(), source.size(), &raw, &out, notes.out());
        return notes.owned<spec>(code, out);
    }
    /** The value of a body; `said` takes warnings. */
    result<value> decode(const body_view &from, frame &with, diagnostics *said = nullptr) const
    {
        hcl_value *out = nullptr;
        detail::notes notes(said);
        status code = hcl_spec_decode(get(), from.get(), with.get(), &out, notes.out());
        return notes.owned<value>(code, out);
    }
    /** The type of the values. */
    result<hcl::type> type() const { return made<hcl::type, hcl_type>(hcl_spec_type); }
    /** The schema of the bodies. */
    result<hcl::schema> schema() const { return made<hcl::schema, hcl_schema>(hcl_spec_schema); }
    /** The scope that the specification brings: its variables and functions, inside another scope. */
    result<hcl::scope> scope(const hcl::scope &parent = hcl::scope()) const
    {
        hcl_scope *out = nullptr;
        status code = hcl_spec_scope(get(), parent.get(), &out);
        return detail::owned<hcl::scope>(code, out);
    }
    /** The variables that decoding a body needs; `flags` is 0 or `HCL_VARIABLES_FOR_EXPANSION`. */
    result<traversals> variables(const body_view &of, std::uint32_t flags = 0) const
    {
        hcl_traversals *out = nullptr;
        status code = hcl_spec_variables(get(), of.get(), flags, &out);
        return detail::owned<traversals>(code, out);
    }
    /**
     * Where a part of the value of a body comes from, by its path, such as `listen.public.port`; `part` is `HCL_PLACE_…`. A frame
     * is needed for `dynamic` blocks only. For a complaint at that place there is `place`. HCL_ERR_NOT_FOUND: there is no such
     * part.
     */
    result<range> range_of(const body_view &in, std::string_view path, std::uint32_t part = HCL_PLACE_VALUE, frame *with = nullptr) const
    {
        range out = {};
        status code = hcl_decoded_range(get(), in.get(), with != nullptr ? with->get() : nullptr, path.data(), path.size(), part,
                                        nullptr, &out);
        return detail::plain(code, out);
    }
    /** Another handle to the same specification. */
    result<spec> share() const { return made<spec, hcl_spec>(hcl_spec_ref); }

private:
    template <class Handle, class Object> result<Handle> made(hcl_status (*function)(const hcl_spec *, Object **)) const
    {
        Object *out = nullptr;
        status code = function(get(), &out);
        return detail::owned<Handle>(code, out);
    }
};

/** A body whose `dynamic` blocks are expanded when it is read by schema; `only` and `opaque` as in `hcl_dynamic_opts`. */
inline result<body> expand_dynamic(const body_view &from, const scope &names, const std::vector<std::string_view> &only = {},
                                   const std::vector<std::string_view> &opaque = {})
{
    std::vector<hcl_str> raw_only, raw_opaque;
    for (std::string_view type : only) raw_only.push_back(detail::str(type));
    for (std::string_view type : opaque) raw_opaque.push_back(detail::str(type));
    hcl_dynamic_opts raw = detail::sized<hcl_dynamic_opts>();
    raw.only = raw_only.data();
    raw.n_only = raw_only.size();
    raw.opaque = raw_opaque.data();
    raw.n_opaque = raw_opaque.size();
    hcl_body *out = nullptr;
    status code = hcl_body_expand_dynamic(from.get(), names.get(), &raw, &out);
    return detail::owned<body>(code, out);
}

/** Definitions that refer to each other, such as locals, below a root name. */
class definitions : public handle<hcl_definitions, hcl_definitions_free> {
public:
    using handle::handle;
    /** No definitions yet; `root` is what references to them begin with. */
    static result<definitions> make(std::string_view root)
    {
        hcl_definitions *out = nullptr;
        status code = hcl_definitions_new(root.data(), root.size(), &out);
        return detail::owned<definitions>(code, out);
    }
    /** Adds one. */
    result<void> add(hcl::attribute added) { return detail::done(hcl_definitions_add(get(), added.get())); }
    /** The values of all, as an object. */
    result<value> eval(frame &with) const
    {
        hcl_value *out = nullptr;
        detail::notes notes(nullptr);
        status code = hcl_definitions_eval(get(), with.get(), &out, notes.out());
        return notes.owned<value>(code, out);
    }
    /** The names in the order in which they need each other. */
    result<value> order() const
    {
        hcl_value *out = nullptr;
        detail::notes notes(nullptr);
        status code = hcl_definitions_order(get(), &out, notes.out());
        return notes.owned<value>(code, out);
    }
};

/** Adds the functions that blocks of a type in a body define; gives the rest of the body. */
inline result<body> add_user_functions(scope_builder &to, const body_view &from, const scope &base,
                                       std::string_view block_type = "function", std::uint32_t flags = 0)
{
    hcl_body *rest = nullptr;
    detail::notes notes(nullptr);
    status code = hcl_scope_user_functions(to.get(), from.get(), block_type.data(), block_type.size(), flags, base.get(),
                                           &rest, notes.out());
    return notes.owned<body>(code, rest);
}

/** The type that an expression says as a type expression does. */
inline result<type> type_of_expression(const expr_view &from)
{
    hcl_type *out = nullptr;
    detail::notes notes(nullptr);
    status code = hcl_expr_type(from.get(), &out, notes.out());
    return notes.owned<type>(code, out);
}

/** A file of native syntax in JSON syntax; values are written where they are known. */
inline result<buffer> to_json_syntax(const file &from, frame &with)
{
    hcl_buf *out = nullptr;
    detail::notes notes(nullptr);
    status code = hcl_file_to_json(from.get(), with.get(), &out, notes.out());
    return notes.owned<buffer>(code, out);
}

/** A file of JSON syntax in native syntax, as a schema says. */
inline result<buffer> to_native_syntax(const file &from, const schema &by)
{
    hcl_buf *out = nullptr;
    detail::notes notes(nullptr);
    status code = hcl_file_to_native(from.get(), by.get(), &out, notes.out());
    return notes.owned<buffer>(code, out);
}

/** A text in its canonical form; `style` is `HCL_STYLE_…`. */
inline result<buffer> format(std::string_view source, std::uint32_t style = 0, std::string_view name = "text",
                             const parse_options &options = {})
{
    hcl_buf *out = nullptr;
    hcl_parse_opts raw = options.raw();
    detail::notes notes(options.notes);
    status code = hcl_format(name.data(), name.size(), source.data(), source.size(), style, &raw, &out, notes.out());
    return notes.owned<buffer>(code, out);
}

/** True if a text is in its canonical form. */
inline result<bool> is_formatted(std::string_view source, std::uint32_t style = 0, std::string_view name = "text",
                                 const parse_options &options = {})
{
    bool out = false;
    hcl_parse_opts raw = options.raw();
    detail::notes notes(options.notes);
    status code = hcl_format_check(name.data(), name.size(), source.data(), source.size(), style, &raw, &out, notes.out());
    return notes.plain(code, out);
}

} // namespace hcl

#endif

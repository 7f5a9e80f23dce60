/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * syntax.hpp - expressions, and what can be said of them without evaluating. Include hcl.hpp.
 */
#ifndef LIBHCL_HCL_SYNTAX_HPP
#define LIBHCL_HCL_SYNTAX_HPP

#include "value.hpp"

#include <optional>

namespace hcl {

/** How a source is parsed. */
struct parse_options {
    /** `HCL_PARSE_…`, joined by `|`; what is partial has functions of its own. */
    std::uint32_t flags = 0;
    /** How deep blocks, brackets and templates may nest; 0 for 1000. */
    std::uint32_t max_depth = 0;
    /** How many diagnostics are kept; 0 for 1000. */
    std::uint32_t max_diagnostics = 0;
    /** The longest source accepted, in bytes; 0 for the most there can be. */
    std::uint64_t max_source_bytes = 0;
    /** Where the text of a file begins in a larger one; zeros for its beginning. */
    pos start = {};
    /** How long parsing may take; 0 for no deadline. */
    std::chrono::nanoseconds timeout{0};
    /** The switch that stops parsing; null for none. */
    const cancel *cancelled_by = nullptr;
    /** Takes what there is to say about a source that is right. */
    diagnostics *notes = nullptr;

    /** The options as C has them. */
    hcl_parse_opts raw() const noexcept
    {
        hcl_parse_opts made = detail::sized<hcl_parse_opts>();
        made.flags = flags;
        made.max_depth = max_depth;
        made.max_diagnostics = max_diagnostics;
        made.max_source_bytes = max_source_bytes;
        made.start = start;
        made.timeout_ns = detail::timeout_ns(timeout);
        made.cancel = detail::switch_of(cancelled_by);
        return made;
    }
};

/** The part of a source that was understood, and the diagnostics. */
template <class T> struct partial {
    /** The tree; empty only when nothing could be made of the source. */
    T tree;
    /** The diagnostics. */
    diagnostics diags;
    /** `HCL_OK`, HCL_ERR_DIAGNOSTICS, HCL_ERR_LIMIT, HCL_ERR_CANCELLED or HCL_ERR_DEADLINE. */
    status code = HCL_OK;
};

/** A step of a traversal, behind its root. */
class traversal_step {
public:
    traversal_step(const hcl_traversals *list, std::size_t index, std::size_t step) noexcept
    {
        if (hcl_traversals_step(list, index, step, &fields_) != HCL_OK) fields_ = detail::sized<hcl_step>();
    }
    /** `HCL_STEP_ATTR`, `HCL_STEP_INDEX` or `HCL_STEP_SPLAT`. */
    std::uint32_t kind() const noexcept { return fields_.kind; }
    /** The name of an attribute. */
    std::string_view name() const noexcept { return detail::view(fields_.name); }
    /** The key of an index, borrowed. */
    value_view key() const noexcept { return fields_.key; }
    /** Where it stands. */
    const hcl::range &range() const noexcept { return fields_.range; }

private:
    hcl_step fields_ = detail::sized<hcl_step>();
};

/** References, such as the variables of an expression in the order of the source; also the names of functions. */
class traversals : public handle<hcl_traversals, hcl_traversals_free> {
public:
    using handle::handle;
    /** One of them; borrowed from the list. */
    class variable {
    public:
        /** No variable. */
        variable() noexcept = default;
        /** The one at an index of a list of C. */
        variable(const hcl_traversals *list, std::size_t index) noexcept : list_(list), index_(index) {}
        /** The root name, for example `local`. */
        std::string_view root() const noexcept { return detail::view(hcl_traversals_root(list_, index_)); }
        /** As text, for example `local.ports["http"]`. */
        std::string_view text() const noexcept { return detail::view(hcl_traversals_text(list_, index_)); }
        /** Where it stands. */
        result<hcl::range> range() const
        {
            hcl::range out = {};
            status code = hcl_traversals_range(list_, index_, &out);
            return detail::plain(code, out);
        }
        /** The name of the file it is in. */
        std::string_view filename() const noexcept { return detail::view(hcl_traversals_filename(list_, index_)); }
        /** The steps behind the root, for range-for. */
        auto steps() const noexcept
        {
            return sequence<variable, traversal_step, step_at>(*this, hcl_traversals_step_count(list_, index_));
        }

    private:
        static traversal_step step_at(variable of, std::size_t index) noexcept { return {of.list_, of.index_, index}; }

        const hcl_traversals *list_ = nullptr;
        std::size_t index_ = 0;
    };

    /** Parses a reference that stands alone; `flags` is 0 or `HCL_TRAVERSAL_SPLAT`. The list has one entry. */
    static result<traversals> parse(std::string_view source, std::string_view name = "reference", std::uint32_t flags = 0,
                                    const parse_options &options = {})
    {
        hcl_traversals *out = nullptr;
        hcl_parse_opts raw = options.raw();
        detail::notes notes(options.notes);
        status code = hcl_traversal_parse(name.data(), name.size(), source.data(), source.size(), nullptr, flags, &raw,
                                          &out, notes.out());
        return notes.owned<traversals>(code, out);
    }
    /** How many. */
    std::size_t size() const noexcept { return hcl_traversals_count(get()); }
    /** True if there is none. */
    bool empty() const noexcept { return size() == 0; }
    /** The variable at an index below `size()`. */
    variable operator[](std::size_t index) const & noexcept { return {get(), index}; }
    void operator[](std::size_t) const && = delete;
    /** The first variable. */
    auto begin() const noexcept { return all().begin(); }
    /** After the last variable. */
    auto end() const noexcept { return all().end(); }

private:
    static variable at(const hcl_traversals *list, std::size_t index) noexcept { return {list, index}; }
    sequence<const hcl_traversals *, variable, at> all() const noexcept { return {get(), size()}; }
};

class expr;
class static_form;

/** An expression, borrowed from its owner, for example an attribute. */
class expr_view {
public:
    /** No expression. */
    expr_view() noexcept = default;
    /** An expression borrowed from C. */
    expr_view(const hcl_expr *borrowed) noexcept : expr_(borrowed) {}
    /** Not of an expression that is gone at the end of the statement; it can be passed to a call. */
    expr_view(const expr &&) = delete;
    /** The expression for a call of C. */
    const hcl_expr *get() const noexcept { return expr_; }
    /** True if there is an expression. */
    explicit operator bool() const noexcept { return expr_ != nullptr; }

    /** The source text. */
    std::string_view source() const noexcept { return detail::view(hcl_expr_source(expr_)); }
    /** Where it stands. */
    result<hcl::range> range() const
    {
        hcl::range out = {};
        status code = hcl_expr_range(expr_, &out);
        return detail::plain(code, out);
    }
    /** The variables it refers to. */
    result<traversals> variables() const
    {
        hcl_traversals *out = nullptr;
        status code = hcl_expr_variables(expr_, &out);
        return detail::owned<traversals>(code, out);
    }
    /** The name of the file it is in. */
    std::string_view filename() const noexcept { return detail::view(hcl_expr_filename(expr_)); }
    /** The functions it calls: entries without steps. */
    result<traversals> functions() const
    {
        hcl_traversals *out = nullptr;
        status code = hcl_expr_functions(expr_, &out);
        return detail::owned<traversals>(code, out);
    }
    /** The expression taken literally, as `HCL_STATIC_…`. HCL_ERR_TYPE: it is something else. */
    result<static_form> as_static(std::uint32_t kind) const;
    /** The expression as a reference, without evaluating it: a list of one. HCL_ERR_TYPE: it is something else. */
    result<traversals> as_traversal() const
    {
        hcl_traversals *out = nullptr;
        status code = hcl_expr_static_traversal(expr_, &out);
        return detail::owned<traversals>(code, out);
    }
    /** A handle of its own to the same expression. */
    result<expr> share() const;

private:
    const hcl_expr *expr_ = nullptr;
};

/** An expression that this object owns. */
class expr : public owner<expr_view, hcl_expr, hcl_expr_free> {
public:
    using owner::owner;
    // An expression that is gone at the end of the statement lends nothing.
    std::string_view source() const & noexcept { return expr_view::source(); }
    void source() const && = delete;
    std::string_view filename() const & noexcept { return expr_view::filename(); }
    void filename() const && = delete;
    /** Parses one expression. */
    static result<expr> parse(std::string_view source, std::string_view name = "expression", const parse_options &options = {})
    {
        return parse_as(0, source, name, nullptr, options);
    }
    /** Parses a template, such as the content of a template file. */
    static result<expr> parse_template(std::string_view source, std::string_view name = "template",
                                       const parse_options &options = {})
    {
        return parse_as(HCL_EXPR_TEMPLATE, source, name, nullptr, options);
    }
    /** Parses a value of JSON syntax. */
    static result<expr> parse_json(std::string_view source, std::string_view name = "value", const parse_options &options = {})
    {
        return parse_as(HCL_EXPR_JSON, source, name, nullptr, options);
    }
    /** Parses what `flags`, `HCL_EXPR_…`, say; `start` is where the text begins in a larger file, or null. */
    static result<expr> parse_as(std::uint32_t flags, std::string_view source, std::string_view name, const pos *start,
                                 const parse_options &options = {})
    {
        hcl_expr *out = nullptr;
        hcl_parse_opts raw = options.raw();
        detail::notes notes(options.notes);
        status code = hcl_expr_parse(name.data(), name.size(), source.data(), source.size(), start, flags, &raw, &out,
                                     notes.out());
        return notes.owned<expr>(code, out);
    }
};

/** An expression taken literally: as a call, a list, a map or a keyword. */
class static_form : public handle<hcl_static, hcl_static_free> {
public:
    using handle::handle;
    /** The name of a call, or the keyword. */
    std::string_view name() const & noexcept { return detail::view(hcl_static_name(get())); }
    void name() const && = delete;
    /** The number of arguments, elements or pairs. */
    std::size_t size() const noexcept { return hcl_static_count(get()); }
    /** The argument, element or value at an index; none when there are not that many. */
    expr_view operator[](std::size_t index) const & noexcept { return hcl_static_at(get(), index); }
    void operator[](std::size_t) const && = delete;
    /** The key of the pair at an index of a map. */
    expr_view key(std::size_t index) const & noexcept { return hcl_static_key(get(), index); }
    void key(std::size_t) const && = delete;
    /** The arguments, elements or values, for range-for. */
    auto elements() const & noexcept { return sequence<const hcl_static *, expr_view, element_at>(get(), size()); }
    void elements() const && = delete;

private:
    static expr_view element_at(const hcl_static *of, std::size_t index) noexcept { return hcl_static_at(of, index); }
};

inline result<static_form> expr_view::as_static(std::uint32_t kind) const
{
    hcl_static *out = nullptr;
    status code = hcl_expr_static(expr_, kind, &out);
    return detail::owned<static_form>(code, out);
}

inline result<expr> expr_view::share() const
{
    hcl_expr *out = nullptr;
    status code = hcl_expr_ref(expr_, &out);
    return detail::owned<expr>(code, out);
}

} // namespace hcl

#endif

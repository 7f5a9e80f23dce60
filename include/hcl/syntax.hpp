/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * syntax.hpp - files, bodies, blocks, attributes and expressions. Include hcl.hpp.
 */
#ifndef LIBHCL_HCL_SYNTAX_HPP
#define LIBHCL_HCL_SYNTAX_HPP

#include "result.hpp"

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
        return made;
    }
};

/** What could be understood of a source, and what is wrong with it. */
template <class T> struct partial {
    /** The tree; empty only when nothing could be made of the source. */
    T tree;
    /** What is wrong. */
    diagnostics diags;
    /** `HCL_OK`, HCL_ERR_DIAGNOSTICS or HCL_ERR_LIMIT. */
    status code = HCL_OK;
};

/** The variables that an expression refers to, in the order of the source. */
class traversals : public handle<hcl_traversals, hcl_traversals_free> {
public:
    using handle::handle;
    /** One of them; borrowed from the list. */
    class variable {
    public:
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

    private:
        const hcl_traversals *list_;
        std::size_t index_;
    };

    /** How many. */
    std::size_t size() const noexcept { return hcl_traversals_count(get()); }
    /** Whether there is none. */
    bool empty() const noexcept { return size() == 0; }
    /** The variable at an index below `size()`. */
    variable operator[](std::size_t index) const noexcept { return {get(), index}; }
    /** The first variable. */
    auto begin() const noexcept { return all().begin(); }
    /** After the last variable. */
    auto end() const noexcept { return all().end(); }

private:
    static variable at(const hcl_traversals *list, std::size_t index) noexcept { return {list, index}; }
    sequence<const hcl_traversals *, variable, at> all() const noexcept { return {get(), size()}; }
};

class expr;

/** An expression that somebody else owns, for example an attribute. */
class expr_view {
public:
    /** No expression. */
    expr_view() noexcept = default;
    /** An expression borrowed from C. */
    expr_view(const hcl_expr *borrowed) noexcept : expr_(borrowed) {}
    /** The expression for a call of C. */
    const hcl_expr *get() const noexcept { return expr_; }
    /** Whether there is an expression. */
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
    /** A handle of its own to the same expression. */
    result<expr> share() const;

protected:
    const hcl_expr *expr_ = nullptr;
};

/** An expression that this object owns. */
class expr : public expr_view {
public:
    /** No expression. */
    expr() noexcept = default;
    /** Adopts an owned pointer from C, or null. */
    explicit expr(hcl_expr *owned) noexcept : expr_view(owned), owner_(owned) {}
    expr(expr &&other) noexcept : expr(other.release()) {}
    expr &operator=(expr &&other) noexcept
    {
        if (this != &other) reset(other.release());
        return *this;
    }
    expr(const expr &) = delete;
    expr &operator=(const expr &) = delete;
    ~expr() = default;
    /** Gives the expression away: the caller owns it now. */
    [[nodiscard]] hcl_expr *release() noexcept
    {
        expr_ = nullptr;
        return owner_.release();
    }
    /** Releases the expression and adopts another one, or none. */
    void reset(hcl_expr *owned = nullptr) noexcept
    {
        owner_.reset(owned);
        expr_ = owned;
    }

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

private:
    handle<hcl_expr, hcl_expr_free> owner_;
};

inline result<expr> expr_view::share() const
{
    hcl_expr *out = nullptr;
    status code = hcl_expr_ref(expr_, &out);
    return detail::owned<expr>(code, out);
}

/** An attribute; borrowed from its file. */
class attribute {
public:
    attribute(const hcl_attr *borrowed) noexcept : attr_(borrowed) {}
    /** The attribute for a call of C. */
    const hcl_attr *get() const noexcept { return attr_; }
    /** Whether there is an attribute. */
    explicit operator bool() const noexcept { return attr_ != nullptr; }
    /** The name. */
    std::string_view name() const noexcept { return detail::view(hcl_attr_name(attr_)); }
    /** The expression. */
    expr_view expression() const noexcept { return hcl_attr_expr(attr_); }
    /** Where it stands: from its name to the end of its expression. */
    result<hcl::range> range() const
    {
        hcl::range out = {};
        status code = hcl_attr_range(attr_, &out);
        return detail::plain(code, out);
    }

private:
    const hcl_attr *attr_;
};

class block;

/** The content of a file or a block; borrowed from it. */
class body_view {
public:
    /** An empty body. */
    body_view() noexcept = default;
    /** A body borrowed from C. */
    body_view(const hcl_body *borrowed) noexcept : body_(borrowed) {}
    /** The body for a call of C. */
    const hcl_body *get() const noexcept { return body_; }
    /** Whether there is a body. */
    explicit operator bool() const noexcept { return body_ != nullptr; }

    /** The attributes in the order of the source, for range-for. */
    auto attributes() const noexcept
    {
        return sequence<const hcl_body *, hcl::attribute, attr_at>(body_, hcl_body_attr_count(body_));
    }
    /** The attribute of that name; false when there is none. */
    hcl::attribute attribute(std::string_view name) const noexcept
    {
        return hcl_body_attr_find(body_, name.data(), name.size());
    }
    /** The blocks in the order of the source, for range-for. */
    inline auto blocks() const noexcept;
    /** Where something that the body should have is said to be missing. */
    result<hcl::range> missing_range() const
    {
        hcl::range out = {};
        status code = hcl_body_missing_range(body_, &out);
        return detail::plain(code, out);
    }

private:
    static hcl::attribute attr_at(const hcl_body *of, std::size_t index) noexcept { return hcl_body_attr_at(of, index); }
    static inline block block_at(const hcl_body *of, std::size_t index) noexcept;

    const hcl_body *body_ = nullptr;
};

/** A block: a type, labels and a body; borrowed from its file. */
class block {
public:
    block(const hcl_block *borrowed) noexcept : block_(borrowed) {}
    /** The block for a call of C. */
    const hcl_block *get() const noexcept { return block_; }
    /** Whether there is a block. */
    explicit operator bool() const noexcept { return block_ != nullptr; }
    /** The type, for example `resource`. */
    std::string_view type() const noexcept { return detail::view(hcl_block_type(block_)); }
    /** The labels, for range-for. */
    auto labels() const noexcept
    {
        return sequence<const hcl_block *, std::string_view, label_at>(block_, hcl_block_label_count(block_));
    }
    /** The label at an index; empty when there are not that many. */
    std::string_view label(std::size_t index) const noexcept { return label_at(block_, index); }
    /** Where a label stands. */
    result<hcl::range> label_range(std::size_t index) const
    {
        hcl::range out = {};
        status code = hcl_block_label_range(block_, index, &out);
        return detail::plain(code, out);
    }
    /** What is between the braces. */
    body_view body() const noexcept { return hcl_block_body(block_); }
    /** Where it stands: from its type to its closing brace. */
    result<hcl::range> range() const
    {
        hcl::range out = {};
        status code = hcl_block_range(block_, &out);
        return detail::plain(code, out);
    }

private:
    static std::string_view label_at(const hcl_block *of, std::size_t index) noexcept
    {
        return detail::view(hcl_block_label(of, index));
    }

    const hcl_block *block_;
};

inline block body_view::block_at(const hcl_body *of, std::size_t index) noexcept
{
    return hcl_body_block_at(of, index);
}

inline auto body_view::blocks() const noexcept
{
    return sequence<const hcl_body *, block, block_at>(body_, hcl_body_block_count(body_));
}

/** A parsed configuration file with its source text. */
class file : public handle<hcl_file, hcl_file_free> {
public:
    using handle::handle;
    /** Parses a source; `name` is what diagnostics call it, nothing is opened. */
    static result<file> parse(std::string_view name, std::string_view source, const parse_options &options = {})
    {
        hcl_file *out = nullptr;
        hcl_parse_opts raw = options.raw();
        detail::notes notes(options.notes);
        status code =
            hcl_file_parse(name.data(), name.size(), source.data(), source.size(), &raw, &out, notes.out());
        return notes.owned<file>(code, out);
    }
    /** Parses a source that may have mistakes: the file has what could be understood. */
    static partial<file> parse_partial(std::string_view name, std::string_view source, const parse_options &options = {})
    {
        hcl_file *out = nullptr;
        hcl_diags *diags = nullptr;
        hcl_parse_opts raw = options.raw();
        raw.flags |= HCL_PARSE_PARTIAL;
        status code = hcl_file_parse(name.data(), name.size(), source.data(), source.size(), &raw, &out, &diags);
        return {file(out), diagnostics(diags), code};
    }

    /** The content, borrowed. */
    body_view body() const noexcept { return hcl_file_body(get()); }
    /** The name it was parsed under. */
    std::string_view name() const noexcept { return detail::view(hcl_file_name(get())); }
    /** The source text. */
    std::string_view source() const noexcept { return detail::view(hcl_file_source(get())); }
    /** Another handle to the same file. */
    result<file> share() const
    {
        hcl_file *out = nullptr;
        status code = hcl_file_ref(get(), &out);
        return detail::owned<file>(code, out);
    }
};

} // namespace hcl

#endif

/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * body.hpp - files, bodies, blocks, attributes and schemas. Include hcl.hpp.
 */
#ifndef LIBHCL_HCL_BODY_HPP
#define LIBHCL_HCL_BODY_HPP

#include "syntax.hpp"

#include <initializer_list>
#include <vector>

namespace hcl {

class frame;

namespace detail {

/** Where something stands, by a function of C that says so. */
template <class Function, class Object> result<range> range_of(Function function, const Object *of)
{
    range out = {};
    status code = function(of, &out);
    return plain(code, out);
}

} // namespace detail

/** An attribute; borrowed from its file. */
class attribute {
public:
    attribute(const hcl_attr *borrowed) noexcept : attr_(borrowed) {}
    /** The attribute for a call of C. */
    const hcl_attr *get() const noexcept { return attr_; }
    /** True if there is an attribute. */
    explicit operator bool() const noexcept { return attr_ != nullptr; }
    /** The name. */
    std::string_view name() const noexcept { return detail::view(hcl_attr_name(attr_)); }
    /** The expression. */
    expr_view expression() const noexcept { return hcl_attr_expr(attr_); }
    /** The value, evaluated once; unlike the expression it knows the `dynamic` block that it is in. */
    result<value> eval(frame &with) const;
    /** The variables it refers to, the iterators of `dynamic` blocks around it left out. */
    result<traversals> variables() const
    {
        hcl_traversals *out = nullptr;
        status code = hcl_attr_variables(attr_, &out);
        return detail::owned<traversals>(code, out);
    }
    /** Where its name stands. */
    result<hcl::range> name_range() const { return detail::range_of(hcl_attr_name_range, attr_); }
    /** Where it stands: from its name to the end of its expression. */
    result<hcl::range> range() const { return detail::range_of(hcl_attr_range, attr_); }

private:
    const hcl_attr *attr_;
};

class block;
class body;
class schema;
struct body_content;

/** The content of a file or a block, borrowed from its owner. */
class body_view {
public:
    /** An empty body. */
    body_view() noexcept = default;
    /** A body borrowed from C. */
    body_view(const hcl_body *borrowed) noexcept : body_(borrowed) {}
    /** Not of a body that is gone at the end of the statement; it can be passed to a call. */
    body_view(const body &&) = delete;
    /** The body for a call of C. */
    const hcl_body *get() const noexcept { return body_; }
    /** True if there is a body. */
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
    result<hcl::range> missing_range() const { return detail::range_of(hcl_body_missing_range, body_); }

    /** True if it stands for blocks of which nothing is known, not even how many they are. */
    bool is_unknown() const noexcept { return hcl_body_is_unknown(body_); }
    /** A handle of its own to the same body. */
    result<body> share() const;
    /**
     * Reads the body by schema; `flags` are `HCL_CONTENT_…`. `with` is for bodies whose `dynamic` blocks are expanded. With
     * HCL_CONTENT_WITH_ERRORS use `content_partial`.
     */
    result<body_content> content(const schema &by, std::uint32_t flags = 0, frame *with = nullptr) const;
    /** Reads the body by schema, as far as that goes. */
    partial<body_content> content_partial(const schema &by, std::uint32_t flags = 0, frame *with = nullptr) const;
    /** All attributes of a body that should have no blocks. */
    result<body> just_attributes() const;
    /** The variables of all that a schema asks for; `flags` is 0 or `HCL_VARIABLES_FOR_EXPANSION`. */
    result<traversals> variables(const schema &by, std::uint32_t flags = 0) const;

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
    /** True if there is a block. */
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
    /** The content between the braces. */
    body_view body() const noexcept { return hcl_block_body(block_); }
    /** The name of the file it is in. */
    std::string_view filename() const noexcept { return detail::view(hcl_block_filename(block_)); }
    /** Where its type stands. */
    result<hcl::range> type_range() const { return detail::range_of(hcl_block_type_range, block_); }
    /** The place for messages about it as a whole: its header. */
    result<hcl::range> definition_range() const { return detail::range_of(hcl_block_definition_range, block_); }
    /** Where it stands: from its type to its closing brace. */
    result<hcl::range> range() const { return detail::range_of(hcl_block_range, block_); }

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

/** A body that this object owns. */
class body : public owner<body_view, hcl_body, hcl_body_free> {
public:
    using owner::owner;
    // A body that is gone at the end of the statement lends nothing.
    auto attributes() const & noexcept { return body_view::attributes(); }
    void attributes() const && = delete;
    hcl::attribute attribute(std::string_view name) const & noexcept { return body_view::attribute(name); }
    void attribute(std::string_view) const && = delete;
    auto blocks() const & noexcept { return body_view::blocks(); }
    void blocks() const && = delete;
    /** Several bodies read as one by schema, in the order given. */
    static result<body> merge(std::initializer_list<body_view> bodies)
    {
        std::vector<const hcl_body *> raw;
        for (body_view each : bodies) raw.push_back(each.get());
        hcl_body *out = nullptr;
        status code = hcl_body_merge(raw.data(), raw.size(), &out);
        return detail::owned<body>(code, out);
    }
};

/** The answer to a schema, and the rest of the body for other readers if HCL_CONTENT_PARTIAL was among the flags. */
struct body_content {
    /** Just these attributes and blocks. */
    body content;
    /** The part of the body that the schema did not ask for. */
    body rest;
};

/** The schema of a body and of the bodies of its blocks, borrowed from its owner. */
class schema_view {
public:
    /** No schema. */
    schema_view() noexcept = default;
    /** A schema borrowed from C. */
    schema_view(const hcl_schema *borrowed) noexcept : schema_(borrowed) {}
    /** Not of a schema that is gone at the end of the statement. */
    schema_view(const schema &&) = delete;
    /** The schema for a call of C. */
    const hcl_schema *get() const noexcept { return schema_; }
    /** True if there is a schema. */
    explicit operator bool() const noexcept { return schema_ != nullptr; }
    /** The schema of what is inside the blocks of a type; none when nothing is said of them. */
    schema_view block(std::string_view type) const noexcept { return hcl_schema_block(schema_, type.data(), type.size()); }
    /** A handle of its own to the same schema. */
    result<schema> share() const;

private:
    const hcl_schema *schema_ = nullptr;
};

/** A schema that this object owns. */
class schema : public owner<schema_view, hcl_schema, hcl_schema_free> {
public:
    using owner::owner;
    // A schema that is gone at the end of the statement lends nothing.
    schema_view block(std::string_view type) const & noexcept { return schema_view::block(type); }
    void block(std::string_view) const && = delete;
    /** Reads a schema, which is written as a body that looks like those it describes: see `hcl_schema_parse`. */
    static result<schema> parse(std::string_view source, std::string_view name = "schema", const parse_options &options = {})
    {
        hcl_schema *out = nullptr;
        hcl_parse_opts raw = options.raw();
        detail::notes notes(options.notes);
        status code =
            hcl_schema_parse(name.data(), name.size(), source.data(), source.size(), &raw, &out, notes.out());
        return notes.owned<schema>(code, out);
    }
};

inline result<schema> schema_view::share() const
{
    hcl_schema *out = nullptr;
    status code = hcl_schema_ref(schema_, &out);
    return detail::owned<schema>(code, out);
}

inline result<body> body_view::share() const
{
    hcl_body *out = nullptr;
    status code = hcl_body_ref(body_, &out);
    return detail::owned<body>(code, out);
}

inline result<body> body_view::just_attributes() const
{
    hcl_body *out = nullptr;
    detail::notes notes(nullptr);
    status code = hcl_body_just_attributes(body_, 0, &out, notes.out());
    return notes.owned<body>(code, out);
}

inline result<traversals> body_view::variables(const schema &by, std::uint32_t flags) const
{
    hcl_traversals *out = nullptr;
    status code = hcl_body_variables(body_, by.get(), flags, &out);
    return detail::owned<traversals>(code, out);
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
    /** Parses a source of JSON syntax. */
    static result<file> parse_json(std::string_view name, std::string_view source, parse_options options = {})
    {
        options.flags |= HCL_PARSE_JSON;
        return parse(name, source, options);
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
    body_view body() const & noexcept { return hcl_file_body(get()); }
    void body() const && = delete;
    /** The name it was parsed under. */
    std::string_view name() const & noexcept { return detail::view(hcl_file_name(get())); }
    void name() const && = delete;
    /** The source text. */
    std::string_view source() const & noexcept { return detail::view(hcl_file_source(get())); }
    void source() const && = delete;
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

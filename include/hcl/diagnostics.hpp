/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * diagnostics.hpp - what is wrong with an input, as fields, text and JSON. Include hcl.hpp.
 */
#ifndef LIBHCL_HCL_DIAGNOSTICS_HPP
#define LIBHCL_HCL_DIAGNOSTICS_HPP

#include "limits.hpp"

#include <optional>
#include <vector>

namespace hcl {

/** How diagnostics are drawn. */
struct render_options {
    /** `HCL_RENDER_…`, joined by `|`. */
    std::uint32_t flags = 0;
    /** How wide text may become, in columns; 0 for 80. */
    std::uint32_t width = 0;
    /** How many are drawn, then a line says how many were left out; 0 for all. */
    std::uint32_t max_count = 0;
    /** How many bytes of drawn diagnostics there may be, then a line says how many were left out; 0 for 64 MiB. */
    std::uint64_t max_bytes = 0;
    /** How long the work may take; 0 for no deadline. */
    std::chrono::nanoseconds timeout{0};
    /** The switch that stops the work; null for none. */
    const cancel *cancelled_by = nullptr;

    /** The options as C has them. */
    hcl_render_opts raw() const noexcept
    {
        hcl_render_opts made = detail::sized<hcl_render_opts>();
        made.flags = flags;
        made.width = width;
        made.max_count = max_count;
        made.max_bytes = max_bytes;
        made.timeout_ns = detail::timeout_ns(timeout);
        made.cancel = detail::switch_of(cancelled_by);
        return made;
    }
};

/** The value of a name that takes part in a complaint. */
struct named_value {
    /** As written, for example `var.port`. */
    std::string_view expression;
    /** The value in words, for example `is "http"`; `is (sensitive value)` in place of one with marks. */
    std::string_view description;
};

/** One diagnostic; the texts are borrowed from the list it came from. */
class diagnostic {
public:
    diagnostic(const hcl_diags *list, std::size_t index) noexcept : list_(list), index_(index)
    {
        if (hcl_diags_get(list, index, &fields_) != HCL_OK) fields_ = detail::sized<hcl_diag>();
    }

    /** True if the result is not usable, or only in part. */
    bool is_error() const noexcept { return fields_.severity == HCL_SEVERITY_ERROR; }
    /** `HCL_SEVERITY_ERROR` or `HCL_SEVERITY_WARNING`. */
    std::uint32_t severity() const noexcept { return fields_.severity; }
    /** A stable code, for example `eval.unknown_variable`. */
    std::string_view code() const noexcept { return detail::view(fields_.code); }
    /** The kind of problem in a few words. */
    std::string_view summary() const noexcept { return detail::view(fields_.summary); }
    /** The detail: what was found, what was expected, what to do. */
    std::string_view detail_text() const noexcept { return detail::view(fields_.detail); }
    /** The name of the source; empty when there is no place. */
    std::string_view filename() const noexcept { return detail::view(fields_.filename); }
    /** The tight place; line 0 when there is none. */
    const range &subject() const noexcept { return fields_.subject; }
    /** A wider place around the subject; line 0 when there is none. */
    const range &context() const noexcept { return fields_.context; }
    /** The subject as it is written; empty when there is no place. */
    std::string_view expression() const noexcept { return detail::view(fields_.expression); }
    /** The extra value of a key that a program gave its own diagnostic; empty when there is none. */
    std::string_view extra(std::string_view key) const noexcept
    {
        for (std::size_t at = 0; at < fields_.n_extra; at++) {
            hcl_str found = {"", 0}, text = {"", 0};
            if (hcl_diags_extra(list_, index_, at, &found, &text) == HCL_OK && detail::view(found) == key)
                return detail::view(text);
        }
        return {};
    }
    /** The row that it is about, from 0, in what `program::over` said. */
    std::optional<std::uint64_t> row() const noexcept
    {
        std::uint64_t row = hcl_diags_row(list_, index_);
        if (row == UINT64_MAX) return std::nullopt;
        return row;
    }
    /** All fields as C has them. */
    const hcl_diag &fields() const noexcept { return fields_; }

    /** The values of names that take part. */
    auto values() const & noexcept
    {
        return sequence<const diagnostic *, named_value, value_at>(this, fields_.n_values);
    }
    /** They are borrowed from the object, so not from one that is gone at the end of the line. */
    void values() const && = delete;

private:
    static named_value value_at(const diagnostic *self, std::size_t index) noexcept
    {
        hcl_str expression = {"", 0}, description = {"", 0};
        if (hcl_diags_value(self->list_, self->index_, index, &expression, &description) != HCL_OK) return {};
        return {detail::view(expression), detail::view(description)};
    }

    const hcl_diags *list_;
    std::size_t index_;
    hcl_diag fields_ = detail::sized<hcl_diag>();
};

namespace detail {

inline void set(hcl_place &place, const hcl_attr *of) noexcept { place.attr = of; }
inline void set(hcl_place &place, const hcl_block *of) noexcept { place.block = of; }
inline void set(hcl_place &place, const hcl_body *of) noexcept { place.body = of; }
inline void set(hcl_place &place, const hcl_expr *of) noexcept { place.expr = of; }
inline void set(hcl_place &place, const hcl_file *of) noexcept { place.file = of; }

} // namespace detail

/** Where something stands: an attribute, a block, a body, an expression, a file, or a range of the source that it is in. */
class place {
public:
    /** Where an object stands, or the part of it that an `HCL_PLACE_…` says. */
    template <class Object, class = decltype(detail::set(std::declval<hcl_place &>(), std::declval<const Object &>().get()))>
    place(const Object &of, std::uint32_t part = HCL_PLACE_WHOLE) noexcept
    {
        detail::set(fields_, of.get());
        fields_.part = part;
    }
    /** A range of the source that an object is in. */
    template <class Object, class = decltype(detail::set(std::declval<hcl_place &>(), std::declval<const Object &>().get()))>
    place(const Object &in, const range &at) noexcept
    {
        detail::set(fields_, in.get());
        fields_.range = at;
    }
    /**
     * A part of the value that a specification makes of a body, by its path, such as `listen.public.port`; see
     * `spec::range_of`. The path must live as long as the place.
     */
    template <class Spec, class Body, class = decltype(hcl_spec_free(std::declval<const Spec &>().get()))>
    place(const Spec &by, const Body &of, std::string_view path, std::uint32_t part = HCL_PLACE_VALUE) noexcept
    {
        fields_.body = of.get();
        fields_.spec = by.get();
        fields_.path = detail::str(path);
        fields_.part = part;
    }
    /** The place as C has it. */
    const hcl_place &raw() const noexcept { return fields_; }

private:
    hcl_place fields_ = detail::sized<hcl_place>();
};

/**
 * A complaint of the program about an input, beside those of the library:
 * `list.add(hcl::complaint("gatewayd.port", "Port out of range", "It must be below 65536.").at({attribute, HCL_PLACE_VALUE}))`.
 */
class complaint {
public:
    /** An error, with a code of the program's own. */
    complaint(std::string code, std::string summary, std::string detail = {})
        : code_(std::move(code)), summary_(std::move(summary)), detail_(std::move(detail))
    {
    }
    /** Makes it a warning. */
    complaint &&as_warning() && noexcept
    {
        severity_ = HCL_SEVERITY_WARNING;
        return std::move(*this);
    }
    /** The tight place; what stands there must live until the complaint is added to a list. */
    complaint &&at(const place &subject) && noexcept
    {
        subject_ = subject;
        return std::move(*this);
    }
    /** A wider place in the same source. */
    complaint &&within(const place &context) && noexcept
    {
        context_ = context;
        return std::move(*this);
    }
    /** A value for the programs that read the diagnostic, in JSON and SARIF. */
    complaint &&note(std::string key, std::string value) &&
    {
        notes_.emplace_back(std::move(key), std::move(value));
        return std::move(*this);
    }

private:
    friend class diagnostics;

    status add_to(hcl_diags **list) const noexcept
    {
        hcl_diag said = detail::sized<hcl_diag>();
        said.severity = severity_;
        said.code = detail::str(code_);
        said.summary = detail::str(summary_);
        said.detail = detail::str(detail_);
        status done = hcl_diags_add(list, &said, subject_ ? &subject_->raw() : nullptr, context_ ? &context_->raw() : nullptr);
        for (const auto &[key, value] : notes_) {
            if (done != HCL_OK) break;
            done = hcl_diags_note(*list, key.data(), key.size(), value.data(), value.size());
        }
        return done;
    }

    std::uint32_t severity_ = HCL_SEVERITY_ERROR;
    std::string code_, summary_, detail_;
    std::optional<place> subject_, context_;
    std::vector<std::pair<std::string, std::string>> notes_;
};

/** A list of diagnostics in the order of detection: `for (hcl::diagnostic d : list)`. It may be empty. */
class diagnostics : public handle<hcl_diags, hcl_diags_free> {
public:
    using handle::handle;
    /** True if any of them is an error. */
    bool has_errors() const noexcept { return hcl_diags_has_errors(get()); }
    /** How many. */
    std::size_t size() const noexcept { return hcl_diags_count(get()); }
    /** True if there is none. */
    bool empty() const noexcept { return size() == 0; }
    /** The diagnostic at an index below `size()`. */
    diagnostic operator[](std::size_t index) const & noexcept { return {get(), index}; }
    void operator[](std::size_t) const && = delete;
    /** The first diagnostic. */
    auto begin() const noexcept { return all().begin(); }
    /** After the last diagnostic. */
    auto end() const noexcept { return all().end(); }
    /** Adds those of another list, for example to show the complaints about several files together. */
    status append(const diagnostics &more) noexcept
    {
        const hcl_diags *added = more.get(); // before this list, which may be the same, gives its own away
        hcl_diags *list = release();
        status done = hcl_diags_append(&list, added);
        reset(list);
        return done;
    }
    /** Adds what the program itself has to say. HCL_ERR_ARGUMENT: a place has no such part. */
    status add(const complaint &own) noexcept
    {
        hcl_diags *list = release();
        status done = own.add_to(&list);
        reset(list);
        return done;
    }
    /** Sorts by file name and place; those without a place come last. */
    void sort() noexcept { hcl_diags_sort(get()); }
    /** Keeps at most so many: warnings go before errors, the last ones first. */
    void cap(std::size_t most) noexcept { hcl_diags_cap(get(), most); }
    /** As text for people, with source lines and underlines. */
    result<buffer> render(const render_options &options = {}) const;
    /** As a JSON array, within the limits of the options. HCL_ERR_LIMIT: it would be too long. */
    result<buffer> json(const render_options &options = {}) const;
    /** As a log in SARIF 2.1.0 in the name of a program, within the limits of the options. */
    result<buffer> sarif(std::string_view tool, std::string_view version, const render_options &options = {}) const;

private:
    static diagnostic at(const hcl_diags *list, std::size_t index) noexcept { return {list, index}; }
    sequence<const hcl_diags *, diagnostic, at> all() const noexcept { return {get(), size()}; }
};

} // namespace hcl

#endif

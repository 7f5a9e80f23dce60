/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * diagnostics.hpp - what is wrong with an input, as fields, text and JSON. Include hcl.hpp.
 */
#ifndef LIBHCL_HCL_DIAGNOSTICS_HPP
#define LIBHCL_HCL_DIAGNOSTICS_HPP

#include "limits.hpp"

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
    /** What it is, for example `is "http"`; `is (sensitive value)` in place of one with marks. */
    std::string_view description;
};

/** One diagnostic; the texts are borrowed from the list it came from. */
class diagnostic {
public:
    diagnostic(const hcl_diags *list, std::size_t index) noexcept : list_(list), index_(index)
    {
        if (hcl_diags_get(list, index, &fields_) != HCL_OK) fields_ = detail::sized<hcl_diag>();
    }

    /** Whether the result is not usable, or only in part. */
    bool is_error() const noexcept { return fields_.severity == HCL_SEVERITY_ERROR; }
    /** `HCL_SEVERITY_ERROR` or `HCL_SEVERITY_WARNING`. */
    std::uint32_t severity() const noexcept { return fields_.severity; }
    /** A stable code, for example `eval.unknown_variable`. */
    std::string_view code() const noexcept { return detail::view(fields_.code); }
    /** The kind of problem in a few words. */
    std::string_view summary() const noexcept { return detail::view(fields_.summary); }
    /** What was found, what was expected, what to do. */
    std::string_view detail_text() const noexcept { return detail::view(fields_.detail); }
    /** The name of the source; empty when there is no place. */
    std::string_view filename() const noexcept { return detail::view(fields_.filename); }
    /** The tight place; line 0 when there is none. */
    const range &subject() const noexcept { return fields_.subject; }
    /** A wider place around the subject; line 0 when there is none. */
    const range &context() const noexcept { return fields_.context; }
    /** The subject as it is written; empty when there is no place. */
    std::string_view expression() const noexcept { return detail::view(fields_.expression); }
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

/** A list of diagnostics in the order of detection: `for (hcl::diagnostic d : list)`. It may be empty. */
class diagnostics : public handle<hcl_diags, hcl_diags_free> {
public:
    using handle::handle;
    /** Whether any of them is an error. */
    bool has_errors() const noexcept { return hcl_diags_has_errors(get()); }
    /** How many. */
    std::size_t size() const noexcept { return hcl_diags_count(get()); }
    /** Whether there is none. */
    bool empty() const noexcept { return size() == 0; }
    /** The diagnostic at an index below `size()`. */
    diagnostic operator[](std::size_t index) const noexcept { return {get(), index}; }
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
    /** As text for people, with source lines and underlines. */
    result<buffer> render(const render_options &options = {}) const;
    /** As a JSON array, within the limits of the options. HCL_ERR_LIMIT: it would be too long. */
    result<buffer> json(const render_options &options = {}) const;

private:
    static diagnostic at(const hcl_diags *list, std::size_t index) noexcept { return {list, index}; }
    sequence<const hcl_diags *, diagnostic, at> all() const noexcept { return {get(), size()}; }
};

} // namespace hcl

#endif

/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * result.hpp - a thing or the reason why there is none. Include hcl.hpp.
 */
#ifndef LIBHCL_HCL_RESULT_HPP
#define LIBHCL_HCL_RESULT_HPP

#include "diagnostics.hpp"

#include <exception>
#include <memory>
#include <type_traits>
#include <variant>

namespace hcl {

/** Why a call failed. Cheap to copy; copies share what they say. */
class error {
public:
    /** A failure with a message of one's own, or none. */
    explicit error(status code, std::string message = {}) : error(code, std::move(message), diagnostics()) {}
    /** A failure with its diagnostics. */
    error(status code, std::string message, diagnostics list)
        : said_(std::make_shared<const said>(said{code, std::move(message), std::move(list)}))
    {
    }

    /** `HCL_ERR_…`. */
    status code() const noexcept { return said_->code; }
    /** What is wrong with the input; empty unless `code()` says that it is. */
    const diagnostics &diags() const noexcept { return said_->list; }
    /** Whether there is more to say than the name of the status. */
    bool is_explained() const noexcept { return !said_->list.empty() || !said_->message.empty(); }
    /** What is wrong, for people: the diagnostics as text, else the message, else the name of the status. */
    std::string message() const;

private:
    struct said {
        status code;
        std::string message;
        diagnostics list;
    };
    std::shared_ptr<const said> said_;
};

/** What `result::value` throws. */
class exception : public std::exception {
public:
    explicit exception(hcl::error why) : why_(std::move(why)), what_(why_.message()) {}
    /** Why the call failed. */
    const hcl::error &why() const noexcept { return why_; }
    const char *what() const noexcept override { return what_.c_str(); }

private:
    hcl::error why_;
    std::string what_;
};

namespace detail {

[[noreturn]] inline void raise(const error &why)
{
#ifdef HCL_NO_EXCEPTIONS
    (void)why;
    misuse();
#else
    throw exception(why);
#endif
}

} // namespace detail

/** A `T`, or an `error`. */
template <class T> class [[nodiscard]] result {
public:
    using value_type = T;

    /** Success. */
    result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    /** Success, with what becomes a `T`. */
    template <class U, class = std::enable_if_t<std::is_convertible_v<U &&, T> && !std::is_same_v<std::decay_t<U>, T>
                                                && !std::is_same_v<std::decay_t<U>, hcl::error>
                                                && !std::is_same_v<std::decay_t<U>, result>>>
    result(U &&value) : state_(std::in_place_index<0>, std::forward<U>(value))
    {
    }
    /** Failure. */
    result(hcl::error why) : state_(std::in_place_index<1>, std::move(why)) {}

    /** Whether there is a value. */
    bool has_value() const noexcept { return state_.index() == 0; }
    explicit operator bool() const noexcept { return has_value(); }
    /** `HCL_OK`, or how it failed. */
    status code() const noexcept { return has_value() ? HCL_OK : error().code(); }

    /** The value; throws `hcl::exception` when there is none. */
    T &value() & { return has_value() ? **this : (detail::raise(error()), **this); }
    const T &value() const & { return has_value() ? **this : (detail::raise(error()), **this); }
    T &&value() && { return std::move(value()); }
    /** The value, or another one. */
    template <class U> T value_or(U &&other) &&
    {
        return has_value() ? std::move(**this) : static_cast<T>(std::forward<U>(other));
    }
    template <class U> T value_or(U &&other) const &
    {
        return has_value() ? **this : static_cast<T>(std::forward<U>(other));
    }

    /** The value. There must be one: the process ends otherwise. */
    T &operator*() & noexcept { return *held(std::get_if<0>(&state_)); }
    const T &operator*() const & noexcept { return *held(std::get_if<0>(&state_)); }
    T &&operator*() && noexcept { return std::move(*held(std::get_if<0>(&state_))); }
    T *operator->() noexcept { return held(std::get_if<0>(&state_)); }
    const T *operator->() const noexcept { return held(std::get_if<0>(&state_)); }

    /** Why there is no value. There must be none: the process ends otherwise. */
    const hcl::error &error() const noexcept { return *held(std::get_if<1>(&state_)); }

    /** What `next` makes of the value, itself a result; or the same error. */
    template <class Next> auto and_then(Next &&next) && -> std::invoke_result_t<Next, T &&>
    {
        if (!has_value()) return error();
        return std::forward<Next>(next)(std::move(**this));
    }
    /** What `change` makes of the value; or the same error. */
    template <class Change> auto transform(Change &&change) && -> result<std::invoke_result_t<Change, T &&>>
    {
        if (!has_value()) return error();
        return std::forward<Change>(change)(std::move(**this));
    }

private:
    template <class P> static P *held(P *pointer) noexcept
    {
        if (pointer == nullptr) detail::misuse();
        return pointer;
    }

    std::variant<T, hcl::error> state_;
};

/** Done, or an `error`. */
template <> class [[nodiscard]] result<void> {
public:
    using value_type = void;

    /** Success. */
    result() noexcept = default;
    /** Failure. */
    result(hcl::error why) : state_(std::move(why)) {}

    /** Whether it was done. */
    bool has_value() const noexcept { return state_.index() == 0; }
    explicit operator bool() const noexcept { return has_value(); }
    /** `HCL_OK`, or how it failed. */
    status code() const noexcept { return has_value() ? HCL_OK : error().code(); }
    /** Throws `hcl::exception` when it failed. */
    void value() const
    {
        if (!has_value()) detail::raise(error());
    }
    /** Why it failed. It must have failed: the process ends otherwise. */
    const hcl::error &error() const noexcept
    {
        const hcl::error *why = std::get_if<1>(&state_);
        if (why == nullptr) detail::misuse();
        return *why;
    }
    /** What `next` gives, itself a result; or the same error. */
    template <class Next> auto and_then(Next &&next) const -> std::invoke_result_t<Next>
    {
        if (!has_value()) return error();
        return std::forward<Next>(next)();
    }

private:
    std::variant<std::monostate, hcl::error> state_;
};

namespace detail {

/** The result of a call of C without a value. */
inline result<void> done(status code)
{
    if (code == HCL_OK) return {};
    return error(code);
}

/** The result of a call of C that wrote a scalar or a borrowed view. */
template <class T> result<T> plain(status code, T value)
{
    if (code == HCL_OK) return result<T>(std::move(value));
    return error(code);
}

/** The result of a call of C that wrote an owned pointer. */
template <class Handle, class Object> result<Handle> owned(status code, Object *object)
{
    Handle made(object);
    if (code == HCL_OK) return result<Handle>(std::move(made));
    return error(code);
}

/**
 * Catches what a call of C says in `diags`. On failure they become part of the error, on success they are handed to
 * `notes`, if somebody asked for them.
 */
class notes {
public:
    explicit notes(diagnostics *wanted) noexcept : wanted_(wanted) {}
    notes(const notes &) = delete;
    notes &operator=(const notes &) = delete;
    ~notes() { hcl_diags_free(diags_); }

    /** For the parameter `diags`. */
    hcl_diags **out() noexcept { return &diags_; }

    /** The result of a call that wrote an owned pointer. */
    template <class Handle, class Object> result<Handle> owned(status code, Object *object)
    {
        Handle made(object);
        if (code == HCL_OK) return keep(std::move(made));
        return failed(code);
    }
    /** The result of a call that wrote a scalar or a borrowed view. */
    template <class T> result<T> plain(status code, T value)
    {
        if (code == HCL_OK) return keep(std::move(value));
        return failed(code);
    }
    /** The result of a call that wrote nothing. */
    result<void> done(status code)
    {
        if (code != HCL_OK) return failed(code);
        pass_on();
        return {};
    }

private:
    template <class T> result<T> keep(T value)
    {
        pass_on();
        return result<T>(std::move(value));
    }
    void pass_on()
    {
        if (wanted_ != nullptr) wanted_->reset(std::exchange(diags_, nullptr));
    }
    error failed(status code) { return error(code, {}, diagnostics(std::exchange(diags_, nullptr))); }

    diagnostics *wanted_;
    hcl_diags *diags_ = nullptr;
};

} // namespace detail

inline std::string error::message() const
{
    if (!said_->list.empty())
        if (auto text = said_->list.render()) return text->str();
    if (!said_->message.empty()) return said_->message;
    return std::string(status_name(said_->code));
}

inline result<buffer> diagnostics::render(const render_options &options) const
{
    hcl_render_opts raw = options.raw();
    hcl_buf *out = nullptr;
    status code = hcl_diags_render(get(), &raw, &out);
    return detail::owned<buffer>(code, out);
}

/** Cause and cure of a diagnostic's code, with an example, as text for people. HCL_ERR_NOT_FOUND: there is no such code. */
inline result<buffer> explain_code(std::string_view code)
{
    hcl_buf *out = nullptr;
    status found = hcl_code_explain(code.data(), code.size(), &out);
    return detail::owned<buffer>(found, out);
}

inline result<buffer> diagnostics::json(const render_options &options) const
{
    hcl_render_opts raw = options.raw();
    hcl_buf *out = nullptr;
    status code = hcl_diags_json(get(), &raw, &out);
    return detail::owned<buffer>(code, out);
}

inline result<buffer> diagnostics::sarif(std::string_view tool, std::string_view version, const render_options &options) const
{
    hcl_render_opts raw = options.raw();
    hcl_buf *out = nullptr;
    status code = hcl_diags_sarif(get(), tool.data(), tool.size(), version.data(), version.size(), &raw, &out);
    return detail::owned<buffer>(code, out);
}

inline result<cancel> cancel::make()
{
    hcl_cancel *out = nullptr;
    status code = hcl_cancel_new(&out);
    return detail::owned<cancel>(code, out);
}

inline result<cancel> cancel::share() const
{
    hcl_cancel *out = nullptr;
    status code = hcl_cancel_ref(get(), &out);
    return detail::owned<cancel>(code, out);
}

} // namespace hcl

#endif

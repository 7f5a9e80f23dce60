/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * result.hpp - a thing or the reason why there is none. Include hcl.hpp.
 */
#ifndef LIBHCL_HCL_RESULT_HPP
#define LIBHCL_HCL_RESULT_HPP

#include "diagnostics.hpp"

#include <exception>
#include <memory>
#include <new>
#include <type_traits>

namespace hcl {

/** Why a call failed. Cheap to copy; copies share what they say. Moving copies: an error that was moved from says why, too. */
class error {
public:
    error(const error &) noexcept = default;
    error &operator=(const error &) noexcept = default;
    ~error() = default;
    /** A failure with a message of one's own, or none. */
    explicit error(status code, std::string message = {}) : error(code, std::move(message), diagnostics()) {}
    /** A failure with its diagnostics. */
    error(status code, std::string message, diagnostics list)
        : said_(std::make_shared<const said>(said{code, std::move(message), std::move(list)}))
    {
    }

    /** `HCL_ERR_…`. */
    status code() const noexcept { return said_->code; }
    /** The diagnostics; empty unless `code()` says that the input is wrong. */
    const diagnostics &diags() const & noexcept { return said_->list; }
    void diags() const && = delete;
    /** True if there is more to say than the name of the status. */
    bool is_explained() const noexcept { return !said_->list.empty() || !said_->message.empty(); }
    /** The error for people: the diagnostics as text, else the message, else the name of the status. */
    std::string message() const;

private:
    template <class T> friend class result;

    struct said {
        status code;
        std::string message;
        diagnostics list;
    };

    /** No failure, beside the value of a result. In a std::optional, compilers take it for uninitialized. */
    error() noexcept = default;
    const error &check() const noexcept
    {
        if (said_ == nullptr) detail::misuse();
        return *this;
    }

    std::shared_ptr<const said> said_;
};

/** The exception that `result::value` throws. */
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

namespace detail {

/** A `T` or nothing: std::optional for the results of all functions takes 0.2 of 1.0 seconds of compiling hcl.hpp. */
template <class T> class held_value {
public:
    held_value() noexcept : nothing_(0) {}
    template <class... A> explicit held_value(std::in_place_t, A &&...arguments) : value_(std::forward<A>(arguments)...), has_(true) {}
    held_value(held_value &&other) noexcept(std::is_nothrow_move_constructible_v<T>) : nothing_(0)
    {
        if (other.has_) fill(std::move(other.value_));
    }
    held_value(const held_value &other) : nothing_(0)
    {
        if (other.has_) fill(other.value_);
    }
    held_value &operator=(held_value &&other) noexcept(std::is_nothrow_move_constructible_v<T>)
    {
        if (this == &other) return *this;
        clear();
        if (other.has_) fill(std::move(other.value_));
        return *this;
    }
    held_value &operator=(const held_value &other) { return *this = held_value(other); }
    ~held_value() { clear(); }

    explicit operator bool() const noexcept { return has_; }
    T &operator*() noexcept { return value_; }
    const T &operator*() const noexcept { return value_; }

private:
    template <class From> void fill(From &&from)
    {
        ::new (static_cast<void *>(std::addressof(value_))) T(std::forward<From>(from));
        has_ = true;
    }
    void clear() noexcept
    {
        if (has_) value_.~T();
        has_ = false;
    }

    union {
        char nothing_;
        T value_;
    };
    bool has_ = false;
};

/** Takes copies away from a class that is derived from it, unless `can` says that there are some. */
template <bool can> struct copies {};
template <> struct copies<false> {
    copies() = default;
    copies(copies &&) = default;
    copies(const copies &) = delete;
    copies &operator=(copies &&) = default;
    copies &operator=(const copies &) = delete;
    ~copies() = default;
};

} // namespace detail

/** A `T`, or an `error`. */
template <class T> class [[nodiscard]] result : detail::copies<std::is_copy_constructible_v<T>> {
public:
    using value_type = T;

    /** Success. */
    result(T value) : value_(std::in_place, std::move(value)) {}
    /** Success, with what becomes a `T`. */
    template <class U, class = std::enable_if_t<std::is_convertible_v<U &&, T> && !std::is_same_v<std::decay_t<U>, T>
                                                && !std::is_same_v<std::decay_t<U>, hcl::error>
                                                && !std::is_same_v<std::decay_t<U>, result>>>
    result(U &&value) : value_(std::in_place, static_cast<T>(std::forward<U>(value)))
    {
    }
    /** Failure. */
    result(hcl::error why) : why_(std::move(why)) {}

    /** True if there is a value. */
    bool has_value() const noexcept { return static_cast<bool>(value_); }
    explicit operator bool() const noexcept { return has_value(); }
    /** `HCL_OK`, or how it failed. */
    status code() const noexcept { return has_value() ? HCL_OK : error().code(); }

    /** The value; throws `hcl::exception` when there is none. */
    T &value() & { return has_value() ? **this : (detail::raise(error()), **this); }
    const T &value() const & { return has_value() ? **this : (detail::raise(error()), **this); }
    /** The value itself, so that it lives as long as the caller wants. */
    T value() && { return std::move(value()); }
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
    T &operator*() & noexcept { return *held(value_); }
    const T &operator*() const & noexcept { return *held(value_); }
    T operator*() && { return std::move(*held(value_)); }
    T *operator->() & noexcept { return held(value_); }
    const T *operator->() const & noexcept { return held(value_); }
    T *operator->() && = delete;
    const T *operator->() const && = delete;

    /** Why there is no value. There must be none: the process ends otherwise. */
    const hcl::error &error() const & noexcept { return why_.check(); }
    hcl::error error() && noexcept { return why_.check(); }

    /** The result that `next` makes of the value; or the same error. */
    template <class Next> auto and_then(Next &&next) && -> std::invoke_result_t<Next, T &&>
    {
        if (!has_value()) return error();
        return std::forward<Next>(next)(std::move(**this));
    }
    /** This value; or what `otherwise` makes of the error, a result of the same type. */
    template <class Else> result or_else(Else &&otherwise) &&
    {
        if (has_value()) return std::move(*this);
        return std::forward<Else>(otherwise)(error());
    }
    /** The value that `change` makes of the value; or the same error. */
    template <class Change> auto transform(Change &&change) && -> result<std::invoke_result_t<Change, T &&>>
    {
        if (!has_value()) return error();
        return std::forward<Change>(change)(std::move(**this));
    }

private:
    template <class Held> static auto held(Held &one) noexcept -> decltype(&*one)
    {
        if (!one) detail::misuse();
        return &*one;
    }

    detail::held_value<T> value_;
    hcl::error why_;
};

/** Done, or an `error`. */
template <> class [[nodiscard]] result<void> {
public:
    using value_type = void;

    /** Success. */
    result() noexcept = default;
    /** Failure. */
    result(hcl::error why) : why_(std::move(why)) {}

    /** True if it was done. */
    bool has_value() const noexcept { return why_.said_ == nullptr; }
    explicit operator bool() const noexcept { return has_value(); }
    /** `HCL_OK`, or how it failed. */
    status code() const noexcept { return has_value() ? HCL_OK : error().code(); }
    /** Throws `hcl::exception` when it failed. */
    void value() const
    {
        if (!has_value()) detail::raise(error());
    }
    /** Why it failed. It must have failed: the process ends otherwise. */
    const hcl::error &error() const & noexcept { return why_.check(); }
    hcl::error error() && noexcept { return why_.check(); }
    /** The result of `next`; or the same error. */
    template <class Next> auto and_then(Next &&next) const -> std::invoke_result_t<Next>
    {
        if (!has_value()) return error();
        return std::forward<Next>(next)();
    }

private:
    hcl::error why_;
};

namespace detail {

/** Why the last call of C failed, which had no diagnostics: a mistake with an argument is told, other statuses tell enough. */
inline error failed(status code)
{
    return code == HCL_ERR_ARGUMENT ? error(code, std::string(status_detail())) : error(code);
}

/** The result of a call of C without a value. */
inline result<void> done(status code)
{
    if (code == HCL_OK) return {};
    return failed(code);
}

/** The result of a call of C that wrote a scalar or a borrowed view. */
template <class T> result<T> plain(status code, T value)
{
    if (code == HCL_OK) return result<T>(std::move(value));
    return failed(code);
}

/** The result of a call of C that wrote an owned pointer. */
template <class Handle, class Object> result<Handle> owned(status code, Object *object)
{
    Handle made(object);
    if (code == HCL_OK) return result<Handle>(std::move(made));
    return failed(code);
}

/**
 * Catches what a call of C says in `diags`. On failure they become part of the error, on success they are handed to
 * `notes`, if they were asked for.
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

/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * function.hpp - lambdas as functions of the language:
 *
 *     names.add(hcl::function("shout", [](std::string_view text, std::int64_t times) {
 *         std::string all;
 *         while (times-- > 0) all += text;
 *         return all;
 *     }).parameters({"text", "times"}).pure());
 *
 * Include hcl.hpp.
 */
#ifndef LIBHCL_HCL_FUNCTION_HPP
#define LIBHCL_HCL_FUNCTION_HPP

#include "convert.hpp"

namespace hcl {

/** As the last parameter of a host function: all further arguments. */
template <class T> struct rest : std::vector<T> {
    using std::vector<T>::vector;
};

/** A call in progress; good until the function returns. */
class call {
public:
    explicit call(hcl_call *borrowed) noexcept : call_(borrowed) {}
    /** The call for a call of C. */
    hcl_call *get() const noexcept { return call_; }
    /** The number of arguments, those of a variadic parameter included. */
    std::size_t size() const noexcept { return hcl_call_count(call_); }
    /** The argument at an index; no value when there are not that many. */
    value_view operator[](std::size_t index) const noexcept { return hcl_call_arg(call_, index); }
    /** The argument at an index as a `T`; bools, texts and `std::int64_t` without a detour. */
    template <class T> result<T> arg(std::size_t index) const
    {
        if constexpr (std::is_same_v<T, bool>) {
            bool out = false;
            status code = hcl_call_arg_bool(call_, index, &out);
            return detail::plain(code, out);
        } else if constexpr (std::is_same_v<T, std::int64_t>) {
            std::int64_t out = 0;
            status code = hcl_call_arg_i64(call_, index, &out);
            return detail::plain(code, out);
        } else if constexpr (std::is_same_v<T, std::string_view>) {
            hcl_str out = {"", 0};
            status code = hcl_call_arg_str(call_, index, &out);
            return detail::plain(code, detail::view(out));
        } else {
            return reader<T>::read((*this)[index]);
        }
    }
    /** Sets the result: anything that `value::of` takes, null as `nullptr`. */
    template <class T> result<void> returns(const T &content)
    {
        if constexpr (std::is_same_v<T, bool>) return detail::done(hcl_call_return_bool(call_, content));
        else if constexpr (std::is_same_v<T, std::nullptr_t>) return detail::done(hcl_call_return_null(call_));
        else if constexpr (std::is_floating_point_v<T>)
            return detail::done(hcl_call_return_f64(call_, static_cast<double>(content)));
        else if constexpr (std::is_integral_v<T> && (std::is_signed_v<T> || sizeof(T) < sizeof(std::int64_t)))
            return detail::done(hcl_call_return_i64(call_, static_cast<std::int64_t>(content)));
        else if constexpr (std::is_integral_v<T>) return detail::done(hcl_call_return_u64(call_, content));
        else if constexpr (detail::is_text<T>) {
            std::string_view text = content;
            return detail::done(hcl_call_return_str(call_, text.data(), text.size()));
        } else if constexpr (detail::is_value<T>) return detail::done(hcl_call_return(call_, content.get()));
        else {
            auto made = value::of(content);
            if (!made) return made.error();
            return detail::done(hcl_call_return(call_, made->get()));
        }
    }
    /** Sets the type of a result that is not known: only for `function::type_of_result`. */
    result<void> returns_type(const type &of) { return detail::done(hcl_call_return_type(call_, of.get())); }
    /** Says why the call fails, and gives what the function returns then. The message follows a colon. */
    result<void> fail(std::string_view message, std::size_t argument = no_argument)
    {
        (void)hcl_call_fail(call_, argument, message.data(), message.size());
        return error(HCL_ERR_CALLBACK, std::string(message));
    }
    /**
     * Says why the call fails, in diagnostics: of another file, for example, or of the host (`complaint`). Those without a place
     * are about the argument, or the call. What has no error among its diagnostics fails with its message.
     */
    result<void> fail(const error &why, std::size_t argument = no_argument)
    {
        if (hcl_call_fail_with(call_, argument, why.diags().get()) != HCL_OK) return fail(why.message(), argument);
        return error(HCL_ERR_CALLBACK);
    }
    /** Fails with diagnostics that the function made. */
    result<void> fail(diagnostics why, std::size_t argument = no_argument)
    {
        return fail(error(HCL_ERR_DIAGNOSTICS, {}, std::move(why)), argument);
    }
    /** The pointer that `frame::set_user` gave the frame; null if it gave none, and while a program is compiled. */
    template <class T = void> T *user() const noexcept { return static_cast<T *>(hcl_call_user(call_)); }
    /** True if the evaluation was cancelled or its deadline has passed: a long function may as well give up. */
    bool cancelled() const noexcept { return hcl_call_cancelled(call_); }

private:
    hcl_call *call_;
};

/** A parameter of a host function. */
struct parameter {
    /** The name, for messages. */
    std::string name;
    /** The type as a type expression; empty for any. */
    std::string type_text = {};
    /** `HCL_PARAM_…`, joined by `|`. */
    std::uint32_t flags = 0;
};

/**
 * Something that can be called, or nothing: what std::function is, without what <functional> costs to compile. Copies share
 * what they call.
 */
template <class Signature> class callback;
template <class R, class... A> class callback<R(A...)> {
public:
    /** Nothing. */
    callback() noexcept = default;
    /** A lambda, or another object that can be called like this. */
    template <class F, class = std::enable_if_t<!std::is_same_v<std::decay_t<F>, callback> && std::is_invocable_r_v<R, F &, A...>>>
    callback(F &&body) : held_(std::make_shared<holder<std::decay_t<F>>>(std::forward<F>(body)))
    {
    }
    /** True if there is something to call. */
    explicit operator bool() const noexcept { return held_ != nullptr; }
    /** Calls it; there must be something. */
    R operator()(A... arguments) const { return held_->run(std::forward<A>(arguments)...); }

private:
    struct base {
        base() = default;
        base(const base &) = delete;
        base &operator=(const base &) = delete;
        virtual ~base() = default;
        virtual R run(A... arguments) = 0;
    };
    template <class F> struct holder final : base {
        template <class Body> explicit holder(Body &&given) : body(std::forward<Body>(given)) {}
        R run(A... arguments) override { return body(std::forward<A>(arguments)...); }
        F body;
    };

    std::shared_ptr<base> held_;
};

namespace detail {

/** The work of a host function, without its C++ type. */
struct target {
    target() = default;
    target(const target &) = delete;
    target &operator=(const target &) = delete;
    virtual ~target() = default;
    virtual result<void> run(call &now) = 0;
};

template <class T> struct is_rest : std::false_type {};
template <class T> struct is_rest<rest<T>> : std::true_type {};
template <class T> struct is_optional : std::false_type {};
template <class T> struct is_optional<std::optional<T>> : std::true_type {};
template <class T> struct is_result : std::false_type {};
template <class T> struct is_result<result<T>> : std::true_type {};

/** Parameters and result of a lambda or another object that can be called in one way. */
template <class F> struct signature : signature<decltype(&F::operator())> {};
template <class R, class... A> struct signature<R (*)(A...)> {
    using returns = R;
    using arguments = std::tuple<std::decay_t<A>...>;
};
template <class R, class C, class... A> struct signature<R (C::*)(A...)> : signature<R (*)(A...)> {};
template <class R, class C, class... A> struct signature<R (C::*)(A...) const> : signature<R (*)(A...)> {};
template <class R, class C, class... A> struct signature<R (C::*)(A...) noexcept> : signature<R (*)(A...)> {};
template <class R, class C, class... A> struct signature<R (C::*)(A...) const noexcept> : signature<R (*)(A...)> {};
template <class R, class... A> struct signature<R (*)(A...) noexcept> : signature<R (*)(A...)> {};

/** Calls a host function, and keeps what it throws on this side. */
template <class Run> std::int32_t guarded(call &now, const Run &run) noexcept
{
    auto answer = [&] {
        result<void> done = run();
        if (done) return static_cast<std::int32_t>(HCL_OK);
        return static_cast<std::int32_t>(done.code());
    };
#ifdef HCL_NO_EXCEPTIONS
    (void)now;
    return answer();
#else
    try {
        return answer();
    } catch (const exception &thrown) {
        try {
            (void)now.fail(thrown.why());
        } catch (...) {
            // There is no memory for words.
            return static_cast<std::int32_t>(HCL_ERR_MEMORY);
        }
    } catch (const std::exception &thrown) {
        (void)hcl_call_fail(now.get(), HCL_NO_ARGUMENT, thrown.what(), HCL_NUL);
    } catch (...) {
        (void)hcl_call_fail(now.get(), HCL_NO_ARGUMENT, "the function of the host threw what is no std::exception", HCL_NUL);
    }
    return static_cast<std::int32_t>(HCL_ERR_CALLBACK);
#endif
}

/** A lambda whose parameters are types of C++. */
template <class F> class typed_target final : public target {
    using arguments = typename signature<F>::arguments;
    static constexpr std::size_t count = std::tuple_size_v<arguments>;
    template <std::size_t I> using argument = std::tuple_element_t<I, arguments>;

public:
    explicit typed_target(F body) : body_(std::move(body)) {}
    result<void> run(call &now) override { return with(now, std::make_index_sequence<count>()); }

    static std::vector<parameter> parameters() { return described(std::make_index_sequence<count>()); }

private:
    template <std::size_t... I> static std::vector<parameter> described(std::index_sequence<I...>)
    {
        return {describe<argument<I>>(I)...};
    }
    template <class T> static parameter describe(std::size_t index)
    {
        parameter made{"argument" + std::to_string(index + 1)};
        if constexpr (is_rest<T>::value) {
            made.type_text = reader<typename T::value_type>::type_text();
            made.flags = HCL_PARAM_VARIADIC;
        } else {
            made.type_text = reader<T>::type_text();
            if constexpr (is_optional<T>::value) made.flags = HCL_PARAM_NULL;
        }
        return made;
    }

    template <std::size_t... I> result<void> with(call &now, std::index_sequence<I...>)
    {
        std::tuple<std::optional<argument<I>>...> read;
        result<void> fits;
        ((fits = fits ? take(now, I, std::get<I>(read)) : std::move(fits)), ...);
        if (!fits) return fits;
        if constexpr (std::is_void_v<typename signature<F>::returns>) {
            body_(std::move(*std::get<I>(read))...);
            return now.returns(nullptr);
        } else {
            return give(now, body_(std::move(*std::get<I>(read))...));
        }
    }
    template <class T> static result<void> take(call &now, std::size_t index, std::optional<T> &into)
    {
        if constexpr (is_rest<T>::value) {
            into.emplace();
            for (std::size_t i = index; i < now.size(); i++) {
                auto element = now.arg<typename T::value_type>(i);
                if (!element) return unfit(now, i, element.error());
                into->push_back(std::move(*element));
            }
        } else {
            auto content = now.arg<T>(index);
            if (!content) return unfit(now, index, content.error());
            into.emplace(std::move(*content));
        }
        return {};
    }
    static result<void> unfit(call &now, std::size_t index, const error &why)
    {
        bool range = why.code() == HCL_ERR_RANGE;
        return now.fail(range ? "the number is not whole, or too large or small here" : why.message(), index);
    }
    template <class T> static result<void> give(call &now, const T &content)
    {
        if constexpr (is_result<T>::value) {
            if (!content) return now.fail(content.error());
            if constexpr (std::is_same_v<T, result<void>>) return now.returns(nullptr);
            else return now.returns(*content);
        } else {
            return now.returns(content);
        }
    }

    F body_;
};

/** A lambda that looks at its call itself. */
template <class F> class raw_target final : public target {
public:
    explicit raw_target(F body) : body_(std::move(body)) {}
    result<void> run(call &now) override { return body_(now); }

private:
    F body_;
};

} // namespace detail

/**
 * A function of the host. The types of its parameters follow from those of the lambda (`std::optional` takes null,
 * `hcl::rest` takes all further arguments, `hcl::value_view` takes anything); arguments are converted before the call,
 * and null, unknown and marked ones are dealt with. It returns anything that `value::of` takes, a `result` of that, or
 * nothing, which is null. What it throws is the error of the call.
 */
class function {
public:
    /** A function that is a lambda with parameters of C++. */
    template <class F>
    function(std::string name, F body)
        : name_(std::move(name)), parameters_(detail::typed_target<F>::parameters()),
          target_(std::make_shared<detail::typed_target<F>>(std::move(body)))
    {
    }
    /** A function that is a lambda from `hcl::call &` to `result<void>`: it reads arguments and sets the result. */
    template <class F>
    function(std::string name, std::vector<parameter> parameters, F body)
        : name_(std::move(name)), parameters_(std::move(parameters)),
          target_(std::make_shared<detail::raw_target<F>>(std::move(body)))
    {
    }

    /** The names of the parameters, for messages. */
    function &parameters(std::initializer_list<std::string_view> names)
    {
        std::size_t i = 0;
        for (std::string_view name : names)
            if (i < parameters_.size()) parameters_[i++].name = name;
        return *this;
    }
    /** Further `HCL_PARAM_…` of the parameter at an index: null, unknown or marked values are passed on. */
    function &allow(std::size_t index, std::uint32_t flags)
    {
        if (index < parameters_.size()) parameters_[index].flags |= flags;
        return *this;
    }
    /** One line on what it does. */
    function &described(std::string text)
    {
        description_ = std::move(text);
        return *this;
    }
    /** The type of its results as a type expression; they are converted to it. */
    function &returning(std::string type_text)
    {
        result_type_ = std::move(type_text);
        return *this;
    }
    /** Finds the type of a result that can't be known: a lambda from `hcl::call &` to `result<void>`, by `returns_type`. */
    template <class F> function &type_of_result(F body)
    {
        type_of_ = std::make_shared<detail::raw_target<F>>(std::move(body));
        return *this;
    }
    /** Equal arguments give equal results: calls with constants may be made when a program is compiled. */
    function &pure() { return with(HCL_FUNCTION_PURE); }
    /** Several threads may call it at once. Without it the library makes one call at a time. */
    function &threaded() { return with(HCL_FUNCTION_THREADED); }
    /** Further `HCL_FUNCTION_…`. */
    function &with(std::uint32_t flags)
    {
        flags_ |= flags;
        return *this;
    }

    /** Registers it: `scope_builder::add` calls this. */
    result<void> register_in(hcl_scope *scope) const
    {
        std::vector<hcl_param> params;
        for (const parameter &p : parameters_)
            params.push_back({detail::str(p.name), detail::str(p.type_text), p.flags, 0});
        hcl_function raw = detail::sized<hcl_function>();
        raw.name = detail::str(name_);
        raw.description = detail::str(description_);
        raw.params = params.data();
        raw.n_params = params.size();
        raw.result_type = detail::str(result_type_);
        raw.flags = flags_;
        raw.call = run;
        if (type_of_) raw.result_type_of = find_type;
        raw.user = new targets{target_, type_of_};
        raw.drop_user = drop;
        return detail::done(hcl_scope_function(scope, &raw));
    }

private:
    using shared = std::shared_ptr<detail::target>;
    struct targets {
        shared run, type_of;
    };

    static std::int32_t run(void *user, hcl_call *raw) noexcept
    {
        call now(raw);
        return detail::guarded(now, [&] { return static_cast<targets *>(user)->run->run(now); });
    }
    static std::int32_t find_type(void *user, hcl_call *raw) noexcept
    {
        call now(raw);
        return detail::guarded(now, [&] { return static_cast<targets *>(user)->type_of->run(now); });
    }
    static void drop(void *user) noexcept { delete static_cast<targets *>(user); }

    std::string name_, description_, result_type_;
    std::vector<parameter> parameters_;
    std::uint32_t flags_ = 0;
    shared target_, type_of_;
};

} // namespace hcl

#endif

/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * convert.hpp - values as types of C++: `value.as<std::vector<std::string>>()`. Include hcl.hpp.
 */
#ifndef LIBHCL_HCL_CONVERT_HPP
#define LIBHCL_HCL_CONVERT_HPP

#include "literal.hpp"

namespace hcl {

/**
 * How a value becomes a `T`. There are readers for bool, all integers and floating-point types, `std::string`,
 * `std::string_view` (borrowed from the value), `hcl::value`, `hcl::value_view` (borrowed), `std::optional` (null is
 * empty), `std::pair` and `std::tuple`, and for lists, sets and maps of the standard library. Nothing is converted on the
 * way; `value_view::convert` does that.
 *
 * Specialize it for a type of your own: `static result<T> read(value_view)` and, for parameters of host functions,
 * `static std::string type_text()`, the type as HCL writes it, empty for any.
 */
template <class T, class Enable = void> struct reader;

namespace detail {

/** An error that says in which element it happened. */
inline error inside(std::string place, const error &why)
{
    return error(why.code(), std::move(place) + ": " + why.message());
}

/** `name(inner)`, or `name(any)` when nothing is said of what is inside. */
inline std::string type_of(std::string_view name, const std::string &inner)
{
    return std::string(name) + "(" + (inner.empty() ? "any" : inner) + ")";
}

} // namespace detail

/** Bool, numbers and texts. */
template <class T> struct reader<T, std::enable_if_t<std::is_arithmetic_v<T>>> {
    static result<T> read(value_view from)
    {
        if constexpr (std::is_same_v<T, bool>)
            return from.as_bool();
        else if constexpr (std::is_floating_point_v<T>)
            return from.as_f64().transform([](double number) { return static_cast<T>(number); });
        else if constexpr (std::is_signed_v<T>)
            return within(from.as_i64());
        else
            return within(from.as_u64());
    }
    static std::string type_text() { return std::is_same_v<T, bool> ? "bool" : "number"; }

private:
    template <class Wide> static result<T> within(const result<Wide> &number)
    {
        if (!number) return number.error();
        if (*number < std::numeric_limits<T>::min() || *number > std::numeric_limits<T>::max())
            return error(HCL_ERR_RANGE);
        return static_cast<T>(*number);
    }
};

/** Text, borrowed from the value. */
template <> struct reader<std::string_view> {
    static result<std::string_view> read(value_view from) { return from.as_str(); }
    static std::string type_text() { return "string"; }
};

/** Text. */
template <> struct reader<std::string> {
    static result<std::string> read(value_view from)
    {
        return from.as_str().transform([](std::string_view text) { return std::string(text); });
    }
    static std::string type_text() { return "string"; }
};

/** The value itself, borrowed. */
template <> struct reader<value_view> {
    static result<value_view> read(value_view from) { return from; }
    static std::string type_text() { return {}; }
};

/** The value itself. */
template <> struct reader<value> {
    static result<value> read(value_view from) { return from.share(); }
    static std::string type_text() { return {}; }
};

/** Null, or something. */
template <class T> struct reader<std::optional<T>> {
    static result<std::optional<T>> read(value_view from)
    {
        if (from.is_null()) return std::optional<T>();
        return reader<T>::read(from).transform([](T &&content) { return std::optional<T>(std::move(content)); });
    }
    static std::string type_text() { return reader<T>::type_text(); }
};

/** Lists and sets of the standard library, from lists, sets and tuples. */
template <class T>
struct reader<T, std::enable_if_t<(detail::is_list<T> || detail::is_set<T>) && !detail::is_tuple<T>::value>> {
    using element_type = typename T::value_type;

    static result<T> read(value_view from)
    {
        auto count = from.len();
        if (!count) return count.error();
        T made;
        for (std::size_t i = 0; i < *count; i++) {
            auto element = reader<element_type>::read(from.at(i));
            if (!element) return detail::inside("element " + std::to_string(i), element.error());
            made.insert(made.end(), std::move(*element));
        }
        return made;
    }
    static std::string type_text()
    {
        return detail::type_of(detail::is_set<T> ? "set" : "list", reader<element_type>::type_text());
    }
};

/** Maps of the standard library, from maps and objects. */
template <class T> struct reader<T, std::enable_if_t<detail::is_map<T>>> {
    using mapped_type = typename T::mapped_type;

    static result<T> read(value_view from)
    {
        auto count = from.len();
        if (!count) return count.error();
        T made;
        for (std::size_t i = 0; i < *count; i++) {
            auto key = from.key_at(i);
            if (!key) return key.error();
            auto element = reader<mapped_type>::read(from.at(i));
            if (!element) return detail::inside("element \"" + std::string(*key) + '"', element.error());
            made.emplace(typename T::key_type(*key), std::move(*element));
        }
        return made;
    }
    static std::string type_text() { return detail::type_of("map", reader<mapped_type>::type_text()); }
};

/** `std::tuple`, from lists and tuples of that length. */
template <class... Ts> struct reader<std::tuple<Ts...>> {
    static result<std::tuple<Ts...>> read(value_view from)
    {
        auto count = from.len();
        if (!count) return count.error();
        if (*count != sizeof...(Ts)) return error(HCL_ERR_RANGE, "there are " + std::to_string(*count) + " elements");
        return each(from, std::index_sequence_for<Ts...>());
    }
    static std::string type_text()
    {
        std::string inner;
        ((inner += (inner.empty() ? "" : ", ") + (reader<Ts>::type_text().empty() ? "any" : reader<Ts>::type_text())), ...);
        return "tuple([" + inner + "])";
    }

private:
    template <std::size_t... I> static result<std::tuple<Ts...>> each(value_view from, std::index_sequence<I...>)
    {
        std::tuple<result<Ts>...> read{reader<Ts>::read(from.at(I))...};
        result<void> fits;
        ((fits && !std::get<I>(read) ? void(fits = std::get<I>(read).error()) : void()), ...);
        if (!fits) return fits.error();
        return std::tuple<Ts...>(std::move(*std::get<I>(read))...);
    }
};

/** `std::pair`, from lists and tuples of two. */
template <class A, class B> struct reader<std::pair<A, B>> {
    static result<std::pair<A, B>> read(value_view from)
    {
        return reader<std::tuple<A, B>>::read(from).transform(
            [](std::tuple<A, B> &&both) { return std::pair<A, B>(std::move(std::get<0>(both)), std::move(std::get<1>(both))); });
    }
    static std::string type_text() { return reader<std::tuple<A, B>>::type_text(); }
};

template <class T> result<T> value_view::as() const
{
    return reader<T>::read(*this);
}

namespace detail {

/** True if a `T` points into the value that it was read from. */
template <class T> inline constexpr bool is_borrowed = false;
template <> inline constexpr bool is_borrowed<std::string_view> = true;
template <> inline constexpr bool is_borrowed<value_view> = true;
template <template <class...> class Of, class... Ts> inline constexpr bool is_borrowed<Of<Ts...>> = (is_borrowed<Ts> || ...);

} // namespace detail

template <class T> result<T> value::as() const &
{
    return value_view::as<T>();
}

template <class T> result<T> value::as() const &&
{
    static_assert(!detail::is_borrowed<T>, "the value is gone at the end of the statement: give it a name");
    return value_view::as<T>();
}

} // namespace hcl

#endif

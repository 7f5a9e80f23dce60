/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * literal.hpp - values written down in C++:
 *
 *     hcl::literal server = hcl::object({{"name", "web"}, {"ports", hcl::list({80, 443})}, {"owner", nullptr}});
 *     hcl::value value = hcl::value::of(server).value();
 *
 * Include hcl.hpp.
 */
#ifndef LIBHCL_HCL_LITERAL_HPP
#define LIBHCL_HCL_LITERAL_HPP

#include "value.hpp"

#include <initializer_list>
#include <limits>
#include <optional>
#include <tuple>
#include <variant>
#include <vector>

namespace hcl {

class literal;

/**
 * How a C++ type becomes a value. Specialize it for a type of your own with `static literal write(const T &)`, and the
 * type can be passed to `value::of`, `frame::set`, and be the result of a function of the host.
 */
template <class T, class Enable = void> struct writer;

/** A value to be: a scalar, a text, a value, or a container of such. Cheap to copy. */
class literal {
public:
    /** Null. */
    literal(std::nullptr_t = nullptr) noexcept {}
    /** Anything that a `writer` knows. */
    template <class T, class = std::enable_if_t<!std::is_same_v<T, literal> && !std::is_same_v<T, std::nullptr_t>>>
    literal(const T &content) : literal(writer<T>::write(content))
    {
    }

    /** `true` or `false`. */
    static literal boolean(bool content) { return literal(form(content)); }
    /** A whole number. */
    static literal i64(std::int64_t content) { return literal(form(content)); }
    /** A whole number. */
    static literal u64(std::uint64_t content) { return literal(form(content)); }
    /** The number that a double is. */
    static literal f64(double content) { return literal(form(content)); }
    /** A text. */
    static literal string(std::string_view content) { return literal(form(std::string(content))); }
    /** A value that there is already. */
    static literal of(const value_view &content) { return literal(form(std::make_shared<const result<value>>(content.share()))); }
    /** A container: `HCL_KIND_LIST`, `_SET` or `_TUPLE` without keys, `HCL_KIND_MAP` or `_OBJECT` with as many. */
    static literal container(std::uint32_t kind, std::vector<std::string> keys, std::vector<literal> elements)
    {
        return literal(form(std::make_shared<const inner>(kind, std::move(keys), std::move(elements))));
    }

    /** Adds what this says to a value under construction. */
    result<void> add_to(builder &to) const
    {
        std::vector<opened> open;
        result<void> added = begin(to, open);
        while (added && !open.empty()) {
            opened &last = open.back();
            if (last.next == last.container->elements.size()) {
                open.pop_back();
                added = to.end();
                continue;
            }
            const std::size_t i = last.next++;
            if (i < last.container->keys.size()) added = to.key(last.container->keys[i]);
            if (added) added = last.container->elements[i].begin(to, open);
        }
        return added;
    }

private:
    struct inner {
        inner(std::uint32_t of_kind, std::vector<std::string> with_keys, std::vector<literal> with_elements)
            : kind(of_kind), keys(std::move(with_keys)), elements(std::move(with_elements))
        {
        }
        inner(const inner &) = delete;
        inner &operator=(const inner &) = delete;
        ~inner() { release(std::move(elements)); }

        std::uint32_t kind;
        std::vector<std::string> keys;
        std::vector<literal> elements;
    };
    using ready = std::shared_ptr<const result<value>>;
    using nested = std::shared_ptr<const inner>;
    using form = std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, ready, nested>;

    explicit literal(form content) : form_(std::move(content)) {}

    /* Containers in containers are released one after the other: their destructors would nest as deep as they do. */
    static void release(std::vector<literal> &&elements)
    {
        thread_local std::vector<literal> *waiting = nullptr;
        if (waiting != nullptr) {
            waiting->insert(waiting->end(), std::make_move_iterator(elements.begin()), std::make_move_iterator(elements.end()));
            return;
        }
        waiting = &elements;
        while (!elements.empty()) {
            /* It adds its elements behind the others. */
            const literal last = std::move(elements.back());
            elements.pop_back();
        }
        waiting = nullptr;
    }

    static result<void> add(builder &to, std::monostate) { return to.null(); }
    static result<void> add(builder &to, bool content) { return to.boolean(content); }
    static result<void> add(builder &to, std::int64_t content) { return to.i64(content); }
    static result<void> add(builder &to, std::uint64_t content)
    {
        return value::u64(content).and_then([&](const value &number) { return to.add(number); });
    }
    static result<void> add(builder &to, double content) { return to.f64(content); }
    static result<void> add(builder &to, const std::string &content) { return to.string(content); }
    static result<void> add(builder &to, const ready &content)
    {
        if (!*content) return content->error();
        return to.add(**content);
    }

    /* A container whose elements up to one have been added. */
    struct opened {
        const inner *container;
        std::size_t next;
    };

    /* Adds a scalar; opens a container, whose elements are to follow. */
    result<void> begin(builder &to, std::vector<opened> &open) const
    {
        return std::visit(
            [&](const auto &content) {
                if constexpr (!std::is_same_v<decltype(content), const nested &>) return add(to, content);
                else {
                    open.push_back({content.get(), 0});
                    return to.begin(content->kind);
                }
            },
            form_);
    }

    form form_;
};

namespace detail {

inline literal elements_of(std::uint32_t kind, std::initializer_list<literal> elements)
{
    return literal::container(kind, {}, std::vector<literal>(elements));
}

inline literal entries_of(std::uint32_t kind, std::initializer_list<std::pair<std::string_view, literal>> entries)
{
    std::vector<std::string> keys;
    std::vector<literal> elements;
    for (const auto &[key, element] : entries) {
        keys.emplace_back(key);
        elements.push_back(element);
    }
    return literal::container(kind, std::move(keys), std::move(elements));
}

template <class T, class = void> struct is_iterable : std::false_type {};
template <class T>
struct is_iterable<T, std::void_t<decltype(std::declval<const T &>().begin()), decltype(std::declval<const T &>().end())>>
    : std::true_type {};

template <class T, class = void> struct has_key : std::false_type {};
template <class T> struct has_key<T, std::void_t<typename T::key_type>> : std::true_type {};

template <class T, class = void> struct has_mapped : std::false_type {};
template <class T> struct has_mapped<T, std::void_t<typename T::mapped_type>> : std::true_type {};

template <class T, class = void> struct is_tuple : std::false_type {};
template <class T> struct is_tuple<T, std::void_t<decltype(std::tuple_size<T>::value)>> : std::true_type {};

template <class T>
inline constexpr bool is_text = std::is_convertible_v<const T &, std::string_view> && !std::is_same_v<T, std::nullptr_t>;
template <class T> inline constexpr bool is_value = std::is_base_of_v<value_view, T>;
template <class T> inline constexpr bool is_map = is_iterable<T>::value && has_mapped<T>::value;
template <class T> inline constexpr bool is_set = is_iterable<T>::value && has_key<T>::value && !has_mapped<T>::value;
template <class T>
inline constexpr bool is_list = is_iterable<T>::value && !has_key<T>::value && !is_text<T> && !is_value<T>;

} // namespace detail

/** A list: elements of one type, in order. */
inline literal list(std::initializer_list<literal> elements)
{
    return detail::elements_of(HCL_KIND_LIST, elements);
}

/** A set: distinct elements of one type. */
inline literal set(std::initializer_list<literal> elements)
{
    return detail::elements_of(HCL_KIND_SET, elements);
}

/** A tuple: elements of any types, in order. */
inline literal tuple(std::initializer_list<literal> elements)
{
    return detail::elements_of(HCL_KIND_TUPLE, elements);
}

/** A map: elements of one type by key. */
inline literal map(std::initializer_list<std::pair<std::string_view, literal>> entries)
{
    return detail::entries_of(HCL_KIND_MAP, entries);
}

/** An object: attributes of any types by name. */
inline literal object(std::initializer_list<std::pair<std::string_view, literal>> attributes)
{
    return detail::entries_of(HCL_KIND_OBJECT, attributes);
}

/** Scalars, texts and values. */
template <class T>
struct writer<T, std::enable_if_t<std::is_arithmetic_v<T> || detail::is_text<T> || detail::is_value<T>>> {
    static literal write(const T &content)
    {
        if constexpr (std::is_same_v<T, bool>)
            return literal::boolean(content);
        else if constexpr (std::is_floating_point_v<T>)
            return literal::f64(static_cast<double>(content));
        else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>)
            return literal::i64(content);
        else if constexpr (std::is_integral_v<T>)
            return literal::u64(content);
        else if constexpr (detail::is_text<T>)
            return literal::string(content);
        else
            return literal::of(content);
    }
};

/** Lists, sets and maps of the standard library and what looks like them. */
template <class T> struct writer<T, std::enable_if_t<detail::is_list<T> || detail::is_set<T> || detail::is_map<T>>> {
    static literal write(const T &content)
    {
        std::vector<std::string> keys;
        std::vector<literal> elements;
        for (const auto &element : content) {
            if constexpr (detail::is_map<T>) {
                keys.emplace_back(element.first);
                elements.emplace_back(element.second);
            } else {
                elements.emplace_back(static_cast<typename T::value_type>(element));
            }
        }
        constexpr std::uint32_t kind =
            detail::is_map<T> ? HCL_KIND_MAP : detail::is_set<T> ? HCL_KIND_SET : HCL_KIND_LIST;
        return literal::container(kind, std::move(keys), std::move(elements));
    }
};

/** `std::pair` and `std::tuple`: tuples. */
template <class T> struct writer<T, std::enable_if_t<detail::is_tuple<T>::value && !detail::is_iterable<T>::value>> {
    static literal write(const T &content)
    {
        return std::apply([](const auto &...element) { return tuple({literal(element)...}); }, content);
    }
};

/** `std::optional`: null when it is empty. */
template <class T> struct writer<std::optional<T>> {
    static literal write(const std::optional<T> &content) { return content ? literal(*content) : literal(nullptr); }
};

template <class T> result<value> value::of(const T &content)
{
    if constexpr (std::is_same_v<T, bool>) return boolean(content);
    else if constexpr (std::is_floating_point_v<T>) return f64(static_cast<double>(content));
    else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) return i64(content);
    else if constexpr (std::is_integral_v<T>) return u64(content);
    else if constexpr (detail::is_text<T>) return string(content);
    else if constexpr (detail::is_value<T>) return content.share();
    else {
        auto made = builder::make();
        if (!made) return made.error();
        if (auto added = literal(content).add_to(*made); !added) return added.error();
        return made->finish();
    }
}

} // namespace hcl

#endif

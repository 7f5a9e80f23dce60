/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * value.hpp - types and values. Include hcl.hpp.
 */
#ifndef LIBHCL_HCL_VALUE_HPP
#define LIBHCL_HCL_VALUE_HPP

#include "result.hpp"

namespace hcl {

class value;

/** A type. */
class type : public handle<hcl_type, hcl_type_free> {
public:
    using handle::handle;
    /** Reads a type expression: `string`, `list(number)`, `object({port = optional(number, 80)})`. */
    static result<type> parse(std::string_view text)
    {
        hcl_type *out = nullptr;
        detail::notes notes(nullptr);
        status code = hcl_type_parse(text.data(), text.size(), &out, notes.out());
        return notes.owned<type>(code, out);
    }
    /** The type as a type expression. */
    result<buffer> text() const
    {
        hcl_buf *out = nullptr;
        status code = hcl_type_text(get(), &out);
        return detail::owned<buffer>(code, out);
    }
    /** Another handle to the same type. */
    result<type> share() const
    {
        hcl_type *out = nullptr;
        status code = hcl_type_ref(get(), &out);
        return detail::owned<type>(code, out);
    }
    friend bool operator==(const type &a, const type &b) noexcept { return hcl_type_equal(a.get(), b.get()); }
    friend bool operator!=(const type &a, const type &b) noexcept { return !(a == b); }
};

/** An element of a map or object; both are borrowed from it. */
struct entry;

/** A mark, and the place of the part that carried it, for example `.users[0].password`; borrowed from the list. */
struct placed_mark {
    /** The place; empty for the value itself. */
    std::string_view path;
    /** The name of the mark. */
    std::string_view name;
};

/** Where marks were that were taken off: `for (hcl::placed_mark m : marks)`. */
class marks : public handle<hcl_marks, hcl_marks_free> {
public:
    using handle::handle;
    /** How many. */
    std::size_t size() const noexcept { return hcl_marks_count(get()); }
    /** True if there is none. */
    bool empty() const noexcept { return size() == 0; }
    /** The mark at an index below `size()`. */
    placed_mark operator[](std::size_t index) const & noexcept { return at(get(), index); }
    void operator[](std::size_t) const && = delete;
    /** The first mark. */
    auto begin() const noexcept { return all().begin(); }
    /** After the last mark. */
    auto end() const noexcept { return all().end(); }

private:
    static placed_mark at(const hcl_marks *list, std::size_t index) noexcept
    {
        hcl_str path = {"", 0}, name = {"", 0};
        if (hcl_marks_at(list, index, &path, &name) != HCL_OK) return {};
        return {detail::view(path), detail::view(name)};
    }
    sequence<const hcl_marks *, placed_mark, at> all() const noexcept { return {get(), size()}; }
};

/**
 * A value, borrowed from its owner; costs a pointer to copy.
 *
 * Functions that read a content answer HCL_ERR_TYPE for a value of another kind, null included, HCL_ERR_UNKNOWN for one
 * that is not known, HCL_ERR_MARKED for one that carries a mark.
 */
class value_view {
public:
    /** No value. */
    value_view() noexcept = default;
    /** A value borrowed from C. */
    value_view(const hcl_value *borrowed) noexcept : value_(borrowed) {}
    /** Not of a value that is gone at the end of the statement; it can be passed to a call. */
    value_view(const value &&) = delete;

    /** The value for a call of C. */
    const hcl_value *get() const noexcept { return value_; }
    /** True if there is a value. */
    explicit operator bool() const noexcept { return value_ != nullptr; }

    /** `HCL_KIND_…`. */
    std::uint32_t kind() const noexcept { return hcl_value_kind(value_); }
    /** The type. */
    result<hcl::type> type() const
    {
        hcl_type *out = nullptr;
        status code = hcl_value_type(value_, &out);
        return detail::owned<hcl::type>(code, out);
    }
    /** True if it is null. */
    bool is_null() const noexcept { return hcl_value_is_null(value_); }
    /** True if it is known; something inside may still be unknown. */
    bool is_known() const noexcept { return hcl_value_is_known(value_); }
    /** True if it and everything inside is known. */
    bool is_wholly_known() const noexcept { return hcl_value_is_wholly_known(value_); }
    /** True if it carries a mark itself. */
    bool is_marked() const noexcept { return hcl_value_is_marked(value_); }
    /** True if it or anything inside carries a mark. */
    bool contains_marks() const noexcept { return hcl_value_contains_marks(value_); }
    /** True if it carries the mark of that name itself. */
    bool has_mark(std::string_view name) const noexcept { return hcl_value_has_mark(value_, name.data(), name.size()); }

    /** The bool. */
    result<bool> as_bool() const
    {
        bool out = false;
        status code = hcl_value_as_bool(value_, &out);
        return detail::plain(code, out);
    }
    /** The whole number. HCL_ERR_RANGE: not whole, or it does not fit. */
    result<std::int64_t> as_i64() const
    {
        std::int64_t out = 0;
        status code = hcl_value_as_i64(value_, &out);
        return detail::plain(code, out);
    }
    /** The whole number. HCL_ERR_RANGE: not whole, negative, or it does not fit. */
    result<std::uint64_t> as_u64() const
    {
        std::uint64_t out = 0;
        status code = hcl_value_as_u64(value_, &out);
        return detail::plain(code, out);
    }
    /** The double nearest to the number; `*exact` tells whether it is that number. */
    result<double> as_f64(bool *exact = nullptr) const
    {
        double out = 0;
        status code = hcl_value_as_f64(value_, &out, exact);
        return detail::plain(code, out);
    }
    /** The number as decimal text, in full. */
    result<buffer> number_text() const
    {
        hcl_buf *out = nullptr;
        status code = hcl_value_number_text(value_, &out);
        return detail::owned<buffer>(code, out);
    }
    /** The text, borrowed. */
    result<std::string_view> as_str() const
    {
        hcl_str out = {"", 0};
        status code = hcl_value_as_str(value_, &out);
        return detail::plain(code, detail::view(out));
    }
    /** The value as a `T`, see convert.hpp: scalars, texts, containers of the standard library. */
    template <class T> result<T> as() const;

    /** The number of elements of a collection, tuple or object. */
    result<std::size_t> len() const
    {
        std::size_t out = 0;
        status code = hcl_value_len(value_, &out);
        return detail::plain(code, out);
    }
    /** The element at an index; no value when there is none. */
    value_view at(std::size_t index) const noexcept { return hcl_value_at(value_, index); }
    /** The element of a map, the attribute of an object; no value when there is none. */
    value_view operator[](std::string_view key) const noexcept { return hcl_value_get(value_, key.data(), key.size()); }
    /** The key of an element of a map or object. */
    result<std::string_view> key_at(std::size_t index) const
    {
        hcl_str out = {"", 0};
        status code = hcl_value_key_at(value_, index, &out);
        return detail::plain(code, detail::view(out));
    }
    /** The elements, for range-for; none for a value that has none or can't be read. */
    auto elements() const noexcept { return sequence<const hcl_value *, value_view, element_at>(value_, count()); }
    /** The elements of a map or object with their keys, for range-for: `for (auto [key, element] : v.entries())`. */
    inline auto entries() const noexcept;

    /** A handle of its own to the same value. Nothing is copied. */
    result<value> share() const;
    /** The value with a mark added. */
    result<value> mark(std::string_view name) const;
    /** The value without any marks, its own or inside; `*where` takes which they were. */
    result<value> unmark_deep(marks *where = nullptr, const limits &most = {}) const;
    /** The value as another type, by HCL's rules. */
    result<value> convert(const hcl::type &to, const limits &most = {}) const;
    /** The answer of HCL's `==`, which may be unknown. */
    result<value> equal(const value_view &other, const limits &most = {}) const;
    /** True if both are equal in type, content, unknowns and marks. */
    bool identical(const value_view &other) const noexcept { return hcl_value_identical(value_, other.value_); }

    /** The order of two numbers, texts or bools: -1, 0 or 1. HCL_ERR_TYPE: of different kinds, or of another one. */
    result<int> compare(const value_view &other) const
    {
        std::int32_t order = 0;
        status code = hcl_value_compare(value_, other.value_, &order);
        return detail::plain(code, static_cast<int>(order));
    }
    /** A number for what the value is: identical values have the same, on every machine. */
    result<std::uint64_t> hash(const limits &most = {}) const
    {
        std::uint64_t number = 0;
        hcl_limits raw = most.raw();
        detail::notes said(nullptr);
        status code = hcl_value_hash(value_, &raw, &number, said.out());
        return said.plain(code, number);
    }
    /** How many marks the value itself carries. */
    std::size_t mark_count() const noexcept { return hcl_value_mark_count(value_); }
    /** The name of one of them, borrowed from the value. */
    std::string_view mark_at(std::size_t index) const noexcept { return detail::view(hcl_value_mark_at(value_, index)); }
    /** The value as text: `HCL_FORMAT_…`; `flags` are `HCL_ENCODE_…`, joined by `|`. */
    result<buffer> encode(std::uint32_t format, std::uint32_t flags = 0, const limits &most = {}) const
    {
        hcl_buf *out = nullptr;
        hcl_limits raw = most.raw();
        detail::notes said(nullptr);
        status code = hcl_value_encode(value_, format, flags, &raw, &out, said.out());
        return said.owned<buffer>(code, out);
    }
    /** The value as JSON. */
    result<buffer> json(std::uint32_t flags = 0, const limits &most = {}) const { return encode(HCL_FORMAT_JSON, flags, most); }
    /** The value as a console shows it. */
    result<buffer> console(std::uint32_t flags = 0, const limits &most = {}) const
    {
        return encode(HCL_FORMAT_CONSOLE, flags, most);
    }

protected:
    const hcl_value *value_ = nullptr;

private:
    static value_view element_at(const hcl_value *of, std::size_t index) noexcept { return hcl_value_at(of, index); }
    static inline entry entry_at(const hcl_value *of, std::size_t index) noexcept;
    std::size_t count() const noexcept
    {
        std::size_t out = 0;
        return hcl_value_len(value_, &out) == HCL_OK ? out : 0;
    }
};

struct entry {
    /** The key, or the name of the attribute. */
    std::string_view key;
    /** The element. */
    value_view element;
};

inline entry value_view::entry_at(const hcl_value *of, std::size_t index) noexcept
{
    hcl_str key = {"", 0};
    if (hcl_value_key_at(of, index, &key) != HCL_OK) return {};
    return {detail::view(key), hcl_value_at(of, index)};
}

inline auto value_view::entries() const noexcept
{
    bool keyed = kind() == HCL_KIND_MAP || kind() == HCL_KIND_OBJECT;
    return sequence<const hcl_value *, entry, entry_at>(value_, keyed ? count() : 0);
}

/** A value that this object owns. It does all that a view does, and can be passed as one. */
class value : public value_view {
public:
    /** No value. */
    value() noexcept = default;
    /** Adopts an owned pointer from C, or null. */
    explicit value(hcl_value *owned) noexcept : value_view(owned), owner_(owned) {}
    value(value &&other) noexcept : value(other.release()) {}
    value &operator=(value &&other) noexcept
    {
        if (this != &other) reset(other.release());
        return *this;
    }
    value(const value &) = delete;
    value &operator=(const value &) = delete;
    ~value() = default;

    /** Gives the value away: the caller owns it now. */
    [[nodiscard]] hcl_value *release() noexcept
    {
        value_ = nullptr;
        return owner_.release();
    }
    /** Releases the value and adopts another one, or none. */
    void reset(hcl_value *owned = nullptr) noexcept
    {
        owner_.reset(owned);
        value_ = owned;
    }

    /** A null of a type, or of no particular one. */
    static result<value> null(const hcl::type &of = hcl::type()) { return make(hcl_value_null, of.get()); }
    /** A value of a type, or of an unknown one, that is not known yet. */
    static result<value> unknown(const hcl::type &of = hcl::type()) { return make(hcl_value_unknown, of.get()); }
    /** `true` or `false`. */
    static result<value> boolean(bool content) { return make(hcl_value_bool, content); }
    /** A whole number. */
    static result<value> i64(std::int64_t content) { return make(hcl_value_i64, content); }
    /** A whole number. */
    static result<value> u64(std::uint64_t content) { return make(hcl_value_u64, content); }
    /** The number that a double is, exactly. HCL_ERR_RANGE: it is not a number. */
    static result<value> f64(double content) { return make(hcl_value_f64, content); }
    /** The number that a decimal text is. HCL_ERR_RANGE: the text is no number. */
    static result<value> number(std::string_view text)
    {
        hcl_value *out = nullptr;
        status code = hcl_value_number(text.data(), text.size(), &out);
        return detail::owned<value>(code, out);
    }
    /** A text. */
    static result<value> string(std::string_view text)
    {
        hcl_value *out = nullptr;
        status code = hcl_value_string(text.data(), text.size(), &out);
        return detail::owned<value>(code, out);
    }
    /** The value of a scalar, a text, a container of the standard library or a `literal`, see literal.hpp. */
    template <class T> static result<value> of(const T &content);

    /** Reads a value from text: `HCL_FORMAT_JSON` or `HCL_FORMAT_TYPED_JSON`; with a type it becomes of that type. */
    static result<value> decode(std::uint32_t format, std::string_view text, const hcl::type &as = hcl::type(),
                                const limits &most = {})
    {
        hcl_value *out = nullptr;
        hcl_limits raw = most.raw();
        detail::notes said(nullptr);
        status code = hcl_value_decode(format, text.data(), text.size(), as.get(), &raw, &out, said.out());
        return said.owned<value>(code, out);
    }
    /** Reads a value from JSON. */
    static result<value> json(std::string_view text, const hcl::type &as = hcl::type(), const limits &most = {})
    {
        return decode(HCL_FORMAT_JSON, text, as, most);
    }
    using value_view::json;

    // A value that is gone at the end of the statement lends nothing.
    result<std::string_view> as_str() const & { return value_view::as_str(); }
    void as_str() const && = delete;
    template <class T> result<T> as() const &;
    template <class T> result<T> as() const &&;
    value_view at(std::size_t index) const & noexcept { return value_view::at(index); }
    void at(std::size_t) const && = delete;
    value_view operator[](std::string_view key) const & noexcept { return value_view::operator[](key); }
    void operator[](std::string_view) const && = delete;
    result<std::string_view> key_at(std::size_t index) const & { return value_view::key_at(index); }
    void key_at(std::size_t) const && = delete;
    auto elements() const & noexcept { return value_view::elements(); }
    void elements() const && = delete;
    auto entries() const & noexcept { return value_view::entries(); }
    void entries() const && = delete;
    std::string_view mark_at(std::size_t index) const & noexcept { return value_view::mark_at(index); }
    void mark_at(std::size_t) const && = delete;

private:
    template <class Function, class Argument> static result<value> make(Function function, Argument argument)
    {
        hcl_value *out = nullptr;
        status code = function(argument, &out);
        return detail::owned<value>(code, out);
    }

    handle<hcl_value, hcl_value_free> owner_;
};

inline result<value> value_view::share() const
{
    hcl_value *out = nullptr;
    status code = hcl_value_ref(value_, &out);
    return detail::owned<value>(code, out);
}

inline result<value> value_view::mark(std::string_view name) const
{
    hcl_value *out = nullptr;
    status code = hcl_value_mark(value_, name.data(), name.size(), &out);
    return detail::owned<value>(code, out);
}

inline result<value> value_view::unmark_deep(marks *where, const limits &most) const
{
    hcl_limits raw = most.raw();
    hcl_value *out = nullptr;
    hcl_marks *taken = nullptr;
    detail::notes said(nullptr);
    status code = hcl_value_unmark_deep(value_, &raw, &out, where != nullptr ? &taken : nullptr, said.out());
    if (where != nullptr) where->reset(taken);
    return said.owned<value>(code, out);
}

inline result<value> value_view::convert(const hcl::type &to, const limits &most) const
{
    hcl_value *out = nullptr;
    hcl_limits raw = most.raw();
    detail::notes said(nullptr);
    status code = hcl_value_convert(value_, to.get(), &raw, &out, said.out());
    return said.owned<value>(code, out);
}

inline result<value> value_view::equal(const value_view &other, const limits &most) const
{
    hcl_value *out = nullptr;
    hcl_limits raw = most.raw();
    detail::notes said(nullptr);
    status code = hcl_value_equal(value_, other.value_, &raw, &out, said.out());
    return said.owned<value>(code, out);
}

/** Builds one value from the outside in, piece by piece. For values that are at hand as a whole, see literal.hpp. */
class builder : public handle<hcl_builder, hcl_builder_free> {
public:
    using handle::handle;
    /** A new, empty builder. */
    static result<builder> make()
    {
        hcl_builder *out = nullptr;
        status code = hcl_builder_new(&out);
        return detail::owned<builder>(code, out);
    }
    /** Opens a container: `HCL_KIND_LIST`, `_SET`, `_MAP`, `_TUPLE` or `_OBJECT`. */
    result<void> begin(std::uint32_t kind) { return detail::done(hcl_builder_begin(get(), kind)); }
    /** The key of the next element of a map or object. */
    result<void> key(std::string_view name) { return detail::done(hcl_builder_key(get(), name.data(), name.size())); }
    /** Closes the container opened last. */
    result<void> end() { return detail::done(hcl_builder_end(get())); }
    /** Adds a value. */
    result<void> add(const value_view &element) { return detail::done(hcl_builder_value(get(), element.get())); }
    /** Adds a null of no particular type. */
    result<void> null() { return detail::done(hcl_builder_null(get())); }
    /** Adds `true` or `false`. */
    result<void> boolean(bool content) { return detail::done(hcl_builder_bool(get(), content)); }
    /** Adds a whole number. */
    result<void> i64(std::int64_t content) { return detail::done(hcl_builder_i64(get(), content)); }
    /** Adds a whole number. */
    result<void> u64(std::uint64_t content) { return detail::done(hcl_builder_u64(get(), content)); }
    /** Adds the number that a decimal text is. HCL_ERR_RANGE: the text is no number. */
    result<void> number(std::string_view text)
    {
        return detail::done(hcl_builder_number(get(), text.data(), text.size()));
    }
    /** Adds the number that a double is. */
    result<void> f64(double content) { return detail::done(hcl_builder_f64(get(), content)); }
    /** Adds a text. */
    result<void> string(std::string_view text)
    {
        return detail::done(hcl_builder_string(get(), text.data(), text.size()));
    }
    /** The finished value; the builder can build the next one. */
    result<value> finish()
    {
        hcl_value *out = nullptr;
        status code = hcl_builder_finish(get(), &out);
        return detail::owned<value>(code, out);
    }
};

} // namespace hcl

#endif

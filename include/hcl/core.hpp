/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * core.hpp - handles, texts and ranges: what the other parts of hcl.hpp are made of. Include hcl.hpp.
 */
#ifndef LIBHCL_HCL_CORE_HPP
#define LIBHCL_HCL_CORE_HPP

#include "../hcl.h"

#if __cplusplus < 201703L && !(defined(_MSVC_LANG) && _MSVC_LANG >= 201703L)
#    error "hcl.hpp needs C++17 or later: -std=c++17"
#endif

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#if !defined(HCL_NO_EXCEPTIONS) && !defined(__cpp_exceptions)
/** Defined: `value()` on a failure ends the process, and nothing in these headers throws or catches. */
#    define HCL_NO_EXCEPTIONS 1
#endif

namespace hcl {

/** The outcome of a call, `HCL_OK` or `HCL_ERR_…`. */
using status = ::hcl_status;
/** A place in a source text. */
using pos = ::hcl_pos;
/** A piece of a source text. */
using range = ::hcl_range;

template <class T> class result;

/** Why a place in a call is not an argument: for `call::fail`. */
inline constexpr std::size_t no_argument = HCL_NO_ARGUMENT;

namespace detail {

/** The borrowed text of an `hcl_str`. */
inline std::string_view view(hcl_str text) noexcept
{
    return {text.ptr, text.len};
}

/** A text for a field of a public struct. */
inline hcl_str str(std::string_view text) noexcept
{
    return {text.data(), text.size()};
}

/** A public struct of C, zero but for its size. */
template <class Struct> Struct sized() noexcept
{
    Struct made = {};
    made.size = sizeof made;
    return made;
}

/** A mistake of the program that leaves nothing to return: the process ends. */
[[noreturn]] inline void misuse() noexcept
{
    std::abort();
}

} // namespace detail

/** Sole owner of a C object; the base of all handles that free themselves. */
template <class Object, void (*Free)(Object *)> class handle {
public:
    /** An empty handle. */
    handle() noexcept = default;
    /** Adopts an owned pointer from C, or null. */
    explicit handle(Object *owned) noexcept : object_(owned) {}
    handle(handle &&other) noexcept : object_(other.release()) {}
    handle &operator=(handle &&other) noexcept
    {
        if (this != &other) reset(other.release());
        return *this;
    }
    handle(const handle &) = delete;
    handle &operator=(const handle &) = delete;
    ~handle() { Free(object_); }

    /** The object for a call of C; still owned by this handle. */
    Object *get() const noexcept { return object_; }
    /** True if there is an object. */
    explicit operator bool() const noexcept { return object_ != nullptr; }
    /** Gives the object away: the caller owns it now. */
    [[nodiscard]] Object *release() noexcept { return std::exchange(object_, nullptr); }
    /** Releases the object and adopts another one, or none. */
    void reset(Object *owned = nullptr) noexcept { Free(std::exchange(object_, owned)); }

private:
    Object *object_ = nullptr;
};

/** A view that owns what it looks at: it does all that the view does, and can be passed as one. */
template <class View, class Object, void (*Free)(Object *)> class owner : public View {
public:
    /** Nothing. */
    owner() noexcept = default;
    /** Adopts an owned pointer from C, or null. */
    explicit owner(Object *owned) noexcept : View(owned), owned_(owned) {}
    owner(owner &&other) noexcept : owner(other.release()) {}
    owner &operator=(owner &&other) noexcept
    {
        if (this != &other) reset(other.release());
        return *this;
    }
    owner(const owner &) = delete;
    owner &operator=(const owner &) = delete;
    ~owner() = default;

    /** Gives the object away: the caller owns it now. */
    [[nodiscard]] Object *release() noexcept
    {
        static_cast<View &>(*this) = View();
        return owned_.release();
    }
    /** Releases the object and adopts another one, or none. */
    void reset(Object *owned = nullptr) noexcept
    {
        owned_.reset(owned);
        static_cast<View &>(*this) = View(owned);
    }

private:
    handle<Object, Free> owned_;
};

/**
 * An object with elements by index, for `for (auto element : …)`. Elements are made when they are looked at; the range is
 * good as long as what it came from.
 */
template <class Owner, class Element, Element (*At)(Owner, std::size_t)> class sequence {
public:
    /** Walks over a sequence, to any of its elements. */
    class iterator {
    public:
        /** For C++20, where elements that are made when they are looked at are no hindrance. */
        using iterator_concept = std::random_access_iterator_tag;
        using iterator_category = std::input_iterator_tag;
        using value_type = Element;
        using difference_type = std::ptrdiff_t;
        using pointer = void;
        using reference = Element;

        iterator() noexcept = default;
        iterator(Owner owner, std::size_t index) noexcept : owner_(owner), index_(index) {}
        Element operator*() const { return At(owner_, index_); }
        Element operator[](difference_type by) const { return *(*this + by); }
        iterator &operator++() noexcept { return *this += 1; }
        iterator operator++(int) noexcept { return std::exchange(*this, *this + 1); }
        iterator &operator--() noexcept { return *this -= 1; }
        iterator operator--(int) noexcept { return std::exchange(*this, *this - 1); }
        iterator &operator+=(difference_type by) noexcept
        {
            index_ += static_cast<std::size_t>(by);
            return *this;
        }
        iterator &operator-=(difference_type by) noexcept
        {
            index_ -= static_cast<std::size_t>(by);
            return *this;
        }
        friend iterator operator+(iterator at, difference_type by) noexcept { return at += by; }
        friend iterator operator+(difference_type by, iterator at) noexcept { return at += by; }
        friend iterator operator-(iterator at, difference_type by) noexcept { return at -= by; }
        friend difference_type operator-(const iterator &a, const iterator &b) noexcept
        {
            return static_cast<difference_type>(a.index_) - static_cast<difference_type>(b.index_);
        }
        friend bool operator==(const iterator &a, const iterator &b) noexcept { return a.index_ == b.index_; }
        friend bool operator!=(const iterator &a, const iterator &b) noexcept { return a.index_ != b.index_; }
        friend bool operator<(const iterator &a, const iterator &b) noexcept { return a.index_ < b.index_; }
        friend bool operator>(const iterator &a, const iterator &b) noexcept { return b < a; }
        friend bool operator<=(const iterator &a, const iterator &b) noexcept { return !(b < a); }
        friend bool operator>=(const iterator &a, const iterator &b) noexcept { return !(a < b); }

    private:
        Owner owner_{};
        std::size_t index_ = 0;
    };

    sequence(Owner owner, std::size_t count) noexcept : owner_(owner), count_(count) {}
    /** The first element. */
    iterator begin() const noexcept { return {owner_, 0}; }
    /** After the last element. */
    iterator end() const noexcept { return {owner_, count_}; }
    /** How many elements. */
    std::size_t size() const noexcept { return count_; }
    /** True if there is none. */
    bool empty() const noexcept { return count_ == 0; }
    /** The element at an index below `size()`. */
    Element operator[](std::size_t index) const { return At(owner_, index); }

private:
    Owner owner_;
    std::size_t count_;
};

/** Owned text; a NUL byte follows its last byte. Of one that is gone at the end of the statement `str()` gives a copy. */
class buffer : public handle<hcl_buf, hcl_buf_free> {
public:
    using handle::handle;
    /** The text, borrowed. */
    std::string_view view() const & noexcept { return detail::view(hcl_buf_str(get())); }
    void view() const && = delete;
    /** The text for C, borrowed. */
    const char *c_str() const & noexcept { return hcl_buf_str(get()).ptr; }
    void c_str() const && = delete;
    /** A copy of the text. */
    std::string str() const { return std::string(view()); }
    operator std::string_view() const & noexcept { return view(); }
    operator std::string_view() const && = delete;
};

/** The name of a status, for example `HCL_ERR_TYPE`. */
inline std::string_view status_name(status code) noexcept
{
    return detail::view(hcl_status_name(static_cast<std::int32_t>(code)));
}

/** Why the last call of C on this thread that did not succeed failed; see `hcl_status_detail`. */
inline std::string_view status_detail() noexcept
{
    return detail::view(hcl_status_detail());
}

/** The version of the loaded library, in the form of `HCL_VERSION`. */
inline std::uint32_t version() noexcept
{
    return hcl_version();
}

/** The name and version of the loaded library, for example `libhcl 0.1.0`. */
inline std::string_view version_string() noexcept
{
    return detail::view(hcl_version_string());
}

/** True if this program, compiled with the header of `HCL_VERSION`, may use the loaded library. */
inline bool compatible() noexcept
{
    return hcl_compatible(HCL_VERSION);
}

} // namespace hcl

#if defined(__cpp_lib_ranges)
/** A sequence points into what it came from, which outlives it. */
template <class Owner, class Element, Element (*At)(Owner, std::size_t)>
inline constexpr bool std::ranges::enable_borrowed_range<hcl::sequence<Owner, Element, At>> = true;
#endif

#endif

/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * rows.hpp - one program for many rows in one call:
 *
 *     hcl::rows results = program.eval_rows(frame, {method, size}, {"GET", 5000, "PUT", 12}, 2).value();
 *     for (const hcl::cell &result : results) …
 *
 * Include hcl.hpp.
 */
#ifndef LIBHCL_HCL_ROWS_HPP
#define LIBHCL_HCL_ROWS_HPP

#include "convert.hpp"

namespace hcl {

/** A value of a row. Scalars are in it, texts and values are borrowed. */
class cell {
public:
    /** Nothing: as an argument it leaves the slot empty. */
    cell() noexcept = default;
    /** Null. */
    cell(std::nullptr_t) noexcept { raw_.kind = HCL_CELL_NULL; }
    /** A scalar, a text or a value. */
    template <class T, class = std::enable_if_t<std::is_arithmetic_v<T> || detail::is_text<T> || detail::is_value<T>>>
    cell(const T &content) noexcept
    {
        if constexpr (std::is_same_v<T, bool>) {
            raw_.kind = HCL_CELL_BOOL;
            raw_.payload.boolean = content ? 1 : 0;
        } else if constexpr (std::is_floating_point_v<T>) {
            raw_.kind = HCL_CELL_F64;
            raw_.payload.number = static_cast<double>(content);
        } else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
            raw_.kind = HCL_CELL_I64;
            raw_.payload.integer = content;
        } else if constexpr (std::is_integral_v<T>) {
            raw_.kind = HCL_CELL_U64;
            raw_.payload.natural = content;
        } else if constexpr (detail::is_text<T>) {
            raw_.kind = HCL_CELL_STR;
            raw_.payload.text = detail::str(content);
        } else {
            raw_.kind = HCL_CELL_VALUE;
            raw_.payload.value = content.get();
        }
    }

    /** `HCL_CELL_…`. */
    std::uint32_t kind() const noexcept { return raw_.kind; }
    /** True if the row failed. */
    bool is_error() const noexcept { return raw_.kind == HCL_CELL_ERROR; }
    /** True if the result is null. */
    bool is_null() const noexcept { return raw_.kind == HCL_CELL_NULL; }
    /** The cell as C has it. */
    const hcl_cell &raw() const noexcept { return raw_; }
    /** The result as a `T`: scalars and texts without a detour. HCL_ERR_DIAGNOSTICS: the row failed. */
    template <class T> result<T> as() const
    {
        switch (raw_.kind) {
        case HCL_CELL_BOOL:
            if constexpr (std::is_same_v<T, bool>) return raw_.payload.boolean != 0;
            else return read<T>(value::boolean(raw_.payload.boolean != 0));
        case HCL_CELL_I64:
            if constexpr (std::is_same_v<T, std::int64_t>) return raw_.payload.integer;
            else return read<T>(value::i64(raw_.payload.integer));
        case HCL_CELL_U64:
            return read<T>(value::u64(raw_.payload.natural));
        case HCL_CELL_F64:
            if constexpr (std::is_same_v<T, double>) return raw_.payload.number;
            else return read<T>(value::f64(raw_.payload.number));
        case HCL_CELL_STR:
            if constexpr (std::is_same_v<T, std::string_view>) return detail::view(raw_.payload.text);
            else return read<T>(value::string(detail::view(raw_.payload.text)));
        case HCL_CELL_NULL:
            return read<T>(value::null());
        case HCL_CELL_VALUE:
            return value_view(raw_.payload.value).as<T>();
        case HCL_CELL_ERROR:
            return error(HCL_ERR_DIAGNOSTICS);
        default:
            return error(HCL_ERR_TYPE);
        }
    }

private:
    template <class T> static result<T> read(const result<value> &from)
    {
        if constexpr (std::is_same_v<T, std::string_view> || std::is_same_v<T, value_view>) {
            return error(from ? HCL_ERR_TYPE : from.code()); // nothing is there to borrow it from
        } else {
            if (!from) return from.error();
            return from->template as<T>();
        }
    }

    hcl_cell raw_ = {};
};

/** One result for each row. Texts and values in it live as long as this. */
class rows {
public:
    rows(std::vector<cell> results, buffer texts, diagnostics said)
        : results_(std::move(results)), texts_(std::move(texts)), said_(std::move(said))
    {
    }
    /** How many rows. */
    std::size_t size() const noexcept { return results_.size(); }
    /** The result of a row below `size()`. */
    const cell &operator[](std::size_t row) const & noexcept { return results_[row]; }
    void operator[](std::size_t) const && = delete;
    /** The result of the first row. */
    auto begin() const noexcept { return results_.begin(); }
    /** After the result of the last row. */
    auto end() const noexcept { return results_.end(); }
    /** The diagnostics of the rows that failed, and of others. */
    const diagnostics &diags() const & noexcept { return said_; }
    void diags() const && = delete;
    /** The first diagnostic of a row that failed; none when so many failed that it was not kept. */
    void why(std::size_t) const && = delete;
    std::optional<diagnostic> why(std::size_t row) const & noexcept
    {
        if (!results_[row].is_error()) return std::nullopt;
        std::size_t index = results_[row].raw().payload.index;
        if (index >= said_.size()) return std::nullopt;
        return said_[index];
    }

private:
    std::vector<cell> results_;
    buffer texts_;
    diagnostics said_;
};

static_assert(sizeof(cell) == sizeof(hcl_cell) && std::is_standard_layout_v<cell>);

} // namespace hcl

#endif

/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * document.hpp - texts of native syntax that are edited in place, or written from scratch. Include hcl.hpp.
 */
#ifndef LIBHCL_HCL_DOCUMENT_HPP
#define LIBHCL_HCL_DOCUMENT_HPP

#include "syntax.hpp"
#include "value.hpp"

#include <initializer_list>

namespace hcl {

/** An address of names as they are, whatever is in them: `hcl::address({"service", "eu.west", "port"})`. */
inline std::string address(std::initializer_list<std::string_view> names)
{
    std::string text;
    for (std::string_view name : names) {
        if (!text.empty()) text += '.';
        if (name.empty()) text += "\"\"";
        for (char c : name) {
            // A character that would end the name, or mean more than itself, stands behind a backslash.
            if (c == '.' || c == '[' || c == ']' || c == '"' || c == '\\' || c == '*' || (c >= 0 && c <= ' ')) text += '\\';
            text += c;
        }
    }
    return text;
}

/** A text of native syntax that can be edited. An edit that fails changes nothing; the rest of the text stays byte for byte. */
class document : public handle<hcl_document, hcl_document_free> {
public:
    using handle::handle;
    /** An empty document. */
    static result<document> make(std::string_view name = "document")
    {
        hcl_document *out = nullptr;
        detail::notes notes(nullptr);
        status code = hcl_document_new(name.data(), name.size(), &out, notes.out());
        return notes.owned<document>(code, out);
    }
    /** A document with a text. The limits, the timeout, which starts anew, and the switch hold for each later call on it, too. */
    static result<document> parse(std::string_view name, std::string_view source, const parse_options &options = {})
    {
        hcl_document *out = nullptr;
        hcl_parse_opts raw = options.raw();
        detail::notes notes(options.notes);
        status code = hcl_document_parse(name.data(), name.size(), source.data(), source.size(), &raw, &out, notes.out());
        return notes.owned<document>(code, out);
    }

    /** The text as it is now; borrowed until the document is changed. */
    std::string_view text() const & noexcept { return detail::view(hcl_document_text(get())); }
    void text() const && = delete;
    /** The items of a block or an object, or of the document: a tuple of objects with `address`, `kind`, `name`, `labels`. */
    result<value> list(std::string_view container = {}) const { return read(hcl_document_list, container); }
    /** The source texts of everything that an address names: a list of strings. */
    result<value> source(std::string_view address) const { return read(hcl_document_get, address); }
    /** The comments of one item: an object with the lists `lead` and `line`. */
    result<value> comments(std::string_view address) const { return read(hcl_document_comments, address); }

    /** Sets an attribute, a key or an element to an expression; `flags` are `HCL_EDIT_ALL`, `HCL_EDIT_CREATE`. */
    result<void> set(std::string_view address, std::string_view expression, std::uint32_t flags = 0)
    {
        detail::notes notes(nullptr);
        return notes.done(hcl_document_set(get(), address.data(), address.size(), expression.data(), expression.size(), flags,
                                           notes.out()));
    }
    /** Sets a value. */
    result<void> set_value(std::string_view address, const value_view &to, std::uint32_t flags = 0)
    {
        detail::notes notes(nullptr);
        return notes.done(hcl_document_set_value(get(), address.data(), address.size(), to.get(), flags, notes.out()));
    }
    /** Adds attributes and blocks, written out, at the end of a block or of the document. */
    result<void> append(std::string_view text, std::string_view container = {})
    {
        detail::notes notes(nullptr);
        return notes.done(
            hcl_document_append(get(), container.data(), container.size(), text.data(), text.size(), notes.out()));
    }
    /** Adds a block with the attributes of an object; `flags` are `HCL_EDIT_ALL`, `HCL_EDIT_CLOSE`. */
    result<void> append_block(std::string_view type, const std::vector<std::string_view> &labels = {},
                              value_view body = value_view(), std::string_view container = {}, std::uint32_t flags = 0)
    {
        std::vector<hcl_str> raw = strings(labels);
        detail::notes notes(nullptr);
        return notes.done(hcl_document_append_block(get(), container.data(), container.size(), type.data(), type.size(),
                                                    raw.data(), raw.size(), body.get(), flags, notes.out()));
    }
    /** Puts attributes and blocks beside an item: `HCL_SIDE_BEFORE` or `HCL_SIDE_AFTER`. */
    result<void> insert(std::string_view address, std::uint32_t place, std::string_view text)
    {
        detail::notes notes(nullptr);
        return notes.done(
            hcl_document_insert(get(), address.data(), address.size(), place, text.data(), text.size(), notes.out()));
    }
    /** Moves one item with its comments: beside another, or into a block or the document (`HCL_SIDE_INTO`). */
    result<void> move(std::string_view address, std::uint32_t place, std::string_view to = {})
    {
        detail::notes notes(nullptr);
        return notes.done(
            hcl_document_move(get(), address.data(), address.size(), to.data(), to.size(), place, notes.out()));
    }
    /** Gives what one address names another one. */
    result<void> move_to(std::string_view address, std::string_view to, std::uint32_t flags = 0)
    {
        detail::notes notes(nullptr);
        return notes.done(
            hcl_document_move_to(get(), address.data(), address.size(), to.data(), to.size(), flags, notes.out()));
    }
    /** Removes what an address names; gives how many there were. */
    result<std::size_t> remove(std::string_view address, std::uint32_t flags = 0)
    {
        std::size_t n = 0;
        detail::notes notes(nullptr);
        status code = hcl_document_remove(get(), address.data(), address.size(), flags, &n, notes.out());
        return notes.plain(code, n);
    }
    /** Gives attributes or keys another name, or blocks another type. */
    result<void> rename(std::string_view address, std::string_view name, std::uint32_t flags = 0)
    {
        detail::notes notes(nullptr);
        return notes.done(
            hcl_document_rename(get(), address.data(), address.size(), name.data(), name.size(), flags, notes.out()));
    }
    /** Gives blocks other labels. */
    result<void> relabel(std::string_view address, const std::vector<std::string_view> &labels, std::uint32_t flags = 0)
    {
        std::vector<hcl_str> raw = strings(labels);
        detail::notes notes(nullptr);
        return notes.done(
            hcl_document_relabel(get(), address.data(), address.size(), raw.data(), raw.size(), flags, notes.out()));
    }
    /** Gives items other comments: `HCL_COMMENT_LEAD` or `HCL_COMMENT_LINE`. */
    result<void> set_comment(std::string_view address, std::uint32_t which, std::string_view comment, std::uint32_t flags = 0)
    {
        detail::notes notes(nullptr);
        return notes.done(hcl_document_set_comment(get(), address.data(), address.size(), which, comment.data(),
                                                   comment.size(), flags, notes.out()));
    }
    /** Renames references in all expressions; gives how many there were. */
    result<std::size_t> rename_references(std::string_view from, std::string_view to)
    {
        std::size_t n = 0;
        detail::notes notes(nullptr);
        status code =
            hcl_document_rename_references(get(), from.data(), from.size(), to.data(), to.size(), &n, notes.out());
        return notes.plain(code, n);
    }
    /** Writes all of the document in its canonical form. */
    result<void> format()
    {
        detail::notes notes(nullptr);
        return notes.done(hcl_document_format(get(), notes.out()));
    }

private:
    result<value> read(hcl_status (*function)(const hcl_document *, const char *, std::size_t, hcl_value **, hcl_diags **),
                       std::string_view address) const
    {
        hcl_value *out = nullptr;
        detail::notes notes(nullptr);
        status code = function(get(), address.data(), address.size(), &out, notes.out());
        return notes.owned<value>(code, out);
    }
    static std::vector<hcl_str> strings(const std::vector<std::string_view> &texts)
    {
        std::vector<hcl_str> raw;
        for (std::string_view text : texts) raw.push_back(detail::str(text));
        return raw;
    }
};

} // namespace hcl

#endif

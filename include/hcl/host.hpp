/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * host.hpp - what functions such as `file` and `timestamp` may ask of the outside world. Include hcl.hpp.
 */
#ifndef LIBHCL_HCL_HOST_HPP
#define LIBHCL_HCL_HOST_HPP

#include "evaluate.hpp"

#include <chrono>

namespace hcl {

/** An entry of a folder. */
struct directory_entry {
    /** Its name. */
    std::string name;
    /** `HCL_FILE_…`. */
    std::uint32_t kind = HCL_FILE_REGULAR;
};

/**
 * The outside world as functions. What is left out is not allowed. A question that has no answer fails with
 * `hcl::error`: HCL_ERR_NOT_FOUND if there is no such thing, HCL_ERR_LIMIT if it is more than `most`, HCL_ERR_UNSUPPORTED
 * if it is not allowed, HCL_ERR_UNKNOWN if it will be known only later; its message is shown after a colon. The
 * functions must answer any number of threads at once if `threaded` says so.
 */
struct world {
    /** The content of a regular file, at most `most` bytes. */
    callback<result<std::string>(std::string_view path, std::uint64_t most)> read_file = {};
    /** The kind of file at a path, links followed: `HCL_FILE_…`. */
    callback<result<std::uint32_t>(std::string_view path)> file_kind = {};
    /** The entries of a folder, at most `most`, in any order. */
    callback<result<std::vector<directory_entry>>(std::string_view path, std::uint64_t most)> list_directory = {};
    /** The absolute path that relative paths start from. */
    callback<result<std::string>()> working_directory = {};
    /** The user's home folder. */
    callback<result<std::string>()> home_directory = {};
    /** An environment variable. */
    callback<result<std::string>(std::string_view name)> environment_variable = {};
    /** The time. */
    callback<result<std::chrono::system_clock::time_point>()> now = {};
    /** The time at which the run began; without it `now` is asked. */
    callback<result<std::chrono::system_clock::time_point>()> start_time = {};
    /** So many random bytes. */
    callback<result<std::string>(std::uint64_t count)> random_bytes = {};
    /** Asks a remote store for a function that needs one: reads arguments and sets the result of the call. */
    callback<result<void>(std::string_view function, call &now)> store = {};
    /** True if several threads may ask at once. Without it the library asks one question at a time. */
    bool threaded = false;
};

/** How much of the real world a host opens. */
struct system_options {
    /** `HCL_ALLOW_…`, joined by `|`. */
    std::uint32_t flags = 0;
    /** Folders whose files may be read. They must be there. */
    std::vector<std::string> folders = {};
    /** The absolute path that relative paths start from; empty for the working directory of now. */
    std::string start = {};
};

namespace detail {

/** The callbacks that a `world` stands behind. */
struct world_calls {
    static std::int32_t say(hcl_answer *answer, const error &why)
    {
        if (why.is_explained() && hcl_answer_fail_with(answer, why.diags().get()) != HCL_OK) {
            std::string text = why.message();
            (void)hcl_answer_fail(answer, text.data(), text.size());
        }
        return static_cast<std::int32_t>(why.code());
    }
    static std::int32_t tell(hcl_answer *answer, const result<std::string> &bytes)
    {
        if (!bytes) return say(answer, bytes.error());
        return static_cast<std::int32_t>(hcl_answer_bytes(answer, bytes->data(), bytes->size()));
    }
    static std::int32_t tell(hcl_answer *answer, const result<std::uint32_t> &kind)
    {
        if (!kind) return say(answer, kind.error());
        return static_cast<std::int32_t>(hcl_answer_kind(answer, *kind));
    }
    static std::int32_t tell(hcl_answer *answer, const result<std::vector<directory_entry>> &entries)
    {
        if (!entries) return say(answer, entries.error());
        for (const directory_entry &entry : *entries) {
            status code = hcl_answer_entry(answer, entry.name.data(), entry.name.size(), entry.kind);
            if (code != HCL_OK) return static_cast<std::int32_t>(code);
        }
        return 0;
    }
    static std::int32_t tell(hcl_answer *answer, const result<std::chrono::system_clock::time_point> &time)
    {
        if (!time) return say(answer, time.error());
        auto since = time->time_since_epoch();
        auto seconds = std::chrono::duration_cast<std::chrono::seconds>(since);
        std::chrono::nanoseconds rest = since % std::chrono::seconds(1);
        /* std::chrono::floor overflows at the earliest time. */
        if (rest.count() < 0) {
            seconds -= std::chrono::seconds(1);
            rest += std::chrono::seconds(1);
        }
        return static_cast<std::int32_t>(
            hcl_answer_time(answer, static_cast<std::int64_t>(seconds.count()), static_cast<std::uint32_t>(rest.count())));
    }

    /** Asks one of the functions, and keeps what it throws on this side. */
    template <class Ask> static std::int32_t guarded(hcl_answer *answer, const Ask &ask) noexcept
    {
#ifdef HCL_NO_EXCEPTIONS
        return tell(answer, ask());
#else
        try {
            return tell(answer, ask());
        } catch (const std::exception &thrown) {
            (void)hcl_answer_fail(answer, thrown.what(), HCL_NUL);
        } catch (...) {
            (void)hcl_answer_fail(answer, "the host threw what is no std::exception", HCL_NUL);
        }
        return static_cast<std::int32_t>(HCL_ERR_CALLBACK);
#endif
    }

    template <auto Member>
    static std::int32_t ask(void *user, hcl_str what, std::uint64_t most, hcl_answer *answer) noexcept
    {
        const auto &function = static_cast<const world *>(user)->*Member;
        return guarded(answer, [&] {
            using asked = std::decay_t<decltype(function)>;
            if constexpr (std::is_invocable_v<asked, std::string_view, std::uint64_t>) return function(view(what), most);
            else if constexpr (std::is_invocable_v<asked, std::string_view>) return function(view(what));
            else if constexpr (std::is_invocable_v<asked, std::uint64_t>) return function(most);
            else return function();
        });
    }
    static std::int32_t ask_store(void *user, hcl_str name, hcl_call *raw) noexcept
    {
        call now(raw);
        return detail::guarded(now, [&]() -> result<void> {
            result<void> done = static_cast<const world *>(user)->store(view(name), now);
            if (!done) return now.fail(done.error().message());
            return done;
        });
    }
    static void drop(void *user) noexcept { delete static_cast<world *>(user); }
};

} // namespace detail

/** The outside world of functions; for any number of threads. Give it to a frame with `set_host`. */
class host : public handle<hcl_host, hcl_host_free> {
public:
    using handle::handle;
    /** A host that asks functions. */
    static result<host> make(world asked)
    {
        using calls = detail::world_calls;
        hcl_host_callbacks raw = detail::sized<hcl_host_callbacks>();
        raw.flags = asked.threaded ? HCL_HOST_THREADED : 0;
        if (asked.read_file) raw.read_file = calls::ask<&world::read_file>;
        if (asked.file_kind) raw.file_kind = calls::ask<&world::file_kind>;
        if (asked.list_directory) raw.list_directory = calls::ask<&world::list_directory>;
        if (asked.working_directory) raw.working_directory = calls::ask<&world::working_directory>;
        if (asked.home_directory) raw.home_directory = calls::ask<&world::home_directory>;
        if (asked.environment_variable) raw.environment_variable = calls::ask<&world::environment_variable>;
        if (asked.now) raw.now = calls::ask<&world::now>;
        if (asked.start_time) raw.start_time = calls::ask<&world::start_time>;
        if (asked.random_bytes) raw.random_bytes = calls::ask<&world::random_bytes>;
        if (asked.store) raw.store = calls::ask_store;
        raw.user = new world(std::move(asked));
        raw.drop_user = calls::drop;
        hcl_host *out = nullptr;
        status code = hcl_host_new(&raw, &out);
        return detail::owned<host>(code, out);
    }
    /** A host that opens as much of the real world as it is told to. */
    static result<host> system(const system_options &options)
    {
        std::vector<hcl_str> folders;
        for (const std::string &folder : options.folders) folders.push_back(detail::str(folder));
        hcl_host_opts raw = detail::sized<hcl_host_opts>();
        raw.flags = options.flags;
        raw.folders = folders.data();
        raw.n_folders = folders.size();
        raw.start = detail::str(options.start);
        hcl_host *out = nullptr;
        detail::notes notes(nullptr);
        status code = hcl_host_system(&raw, &out, notes.out());
        return notes.owned<host>(code, out);
    }
    /** Another handle to the same host. */
    result<host> share() const
    {
        hcl_host *out = nullptr;
        status code = hcl_host_ref(get(), &out);
        return detail::owned<host>(code, out);
    }
};

inline result<void> frame::set_host(const host &world)
{
    if (!world) return error(HCL_ERR_ARGUMENT, "world is an empty handle.");
    return detail::done(hcl_frame_set_host(get(), world.get()));
}

} // namespace hcl

#endif

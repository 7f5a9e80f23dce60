/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * hcl.h - libhcl: HashiCorp's configuration language for C programs.
 * An independent implementation, not affiliated with HashiCorp.
 *
 * This file is generated from the sources of hcl-ffi by cbindgen; a test keeps it so.
 *
 * THE FIRST FIVE MINUTES
 *
 *     #include <hcl.h>
 *     #include <stdio.h>
 *     int main(void)
 *     {
 *         hcl_buf *out = NULL;
 *         hcl_diags *diags = NULL;
 *         if (hcl_evaluate("upper(name)", HCL_NUL, "{\"name\": \"ann\"}", HCL_NUL, NULL, &out, &diags) != HCL_OK)
 *             hcl_diags_render(diags, NULL, &out);
 *         puts(hcl_buf_str(out).ptr);
 *         hcl_buf_free(out);
 *         hcl_diags_free(diags);
 *     }
 *
 * It prints "ANN"; with a mistake in the text it prints what is wrong, with the line. Build it with
 * `cc program.c $(pkg-config --cflags --libs hcl)`, with `-Wl,-rpath,PREFIX/lib`
 * where PREFIX is none of the system's folders.
 *
 * CONTENTS
 *
 *   1  The first five minutes
 *   2  Texts
 *   3  Diagnostics
 *   4  Parsing
 *   5  Expressions
 *   6  Scopes
 *   7  Programs
 *   8  Evaluation
 *   9  Values
 *  10  Elements of values
 *  11  Values as text
 *  12  Building values
 *  13  Types
 *  14  Comparing and converting values
 *  15  Bodies
 *  16  Reading by schema
 *  17  Decoding by specification
 *  18  Dynamic blocks
 *  19  Functions of the host
 *  20  Variables looked up when needed
 *  21  Limits and cancelling
 *  22  The outside world
 *  23  Marks
 *  24  References and names
 *  25  Static forms
 *  26  Definitions that refer to each other
 *  27  The library of functions
 *  28  Evaluation by rows
 *  29  Rules over tables
 *  30  Explaining results
 *  31  Formatting and conversion
 *  32  Documents
 *  33  Modules
 *  34  Version and status
 *
 * RULES THAT HOLD FOR ALL FUNCTIONS
 *
 * Owned or borrowed. What comes through a parameter of type `hcl_x **` is owned by the caller, who releases it with
 * `hcl_x_free`. What a function returns is borrowed from its first argument and lives as long as that; so does the
 * text in an `hcl_str`, also one that comes through a parameter, unless the function says what else it is borrowed from
 * (`hcl_eval_str`: from the frame). No call consumes its arguments. `hcl_x_free(NULL)` does nothing.
 *
 * Threads. A function that takes `const hcl_x *` may run while other such functions use the same object. One that
 * takes `hcl_x *` needs the object for itself. Objects may move between threads; nothing is tied to a thread but the text of
 * `hcl_status_detail`.
 *
 * Results. Fallible functions return a status; `HCL_OK` is 0. An out parameter is written only with `HCL_OK`. The
 * exceptions are results that flags such as HCL_PARSE_PARTIAL ask for also when there are errors, and `diags`: unless
 * it is null it is always overwritten (null if there are no diagnostics); the previous list is not freed. So release
 * what a call gave before the same variable is passed again: a call that worked may have given warnings, and one that
 * failed has given a reason at least, whatever its status. A null pointer where an object is needed gives
 * HCL_ERR_ARGUMENT, or the empty answer that is documented. `hcl_status_detail` names the argument.
 *
 * Texts coming in are a pointer and a length in bytes, UTF-8; NUL bytes may occur. `HCL_NUL` as the length, also of
 * an `hcl_str`, means that the text ends with a NUL byte. With length 0 the pointer is not looked at. Texts are copied
 * where they are kept. Names and messages that only people read, such as the name of a file or why a call of the host failed,
 * need not be UTF-8: what is none is shown as U+FFFD. Names that something is found by must be.
 *
 * Parameters stand in one order: the object, what goes in, options (flags, limits, structs of options), what comes out, `diags`.
 *
 * Structs that may grow begin with `size`, which the caller sets to `sizeof` the struct; zero everything else first,
 * with `= {0}` or `memset`, so that a program keeps working with a later library. Reserved fields are zero, and flags that
 * the library does not know are refused with HCL_ERR_ARGUMENT.
 *
 * Deprecation. What is going to be removed is marked HCL_DEPRECATED with what takes its place, so that compilers warn of its
 * use, and is named in CHANGELOG.md. It works for one more release, 0.y or later 1.y, and is gone in the one after that.
 *
 * Failures inside. A defect of the library gives HCL_ERR_INTERNAL, never a crash: the objects of that call can then
 * only be released, everything else goes on.
 *
 * The library opens no files, reads no environment variables, clock or random numbers, unless an evaluation was given
 * a host that allows it (`hcl_host`); only a timeout makes it look at how long a call takes. It starts no threads,
 * installs no signal handlers, has no initialisation and prints nothing. Callbacks run on the calling thread inside the
 * call that makes them necessary.
 *
 * Memory. An evaluation never holds more than 1.25 times its max_memory plus 1 MiB of the allocator. What it holds is what it
 * has asked for since the call began and not given back, its result included; what was there before does not count, such as the
 * file that is decoded and its specification. Evaluations are all calls that take a frame or `hcl_limits`: decoding, reading and
 * conversion of bodies, and those on a module that is loaded (`hcl_module_eval` to `hcl_module_check`), for which also counts
 * what the module keeps of them for later calls. What a callback makes itself counts when the callback has returned, so that an
 * evaluation may pass its limit by four times the values of one callback, and `hcl_eval_rows` by four times the longest text in
 * its cells. Parsing, compiling, formatting, edits of documents, rendering of diagnostics and reading of specifications have no
 * such bound, nor has the part of `hcl_evaluate` and `hcl_decode_json` that reads texts. The length of a text bounds them, which
 * max_source_bytes of `hcl_parse_opts` bounds; `hcl_once_opts` has no such field. A text of nothing but signs takes up to 250
 * times its length, and up to 6 MB, to read, and up to 510 times its length to compile; constant parts take up to 8 MB more.
 * Rendering takes twice the text that it makes. `hcl_module_load` is an evaluation with the limits of one that is given none, so
 * it holds 321 MiB at most, and what reading one file takes. max_source_bytes bounds each file of a module, not how many there
 * are: there may be 10,000 modules, and those of one folder share what is read.
 *
 * Memory that runs out. A call that the system refuses memory to, and that can't do without, answers HCL_ERR_MEMORY: what it
 * made is released, and every other object is as it was. `hcl_expr_explain` answers HCL_OK with a diagnostic, as for any limit.
 * A function without a status gives null or 0 then, as where there is nothing: the first question about the attributes or blocks
 * of a body makes the handles of all of them. A call that reads the body, such as `hcl_body_content`, says HCL_ERR_MEMORY.
 * Small requests are served from a reserve of 512 KiB until the call ends; the system is asked beforehand about requests whose
 * size a text or a value decides, and while a call grows about twice as much again as it holds. So a call that takes many MB
 * needs three times the address space that it takes in the end, and to call a function of the library as much as four times the
 * memory of its arguments; to read a text of more than 2 KB, 64 times its length, up to 4 MB. A process ends for want of memory
 * only if something else takes meanwhile what was asked for, and the reserve does not last.
 *
 * Stack. The optimised library works on threads with 64 KiB of stack, whatever its functions are given. Work that nests deep
 * continues on pieces of stack that the library maps when they are needed, each of 2 MiB and a guard of 64 KiB; up to eight are
 * kept for the process. max_memory does not count them. Callbacks run on the thread's own stack, of which an evaluation that
 * waits for one keeps up to 16 KiB, and each further one within its callback up to 4 KiB.
 *
 * Time. A call with a timeout ends at most 20 ms after it, whatever function takes the time, and has then released what it made.
 * Time is that of the system's monotonic clock; the 20 ms hold while the thread has a processor. A call may answer
 * HCL_ERR_DEADLINE before its timeout, for two reasons: it keeps the time free to release what it holds, 20 ns for each block of
 * memory, 110 ns more for one that is far from the one before it, as in groups, 25 to 55 ns for a part that shares its block
 * with others, and 0.2 ms for each MB, and as much again for a busy machine, up to a quarter of the time taken so far; and it
 * does not begin a copy of many MB that would end too late. A timeout of 2.5 times what a call may take is enough. A switch is
 * noticed within 20 ms of work. Releasing and copying come after that, and take up to half as long as the work before them.
 *
 * All of it was measured on one machine, with values of 5,000,000 parts. Calls may end so much later, for each
 *
 *   0.6 ms  MB beyond 30 in a text that is parsed, or that an edit of a document takes
 *   0.5 ms  MB of a file that the host of the system reads
 *     1 us  file in a folder that it lists
 *    80 us  folder in the path of a file that it opens
 *    12 ms  MB in the path of a module
 *   0.4 us  build of a template of Packer beyond 30,000
 *    20 ns  turn beyond 1,000,000 of a dynamic block whose content is read
 *   0.4 us  value with many parts that a `for` puts into more than 1,000 groups, in no order
 *    20 ns  sensitive value beyond 1,000,000 that a call takes or gives
 *    20 ns  object beyond 500,000, with objects of its own, that a conversion completes with defaults
 *   0.4 ms  MB beyond 45 of names that begin alike, in objects that are brought to one type
 *   0.4 ms  MB of sensitive texts of a template of Packer that begin alike, if a diagnostic has such a text
 *
 * If the program itself has released millions of small blocks, the C library may put them together inside a later call, which
 * takes so much longer.
 *
 * Functions without limits or options among their parameters take time in proportion to what they are given.
 *
 * System calls. Between creating and freeing, without callbacks of a host, the library makes none but those for memory (mmap,
 * munmap, mremap, madvise, brk), futex where threads meet, and with a timeout clock_gettime where the system has that as a call
 * only. On threads other than the first, glibc calls mprotect to enlarge the memory of the thread, and openat, read and close
 * once (/proc/sys/vm/overcommit_memory) to give it back, unless the program has called `mallopt(M_ARENA_MAX, 1)`. This is so on
 * Linux; elsewhere a call for random bytes is added, once. What the C library does when a process first uses its malloc, such as
 * getrandom in glibc since 2.36, comes on top of that.
 */


#ifndef LIBHCL_HCL_H
#define LIBHCL_HCL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#if defined(_WIN32) && !defined(HCL_STATIC)
#  define HCL_API __declspec(dllimport)
#elif defined(__GNUC__) && __GNUC__ >= 4
#  define HCL_API __attribute__((visibility("default")))
#else
#  define HCL_API
#endif

/** Marks what will be removed, and says what to use instead. */
#if defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 6)
#  define HCL_DEPRECATED(use) __attribute__((deprecated(use)))
#elif defined(__cplusplus) && __cplusplus >= 201402L
#  define HCL_DEPRECATED(use) [[deprecated(use)]]
#else
#  define HCL_DEPRECATED(use)
#endif

/** As a length: the text ends with a NUL byte, measure it. */
#define HCL_NUL SIZE_MAX

/** `hcl_call_fail`: the call as a whole failed, not one argument. */
#define HCL_NO_ARGUMENT SIZE_MAX

/**
 * A value. Immutable; use it from any thread. What comes through an `hcl_value **` is owned: release it with
 * `hcl_value_free`. What is returned is borrowed; `hcl_value_ref` makes it a handle of its own, cheaply.
 */
typedef struct hcl_value hcl_value;

/**
 * A schema: what a body and the bodies of its blocks may contain. Immutable; use it from any thread. What comes through
 * an `hcl_schema **` is owned: release it with `hcl_schema_free`. What `hcl_schema_block` returns is borrowed.
 */
typedef struct hcl_schema hcl_schema;

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4
/** The type of an array, of the Arrow C data interface. Every Arrow library declares it under this guard. */
struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};
/** The cells of an array, of the Arrow C data interface. */
struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};
#endif


/**
 * `hcl_arrow_opts.flags`: the first row that fails ends the call, which gives HCL_ERR_DIAGNOSTICS.
 */
#define HCL_ARROW_FIRST_ERROR_ENDS 1

/**
 * `hcl_arrow_opts.flags`: dates and times are numbers, as they are stored, instead of texts.
 */
#define HCL_ARROW_TIMES_AS_NUMBERS 2

/**
 * `hcl_body_content`: what the schema does not ask for is no error; it can be had as `*rest`.
 */
#define HCL_CONTENT_PARTIAL 1

/**
 * `hcl_body_content`, `hcl_body_just_attributes`: give what could be read also when there are errors.
 */
#define HCL_CONTENT_WITH_ERRORS 2

/**
 * `hcl_body_variables`, `hcl_spec_variables`: only those that expanding `dynamic` blocks needs: of `for_each` and
 * `labels`.
 */
#define HCL_VARIABLES_FOR_EXPANSION 1

/**
 * `hcl_format`: what the language's own formatter gives. Takes any text, also one that does not parse.
 */
#define HCL_STYLE_HCL 0

/**
 * `hcl_format`: what `terraform fmt` gives. Refuses text that does not parse.
 */
#define HCL_STYLE_TERRAFORM 1

/**
 * `hcl_scope_user_functions`: the functions can also use those that their callers see: each other, and themselves.
 */
#define HCL_USER_FUNCTIONS_CALLER 1

/**
 * `hcl_diag.severity`: the result is not usable, or only in part.
 */
#define HCL_SEVERITY_ERROR 1

/**
 * `hcl_diag.severity`: worth knowing; the result stands.
 */
#define HCL_SEVERITY_WARNING 2

/**
 * `hcl_render_opts.flags`: colour by ANSI escape sequences.
 */
#define HCL_RENDER_COLOR 1

/**
 * `hcl_render_opts.flags`: ASCII only; other characters of source and messages are written as `\u{e9}`.
 */
#define HCL_RENDER_ASCII 2

/**
 * `flags` of edits: every place that the address names is changed, where otherwise more than one is an error.
 */
#define HCL_EDIT_ALL 1

/**
 * `hcl_document_set`, `hcl_document_set_value`: makes the block that the attribute stands in, if it is not there.
 */
#define HCL_EDIT_CREATE 2

/**
 * `hcl_document_append_block`: leaves no empty line before the block.
 */
#define HCL_EDIT_CLOSE 4

/**
 * Above an item, and above the comments that belong to it.
 */
#define HCL_SIDE_BEFORE 0

/**
 * Below an item.
 */
#define HCL_SIDE_AFTER 1

/**
 * In a block: an attribute behind the last one, a block at the end.
 */
#define HCL_SIDE_INTO 2

/**
 * The comments above an item.
 */
#define HCL_COMMENT_LEAD 0

/**
 * The comments behind an item in its line.
 */
#define HCL_COMMENT_LINE 1

/**
 * `hcl_explain_opts.flags`: JSON instead of text.
 */
#define HCL_EXPLAIN_JSON 1

/**
 * `hcl_explain_opts.flags`: text with colour by ANSI escape sequences.
 */
#define HCL_EXPLAIN_COLOR 2

/**
 * `hcl_param.flags`: null is passed on; without it null is an error.
 */
#define HCL_PARAM_NULL 1

/**
 * `hcl_param.flags`: unknown values are passed on; without it they make the result unknown and nothing is called.
 */
#define HCL_PARAM_UNKNOWN 2

/**
 * `hcl_param.flags`: marks are passed on; without it they are taken off and put on the result.
 */
#define HCL_PARAM_MARKED 4

/**
 * `hcl_param.flags`: values of unknown type leave the type of the result what it is; without it they make it unknown
 * too. `HCL_PARAM_NULL` and `HCL_PARAM_UNKNOWN` include it.
 */
#define HCL_PARAM_DYNAMIC 16

/**
 * `hcl_param.flags`: takes all further arguments, possibly none; only for the last parameter.
 */
#define HCL_PARAM_VARIADIC 8

/**
 * `hcl_function.flags`: equal arguments give equal results and nothing else happens, so calls with constant
 * arguments may be made once, when a program is compiled.
 */
#define HCL_FUNCTION_PURE 1

/**
 * `hcl_function.flags`: may be called by several threads at once. Without it the library makes one call at a time, and
 * others wait, until their evaluation is cancelled or its deadline has passed; a call that would wait for ever, because
 * the function is called from inside itself or two threads inside two functions call each other's, fails with a
 * diagnostic instead.
 */
#define HCL_FUNCTION_THREADED 2

/**
 * A regular file.
 */
#define HCL_FILE_REGULAR 0

/**
 * A folder.
 */
#define HCL_FILE_DIRECTORY 1

/**
 * A symbolic link: only in listings, everywhere else links are followed.
 */
#define HCL_FILE_LINK 2

/**
 * A device, a pipe and the like.
 */
#define HCL_FILE_OTHER 3

/**
 * `hcl_host_callbacks.flags`: may be called by several threads at once. Without it the library makes one call at a
 * time, and others wait, until their evaluation is cancelled or its deadline has passed.
 */
#define HCL_HOST_THREADED 1

/**
 * JSON. Reading without a type gives objects and tuples; with one, what the type says. Writing refuses what JSON
 * has no word for: unknown, marked and infinite values. It escapes `<`, `>` and `&` in texts, as `jsonencode` does.
 */
#define HCL_FORMAT_JSON 0

/**
 * JSON that carries the type: `{"value": …, "type": …}`. Reading and writing give the same value again.
 */
#define HCL_FORMAT_TYPED_JSON 1

/**
 * HCL as a console shows it; only for writing. In place of what is marked stands a remark.
 */
#define HCL_FORMAT_CONSOLE 2

/**
 * HCL in one line, unknown values with their type; only for writing. Identical values give the same text. In place of
 * what is marked stands a remark.
 */
#define HCL_FORMAT_CANONICAL 3

/**
 * `hcl_value_encode`: writes what is marked as if it were not.
 */
#define HCL_ENCODE_REVEAL 1

/**
 * `hcl_value_encode`: writes null for what is unknown, in the JSON formats.
 */
#define HCL_ENCODE_UNKNOWN_AS_NULL 2

/**
 * `hcl_module_loader_set_text`: the text is the value, whatever the type of the variable is.
 */
#define HCL_MODULE_LITERAL 1

/**
 * `hcl_module_loader_resources`: resources have the values that a plan gives them.
 */
#define HCL_MODULE_PLANNED 1

/**
 * `hcl_declared.kind`: an input variable, `var.NAME`.
 */
#define HCL_DECLARED_VARIABLE 0

/**
 * `hcl_declared.kind`: a local value, `local.NAME`.
 */
#define HCL_DECLARED_LOCAL 1

/**
 * `hcl_declared.kind`: an output, `output.NAME`.
 */
#define HCL_DECLARED_OUTPUT 2

/**
 * `hcl_declared.kind`: a call of another module, `module.NAME`.
 */
#define HCL_DECLARED_MODULE 3

/**
 * `hcl_declared.kind`: a managed resource, `TYPE.NAME`.
 */
#define HCL_DECLARED_RESOURCE 4

/**
 * `hcl_declared.kind`: a data source, `data.TYPE.NAME`.
 */
#define HCL_DECLARED_DATA 5

/**
 * `hcl_declared.kind`: an ephemeral resource, `ephemeral.TYPE.NAME`.
 */
#define HCL_DECLARED_EPHEMERAL 6

/**
 * `hcl_declared.kind`: a source of images in a template of Packer, `source.TYPE.NAME`.
 */
#define HCL_DECLARED_SOURCE 7

/**
 * `hcl_declared.kind`: a job of Nomad, `job.NAME`.
 */
#define HCL_DECLARED_JOB 8

/**
 * `hcl_declared.flags`: the declaration says that the value is sensitive.
 */
#define HCL_DECLARED_SENSITIVE 1

/**
 * `hcl_declared.flags`: a variable with neither a value nor a default.
 */
#define HCL_DECLARED_MISSING 2

/**
 * `hcl_once_opts.flags`, of `hcl_evaluate`: the text is a template, as in a template file, not an expression.
 */
#define HCL_ONCE_TEMPLATE 1

/**
 * `hcl_once_opts.flags`, of `hcl_decode_json`: the text is of JSON syntax.
 */
#define HCL_ONCE_JSON 2

/**
 * `hcl_place.part`: all of it: of an attribute from its name to the end of its expression, of a block from its type to
 * its closing brace, of a body the place where something that is missing would stand.
 */
#define HCL_PLACE_WHOLE 0

/**
 * `hcl_place.part`: the value: the expression of an attribute.
 */
#define HCL_PLACE_VALUE 1

/**
 * `hcl_place.part`: the name: of an attribute its name, of a block its type.
 */
#define HCL_PLACE_NAME 2

/**
 * `hcl_place.part`: the header of a block, from its type to its last label.
 */
#define HCL_PLACE_HEADER 3

/**
 * `hcl_place.part`: where the value of an attribute begins: of its expression the part that stands first, which is what the
 * library itself points at when a value is not of the type that is wanted.
 */
#define HCL_PLACE_START 4

/**
 * `hcl_program_compile`: gives the program also when a name or function is not known. Evaluations that come across
 * it fail then, those that don't go well.
 */
#define HCL_COMPILE_PARTIAL 1

/**
 * `hcl_program_compile`: computes nothing beforehand, and calls no function of the host.
 */
#define HCL_COMPILE_NO_FOLDING 2

/**
 * `hcl_resolver.flags`: answers are kept until `hcl_frame_reset`, not only until the evaluation ends.
 */
#define HCL_RESOLVER_KEEP 1

/**
 * `hcl_cell.kind`: nothing; as an argument it leaves the slot empty.
 */
#define HCL_CELL_EMPTY 0

/**
 * `hcl_cell.kind`: null, of no particular type.
 */
#define HCL_CELL_NULL 1

/**
 * `hcl_cell.kind`: `payload.boolean`, 0 or 1.
 */
#define HCL_CELL_BOOL 2

/**
 * `hcl_cell.kind`: `payload.integer`.
 */
#define HCL_CELL_I64 3

/**
 * `hcl_cell.kind`: `payload.natural`; in results only above the greatest `int64_t`.
 */
#define HCL_CELL_U64 4

/**
 * `hcl_cell.kind`: `payload.number`; in results only what a double is exactly.
 */
#define HCL_CELL_F64 5

/**
 * `hcl_cell.kind`: `payload.text`.
 */
#define HCL_CELL_STR 6

/**
 * `hcl_cell.kind`: `payload.value`. As a result: whatever has no kind of its own, so collections, other numbers, and
 * all that is unknown or marked.
 */
#define HCL_CELL_VALUE 7

/**
 * `hcl_cell.kind`: only as a result; the row failed. `payload.index` is the index of its first diagnostic, `SIZE_MAX`
 * when so many rows failed that no more diagnostics were kept.
 */
#define HCL_CELL_ERROR 8

/**
 * The functions of HCL itself.
 */
#define HCL_BUILTINS_HCL 0

/**
 * The functions of Terraform.
 */
#define HCL_BUILTINS_TERRAFORM 1

/**
 * The functions of OpenTofu.
 */
#define HCL_BUILTINS_OPENTOFU 2

/**
 * The functions of Packer.
 */
#define HCL_BUILTINS_PACKER 3

/**
 * The functions of Nomad.
 */
#define HCL_BUILTINS_NOMAD 4

/**
 * The function of Packer in the defaults of variables: `env`.
 */
#define HCL_BUILTINS_PACKER_DEFAULTS 5

/**
 * The functions of Terraform 1.11; HCL_BUILTINS_TERRAFORM has those of the newest release.
 */
#define HCL_BUILTINS_TERRAFORM_1_11 6

/**
 * References to names that mean nothing are texts for another program: `node.x` is the known string `${node.x}`, and everything
 * around it works on that string. `var` and `local` are never such references. That is the rule of Nomad's jobs.
 */
#define HCL_SCOPE_RUNTIME_REFERENCES 1

/**
 * Interpolations that use names which mean nothing stay as they are written, and other references become such interpolations.
 */
#define HCL_SCOPE_LEAVE_UNKNOWN 2

/**
 * `hcl_parse_opts.flags`: give the result also when there are errors, with what could be understood.
 */
#define HCL_PARSE_PARTIAL 1

/**
 * `hcl_parse_opts.flags`: the source is JSON syntax.
 */
#define HCL_PARSE_JSON 2

/**
 * `hcl_expr_parse`: the text is a template, as in a template file, not an expression.
 */
#define HCL_EXPR_TEMPLATE 1

/**
 * `hcl_expr_parse`: the text is a value of JSON syntax, whose strings are templates.
 */
#define HCL_EXPR_JSON 2

/**
 * `hcl_expr_static`: a function call, for example `list(string)`; in JSON syntax a string that holds one.
 */
#define HCL_STATIC_CALL 1

/**
 * `hcl_expr_static`: a tuple that is written out, for example `[a.b, c]`, or a JSON array.
 */
#define HCL_STATIC_LIST 2

/**
 * `hcl_expr_static`: an object that is written out, for example `{ aws = aws.west }`, or a JSON object. Pairs are kept
 * as written, also several of one key.
 */
#define HCL_STATIC_MAP 3

/**
 * `hcl_expr_static`: nothing but a name, for example `string`, or `true`, `false`, `null`; in JSON syntax a string that
 * holds a name.
 */
#define HCL_STATIC_KEYWORD 4



/**
 * `hcl_host_opts.flags`: environment variables and the home directory.
 */
#define HCL_ALLOW_ENV 1

/**
 * `hcl_host_opts.flags`: the clock.
 */
#define HCL_ALLOW_CLOCK 2

/**
 * `hcl_host_opts.flags`: random numbers.
 */
#define HCL_ALLOW_RANDOM 4

/**
 * `hcl_host_opts.flags`: all files, not only those in `folders`.
 */
#define HCL_ALLOW_ALL_FILES 8

/**
 * `hcl_step.kind`: an attribute, `.name`.
 */
#define HCL_STEP_ATTR 1

/**
 * `hcl_step.kind`: an index by a literal, `["key"]` or `[0]`; `.0` is one too.
 */
#define HCL_STEP_INDEX 2

/**
 * `hcl_step.kind`: all elements, `[*]`; only `hcl_traversal_parse` gives it.
 */
#define HCL_STEP_SPLAT 3

/**
 * `hcl_traversal_parse`: `[*]` is allowed as a step.
 */
#define HCL_TRAVERSAL_SPLAT 1

/**
 * `hcl_value_kind`: null, of any type.
 */
#define HCL_KIND_NULL 0

/**
 * `hcl_value_kind`: true or false.
 */
#define HCL_KIND_BOOL 1

/**
 * `hcl_value_kind`: a number.
 */
#define HCL_KIND_NUMBER 2

/**
 * `hcl_value_kind`: a text.
 */
#define HCL_KIND_STRING 3

/**
 * `hcl_value_kind`: elements of one type, in order.
 */
#define HCL_KIND_LIST 4

/**
 * `hcl_value_kind`: distinct elements of one type, sorted.
 */
#define HCL_KIND_SET 5

/**
 * `hcl_value_kind`: elements of one type by key, sorted by key.
 */
#define HCL_KIND_MAP 6

/**
 * `hcl_value_kind`: elements of any types, in order.
 */
#define HCL_KIND_TUPLE 7

/**
 * `hcl_value_kind`: attributes of any types by name, sorted by name.
 */
#define HCL_KIND_OBJECT 8

/**
 * `hcl_value_kind`: not known yet.
 */
#define HCL_KIND_UNKNOWN 9

/**
 * `hcl_value_kind`: something of the host's that HCL passes around unseen.
 */
#define HCL_KIND_CAPSULE 10

/**
 * `hcl_value_kind` of a null pointer.
 */
#define HCL_KIND_INVALID 255

/**
 * The major version of this header.
 */
#define HCL_VERSION_MAJOR 0

/**
 * The minor version of this header.
 */
#define HCL_VERSION_MINOR 1

/**
 * The patch version of this header.
 */
#define HCL_VERSION_PATCH 0

/**
 * The version of this header as one number: `major << 16 | minor << 8 | patch`.
 */
#define HCL_VERSION 256

/**
 * The outcome of a call. The numbers are fixed; new ones may be added. `HCL_OK` is 0.
 *
 * A call that takes `diags` and does not succeed hands at least one diagnostic out, whatever the status.
 */
enum hcl_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Success.
     */
    HCL_OK = 0,
    /**
     * The caller made a mistake: a null pointer, an unknown flag, a wrong `size`, a reserved field that is set, text that is not
     * UTF-8. `hcl_status_detail` names the parameter.
     */
    HCL_ERR_ARGUMENT = 1,
    /**
     * The input is wrong: the diagnostics say how.
     */
    HCL_ERR_DIAGNOSTICS = 2,
    /**
     * The value is of another kind than the function reads.
     */
    HCL_ERR_TYPE = 3,
    /**
     * A number does not fit, or an index is out of range.
     */
    HCL_ERR_RANGE = 4,
    /**
     * There is no such name or key.
     */
    HCL_ERR_NOT_FOUND = 5,
    /**
     * The value is not known.
     */
    HCL_ERR_UNKNOWN = 6,
    /**
     * A slot that the evaluation needs holds no value.
     */
    HCL_ERR_UNBOUND = 7,
    /**
     * A limit was reached: the diagnostic says which.
     */
    HCL_ERR_LIMIT = 8,
    /**
     * The switch was thrown that the work was given (`hcl_cancel`).
     */
    HCL_ERR_CANCELLED = 9,
    /**
     * The time was over that the work was given (`timeout_ns`).
     */
    HCL_ERR_DEADLINE = 10,
    /**
     * The object is in use by another call.
     */
    HCL_ERR_BUSY = 11,
    /**
     * A callback of the host failed.
     */
    HCL_ERR_CALLBACK = 12,
    /**
     * The library was built without this, or can't do it: there is no such format, a host does not allow it.
     */
    HCL_ERR_UNSUPPORTED = 13,
    /**
     * A defect of the library. The objects of the call can only be freed; nothing else is affected.
     */
    HCL_ERR_INTERNAL = 14,
    /**
     * The value carries a mark, such as `sensitive`, and is not read before it is unmarked.
     */
    HCL_ERR_MARKED = 15,
    /**
     * The system has no memory. What the call made is released; every object that was there before is as it was.
     */
    HCL_ERR_MEMORY = 16,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum hcl_status hcl_status;
#else
typedef int32_t hcl_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The answer of a host's callback; only inside the callback that it was passed to.
 */
typedef struct hcl_answer hcl_answer;

/**
 * An attribute: a name and an expression. Borrowed from its body; immutable; use it from any thread.
 */
typedef struct hcl_attr hcl_attr;

/**
 * A block: a type, labels and a body. Borrowed from the body it is in; immutable; use it from any thread.
 */
typedef struct hcl_block hcl_block;

/**
 * The content of a file or of a block, of native or JSON syntax, or of several files read as one. Immutable; use it
 * from any thread. One that is borrowed becomes a handle of its own by `hcl_body_ref`. Release owned ones with
 * `hcl_body_free`.
 */
typedef struct hcl_body hcl_body;

/**
 * Owned bytes, from a function with an `hcl_buf **` parameter. Release with `hcl_buf_free`.
 */
typedef struct hcl_buf hcl_buf;

/**
 * Builds one value from the outside in: `begin`, for objects and maps `key` before each element, the elements,
 * `end`, and at last `finish`. Not for several threads at once. Release with `hcl_builder_free`.
 *
 * A call that returns an error has changed nothing.
 */
typedef struct hcl_builder hcl_builder;

/**
 * A call in progress; only inside the callback that it was passed to.
 */
typedef struct hcl_call hcl_call;

/**
 * A switch that stops work from elsewhere. Use it from any thread. Counted: `hcl_cancel_ref`.
 */
typedef struct hcl_cancel hcl_cancel;

/**
 * Definitions that refer to each other, such as Terraform's `locals`: each is evaluated once, after those that it needs.
 * Filled by one thread; release with `hcl_definitions_free`.
 */
typedef struct hcl_definitions hcl_definitions;

/**
 * A list of diagnostics, in the order of detection. It is complete in itself: it holds the sources it is
 * about. Release with `hcl_diags_free`.
 */
typedef struct hcl_diags hcl_diags;

/**
 * A text of native syntax that can be edited. Functions that take it as `const` may run side by side; others need it
 * alone. Release with `hcl_document_free`.
 *
 * The limits that a document was read with hold for each later call on it: with the timeout, which starts anew, and the
 * switch, which the document keeps until it is released, a call ends with HCL_ERR_DEADLINE or HCL_ERR_CANCELLED. A call that
 * fails leaves the document as it was.
 */
typedef struct hcl_document hcl_document;

/**
 * A parsed expression. Immutable; use it from any thread. One that is borrowed from an attribute becomes a
 * handle of its own by `hcl_expr_ref`. Release owned ones with `hcl_expr_free`.
 */
typedef struct hcl_expr hcl_expr;

/**
 * A parsed configuration file with its source text. Immutable; use it from any thread. Counted: `hcl_file_ref`
 * gives another handle to the same file. Release every handle with `hcl_file_free`.
 */
typedef struct hcl_file hcl_file;

/**
 * The values of a scope's slots, with the limits of evaluations that use them. For one thread at a time: a call
 * on a frame that is in use answers HCL_ERR_BUSY. Release with `hcl_frame_free`.
 */
typedef struct hcl_frame hcl_frame;

/**
 * The functions of a product with how they are called. Immutable; use it from any thread. Counted:
 * `hcl_functions_ref`. Release with `hcl_functions_free`.
 */
typedef struct hcl_functions hcl_functions;

/**
 * The outside world of functions such as `file` and `timestamp`. Without a host they are refused, with a diagnostic
 * that says what to grant. Immutable; use it from any thread. Counted: `hcl_host_ref`. Give it to a frame with
 * `hcl_frame_set_host`; release it with `hcl_host_free`.
 */
typedef struct hcl_host hcl_host;

/**
 * Which parts of a value carry marks. Immutable; use it from any thread. Release with `hcl_marks_free`.
 */
typedef struct hcl_marks hcl_marks;

/**
 * A folder of configuration files, with the local modules that it calls. Immutable; use it from any thread: what variables,
 * locals and outputs come to is found out when it is first needed, and kept. Counted: `hcl_module_ref`. Release with
 * `hcl_module_free`.
 */
typedef struct hcl_module hcl_module;

/**
 * The preparation of a module: where its files come from and which values its variables have. Filled by one thread, used
 * by `hcl_module_load` as often as wanted. Release with `hcl_module_loader_free`.
 */
typedef struct hcl_module_loader hcl_module_loader;

/**
 * An expression compiled against a scope. Immutable; evaluate it on any number of threads, each with a frame of
 * its own. Counted: `hcl_program_ref`. Release with `hcl_program_free`.
 */
typedef struct hcl_program hcl_program;

/**
 * The meaning of names: variables, slots and functions, with an outer scope or none.
 *
 * A scope is filled by one thread, then sealed with `hcl_scope_seal`; from then on it is immutable, may be used
 * from any thread, and can be compiled against. Counted: `hcl_scope_ref`. Release with `hcl_scope_free`.
 */
typedef struct hcl_scope hcl_scope;

/**
 * A specification: the value that is made of a body, and the variables and functions that it brings along.
 * Immutable; use it from any thread. Counted: `hcl_spec_ref`. Release with `hcl_spec_free`.
 */
typedef struct hcl_spec hcl_spec;

/**
 * An expression taken literally. Immutable; use it from any thread. Release with `hcl_static_free`.
 */
typedef struct hcl_static hcl_static;

/**
 * Traversals: root names with the steps that follow, in the order of the source, repetitions kept. Immutable; use it
 * from any thread. Release with `hcl_traversals_free`.
 */
typedef struct hcl_traversals hcl_traversals;

/**
 * A type. Immutable; use it from any thread. Release with `hcl_type_free`.
 */
typedef struct hcl_type hcl_type;

/**
 * A borrowed piece of UTF-8 text. It lives as long as the object it came from. `ptr` is **not** followed by a
 * NUL (print it with `"%.*s", (int)s.len, s.ptr`) and may itself contain NUL bytes. `ptr` is never null in
 * what the library returns.
 */
typedef struct {
    /**
     * The first byte.
     */
    const char *ptr;
    /**
     * The number of bytes.
     */
    size_t len;
} hcl_str;

/**
 * How a table is evaluated. Set `size` to `sizeof(hcl_arrow_opts)` and what is not wanted to zero.
 */
typedef struct {
    /**
     * `sizeof(hcl_arrow_opts)`, set by the caller.
     */
    size_t size;
    /**
     * `HCL_ARROW_…`, joined by `|`.
     */
    uint32_t flags;
    /**
     * Not used; zero.
     */
    uint32_t reserved;
    /**
     * The type of the results as a format of the Arrow C data interface: `b`, `c`, `C`, `s`, `S`, `i`, `I`, `l`, `L`, `f`, `g`,
     * `u`, `U`, or a decimal such as `d:10,2`. Empty for the type that the results have.
     */
    hcl_str format;
    /**
     * The type of the results as a type of the language, when `format` is empty: its numbers become doubles, its defaults are
     * put in. Null for the type that the results have.
     */
    const hcl_type *ty;
} hcl_arrow_opts;

/**
 * A place in a source text.
 */
typedef struct {
    /**
     * Line, from 1; 0 when there is no place.
     */
    uint32_t line;
    /**
     * Column, from 1, in grapheme clusters.
     */
    uint32_t column;
    /**
     * Byte offset, from 0.
     */
    uint64_t byte;
} hcl_pos;

/**
 * A piece of a source text; `end` is after its last byte.
 */
typedef struct {
    /**
     * The first place within.
     */
    hcl_pos start;
    /**
     * The place after the last one within.
     */
    hcl_pos end;
} hcl_range;

/**
 * Releases user data.
 */
typedef void (*hcl_drop)(void *user);

/**
 * The content of a cell, as its kind says.
 */
typedef union {
    /**
     * `HCL_CELL_BOOL`
     */
    uint8_t boolean;
    /**
     * `HCL_CELL_I64`
     */
    int64_t integer;
    /**
     * `HCL_CELL_U64`
     */
    uint64_t natural;
    /**
     * `HCL_CELL_F64`
     */
    double number;
    /**
     * `HCL_CELL_STR`
     */
    hcl_str text;
    /**
     * `HCL_CELL_VALUE`
     */
    const hcl_value *value;
    /**
     * `HCL_CELL_ERROR`
     */
    size_t index;
} hcl_payload;

/**
 * A value of a row. The struct is frozen: 24 bytes where pointers have 8.
 */
typedef struct {
    /**
     * `HCL_CELL_…`
     */
    uint32_t kind;
    /**
     * Not used; zero.
     */
    uint32_t reserved;
    /**
     * The content.
     */
    hcl_payload payload;
} hcl_cell;

/**
 * How much an evaluation may do, or work on a single value. Set `size` to `sizeof(hcl_limits)`; zero in a field means
 * its default, and all defaults but that of `timeout_ns` are finite. Filled by `hcl_frame_used`, the same fields tell
 * what was used.
 */
typedef struct {
    /**
     * `sizeof(hcl_limits)`, set by the caller.
     */
    size_t size;
    /**
     * How deep expressions, templates and values may nest; 1000. Parentheses and operators before an operand are no level.
     */
    uint32_t max_depth;
    /**
     * Not used; zero.
     */
    uint32_t reserved;
    /**
     * How many steps may be taken, counted the same on every machine; 1,000,000,000.
     */
    uint64_t max_steps;
    /**
     * How many elements may be made, counted the same on every machine; 10,000,000. It bounds two counts. One is of all that is
     * put into collections, thrown away or not, of which docs/explanation/limits.md has the rule; what is decoded, and a value
     * that is looked at as a whole, count one more for themselves. The other is of the parts of each value that an operation
     * makes: its elements and all that is inside of them, shared ones as often as they occur, and one for each 64 bytes of a
     * text. `[1, 2]` has two. `hcl_frame_used` tells the larger of both.
     */
    uint64_t max_elements;
    /**
     * How many bytes of text may be made; 64 MiB. A function counts the most that it may make, before it does.
     */
    uint64_t max_output_bytes;
    /**
     * How long the call may take, in nanoseconds; no deadline by default.
     */
    uint64_t timeout_ns;
    /**
     * How many bytes of memory the evaluation may take; 256 MiB. It bounds two things. One is what the evaluation holds of the
     * allocator: never more than 1.25 times the limit plus 1 MiB. The other is the sum of all values that are made, counted the
     * same on every machine: 24 for an element of a collection, and the bytes of texts. `hcl_frame_used` tells the sum.
     */
    uint64_t max_memory;
    /**
     * A switch that ends the call when it is thrown; null for none. Only read during the call that takes the struct,
     * but `hcl_frame_set_limits` keeps the switch as `hcl_frame_set_cancel` does.
     */
    const hcl_cancel *cancel;
} hcl_limits;

/**
 * One diagnostic. Set `size` to `sizeof(hcl_diag)` before passing it; the texts are borrowed from the list.
 */
typedef struct {
    /**
     * `sizeof(hcl_diag)`, set by the caller.
     */
    size_t size;
    /**
     * `HCL_SEVERITY_ERROR` or `HCL_SEVERITY_WARNING`.
     */
    uint32_t severity;
    /**
     * How many values of names are recorded: `hcl_diags_value`.
     */
    uint32_t n_values;
    /**
     * A stable code, for example `eval.unknown_variable`.
     */
    hcl_str code;
    /**
     * The kind of problem in a few words.
     */
    hcl_str summary;
    /**
     * Full sentences: what was found, what was expected, what to do.
     */
    hcl_str detail;
    /**
     * The name of the source the ranges are in; empty when there is no place.
     */
    hcl_str filename;
    /**
     * The tight place; line 0 when there is none.
     */
    hcl_range subject;
    /**
     * A wider place around the subject; line 0 when there is none.
     */
    hcl_range context;
    /**
     * The subject as it is written in the source, for example the expression that is wrong; empty when there is no place.
     */
    hcl_str expression;
    /**
     * How many extra values a host gave it: `hcl_diags_extra`.
     */
    uint32_t n_extra;
    /**
     * Not used; zero.
     */
    uint32_t reserved;
} hcl_diag;

/**
 * A place in a source, said by the handle of what stands there. Set `size` to `sizeof(hcl_place)`, one of the handles, and
 * what is not wanted to zero. The handles are only read during the call that takes the struct.
 */
typedef struct {
    /**
     * `sizeof(hcl_place)`, set by the caller.
     */
    size_t size;
    /**
     * Which part of an attribute or a block: `HCL_PLACE_…`; of the others 0.
     */
    uint32_t part;
    /**
     * Not used; zero.
     */
    uint32_t reserved;
    /**
     * An attribute.
     */
    const hcl_attr *attr;
    /**
     * A block.
     */
    const hcl_block *block;
    /**
     * A body: where something that it lacks would stand. With `spec`, what that makes of it at `path`.
     */
    const hcl_body *body;
    /**
     * An expression.
     */
    const hcl_expr *expr;
    /**
     * A file: its beginning.
     */
    const hcl_file *file;
    /**
     * If it is set, this range of the source that the handle is in; its byte offsets count.
     */
    hcl_range range;
    /**
     * With `body`: the place of a part of the value that the specification makes of it, as by `hcl_decoded_range`.
     */
    const hcl_spec *spec;
    /**
     * With `spec`: the path in the value; of the place `part` says which.
     */
    hcl_str path;
} hcl_place;

/**
 * How diagnostics are drawn. Set `size` to `sizeof(hcl_render_opts)` and what is not wanted to zero.
 */
typedef struct {
    /**
     * `sizeof(hcl_render_opts)`, set by the caller.
     */
    size_t size;
    /**
     * `HCL_RENDER_…`, joined by `|`.
     */
    uint32_t flags;
    /**
     * How wide text may become, in columns; 0 for 80.
     */
    uint32_t width;
    /**
     * How many diagnostics are drawn; 0 for all. A line says how many were left out, and a limit that ended the work, which
     * is the last of them, is drawn all the same.
     */
    uint32_t max_count;
    /**
     * Not used; zero.
     */
    uint32_t reserved;
    /**
     * How many bytes of drawn diagnostics there may be, then a line says how many were left out; 0 for 64 MiB.
     */
    uint64_t max_bytes;
    /**
     * How long the call may take, in nanoseconds; no deadline by default.
     */
    uint64_t timeout_ns;
    /**
     * A switch that ends the call when it is thrown; null for none. Only read during the call that takes the struct.
     */
    const hcl_cancel *cancel;
} hcl_render_opts;

/**
 * How a source is parsed. Set `size` to `sizeof(hcl_parse_opts)` and what is not wanted to zero.
 */
typedef struct {
    /**
     * `sizeof(hcl_parse_opts)`, set by the caller.
     */
    size_t size;
    /**
     * `HCL_PARSE_…`, joined by `|`.
     */
    uint32_t flags;
    /**
     * How deep blocks, brackets and templates may nest; 0 for 1000.
     */
    uint32_t max_depth;
    /**
     * How many diagnostics are kept, and how many of the templates in a file of JSON syntax, which are told when they are
     * evaluated; 0 for 1000.
     */
    uint32_t max_diagnostics;
    /**
     * Not used; zero.
     */
    uint32_t reserved;
    /**
     * The longest source accepted, in bytes; 0 for 1 GiB, the most there can be.
     */
    uint64_t max_source_bytes;
    /**
     * Where the text begins in a larger one; zeros for line 1, column 1, byte 0.
     */
    hcl_pos start;
    /**
     * How long the call may take, in nanoseconds; no deadline by default.
     */
    uint64_t timeout_ns;
    /**
     * A switch that ends the call when it is thrown; null for none. Only read during the call that takes the struct, but
     * `hcl_document_parse` keeps the switch.
     */
    const hcl_cancel *cancel;
} hcl_parse_opts;

/**
 * Which `dynamic` blocks are expanded. Set `size` to `sizeof(hcl_dynamic_opts)` and what is not wanted to zero. The
 * texts are copied.
 */
typedef struct {
    /**
     * `sizeof(hcl_dynamic_opts)`, set by the caller.
     */
    size_t size;
    /**
     * The types of blocks that may be generated: `n_only` texts. A `dynamic` block of another type is an error.
     */
    const hcl_str *only;
    /**
     * How many; 0 for all types.
     */
    size_t n_only;
    /**
     * Types of blocks whose inside is left alone: `n_opaque` texts. `dynamic` means nothing special in them, but the
     * iterators around them can be used there.
     */
    const hcl_str *opaque;
    /**
     * How many; 0 for none.
     */
    size_t n_opaque;
} hcl_dynamic_opts;

/**
 * How an evaluation is explained. Set `size` to `sizeof(hcl_explain_opts)` and what is not wanted to zero.
 */
typedef struct {
    /**
     * `sizeof(hcl_explain_opts)`, set by the caller.
     */
    size_t size;
    /**
     * `HCL_EXPLAIN_…`, joined by `|`.
     */
    uint32_t flags;
    /**
     * How wide text may become, in columns; 0 for 100.
     */
    uint32_t width;
    /**
     * How many steps are shown, the others are counted; 0 for 2000.
     */
    uint32_t max_steps;
    /**
     * How deep steps may nest; 0 for 64, at most 500.
     */
    uint32_t max_depth;
    /**
     * How many elements of a `for` or a splat are shown, the others are counted; 0 for 3.
     */
    uint32_t max_elements;
    /**
     * Not used; zero.
     */
    uint32_t reserved;
} hcl_explain_opts;

/**
 * Answers one kind of question. `what` is the path or name asked for, not followed by a NUL; paths are cleaned by
 * their text and have `/` between their parts. `most` is said with each kind. `user` is the host's user data.
 *
 * Returns 0 after an `hcl_answer_…`; HCL_ERR_NOT_FOUND if there is no such thing; HCL_ERR_LIMIT if it is more than
 * `most`; HCL_ERR_UNSUPPORTED if it is not allowed; HCL_ERR_UNKNOWN if it will be known only later, which makes the
 * result of the function unknown; HCL_ERR_CANCELLED, HCL_ERR_DEADLINE or HCL_ERR_MEMORY to end the evaluation; anything else
 * when it failed (say why with `hcl_answer_fail`). Runs on the thread of the evaluation, inside it. Must not `longjmp` or
 * throw out of the callback.
 */
typedef int32_t (*hcl_host_callback)(void *user, hcl_str what, uint64_t most, hcl_answer *answer);

/**
 * Asks a remote store for a function that needs one. Reads arguments and returns its result as the callback of a
 * function does, with the same statuses as `hcl_host_callback`. `vault` passes the path and gets the data of the
 * secret, an object; `consul_key` passes the key and gets a text; `aws_secretsmanager` and `aws_secretsmanager_raw`
 * pass the name and get the text of the secret. `hcl_call_cancelled` tells whether the evaluation still waits.
 */
typedef int32_t (*hcl_store_callback)(void *user, hcl_str function, hcl_call *call);

/**
 * A host made of callbacks. Set `size` to `sizeof(hcl_host_callbacks)` and what is not wanted to zero: what has no
 * callback is not allowed.
 */
typedef struct {
    /**
     * `sizeof(hcl_host_callbacks)`, set by the caller.
     */
    size_t size;
    /**
     * `HCL_HOST_…`, joined by `|`.
     */
    uint32_t flags;
    /**
     * Not used; zero.
     */
    uint32_t reserved;
    /**
     * The content of a regular file, at most `most` bytes: `hcl_answer_bytes`.
     */
    hcl_host_callback read_file;
    /**
     * The kind of file at a path, links followed: `hcl_answer_kind`.
     */
    hcl_host_callback file_kind;
    /**
     * The entries of a folder, at most `most`: `hcl_answer_entry` for each, in any order.
     */
    hcl_host_callback list_directory;
    /**
     * The absolute path that relative paths start from: `hcl_answer_bytes`.
     */
    hcl_host_callback working_directory;
    /**
     * The user's home folder: `hcl_answer_bytes`.
     */
    hcl_host_callback home_directory;
    /**
     * An environment variable: `hcl_answer_bytes`.
     */
    hcl_host_callback environment_variable;
    /**
     * The time: `hcl_answer_time`.
     */
    hcl_host_callback now;
    /**
     * The time at which the run began: `hcl_answer_time`. Without it `now` is asked.
     */
    hcl_host_callback start_time;
    /**
     * `most` random bytes: `hcl_answer_bytes`.
     */
    hcl_host_callback random_bytes;
    /**
     * A remote store.
     */
    hcl_store_callback store;
    /**
     * Passed to all callbacks and to `drop_user`.
     */
    void *user;
    /**
     * Releases `user`; may be null.
     */
    hcl_drop drop_user;
} hcl_host_callbacks;

/**
 * The facts about a function that need no call. Set `size` to `sizeof(hcl_function_info)` before passing it; the
 * texts are borrowed from the list.
 */
typedef struct {
    /**
     * `sizeof(hcl_function_info)`, set by the caller.
     */
    size_t size;
    /**
     * The name it is called by, with `::` between parts if it has several.
     */
    hcl_str name;
    /**
     * One sentence on what it does.
     */
    hcl_str description;
    /**
     * How it is called, for example `join(separator: string, lists: list(string)...) -> string`.
     */
    hcl_str signature;
    /**
     * The type of its results as a type expression; `any` when it depends on the arguments.
     */
    hcl_str result_type;
    /**
     * The capability that it asks the host for: `fs`, `env`, `clock`, `random` or `network`; empty for none.
     */
    hcl_str asks_for;
    /**
     * The number of parameters: `hcl_functions_param`.
     */
    size_t n_params;
    /**
     * `HCL_FUNCTION_PURE`, or 0.
     */
    uint32_t flags;
    /**
     * Not used; zero.
     */
    uint32_t reserved;
} hcl_function_info;

/**
 * A parameter of a function of a list. Set `size` to `sizeof(hcl_param_info)` before passing it; the texts are
 * borrowed from the list.
 */
typedef struct {
    /**
     * `sizeof(hcl_param_info)`, set by the caller.
     */
    size_t size;
    /**
     * The name, as messages show it.
     */
    hcl_str name;
    /**
     * One sentence on what it is for.
     */
    hcl_str description;
    /**
     * The type as a type expression; `any` for no constraint.
     */
    hcl_str type_text;
    /**
     * `HCL_PARAM_…`, joined by `|`; the last parameter may have `HCL_PARAM_VARIADIC`.
     */
    uint32_t flags;
    /**
     * Not used; zero.
     */
    uint32_t reserved;
} hcl_param_info;

/**
 * One declaration of a module. Set `size` to `sizeof(hcl_declared)` before passing it; the texts are borrowed from the
 * module.
 */
typedef struct {
    /**
     * `sizeof(hcl_declared)`, set by the caller.
     */
    size_t size;
    /**
     * `HCL_DECLARED_…`: the kind of the declaration.
     */
    uint32_t kind;
    /**
     * `HCL_DECLARED_SENSITIVE`, `HCL_DECLARED_MISSING`, joined by `|`.
     */
    uint32_t flags;
    /**
     * The address, as `hcl_module_value` takes it.
     */
    hcl_str address;
    /**
     * The type of a variable as a type expression; empty for everything else.
     */
    hcl_str type_text;
    /**
     * The file that declares it.
     */
    hcl_str file;
    /**
     * The place of the declaration in the file.
     */
    hcl_range range;
} hcl_declared;

/**
 * How a call works that does everything at once. Set `size` to `sizeof(hcl_once_opts)` and what is not wanted to zero.
 */
typedef struct {
    /**
     * `sizeof(hcl_once_opts)`, set by the caller.
     */
    size_t size;
    /**
     * `HCL_ONCE_…`, joined by `|`.
     */
    uint32_t flags;
    /**
     * Not used; zero.
     */
    uint32_t reserved;
    /**
     * The name by which diagnostics call the text; empty for `input`.
     */
    hcl_str name;
    /**
     * The dialect whose functions there are, as of `hcl_scope_dialect`; empty for `terraform`.
     */
    hcl_str dialect;
    /**
     * The limits of each step of the call: reading variables, parsing, evaluating, writing. The timeout is that of the call as a
     * whole. Null for the defaults.
     */
    const hcl_limits *limits;
} hcl_once_opts;

/**
 * Looks a variable up whose slot is empty. `name` is the name or path that `slot` was declared under. `user` is the
 * resolver's user data. `call` takes the answer as that of a function: it has no arguments, and is valid until the
 * callback returns. An evaluation asks at most once for each slot.
 *
 * Returns 0 after `hcl_call_return…`, also with an unknown or marked value; HCL_ERR_NOT_FOUND if there is no such
 * variable; anything else as the callback of a function. What `hcl_call_fail` says becomes a diagnostic at the variable.
 * Runs on the thread of the evaluation, inside it. Must not `longjmp` or throw out of the callback.
 */
typedef int32_t (*hcl_resolve_callback)(void *user, size_t slot, hcl_str name, hcl_call *call);

/**
 * A source of variables. Set `size` to `sizeof(hcl_resolver)` and what is not wanted to zero.
 */
typedef struct {
    /**
     * `sizeof(hcl_resolver)`, set by the caller.
     */
    size_t size;
    /**
     * `HCL_RESOLVER_…`, joined by `|`.
     */
    uint32_t flags;
    /**
     * Not used; zero.
     */
    uint32_t reserved;
    /**
     * The callback that is asked for a variable.
     */
    hcl_resolve_callback look_up;
    /**
     * Passed to `look_up` and `drop_user`.
     */
    void *user;
    /**
     * Releases `user`; may be null.
     */
    hcl_drop drop_user;
} hcl_resolver;

/**
 * A parameter of a host function. Arguments are converted to its type before the call.
 */
typedef struct {
    /**
     * The name, for messages.
     */
    hcl_str name;
    /**
     * The type as a type expression, for example `list(string)`; empty for any.
     */
    hcl_str type_text;
    /**
     * `HCL_PARAM_…`, joined by `|`.
     */
    uint32_t flags;
    /**
     * Not used; zero.
     */
    uint32_t reserved;
} hcl_param;

/**
 * The work of a host function. Returns 0 after `hcl_call_return…`.
 *
 * There are two ways to fail. After `hcl_call_fail` it is the expression that is wrong: a diagnostic says so, and HCL's
 * `try` can go on. Without it the host itself has failed: the evaluation ends at once with HCL_ERR_CALLBACK, whatever is
 * around the call, and the diagnostic `limit.host` tells the status that was returned. Four statuses have a meaning of
 * their own: HCL_ERR_UNKNOWN makes the result unknown; HCL_ERR_CANCELLED, HCL_ERR_DEADLINE and HCL_ERR_MEMORY end the
 * evaluation as if the library had noticed. `user` is the function's user data. `call` is valid until the callback returns.
 *
 * Runs on the thread of the evaluation, inside it. Must not `longjmp` or throw out of the callback.
 */
typedef int32_t (*hcl_callback)(void *user, hcl_call *call);

/**
 * A function of the host. Set `size` to `sizeof(hcl_function)` and what is not wanted to zero.
 */
typedef struct {
    /**
     * `sizeof(hcl_function)`, set by the caller.
     */
    size_t size;
    /**
     * The name it is called by, with `::` between parts if it has several.
     */
    hcl_str name;
    /**
     * One line on what it does; may be empty.
     */
    hcl_str description;
    /**
     * The parameters; null when there are none.
     */
    const hcl_param *params;
    /**
     * How many parameters.
     */
    size_t n_params;
    /**
     * The type of its results as a type expression; empty for any. Results are converted to it.
     */
    hcl_str result_type;
    /**
     * `HCL_FUNCTION_…`, joined by `|`.
     */
    uint32_t flags;
    /**
     * Not used; zero.
     */
    uint32_t reserved;
    /**
     * The callback that does the work.
     */
    hcl_callback call;
    /**
     * Passed to `call` and `drop_user`.
     */
    void *user;
    /**
     * Releases `user`; may be null.
     */
    hcl_drop drop_user;
    /**
     * Finds the type of a result that can't be known, because arguments are unknown: reads them, some of which are, and
     * answers with `hcl_call_return_type`. In place of `result_type`; may be null. Called under the same rules as `call`.
     */
    hcl_callback result_type_of;
} hcl_function;

/**
 * How much of the real world a host opens. Set `size` to `sizeof(hcl_host_opts)` and what is not wanted to zero.
 */
typedef struct {
    /**
     * `sizeof(hcl_host_opts)`, set by the caller.
     */
    size_t size;
    /**
     * `HCL_ALLOW_…`, joined by `|`.
     */
    uint32_t flags;
    /**
     * Not used; zero.
     */
    uint32_t reserved;
    /**
     * Folders whose files may be read. They must be there. Null when there are none.
     */
    const hcl_str *folders;
    /**
     * How many folders.
     */
    size_t n_folders;
    /**
     * The absolute path that relative paths of expressions start from; empty for the working directory of now.
     */
    hcl_str start;
} hcl_host_opts;

/**
 * A step of a traversal. Set `size` to `sizeof(hcl_step)` before passing it; the rest is borrowed from the list.
 */
typedef struct {
    /**
     * `sizeof(hcl_step)`, set by the caller.
     */
    size_t size;
    /**
     * `HCL_STEP_…`
     */
    uint32_t kind;
    /**
     * Not used; zero.
     */
    uint32_t reserved;
    /**
     * The name of an attribute; else empty.
     */
    hcl_str name;
    /**
     * The key of an index: a string, a number, or another literal; unknown where the text is none. Else null.
     */
    const hcl_value *key;
    /**
     * From the dot to the end of the name, or from bracket to bracket.
     */
    hcl_range range;
} hcl_step;

/** Names that looked like those of something else: formats of values, parts of a place. Gone in 0.2. */
enum {
    /** HCL_STYLE_HCL */
    HCL_FORMAT_STYLE_HCL HCL_DEPRECATED("use HCL_STYLE_HCL") = 0,
    /** HCL_STYLE_TERRAFORM */
    HCL_FORMAT_STYLE_TERRAFORM HCL_DEPRECATED("use HCL_STYLE_TERRAFORM") = 1,
    /** HCL_SIDE_BEFORE */
    HCL_PLACE_BEFORE HCL_DEPRECATED("use HCL_SIDE_BEFORE") = 0,
    /** HCL_SIDE_AFTER */
    HCL_PLACE_AFTER HCL_DEPRECATED("use HCL_SIDE_AFTER") = 1,
    /** HCL_SIDE_INTO */
    HCL_PLACE_INTO HCL_DEPRECATED("use HCL_SIDE_INTO") = 2,
};

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * \defgroup the_first_five_minutes The first five minutes
 *
 * A text goes in and JSON comes out, in one call, within limits. All other sections are the parts that these calls are
 * made of: for programs that evaluate something often, look at what is inside, or keep values.
 * @{
 */

/**
 * Evaluates one expression, or with `HCL_ONCE_TEMPLATE` one template, and gives its value as JSON:
 * `hcl_evaluate("a + 1", HCL_NUL, "{\"a\": 1}", HCL_NUL, NULL, &out, &diags)` gives `2`. The program at the top of this file is
 * complete.
 *
 * `vars_json` is a JSON object whose properties are the variables, and what diagnostics call its text; with length 0 there are
 * none. `opts` may be null: the functions are then those of Terraform, of which those that ask the outside world are refused,
 * and the limits are the defaults. What is evaluated often is compiled instead (`hcl_program_compile`).
 *
 * HCL_OK: `*out` is owned. HCL_ERR_DIAGNOSTICS: the text or the variables are wrong, or the evaluation failed. HCL_ERR_UNKNOWN,
 * HCL_ERR_MARKED, HCL_ERR_TYPE: JSON has no word for the value, as for `hcl_value_encode`. HCL_ERR_LIMIT, HCL_ERR_CANCELLED,
 * HCL_ERR_DEADLINE: it was stopped. `diags` as for `hcl_file_parse`.
 */
HCL_API
hcl_status hcl_evaluate(const char *src,
                        size_t src_len,
                        const char *vars_json,
                        size_t vars_json_len,
                        const hcl_once_opts *opts,
                        hcl_buf **out,
                        hcl_diags **diags);

/**
 * Makes one value of a whole configuration file, as a specification says (`hcl_spec_parse`), and gives it as JSON. With
 * `HCL_ONCE_JSON` the file is of JSON syntax; the specification is native.
 *
 * `spec` is the text of the specification, which diagnostics call `specification`. `vars_json`, `opts` and the statuses are as
 * for `hcl_evaluate`; the specification's own variables and functions come on top. HCL_ERR_UNSUPPORTED: the library was built
 * without specifications.
 */
HCL_API
hcl_status hcl_decode_json(const char *src,
                           size_t src_len,
                           const char *spec,
                           size_t spec_len,
                           const char *vars_json,
                           size_t vars_json_len,
                           const hcl_once_opts *opts,
                           hcl_buf **out,
                           hcl_diags **diags);

/** @} */

/**
 * \defgroup texts Texts
 *
 * Texts that a function makes come as an `hcl_buf`, which is owned and has a NUL byte behind its last byte. An
 * `hcl_str` is a pointer and a length somewhere inside another object, and is not terminated: print it with `%.*s`.
 * @{
 */

/**
 * The text in `buf`. Unlike other texts it is followed by a NUL byte. Null gives the empty text.
 *
 * The result is borrowed from `buf`. Any thread may call this while others do the same.
 */
HCL_API hcl_str hcl_buf_str(const hcl_buf *buf);

/**
 * Releases `buf` and the text borrowed from it. Null is ignored.
 */
HCL_API void hcl_buf_free(hcl_buf *buf);

/** @} */

/**
 * \defgroup diagnostics Diagnostics
 *
 * A diagnostic is data: severity, a stable code, a summary, a detail, places, and the values of the names involved. Or it is
 * drawn: text with source lines, in colour, or JSON. Diagnostics keep the sources they speak of alive. A host adds its own
 * to the list, at the places of its handles (`hcl_diags_add`).
 * @{
 */

/**
 * The number of diagnostics. Null counts as an empty list.
 */
HCL_API size_t hcl_diags_count(const hcl_diags *diags);

/**
 * True if any of them is an error. Null counts as an empty list.
 */
HCL_API bool hcl_diags_has_errors(const hcl_diags *diags);

/**
 * Fills `*out` with the diagnostic at `index`. The texts in it are borrowed from `diags`.
 *
 * HCL_ERR_RANGE: there are not that many. HCL_ERR_ARGUMENT: a null pointer, or `out->size` is not set.
 */
HCL_API hcl_status hcl_diags_get(const hcl_diags *diags, size_t index, hcl_diag *out);

/**
 * A value of a name that takes part in the expression diagnostic `index` is about: the expression as written,
 * for example `var.port`, and a description, for example `is "http"`. Of a value with marks it tells only that there is
 * one, for example `is (sensitive value)`. Both are borrowed from `diags`.
 *
 * HCL_ERR_RANGE: there is no such diagnostic, or it has not that many values.
 */
HCL_API
hcl_status hcl_diags_value(const hcl_diags *diags,
                           size_t index,
                           size_t value_index,
                           hcl_str *expression,
                           hcl_str *description);

/**
 * Adds the diagnostics of `more` to the list `*diags`, for example to show those of several files together. A null
 * `*diags` is an empty list and becomes an owned one as soon as there is something in it. Null `more` is an empty list;
 * it stays as it is.
 */
HCL_API hcl_status hcl_diags_append(hcl_diags **diags, const hcl_diags *more);

/**
 * The diagnostics as text for people, with source lines and underlines, and an empty line between two. A detail that
 * was told just before is not told again. `opts` may be null for the defaults; null `diags` is an empty list. The
 * result is owned. HCL_ERR_CANCELLED, HCL_ERR_DEADLINE: it was stopped.
 */
HCL_API hcl_status hcl_diags_render(const hcl_diags *diags, const hcl_render_opts *opts, hcl_buf **out);

/**
 * The diagnostics as a JSON array of objects with `severity`, `code`, `summary`, `detail`, and where there is one, `range`
 * and a wider `context`. Null `diags` is an empty list. Of `opts`, which may be null, the limits count; those left out by
 * `max_count` are not told of. The result is owned.
 *
 * HCL_ERR_LIMIT: the text would be longer than `max_bytes`. HCL_ERR_CANCELLED, HCL_ERR_DEADLINE: it was stopped.
 */
HCL_API
hcl_status hcl_diags_json(const hcl_diags *diags,
                          const hcl_render_opts *opts,
                          hcl_buf **out);

/**
 * Cause and cure of a diagnostic's code, with an example, as text for people. The result is owned.
 *
 * HCL_ERR_NOT_FOUND: no diagnostic of the library has that code. HCL_ERR_UNSUPPORTED: the library was built without it.
 */
HCL_API hcl_status hcl_code_explain(const char *code, size_t code_len, hcl_buf **out);

/**
 * Releases `diags` and the texts borrowed from it. Null is ignored.
 */
HCL_API void hcl_diags_free(hcl_diags *diags);

/**
 * An empty list of diagnostics. `*out` is owned.
 */
HCL_API hcl_status hcl_diags_new(hcl_diags **out);

/**
 * Adds a diagnostic of the host to the list `*diags`, which may be one of the library's; a null `*diags` is an empty list
 * and becomes an owned one. Of `diag` the severity, the code, the summary and the detail count: texts are copied, the last two
 * up to 4,096 bytes each, and bytes in them that are no UTF-8 are shown as U+FFFD. The code is the host's own, for example
 * `gatewayd.port`; an empty one is taken for `host`. `subject` is the tight place and `context` a wider one in the same
 * source; both may be null. Without a `subject` the file name and ranges in `diag` count, of which no source lines are shown;
 * so one that `hcl_diags_get` filled can be added to another list.
 *
 * HCL_ERR_ARGUMENT: a severity that means nothing, or a place that is none. HCL_ERR_NOT_FOUND: the place is a body that was
 * made of no files.
 */
HCL_API
hcl_status hcl_diags_add(hcl_diags **diags,
                         const hcl_diag *diag,
                         const hcl_place *subject,
                         const hcl_place *context);

/**
 * Sets an extra value of the last diagnostic of the list, in place of what `key` had before: JSON has it in `extra`, SARIF in
 * `properties`. Both texts are copied. HCL_ERR_RANGE: the list is empty.
 */
HCL_API
hcl_status hcl_diags_note(hcl_diags *diags,
                          const char *key,
                          size_t key_len,
                          const char *value,
                          size_t value_len);

/**
 * An extra value of the diagnostic `index`, of which it has `hcl_diag.n_extra`. Both texts are borrowed from `diags`.
 *
 * HCL_ERR_RANGE: there is no such diagnostic, or it has not that many extra values.
 */
HCL_API
hcl_status hcl_diags_extra(const hcl_diags *diags,
                           size_t index,
                           size_t extra_index,
                           hcl_str *key,
                           hcl_str *value);

/**
 * Sorts a list by place: by file name, then by where the subjects begin and end; those without a place come last, and those of
 * one place stay in their order. Indexes and texts borrowed from the list before mean nothing any more. Null is an empty list.
 * Without memory to sort, the list stays as it is.
 */
HCL_API
void hcl_diags_sort(hcl_diags *diags);

/**
 * Shortens a list to at most `most` diagnostics: warnings go first, then errors, the last ones before those in front of them.
 * Texts borrowed from the list before mean nothing any more. Null is an empty list.
 */
HCL_API
void hcl_diags_cap(hcl_diags *diags,
                   size_t most);

/**
 * The diagnostics as a log in SARIF 2.1.0, which code scanning services read, in the name of the program `tool` of a
 * `version`. Null `diags` is an empty list. Of `opts`, which may be null, the limits count. The result is owned.
 *
 * HCL_ERR_LIMIT: the text would be longer than `max_bytes`. HCL_ERR_CANCELLED, HCL_ERR_DEADLINE: it was stopped.
 */
HCL_API
hcl_status hcl_diags_sarif(const hcl_diags *diags,
                           const char *tool,
                           size_t tool_len,
                           const char *version,
                           size_t version_len,
                           const hcl_render_opts *opts,
                           hcl_buf **out);

/** @} */

/**
 * \defgroup parsing Parsing
 *
 * A text becomes a file, with bodies in it, or an expression. Both keep the text and its name, so that diagnostics can
 * show lines of it, now and later. Parsing goes on after an error and reports several at once; with HCL_PARSE_PARTIAL
 * what could be understood can be had beside them.
 * @{
 */

/**
 * Parses a configuration file: of native syntax, or with `HCL_PARSE_JSON` of JSON syntax.
 *
 * `name` is what diagnostics call the file; nothing is opened. `src` should be UTF-8, what is not becomes a
 * diagnostic. Both are copied. A length of `HCL_NUL` means that the text ends with a NUL byte. `opts` may be
 * null.
 *
 * HCL_OK: `*file` is owned by the caller. HCL_ERR_DIAGNOSTICS: the source has errors; `*file` is written only
 * with `HCL_PARSE_PARTIAL`. HCL_ERR_LIMIT: the source nests too deep or has more than `max_diagnostics` errors,
 * then as with errors, and one more diagnostic says that others were left out; or it is too large, then there is no file in
 * any case. HCL_ERR_CANCELLED, HCL_ERR_DEADLINE: parsing was stopped; as with errors, and the file
 * has what was understood by then, which may be nothing.
 * `diags` may be null; otherwise `*diags` is always written, null when there is nothing to say.
 */
HCL_API
hcl_status hcl_file_parse(const char *name,
                          size_t name_len,
                          const char *src,
                          size_t src_len,
                          const hcl_parse_opts *opts,
                          hcl_file **file,
                          hcl_diags **diags);

/**
 * Parses one expression that makes up the whole of `src`; or, as `flags` say, one template or one JSON value.
 *
 * `start` is where the text begins in a larger file; null for where `opts` say. `opts` may be null; of the flags in it
 * only `HCL_PARSE_PARTIAL` counts.
 * Texts, statuses and `diags` are as for `hcl_file_parse`; the expression is given only with HCL_OK or with
 * `HCL_PARSE_PARTIAL`. `*expr` is owned by the caller.
 */
HCL_API
hcl_status hcl_expr_parse(const char *name,
                          size_t name_len,
                          const char *src,
                          size_t src_len,
                          const hcl_pos *start,
                          uint32_t flags,
                          const hcl_parse_opts *opts,
                          hcl_expr **expr,
                          hcl_diags **diags);

/**
 * The body of a file, borrowed from it. Null gives null.
 */
HCL_API const hcl_body *hcl_file_body(const hcl_file *file);

/**
 * The name that the file was parsed under, borrowed from it.
 */
HCL_API hcl_str hcl_file_name(const hcl_file *file);

/**
 * The source text of the file, borrowed from it. Bytes that were no UTF-8 appear as U+001A.
 */
HCL_API hcl_str hcl_file_source(const hcl_file *file);

/**
 * Another owned handle to the same file. What is borrowed from one handle lives as long as any.
 */
HCL_API hcl_status hcl_file_ref(const hcl_file *file, hcl_file **out);

/**
 * Releases a handle. The last one takes the file and all that was borrowed from it. Null is ignored.
 */
HCL_API void hcl_file_free(hcl_file *file);

/** @} */

/**
 * \defgroup expressions Expressions
 *
 * An expression, parsed on its own or borrowed from an attribute. What is evaluated often is compiled into a program instead.
 * @{
 */

/**
 * The source text of an expression, borrowed from it. Bytes that were no UTF-8 appear as U+001A.
 */
HCL_API hcl_str hcl_expr_source(const hcl_expr *expr);

/**
 * Where an expression stands.
 */
HCL_API hcl_status hcl_expr_range(const hcl_expr *expr, hcl_range *out);

/**
 * An owned handle to the same expression.
 */
HCL_API hcl_status hcl_expr_ref(const hcl_expr *expr, hcl_expr **out);

/**
 * Releases an owned expression. Null is ignored. What an attribute gave is not owned.
 */
HCL_API void hcl_expr_free(hcl_expr *expr);

/**
 * The name of the file that an expression is in, borrowed.
 */
HCL_API hcl_str hcl_expr_filename(const hcl_expr *expr);

/** @} */

/**
 * \defgroup scopes Scopes
 *
 * A scope says what names mean: variables as slots, constants, functions. It is filled, sealed, and from then on shared by
 * all threads. A scope may have a parent, whose names it sees.
 * @{
 */

/**
 * A new, open scope inside `parent`, which must be sealed; `parent` may be null. Names that the new scope does not
 * know are looked up in the parent. `*out` is owned. HCL_ERR_ARGUMENT: the parent is not sealed.
 */
HCL_API hcl_status hcl_scope_new(const hcl_scope *parent, hcl_scope **out);

/**
 * Declares a slot: a root name (`request`) or a static path (`each.key`) whose value a frame gives. `*slot` is its
 * index in frames; declaring it again gives the same index.
 *
 * A traversal that begins with the path reads the slot, of several paths the longest. An expression that uses the
 * root as a whole needs a slot for the root. Slots of a parent keep their indices; those declared here follow. What is no
 * name or path of names can be declared, but no expression comes to it. HCL_ERR_ARGUMENT: the scope is sealed, or the name
 * is empty.
 */
HCL_API
hcl_status hcl_scope_slot(hcl_scope *scope,
                          const char *name,
                          size_t name_len,
                          size_t *slot);

/**
 * Gives a root name a value that never changes; for `a.b` to mean something, `a` is an object. The scope takes a reference
 * of its own. A constant defined again is replaced. HCL_ERR_ARGUMENT: the scope is sealed, or the name is empty.
 */
HCL_API
hcl_status hcl_scope_const(hcl_scope *scope,
                           const char *name,
                           size_t name_len,
                           const hcl_value *value);

/**
 * Adds the function library of a product: `HCL_BUILTINS_…`. Functions added later win over those of the same name. Those
 * that the library was built without are not there.
 * HCL_ERR_ARGUMENT: the scope is sealed. HCL_ERR_NOT_FOUND: there is no such library.
 */
HCL_API
hcl_status hcl_scope_builtins(hcl_scope *scope,
                              uint32_t library);

/**
 * Adds the function library of a dialect by its name, such as `terraform`, `packer-1.13` or `nomad`, and takes its rule for
 * names that mean nothing: `nomad` sets HCL_SCOPE_RUNTIME_REFERENCES. `hcl_dialect_name` lists the names. HCL_ERR_ARGUMENT:
 * the scope is sealed. HCL_ERR_NOT_FOUND: there is no such dialect; the scope is as it was.
 */
HCL_API
hcl_status hcl_scope_dialect(hcl_scope *scope,
                             const char *name,
                             size_t name_len);

/**
 * The name of a dialect for `hcl_scope_dialect`, such as `terraform-1.11`. `index` counts from 0; beyond the last dialect the
 * name is empty. Each product's newest release comes first, its releases in order behind it. Static; any thread, any time.
 */
HCL_API
hcl_str hcl_dialect_name(size_t index);

/**
 * Says what becomes of references to names that mean nothing, in this scope and in those inside it that do not say otherwise:
 * one of `HCL_SCOPE_…`. Without it they are errors. HCL_ERR_ARGUMENT: the scope is sealed, or the flag is none.
 */
HCL_API
hcl_status hcl_scope_flags(hcl_scope *scope,
                           uint32_t flags);

/**
 * Adds a function of the host. The struct and its texts are copied.
 *
 * From this call on `function->drop_user` is called once, whatever becomes of the call: when the last scope that
 * holds the function goes, on whatever thread that is, or at once if the call fails. Of a struct whose `size` is wrong, or that
 * sets a field the library does not know, nothing is used, `drop_user` neither.
 * HCL_ERR_ARGUMENT: the scope is sealed, or the struct is wrong; HCL_ERR_TYPE: a type in it is no type; HCL_ERR_LIMIT: one
 * reaches a limit (`hcl_type_parse`).
 */
HCL_API
hcl_status hcl_scope_function(hcl_scope *scope,
                              const hcl_function *function);

/**
 * Seals a scope: it can no longer be changed, and can be used. Sealing again does nothing.
 */
HCL_API hcl_status hcl_scope_seal(hcl_scope *scope);

/**
 * Another owned handle to a sealed scope. HCL_ERR_ARGUMENT: it is not sealed.
 */
HCL_API hcl_status hcl_scope_ref(const hcl_scope *scope, hcl_scope **out);

/**
 * Releases a handle. Programs, frames and inner scopes keep what they need. Null is ignored.
 */
HCL_API void hcl_scope_free(hcl_scope *scope);

/** @} */

/**
 * \defgroup programs Programs
 *
 * An expression compiled against a scope: names are resolved to slots and functions, constants are folded, and unknown names are
 * reported at once. A program is immutable and shared by all threads.
 * @{
 */

/**
 * Compiles an expression against a sealed scope: names become slots and constants, functions are looked up, what is
 * constant is computed, within narrow limits. `flags` are `HCL_COMPILE_…`, joined by `|`. The program keeps what it
 * needs of both.
 *
 * HCL_ERR_DIAGNOSTICS: a name or function is not known; `*out` is written only with `HCL_COMPILE_PARTIAL`.
 * HCL_ERR_ARGUMENT: a null pointer, an unknown flag, or the scope is not sealed. `*out` is owned; `diags` as for
 * `hcl_file_parse`.
 */
HCL_API
hcl_status hcl_program_compile(const hcl_expr *expr,
                               const hcl_scope *scope,
                               uint32_t flags,
                               hcl_program **out,
                               hcl_diags **diags);

/**
 * The number of slots that a program reads. Null counts as none.
 */
HCL_API size_t hcl_program_needs_count(const hcl_program *program);

/**
 * The slot that comes at `index` among those a program reads, in ascending order; `SIZE_MAX` when there are not that
 * many. A host fills only these.
 */
HCL_API size_t hcl_program_needs_at(const hcl_program *program, size_t index);

/**
 * Another owned handle to the same program.
 */
HCL_API hcl_status hcl_program_ref(const hcl_program *program, hcl_program **out);

/**
 * Releases a handle. Null is ignored.
 */
HCL_API void hcl_program_free(hcl_program *program);

/** @} */

/**
 * \defgroup evaluation Evaluation
 *
 * A frame holds the values of a scope's slots and the limits of an evaluation. It is what an evaluation changes: each thread
 * has its own. A program is evaluated in a frame as often as wanted; for conditions and other scalars there are functions that
 * give the C value without a handle.
 * @{
 */

/**
 * A new frame for a sealed scope, its slots empty. The frame keeps the scope. `*out` is owned. HCL_ERR_ARGUMENT: the scope
 * is not sealed.
 */
HCL_API
hcl_status hcl_frame_new(const hcl_scope *scope,
                         hcl_frame **out);

/**
 * Sets a slot; null empties it. The frame takes a reference of its own. HCL_ERR_RANGE: the scope has no such slot.
 */
HCL_API hcl_status hcl_frame_set(hcl_frame *frame, size_t slot, const hcl_value *value);

/**
 * Sets a slot to a text, which is copied. HCL_ERR_RANGE: the scope has no such slot.
 */
HCL_API hcl_status hcl_frame_set_str(hcl_frame *frame, size_t slot, const char *text, size_t text_len);

/**
 * Sets a slot to a whole number. HCL_ERR_RANGE: the scope has no such slot.
 */
HCL_API hcl_status hcl_frame_set_i64(hcl_frame *frame, size_t slot, int64_t value);

/**
 * Sets a slot to a whole number. HCL_ERR_RANGE: the scope has no such slot.
 */
HCL_API hcl_status hcl_frame_set_u64(hcl_frame *frame, size_t slot, uint64_t value);

/**
 * Sets a slot to the number that a double is. HCL_ERR_RANGE: it is not a number, or the scope has no such slot.
 */
HCL_API hcl_status hcl_frame_set_f64(hcl_frame *frame, size_t slot, double value);

/**
 * Sets a slot to `true` or `false`. HCL_ERR_RANGE: the scope has no such slot.
 */
HCL_API hcl_status hcl_frame_set_bool(hcl_frame *frame, size_t slot, bool value);

/**
 * Sets a slot to a null of no particular type. HCL_ERR_RANGE: the scope has no such slot.
 */
HCL_API hcl_status hcl_frame_set_null(hcl_frame *frame, size_t slot);

/**
 * Empties all slots.
 */
HCL_API hcl_status hcl_frame_reset(hcl_frame *frame);

/**
 * Sets the limits of later evaluations; null gives the defaults back. The struct is copied. Each evaluation may use them
 * up, and its time begins with it. A switch in the struct takes the place of that of `hcl_frame_set_cancel`; without
 * one, or with null for the struct, that stays, until `hcl_frame_set_cancel` takes it away.
 */
HCL_API
hcl_status hcl_frame_set_limits(hcl_frame *frame,
                                const hcl_limits *limits);

/**
 * Sets the switch that stops later evaluations; null takes it away. The frame keeps the switch.
 */
HCL_API hcl_status hcl_frame_set_cancel(hcl_frame *frame, const hcl_cancel *cancel);

/**
 * Sets what functions may ask of the outside world in later evaluations; null takes it away, as it is at first. The
 * frame keeps the host.
 */
HCL_API hcl_status hcl_frame_set_host(hcl_frame *frame, const hcl_host *host);

/**
 * The usage of the last call that evaluated with this frame, all its evaluations together. A program uses what its expression
 * uses once. With limits of what was used the evaluation gives the same, but max_memory has to be more where the evaluation
 * holds more of the allocator than it makes. Of several evaluations, `max_elements` is the larger of the elements that all of
 * them put into collections and the parts of the largest value. `timeout_ns` is 0 and `cancel` null. Set `out->size` first.
 */
HCL_API
hcl_status hcl_frame_used(const hcl_frame *frame,
                          hcl_limits *out);

/**
 * Releases a frame. Null is ignored. A frame that is in use must not be released.
 */
HCL_API void hcl_frame_free(hcl_frame *frame);

/**
 * Evaluates a program with the values of a frame. Both must be of the same scope.
 *
 * HCL_OK: `*value` is owned. HCL_ERR_DIAGNOSTICS: the evaluation failed, `*value` is not written. HCL_ERR_UNBOUND: a slot
 * of the program (`hcl_program_needs_at`) is empty, even if this evaluation would not have come to it, and there is no
 * resolver. HCL_ERR_LIMIT, HCL_ERR_CANCELLED, HCL_ERR_DEADLINE: it was stopped. HCL_ERR_CALLBACK: a callback failed and
 * did not say why. HCL_ERR_BUSY: the frame is in use. `diags` as for `hcl_file_parse`.
 */
HCL_API
hcl_status hcl_eval(const hcl_program *program,
                    hcl_frame *frame,
                    hcl_value **value,
                    hcl_diags **diags);

/**
 * Evaluates a condition, without a handle for the result. As `hcl_eval`; the result is converted to bool, and
 * HCL_ERR_TYPE, HCL_ERR_UNKNOWN and HCL_ERR_MARKED are as for `hcl_value_as_bool`, with a diagnostic at the expression.
 */
HCL_API hcl_status hcl_eval_bool(const hcl_program *program, hcl_frame *frame, bool *out, hcl_diags **diags);

/**
 * Evaluates to a whole number, without a handle for the result. As `hcl_eval_bool`; HCL_ERR_RANGE as for
 * `hcl_value_as_i64`.
 */
HCL_API hcl_status hcl_eval_i64(const hcl_program *program, hcl_frame *frame, int64_t *out, hcl_diags **diags);

/**
 * Evaluates to the double nearest to a number, without a handle for the result. As `hcl_eval_bool`.
 */
HCL_API hcl_status hcl_eval_f64(const hcl_program *program, hcl_frame *frame, double *out, hcl_diags **diags);

/**
 * Evaluates to a text, without a handle for the result. `*out` is borrowed from the frame until the next call on it.
 * As `hcl_eval_bool`.
 */
HCL_API hcl_status hcl_eval_str(const hcl_program *program, hcl_frame *frame, hcl_str *out, hcl_diags **diags);

/**
 * Evaluates an expression once, without compiling it, in the scope and with the values of a frame. A slot that is empty
 * is an error only if the evaluation comes to it: HCL_ERR_DIAGNOSTICS at the name. Otherwise as `hcl_eval`.
 */
HCL_API hcl_status hcl_expr_eval(const hcl_expr *expr, hcl_frame *frame, hcl_value **value, hcl_diags **diags);

/** @} */

/**
 * \defgroup values Values
 *
 * A value is immutable and may be used from any thread. Numbers are exact: accessors give what fits into the C type, or
 * HCL_ERR_RANGE. A value can be null, unknown, or marked; an accessor then says so by its status instead of guessing.
 * @{
 */

/**
 * A null of the given type; of no particular type when `ty` is null.
 */
HCL_API hcl_status hcl_value_null(const hcl_type *ty, hcl_value **out);

/**
 * A value of the given type that is not known yet; of unknown type when `ty` is null.
 */
HCL_API hcl_status hcl_value_unknown(const hcl_type *ty, hcl_value **out);

/**
 * `true` or `false`.
 */
HCL_API hcl_status hcl_value_bool(bool value, hcl_value **out);

/**
 * A whole number.
 */
HCL_API hcl_status hcl_value_i64(int64_t value, hcl_value **out);

/**
 * A whole number.
 */
HCL_API hcl_status hcl_value_u64(uint64_t value, hcl_value **out);

/**
 * The number that a double is, exactly. HCL_ERR_RANGE: it is not a number.
 */
HCL_API hcl_status hcl_value_f64(double value, hcl_value **out);

/**
 * The number that a decimal text is, to 512 bits: `"0.1"`, `"-1e100"`. HCL_ERR_RANGE: the text is no number.
 */
HCL_API hcl_status hcl_value_number(const char *text, size_t text_len, hcl_value **out);

/**
 * A text. It is copied, and brought to Unicode normalization form C as HCL asks.
 */
HCL_API hcl_status hcl_value_string(const char *text, size_t text_len, hcl_value **out);

/**
 * Another owned handle to the same value, also of a borrowed one. Nothing is copied.
 */
HCL_API hcl_status hcl_value_ref(const hcl_value *value, hcl_value **out);

/**
 * Releases an owned value. Null is ignored. What was returned by a reading function is not owned.
 */
HCL_API void hcl_value_free(hcl_value *value);

/**
 * Returns the kind of a value: `HCL_KIND_…`. Marks don't matter. `HCL_KIND_INVALID` for a null pointer.
 */
HCL_API uint32_t hcl_value_kind(const hcl_value *value);

/**
 * The type of a value. `*out` is owned. Takes time in proportion to the number of elements of tuples and objects.
 */
HCL_API hcl_status hcl_value_type(const hcl_value *value, hcl_type **out);

/**
 * True if a value is null. False for a null pointer.
 */
HCL_API bool hcl_value_is_null(const hcl_value *value);

/**
 * True if a value is known; something inside it may still be unknown. False for a null pointer.
 */
HCL_API bool hcl_value_is_known(const hcl_value *value);

/**
 * True if a value and everything inside it is known. False for a null pointer.
 */
HCL_API bool hcl_value_is_wholly_known(const hcl_value *value);

/**
 * True if a value itself carries a mark. False for a null pointer.
 */
HCL_API bool hcl_value_is_marked(const hcl_value *value);

/**
 * True if a value or anything inside it carries a mark. False for a null pointer.
 */
HCL_API bool hcl_value_contains_marks(const hcl_value *value);

/**
 * The bool of a value.
 *
 * Reading functions answer: HCL_ERR_TYPE for a value of another kind, null included; HCL_ERR_UNKNOWN for one
 * that is not known; HCL_ERR_MARKED for one that carries a mark (`hcl_value_unmark_deep` first).
 */
HCL_API hcl_status hcl_value_as_bool(const hcl_value *value, bool *out);

/**
 * The number of a value as an `int64_t`. HCL_ERR_RANGE: it is not whole, or does not fit. Otherwise as
 * `hcl_value_as_bool`.
 */
HCL_API hcl_status hcl_value_as_i64(const hcl_value *value, int64_t *out);

/**
 * The number of a value as a `uint64_t`. HCL_ERR_RANGE: it is not whole, or does not fit. Otherwise as
 * `hcl_value_as_bool`.
 */
HCL_API hcl_status hcl_value_as_u64(const hcl_value *value, uint64_t *out);

/**
 * The double nearest to the number of a value; `*exact`, unless `exact` is null, tells whether it is that
 * number. Otherwise as `hcl_value_as_bool`.
 */
HCL_API hcl_status hcl_value_as_f64(const hcl_value *value, double *out, bool *exact);

/**
 * The number of a value as decimal text, without exponent and in full. `*out` is owned. Takes time in
 * proportion to the text. HCL_ERR_LIMIT: it would be longer than 16 MiB. Otherwise as `hcl_value_as_bool`.
 */
HCL_API hcl_status hcl_value_number_text(const hcl_value *value, hcl_buf **out);

/**
 * The text of a value, borrowed from it. Otherwise as `hcl_value_as_bool`.
 */
HCL_API hcl_status hcl_value_as_str(const hcl_value *value, hcl_str *out);

/**
 * A type of objects of the host, called `name` in messages. It is equal to itself only: make it once, and keep it. `*out` is
 * owned. HCL_ERR_ARGUMENT: the name is empty.
 */
HCL_API
hcl_status hcl_type_capsule(const char *name,
                            size_t name_len,
                            hcl_type **out);

/**
 * An object of the host as a value of a type of `hcl_type_capsule`. Expressions pass it on, a function of the host gets it
 * as it is (`hcl_value_as_capsule`), `==` compares whether it is the same value, and it converts to no other type. `*out` is
 * owned.
 *
 * From this call on `drop`, which may be null, is called once with `pointer`, whatever becomes of the call: when the last
 * reference to the value goes, on whatever thread that is, or at once if the call fails. HCL_ERR_TYPE: `ty` is of another kind.
 */
HCL_API
hcl_status hcl_value_capsule(const hcl_type *ty,
                             void *pointer,
                             hcl_drop drop,
                             hcl_value **out);

/**
 * The object in a value of `hcl_value_capsule`; it lives at least as long as the value. HCL_ERR_TYPE: the value is none, or of
 * another type than `ty`. HCL_ERR_UNKNOWN, HCL_ERR_MARKED: as for `hcl_value_as_bool`.
 */
HCL_API
hcl_status hcl_value_as_capsule(const hcl_value *value,
                                const hcl_type *ty,
                                void **out);

/** @} */

/**
 * \defgroup elements_of_values Elements of values
 *
 * Access to the elements of a list, set, map, tuple or object. Elements are borrowed from the value and cost no
 * allocation. The order is fixed: sequences as written, maps and objects by name, sets by their elements.
 * @{
 */

/**
 * The number of elements of a list, set, tuple, map or object. Otherwise as `hcl_value_as_bool`.
 *
 * The order of elements is defined: lists and tuples as written, sets sorted, maps and objects by key. So an
 * index from 0 to the length is how one iterates.
 */
HCL_API hcl_status hcl_value_len(const hcl_value *value, size_t *out);

/**
 * The element at `index`, borrowed from `value`; null when there are not that many, or `value` has no elements
 * or is marked.
 */
HCL_API const hcl_value *hcl_value_at(const hcl_value *value, size_t index);

/**
 * The key of the element at `index` of a map or object, borrowed from `value`.
 *
 * HCL_ERR_TYPE: no map or object. HCL_ERR_RANGE: there are not that many. Otherwise as `hcl_value_as_bool`.
 */
HCL_API hcl_status hcl_value_key_at(const hcl_value *value, size_t index, hcl_str *out);

/**
 * The element of a map, or the attribute of an object, with the given name, borrowed from `value`; null when
 * there is none, or `value` is of another kind or marked.
 */
HCL_API const hcl_value *hcl_value_get(const hcl_value *value, const char *key, size_t key_len);

/** @} */

/**
 * \defgroup values_as_text Values as text
 *
 * Values as JSON, as JSON with their types, and as canonical text, and back.
 * @{
 */

/**
 * Reads a value from text: `HCL_FORMAT_JSON` or `HCL_FORMAT_TYPED_JSON`. `ty` and `limits` may be null.
 *
 * With a type, attributes that the text lacks are null, required ones too, and defaults are not filled in: `hcl_value_convert`
 * does that and refuses.
 *
 * HCL_ERR_DIAGNOSTICS: the text is no JSON, or not of that type. HCL_ERR_UNSUPPORTED: the format can't be read.
 * HCL_ERR_LIMIT, HCL_ERR_CANCELLED, HCL_ERR_DEADLINE: reading was stopped. `*out` is owned; `diags` as for
 * `hcl_file_parse`.
 */
HCL_API
hcl_status hcl_value_decode(uint32_t format,
                            const char *text,
                            size_t text_len,
                            const hcl_type *ty,
                            const hcl_limits *limits,
                            hcl_value **out,
                            hcl_diags **diags);

/**
 * Writes a value as text: `HCL_FORMAT_…`. `flags` are `HCL_ENCODE_…`, joined by `|`; `limits` may be null.
 *
 * HCL_ERR_UNKNOWN, HCL_ERR_MARKED: something in the value is unknown or marked, the format can't say so, and no flag says
 * what to write. HCL_ERR_TYPE: it is of a kind the format has no word for, such as an infinity. HCL_ERR_UNSUPPORTED: there
 * is no such format. HCL_ERR_LIMIT, HCL_ERR_CANCELLED, HCL_ERR_DEADLINE: writing was stopped. `*out` is owned; `diags` as
 * for `hcl_file_parse`.
 */
HCL_API
hcl_status hcl_value_encode(const hcl_value *value,
                            uint32_t format,
                            uint32_t flags,
                            const hcl_limits *limits,
                            hcl_buf **out,
                            hcl_diags **diags);

/** @} */

/**
 * \defgroup building_values Building values
 *
 * A whole tree of values, made from the outside inwards by one handle: begin, keys and elements, end, finish.
 * @{
 */

/**
 * A new builder. `*out` is owned.
 */
HCL_API hcl_status hcl_builder_new(hcl_builder **out);

/**
 * Opens a container: `HCL_KIND_LIST`, `_SET`, `_MAP`, `_TUPLE` or `_OBJECT`.
 *
 * HCL_ERR_ARGUMENT: another kind, or no value belongs here (a key is missing, or all is complete).
 * HCL_ERR_LIMIT: 1000 containers are open.
 */
HCL_API hcl_status hcl_builder_begin(hcl_builder *builder, uint32_t kind);

/**
 * The key of the next element of the open map or object. Of equal keys the last one counts.
 *
 * HCL_ERR_ARGUMENT: no map or object is open, or its last key has no element yet.
 */
HCL_API hcl_status hcl_builder_key(hcl_builder *builder, const char *key, size_t key_len);

/**
 * Closes the container opened last.
 *
 * HCL_ERR_ARGUMENT: none is open, or a key has no element. HCL_ERR_TYPE: the elements of a list, set or map have no
 * common type. HCL_ERR_LIMIT: with all that is inside, values used twice counted twice, it would have more than
 * 10,000,000 elements, or nest deeper than 10,000 levels.
 */
HCL_API hcl_status hcl_builder_end(hcl_builder *builder);

/**
 * Adds a value; the builder takes a reference of its own. HCL_ERR_ARGUMENT as for `hcl_builder_begin`.
 */
HCL_API hcl_status hcl_builder_value(hcl_builder *builder, const hcl_value *value);

/**
 * Adds a null of no particular type.
 */
HCL_API hcl_status hcl_builder_null(hcl_builder *builder);

/**
 * Adds `true` or `false`.
 */
HCL_API hcl_status hcl_builder_bool(hcl_builder *builder, bool value);

/**
 * Adds a whole number.
 */
HCL_API hcl_status hcl_builder_i64(hcl_builder *builder, int64_t value);

/**
 * Adds a whole number.
 */
HCL_API hcl_status hcl_builder_u64(hcl_builder *builder, uint64_t value);

/**
 * Adds a number of any size and precision, as `hcl_value_number` makes it. HCL_ERR_RANGE: the text is no number.
 */
HCL_API hcl_status hcl_builder_number(hcl_builder *builder, const char *text, size_t text_len);

/**
 * Adds an object of the host, as `hcl_value_capsule` makes a value of it: from this call on `drop` is called once, also if the
 * call fails. HCL_ERR_TYPE: `ty` is no type of `hcl_type_capsule`.
 */
HCL_API
hcl_status hcl_builder_capsule(hcl_builder *builder,
                               const hcl_type *ty,
                               void *pointer,
                               hcl_drop drop);

/**
 * Adds the number that a double is. HCL_ERR_RANGE: it is not a number.
 */
HCL_API hcl_status hcl_builder_f64(hcl_builder *builder, double value);

/**
 * Adds a text, which is copied.
 */
HCL_API hcl_status hcl_builder_string(hcl_builder *builder, const char *text, size_t text_len);

/**
 * The finished value; the builder is then empty and can build the next one. `*out` is owned.
 *
 * HCL_ERR_ARGUMENT: a container is open, or nothing was built.
 */
HCL_API hcl_status hcl_builder_finish(hcl_builder *builder, hcl_value **out);

/**
 * Releases a builder and what it holds. Null is ignored.
 */
HCL_API void hcl_builder_free(hcl_builder *builder);

/** @} */

/**
 * \defgroup types Types
 *
 * Types go in and out as text: `list(string)`, `object({port = optional(number, 80)})`.
 * @{
 */

/**
 * Reads a type as type expressions are written: `string`, `list(number)`, `map(any)`,
 * `object({port = optional(number, 80), name = optional(string)})`. Defaults are put in by `hcl_value_convert`.
 *
 * Takes time in proportion to the text: its defaults may take 1,000,000 steps, and 100 more for each byte of the text; the type
 * with its defaults has the other limits of an evaluation that is given none. HCL_ERR_DIAGNOSTICS: the text is no type.
 * HCL_ERR_LIMIT: a limit was reached. `*out` is owned; `diags` as for `hcl_file_parse`.
 */
HCL_API
hcl_status hcl_type_parse(const char *text,
                          size_t text_len,
                          hcl_type **out,
                          hcl_diags **diags);

/**
 * Reads a type from an expression, such as the `type` of a variable's declaration, without evaluating it. As
 * `hcl_type_parse`; diagnostics stand where the expression does. HCL_ERR_TYPE: the expression is of JSON syntax, where
 * a type is a string: read that, and parse it.
 */
HCL_API hcl_status hcl_expr_type(const hcl_expr *expr, hcl_type **out, hcl_diags **diags);

/**
 * A type as a type expression, without its defaults. `*out` is owned. Takes time in proportion to the text; that of a
 * value's type has at most a few bytes for each of its elements and the names of its attributes.
 */
HCL_API hcl_status hcl_type_text(const hcl_type *ty, hcl_buf **out);

/**
 * True if two types are equal, whatever their defaults. Null is equal to nothing.
 */
HCL_API bool hcl_type_equal(const hcl_type *a, const hcl_type *b);

/**
 * Another owned handle to the same type.
 */
HCL_API hcl_status hcl_type_ref(const hcl_type *ty, hcl_type **out);

/**
 * Releases a type. Null is ignored.
 */
HCL_API void hcl_type_free(hcl_type *ty);

/** @} */

/**
 * \defgroup comparing_and_converting_values Comparing and converting values
 *
 * Two values side by side, in the language's sense and exactly; an order and a hash for containers of the host; a value
 * as another type.
 * @{
 */

/**
 * True if two values are equal in type, content, unknowns and marks. False for null pointers. Takes time in
 * proportion to the smaller one, which is at most some tenths of a second for the largest there can be.
 */
HCL_API bool hcl_value_identical(const hcl_value *a, const hcl_value *b);

/**
 * The answer of HCL's `==`: a bool that may be unknown and carries the marks of both. `limits` may be null. `*out` is
 * owned. HCL_ERR_LIMIT, HCL_ERR_CANCELLED, HCL_ERR_DEADLINE: comparing was stopped. `diags` as for `hcl_file_parse`.
 */
HCL_API
hcl_status hcl_value_equal(const hcl_value *a,
                           const hcl_value *b,
                           const hcl_limits *limits,
                           hcl_value **out,
                           hcl_diags **diags);

/**
 * The order of two numbers by size, of two texts by their bytes, or of two bools, `false` first: `*out` is -1, 0 or 1.
 * HCL_ERR_TYPE: they are of different kinds, or of another one. Otherwise as `hcl_value_as_bool`.
 */
HCL_API hcl_status hcl_value_compare(const hcl_value *a, const hcl_value *b, int32_t *out);

/**
 * A number for what a value is: identical values have the same, on every machine and in every version of the library with
 * the same first two numbers. Not fit against those who choose values to collide. `limits` may be null. `diags` as for
 * `hcl_file_parse`.
 *
 * HCL_ERR_LIMIT, HCL_ERR_CANCELLED, HCL_ERR_DEADLINE: the work was stopped.
 */
HCL_API
hcl_status hcl_value_hash(const hcl_value *value,
                          const hcl_limits *limits,
                          uint64_t *out,
                          hcl_diags **diags);

/**
 * A value as another type, by HCL's conversion rules, completed with the defaults of the type if it has any. `limits` may
 * be null. `*out` is owned; `diags` as for
 * `hcl_file_parse`. HCL_ERR_TYPE: there is no conversion, or it fails for this value; the diagnostic says why.
 * HCL_ERR_LIMIT, HCL_ERR_CANCELLED, HCL_ERR_DEADLINE: it was stopped.
 */
HCL_API
hcl_status hcl_value_convert(const hcl_value *value,
                             const hcl_type *ty,
                             const hcl_limits *limits,
                             hcl_value **out,
                             hcl_diags **diags);

/** @} */

/**
 * \defgroup bodies Bodies
 *
 * A body is attributes and blocks, in source order, by index. All of it is borrowed from the file. In JSON syntax nothing
 * tells blocks from attributes: such bodies are read by schema.
 * @{
 */

/**
 * The number of attributes. Null counts as an empty body. 0 if there is no memory for their handles, of which the first question
 * makes those of the whole body.
 */
HCL_API
size_t hcl_body_attr_count(const hcl_body *body);

/**
 * The attribute at `index`, in the order of the source; null when there are not that many, or no memory for their handles.
 */
HCL_API
const hcl_attr *hcl_body_attr_at(const hcl_body *body,
                                 size_t index);

/**
 * The attribute of the given name; null when there is none, or no memory for the handles. Takes time logarithmic in their
 * number.
 */
HCL_API
const hcl_attr *hcl_body_attr_find(const hcl_body *body,
                                   const char *name,
                                   size_t name_len);

/**
 * The name of an attribute, borrowed.
 */
HCL_API hcl_str hcl_attr_name(const hcl_attr *attr);

/**
 * The expression of an attribute, borrowed. Null gives null.
 */
HCL_API const hcl_expr *hcl_attr_expr(const hcl_attr *attr);

/**
 * Where an attribute stands: from its name to the end of its expression.
 */
HCL_API hcl_status hcl_attr_range(const hcl_attr *attr, hcl_range *out);

/**
 * Where something that a body should have is said to be missing: the empty place where the body begins. Of several
 * files read as one it is that of the first. HCL_ERR_NOT_FOUND: there is no such place, because the body was made of no
 * files.
 */
HCL_API hcl_status hcl_body_missing_range(const hcl_body *body, hcl_range *out);

/**
 * The number of blocks. Null counts as an empty body. 0 as for `hcl_body_attr_count`.
 */
HCL_API size_t hcl_body_block_count(const hcl_body *body);

/**
 * The block at `index`, in the order of the source; null when there are not that many, or no memory for their handles.
 */
HCL_API const hcl_block *hcl_body_block_at(const hcl_body *body, size_t index);

/**
 * The type of a block, for example `resource`; borrowed.
 */
HCL_API hcl_str hcl_block_type(const hcl_block *block);

/**
 * The number of labels of a block.
 */
HCL_API size_t hcl_block_label_count(const hcl_block *block);

/**
 * The label at `index`, quotes and escapes resolved; borrowed. Empty when there are not that many.
 */
HCL_API hcl_str hcl_block_label(const hcl_block *block, size_t index);

/**
 * Where the label at `index` stands, quotes included. HCL_ERR_RANGE: there are not that many.
 */
HCL_API hcl_status hcl_block_label_range(const hcl_block *block, size_t index, hcl_range *out);

/**
 * The body of a block, borrowed. Null gives null.
 */
HCL_API const hcl_body *hcl_block_body(const hcl_block *block);

/**
 * Where a block stands: from its type to its closing brace. In JSON syntax it is the object that is its body, and of a
 * block that a `dynamic` block made, the whole `dynamic` block.
 */
HCL_API hcl_status hcl_block_range(const hcl_block *block, hcl_range *out);

/**
 * Where the type of a block stands: of a block that a `dynamic` block made, the label of that.
 */
HCL_API hcl_status hcl_block_type_range(const hcl_block *block, hcl_range *out);

/**
 * Returns the place for messages about a block as a whole: its header, from the type to the last label. In JSON
 * syntax it is the opening brace, and of a block that a `dynamic` block made, the header of that.
 */
HCL_API hcl_status hcl_block_definition_range(const hcl_block *block, hcl_range *out);

/**
 * The name of the file that a block is in, borrowed.
 */
HCL_API hcl_str hcl_block_filename(const hcl_block *block);

/**
 * Where the name of an attribute stands.
 */
HCL_API hcl_status hcl_attr_name_range(const hcl_attr *attr, hcl_range *out);

/**
 * The value of an attribute, evaluated once, in the scope and with the values of a frame.
 *
 * Unlike `hcl_expr_eval` it knows where the attribute stands: in a block that a `dynamic` block made the iterators have
 * their values, the value carries the marks of the collection gone through, and it is unknown where the collection is.
 * `frame` may be null: then nothing can be referred to, and strings of JSON syntax are no templates. Otherwise as
 * `hcl_expr_eval`.
 */
HCL_API hcl_status hcl_attr_eval(const hcl_attr *attr, hcl_frame *frame, hcl_value **value, hcl_diags **diags);

/**
 * The variables that an attribute refers to, as by `hcl_expr_variables`; the iterators of `dynamic` blocks around it are
 * left out. `*out` is owned.
 */
HCL_API
hcl_status hcl_attr_variables(const hcl_attr *attr,
                              hcl_traversals **out);

/**
 * True if a body stands for blocks of which nothing is known, not even how many they are: those that a `dynamic`
 * block makes of a collection that is not known. False for a null pointer.
 */
HCL_API bool hcl_body_is_unknown(const hcl_body *body);

/**
 * An owned handle to the same body, which keeps what it needs of the file.
 */
HCL_API hcl_status hcl_body_ref(const hcl_body *body, hcl_body **out);

/**
 * Releases an owned body. What was borrowed from it lives as long as any handle to the same body. Null is ignored. What
 * a file or a block gave is not owned.
 */
HCL_API void hcl_body_free(hcl_body *body);

/** @} */

/**
 * \defgroup reading_by_schema Reading by schema
 *
 * A schema says which attributes and blocks a body may have. Reading by schema gives what it asks for and complains about the
 * rest, or leaves the rest to the next reader; it works alike for both syntaxes, and for several files as one body.
 * @{
 */

/**
 * Reads a schema. It is written as a body that looks like those it describes:
 *
 * ```text
 * region = required            # an argument that must be there
 * zone   = optional
 * service "name" "kind" {      # blocks with two labels; what they are called is for messages
 *   port = required
 * }
 * tags {}                      # blocks with arguments of any names
 * ```
 *
 * Texts, `opts`, statuses and `diags` are as for `hcl_file_parse`; the flags must be 0, and schemas nest no deeper than
 * 1000. `*out` is owned, and written only with HCL_OK.
 */
HCL_API
hcl_status hcl_schema_parse(const char *name,
                            size_t name_len,
                            const char *src,
                            size_t src_len,
                            const hcl_parse_opts *opts,
                            hcl_schema **out,
                            hcl_diags **diags);

/**
 * The schema of what is inside the blocks of a type, borrowed; null when nothing is said of them, and their bodies are
 * arguments of any names.
 */
HCL_API const hcl_schema *hcl_schema_block(const hcl_schema *schema, const char *block_type, size_t block_type_len);

/**
 * An owned handle to the same schema; a copy, so it takes time in proportion to its size.
 */
HCL_API hcl_status hcl_schema_ref(const hcl_schema *schema, hcl_schema **out);

/**
 * Releases an owned schema. Null is ignored. What `hcl_schema_block` gave is not owned.
 */
HCL_API void hcl_schema_free(hcl_schema *schema);

/**
 * Reads a body by schema: what the schema asks for, as far as it is there, and complaints about what is missing, and
 * about everything else unless `HCL_CONTENT_PARTIAL` is among the flags.
 *
 * `*content` is an owned body with just these attributes and blocks, each in the order of the source; it is looked at
 * with `hcl_body_attr_…` and `hcl_body_block_…`, and reading it again by schema gives HCL_ERR_TYPE. The bodies of its
 * blocks have not been read: they are read by schemas of their own, those of native syntax can also be looked at as they
 * are. `*rest`, which may be null and is null without `HCL_CONTENT_PARTIAL`, is an owned body of what the schema did not
 * ask for, for other readers.
 *
 * `frame` is used where `dynamic` blocks are expanded (`hcl_body_expand_dynamic`): it must be of the scope given
 * there. It may be null; then slots are empty and the default limits hold.
 *
 * HCL_ERR_DIAGNOSTICS: the body is not as the schema wants it; `*content` and `*rest` are written only with
 * `HCL_CONTENT_WITH_ERRORS`. HCL_ERR_LIMIT, HCL_ERR_CANCELLED, HCL_ERR_DEADLINE, HCL_ERR_BUSY: as for `hcl_eval`; more than
 * 1,000 problems are HCL_ERR_LIMIT, too. The content is not all of it then.
 */
HCL_API
hcl_status hcl_body_content(const hcl_body *body,
                            const hcl_schema *schema,
                            uint32_t flags,
                            hcl_frame *frame,
                            hcl_body **content,
                            hcl_body **rest,
                            hcl_diags **diags);

/**
 * All attributes of a body that should have no blocks: `*content` is an owned body with them, as by `hcl_body_content`.
 * In JSON syntax every property is an attribute. `flags` is 0 or `HCL_CONTENT_WITH_ERRORS`.
 *
 * HCL_ERR_DIAGNOSTICS: there is a block, or what should be an object is none. HCL_ERR_LIMIT: there are more than 1,000
 * problems, or the body takes more memory than the default of `hcl_limits`. The content is not all of it then.
 */
HCL_API
hcl_status hcl_body_just_attributes(const hcl_body *body,
                                    uint32_t flags,
                                    hcl_body **content,
                                    hcl_diags **diags);

/**
 * Several bodies read as one, in the order given: an attribute may be set in one of them only, what a schema requires
 * may be in any. `bodies` are `n_bodies` pointers; native and JSON syntax may be mixed. `*out` is owned, and keeps what it
 * needs.
 *
 * Merging comes first: HCL_ERR_TYPE if one of them is what `hcl_body_content` gave, or has its `dynamic` blocks
 * expanded.
 */
HCL_API
hcl_status hcl_body_merge(const hcl_body *const *bodies,
                          size_t n_bodies,
                          hcl_body **out);

/**
 * The variables of all that a schema asks for in a body and in its blocks, found without evaluating anything: those of a
 * body's attributes before those of its blocks, else in the order of the source. Where `dynamic` blocks are to be
 * expanded they are looked into, and their iterators are left out. `flags` is 0 or `HCL_VARIABLES_FOR_EXPANSION`. What
 * is wrong with the body is not said here. `*out` is owned.
 */
HCL_API
hcl_status hcl_body_variables(const hcl_body *body,
                              const hcl_schema *schema,
                              uint32_t flags,
                              hcl_traversals **out);

/** @} */

/**
 * \defgroup decoding_by_specification Decoding by specification
 *
 * A specification says which value is to be made of a body: one object with its attributes, its blocks as objects, lists or
 * maps, defaults for what is missing, types for what is there. It is a text in the language of the command `hcldec`.
 * @{
 */

/**
 * Reads a specification, a text in the language of the tool `hcldec` (its manual: tests/cases/decoding/specifications.md in
 * the sources); with `HCL_PARSE_JSON` in its JSON form, where types are written as templates, `"${number}"`:
 *
 * ```text
 * object {
 *   attr "port" {
 *     type     = number
 *     required = true
 *   }
 *   block_map "service" {
 *     labels = ["name"]
 *     attr {
 *       name = "host"
 *       type = string
 *     }
 *   }
 * }
 * ```
 *
 * Expressions in it are evaluated here, within the default limits and the timeout and switch of `opts`. Texts, `opts`,
 * statuses and `diags` are as for `hcl_file_parse`, but `*out` is written only with HCL_OK. `*out` is owned.
 * HCL_ERR_UNSUPPORTED: the library was built without it; then there are no specifications.
 */
HCL_API
hcl_status hcl_spec_parse(const char *name,
                          size_t name_len,
                          const char *src,
                          size_t src_len,
                          const hcl_parse_opts *opts,
                          hcl_spec **out,
                          hcl_diags **diags);

/**
 * The type of the values that a specification gives, `any` where it depends on the body. `*out` is owned.
 */
HCL_API hcl_status hcl_spec_type(const hcl_spec *spec, hcl_type **out);

/**
 * The schema that follows from a specification, with those of all blocks. `*out` is owned.
 */
HCL_API hcl_status hcl_spec_schema(const hcl_spec *spec, hcl_schema **out);

/**
 * A sealed scope with the variables and functions that a specification brings along for the bodies it decodes (its
 * blocks `variables` and `function`), inside `parent`, which must be sealed and may be null. `*out` is owned.
 */
HCL_API hcl_status hcl_spec_scope(const hcl_spec *spec, const hcl_scope *parent, hcl_scope **out);

/**
 * The variables of all expressions that decoding reads, found without evaluating anything: in the order of the
 * specification, or where `dynamic` blocks are to be expanded, in that of the text, their iterators left out.
 * `flags` is 0 or `HCL_VARIABLES_FOR_EXPANSION`. What is wrong with the body is not said here. `*out` is owned.
 */
HCL_API hcl_status hcl_spec_variables(const hcl_spec *spec, const hcl_body *body, uint32_t flags, hcl_traversals **out);

/**
 * The value of a body. Its expressions are evaluated in the scope and with the values of a frame, whose limits count for
 * all of them together; where `frame` is null, with what the specification brings along and nothing else, within the
 * default limits. For both there is `hcl_spec_scope`. Blocks that `dynamic` blocks stand for are among the others if
 * the body is one of `hcl_body_expand_dynamic`; the frame must then be of the scope given there.
 *
 * HCL_OK: `*value` is owned, and of the type that `hcl_spec_type` gives. HCL_ERR_DIAGNOSTICS: the body does not fit the
 * specification, or an expression failed. HCL_ERR_TYPE: the body is what `hcl_body_content` gave. HCL_ERR_LIMIT,
 * HCL_ERR_CANCELLED, HCL_ERR_DEADLINE, HCL_ERR_BUSY and `diags`: as for `hcl_eval`.
 */
HCL_API
hcl_status hcl_spec_decode(const hcl_spec *spec,
                           const hcl_body *body,
                           hcl_frame *frame,
                           hcl_value **value,
                           hcl_diags **diags);

/**
 * Where a part of a decoded value comes from. `path` leads to it in the value that `spec` makes of `body`, such as
 * `listen.public.port` or `servers[0]`; the empty path is the whole value. `part` is HCL_PLACE_VALUE for the expression, or the
 * element of one that is written out; HCL_PLACE_WHOLE, HCL_PLACE_NAME or HCL_PLACE_HEADER for the attribute or block that it is
 * in. What the body does not have is where it would have to be put. `frame` is needed only for `dynamic` blocks, and may be
 * null. `*filename`, which may be left out by a null pointer, is borrowed from `body`. `hcl_place` says the same for a
 * diagnostic.
 *
 * HCL_ERR_NOT_FOUND: the specification makes no such part, or makes it of nothing in the body: of a literal, or as an element of
 * a set. HCL_ERR_ARGUMENT: `path` is no path. HCL_ERR_TYPE: the body is what `hcl_body_content` gave.
 */
HCL_API
hcl_status hcl_decoded_range(const hcl_spec *spec,
                             const hcl_body *body,
                             hcl_frame *frame,
                             const char *path,
                             size_t path_len,
                             uint32_t part,
                             hcl_str *filename,
                             hcl_range *out);

/**
 * Another owned handle to the same specification.
 */
HCL_API hcl_status hcl_spec_ref(const hcl_spec *spec, hcl_spec **out);

/**
 * Releases a handle. Null is ignored.
 */
HCL_API void hcl_spec_free(hcl_spec *spec);

/** @} */

/**
 * \defgroup dynamic_blocks Dynamic blocks
 *
 * A `dynamic` block stands for as many blocks as its `for_each` has elements. A body in which they are expanded is read
 * like any other.
 * @{
 */

/**
 * A body in which `dynamic` blocks are expanded, in it and in its blocks, whenever it is read by schema or decoded:
 * blocks that they make stand among the written ones. Looked at as it is (`hcl_body_block_at`) it shows the `dynamic`
 * blocks themselves.
 *
 * `for_each` and `labels` are evaluated in `scope`, which must be sealed and may be null for no names at all; the values
 * of its slots come from the frame that is given when the body is read. `opts` may be null: blocks of all types are
 * generated. What is in a generated block is evaluated by `hcl_attr_eval`, which knows the iterators. `*out` is owned,
 * and keeps what it needs.
 *
 * HCL_ERR_TYPE: the body is what `hcl_body_content` gave, or is expanded already. HCL_ERR_UNSUPPORTED: the library was built
 * without it.
 */
HCL_API
hcl_status hcl_body_expand_dynamic(const hcl_body *body,
                                   const hcl_scope *scope,
                                   const hcl_dynamic_opts *opts,
                                   hcl_body **out);

/** @} */

/**
 * \defgroup functions_of_the_host Functions of the host
 *
 * C callbacks as functions of the language. The library checks the number of arguments and converts them to the types of the
 * parameters; null, unknown and marked arguments reach a callback only if its parameter says that it takes them.
 * @{
 */

/**
 * The number of arguments, those of a variadic parameter included. Null counts as none.
 */
HCL_API size_t hcl_call_count(const hcl_call *call);

/**
 * The argument at `index`, borrowed until the callback returns; null when there are not that many.
 */
HCL_API const hcl_value *hcl_call_arg(const hcl_call *call, size_t index);

/**
 * The text of the argument at `index`, borrowed until the callback returns. As `hcl_value_as_str`;
 * HCL_ERR_RANGE: there are not that many.
 */
HCL_API hcl_status hcl_call_arg_str(const hcl_call *call, size_t index, hcl_str *out);

/**
 * The whole number of the argument at `index`. As `hcl_value_as_i64`; HCL_ERR_RANGE also: there are not that many.
 */
HCL_API hcl_status hcl_call_arg_i64(const hcl_call *call, size_t index, int64_t *out);

/**
 * The bool of the argument at `index`. As `hcl_value_as_bool`; HCL_ERR_RANGE: there are not that many.
 */
HCL_API hcl_status hcl_call_arg_bool(const hcl_call *call, size_t index, bool *out);

/**
 * Sets the result; the library takes a reference of its own, so the callback still frees what it owns.
 */
HCL_API hcl_status hcl_call_return(hcl_call *call, const hcl_value *value);

/**
 * Sets a text as the result; it is copied, and that of a function counts as text that is made. HCL_ERR_LIMIT: it is longer than
 * the `max_memory` of the evaluation, which ends with that limit whatever the callback returns.
 */
HCL_API
hcl_status hcl_call_return_str(hcl_call *call,
                               const char *text,
                               size_t text_len);

/**
 * Sets a whole number as the result.
 */
HCL_API hcl_status hcl_call_return_i64(hcl_call *call, int64_t value);

/**
 * Sets a whole number as the result.
 */
HCL_API hcl_status hcl_call_return_u64(hcl_call *call, uint64_t value);

/**
 * Sets the number that a double is as the result. HCL_ERR_RANGE: it is not a number.
 */
HCL_API hcl_status hcl_call_return_f64(hcl_call *call, double value);

/**
 * Sets `true` or `false` as the result.
 */
HCL_API hcl_status hcl_call_return_bool(hcl_call *call, bool value);

/**
 * Sets a null of no particular type as the result.
 */
HCL_API hcl_status hcl_call_return_null(hcl_call *call);

/**
 * Sets the type of a result that is not known: only for `hcl_function.result_type_of`. The library takes a reference of
 * its own.
 */
HCL_API hcl_status hcl_call_return_type(hcl_call *call, const hcl_type *ty);

/**
 * Says why a call failed: `argument` is the index of the argument at fault, or `HCL_NO_ARGUMENT` (any number that is no
 * index). The message is shown after a colon, so it begins with a small letter; it is copied. Then return anything but 0.
 */
HCL_API
hcl_status hcl_call_fail(hcl_call *call,
                         size_t argument,
                         const char *message,
                         size_t message_len);

/**
 * True once the evaluation that makes the call has been cancelled or its deadline has passed: a long callback asks
 * now and then, and gives up with HCL_ERR_CANCELLED. If it was the deadline, the evaluation answers HCL_ERR_DEADLINE.
 */
HCL_API bool hcl_call_cancelled(const hcl_call *call);

/**
 * Sets what callbacks of later evaluations with this frame are told by `hcl_call_user` and `hcl_answer_user`: for whom they
 * are called, for example. The library only passes the pointer on; null, as at first, takes it away. It must be good as long as
 * evaluations may run. HCL_ERR_BUSY: the frame is in use.
 */
HCL_API
hcl_status hcl_frame_set_user(hcl_frame *frame,
                              void *user);

/**
 * The pointer that `hcl_frame_set_user` gave the frame of the evaluation; null if it gave nothing, while a program is
 * compiled, in `hcl_function.result_type_of`, and where something is evaluated without a frame.
 */
HCL_API void *hcl_call_user(const hcl_call *call);

/**
 * The pointer that `hcl_frame_set_user` gave the frame of the evaluation; null if it gave nothing, and while a module
 * is loaded or evaluated.
 */
HCL_API void *hcl_answer_user(const hcl_answer *answer);

/**
 * Says why a call failed, in diagnostics of the host (`hcl_diags_add`) or of the library, for example those of another file.
 * Diagnostics without a place get that of the argument `argument`, or of the call with `HCL_NO_ARGUMENT`; of a look-up that of
 * the variable. If all have places in other sources, one more says that this call failed. The list is copied. Then return
 * anything but 0. HCL_ERR_ARGUMENT: there is no error in the list.
 */
HCL_API
hcl_status hcl_call_fail_with(hcl_call *call,
                              size_t argument,
                              const hcl_diags *diags);

/**
 * Says why there is no answer, as `hcl_call_fail_with` does: diagnostics without a place get that of the call of the function
 * that asks. Then return anything but 0. HCL_ERR_ARGUMENT: there is no error in the list.
 */
HCL_API
hcl_status hcl_answer_fail_with(hcl_answer *answer,
                                const hcl_diags *diags);

/** @} */

/**
 * \defgroup variables_looked_up_when_needed Variables looked up when needed
 *
 * A callback that is asked for the value of a variable when an evaluation needs it, and only then.
 * @{
 */

/**
 * Sets who is asked for the values of slots that are empty, in later evaluations; null takes it away. The struct is
 * copied. Answers are kept until the evaluation ends, or with `HCL_RESOLVER_KEEP` until `hcl_frame_reset`.
 *
 * From this call on `resolver->drop_user` is called once, whatever becomes of the call: when the frame goes or is given
 * another resolver, or at once if the call fails. Of a struct whose `size` is wrong, or that sets a field the library does not
 * know, nothing is used, `drop_user` neither. HCL_ERR_ARGUMENT: the struct is wrong. HCL_ERR_BUSY: the frame is in use.
 */
HCL_API
hcl_status hcl_frame_set_resolver(hcl_frame *frame,
                                  const hcl_resolver *resolver);

/** @} */

/**
 * \defgroup limits_and_cancelling Limits and cancelling
 *
 * Work is bounded: evaluations, by `hcl_frame_set_limits`, and work on single values, by an argument, in depth, steps,
 * elements, output and memory (`hcl_limits`); the reading of sources in depth and length (`hcl_parse_opts`). Reaching such a
 * limit is an error of its own, HCL_ERR_LIMIT; `hcl_frame_used` tells what an evaluation used. How many diagnostics are kept
 * and how long their text becomes is bounded too (`hcl_parse_opts`, `hcl_render_opts`). Each of the three structs also has a
 * timeout, none by default, which ends the call with HCL_ERR_DEADLINE, and may name a switch, by which another thread or a
 * signal handler ends it with HCL_ERR_CANCELLED.
 * @{
 */

/**
 * A new switch, not thrown. `*out` is owned.
 */
HCL_API hcl_status hcl_cancel_new(hcl_cancel **out);

/**
 * Throws the switch: evaluations of frames, parses and other calls that it was given to end with HCL_ERR_CANCELLED, now and
 * later. It can't be thrown back.
 *
 * Any thread, also inside a signal handler: it is one atomic store and nothing else, so it is async-signal-safe. The
 * handle must be live. Null is ignored.
 */
HCL_API
void hcl_cancel_trigger(const hcl_cancel *cancel);

/**
 * Another owned handle to the same switch.
 */
HCL_API hcl_status hcl_cancel_ref(const hcl_cancel *cancel, hcl_cancel **out);

/**
 * Releases a handle. Frames that were given the switch keep it. Null is ignored.
 */
HCL_API void hcl_cancel_free(hcl_cancel *cancel);

/** @} */

/**
 * \defgroup the_outside_world The outside world
 *
 * Functions of the language that read files, the environment, the clock or random numbers ask the host of the evaluation.
 * Without one they fail. A host is made of callbacks, or opens as much of the real world as it is told to.
 * @{
 */

/**
 * A host that asks callbacks. The struct is copied. `*out` is owned.
 *
 * From this call on `callbacks->drop_user` is called once, whatever becomes of the call: when the last handle and the
 * last frame that has the host go, on whatever thread that is, or at once if the call fails. Of a struct whose `size` is wrong,
 * or that sets a field the library does not know, nothing is used, `drop_user` neither.
 */
HCL_API
hcl_status hcl_host_new(const hcl_host_callbacks *callbacks,
                        hcl_host **out);

/**
 * Another owned handle to the same host.
 */
HCL_API hcl_status hcl_host_ref(const hcl_host *host, hcl_host **out);

/**
 * Releases a handle. Frames that were given the host keep it. Null is ignored.
 */
HCL_API void hcl_host_free(hcl_host *host);

/**
 * Answers with bytes or a text; they are copied.
 */
HCL_API hcl_status hcl_answer_bytes(hcl_answer *answer, const char *bytes, size_t len);

/**
 * Answers with what stands at a path: `HCL_FILE_…`.
 */
HCL_API hcl_status hcl_answer_kind(hcl_answer *answer, uint32_t kind);

/**
 * Adds an entry of a folder: its name, which is copied, and its kind, `HCL_FILE_…`.
 */
HCL_API hcl_status hcl_answer_entry(hcl_answer *answer, const char *name, size_t name_len, uint32_t kind);

/**
 * Answers with a time: seconds since 1970-01-01 00:00:00 UTC, and nanoseconds. HCL_ERR_RANGE: there are 10⁹ or more
 * nanoseconds.
 */
HCL_API hcl_status hcl_answer_time(hcl_answer *answer, int64_t seconds, uint32_t nanoseconds);

/**
 * Says why there is no answer. The message is shown after a colon, so it begins with a small letter; up to 4,096 bytes of it
 * are copied. Then return anything but 0.
 */
HCL_API
hcl_status hcl_answer_fail(hcl_answer *answer,
                           const char *message,
                           size_t message_len);

/**
 * A host that opens as much of the real world as it is told to. `*out` is owned; `diags` as for `hcl_file_parse`.
 *
 * Files are those in the folders, at any depth; links and `..` are followed, but not out of the folders, also if
 * links change in the meantime. Only regular files are read. HCL_ERR_DIAGNOSTICS: a folder can't be opened.
 * HCL_ERR_UNSUPPORTED: the library was built without it.
 */
HCL_API hcl_status hcl_host_system(const hcl_host_opts *opts, hcl_host **out, hcl_diags **diags);

/** @} */

/**
 * \defgroup marks Marks
 *
 * A mark is a name that a value carries through evaluation, such as `sensitive`. No diagnostic quotes a marked value, and
 * `hcl_value_encode` writes one only with HCL_ENCODE_REVEAL. Explanations leave out values that are marked `sensitive` or
 * `ephemeral`, and show those with other marks. A caller who may see a value takes the marks off.
 * @{
 */

/**
 * True if a value itself carries the mark of the given name.
 */
HCL_API bool hcl_value_has_mark(const hcl_value *value, const char *name, size_t name_len);

/**
 * How many marks a value itself carries. Null counts as none.
 */
HCL_API size_t hcl_value_mark_count(const hcl_value *value);

/**
 * The name of the mark at `index` of those that a value itself carries, sorted, borrowed from the value; empty when there
 * are not that many.
 */
HCL_API
hcl_str hcl_value_mark_at(const hcl_value *value,
                          size_t index);

/**
 * The value with a mark of the given name added. `*out` is owned.
 */
HCL_API hcl_status hcl_value_mark(const hcl_value *value, const char *name, size_t name_len, hcl_value **out);

/**
 * The value without any marks, its own or inside: what was marked `sensitive` becomes readable. `*out` is owned.
 *
 * `*marks`, unless `marks` is null, is an owned list of where the marks were. `limits` may be null. HCL_ERR_LIMIT,
 * HCL_ERR_CANCELLED, HCL_ERR_DEADLINE: the work was stopped. `diags` as for `hcl_file_parse`.
 */
HCL_API
hcl_status hcl_value_unmark_deep(const hcl_value *value,
                                 const hcl_limits *limits,
                                 hcl_value **out,
                                 hcl_marks **marks,
                                 hcl_diags **diags);

/**
 * How many marks there are in a list. Null counts as empty.
 */
HCL_API size_t hcl_marks_count(const hcl_marks *marks);

/**
 * The mark at `index`: the place of the part that carried it, for example `.users[0].password`, empty for the value
 * itself, and its name. Both are borrowed from `marks`. HCL_ERR_RANGE: there are not that many.
 */
HCL_API hcl_status hcl_marks_at(const hcl_marks *marks, size_t index, hcl_str *path, hcl_str *name);

/**
 * Releases a list of marks. Null is ignored.
 */
HCL_API void hcl_marks_free(hcl_marks *marks);

/** @} */

/**
 * \defgroup references_and_names References and names
 *
 * Which variables and functions an expression needs, without evaluating it: for finding the order of definitions, for
 * filling only what is used, for refusing what is not allowed.
 * @{
 */

/**
 * The variables that `expr` refers to: root names with the attributes and literal indexes that follow. Names
 * that a `for` of the expression itself introduces are left out. `*out` is owned.
 */
HCL_API hcl_status hcl_expr_variables(const hcl_expr *expr, hcl_traversals **out);

/**
 * The functions that `expr` calls, in the order of the source, repetitions kept: each as an entry without steps, whose
 * root is the function's name (parts joined by `::`) and whose range is where the name stands. `*out` is owned.
 */
HCL_API hcl_status hcl_expr_functions(const hcl_expr *expr, hcl_traversals **out);

/**
 * An expression as a traversal, without evaluating it: a name with attributes and literal indexes; in JSON syntax a
 * string that holds one. `true`, `false` and `null` count as names. `*out` is an owned list of one entry.
 *
 * HCL_ERR_TYPE: the expression is something else, parentheses and templates included.
 */
HCL_API hcl_status hcl_expr_static_traversal(const hcl_expr *expr, hcl_traversals **out);

/**
 * Parses a reference that stands alone and makes up the whole of `src`, such as `module.web["a"].port`.
 *
 * `flags` is 0 or `HCL_TRAVERSAL_SPLAT`. Texts, `start`, `opts`, statuses and `diags` are as for `hcl_expr_parse`; with
 * `HCL_PARSE_PARTIAL` what was read before the first error is given too, if it has a root name. `*out` is an owned
 * list of one entry.
 */
HCL_API
hcl_status hcl_traversal_parse(const char *name,
                               size_t name_len,
                               const char *src,
                               size_t src_len,
                               const hcl_pos *start,
                               uint32_t flags,
                               const hcl_parse_opts *opts,
                               hcl_traversals **out,
                               hcl_diags **diags);

/**
 * The number of entries in the list. Null counts as an empty list.
 */
HCL_API size_t hcl_traversals_count(const hcl_traversals *list);

/**
 * The root name of the entry at `index`, for example `local`; borrowed. Empty when there are not that many.
 */
HCL_API hcl_str hcl_traversals_root(const hcl_traversals *list, size_t index);

/**
 * The entry at `index` as text, for example `local.ports["http"]`; borrowed. Empty when there are not that many.
 */
HCL_API hcl_str hcl_traversals_text(const hcl_traversals *list, size_t index);

/**
 * Where the entry at `index` stands. HCL_ERR_RANGE: there are not that many.
 */
HCL_API hcl_status hcl_traversals_range(const hcl_traversals *list, size_t index, hcl_range *out);

/**
 * The name of the file that the entry at `index` is in; borrowed. Empty when there are not that many.
 */
HCL_API hcl_str hcl_traversals_filename(const hcl_traversals *list, size_t index);

/**
 * The number of steps after the root of the entry at `index`; 0 when there are not that many entries.
 */
HCL_API size_t hcl_traversals_step_count(const hcl_traversals *list, size_t index);

/**
 * Fills `*out` with a step of the entry at `index`. HCL_ERR_RANGE: there are not that many entries or steps.
 */
HCL_API hcl_status hcl_traversals_step(const hcl_traversals *list, size_t index, size_t step_index, hcl_step *out);

/**
 * Releases the list. Null is ignored.
 */
HCL_API void hcl_traversals_free(hcl_traversals *list);

/** @} */

/**
 * \defgroup static_forms Static forms
 *
 * Expressions taken literally: a keyword, a reference, a list, pairs, a call. For arguments whose meaning is their form,
 * such as a type constraint or a list of references.
 * @{
 */

/**
 * Takes an expression literally: as a call, a list, a map or a keyword, `HCL_STATIC_…`. Parentheses, conditionals and
 * templates are never looked through. For references there is `hcl_expr_static_traversal`.
 *
 * HCL_ERR_TYPE: the expression is something else. `*out` is owned.
 */
HCL_API hcl_status hcl_expr_static(const hcl_expr *expr, uint32_t kind, hcl_static **out);

/**
 * The name of a call, its parts joined by `::`, or the keyword; borrowed. Empty for lists and maps.
 */
HCL_API hcl_str hcl_static_name(const hcl_static *form);

/**
 * The number of arguments, elements or pairs. Null counts as none.
 */
HCL_API size_t hcl_static_count(const hcl_static *form);

/**
 * The argument, element or value at `index`, borrowed; null when there are not that many.
 */
HCL_API const hcl_expr *hcl_static_at(const hcl_static *form, size_t index);

/**
 * The key of the pair at `index` of a map, borrowed; null when there are not that many pairs.
 */
HCL_API const hcl_expr *hcl_static_key(const hcl_static *form, size_t index);

/**
 * Releases a static form and the expressions borrowed from it. Null is ignored.
 */
HCL_API void hcl_static_free(hcl_static *form);

/** @} */

/**
 * \defgroup definitions_that_refer_to_each_other Definitions that refer to each other
 *
 * Functions that a configuration defines, and values that refer to each other, in the order of their references.
 * @{
 */

/**
 * Takes the functions that a configuration defines out of a body, and adds them to an open scope. They are blocks of the
 * given type, usually `function`:
 *
 * ```text
 * function "greet" {
 *   params         = [name]
 *   variadic_param = more                          # may be left out
 *   result         = "Hello, ${join(" and ", concat([name], more))}!"
 * }
 * ```
 *
 * Besides their parameters, results can use what is in `base`, a sealed scope that may be null, and with
 * `HCL_USER_FUNCTIONS_CALLER` all functions that the call sees. Their work counts for the evaluation that calls them, each
 * call as a level of nesting. `*rest`, unless `rest` is null, is an owned body of everything else.
 *
 * HCL_ERR_DIAGNOSTICS: a definition is wrong; then nothing was added. HCL_ERR_ARGUMENT: the scope is sealed, or `base`
 * is not. HCL_ERR_TYPE: the body is what `hcl_body_content` gave, or has its `dynamic` blocks expanded. HCL_ERR_UNSUPPORTED:
 * the library was built without it.
 */
HCL_API
hcl_status hcl_scope_user_functions(hcl_scope *scope,
                                    const hcl_body *body,
                                    const char *block_type,
                                    size_t block_type_len,
                                    uint32_t flags,
                                    const hcl_scope *base,
                                    hcl_body **rest,
                                    hcl_diags **diags);

/**
 * New definitions, none yet. They refer to each other as attributes of the variable `root`, as in `local.name`; where
 * `root_len` is 0, by name alone. `*out` is owned. HCL_ERR_UNSUPPORTED: the library was built without it.
 */
HCL_API hcl_status hcl_definitions_new(const char *root, size_t root_len, hcl_definitions **out);

/**
 * Adds an attribute as it is written: a name and what it stands for. That a name is defined twice is told by
 * `hcl_definitions_eval` and `hcl_definitions_order`; the first counts.
 */
HCL_API hcl_status hcl_definitions_add(hcl_definitions *definitions, const hcl_attr *attr);

/**
 * The names as a list of strings, in an order in which each comes after those that it needs. Those that need each other
 * in a circle, and those that use the root variable as a whole, are left out; both are errors. `*names` is owned.
 *
 * HCL_ERR_DIAGNOSTICS: something is wrong with the definitions; `*names` is not written.
 */
HCL_API hcl_status hcl_definitions_order(const hcl_definitions *definitions, hcl_value **names, hcl_diags **diags);

/**
 * The values of all definitions as an object, by name. They are evaluated in the scope and with the values of a frame,
 * whose limits count for all of them together; `frame` may be null, as for `hcl_attr_eval`. `*value` is owned.
 *
 * HCL_ERR_DIAGNOSTICS: something is wrong with the definitions, or an expression failed. HCL_ERR_LIMIT,
 * HCL_ERR_CANCELLED, HCL_ERR_DEADLINE, HCL_ERR_BUSY: as for `hcl_eval`.
 */
HCL_API
hcl_status hcl_definitions_eval(const hcl_definitions *definitions,
                                hcl_frame *frame,
                                hcl_value **value,
                                hcl_diags **diags);

/**
 * Releases definitions. Null is ignored.
 */
HCL_API void hcl_definitions_free(hcl_definitions *definitions);

/** @} */

/**
 * \defgroup the_library_of_functions The library of functions
 *
 * The functions that the products offer, with their signatures and descriptions, for help texts and completion.
 * @{
 */

/**
 * The functions of a product, `HCL_BUILTINS_…`, sorted by name; `*out` is owned. Names in a namespace, such as
 * `core::upper`, are listed like all others; functions that the library was built without are not there.
 * HCL_ERR_NOT_FOUND: there is no such library.
 */
HCL_API hcl_status hcl_functions_of(uint32_t builtins, hcl_functions **out);

/**
 * Another owned handle to the same list.
 */
HCL_API hcl_status hcl_functions_ref(const hcl_functions *functions, hcl_functions **out);

/**
 * Releases a handle. Null is ignored.
 */
HCL_API void hcl_functions_free(hcl_functions *functions);

/**
 * The number of functions. Null counts as none.
 */
HCL_API size_t hcl_functions_count(const hcl_functions *functions);

/**
 * The index of the function of that name. HCL_ERR_NOT_FOUND: there is none.
 */
HCL_API hcl_status hcl_functions_find(const hcl_functions *functions, const char *name, size_t name_len, size_t *index);

/**
 * The index of the first function whose name is not less than `text`, for completion: names that begin with `text`
 * stand side by side from there on. The number of functions when there is none; 0 when `text` is no UTF-8.
 */
HCL_API size_t hcl_functions_from(const hcl_functions *functions, const char *text, size_t text_len);

/**
 * The function at `index`. HCL_ERR_RANGE: there are not that many.
 */
HCL_API hcl_status hcl_functions_get(const hcl_functions *functions, size_t index, hcl_function_info *out);

/**
 * A parameter of the function at `index`. HCL_ERR_RANGE: there are not that many functions or parameters.
 */
HCL_API
hcl_status hcl_functions_param(const hcl_functions *functions,
                               size_t index,
                               size_t param_index,
                               hcl_param_info *out);

/** @} */

/**
 * \defgroup evaluation_by_rows Evaluation by rows
 *
 * One call for many evaluations, of the same program or of the attributes of a body, for callers to whom a call costs:
 * bindings of other languages, tables.
 * @{
 */

/**
 * Evaluates a program once for each of `n_rows` rows, in one call.
 *
 * A row gives the slots named in `slots` their values: the cell of slot `slots[j]` in row `i` is
 * `cells[i * n_slots + j]`. Other slots keep what the frame holds. `out_cells` takes one result for each row. Texts and
 * values in results are borrowed from `*buf`, which is owned; those in arguments are only read during the call. The
 * two arrays of cells must not overlap. Afterwards the slots named are empty.
 *
 * A row that fails gets `HCL_CELL_ERROR` and the call goes on: HCL_OK means that all rows were gone through, and
 * `*diags` holds what was said about them. Each row may use what the frame's limits allow, but the deadline is that of
 * the whole call, and so are max_memory for what the call holds of the allocator, and the limits for the texts and the values
 * in `*buf`. HCL_ERR_CANCELLED, HCL_ERR_DEADLINE,
 * HCL_ERR_CALLBACK: the call was stopped. HCL_ERR_ARGUMENT, HCL_ERR_RANGE: a cell or a slot is wrong. HCL_ERR_BUSY: the
 * frame is in use. Without HCL_OK there is no `*buf`, and `out_cells` holds nothing of use. `hcl_frame_used` tells the
 * sum over all rows.
 */
HCL_API
hcl_status hcl_eval_rows(const hcl_program *program,
                         hcl_frame *frame,
                         const size_t *slots,
                         size_t n_slots,
                         const hcl_cell *cells,
                         size_t n_rows,
                         hcl_cell *out_cells,
                         hcl_buf **buf,
                         hcl_diags **diags);

/**
 * Evaluates attributes of a body by their names, each as `hcl_attr_eval` does, in one call: the cheapest way to read the
 * settings of a block.
 *
 * `out_cells` takes one result for each of the `n_names` names: HCL_CELL_EMPTY where the body has no such attribute, else
 * what `hcl_eval_rows` gives. Texts and values in results are borrowed from `*buf`, which is owned.
 *
 * An attribute that fails gets HCL_CELL_ERROR and the call goes on: HCL_OK means that all were gone through, and `*diags`
 * holds what was said about them. One that is there twice fails, in an object of JSON syntax and in several files read as one,
 * as it does for `hcl_body_content`. Each may use what the limits of the frame allow, and give 1,000 diagnostics, but the
 * deadline is that of the whole call, and so is max_memory for what the call holds of the allocator. HCL_ERR_LIMIT,
 * HCL_ERR_CANCELLED, HCL_ERR_DEADLINE, HCL_ERR_CALLBACK, HCL_ERR_BUSY: one ended the call, as it ends `hcl_attr_eval`. Without
 * HCL_OK there is no `*buf`, and `out_cells` holds nothing of use. `frame` may be null, as for `hcl_attr_eval`.
 */
HCL_API
hcl_status hcl_body_eval(const hcl_body *body,
                         const hcl_str *names,
                         size_t n_names,
                         hcl_frame *frame,
                         hcl_cell *out_cells,
                         hcl_buf **buf,
                         hcl_diags **diags);

/** @} */

/**
 * \defgroup rules_over_tables Rules over tables
 *
 * One call for all rows of a table of Apache Arrow, without copies of its cells.
 * @{
 */

/**
 * Evaluates a program once for each row of a table, in one call: the fastest way to evaluate a rule for every row. The table
 * is a record batch in the structs of the Arrow C data interface: an array of format `+s` whose children are the columns.
 *
 * The slots of the program get their values from the columns of their names; for a slot `a.b` without such a column it is the
 * field `b` of a column `a` of structs. A slot without a column keeps what the frame holds for it. Columns that the program
 * does not read are not looked at. Columns may hold booleans, whole numbers of every width, floating-point numbers, decimals,
 * texts (utf8, large utf8 and views), dates, times and timestamps, null, lists (large and of fixed size too), structs, maps
 * with texts as keys, and dictionaries of these. A null is null of the column's type. Dates and times are texts as in RFC
 * 3339, in UTC whatever the time zone of the column: `2006-01-02`, `15:04:05.5`, `2006-01-02T15:04:05.5Z`. Binary columns,
 * durations, intervals, unions, list views and run-end encoding are refused.
 *
 * The results come as an array of as many rows. Without `opts->format` and `opts->ty` it has the type that the results have:
 * booleans; whole numbers of 64 bits, or doubles if one of the numbers is not whole or does not fit; texts; lists, maps and
 * structs where the types of all results agree, tuples becoming lists. A result of a type that does not agree with those
 * before it ends the call. Ask for a type where several batches are to be of one.
 *
 * A row that fails is null in the results, and the call goes on: HCL_OK means that all rows were gone through. `*n_failed` tells
 * how many failed, and `*diags` holds what was said about rows, as many diagnostics as the limit allows; `hcl_diags_row` tells
 * the row of each. A row fails if its evaluation does, if a cell that the program may read has no value (NaN, text that is no
 * UTF-8, a year beyond 9999), or if its result can be no cell: it has marks, such as that of a sensitive value, is not
 * wholly known, or does not convert to the type that was asked for.
 *
 * The deadline, the switch and max_steps are those of the whole call, and max_memory bounds what the call holds of the allocator
 * with the results; the other limits are those of each row. A limit that is reached ends the call. `hcl_frame_used` tells the
 * sum over all rows. What is the same for all rows is computed once.
 *
 * `array` and `schema` are only read, during the call, and stay the caller's to release. HCL_OK: `*out_array` and
 * `*out_schema`, which are written without a look at what they held, are the caller's to release by their callbacks, from any
 * thread. Otherwise they are not written. `opts` and `n_failed` may be null.
 *
 * HCL_ERR_DIAGNOSTICS: a column is none that can be read, or is not as its schema says; the results have no type in common; or
 * a row failed with `HCL_ARROW_FIRST_ERROR_ENDS`. HCL_ERR_UNBOUND: a slot has neither a column nor a value in the frame, and
 * there is no resolver. HCL_ERR_LIMIT, HCL_ERR_CANCELLED, HCL_ERR_DEADLINE, HCL_ERR_CALLBACK: the call was stopped.
 * HCL_ERR_BUSY: the frame is in use. HCL_ERR_UNSUPPORTED: the library was built without it. `diags` as for `hcl_file_parse`.
 */
HCL_API
hcl_status hcl_eval_arrow(const hcl_program *program,
                          hcl_frame *frame,
                          const struct ArrowArray *array,
                          const struct ArrowSchema *schema,
                          const hcl_arrow_opts *opts,
                          struct ArrowArray *out_array,
                          struct ArrowSchema *out_schema,
                          uint64_t *n_failed,
                          hcl_diags **diags);

/**
 * The row that the diagnostic at `index` is about, from 0, in what `hcl_eval_arrow` said; `UINT64_MAX` for one that is about no
 * row, and when there are not that many. Null counts as an empty list.
 */
HCL_API
uint64_t hcl_diags_row(const hcl_diags *diags,
                       size_t index);

/** @} */

/**
 * \defgroup explaining_results Explaining results
 *
 * How a result came about: the value of each part of an expression, which branch was taken and why.
 * @{
 */

/**
 * Evaluates an expression once, as `hcl_expr_eval` does, and tells how its value came about: every subexpression with
 * its value and place, the variables and functions, which branch was taken and why. Values marked "sensitive" or
 * "ephemeral" are redacted. `opts` may be null for the defaults.
 *
 * HCL_OK: `*out` is owned, also when the evaluation failed or was stopped, which is then part of what is told; why is in
 * `*diags`.
 * HCL_ERR_ARGUMENT: a null pointer or an unknown flag. HCL_ERR_BUSY: the frame is in use. HCL_ERR_UNSUPPORTED: the
 * library was built without it. `diags` as for `hcl_file_parse`.
 */
HCL_API
hcl_status hcl_expr_explain(const hcl_expr *expr,
                            hcl_frame *frame,
                            const hcl_explain_opts *opts,
                            hcl_buf **out,
                            hcl_diags **diags);

/** @} */

/**
 * \defgroup formatting_and_conversion Formatting and conversion
 *
 * The canonical form of a text, and one syntax written as the other.
 * @{
 */

/**
 * Writes native syntax in its canonical form, `HCL_STYLE_…`: blanks are changed, and by the style of Terraform
 * little more. Time is linear in the text. Bytes that are no UTF-8 stay as they are, so the result is UTF-8 only if the
 * source is; a byte order mark is dropped. `name` is what diagnostics call the text. Of `opts`, which may be null, the
 * limits, the timeout and the switch count; the flags must be 0. `*out` is owned.
 *
 * HCL_ERR_DIAGNOSTICS: the text has errors that the style does not take. HCL_ERR_LIMIT: it is too long, would become
 * more than 16 times as long, or nests too deep for the style of Terraform. HCL_ERR_CANCELLED, HCL_ERR_DEADLINE:
 * formatting was stopped.
 */
HCL_API
hcl_status hcl_format(const char *name,
                      size_t name_len,
                      const char *src,
                      size_t src_len,
                      uint32_t style,
                      const hcl_parse_opts *opts,
                      hcl_buf **out,
                      hcl_diags **diags);

/**
 * Checks that a text is in its canonical form: `hcl_format` would give the same bytes. Arguments and statuses are
 * those of `hcl_format`.
 */
HCL_API
hcl_status hcl_format_check(const char *name,
                            size_t name_len,
                            const char *src,
                            size_t src_len,
                            uint32_t style,
                            const hcl_parse_opts *opts,
                            bool *is_canonical,
                            hcl_diags **diags);

/**
 * Writes a file of native syntax as JSON syntax. What can be evaluated is written as its value, with the constants and
 * functions of the frame's scope (its slots stay names) and within its limits; everything else becomes a template
 * `"${…}"`, which a reader of JSON syntax evaluates to the same. `frame` may be null for no names at all. `*out` is owned.
 *
 * HCL_ERR_TYPE: the file is of JSON syntax. HCL_ERR_DIAGNOSTICS: something in it has no form in JSON syntax.
 * HCL_ERR_LIMIT, HCL_ERR_CANCELLED, HCL_ERR_DEADLINE, HCL_ERR_BUSY: as for `hcl_eval`. HCL_ERR_UNSUPPORTED: the library
 * was built without it.
 */
HCL_API
hcl_status hcl_file_to_json(const hcl_file *file,
                            hcl_frame *frame,
                            hcl_buf **out,
                            hcl_diags **diags);

/**
 * Writes a file of JSON syntax as native syntax. With a schema nothing is lost: it tells blocks from attributes. Without
 * one, `schema` null, an array of objects is taken for blocks, objects around such arrays for their labels, and
 * everything else for attributes. The text is not aligned: `hcl_format` does that. `*out` is owned.
 *
 * HCL_ERR_TYPE: the file is of native syntax. HCL_ERR_DIAGNOSTICS: something in it has no form in native syntax.
 * HCL_ERR_LIMIT: it nests so deeply that the text would be more than 16 times as long, or more than 1,000 things have no
 * form.
 * HCL_ERR_UNSUPPORTED: the library was built without it.
 */
HCL_API
hcl_status hcl_file_to_native(const hcl_file *file,
                              const hcl_schema *schema,
                              hcl_buf **out,
                              hcl_diags **diags);

/** @} */

/**
 * \defgroup documents Documents
 *
 * A text of native syntax that is edited in place, or written from scratch. An address names what is meant: names with dots
 * between them, such as `resource.aws_instance.web.tags.Name`. A dot in a label stands behind a backslash, or the label in
 * quotes; `*` is any block type or label; `[1]` picks the second of several. An edit that can't be made changes nothing and says
 * why; every other byte of the text stays. `hcl_value_encode` and the accessors of values read what a document tells of itself.
 * @{
 */

/**
 * An empty document, with the limits that `hcl_parse_opts` has by default: no timeout and no switch. `name` is what
 * diagnostics call it. `*out` is owned; `diags` as for `hcl_file_parse`.
 *
 * HCL_ERR_UNSUPPORTED: the library was built without editing.
 */
HCL_API hcl_status hcl_document_new(const char *name, size_t name_len, hcl_document **out, hcl_diags **diags);

/**
 * A document with a text, which is copied. `opts` may be null; the limits in it hold for each later call on the document,
 * too: `max_source_bytes` for the text that an edit leaves, `timeout_ns` for each call anew, and the switch, which the
 * document keeps. Its flags and `start` do not count. `*out` is owned; texts and `diags` as for `hcl_file_parse`.
 *
 * HCL_ERR_DIAGNOSTICS: the text has errors. HCL_ERR_LIMIT, HCL_ERR_CANCELLED, HCL_ERR_DEADLINE: reading was stopped.
 * HCL_ERR_UNSUPPORTED: the library was built without editing.
 */
HCL_API
hcl_status hcl_document_parse(const char *name,
                              size_t name_len,
                              const char *src,
                              size_t src_len,
                              const hcl_parse_opts *opts,
                              hcl_document **out,
                              hcl_diags **diags);

/**
 * The text of a document as it is now. The result is borrowed, until the document is changed or released. Null gives the
 * empty text.
 */
HCL_API
hcl_str hcl_document_text(const hcl_document *document);

/**
 * The items of a block, of an object or, with an empty address, of the document: a tuple, in the order written, of
 * objects with `address`, which names it alone (but for names that are not in normalisation form C, as values are, and for an
 * attribute with the name of a block beside it), `kind` ("attribute", "block" or "key"), `name` (of a block its type) and
 * `labels`. `*out` is owned; `diags` as for `hcl_file_parse`.
 *
 * HCL_ERR_NOT_FOUND: the address names nothing. HCL_ERR_DIAGNOSTICS: it names several places, or one that has nothing in it.
 */
HCL_API
hcl_status hcl_document_list(const hcl_document *document,
                             const char *container,
                             size_t container_len,
                             hcl_value **out,
                             hcl_diags **diags);

/**
 * The source texts of everything that an address names, as a list of strings: of an attribute its value, of a block all
 * of it. Lines lose the indentation of the first. `*out` is owned; `diags` as for `hcl_file_parse`.
 *
 * HCL_ERR_NOT_FOUND: the address names nothing.
 */
HCL_API
hcl_status hcl_document_get(const hcl_document *document,
                            const char *address,
                            size_t address_len,
                            hcl_value **out,
                            hcl_diags **diags);

/**
 * The comments of one item, as they are written: an object with `lead`, a list of those above it, and `line`, a list of
 * those behind it in its line. `*out` is owned; `diags` as for `hcl_file_parse`.
 *
 * HCL_ERR_NOT_FOUND: the address names nothing. HCL_ERR_DIAGNOSTICS: it names several places.
 */
HCL_API
hcl_status hcl_document_comments(const hcl_document *document,
                                 const char *address,
                                 size_t address_len,
                                 hcl_value **out,
                                 hcl_diags **diags);

/**
 * Releases a document and the texts borrowed from it. Null is ignored.
 */
HCL_API void hcl_document_free(hcl_document *document);

/**
 * Sets an attribute, a key of an object or an element of a tuple to an expression, written out. What is not there is
 * added behind the last attribute or key, written like it. Everything else stays byte for byte. Labels of the block that an
 * attribute stands in, or is to stand in, may be left out if that leaves one block.
 *
 * `flags` are HCL_EDIT_ALL, HCL_EDIT_CREATE. HCL_ERR_DIAGNOSTICS: the text is no expression, the address names a block or
 * several places, or the result would not parse; the document is as before, as after any edit that fails.
 * HCL_ERR_NOT_FOUND: what the attribute would stand in is not there. `diags` as for `hcl_file_parse`.
 */
HCL_API
hcl_status hcl_document_set(hcl_document *document,
                            const char *address,
                            size_t address_len,
                            const char *expression,
                            size_t expression_len,
                            uint32_t flags,
                            hcl_diags **diags);

/**
 * As `hcl_document_set`, with a value, which is written in canonical form: lists and sets as tuples, maps as objects.
 *
 * HCL_ERR_DIAGNOSTICS, too: the value is unknown or marked somewhere, is infinite, or is an object of the host.
 */
HCL_API
hcl_status hcl_document_set_value(hcl_document *document,
                                  const char *address,
                                  size_t address_len,
                                  const hcl_value *value,
                                  uint32_t flags,
                                  hcl_diags **diags);

/**
 * Adds attributes and blocks, written out, at the end of a block or, with an empty address, of the document, behind an
 * empty line. Adding blocks to the document takes time in proportion to them, however long it is.
 *
 * HCL_ERR_DIAGNOSTICS: the text has errors, or does not fit there. HCL_ERR_NOT_FOUND: there is no such block.
 */
HCL_API
hcl_status hcl_document_append(hcl_document *document,
                               const char *container,
                               size_t container_len,
                               const char *text,
                               size_t text_len,
                               hcl_diags **diags);

/**
 * Adds a block at the end of a block or, with an empty address, of the document, in canonical form. `body` is an object or
 * a map that becomes its attributes; null for none.
 *
 * `flags` are HCL_EDIT_ALL, HCL_EDIT_CLOSE. HCL_ERR_DIAGNOSTICS: the type or a name in `body` is no identifier, or a value
 * has no text. HCL_ERR_NOT_FOUND: there is no such block.
 */
HCL_API
hcl_status hcl_document_append_block(hcl_document *document,
                                     const char *container,
                                     size_t container_len,
                                     const char *block_type,
                                     size_t block_type_len,
                                     const hcl_str *labels,
                                     size_t n_labels,
                                     const hcl_value *body,
                                     uint32_t flags,
                                     hcl_diags **diags);

/**
 * Puts attributes and blocks, written out, beside an attribute or a block. `side` is HCL_SIDE_BEFORE or HCL_SIDE_AFTER.
 *
 * HCL_ERR_DIAGNOSTICS: the text has errors, or the address names several places or something that shares its lines.
 */
HCL_API
hcl_status hcl_document_insert(hcl_document *document,
                               const char *address,
                               size_t address_len,
                               uint32_t side,
                               const char *text,
                               size_t text_len,
                               hcl_diags **diags);

/**
 * Moves one attribute or block, with the comments that belong to it: beside another (HCL_SIDE_BEFORE, HCL_SIDE_AFTER), or
 * into a block or, with an empty address, the document (HCL_SIDE_INTO).
 *
 * HCL_ERR_DIAGNOSTICS: an address names several places or something that shares its lines, or `to` is in what is moved.
 */
HCL_API
hcl_status hcl_document_move(hcl_document *document,
                             const char *address,
                             size_t address_len,
                             const char *to,
                             size_t to_len,
                             uint32_t side,
                             hcl_diags **diags);

/**
 * Gives what one address names another one: in its body a new name, or type and labels, where `*` keeps what is there;
 * else it is moved with its comments to the block that `to` leads into. `flags` are HCL_EDIT_ALL.
 *
 * HCL_ERR_DIAGNOSTICS: something has that name, or several places would be moved to one.
 */
HCL_API
hcl_status hcl_document_move_to(hcl_document *document,
                                const char *address,
                                size_t address_len,
                                const char *to,
                                size_t to_len,
                                uint32_t flags,
                                hcl_diags **diags);

/**
 * Removes attributes, blocks, keys or elements with the comments that belong to them. Of two empty lines that meet then
 * one goes, too. `flags` are HCL_EDIT_ALL. `n_removed` may be null; it is written only with HCL_OK.
 */
HCL_API
hcl_status hcl_document_remove(hcl_document *document,
                               const char *address,
                               size_t address_len,
                               uint32_t flags,
                               size_t *n_removed,
                               hcl_diags **diags);

/**
 * Gives attributes or keys another name, or blocks another type. `flags` are HCL_EDIT_ALL.
 */
HCL_API
hcl_status hcl_document_rename(hcl_document *document,
                               const char *address,
                               size_t address_len,
                               const char *name,
                               size_t name_len,
                               uint32_t flags,
                               hcl_diags **diags);

/**
 * Gives blocks other labels: `n_labels` texts, which are written in quotes. `flags` are HCL_EDIT_ALL.
 */
HCL_API
hcl_status hcl_document_relabel(hcl_document *document,
                                const char *address,
                                size_t address_len,
                                const hcl_str *labels,
                                size_t n_labels,
                                uint32_t flags,
                                hcl_diags **diags);

/**
 * Gives items other comments: those above (HCL_COMMENT_LEAD, perhaps several lines) or behind in the line
 * (HCL_COMMENT_LINE). A text that is no comment becomes one; an empty one takes the comments away. `flags` are
 * HCL_EDIT_ALL.
 */
HCL_API
hcl_status hcl_document_set_comment(hcl_document *document,
                                    const char *address,
                                    size_t address_len,
                                    uint32_t which,
                                    const char *comment,
                                    size_t comment_len,
                                    uint32_t flags,
                                    hcl_diags **diags);

/**
 * Renames references in all expressions, templates included: those that begin with the names `from`, such as `var.old`,
 * begin with `to` from now on. `n_renamed` may be null; it is written only with HCL_OK.
 */
HCL_API
hcl_status hcl_document_rename_references(hcl_document *document,
                                          const char *from,
                                          size_t from_len,
                                          const char *to,
                                          size_t to_len,
                                          size_t *n_renamed,
                                          hcl_diags **diags);

/**
 * Writes all of a document in its canonical form.
 */
HCL_API hcl_status hcl_document_format(hcl_document *document, hcl_diags **diags);

/** @} */

/**
 * \defgroup modules Modules
 *
 * A folder of Terraform or OpenTofu as an object: its variables are given values, its expressions, locals and outputs
 * evaluate as the product's console evaluates them, without network, providers or state. A loader says where files come from
 * and which values the variables have; a module is immutable and shared by all threads. A template of Packer and a job of
 * Nomad are loaded and asked alike; `hcl_module_evaluated` gives all that is in them.
 * @{
 */

/**
 * A new, empty preparation for a product's rules: `terraform`, `opentofu`, `packer`, `nomad`, or one of them with a release,
 * such as `terraform-1.11`. Without more it loads the folder `.` of no files. `*out` is owned.
 *
 * HCL_ERR_ARGUMENT: there is no such product or release; `diags` names the known ones. HCL_ERR_UNSUPPORTED: the library was
 * built without modules.
 */
HCL_API
hcl_status hcl_module_loader_new(const char *dialect,
                                 size_t dialect_len,
                                 hcl_module_loader **out,
                                 hcl_diags **diags);

/**
 * Sets the folder of the module, as `path.module` then shows it. At first it is `.`; its parts are separated by `/`. A template
 * of Packer is a folder or a file, a job of Nomad is a file.
 */
HCL_API
hcl_status hcl_module_loader_folder(hcl_module_loader *loader,
                                    const char *folder,
                                    size_t folder_len);

/**
 * Adds a file as a text. With one text or more, all files are texts: the host is not asked for any. Text and path are
 * copied; a file of the same path is replaced. The text need not be UTF-8.
 */
HCL_API
hcl_status hcl_module_loader_text(hcl_module_loader *loader,
                                  const char *path,
                                  size_t path_len,
                                  const char *text,
                                  size_t text_len);

/**
 * Sets the host: it opens the files of the module, its environment may have values of variables, and functions ask it when
 * the module evaluates. Null takes it away. Loader and module keep the host.
 */
HCL_API
hcl_status hcl_module_loader_host(hcl_module_loader *loader,
                                  const hcl_host *host);

/**
 * Gives a variable of the root module a value. It counts more than the environment, than files that are read by themselves
 * and than what was given before. The loader takes a reference of its own.
 */
HCL_API
hcl_status hcl_module_loader_set(hcl_module_loader *loader,
                                 const char *name,
                                 size_t name_len,
                                 const hcl_value *value);

/**
 * Gives a variable of the root module a text, as `-var` of the product's commands does: the type of the variable decides
 * whether it is taken literally or as an expression. With HCL_MODULE_LITERAL in `flags` the text is the value.
 */
HCL_API
hcl_status hcl_module_loader_set_text(hcl_module_loader *loader,
                                      const char *name,
                                      size_t name_len,
                                      const char *text,
                                      size_t text_len,
                                      uint32_t flags);

/**
 * Gives variables of the root module the values of a file, as `-var-file` does. The path begins in the folder where
 * relative paths begin, not in the module's.
 */
HCL_API hcl_status hcl_module_loader_values(hcl_module_loader *loader, const char *path, size_t path_len);

/**
 * Sets what resources come to in modules that are loaded from then on. HCL_MODULE_PLANNED: they have the values that a
 * plan gives them, as far as their blocks tell: an object with the attributes of the block, a tuple of such objects by
 * `count`, an object of them by `for_each`; attributes that only a provider knows are unknown. 0, as at first: they are
 * unknown, as in the product's console. HCL_ERR_ARGUMENT: `flags` holds something else.
 */
HCL_API hcl_status hcl_module_loader_resources(hcl_module_loader *loader, uint32_t flags);

/**
 * Gives a resource, data source or ephemeral resource a value, as a test does in place of a provider. `address` is
 * `TYPE.NAME`, `data.TYPE.NAME` or `ephemeral.TYPE.NAME`, with `module.NAME.` before it for each call on the way and an
 * index behind it for one instance. Without an index the value is that of the block as a whole: of a repeated one a tuple
 * or an object. With HCL_MODULE_PLANNED the attributes of an object count more than those of the block. Of several values
 * the last counts. The loader takes a reference of its own. `hcl_module_load` complains of an address that leads to
 * nothing. Of a template of Packer data sources alone have values, by `data.TYPE.NAME`; a job of Nomad has none.
 */
HCL_API
hcl_status hcl_module_loader_resource(hcl_module_loader *loader,
                                      const char *address,
                                      size_t address_len,
                                      const hcl_value *value);

/**
 * Releases a loader. Modules that it loaded stay. Null is ignored.
 */
HCL_API void hcl_module_loader_free(hcl_module_loader *loader);

/**
 * Loads a module: reads its files, those of the local modules that it calls and the values of its variables. The module does
 * not need the loader any more. `opts` bounds the reading and may be null; its only flag here is HCL_PARSE_PARTIAL, with
 * which a module with errors is given, too: `hcl_module_at` lists its declarations, and nothing of it evaluates. Callbacks
 * of the host run during the call.
 *
 * HCL_ERR_DIAGNOSTICS: something is wrong with the files or the values; `diags` speaks of all of them at once.
 * HCL_ERR_LIMIT: a file is longer than `max_source_bytes` or nests deeper than `max_depth`; there are more problems than
 * `max_diagnostics`, of which the first are kept; there are more than 10,000 modules, 1,000 levels of them or 134,217,728
 * declarations, where variables count twice and those of a module as often as it is called; or loading reaches a limit of an
 * evaluation that is given none, such as 256 MiB of memory, which the files that have been read count for.
 */
HCL_API
hcl_status hcl_module_load(const hcl_module_loader *loader,
                           const hcl_parse_opts *opts,
                           hcl_module **module,
                           hcl_diags **diags);

/**
 * Evaluates an expression in a module: the names of the module mean what they mean in its files. Only what the expression
 * needs is evaluated, and `diags` speaks of it only. Functions ask the host that the loader had. `limits` bounds the call and
 * may be null. `*value` is owned; it may be unknown, as resources are, and all that needs a variable without a value, which
 * HCL_DECLARED_MISSING marks.
 *
 * HCL_ERR_DIAGNOSTICS: the expression, or what it needs, is wrong. HCL_ERR_LIMIT, HCL_ERR_CANCELLED, HCL_ERR_DEADLINE: the
 * evaluation was stopped; it can be asked again.
 */
HCL_API
hcl_status hcl_module_eval(const hcl_module *module,
                           const char *source,
                           size_t source_len,
                           const hcl_limits *limits,
                           hcl_value **value,
                           hcl_diags **diags);

/**
 * As `hcl_module_eval` for an expression that has been parsed, which may be a template (`hcl_expr_parse`), or borrowed from
 * a body.
 */
HCL_API
hcl_status hcl_module_eval_expr(const hcl_module *module,
                                const hcl_expr *expr,
                                const hcl_limits *limits,
                                hcl_value **value,
                                hcl_diags **diags);

/**
 * The value at an address: `output.x`, `local.x`, `var.x`, `module.a.output.b`, or what `hcl_declared.address` says. As
 * `hcl_module_eval`.
 */
HCL_API
hcl_status hcl_module_value(const hcl_module *module,
                            const char *address,
                            size_t address_len,
                            const hcl_limits *limits,
                            hcl_value **value,
                            hcl_diags **diags);

/**
 * Everything in a template of Packer or a job of Nomad as one value. `limits` bounds the call and may be null. `*value` is
 * owned.
 *
 * Of a template it is an object: `sources`, a tuple of `[TYPE, NAME]`, and `builds`. A build has `name`, `description` and
 * `sources`, the uses of sources, each with `type`, `name` (in the build), `source` (the name of its block), `body`,
 * `provisioners`, `post_processors` (a tuple of sequences) and perhaps `error_cleanup`. Steps have `type`, `name` and `body`.
 * Of a job it is the body of the file without declarations. A body is an object of `attributes`, an object, and if there
 * are any `blocks`, each with `type`, `labels` (a tuple, or null) and `body`. Dynamic blocks are expanded; references to what
 * only Nomad's client knows are texts.
 *
 * HCL_ERR_DIAGNOSTICS: something in it can't be evaluated. HCL_ERR_ARGUMENT: it is a module of Terraform or OpenTofu.
 * HCL_ERR_LIMIT, HCL_ERR_CANCELLED, HCL_ERR_DEADLINE: the evaluation was stopped.
 */
HCL_API
hcl_status hcl_module_evaluated(const hcl_module *module,
                                const hcl_limits *limits,
                                hcl_value **value,
                                hcl_diags **diags);

/**
 * Evaluates everything that the module and those that it calls declare, as the product's console does before it answers.
 * `diags` speaks of all problems. HCL_OK: there are no errors. HCL_ERR_DIAGNOSTICS, with a diagnostic that says so: the
 * module was given with errors (HCL_PARSE_PARTIAL), and is not looked at again.
 *
 * `limits` bounds the whole call, of which all expressions share max_steps, max_elements, max_output_bytes and max_memory. What
 * a call has found out is kept in the module and is not charged to later calls, so that a check may succeed where one before it
 * ran into a limit.
 */
HCL_API
hcl_status hcl_module_check(const hcl_module *module,
                            const hcl_limits *limits,
                            hcl_diags **diags);

/**
 * The number of declarations of a module: variables, locals, outputs, calls of modules, then resources, data sources and
 * ephemeral resources together; of Packer also sources, of Nomad the job. Null counts as none. 0 if there is no memory for the
 * list of them, which is made when it is first asked for.
 */
HCL_API
size_t hcl_module_count(const hcl_module *module);

/**
 * The declaration at an index: in the order of `hcl_module_count`, and within that of the files. HCL_ERR_RANGE: there are
 * not so many.
 */
HCL_API
hcl_status hcl_module_at(const hcl_module *module,
                         size_t index,
                         hcl_declared *out);

/**
 * Another owned handle to the same module.
 */
HCL_API hcl_status hcl_module_ref(const hcl_module *module, hcl_module **out);

/**
 * Releases a module. Values and diagnostics that it gave stay. Null is ignored.
 */
HCL_API void hcl_module_free(hcl_module *module);

/** @} */

/**
 * \defgroup version_and_status Version and status
 *
 * Which library this is, and what a status means. A binding asks `hcl_compatible(HCL_VERSION)` once, before anything
 * else: it tells whether the header that it was compiled with describes the library that was loaded. A status says what
 * became of a call, `hcl_status_detail` why; with diagnostics they say more.
 * @{
 */

/**
 * The version of the loaded library, in the form of `HCL_VERSION`. Any thread, any time.
 */
HCL_API uint32_t hcl_version(void);

/**
 * The name and version of the loaded library, for example `libhcl 0.1.0`. Static; any thread, any time.
 */
HCL_API hcl_str hcl_version_string(void);

/**
 * True if a program compiled with a header of `header_version` (pass `HCL_VERSION`) may use the loaded library: the
 * same major version and, before 1.0, the same minor version, and not older than the header.
 */
HCL_API bool hcl_compatible(uint32_t header_version);

/**
 * The name of a status, for example `HCL_ERR_TYPE`; a text in parentheses for a number that is none. Static.
 */
HCL_API hcl_str hcl_status_name(int32_t status);

/**
 * Says why the last call of this thread that did not succeed failed: the detail of its first error, or what its status means.
 * With HCL_ERR_ARGUMENT the text begins with the name of the parameter at fault, and may go on with the field of a struct or
 * the index in an array: `opts->flags holds an unknown flag.` Long texts are cut. Empty before the first failure.
 *
 * The text belongs to the calling thread and lives until its next call that fails; other threads have their own. A NUL byte
 * follows it.
 */
HCL_API
hcl_str hcl_status_detail(void);

/** @} */

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* LIBHCL_HCL_H */

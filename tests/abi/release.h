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
#define HCL_NUL SIZE_MAX
#define HCL_NO_ARGUMENT SIZE_MAX
typedef struct hcl_value hcl_value;
typedef struct hcl_schema hcl_schema;
#define HCL_CONTENT_PARTIAL 1
#define HCL_CONTENT_WITH_ERRORS 2
#define HCL_VARIABLES_FOR_EXPANSION 1
#define HCL_FORMAT_STYLE_HCL 0
#define HCL_FORMAT_STYLE_TERRAFORM 1
#define HCL_USER_FUNCTIONS_CALLER 1
#define HCL_SEVERITY_ERROR 1
#define HCL_SEVERITY_WARNING 2
#define HCL_RENDER_COLOR 1
#define HCL_RENDER_ASCII 2
#define HCL_EXPLAIN_JSON 1
#define HCL_EXPLAIN_COLOR 2
#define HCL_PARAM_NULL 1
#define HCL_PARAM_UNKNOWN 2
#define HCL_PARAM_MARKED 4
#define HCL_PARAM_DYNAMIC 16
#define HCL_PARAM_VARIADIC 8
#define HCL_FUNCTION_PURE 1
#define HCL_FUNCTION_THREADED 2
#define HCL_FILE_REGULAR 0
#define HCL_FILE_DIRECTORY 1
#define HCL_FILE_LINK 2
#define HCL_FILE_OTHER 3
#define HCL_HOST_THREADED 1
#define HCL_FORMAT_JSON 0
#define HCL_FORMAT_TYPED_JSON 1
#define HCL_FORMAT_CONSOLE 2
#define HCL_FORMAT_CANONICAL 3
#define HCL_ENCODE_REVEAL 1
#define HCL_ENCODE_UNKNOWN_AS_NULL 2
#define HCL_COMPILE_PARTIAL 1
#define HCL_COMPILE_NO_FOLDING 2
#define HCL_RESOLVER_KEEP 1
#define HCL_CELL_EMPTY 0
#define HCL_CELL_NULL 1
#define HCL_CELL_BOOL 2
#define HCL_CELL_I64 3
#define HCL_CELL_U64 4
#define HCL_CELL_F64 5
#define HCL_CELL_STR 6
#define HCL_CELL_VALUE 7
#define HCL_CELL_ERROR 8
#define HCL_BUILTINS_HCL 0
#define HCL_BUILTINS_TERRAFORM 1
#define HCL_BUILTINS_OPENTOFU 2
#define HCL_BUILTINS_PACKER 3
#define HCL_BUILTINS_NOMAD 4
#define HCL_BUILTINS_PACKER_DEFAULTS 5
#define HCL_PARSE_PARTIAL 1
#define HCL_PARSE_JSON 2
#define HCL_EXPR_TEMPLATE 1
#define HCL_EXPR_JSON 2
#define HCL_STATIC_CALL 1
#define HCL_STATIC_LIST 2
#define HCL_STATIC_MAP 3
#define HCL_STATIC_KEYWORD 4
#define HCL_ALLOW_ENV 1
#define HCL_ALLOW_CLOCK 2
#define HCL_ALLOW_RANDOM 4
#define HCL_ALLOW_ALL_FILES 8
#define HCL_STEP_ATTR 1
#define HCL_STEP_INDEX 2
#define HCL_STEP_SPLAT 3
#define HCL_TRAVERSAL_SPLAT 1
#define HCL_KIND_NULL 0
#define HCL_KIND_BOOL 1
#define HCL_KIND_NUMBER 2
#define HCL_KIND_STRING 3
#define HCL_KIND_LIST 4
#define HCL_KIND_SET 5
#define HCL_KIND_MAP 6
#define HCL_KIND_TUPLE 7
#define HCL_KIND_OBJECT 8
#define HCL_KIND_UNKNOWN 9
#define HCL_KIND_CAPSULE 10
#define HCL_KIND_INVALID 255
#define HCL_VERSION_MAJOR 0
#define HCL_VERSION_MINOR 1
#define HCL_VERSION_PATCH 0
#define HCL_VERSION 256
enum hcl_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif
 {
    HCL_OK = 0,
    HCL_ERR_ARGUMENT = 1,
    HCL_ERR_DIAGNOSTICS = 2,
    HCL_ERR_TYPE = 3,
    HCL_ERR_RANGE = 4,
    HCL_ERR_NOT_FOUND = 5,
    HCL_ERR_UNKNOWN = 6,
    HCL_ERR_UNBOUND = 7,
    HCL_ERR_LIMIT = 8,
    HCL_ERR_CANCELLED = 9,
    HCL_ERR_DEADLINE = 10,
    HCL_ERR_BUSY = 11,
    HCL_ERR_CALLBACK = 12,
    HCL_ERR_UNSUPPORTED = 13,
    HCL_ERR_INTERNAL = 14,
    HCL_ERR_MARKED = 15,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum hcl_status hcl_status;
#else
typedef int32_t hcl_status;
#endif
#endif
typedef struct hcl_answer hcl_answer;
typedef struct hcl_attr hcl_attr;
typedef struct hcl_block hcl_block;
typedef struct hcl_body hcl_body;
typedef struct hcl_buf hcl_buf;
typedef struct hcl_builder hcl_builder;
typedef struct hcl_call hcl_call;
typedef struct hcl_cancel hcl_cancel;
typedef struct hcl_definitions hcl_definitions;
typedef struct hcl_diags hcl_diags;
typedef struct hcl_expr hcl_expr;
typedef struct hcl_file hcl_file;
typedef struct hcl_frame hcl_frame;
typedef struct hcl_functions hcl_functions;
typedef struct hcl_host hcl_host;
typedef struct hcl_marks hcl_marks;
typedef struct hcl_program hcl_program;
typedef struct hcl_scope hcl_scope;
typedef struct hcl_spec hcl_spec;
typedef struct hcl_static hcl_static;
typedef struct hcl_traversals hcl_traversals;
typedef struct hcl_type hcl_type;
typedef struct {
    const char *ptr;
    size_t len;
} hcl_str;
typedef struct {
    uint32_t line;
    uint32_t column;
    uint64_t byte;
} hcl_pos;
typedef struct {
    hcl_pos start;
    hcl_pos end;
} hcl_range;
typedef struct {
    size_t size;
    uint32_t max_depth;
    uint32_t reserved;
    uint64_t max_steps;
    uint64_t max_elements;
    uint64_t max_output_bytes;
    uint64_t timeout_ns;
    uint64_t max_memory;
    const hcl_cancel *cancel;
} hcl_limits;
typedef struct {
    size_t size;
    uint32_t flags;
    uint32_t max_depth;
    uint32_t max_diagnostics;
    uint32_t reserved;
    uint64_t max_source_bytes;
    hcl_pos start;
    uint64_t timeout_ns;
    const hcl_cancel *cancel;
} hcl_parse_opts;
typedef struct {
    size_t size;
    uint32_t severity;
    uint32_t n_values;
    hcl_str code;
    hcl_str summary;
    hcl_str detail;
    hcl_str filename;
    hcl_range subject;
    hcl_range context;
    hcl_str expression;
} hcl_diag;
typedef struct {
    size_t size;
    uint32_t flags;
    uint32_t width;
    uint32_t max_count;
    uint32_t reserved;
    uint64_t max_bytes;
    uint64_t timeout_ns;
    const hcl_cancel *cancel;
} hcl_render_opts;
typedef struct {
    size_t size;
    const hcl_str *only;
    size_t n_only;
    const hcl_str *opaque;
    size_t n_opaque;
} hcl_dynamic_opts;
typedef struct {
    size_t size;
    uint32_t flags;
    uint32_t width;
    uint32_t max_steps;
    uint32_t max_depth;
    uint32_t max_elements;
    uint32_t reserved;
} hcl_explain_opts;
typedef int32_t (*hcl_host_callback)(void *user, hcl_str what, uint64_t most, hcl_answer *answer);
typedef int32_t (*hcl_store_callback)(void *user, hcl_str function, hcl_call *call);
typedef void (*hcl_drop)(void *user);
typedef struct {
    size_t size;
    uint32_t flags;
    uint32_t reserved;
    hcl_host_callback read_file;
    hcl_host_callback file_kind;
    hcl_host_callback list_directory;
    hcl_host_callback working_directory;
    hcl_host_callback home_directory;
    hcl_host_callback environment_variable;
    hcl_host_callback now;
    hcl_host_callback start_time;
    hcl_host_callback random_bytes;
    hcl_store_callback store;
    void *user;
    hcl_drop drop_user;
} hcl_host_callbacks;
typedef struct {
    size_t size;
    hcl_str name;
    hcl_str description;
    hcl_str signature;
    hcl_str result_type;
    hcl_str asks_for;
    size_t n_params;
    uint32_t flags;
    uint32_t reserved;
} hcl_function_info;
typedef struct {
    size_t size;
    hcl_str name;
    hcl_str description;
    hcl_str type_text;
    uint32_t flags;
    uint32_t reserved;
} hcl_param_info;
typedef int32_t (*hcl_resolve_callback)(void *user, size_t slot, hcl_str name, hcl_call *call);
typedef struct {
    size_t size;
    uint32_t flags;
    uint32_t reserved;
    hcl_resolve_callback look_up;
    void *user;
    hcl_drop drop_user;
} hcl_resolver;
typedef union {
    uint8_t boolean;
    int64_t integer;
    uint64_t natural;
    double number;
    hcl_str text;
    const hcl_value *value;
    size_t index;
} hcl_payload;
typedef struct {
    uint32_t kind;
    uint32_t reserved;
    hcl_payload payload;
} hcl_cell;
typedef struct {
    hcl_str name;
    hcl_str type_text;
    uint32_t flags;
    uint32_t reserved;
} hcl_param;
typedef int32_t (*hcl_callback)(void *user, hcl_call *call);
typedef struct {
    size_t size;
    hcl_str name;
    hcl_str description;
    const hcl_param *params;
    size_t n_params;
    hcl_str result_type;
    uint32_t flags;
    uint32_t reserved;
    hcl_callback call;
    void *user;
    hcl_drop drop_user;
    hcl_callback result_type_of;
} hcl_function;
typedef struct {
    size_t size;
    uint32_t flags;
    uint32_t reserved;
    const hcl_str *folders;
    size_t n_folders;
    hcl_str start;
} hcl_host_opts;
typedef struct {
    size_t size;
    uint32_t kind;
    uint32_t reserved;
    hcl_str name;
    const hcl_value *key;
    hcl_range range;
} hcl_step;
#ifdef __cplusplus
extern "C" {
#endif
HCL_API uint32_t hcl_version(void);
HCL_API hcl_str hcl_version_string(void);
HCL_API bool hcl_compatible(uint32_t header_version);
HCL_API hcl_str hcl_status_name(int32_t status);
HCL_API hcl_str hcl_buf_str(const hcl_buf *buf);
HCL_API void hcl_buf_free(hcl_buf *buf);
HCL_API
hcl_status hcl_file_parse(const char *name,
                          size_t name_len,
                          const char *src,
                          size_t src_len,
                          const hcl_parse_opts *opts,
                          hcl_file **file,
                          hcl_diags **diags);
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
HCL_API const hcl_body *hcl_file_body(const hcl_file *file);
HCL_API hcl_str hcl_file_name(const hcl_file *file);
HCL_API hcl_str hcl_file_source(const hcl_file *file);
HCL_API hcl_status hcl_file_ref(const hcl_file *file, hcl_file **out);
HCL_API void hcl_file_free(hcl_file *file);
HCL_API size_t hcl_body_attr_count(const hcl_body *body);
HCL_API const hcl_attr *hcl_body_attr_at(const hcl_body *body, size_t index);
HCL_API const hcl_attr *hcl_body_attr_find(const hcl_body *body, const char *name, size_t name_len);
HCL_API hcl_str hcl_attr_name(const hcl_attr *attr);
HCL_API const hcl_expr *hcl_attr_expr(const hcl_attr *attr);
HCL_API hcl_status hcl_attr_range(const hcl_attr *attr, hcl_range *out);
HCL_API hcl_status hcl_body_missing_range(const hcl_body *body, hcl_range *out);
HCL_API size_t hcl_body_block_count(const hcl_body *body);
HCL_API const hcl_block *hcl_body_block_at(const hcl_body *body, size_t index);
HCL_API hcl_str hcl_block_type(const hcl_block *block);
HCL_API size_t hcl_block_label_count(const hcl_block *block);
HCL_API hcl_str hcl_block_label(const hcl_block *block, size_t index);
HCL_API hcl_status hcl_block_label_range(const hcl_block *block, size_t index, hcl_range *out);
HCL_API const hcl_body *hcl_block_body(const hcl_block *block);
HCL_API hcl_status hcl_block_range(const hcl_block *block, hcl_range *out);
HCL_API hcl_status hcl_block_type_range(const hcl_block *block, hcl_range *out);
HCL_API hcl_status hcl_block_definition_range(const hcl_block *block, hcl_range *out);
HCL_API hcl_str hcl_block_filename(const hcl_block *block);
HCL_API hcl_status hcl_attr_name_range(const hcl_attr *attr, hcl_range *out);
HCL_API hcl_status hcl_attr_eval(const hcl_attr *attr, hcl_frame *frame, hcl_value **value, hcl_diags **diags);
HCL_API
hcl_status hcl_attr_variables(const hcl_attr *attr,
                              hcl_traversals **out);
HCL_API bool hcl_body_is_unknown(const hcl_body *body);
HCL_API hcl_status hcl_body_ref(const hcl_body *body, hcl_body **out);
HCL_API void hcl_body_free(hcl_body *body);
HCL_API
hcl_status hcl_schema_parse(const char *name,
                            size_t name_len,
                            const char *src,
                            size_t src_len,
                            const hcl_parse_opts *opts,
                            hcl_schema **out,
                            hcl_diags **diags);
HCL_API const hcl_schema *hcl_schema_block(const hcl_schema *schema, const char *block_type, size_t block_type_len);
HCL_API hcl_status hcl_schema_ref(const hcl_schema *schema, hcl_schema **out);
HCL_API void hcl_schema_free(hcl_schema *schema);
HCL_API
hcl_status hcl_body_content(const hcl_body *body,
                            const hcl_schema *schema,
                            uint32_t flags,
                            hcl_frame *frame,
                            hcl_body **content,
                            hcl_body **rest,
                            hcl_diags **diags);
HCL_API
hcl_status hcl_body_just_attributes(const hcl_body *body,
                                    uint32_t flags,
                                    hcl_body **content,
                                    hcl_diags **diags);
HCL_API
hcl_status hcl_body_merge(const hcl_body *const *bodies,
                          size_t n_bodies,
                          hcl_body **out);
HCL_API
hcl_status hcl_body_variables(const hcl_body *body,
                              const hcl_schema *schema,
                              uint32_t flags,
                              hcl_traversals **out);
HCL_API
hcl_status hcl_body_expand_dynamic(const hcl_body *body,
                                   const hcl_scope *scope,
                                   const hcl_dynamic_opts *opts,
                                   hcl_body **out);
HCL_API
hcl_status hcl_spec_parse(const char *name,
                          size_t name_len,
                          const char *src,
                          size_t src_len,
                          const hcl_parse_opts *opts,
                          hcl_spec **out,
                          hcl_diags **diags);
HCL_API hcl_status hcl_spec_type(const hcl_spec *spec, hcl_type **out);
HCL_API hcl_status hcl_spec_schema(const hcl_spec *spec, hcl_schema **out);
HCL_API hcl_status hcl_spec_scope(const hcl_spec *spec, const hcl_scope *parent, hcl_scope **out);
HCL_API hcl_status hcl_spec_variables(const hcl_spec *spec, const hcl_body *body, uint32_t flags, hcl_traversals **out);
HCL_API
hcl_status hcl_spec_decode(const hcl_spec *spec,
                           const hcl_body *body,
                           hcl_frame *frame,
                           hcl_value **value,
                           hcl_diags **diags);
HCL_API hcl_status hcl_spec_ref(const hcl_spec *spec, hcl_spec **out);
HCL_API void hcl_spec_free(hcl_spec *spec);
HCL_API hcl_str hcl_expr_source(const hcl_expr *expr);
HCL_API hcl_status hcl_expr_range(const hcl_expr *expr, hcl_range *out);
HCL_API hcl_status hcl_expr_ref(const hcl_expr *expr, hcl_expr **out);
HCL_API void hcl_expr_free(hcl_expr *expr);
HCL_API hcl_str hcl_expr_filename(const hcl_expr *expr);
HCL_API hcl_status hcl_expr_variables(const hcl_expr *expr, hcl_traversals **out);
HCL_API hcl_status hcl_expr_functions(const hcl_expr *expr, hcl_traversals **out);
HCL_API hcl_status hcl_expr_static_traversal(const hcl_expr *expr, hcl_traversals **out);
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
HCL_API size_t hcl_traversals_count(const hcl_traversals *list);
HCL_API hcl_str hcl_traversals_root(const hcl_traversals *list, size_t index);
HCL_API hcl_str hcl_traversals_text(const hcl_traversals *list, size_t index);
HCL_API hcl_status hcl_traversals_range(const hcl_traversals *list, size_t index, hcl_range *out);
HCL_API hcl_str hcl_traversals_filename(const hcl_traversals *list, size_t index);
HCL_API size_t hcl_traversals_step_count(const hcl_traversals *list, size_t index);
HCL_API hcl_status hcl_traversals_step(const hcl_traversals *list, size_t index, size_t step_index, hcl_step *out);
HCL_API void hcl_traversals_free(hcl_traversals *list);
HCL_API hcl_status hcl_expr_static(const hcl_expr *expr, uint32_t kind, hcl_static **out);
HCL_API hcl_str hcl_static_name(const hcl_static *form);
HCL_API size_t hcl_static_count(const hcl_static *form);
HCL_API const hcl_expr *hcl_static_at(const hcl_static *form, size_t index);
HCL_API const hcl_expr *hcl_static_key(const hcl_static *form, size_t index);
HCL_API void hcl_static_free(hcl_static *form);
HCL_API hcl_status hcl_type_parse(const char *text, size_t text_len, hcl_type **out, hcl_diags **diags);
HCL_API hcl_status hcl_expr_type(const hcl_expr *expr, hcl_type **out, hcl_diags **diags);
HCL_API hcl_status hcl_type_text(const hcl_type *ty, hcl_buf **out);
HCL_API bool hcl_type_equal(const hcl_type *a, const hcl_type *b);
HCL_API hcl_status hcl_type_ref(const hcl_type *ty, hcl_type **out);
HCL_API void hcl_type_free(hcl_type *ty);
HCL_API hcl_status hcl_value_null(const hcl_type *ty, hcl_value **out);
HCL_API hcl_status hcl_value_unknown(const hcl_type *ty, hcl_value **out);
HCL_API hcl_status hcl_value_bool(bool value, hcl_value **out);
HCL_API hcl_status hcl_value_i64(int64_t value, hcl_value **out);
HCL_API hcl_status hcl_value_u64(uint64_t value, hcl_value **out);
HCL_API hcl_status hcl_value_f64(double value, hcl_value **out);
HCL_API hcl_status hcl_value_number(const char *text, size_t text_len, hcl_value **out);
HCL_API hcl_status hcl_value_string(const char *text, size_t text_len, hcl_value **out);
HCL_API hcl_status hcl_value_ref(const hcl_value *value, hcl_value **out);
HCL_API void hcl_value_free(hcl_value *value);
HCL_API uint32_t hcl_value_kind(const hcl_value *value);
HCL_API hcl_status hcl_value_type(const hcl_value *value, hcl_type **out);
HCL_API bool hcl_value_is_null(const hcl_value *value);
HCL_API bool hcl_value_is_known(const hcl_value *value);
HCL_API bool hcl_value_is_wholly_known(const hcl_value *value);
HCL_API bool hcl_value_is_marked(const hcl_value *value);
HCL_API bool hcl_value_contains_marks(const hcl_value *value);
HCL_API hcl_status hcl_value_as_bool(const hcl_value *value, bool *out);
HCL_API hcl_status hcl_value_as_i64(const hcl_value *value, int64_t *out);
HCL_API hcl_status hcl_value_as_u64(const hcl_value *value, uint64_t *out);
HCL_API hcl_status hcl_value_as_f64(const hcl_value *value, double *out, bool *exact);
HCL_API hcl_status hcl_value_number_text(const hcl_value *value, hcl_buf **out);
HCL_API hcl_status hcl_value_as_str(const hcl_value *value, hcl_str *out);
HCL_API hcl_status hcl_value_len(const hcl_value *value, size_t *out);
HCL_API const hcl_value *hcl_value_at(const hcl_value *value, size_t index);
HCL_API hcl_status hcl_value_key_at(const hcl_value *value, size_t index, hcl_str *out);
HCL_API const hcl_value *hcl_value_get(const hcl_value *value, const char *key, size_t key_len);
HCL_API hcl_status hcl_builder_new(hcl_builder **out);
HCL_API hcl_status hcl_builder_begin(hcl_builder *builder, uint32_t kind);
HCL_API hcl_status hcl_builder_key(hcl_builder *builder, const char *key, size_t key_len);
HCL_API hcl_status hcl_builder_end(hcl_builder *builder);
HCL_API hcl_status hcl_builder_value(hcl_builder *builder, const hcl_value *value);
HCL_API hcl_status hcl_builder_null(hcl_builder *builder);
HCL_API hcl_status hcl_builder_bool(hcl_builder *builder, bool value);
HCL_API hcl_status hcl_builder_i64(hcl_builder *builder, int64_t value);
HCL_API hcl_status hcl_builder_f64(hcl_builder *builder, double value);
HCL_API hcl_status hcl_builder_string(hcl_builder *builder, const char *text, size_t text_len);
HCL_API hcl_status hcl_builder_finish(hcl_builder *builder, hcl_value **out);
HCL_API void hcl_builder_free(hcl_builder *builder);
HCL_API
bool hcl_value_identical(const hcl_value *a,
                         const hcl_value *b);
HCL_API
hcl_status hcl_value_equal(const hcl_value *a,
                           const hcl_value *b,
                           const hcl_limits *limits,
                           hcl_value **out,
                           hcl_diags **diags);
HCL_API hcl_status hcl_value_compare(const hcl_value *a, const hcl_value *b, int32_t *out);
HCL_API
hcl_status hcl_value_hash(const hcl_value *value,
                          const hcl_limits *limits,
                          uint64_t *out,
                          hcl_diags **diags);
HCL_API
hcl_status hcl_value_convert(const hcl_value *value,
                             const hcl_type *ty,
                             const hcl_limits *limits,
                             hcl_value **out,
                             hcl_diags **diags);
HCL_API bool hcl_value_has_mark(const hcl_value *value, const char *name, size_t name_len);
HCL_API size_t hcl_value_mark_count(const hcl_value *value);
HCL_API
hcl_str hcl_value_mark_at(const hcl_value *value,
                          size_t index);
HCL_API hcl_status hcl_value_mark(const hcl_value *value, const char *name, size_t name_len, hcl_value **out);
HCL_API
hcl_status hcl_value_unmark_deep(const hcl_value *value,
                                 const hcl_limits *limits,
                                 hcl_value **out,
                                 hcl_marks **marks,
                                 hcl_diags **diags);
HCL_API size_t hcl_marks_count(const hcl_marks *marks);
HCL_API hcl_status hcl_marks_at(const hcl_marks *marks, size_t index, hcl_str *path, hcl_str *name);
HCL_API void hcl_marks_free(hcl_marks *marks);
HCL_API
hcl_status hcl_value_decode(uint32_t format,
                            const char *text,
                            size_t text_len,
                            const hcl_type *ty,
                            const hcl_limits *limits,
                            hcl_value **out,
                            hcl_diags **diags);
HCL_API
hcl_status hcl_value_encode(const hcl_value *value,
                            uint32_t format,
                            uint32_t flags,
                            const hcl_limits *limits,
                            hcl_buf **out,
                            hcl_diags **diags);
HCL_API hcl_status hcl_scope_new(const hcl_scope *parent, hcl_scope **out);
HCL_API hcl_status hcl_scope_slot(hcl_scope *scope, const char *name, size_t name_len, size_t *slot);
HCL_API hcl_status hcl_scope_const(hcl_scope *scope, const char *name, size_t name_len, const hcl_value *value);
HCL_API hcl_status hcl_scope_builtins(hcl_scope *scope, uint32_t library);
HCL_API hcl_status hcl_scope_function(hcl_scope *scope, const hcl_function *function);
HCL_API hcl_status hcl_scope_seal(hcl_scope *scope);
HCL_API hcl_status hcl_scope_ref(const hcl_scope *scope, hcl_scope **out);
HCL_API void hcl_scope_free(hcl_scope *scope);
HCL_API size_t hcl_call_count(const hcl_call *call);
HCL_API const hcl_value *hcl_call_arg(const hcl_call *call, size_t index);
HCL_API hcl_status hcl_call_arg_str(const hcl_call *call, size_t index, hcl_str *out);
HCL_API hcl_status hcl_call_arg_i64(const hcl_call *call, size_t index, int64_t *out);
HCL_API hcl_status hcl_call_arg_bool(const hcl_call *call, size_t index, bool *out);
HCL_API hcl_status hcl_call_return(hcl_call *call, const hcl_value *value);
HCL_API hcl_status hcl_call_return_str(hcl_call *call, const char *text, size_t text_len);
HCL_API hcl_status hcl_call_return_i64(hcl_call *call, int64_t value);
HCL_API hcl_status hcl_call_return_u64(hcl_call *call, uint64_t value);
HCL_API hcl_status hcl_call_return_f64(hcl_call *call, double value);
HCL_API hcl_status hcl_call_return_bool(hcl_call *call, bool value);
HCL_API hcl_status hcl_call_return_null(hcl_call *call);
HCL_API hcl_status hcl_call_return_type(hcl_call *call, const hcl_type *ty);
HCL_API
hcl_status hcl_call_fail(hcl_call *call,
                         size_t argument,
                         const char *message,
                         size_t message_len);
HCL_API bool hcl_call_cancelled(const hcl_call *call);
HCL_API
hcl_status hcl_frame_set_resolver(hcl_frame *frame,
                                  const hcl_resolver *resolver);
HCL_API hcl_status hcl_host_new(const hcl_host_callbacks *callbacks, hcl_host **out);
HCL_API hcl_status hcl_host_ref(const hcl_host *host, hcl_host **out);
HCL_API void hcl_host_free(hcl_host *host);
HCL_API hcl_status hcl_answer_bytes(hcl_answer *answer, const char *bytes, size_t len);
HCL_API hcl_status hcl_answer_kind(hcl_answer *answer, uint32_t kind);
HCL_API hcl_status hcl_answer_entry(hcl_answer *answer, const char *name, size_t name_len, uint32_t kind);
HCL_API hcl_status hcl_answer_time(hcl_answer *answer, int64_t seconds, uint32_t nanoseconds);
HCL_API hcl_status hcl_answer_fail(hcl_answer *answer, const char *message, size_t message_len);
HCL_API hcl_status hcl_host_system(const hcl_host_opts *opts, hcl_host **out, hcl_diags **diags);
HCL_API hcl_status hcl_functions_of(uint32_t builtins, hcl_functions **out);
HCL_API hcl_status hcl_functions_ref(const hcl_functions *functions, hcl_functions **out);
HCL_API void hcl_functions_free(hcl_functions *functions);
HCL_API size_t hcl_functions_count(const hcl_functions *functions);
HCL_API hcl_status hcl_functions_find(const hcl_functions *functions, const char *name, size_t name_len, size_t *index);
HCL_API size_t hcl_functions_from(const hcl_functions *functions, const char *text, size_t text_len);
HCL_API hcl_status hcl_functions_get(const hcl_functions *functions, size_t index, hcl_function_info *out);
HCL_API
hcl_status hcl_functions_param(const hcl_functions *functions,
                               size_t index,
                               size_t param_index,
                               hcl_param_info *out);
HCL_API
hcl_status hcl_program_compile(const hcl_expr *expr,
                               const hcl_scope *scope,
                               uint32_t flags,
                               hcl_program **out,
                               hcl_diags **diags);
HCL_API size_t hcl_program_needs_count(const hcl_program *program);
HCL_API size_t hcl_program_needs_at(const hcl_program *program, size_t index);
HCL_API hcl_status hcl_program_ref(const hcl_program *program, hcl_program **out);
HCL_API void hcl_program_free(hcl_program *program);
HCL_API hcl_status hcl_frame_new(const hcl_scope *scope, hcl_frame **out);
HCL_API hcl_status hcl_frame_set(hcl_frame *frame, size_t slot, const hcl_value *value);
HCL_API hcl_status hcl_frame_set_str(hcl_frame *frame, size_t slot, const char *text, size_t text_len);
HCL_API hcl_status hcl_frame_set_i64(hcl_frame *frame, size_t slot, int64_t value);
HCL_API hcl_status hcl_frame_set_u64(hcl_frame *frame, size_t slot, uint64_t value);
HCL_API hcl_status hcl_frame_set_f64(hcl_frame *frame, size_t slot, double value);
HCL_API hcl_status hcl_frame_set_bool(hcl_frame *frame, size_t slot, bool value);
HCL_API hcl_status hcl_frame_set_null(hcl_frame *frame, size_t slot);
HCL_API hcl_status hcl_frame_reset(hcl_frame *frame);
HCL_API hcl_status hcl_frame_set_limits(hcl_frame *frame, const hcl_limits *limits);
HCL_API hcl_status hcl_frame_set_cancel(hcl_frame *frame, const hcl_cancel *cancel);
HCL_API hcl_status hcl_frame_set_host(hcl_frame *frame, const hcl_host *host);
HCL_API hcl_status hcl_frame_used(const hcl_frame *frame, hcl_limits *out);
HCL_API void hcl_frame_free(hcl_frame *frame);
HCL_API
hcl_status hcl_eval(const hcl_program *program,
                    hcl_frame *frame,
                    hcl_value **value,
                    hcl_diags **diags);
HCL_API hcl_status hcl_eval_bool(const hcl_program *program, hcl_frame *frame, bool *out, hcl_diags **diags);
HCL_API hcl_status hcl_eval_i64(const hcl_program *program, hcl_frame *frame, int64_t *out, hcl_diags **diags);
HCL_API hcl_status hcl_eval_f64(const hcl_program *program, hcl_frame *frame, double *out, hcl_diags **diags);
HCL_API hcl_status hcl_eval_str(const hcl_program *program, hcl_frame *frame, hcl_str *out, hcl_diags **diags);
HCL_API hcl_status hcl_expr_eval(const hcl_expr *expr, hcl_frame *frame, hcl_value **value, hcl_diags **diags);
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
HCL_API
hcl_status hcl_expr_explain(const hcl_expr *expr,
                            hcl_frame *frame,
                            const hcl_explain_opts *opts,
                            hcl_buf **out,
                            hcl_diags **diags);
HCL_API hcl_status hcl_cancel_new(hcl_cancel **out);
HCL_API
void hcl_cancel_trigger(const hcl_cancel *cancel);
HCL_API hcl_status hcl_cancel_ref(const hcl_cancel *cancel, hcl_cancel **out);
HCL_API void hcl_cancel_free(hcl_cancel *cancel);
HCL_API
hcl_status hcl_scope_user_functions(hcl_scope *scope,
                                    const hcl_body *body,
                                    const char *block_type,
                                    size_t block_type_len,
                                    uint32_t flags,
                                    const hcl_scope *base,
                                    hcl_body **rest,
                                    hcl_diags **diags);
HCL_API hcl_status hcl_definitions_new(const char *root, size_t root_len, hcl_definitions **out);
HCL_API hcl_status hcl_definitions_add(hcl_definitions *definitions, const hcl_attr *attr);
HCL_API hcl_status hcl_definitions_order(const hcl_definitions *definitions, hcl_value **names, hcl_diags **diags);
HCL_API
hcl_status hcl_definitions_eval(const hcl_definitions *definitions,
                                hcl_frame *frame,
                                hcl_value **value,
                                hcl_diags **diags);
HCL_API void hcl_definitions_free(hcl_definitions *definitions);
HCL_API
hcl_status hcl_format(const char *name,
                      size_t name_len,
                      const char *src,
                      size_t src_len,
                      uint32_t style,
                      const hcl_parse_opts *opts,
                      hcl_buf **out,
                      hcl_diags **diags);
HCL_API
hcl_status hcl_format_check(const char *name,
                            size_t name_len,
                            const char *src,
                            size_t src_len,
                            uint32_t style,
                            const hcl_parse_opts *opts,
                            bool *is_canonical,
                            hcl_diags **diags);
HCL_API
hcl_status hcl_file_to_json(const hcl_file *file,
                            hcl_frame *frame,
                            hcl_buf **out,
                            hcl_diags **diags);
HCL_API
hcl_status hcl_file_to_native(const hcl_file *file,
                              const hcl_schema *schema,
                              hcl_buf **out,
                              hcl_diags **diags);
HCL_API size_t hcl_diags_count(const hcl_diags *diags);
HCL_API bool hcl_diags_has_errors(const hcl_diags *diags);
HCL_API hcl_status hcl_diags_get(const hcl_diags *diags, size_t index, hcl_diag *out);
HCL_API
hcl_status hcl_diags_value(const hcl_diags *diags,
                           size_t index,
                           size_t value_index,
                           hcl_str *expression,
                           hcl_str *description);
HCL_API hcl_status hcl_diags_append(hcl_diags **diags, const hcl_diags *more);
HCL_API hcl_status hcl_diags_render(const hcl_diags *diags, const hcl_render_opts *opts, hcl_buf **out);
HCL_API hcl_status hcl_diags_json(const hcl_diags *diags, const hcl_render_opts *opts, hcl_buf **out);
HCL_API hcl_status hcl_code_explain(const char *code, size_t code_len, hcl_buf **out);
HCL_API void hcl_diags_free(hcl_diags *diags);
#ifdef __cplusplus
}
#endif
#endif  /* LIBHCL_HCL_H */

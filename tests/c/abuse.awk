# Makes a C program of hcl.h as the preprocessor leaves it: every function is called with arguments that make no
# sense. A new function is called as soon as hcl.h declares it.
#   nothing   null and zero for all arguments
#   outs      room for what comes out, null and zero for the rest
#   texts     as outs, with texts that are null, endless or no UTF-8 behind lengths that say otherwise
#   sizes     as outs, with structs whose size is 0, 1, huge, or one whose content is garbage
# A status may be anything but HCL_OK with nothing to write to, and HCL_ERR_INTERNAL never.

function trim(s) { gsub(/^[ \t\n]+|[ \t\n]+$/, "", s); return s }

{ text = text " " $0 }

END {
    print "#include <hcl.h>\n#include <stdio.h>\n#include <string.h>\n"
    print "static union { hcl_value *handle; unsigned char bytes[512]; size_t size; } room;"
    print "static int failures, calls;"
    print "static void fresh(size_t size) { memset(&room, 0, sizeof room); room.size = size; calls++; }"
    print "static void status(const char *call, int32_t status, int writes) {"
    print "    if (status == HCL_ERR_INTERNAL || (status == HCL_OK && !writes)) { failures++; fprintf(stderr, \"%s gave %d\\n\", call, (int)status); }"
    print "}"
    print "static const char bad[] = \"\\xc3(\";\n"
    print "int main(void)\n{"
    n = split(text, declarations, ";")
    for (i = 1; i <= n; i++) {
        d = declarations[i]
        if (d !~ /hcl_[a-z0-9_]+ *\(/ || d ~ /typedef|\{/) continue
        gsub(/__attribute__ *\(\([^)]*\)\)|__attribute__ *\(\(visibility\("default"\)\)\)/, "", d)
        match(d, /hcl_[a-z0-9_]+ *\(/)
        name = trim(substr(d, RSTART, RLENGTH - 1))
        returns = trim(substr(d, 1, RSTART - 1))
        parameters = substr(d, RSTART + RLENGTH)
        sub(/\)[^)]*$/, "", parameters)
        call(name, returns, parameters)
    }
    print "    fprintf(stderr, \"%d calls\\n\", calls);\n    return failures != 0;\n}"
}

# Whether a parameter is where something comes out: a pointer to what is not const.
function is_out(p) { return p ~ /\*/ && (p ~ /\*\*/ || p !~ /^const /) && p !~ /^const .*\*\*/ && p !~ /^hcl_[a-z_]+ \*[a-z]/ || p ~ /^(bool|int32_t|uint32_t|int64_t|uint64_t|double|size_t) \*/ }
function is_struct(p) { return p ~ /^(const )?hcl_(limits|parse_opts|render_opts|function|resolver|host_callbacks|host_opts|diag|place|step|function_info|param_info|declared|[a-z]+_opts) \*[a-z]/ }
function is_plain(p) { return p ~ /^hcl_(str|range|pos|cell) \*[a-z]/ }

function call(name, returns, parameters,    n, list, i, p, kind, arguments, writes, line, size) {
    n = trim(parameters) == "void" || trim(parameters) == "" ? 0 : split(parameters, list, ",")
    for (kind = 0; kind < 9; kind++) {
        arguments = ""; writes = 0; size = 0
        for (i = 1; i <= n; i++) {
            p = trim(list[i])
            line = "0"
            if (kind > 0 && (is_out(p) || is_plain(p) || is_struct(p))) line = "(void *)&room"
            if (kind > 0 && is_out(p)) writes = 1
            if (kind > 0 && is_plain(p)) writes = 1
            if (kind > 3 && is_struct(p)) size = kind
            if (kind == 1 && p ~ /^size_t [a-z_]*len$/) line = "5"
            if (kind == 2 && p ~ /^const char \*/) line = "bad"
            if (kind == 2 && p ~ /^size_t [a-z_]*len$/) line = "2"
            if (kind == 3 && p ~ /^const char \*/) line = "bad"
            if (kind == 3 && p ~ /^size_t [a-z_]*len$/) line = "(size_t)-2"
            if (kind > 3 && is_struct(p)) writes = 1
            if (kind == 8 && p ~ /^uint32_t [a-z_]+$/) line = "0xdeadbeefu"
            arguments = arguments (i > 1 ? ", " : "") line
        }
        if (kind > 3 && kind < 8 && !size) continue
        if (n == 0 && kind > 0) continue
        size = kind == 4 || !size ? "0" : kind == 5 ? "1" : kind == 6 ? "sizeof room" : kind == 7 ? "(size_t)-1" : "64"
        printf "    fresh(%s);\n", size
        if (kind == 6) print "    memset(room.bytes + 8, 0xa5, sizeof room - 8);"
        if (returns ~ /hcl_status$/) printf "    status(\"%s/%d\", %s(%s), %d);\n", name, kind, name, arguments, writes
        else if (returns ~ /void$/) printf "    %s(%s);\n", name, arguments
        else printf "    (void)%s(%s);\n", name, arguments
    }
}

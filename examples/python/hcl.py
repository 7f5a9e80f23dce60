"""libhcl for Python through ctypes: as much of it as a tool needs that reads configurations and asks questions of them.

Objects own what they name and release it when they go; what is borrowed in C (bodies, attributes) keeps its file alive.
Mistakes in an input are `hcl.Error`, with the text of the diagnostics.
"""

import ctypes
import ctypes.util
import json
import os
from ctypes import POINTER, byref, c_bool, c_char_p, c_int32, c_size_t, c_uint32, c_uint64, c_void_p

TERRAFORM = 1  # HCL_BUILTINS_TERRAFORM
FORMAT_JSON = 0  # HCL_FORMAT_JSON
OBJECT, TUPLE = 8, 7  # HCL_KIND_…
OK, ERR_UNKNOWN = 0, 6


class _Str(ctypes.Structure):
    _fields_ = [("ptr", c_void_p), ("len", c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.ptr, self.len).decode()


class _Pos(ctypes.Structure):
    _fields_ = [("line", c_uint32), ("column", c_uint32), ("byte", c_uint64)]


class _Range(ctypes.Structure):
    _fields_ = [("start", _Pos), ("end", _Pos)]


def _load():
    name = os.environ.get("LIBHCL") or ctypes.util.find_library("hcl") or "libhcl.so.0.1"
    library = ctypes.CDLL(name)
    out, text = POINTER(c_void_p), [c_char_p, c_size_t]
    for function, result, *arguments in [
        ("hcl_compatible", c_bool, c_uint32),
        ("hcl_status_name", _Str, c_int32),
        ("hcl_buf_str", _Str, c_void_p),
        ("hcl_diags_render", c_int32, c_void_p, c_void_p, out),
        ("hcl_file_parse", c_int32, *text, *text, c_void_p, out, out),
        ("hcl_file_body", c_void_p, c_void_p),
        ("hcl_body_attr_count", c_size_t, c_void_p),
        ("hcl_body_attr_at", c_void_p, c_void_p, c_size_t),
        ("hcl_attr_name", _Str, c_void_p),
        ("hcl_attr_expr", c_void_p, c_void_p),
        ("hcl_body_block_count", c_size_t, c_void_p),
        ("hcl_body_block_at", c_void_p, c_void_p, c_size_t),
        ("hcl_block_type", _Str, c_void_p),
        ("hcl_block_label_count", c_size_t, c_void_p),
        ("hcl_block_label", _Str, c_void_p, c_size_t),
        ("hcl_block_body", c_void_p, c_void_p),
        ("hcl_block_range", c_int32, c_void_p, POINTER(_Range)),
        ("hcl_scope_new", c_int32, c_void_p, out),
        ("hcl_scope_builtins", c_int32, c_void_p, c_uint32),
        ("hcl_scope_slot", c_int32, c_void_p, *text, POINTER(c_size_t)),
        ("hcl_scope_seal", c_int32, c_void_p),
        ("hcl_program_compile", c_int32, c_void_p, c_void_p, c_uint32, out, out),
        ("hcl_frame_new", c_int32, c_void_p, out),
        ("hcl_frame_set", c_int32, c_void_p, c_size_t, c_void_p),
        ("hcl_eval", c_int32, c_void_p, c_void_p, out, out),
        ("hcl_expr_eval", c_int32, c_void_p, c_void_p, out, out),
        ("hcl_value_unknown", c_int32, c_void_p, out),
        ("hcl_value_is_wholly_known", c_bool, c_void_p),
        ("hcl_value_encode", c_int32, c_void_p, c_uint32, c_uint32, c_void_p, out, out),
        ("hcl_value_decode", c_int32, c_uint32, *text, c_void_p, c_void_p, out, out),
        ("hcl_builder_new", c_int32, out),
        ("hcl_builder_begin", c_int32, c_void_p, c_uint32),
        ("hcl_builder_key", c_int32, c_void_p, *text),
        ("hcl_builder_end", c_int32, c_void_p),
        ("hcl_builder_value", c_int32, c_void_p, c_void_p),
        ("hcl_builder_finish", c_int32, c_void_p, out),
    ]:
        getattr(library, function).restype = result
        getattr(library, function).argtypes = arguments
    for noun in ["buf", "builder", "diags", "file", "frame", "program", "scope", "value"]:
        getattr(library, f"hcl_{noun}_free").restype = None
        getattr(library, f"hcl_{noun}_free").argtypes = [c_void_p]
    if not library.hcl_compatible(0 << 16 | 1 << 8 | 0):
        raise ImportError(f"{name} is not the version of libhcl that this module is for")
    return library


_lib = _load()


class Error(Exception):
    """A call of the library failed. The text is that of the diagnostics, or the name of the status."""

    def __init__(self, status, text=None):
        super().__init__(text or str(_lib.hcl_status_name(status)))
        self.status = status


class _Owned:
    """What a function of C wrote through an out parameter."""

    noun = ""

    def __init__(self, pointer):
        self._as_parameter_ = pointer

    def __del__(self, library=_lib):
        getattr(library, f"hcl_{self.noun}_free")(getattr(self, "_as_parameter_", None))


class _Buf(_Owned):
    noun = "buf"

    def __str__(self):
        return str(_lib.hcl_buf_str(self))


class _Diags(_Owned):
    noun = "diags"


def _check(status):
    if status != OK:
        raise Error(status)


def _make(kind, function, *arguments):
    """Calls a function whose last parameter is the object it makes."""
    made = c_void_p()
    _check(function(*arguments, byref(made)))
    return kind(made)


def _try(kind, function, *arguments):
    """Calls a function whose last parameters are the object it makes and the diagnostics."""
    made, said = c_void_p(), c_void_p()
    status = function(*arguments, byref(made), byref(said))
    diags = _Diags(said)
    if status != OK:
        raise Error(status, str(_make(_Buf, _lib.hcl_diags_render, diags, None)) if said else None)
    return kind(made)


def _text(text):
    encoded = text.encode()
    return encoded, len(encoded)


class Value(_Owned):
    """A value; `to_python` gives it as what JSON has: dict, list, str, int, float, bool, None."""

    noun = "value"

    @staticmethod
    def of(content):
        """A value from dicts, lists and scalars, which may hold values."""
        builder = _make(_Builder, _lib.hcl_builder_new)
        builder.add(content)
        return _make(Value, _lib.hcl_builder_finish, builder)

    @staticmethod
    def unknown():
        return _make(Value, _lib.hcl_value_unknown, None)

    @property
    def is_known(self):
        return _lib.hcl_value_is_wholly_known(self)

    def to_python(self):
        return json.loads(str(_try(_Buf, _lib.hcl_value_encode, self, FORMAT_JSON, 0, None)))


class _Builder(_Owned):
    noun = "builder"

    def add(self, content):
        if isinstance(content, Value):
            _check(_lib.hcl_builder_value(self, content))
        elif isinstance(content, dict):
            _check(_lib.hcl_builder_begin(self, OBJECT))
            for key, element in content.items():
                _check(_lib.hcl_builder_key(self, *_text(key)))
                self.add(element)
            _check(_lib.hcl_builder_end(self))
        elif isinstance(content, (list, tuple)):
            _check(_lib.hcl_builder_begin(self, TUPLE))
            for element in content:
                self.add(element)
            _check(_lib.hcl_builder_end(self))
        else:
            self.add(_try(Value, _lib.hcl_value_decode, FORMAT_JSON, *_text(json.dumps(content)), None, None))


class _Borrowed:
    """Part of a file."""

    def __init__(self, pointer, file):
        self._as_parameter_, self._file = pointer, file


class Expr(_Borrowed):
    """An expression of an attribute."""


class Body(_Borrowed):
    """The content of a file or a block."""

    @property
    def attributes(self):
        """The expressions by name."""
        found = [_lib.hcl_body_attr_at(self, i) for i in range(_lib.hcl_body_attr_count(self))]
        return {str(_lib.hcl_attr_name(attr)): Expr(_lib.hcl_attr_expr(attr), self._file) for attr in found}

    @property
    def blocks(self):
        return [Block(_lib.hcl_body_block_at(self, i), self._file) for i in range(_lib.hcl_body_block_count(self))]


class Block(_Borrowed):
    """A block: a type, labels and a body."""

    @property
    def type(self):
        return str(_lib.hcl_block_type(self))

    @property
    def labels(self):
        return [str(_lib.hcl_block_label(self, i)) for i in range(_lib.hcl_block_label_count(self))]

    @property
    def body(self):
        return Body(_lib.hcl_block_body(self), self._file)

    @property
    def line(self):
        place = _Range()
        _check(_lib.hcl_block_range(self, byref(place)))
        return place.start.line


class File(_Owned):
    """A parsed file. Give names to `parse` for messages; nothing is opened."""

    noun = "file"

    @classmethod
    def parse(cls, name, text):
        return _try(cls, _lib.hcl_file_parse, *_text(name), *_text(text), None)

    @property
    def body(self):
        return Body(_lib.hcl_file_body(self), self)


class Scope(_Owned):
    """What names mean: the functions of a product, and variables whose values a frame gives."""

    noun = "scope"

    def __init__(self, *variables, builtins=TERRAFORM):
        made = c_void_p()
        _check(_lib.hcl_scope_new(None, byref(made)))
        super().__init__(made)
        _check(_lib.hcl_scope_builtins(self, builtins))
        self._slots = {name: self._declare(name) for name in variables}
        _check(_lib.hcl_scope_seal(self))

    def _declare(self, name):
        slot = c_size_t()
        _check(_lib.hcl_scope_slot(self, *_text(name), byref(slot)))
        return slot.value

    def compile(self, expr):
        return _try(Program, _lib.hcl_program_compile, expr, self, 0)

    def frame(self, **variables):
        made = _make(Frame, _lib.hcl_frame_new, self)
        for name, content in variables.items():
            value = content if isinstance(content, Value) else Value.of(content)
            _check(_lib.hcl_frame_set(made, self._slots[name], value))
        return made


class Program(_Owned):
    """A compiled expression."""

    noun = "program"


class Frame(_Owned):
    """The values of a scope's variables."""

    noun = "frame"

    def eval(self, what):
        """The value of a program or, evaluated once, of an expression."""
        function = _lib.hcl_eval if isinstance(what, Program) else _lib.hcl_expr_eval
        return _try(Value, function, what, self)

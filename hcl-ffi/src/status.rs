//! Status codes: what every fallible function of the interface returns.

/// The outcome of a call. The numbers are fixed; new ones may be added. `HCL_OK` is 0.
///
/// A call that takes `diags` and does not succeed hands at least one diagnostic out, whatever the status.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(i32)]
pub enum hcl_status {
    /// Success.
    HCL_OK = 0,
    /// The caller made a mistake: a null pointer, an unknown flag, a wrong `size`, a reserved field that is set, text that is not
    /// UTF-8. `hcl_status_detail` names the parameter.
    HCL_ERR_ARGUMENT = 1,
    /// The input is wrong: the diagnostics say how.
    HCL_ERR_DIAGNOSTICS = 2,
    /// The value is of another kind than the function reads.
    HCL_ERR_TYPE = 3,
    /// A number does not fit, or an index is out of range.
    HCL_ERR_RANGE = 4,
    /// There is no such name or key.
    HCL_ERR_NOT_FOUND = 5,
    /// The value is not known.
    HCL_ERR_UNKNOWN = 6,
    /// A slot that the evaluation needs holds no value.
    HCL_ERR_UNBOUND = 7,
    /// A limit was reached: the diagnostic says which.
    HCL_ERR_LIMIT = 8,
    /// The switch was thrown that the work was given (`hcl_cancel`).
    HCL_ERR_CANCELLED = 9,
    /// The time was over that the work was given (`timeout_ns`).
    HCL_ERR_DEADLINE = 10,
    /// The object is in use by another call.
    HCL_ERR_BUSY = 11,
    /// A callback of the host failed.
    HCL_ERR_CALLBACK = 12,
    /// The library was built without this, or can't do it: there is no such format, a host does not allow it.
    HCL_ERR_UNSUPPORTED = 13,
    /// A defect of the library. The objects of the call can only be freed; nothing else is affected.
    HCL_ERR_INTERNAL = 14,
    /// The value carries a mark, such as `sensitive`, and is not read before it is unmarked.
    HCL_ERR_MARKED = 15,
    /// The system has no memory. What the call made is released; every object that was there before is as it was.
    HCL_ERR_MEMORY = 16,
}

impl hcl_status {
    const ALL: [(Self, &'static str); 17] = [
        (Self::HCL_OK, "HCL_OK"),
        (Self::HCL_ERR_ARGUMENT, "HCL_ERR_ARGUMENT"),
        (Self::HCL_ERR_DIAGNOSTICS, "HCL_ERR_DIAGNOSTICS"),
        (Self::HCL_ERR_TYPE, "HCL_ERR_TYPE"),
        (Self::HCL_ERR_RANGE, "HCL_ERR_RANGE"),
        (Self::HCL_ERR_NOT_FOUND, "HCL_ERR_NOT_FOUND"),
        (Self::HCL_ERR_UNKNOWN, "HCL_ERR_UNKNOWN"),
        (Self::HCL_ERR_UNBOUND, "HCL_ERR_UNBOUND"),
        (Self::HCL_ERR_LIMIT, "HCL_ERR_LIMIT"),
        (Self::HCL_ERR_CANCELLED, "HCL_ERR_CANCELLED"),
        (Self::HCL_ERR_DEADLINE, "HCL_ERR_DEADLINE"),
        (Self::HCL_ERR_BUSY, "HCL_ERR_BUSY"),
        (Self::HCL_ERR_CALLBACK, "HCL_ERR_CALLBACK"),
        (Self::HCL_ERR_UNSUPPORTED, "HCL_ERR_UNSUPPORTED"),
        (Self::HCL_ERR_INTERNAL, "HCL_ERR_INTERNAL"),
        (Self::HCL_ERR_MARKED, "HCL_ERR_MARKED"),
        (Self::HCL_ERR_MEMORY, "HCL_ERR_MEMORY"),
    ];

    /// Says what the status means, for a reader who is told nothing else.
    pub(crate) fn sentence(self) -> &'static str {
        match self {
            Self::HCL_OK => "Nothing is wrong.",
            Self::HCL_ERR_ARGUMENT => "The caller passed something that the function does not take.",
            Self::HCL_ERR_DIAGNOSTICS => "The input is wrong.",
            Self::HCL_ERR_TYPE => "The value or expression is of another kind than the function takes.",
            Self::HCL_ERR_RANGE => "A number does not fit, or an index is out of range.",
            Self::HCL_ERR_NOT_FOUND => "There is nothing of that name.",
            Self::HCL_ERR_UNKNOWN => "The value is not known.",
            Self::HCL_ERR_UNBOUND => "A slot that the evaluation needs holds no value.",
            Self::HCL_ERR_LIMIT => "A limit was reached.",
            Self::HCL_ERR_CANCELLED => "The work was cancelled.",
            Self::HCL_ERR_DEADLINE => "The time for the work was over.",
            Self::HCL_ERR_BUSY => {
                "The object is in use by another call. Each thread, and each evaluation within a callback, needs a frame of its own."
            }
            Self::HCL_ERR_CALLBACK => "A callback of the host failed.",
            Self::HCL_ERR_UNSUPPORTED => "The library was built without this, or there is no such format.",
            Self::HCL_ERR_INTERNAL => "The library met a state that it should never be in.",
            Self::HCL_ERR_MARKED => "The value has marks, such as \"sensitive\", and is not read with them.",
            Self::HCL_ERR_MEMORY => "The system has no memory.",
        }
    }

    /// The name of the code with this number.
    pub(crate) fn name_of(number: i32) -> &'static str {
        let found = Self::ALL.iter().find(|(status, _)| *status as i32 == number);
        found.map_or("(no hcl_status)", |(_, name)| name)
    }
}

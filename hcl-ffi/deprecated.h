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

//! HCL types, values, functions and evaluation.

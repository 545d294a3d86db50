//! V4A (`*** Begin Patch`).

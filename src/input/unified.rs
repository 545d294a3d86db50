//! Unified diffs: plain, git's extended headers, numberless hunks, wrong counts.

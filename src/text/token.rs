//! Tokens of a line: words, operators, quoted strings. Used by the view that ignores runs of white space
//! and by the merge of a changed line.

//! Elision comments: `// ... existing code ...` and its kin, by which a model stands for lines that it
//! did not write out. They are never written into a file that did not hold them.

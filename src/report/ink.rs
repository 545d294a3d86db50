//! Colours, where somebody looks at them.

use std::fmt::Display;

use anstyle::{AnsiColor, Effects, Style};

/// Text that was removed, or that was refused.
pub(super) const RED: Style = AnsiColor::Red.on_default();
/// Text that was added, or that is fine.
pub(super) const GREEN: Style = AnsiColor::Green.on_default();
/// Text that is held back.
pub(super) const YELLOW: Style = AnsiColor::Yellow.on_default();
/// Where in a file a piece of a diff stands.
pub(super) const CYAN: Style = AnsiColor::Cyan.on_default();
/// A file's header in a diff.
pub(super) const BOLD: Style = Style::new().bold();
/// What is not looked at first.
pub(super) const DIM: Style = Style::new().dimmed();

/// The same style for the words of a line that changed.
pub(super) const fn strong(style: Style) -> Style {
    style.effects(Effects::BOLD.insert(Effects::INVERT))
}

/// Paints, or leaves as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ink(pub bool);

impl Ink {
    pub(super) fn paint(self, style: Style, text: impl Display) -> String {
        if self.0 { format!("{style}{text}{style:#}") } else { text.to_string() }
    }
}

//! Line differences by E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986.
//!
//! Of several shortest edits the model's are found: what comes of a merge depends on them. So diagonals are
//! looked at from the highest to the lowest, and of two ways to reach one the longer is taken, a tie being
//! a removal.

/// Whether line `x` of the one side equals line `y` of the other.
pub trait Same: Fn(usize, usize) -> bool {}
impl<F: Fn(usize, usize) -> bool> Same for F {}

/// Furthest points by diagonal.
struct Reach {
    points: Vec<i64>,
    shift: i64,
    low: i64,
    high: i64,
    least: i64,
    most: i64,
    beyond: i64,
}

impl Reach {
    /// Diagonals from `least` to `most`, begun at `start` on diagonal `middle`; `beyond` is farther than
    /// any point that an edit could come from.
    fn new((least, most): (i64, i64), (middle, start): (i64, i64), beyond: i64) -> Reach {
        let width = usize::try_from(most - least + 3).unwrap_or(3);
        let mut reach = Reach {
            points: vec![beyond; width],
            shift: 1 - least,
            low: middle,
            high: middle,
            least,
            most,
            beyond,
        };
        reach.set(middle, start);
        reach
    }

    fn at(&self, diagonal: i64) -> i64 {
        usize::try_from(diagonal + self.shift)
            .ok()
            .and_then(|at| self.points.get(at))
            .copied()
            .unwrap_or(self.beyond)
    }

    fn set(&mut self, diagonal: i64, point: i64) {
        if let Some(slot) = usize::try_from(diagonal + self.shift).ok().and_then(|at| self.points.get_mut(at))
        {
            *slot = point;
        }
    }

    /// One more change: a diagonal more on each side, as far as there are any.
    fn widen(&mut self) {
        if self.low > self.least {
            self.low -= 1;
            self.set(self.low - 1, self.beyond);
        } else {
            self.low += 1;
        }
        if self.high < self.most {
            self.high += 1;
            self.set(self.high + 1, self.beyond);
        } else {
            self.high -= 1;
        }
    }

    fn holds(&self, diagonal: i64) -> bool {
        self.low <= diagonal && diagonal <= self.high
    }

    /// From the highest diagonal to the lowest.
    fn diagonals(&self) -> impl Iterator<Item = i64> + use<> {
        let low = self.low;
        std::iter::successors(Some(self.high), |d| Some(d - 2)).take_while(move |d| *d >= low)
    }
}

fn index(at: i64) -> usize {
    usize::try_from(at).unwrap_or(usize::MAX)
}

/// The fewest changes, at most `most`, that turn `old` lines into a beginning of the `there` lines that
/// stand at line `at` of a file, and the longest such beginning. `least` keeps beginnings out that have
/// next to nothing in common with the old lines.
pub fn beginning(
    same: impl Same,
    (old, there): (usize, usize),
    at: i64,
    (least, most): (i64, i64),
) -> Option<(i64, i64)> {
    let (old, there) = (old as i64, there as i64);
    if least > there {
        return None;
    }
    let enough = |x: i64, y: i64, changes: i64| {
        x == old && y >= least && y <= there && (least <= 0 || x + y + 2 * at - changes >= 2 * least)
    };
    let slide = |mut x: i64, diagonal: i64| {
        while x < old && x - diagonal < there && same(index(x), index(x - diagonal)) {
            x += 1;
        }
        x
    };
    let start = slide(0, 0);
    if enough(start, start, 0) {
        return Some((0, start));
    }
    // Diagonals that so few changes do not reach need no room.
    let mut reach = Reach::new(((-there).max(-most - 1), old.min(most + 1)), (0, start), -1);
    for changes in 1..=most {
        reach.widen();
        let mut end = None;
        for diagonal in reach.diagonals() {
            let (below, above) = (reach.at(diagonal - 1), reach.at(diagonal + 1));
            let x = slide(if below < above { above } else { below + 1 }, diagonal);
            reach.set(diagonal, x);
            if enough(x, x - diagonal, changes) {
                end = end.max(Some(x - diagonal));
            }
        }
        if let Some(end) = end {
            return Some((changes, end));
        }
    }
    None
}

/// A part of both sides: from and to a line of each.
type Part = ((i64, i64), (i64, i64));

/// Which of `old` lines are gone and which of `new` lines have come.
pub fn changes(same: impl Same, (old, new): (usize, usize)) -> (Vec<bool>, Vec<bool>) {
    let (mut gone, mut come) = (vec![false; old], vec![false; new]);
    let mut parts: Vec<Part> = vec![((0, old as i64), (0, new as i64))];
    while let Some(part) = parts.pop() {
        let (x, y) = trimmed(&same, part);
        if x.0 == x.1 || y.0 == y.1 {
            gone[index(x.0)..index(x.1)].fill(true);
            come[index(y.0)..index(y.1)].fill(true);
        } else {
            let (middle_x, middle_y) = middle(&same, x, y);
            parts.push(((x.0, middle_x), (y.0, middle_y)));
            parts.push(((middle_x, x.1), (middle_y, y.1)));
        }
    }
    (gone, come)
}

/// Without what both sides begin and end with.
fn trimmed(same: &impl Same, (mut x, mut y): Part) -> Part {
    while x.0 < x.1 && y.0 < y.1 && same(index(x.0), index(y.0)) {
        (x.0, y.0) = (x.0 + 1, y.0 + 1);
    }
    while x.0 < x.1 && y.0 < y.1 && same(index(x.1 - 1), index(y.1 - 1)) {
        (x.1, y.1) = (x.1 - 1, y.1 - 1);
    }
    (x, y)
}

/// A point on a shortest edit, where the searches from both ends meet.
fn middle(same: &impl Same, x: (i64, i64), y: (i64, i64)) -> (i64, i64) {
    let limits = (x.0 - y.1, x.1 - y.0);
    let (first, last) = (x.0 - y.0, x.1 - y.1);
    let is_odd = (first - last) % 2 != 0;
    let mut down = Reach::new(limits, (first, x.0), -1);
    let mut up = Reach::new(limits, (last, x.1), i64::MAX);
    loop {
        down.widen();
        for diagonal in down.diagonals() {
            let (below, above) = (down.at(diagonal - 1), down.at(diagonal + 1));
            let mut at = if below < above { above } else { below + 1 };
            while at < x.1 && at - diagonal < y.1 && same(index(at), index(at - diagonal)) {
                at += 1;
            }
            down.set(diagonal, at);
            if is_odd && up.holds(diagonal) && up.at(diagonal) <= at {
                return (at, at - diagonal);
            }
        }
        up.widen();
        for diagonal in up.diagonals() {
            let (below, above) = (up.at(diagonal - 1), up.at(diagonal + 1));
            let mut at = if below < above { below } else { above - 1 };
            while x.0 < at && y.0 < at - diagonal && same(index(at - 1), index(at - diagonal - 1)) {
                at -= 1;
            }
            up.set(diagonal, at);
            if !is_odd && down.holds(diagonal) && at <= down.at(diagonal) {
                return (at, at - diagonal);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(old: &str, new: &str) -> (String, String) {
        let (a, b) = (old.as_bytes(), new.as_bytes());
        let (gone, come) = changes(|x, y| a[x] == b[y], (a.len(), b.len()));
        let text =
            |marks: Vec<bool>, mark: char| marks.iter().map(|on| if *on { mark } else { ' ' }).collect();
        (text(gone, '-'), text(come, '+'))
    }

    #[test]
    fn shortest_edits() {
        assert_eq!(marks("abc", "abc"), ("   ".into(), "   ".into()));
        assert_eq!(marks("abc", ""), ("---".into(), String::new()));
        assert_eq!(marks("abcabba", "cbabac"), ("-- -   ".into(), "  +  +".into()));
    }

    #[test]
    fn the_longest_beginning_with_the_fewest_changes() {
        let find = |old: &str, there: &str, least, most| {
            let (a, b) = (old.as_bytes(), there.as_bytes());
            beginning(|x, y| a[x] == b[y], (a.len(), b.len()), 1, (least, most))
        };
        assert_eq!(find("abc", "abcd", 0, 3), Some((0, 3)));
        assert_eq!(find("abc", "axcd", 0, 3), Some((2, 3)));
        assert_eq!(find("abc", "xyz", 2, 3), None);
        assert_eq!(find("abc", "a", 2, 3), None);
    }
}

//! The node counts a perft suite expects, in every spelling that suites use. Comparing them with
//! what is counted is not done here.

use super::epd::Operation;
use super::place::{Fault, Reason};
use crate::movegen::DEPTH_MAX;

/// What a suite says perft gives at one depth.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct ExpectedCount {
    /// The depth in plies; 0 is allowed (every position has one path of no plies).
    pub depth: u32,
    /// The number of leaves.
    pub count: u128,
}

/// The expected counts of one position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExpectedCounts {
    /// The counts, by increasing depth, each depth once.
    pub counts: Vec<ExpectedCount>,
    /// Counts in an unusual spelling.
    pub warnings: Vec<Fault>,
}

/// Reads the counts among the operations of a position.
///
/// `D1 20`, `perft1 20` and `perft 1 20` are read; with a warning also other cases of these
/// (`d1 20`), `D1=20` and digits grouped by `,`, `_` or `'`. All other operations are passed over.
///
/// Refused: a depth or count that is no number or too large, and two different counts for one
/// depth. All faults are returned.
///
/// ```
/// use hyperft::parse::{FenOptions, expected_counts, read_epd};
///
/// let line = "r3k2r/8/8/8/8/8/1B6/R3K2R w KQkq - 0 1 ;D1 34 ;D2 756";
/// let record = read_epd(line, FenOptions::default()).unwrap();
/// let expected = expected_counts(&record.operations).unwrap();
/// assert_eq!(expected.counts[1].count, 756);
/// ```
pub fn expected_counts(operations: &[Operation]) -> Result<ExpectedCounts, Vec<Fault>> {
    let mut expected = ExpectedCounts::default();
    let add = |operation| expected.add(operation).err();
    let faults: Vec<Fault> = operations.iter().filter_map(add).collect();
    if faults.is_empty() {
        Ok(expected)
    } else {
        Err(faults)
    }
}

/// True for `D5`, `perft5` and `perft`: the spellings that need no warning.
pub(super) fn is_count_opcode(opcode: &str) -> bool {
    let number = opcode
        .strip_prefix('D')
        .or_else(|| opcode.strip_prefix("perft"));
    number.is_some_and(|it| it.bytes().all(|byte| byte.is_ascii_digit())) && opcode != "D"
}

/// True for `D2:`, `D+2`, `depth` and the like. None is an opcode that anybody uses otherwise, and a
/// count that is silently not checked is worse than a refused record.
fn looks_like_a_count(opcode: &str) -> bool {
    let lower = opcode.to_ascii_lowercase();
    let after_d = lower.strip_prefix('d').and_then(|rest| rest.chars().next());
    lower == "d"
        || lower.starts_with("perft")
        || lower.starts_with("depth")
        || after_d.is_some_and(|next| !next.is_alphabetic())
}

impl ExpectedCounts {
    /// Adds the count of one operation, if it is one.
    pub(super) fn add(&mut self, operation: &Operation) -> Result<(), Fault> {
        let fault = |text: &str, reason| Fault::in_opcode(&operation.opcode, text, reason);
        let Some(claim) = Claim::of(operation) else {
            if looks_like_a_count(&operation.opcode) {
                return Err(fault(&operation.text(), Reason::CountMisspelt));
            }
            return Ok(());
        };
        let depth = claim
            .depth
            .parse()
            .ok()
            .filter(|&depth: &u32| depth <= DEPTH_MAX)
            .ok_or_else(|| fault(claim.depth, Reason::DepthExpected))?;
        let &[count_text] = claim.count.as_slice() else {
            let text = operation.text();
            return Err(fault(&text, Reason::CountExpected));
        };
        let (count, grouped) = read_count(count_text).map_err(|it| fault(count_text, it))?;
        if claim.unusual || grouped {
            let unusual = Reason::CountUnusual { depth, count };
            self.warnings.push(fault(&operation.text(), unusual));
        }
        match self.counts.binary_search_by_key(&depth, |it| it.depth) {
            Err(index) => self.counts.insert(index, ExpectedCount { depth, count }),
            Ok(index) if self.counts[index].count == count => {}
            Ok(index) => {
                let count = self.counts[index].count;
                return Err(fault(count_text, Reason::CountContradicts { depth, count }));
            }
        }
        Ok(())
    }
}

/// The words an operation claims a count with.
struct Claim<'a> {
    depth: &'a str,
    /// One word, if the claim is in order.
    count: Vec<&'a str>,
    unusual: bool,
}

impl<'a> Claim<'a> {
    fn of(operation: &'a Operation) -> Option<Claim<'a>> {
        let mut words: Vec<&str> = operation
            .operands
            .iter()
            .map(|it| it.text.as_str())
            .collect();
        let mut opcode = operation.opcode.as_str();
        let mut unusual = false;
        if let Some((name, value)) = opcode.split_once('=') {
            (opcode, unusual) = (name, true);
            words.insert(0, value);
        }
        let digits_at = opcode.find(|letter: char| letter.is_ascii_digit());
        let (name, depth) = opcode.split_at(digits_at.unwrap_or(opcode.len()));
        if !depth.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        unusual |= name != "D" && name != "perft";
        match (name.to_ascii_lowercase().as_str(), depth) {
            ("perft", "") if words.is_empty() => {
                let depth = "";
                Some(Claim {
                    depth,
                    count: words,
                    unusual,
                })
            }
            ("perft", "") => {
                let depth = words.remove(0);
                Some(Claim {
                    depth,
                    count: words,
                    unusual,
                })
            }
            ("d", "") => None,
            ("d" | "perft", depth) => Some(Claim {
                depth,
                count: words,
                unusual,
            }),
            _ => None,
        }
    }
}

/// A count, and whether its digits are grouped.
fn read_count(text: &str) -> Result<(u128, bool), Reason> {
    let digits: String = text.split([',', '_', '\'']).collect();
    let numeric = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let edges_are_digits = |edge: Option<char>| edge.is_some_and(|it| it.is_ascii_digit());
    if !numeric || !edges_are_digits(text.chars().next()) || !edges_are_digits(text.chars().last())
    {
        return Err(Reason::CountExpected);
    }
    let count = digits.parse().map_err(|_| Reason::CountTooLarge)?;
    Ok((count, digits.len() < text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::{FenOptions, read_epd};

    const FIELDS: &str = "8/8/8/8/8/8/8/K1k5 w - -";

    fn read(operations: &str) -> Result<ExpectedCounts, Vec<Fault>> {
        let record = read_epd(&format!("{FIELDS}{operations}"), FenOptions::default()).unwrap();
        expected_counts(&record.operations)
    }

    fn pairs(operations: &str) -> Vec<(u32, u128)> {
        let counts = read(operations).unwrap().counts;
        counts.iter().map(|it| (it.depth, it.count)).collect()
    }

    #[test]
    fn every_dialect_says_the_same() {
        for operations in [
            " 0 1 ;D1 20 ;D2 400",
            " 0 1; D1 20; D2 400;",
            " 0 1 ;D1 20 ;D2 400; D3 8902",
            " 0 1;20;400",
            " 0 1 ;20 ;400;",
            " perft1 20; perft2 400;",
            " perft 1 20; perft 2 400;",
            " D2 400; D1 20; D1 20;",
            " D1 20 D2 400;",
        ] {
            let read = pairs(operations);
            assert_eq!(read[..2], [(1, 20), (2, 400)], "{operations}");
        }
    }

    #[test]
    fn unusual_spellings_are_read_with_a_warning() {
        for operations in [" d1 1,234;", " D1=1234;", " D1 1_234;", " Perft1 1'234;"] {
            let expected = read(operations).unwrap();
            assert_eq!(
                expected.counts,
                [ExpectedCount {
                    depth: 1,
                    count: 1234
                }]
            );
            assert_eq!(expected.warnings.len(), 1, "{operations}");
        }
        assert!(read(" D1 1234;").unwrap().warnings.is_empty());
    }

    #[test]
    fn counts_may_exceed_64_bits_and_not_128() {
        assert_eq!(
            pairs(" D14 61885021521585529237;"),
            [(14, 61_885_021_521_585_529_237)]
        );
        let most = u128::MAX.to_string();
        assert_eq!(pairs(&format!(" D20 {most};")), [(20, u128::MAX)]);
        let faults = read(&format!(" D20 {most}0;")).unwrap_err();
        assert_eq!(faults[0].reason, Reason::CountTooLarge);
    }

    #[test]
    fn what_is_no_count_is_refused_by_name() {
        for (operations, message) in [
            (
                " D1 twenty;",
                "opcode D1, `twenty`: expected a count, a whole number of 0 or more",
            ),
            (
                " D1 -20;",
                "opcode D1, `-20`: expected a count, a whole number of 0 or more",
            ),
            (
                " D1 20.5;",
                "opcode D1, `20.5`: expected a count, a whole number of 0 or more",
            ),
            (
                " D1 20,;",
                "opcode D1, `20,`: expected a count, a whole number of 0 or more",
            ),
            (
                " D1;",
                "opcode D1, ``: expected a count, a whole number of 0 or more",
            ),
            (
                " D1 20 30;",
                "opcode D1, `20 30`: expected a count, a whole number of 0 or more",
            ),
            (
                " perft x 20;",
                "opcode perft, `x`: expected a depth, 0 to 255",
            ),
            (
                " D256 20;",
                "opcode D256, `256`: expected a depth, 0 to 255",
            ),
            (
                " D2: 400;",
                "opcode D2:, `400`: looks like a perft count; write it as D<depth> <count>",
            ),
            (
                " depth 2 400;",
                "opcode depth, `2 400`: looks like a perft count; write it as D<depth> <count>",
            ),
            (
                " D1 20; D1 21;",
                "opcode D1, `21`: the count of depth 1 is already 20",
            ),
        ] {
            let faults = read(operations).unwrap_err();
            assert_eq!(faults[0].to_string(), message);
        }
        assert_eq!(
            read(" D1 x; D2 y;").unwrap_err().len(),
            2,
            "all faults are returned"
        );
    }

    #[test]
    fn other_operations_are_no_counts() {
        assert_eq!(pairs(" bm d5; dm 3; ce 20; draw 5; D2 4;"), [(2, 4)]);
    }
}

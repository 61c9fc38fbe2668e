//! The positions that are counted, and their counts, which are those of `testdata/standard.epd`.

use super::super::CommandError;
use super::super::root::no_such_position;
use crate::parse::{FenOptions, NAMED_POSITIONS, NamedPosition, Source, named_position, open_jobs};
use crate::position::Position;

/// The suite that holds the counts; part of the program, as there is but one truth.
const SUITE: &str = include_str!("../../../testdata/standard.epd");

/// A position to be counted.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    pub(super) name: &'static str,
    pub(super) position: Position,
    /// Leaves at depth 0, 1, 2, ...
    pub(super) nodes: Vec<u128>,
}

impl Subject {
    /// The greatest depth with at most `nodes` leaves, at least 1.
    pub(super) fn deepest(&self, nodes: u128) -> u32 {
        let deepest = self.nodes.iter().rposition(|&count| count <= nodes);
        deepest.unwrap_or(1).max(1) as u32
    }

    /// The greatest depth whose count is known.
    pub(super) fn depth_max(&self) -> u32 {
        self.nodes.len() as u32 - 1
    }
}

/// The positions of these names, in this order; the six standard ones if there are no names.
pub(super) fn subjects(names: &[String]) -> Result<Vec<Subject>, CommandError> {
    if names.is_empty() {
        return Ok(NAMED_POSITIONS.iter().map(subject).collect());
    }
    let mut subjects: Vec<Subject> = Vec::new();
    for name in names {
        let named = named_position(name.trim()).ok_or_else(|| no_such_position(name))?;
        // Twice the same would be two rows of one name.
        if subjects.iter().all(|it| it.name != named.names[0]) {
            subjects.push(subject(named));
        }
    }
    Ok(subjects)
}

fn subject(named: &NamedPosition) -> Subject {
    let suite = Source::Literal(SUITE.to_string());
    let jobs = open_jobs(&suite, FenOptions::default()).expect("the suite is text");
    let job = jobs
        .map(|job| job.expect("the suite is without fault"))
        .find(|job| job.position.to_string() == named.fen)
        .expect("the suite holds every standard position");
    let counts = job.expected.iter().map(|expected| expected.count);
    Subject {
        name: named.names[0],
        position: job.position,
        nodes: std::iter::once(1).chain(counts).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movegen::perft;

    #[test]
    fn every_standard_position_has_its_counts_by_depth() {
        let subjects = subjects(&[]).expect("no name is wrong");
        assert_eq!(subjects.len(), 6);
        for subject in &subjects {
            assert!(subject.depth_max() >= 6, "{}", subject.name);
            for depth in 0..=3 {
                let nodes = subject.nodes[depth as usize];
                assert_eq!(u128::from(perft(&subject.position, depth)), nodes);
            }
        }
        assert_eq!(subjects[3].nodes[6], 706_045_033);
    }

    #[test]
    fn depths_follow_the_counts() {
        let names = ["kiwipete".to_string(), "Position2".to_string()];
        let subjects = subjects(&names).expect("both are known");
        assert_eq!(subjects.len(), 1, "one position by two names");
        let depths = [0, 48, 97_861, 97_862, u128::MAX].map(|nodes| subjects[0].deepest(nodes));
        assert_eq!(depths, [1, 1, 2, 3, 7]);
        let error = super::subjects(&["nowhere".to_string()]).expect_err("no such position");
        assert!(error.to_string().contains("kiwipete"), "{error}");
    }
}

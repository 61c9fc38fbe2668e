//! `Summary`: totals and histograms of many records, of a size that does not depend on how many.

use super::record::{Record, Status};
use crate::board::Color;

/// How often each number from 0 on occurred.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    counts: Vec<u64>,
}

impl Histogram {
    /// Counts a number once more.
    pub fn add(&mut self, number: usize) {
        if self.counts.len() <= number {
            self.counts.resize(number + 1, 0);
        }
        self.counts[number] += 1;
    }

    /// How often each number occurred, from 0 to the greatest that did.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// The counts in bins of `width` numbers: the first number of each bin and its count, without
    /// the empty bins before the first and after the last.
    pub fn bins(&self, width: usize) -> Vec<(usize, u64)> {
        let bins = self.counts.chunks(width).enumerate();
        let bins = bins.map(|(index, bin)| (index * width, bin.iter().sum()));
        bins.skip_while(|&(_, count)| count == 0).collect()
    }

    fn merge(&mut self, other: &Histogram) {
        if self.counts.len() < other.counts.len() {
            self.counts.resize(other.counts.len(), 0);
        }
        for (total, count) in self.counts.iter_mut().zip(&other.counts) {
            *total += count;
        }
    }
}

macro_rules! totals {
    ($($field:ident $about:literal => $value:expr;)*) => {
        /// Totals and histograms of records.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct Summary {
            /// Records by status, in the order of [`Status::ALL`].
            pub status: [u64; 3],
            $(#[doc = $about] pub $field: u64,)*
            /// Positions by number of legal moves.
            pub moves: Histogram,
            /// Positions by number of pieces, kings included.
            pub material: Histogram,
        }

        impl Summary {
            /// The totals with their names.
            pub fn totals(&self) -> Vec<(&'static str, u64)> {
                vec![$((stringify!($field), self.$field),)*]
            }

            /// Adds another summary.
            pub fn merge(&mut self, other: &Summary) {
                for (total, count) in self.status.iter_mut().zip(other.status) {
                    *total += count;
                }
                $(self.$field += other.$field;)*
                self.moves.merge(&other.moves);
                self.material.merge(&other.material);
            }

            fn add_totals(&mut self, found: &super::Found) {
                $(self.$field += u64::from($value(found));)*
            }
        }
    };
}

totals! {
    white_to_move "Positions with White to move." =>
        |it: &super::Found| it.position.side_to_move() == Color::White;
    with_castling_rights "Positions with a castling right." =>
        |it: &super::Found| it.position.pieces().castling_rooks.any();
    with_ep_capture "Positions with a legal e.p. capture." =>
        |it: &super::Found| it.position.pieces().ep.any();
    in_check "Positions in check." => |it: &super::Found| it.facts.in_check();
    with_pin "Positions with a pinned piece." => |it: &super::Found| it.facts.moves.pinned.any();
    with_mate "Positions with a move that mates." => |it: &super::Found| it.facts.moves.mates > 0;
    checkmate "Checkmates." => |it: &super::Found| it.facts.checkmate();
    stalemate "Stalemates." => |it: &super::Found| it.facts.stalemate();
    insufficient_material "Positions in which nobody can be mated." =>
        |it: &super::Found| it.facts.insufficient_material;
    fifty_moves "Positions in which a draw can be claimed." =>
        |it: &super::Found| it.facts.fifty_moves();
    seventy_five_moves "Positions drawn without a claim." =>
        |it: &super::Found| it.facts.seventy_five_moves();
    threefold "Lines whose last position has occurred three times." =>
        |it: &super::Found| it.game.as_ref().is_some_and(super::Game::threefold);
    fivefold "Lines whose last position has occurred five times." =>
        |it: &super::Found| it.game.as_ref().is_some_and(super::Game::fivefold);
    legal_moves "Legal moves of all positions." => |it: &super::Found| it.facts.moves.legal_moves;
    captures "Captures, e.p. included." => |it: &super::Found| it.facts.moves.captures;
    ep_captures "Captures en passant." => |it: &super::Found| it.facts.moves.ep_captures;
    castles "Castling moves." => |it: &super::Found| it.facts.moves.castles;
    promotions "Promotions." => |it: &super::Found| it.facts.moves.promotions;
    checks "Moves that give check." => |it: &super::Found| it.facts.moves.checks;
    direct_checks "Checks by the moved piece alone." =>
        |it: &super::Found| it.facts.moves.direct_checks();
    discovery_checks "Checks by a piece that did not move." =>
        |it: &super::Found| it.facts.moves.discovery_checks;
    double_checks "Checks by two pieces." => |it: &super::Found| it.facts.moves.double_checks;
    mates "Moves that mate." => |it: &super::Found| it.facts.moves.mates;
}

impl Summary {
    /// Adds a record.
    pub fn add(&mut self, record: &Record) {
        let place = Status::ALL.iter().position(|it| *it == record.status);
        self.status[place.unwrap_or_default()] += 1;
        if let Some(found) = &record.found {
            self.add_totals(found);
            self.moves.add(found.facts.moves.legal_moves.into());
            let pieces = found.position.pieces().occupied().count();
            self.material.add(pieces as usize);
        }
    }

    /// All records.
    pub fn records(&self) -> u64 {
        self.status.iter().sum()
    }

    /// Records with a position.
    pub fn positions(&self) -> u64 {
        self.status[0] + self.status[1]
    }

    /// Records that were rejected.
    pub fn rejected(&self) -> u64 {
        self.status[2]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::AnalyseOptions;
    use crate::parse::{FenOptions, Source, open_jobs};

    fn summary(text: &str) -> Summary {
        let source = Source::Literal(text.to_string());
        let mut summary = Summary::default();
        for job in open_jobs(&source, FenOptions::default()).unwrap() {
            summary.add(&Record::of(job, &AnalyseOptions::default()));
        }
        summary
    }

    #[test]
    fn a_summary_of_parts_is_the_sum_of_their_summaries() {
        let (one, two) = (
            "startpos\nkiwipete\n",
            "position3\nR5k1/5ppp/8/8/8/8/8/6K1 b - -\nx\n",
        );
        let mut sum = summary(one);
        sum.merge(&summary(two));
        let whole = summary(&format!("{one}{two}"));
        assert_eq!(sum, whole);
        assert_eq!(
            (whole.records(), whole.positions(), whole.rejected()),
            (5, 4, 1)
        );
        assert_eq!(
            (whole.legal_moves, whole.checkmate, whole.in_check),
            (20 + 48 + 14, 1, 1)
        );
        assert_eq!(whole.moves.counts()[48], 1);
        assert_eq!(whole.material.counts()[32], 2);
        assert_ne!(summary(one), whole);
    }

    #[test]
    fn bins_begin_where_something_is() {
        let mut histogram = Histogram::default();
        for number in [12, 13, 21] {
            histogram.add(number);
        }
        assert_eq!(histogram.bins(5), [(10, 2), (15, 0), (20, 1)]);
    }
}

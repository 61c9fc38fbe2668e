//! The few statistics that a handful of measurements can carry.

use crate::report::Spread;

/// Middle and spread of at least one measurement.
///
/// # Panics
/// If there is none.
pub(super) fn spread(values: &[f64]) -> Spread {
    let middle = median(values);
    let distances: Vec<f64> = values.iter().map(|value| (value - middle).abs()).collect();
    Spread {
        median: middle,
        min: values.iter().copied().fold(f64::INFINITY, f64::min),
        max: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        mad: median(&distances),
    }
}

/// The middle value, or the mean of the two in the middle.
fn median(values: &[f64]) -> f64 {
    assert!(!values.is_empty(), "nothing was measured");
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let half = sorted.len() / 2;
    if sorted.len().is_multiple_of(2) {
        f64::midpoint(sorted[half - 1], sorted[half])
    } else {
        sorted[half]
    }
}

/// The mean for factors and rates: twice as fast here and half as fast there is no change.
pub(super) fn geometric_mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.into_iter().fold((0.0, 0), |(sum, count), value| {
        (sum + value.ln(), count + 1)
    });
    (count > 0).then(|| (sum / f64::from(count)).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_has_its_middle_and_its_ends() {
        let of = |values: &[f64]| {
            let spread = spread(values);
            (spread.median, spread.min, spread.max, spread.mad)
        };
        assert_eq!(of(&[3.0]), (3.0, 3.0, 3.0, 0.0));
        assert_eq!(of(&[9.0, 1.0, 2.0]), (2.0, 1.0, 9.0, 1.0));
        assert_eq!(of(&[4.0, 1.0, 2.0, 9.0]), (3.0, 1.0, 9.0, 1.5));
    }

    #[test]
    fn opposite_factors_cancel() {
        let mean = geometric_mean([0.5, 2.0, 1.0]).expect("three values");
        assert!((mean - 1.0).abs() < 1e-12, "{mean}");
        assert_eq!(geometric_mean([]), None);
    }
}

//! Numbers as people read them.

/// Digits in groups of three: `3,195,901,860`.
pub(super) fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Leaves per second with a decimal prefix: `6.24 G`; `-` if too short to tell.
pub(super) fn rate(nodes: u128, seconds: f64) -> String {
    if nodes == 0 || seconds <= 0.0 {
        return "-".to_string();
    }
    let mut value = nodes as f64 / seconds;
    for prefix in ["", " k", " M", " G", " T", " P"] {
        if value < 999.5 {
            return if value < 99.95 {
                format!("{value:.2}{prefix}")
            } else {
                format!("{value:.0}{prefix}")
            };
        }
        value /= 1000.0;
    }
    format!("{value:.0} E")
}

/// Seconds to the millisecond.
pub(super) fn seconds(value: f64) -> String {
    format!("{value:.3}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_three() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_000), "1,000");
        assert_eq!(
            grouped(61_885_021_521_585_529_237),
            "61,885,021,521,585,529,237"
        );
    }

    #[test]
    fn rates_have_three_digits() {
        assert_eq!(rate(3_195_901_860, 0.512), "6.24 G");
        assert_eq!(rate(20, 1.0), "20.00");
        assert_eq!(rate(999_600, 1.0), "1.00 M");
        assert_eq!(rate(0, 1.0), "-");
        assert_eq!(rate(5, 0.0), "-");
    }
}

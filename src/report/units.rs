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

/// Bytes with a binary prefix: `23.5 GiB`.
pub(super) fn bytes(number: u64) -> String {
    bytesize::ByteSize::b(number).display().iec().to_string()
}

/// A number of things: `1 thread`, `2 threads`.
pub(super) fn count_of(number: usize, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", grouped(number as u128))
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
    fn bytes_have_binary_prefixes() {
        assert_eq!(bytes(1 << 27), "128.0 MiB");
        assert_eq!(bytes(25_232_932_864), "23.5 GiB");
    }

    #[test]
    fn one_thing_is_no_plural() {
        assert_eq!(count_of(1, "thread"), "1 thread");
        assert_eq!(count_of(1_024, "run"), "1,024 runs");
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

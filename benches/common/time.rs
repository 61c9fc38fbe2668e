//! Seconds that other load on the machine does not count in, and their median.

use std::sync::LazyLock;
use std::time::Instant;

/// CPU time of this thread where Linux reports it, else what a clock on the wall says.
pub fn seconds() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let wall = START.elapsed().as_secs_f64();
    let schedstat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let on_cpu = schedstat.split(' ').next().and_then(|it| it.parse().ok());
    on_cpu.map_or(wall, |nanoseconds: f64| nanoseconds / 1e9)
}

/// The middle one.
pub fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

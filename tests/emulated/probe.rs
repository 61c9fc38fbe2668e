//! Shows that `run.sh` works: what the emulated processor offers, and a few AVX-512 instructions against
//! plain arithmetic. Ends with 0 if they agree, 1 if they differ, 3 if the processor has no AVX-512.
//! `probe 100` repeats them for 100 million rounds, to see how fast the emulator is.
//!
//!     rustc -O --edition 2024 -o target/probe tests/emulated/probe.rs && tests/emulated/run.sh target/probe

use std::arch::x86_64::*;
use std::process::ExitCode;

fn main() -> ExitCode {
    macro_rules! print_features {
        ($($name:tt)*) => { $( println!("{:20} {}", $name, is_x86_feature_detected!($name)); )* };
    }
    print_features!("avx2" "bmi2" "gfni" "avx512f" "avx512cd" "avx512bw" "avx512dq" "avx512vl" "avx512ifma"
        "avx512vbmi" "avx512vbmi2" "avx512vpopcntdq" "avx512bitalg" "avx512vnni");
    if !is_x86_feature_detected!("avx512f")
        || !is_x86_feature_detected!("avx512cd")
        || !is_x86_feature_detected!("avx512vpopcntdq")
    {
        return ExitCode::from(3);
    }

    let millions = std::env::args()
        .nth(1)
        .map_or(0, |text| text.parse::<u64>().expect("a number"));
    let mut words = [1, 3, u64::MAX, 0, 1 << 63, 0xff00, 7, 42];
    let mut agree = true;
    for round in 0..1000 {
        // SAFETY: the features were found above.
        let (ones, zeros) = unsafe { ones_and_odd_zeros(words) };
        agree &= (0..8).all(|lane| ones[lane] == u64::from(words[lane].count_ones()));
        agree &= (0..8).all(|lane| {
            let expected = if lane % 2 == 1 {
                words[lane].leading_zeros()
            } else {
                0
            };
            zeros[lane] == u64::from(expected)
        });
        words = words.map(|word| word.wrapping_mul(6364136223846793005).wrapping_add(round));
    }
    // SAFETY: the features were found above.
    let sum = unsafe { repeat(words, millions * 1_000_000) };
    println!(
        "a thousand rounds of VPOPCNTQ and masked VPLZCNTQ {}; {sum}",
        if agree { "agree" } else { "DIFFER" }
    );
    ExitCode::from(u8::from(!agree))
}

/// The bits set of each word, and the leading zeros of every second one under a mask.
#[target_feature(enable = "avx512f,avx512cd,avx512vpopcntdq")]
fn ones_and_odd_zeros(words: [u64; 8]) -> ([u64; 8], [u64; 8]) {
    let (mut ones, mut zeros) = ([0; 8], [0; 8]);
    // SAFETY: eight words each, which need no alignment.
    unsafe {
        let words = _mm512_loadu_epi64(words.as_ptr().cast());
        _mm512_storeu_epi64(ones.as_mut_ptr().cast(), _mm512_popcnt_epi64(words));
        _mm512_storeu_epi64(
            zeros.as_mut_ptr().cast(),
            _mm512_maskz_lzcnt_epi64(0b1010_1010, words),
        );
    }
    (ones, zeros)
}

/// Five instructions a round.
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
fn repeat(words: [u64; 8], rounds: u64) -> u64 {
    // SAFETY: eight words, which need no alignment.
    let mut lanes = unsafe { _mm512_loadu_epi64(words.as_ptr().cast()) };
    for _ in 0..rounds {
        let ones = _mm512_popcnt_epi64(lanes);
        lanes = _mm512_add_epi64(lanes, _mm512_slli_epi64::<7>(ones));
        lanes = _mm512_add_epi64(lanes, _mm512_rol_epi64::<3>(lanes));
    }
    _mm512_reduce_add_epi64(lanes) as u64
}

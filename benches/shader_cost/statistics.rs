//! The figures kept of those that the driver gives.

use std::fmt;
use std::str::FromStr;

/// The driver's names for them, in the order of [`Statistics`]; the two kinds of spills are added up.
pub const NAMES: [&str; 5] = [
    "Instructions",
    "VGPRs",
    "Inverse Throughput",
    "Spilled VGPRs",
    "Spilled SGPRs",
];

/// What a compiler made of a kernel.
#[derive(Copy, Clone, Debug)]
pub struct Statistics {
    /// Instructions, each written once.
    pub instructions: u64,
    /// Vector registers: the fewer, the more waves run at once.
    pub vgprs: u64,
    /// Cycles for a wave where many run, by estimate.
    pub inverse_throughput: u64,
    /// Registers kept in memory for want of room.
    pub spilled: u64,
}

impl Statistics {
    /// Picks them from all that a driver gives; the error names one that is missing.
    pub fn of(named: &[(String, u64)]) -> Result<Statistics, String> {
        let mut values = [0; NAMES.len()];
        for (value, name) in values.iter_mut().zip(NAMES) {
            let found = named.iter().find(|(other, _)| other == name);
            *value = found.ok_or(format!("the driver does not say: {name}"))?.1;
        }
        let [
            instructions,
            vgprs,
            inverse_throughput,
            spilled,
            spilled_too,
        ] = values;
        Ok(Statistics {
            instructions,
            vgprs,
            inverse_throughput,
            spilled: spilled + spilled_too,
        })
    }

    /// As a cell of a table.
    pub fn cell(&self) -> String {
        let mut cell = format!(
            "{} / {} / {}",
            grouped(self.instructions),
            self.vgprs,
            grouped(self.inverse_throughput)
        );
        if self.spilled > 0 {
            cell += &format!(", {} spilled", self.spilled);
        }
        cell
    }
}

fn grouped(number: u64) -> String {
    match number {
        0..1_000 => number.to_string(),
        _ => format!("{},{:03}", number / 1_000, number % 1_000),
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Statistics {
            instructions,
            vgprs,
            inverse_throughput,
            spilled,
        } = self;
        write!(f, "{instructions} {vgprs} {inverse_throughput} {spilled}")
    }
}

impl FromStr for Statistics {
    type Err = String;

    fn from_str(text: &str) -> Result<Statistics, String> {
        let numbers: Vec<u64> = text.split(' ').filter_map(|it| it.parse().ok()).collect();
        match numbers[..] {
            [instructions, vgprs, inverse_throughput, spilled] => Ok(Statistics {
                instructions,
                vgprs,
                inverse_throughput,
                spilled,
            }),
            _ => Err(format!("not four figures: {text:?}")),
        }
    }
}

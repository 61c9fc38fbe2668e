//! What a figure was measured on and by: the machine, its adapters, and this build of the program.

use serde_derive::{Deserialize, Serialize};

use super::units::{bytes, count_of};

/// A computer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// The processor's name.
    pub processor: String,
    /// Its cores, if the system tells.
    pub cores: Option<usize>,
    /// Hardware threads this process may use.
    pub threads: usize,
    /// Memory, in bytes.
    pub memory_bytes: u64,
    /// The operating system and its version.
    pub system: String,
    /// The version of its kernel.
    pub kernel: String,
}

impl Machine {
    /// All of it in one line.
    pub(super) fn line(&self) -> String {
        let cores = self.cores.map(|cores| count_of(cores, "core") + ", ");
        format!(
            "{}, {}{}, {} memory, {}, kernel {}",
            self.processor,
            cores.unwrap_or_default(),
            count_of(self.threads, "thread"),
            bytes(self.memory_bytes),
            self.system,
            self.kernel,
        )
    }
}

/// A build of this program. What was not known when it was built is missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Build {
    /// Version of the program.
    pub version: String,
    /// The commit it was built from.
    pub commit: Option<String>,
    /// Whether files differed from that commit.
    pub modified: Option<bool>,
    /// The compiler, as it prints its version.
    pub rustc: Option<String>,
    /// The target it was compiled for.
    pub target: Option<String>,
    /// The library that reaches GPUs, if support for them was built in.
    pub graphics: Option<String>,
    /// Whether it was compiled with the checks of a development build, which cost speed.
    pub checked: bool,
}

impl Build {
    /// The commit as people write it: twelve digits, and whether files differed.
    pub(super) fn commit_name(&self) -> String {
        let Some(commit) = &self.commit else {
            return "unknown".to_string();
        };
        let short = commit.get(..12).unwrap_or(commit);
        match self.modified {
            Some(true) => format!("{short} with changes"),
            _ => short.to_string(),
        }
    }

    /// All of it in one line.
    pub(super) fn line(&self) -> String {
        let known = |value: &Option<String>| value.as_deref().unwrap_or("unknown").to_string();
        format!(
            "hyperft {}, commit {}, {}, {}, {}",
            self.version,
            self.commit_name(),
            known(&self.rustc),
            known(&self.target),
            self.graphics
                .as_deref()
                .unwrap_or("built without GPU support"),
        )
    }
}

/// A GPU adapter, or software that acts as one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adapter {
    /// Its number in lists and on the command line, from 0.
    pub index: usize,
    /// Its name.
    pub name: String,
    /// `discrete`, `integrated`, `virtual`, `software` or `unknown`.
    pub kind: String,
    /// The interface it is reached by: `vulkan`, `metal` or `dx12`.
    pub interface: String,
    /// The driver and its version.
    pub driver: String,
}

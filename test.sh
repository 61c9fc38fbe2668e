#!/usr/bin/env bash
# Runs every test of the project: unit tests, whole-program tests, documentation examples, and each
# benchmark once as a test of its counts. Needs Rust and a C linker, nothing else.
set -euo pipefail
cd "$(dirname "$0")"

cargo test --locked
cargo bench --locked -- --test

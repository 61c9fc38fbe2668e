#!/usr/bin/env bash
# Runs every test of the project: unit tests, whole-program tests, documentation examples, and each
# benchmark once as a test of its counts. Needs Rust and a C linker; where no GPU can be used it
# installs a software one (Mesa's lavapipe), on which the shaders run for real.
set -euo pipefail
cd "$(dirname "$0")"

gpu_works() {
    target/debug/hyperft perft 1 --quiet --backend gpu >/dev/null 2>&1
}

cargo test --locked --features parquet --no-run
if ! gpu_works && command -v apt-get >/dev/null; then
    as_root=""
    [ "$(id -u)" -eq 0 ] || as_root=sudo
    $as_root apt-get update --quiet
    $as_root apt-get install --quiet --yes mesa-vulkan-drivers
fi
# From here on a GPU test that does not run is a failure, not a skip.
export HYPERFT_REQUIRE_GPU=1

cargo test --locked --features parquet
cargo bench --locked --features parquet --profile dev -- --test

//! `devices` as its users meet it.

use std::process::Command;

use serde_json::Value;

struct Ran {
    status: i32,
    out: String,
    err: String,
}

fn run(arguments: &[&str]) -> Ran {
    run_in(arguments, &[])
}

fn run_in(arguments: &[&str], environment: &[(&str, &str)]) -> Ran {
    let output = Command::new(env!("CARGO_BIN_EXE_hyperft"))
        .args(arguments)
        .envs(environment.iter().copied())
        .output()
        .expect("the program starts");
    let ran = Ran {
        status: output.status.code().expect("it exits"),
        out: String::from_utf8(output.stdout).expect("UTF-8"),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
    };
    assert!(!ran.err.contains("panicked"), "{arguments:?}: {}", ran.err);
    ran
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The variables by which a Vulkan loader finds drivers, pointed at nothing.
const NO_DRIVERS: [(&str, &str); 2] = [
    ("VK_DRIVER_FILES", "no-such-driver.json"),
    ("VK_ICD_FILENAMES", "no-such-driver.json"),
];

#[test]
fn devices_say_what_can_count_and_what_auto_takes() {
    let ran = run(&["devices"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    for part in ["cpu-scalar", "magic tables", "auto takes ", "memory"] {
        assert!(ran.out.contains(part), "no `{part}` in {}", ran.out);
    }
    let gpu = if cfg!(feature = "gpu") {
        "wgpu"
    } else {
        "built without GPU support"
    };
    assert!(ran.out.contains(gpu), "{}", ran.out);
    let report = json(&run(&["devices", "--json"]).out);
    assert_eq!(
        (&report["schema"], &report["command"]),
        (&1.into(), &"devices".into())
    );
    let chosen = report["backends"]
        .as_array()
        .expect("a list")
        .iter()
        .filter(|it| it["chosen"] == true);
    assert_eq!(chosen.count(), 1, "{report}");
    for adapter in report["gpu_adapters"].as_array().expect("a list") {
        assert!(
            adapter["limits"]["binding_bytes_max"].as_u64() > Some(0),
            "{adapter}"
        );
        let passed = adapter["self_test_passed"].as_bool().expect("yes or no");
        assert_eq!(adapter["self_test_failure"].is_null(), passed, "{adapter}");
        assert_eq!(adapter["features"][0]["name"], "timestamp queries");
    }
}

#[cfg(all(feature = "gpu", target_os = "linux"))]
#[test]
fn a_machine_without_adapters_is_told_what_to_install() {
    let ran = run_in(&["devices"], &NO_DRIVERS);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.out.contains("no GPU adapter was found"), "{}", ran.out);
    assert!(ran.out.contains("mesa-vulkan-drivers"), "{}", ran.out);
    let ran = run_in(&["devices", "--json"], &NO_DRIVERS);
    assert_eq!(json(&ran.out)["gpu_adapters"], Value::Array(Vec::new()));
}

#!/usr/bin/env bash
# Runs a program on a processor that this machine does not have: in Bochs, which emulates a whole PC,
# AVX-512 included. Prints what the program prints and ends with its exit status.
#
#     tests/emulated/run.sh [--cpu MODEL] [--seconds LIMIT] PROGRAM [ARGUMENT...]
#
# For example the unit tests of the AVX-512 vectors:
#
#     tests=$(cargo test --no-run --lib 2>&1 | sed -n 's/.*(\(target.*\))/\1/p')
#     tests/emulated/run.sh "$tests" avx512_ --include-ignored --test-threads 1
#
# The default processor is Ice Lake (F, CD, BW, DQ, VL, IFMA, VBMI, VBMI2, VPOPCNTDQ, BITALG, VNNI, GFNI);
# `corei7_skylake_x` has F, CD, BW, DQ and VL only, `corei7_haswell_4770` AVX2; `bochs --help cpu` has
# them all. One core, some 50 million instructions a second, after half a minute to start; the guest's
# clock counts instructions, 1.5 billion to its second. The program finds its libraries, the project's
# `testdata`, /proc, /dev and /tmp, and no network. On Debian and Ubuntu this installs what it needs.
# Ends with the program's status, with 124 at the time limit, with 125 if the emulator fails.
set -euo pipefail
project=$(cd "$(dirname "$0")/../.." && pwd)

cpu=corei7_icelake_u
seconds=600
while :; do
    case "${1-}" in
        --cpu) cpu=$2; shift 2 ;;
        --seconds) seconds=$2; shift 2 ;;
        *) break ;;
    esac
done
program=$(realpath "${1:?which program?}")
shift

install_tools() {
    local as_root="" tool missing=""
    [ "$(id -u)" -eq 0 ] || as_root=sudo
    # Each by itself: `command -v` of several is content with one.
    for tool in bochs cpio xorriso busybox; do
        command -v "$tool" >/dev/null || missing=$tool
    done
    [ -e /usr/lib/ISOLINUX/isolinux.bin ] || missing=isolinux
    if [ -n "$missing" ] || [ ! -e "$kernel" ]; then
        $as_root apt-get update --quiet >&2
    fi
    if [ -n "$missing" ]; then
        $as_root apt-get install --quiet --yes --no-install-recommends bochs bochs-term bochsbios \
            vgabios busybox-static cpio isolinux syslinux-common xorriso >&2
    fi
}

# Any kernel of the last years saves AVX-512 registers; this is Debian's small one, unpacked, not installed.
fetch_kernel() {
    local package
    package=$(apt-cache depends linux-image-cloud-amd64 | sed -n 's/.*Depends: //p' | head -n 1)
    (cd "$work" && apt-get download --quiet "$package" >&2 && dpkg-deb -x ./linux-image-*.deb kernel)
    mkdir -p "$(dirname "$kernel")"
    mv "$work"/kernel/boot/vmlinuz-* "$kernel"
}

# The guest's files: the program and its libraries at the paths they have here.
fill_root() {
    local root=$1 file
    mkdir -p "$root"/{bin,dev,proc,sys,tmp} "$root$project"
    cp "$(command -v busybox)" "$root/bin/busybox"
    cp "$project/tests/emulated/init" "$root/init"
    cp -r "$project/testdata" "$root$project/"
    strip --strip-debug -o "$root/program" "$program"
    # A static program has no libraries; ldd says so and fails.
    for file in $(ldd "$program" 2>/dev/null | grep -o '/[^ )]*' || true); do
        mkdir -p "$root$(dirname "$file")"
        cp --dereference "$file" "$root$file"
    done
    shift
    {
        echo '#!/bin/busybox sh'
        echo "cd '$project'"
        printf 'exec /program'
        printf ' %q' "$@"
        echo
    } >"$root/job"
    chmod +x "$root/init" "$root/job"
}

# What makes the kernel start fast, then what it must not use in Bochs 2.7: ACPI and the compacted form of
# XSAVE are wrong there, and the others were found by trial to matter or to do no harm. A reset ends it.
kernel_options="nokaslr mitigations=off lpj=1000000 panic=-1 reboot=t cryptomgr.notests acpi=off noxsaves \
nopcid noinvpcid nosmap nosmep nofsgsbase clearcpuid=xsaves,xsavec,pku,ospke,umip,mwait,fsrm,erms"

make_disc() {
    local disc=$work/disc
    mkdir -p "$disc"
    cp "$kernel" "$disc/vmlinuz"
    (cd "$work/root" && find . | cpio --quiet --create --format newc | gzip -1) >"$disc/initrd.gz"
    cp /usr/lib/ISOLINUX/isolinux.bin /usr/lib/syslinux/modules/bios/ldlinux.c32 "$disc"
    cat >"$disc/isolinux.cfg" <<-END
	default linux
	label linux
	kernel vmlinuz
	initrd initrd.gz
	append console=ttyS0,115200 quiet $kernel_options
	END
    xorriso -as mkisofs -quiet -o "$work/disc.iso" -b isolinux.bin -c boot.cat -no-emul-boot \
        -boot-load-size 4 -boot-info-table "$disc" 2>/dev/null
}

# Starts the emulator behind this script; it ends when the guest does, or at the time limit.
start_emulator() {
    cat >"$work/bochsrc" <<-END
	config_interface: textconfig
	display_library: term
	cpu: model=$cpu, ips=100000000, ignore_bad_msrs=1, reset_on_triple_fault=0
	megs: 1024
	romimage: file=/usr/share/bochs/BIOS-bochs-latest
	vgaromimage: file=/usr/share/bochs/VGABIOS-lgpl-latest
	ata0-master: type=cdrom, path="$work/disc.iso", status=inserted
	boot: cdrom
	com1: enabled=1, mode=file, dev="$serial"
	sound: waveoutdrv=dummy, waveindrv=dummy, midioutdrv=dummy
	clock: sync=none
	panic: action=fatal
	log: "$work/bochs.log"
	END
    # Debian's Bochs has a debugger, which must be told to start, and to quit when the guest resets.
    printf 'c\nq\n' >"$work/debugger"
    # Its display wants a terminal, of which nothing is shown.
    TERM=vt100 timeout "$seconds" script --quiet --return --command \
        "stty rows 40 cols 100; exec bochs -q -f '$work/bochsrc' -rc '$work/debugger'" \
        /dev/null >/dev/null 2>&1 </dev/null &
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
kernel=${CARGO_TARGET_DIR:-$project/target}/emulated/vmlinuz
serial=$work/serial
install_tools
[ -e "$kernel" ] || fetch_kernel
fill_root "$work/root" "$@"
make_disc

touch "$serial"
start_emulator
emulator=$!
tail --follow --lines +1 --sleep-interval 0.2 --pid "$emulator" "$serial" |
    sed --unbuffered --quiet --expression 's/\r$//' --expression '/^emulated: /,/^emulated: status/p'
ended=0
wait "$emulator" || ended=$?
status=$(sed --quiet 's/^emulated: status \([0-9]*\).*/\1/p' "$serial")
if [ -n "$status" ]; then
    exit "$status"
elif [ "$ended" -eq 124 ]; then
    echo "emulated: no end after $seconds seconds" >&2
    exit 124
fi
echo "emulated: the machine stopped; the last it said:" >&2
tail -n 5 "$serial" "$work/bochs.log" >&2
exit 125

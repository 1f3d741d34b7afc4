# Sourced by ./run, ./test and scripts/lock, which set $root first. POSIX sh.
#
#   setup run     makes $venv hold what requirements/run.lock names, and the project itself (editable)
#   setup test    the same with requirements/test.lock, which holds all of run.lock too
#
# What is done is stamped inside $venv, and the next start finds the stamps and does nothing. A change
# begins by marking $venv unfinished and only its end removes the mark: what a failed or killed setup
# left behind is thrown away, never taken for good. All that is said here goes to standard error.
#
# From the environment, all optional:
#   RIVERBOAT_PYTHON      the Python to use, instead of the first one found that can be used
#   RIVERBOAT_VENV        the folder of the environment, instead of .venv in the checkout
#   RIVERBOAT_INSTALLER   uv or pip, instead of uv where it can be had and pip elsewhere
#
# shellcheck shell=sh

# shellcheck disable=SC2154 # $root comes from the caller
venv=${RIVERBOAT_VENV:-$root/.venv}
case $venv in /*) ;; *) venv=$PWD/$venv ;; esac

say() { printf 'riverboat: %s\n' "$*" >&2; }

die() {
    say "$@"
    exit 1
}

setup() {
    ready "$1" && return
    # A subshell: neither its environment nor its lock reaches what runs after the setup.
    (
        # With a PYTHONPATH, pip would take for installed what is not in $venv.
        unset PYTHONPATH PYTHONHOME PIP_TARGET PIP_PREFIX PIP_ROOT
        export PIP_USER=0 PIP_NO_INPUT=1 PIP_DISABLE_PIP_VERSION_CHECK=1
        export UV_PYTHON_DOWNLOADS=never UV_SYSTEM_CERTS=true
        find_python
        take_lock
        ready "$1" || make_ready "$1"
    ) || exit
}

# --- What is there already ---

ready() {
    [ -x "$venv/bin/riverboat" ] && [ ! -e "$venv/.unfinished" ] &&
        stamped project && { stamped "$1" || stamped test; }
}

stamped() {
    [ -r "$venv/.stamp-$1" ] && [ "$(cat "$venv/.stamp-$1")" = "$(stamp "$1")" ]
}

write_stamp() { stamp "$1" >"$venv/.stamp-$1" || die "cannot write to $venv"; }

# The stamp also tells a checkout that was moved and a Python that was replaced.
stamp() {
    case $1 in
    run) set -- requirements/run.lock ;;
    test) set -- requirements/run.lock requirements/test.lock ;;
    project) set -- pyproject.toml ;;
    esac
    printf '%s\n' "$root"
    "${RIVERBOAT_PYTHON:-$venv/bin/python}" -ISc 'import sys
print(sys.implementation.cache_tag, sys.version.split()[0], sys.base_prefix)' 2>/dev/null </dev/null
    (cd "$root" && cksum "$@")
}

# --- Setting up ---

make_ready() {
    if [ -e "$venv/.unfinished" ]; then
        say "an earlier setup did not finish: starting again"
        make_venv
    elif stamped test || { stamped run && [ ! -e "$venv/.stamp-test" ]; }; then
        : # At most the test tools or the project itself are missing: they can be added.
    else
        make_venv # Anew, because pip would leave in it what an older lock named.
    fi
    true >"$venv/.unfinished" || die "cannot write to $venv"
    stamped "$1" || stamped test || install_lock "$1"
    stamped project || install_project
    rm "$venv/.unfinished"
    ready "$1" || die "the setup of $venv did not come out right: remove it and start again"
}

make_venv() {
    if [ -d "$venv" ] && [ ! -e "$venv/pyvenv.cfg" ] && [ ! -e "$venv/.unfinished" ] &&
        [ -n "$(ls -A "$venv")" ]; then
        die "$venv is not an environment of Python: not touching it"
    fi
    say "making $venv with $("$python" --version)"
    # The mark comes first and survives the clearing, which may be interrupted too.
    { mkdir -p "$venv" && true >"$venv/.unfinished"; } || die "cannot write to $venv"
    find "$venv" -mindepth 1 -maxdepth 1 ! -name .unfinished -exec rm -rf {} +
    # Without pip, because uv needs none and Debian's Python without python3-venv can make none.
    "$python" -m venv --without-pip "$venv" || die "'$python -m venv' failed: see above"
}

install_lock() {
    from_scratch=
    if find_uv; then
        say "installing requirements/$1.lock with uv"
        if venv_uv --require-hashes --requirement "$root/requirements/$1.lock"; then
            write_stamp "$1"
            return
        fi
        say "uv failed (see above): going on with pip"
        uv_failed=yes
        from_scratch=--ignore-installed # pip must not rely on what uv may have left half done.
    fi
    need_pip
    say "installing requirements/$1.lock with pip"
    # shellcheck disable=SC2086 # no argument when empty
    venv_pip $from_scratch --require-hashes --requirement "$root/requirements/$1.lock" ||
        die "the installation failed: see above"
    write_stamp "$1"
}

install_project() {
    say "installing the project itself (editable)"
    set -- --no-deps --no-build-isolation --editable "$root"
    if ! { find_uv && venv_uv "$@"; }; then
        need_pip
        venv_pip "$@" || die "the installation failed: see above"
    fi
    write_stamp project
}

# --- The tools it takes ---

# Sets $python. A name that is found may be a shim that fails: each is tried by running it. One that can
# make a complete environment goes before one that lacks ensurepip.
find_python() {
    if [ -n "${RIVERBOAT_PYTHON:-}" ]; then
        try_python "$RIVERBOAT_PYTHON" venv ssl ||
            die "RIVERBOAT_PYTHON=$RIVERBOAT_PYTHON is no Python 3.11 or later with venv and ssl"
        return
    fi
    for name in python3.13 python3.12 python3.11 python3 python; do
        try_python "$name" venv ssl ensurepip && return
    done
    for name in python3.13 python3.12 python3.11 python3 python; do
        try_python "$name" venv ssl && return
    done
    die "needs Python 3.11 or later with its modules venv and ssl, and finds none on PATH"
}

# Sets $python to the base executable, because the name may lead into the very environment
# that is to be made anew.
try_python() {
    name=$1
    shift
    python=$("$name" -c 'import importlib, sys
assert sys.version_info >= (3, 11)
for module in sys.argv[1:]:
    importlib.import_module(module)
print(getattr(sys, "_base_executable", None) or sys.executable)' "$@" 2>/dev/null </dev/null) &&
        [ -x "$python" ]
}

# Held until this subshell and every installer that it started have ended: the kernel ties the lock to the
# open file, so a killed setup leaves nothing stale, and its last child is still waited for.
take_lock() {
    { mkdir -p "$(dirname "$venv")" && true >>"$venv.lock"; } 2>/dev/null ||
        die "cannot write beside $venv: RIVERBOAT_VENV may name another folder"
    exec 9>>"$venv.lock"
    "$python" -c 'import fcntl; fcntl.flock(9, fcntl.LOCK_EX | fcntl.LOCK_NB)' 2>/dev/null && return
    say "waiting for another setup of this checkout to end"
    "$python" -c 'import fcntl; fcntl.flock(9, fcntl.LOCK_EX)' || die "cannot lock $venv.lock"
}

# Sets $uv: the one in $venv, the machine's own, or the one that the test lock pins, fetched with pip.
find_uv() {
    [ "${RIVERBOAT_INSTALLER:-uv}" = uv ] && [ -z "${uv_failed:-}" ] || return 1
    for uv in "$venv/bin/uv" uv; do
        "$uv" --version >/dev/null 2>&1 && return
    done
    need_pip
    say "fetching uv"
    sed -n '/^uv==/,/[^\\]$/p' "$root/requirements/test.lock" >"$venv/.uv.lock"
    uv=$venv/bin/uv
    if venv_pip --only-binary :all: --require-hashes --requirement "$venv/.uv.lock" &&
        "$uv" --version >/dev/null 2>&1; then
        return
    fi
    say "uv cannot be had here: going on with pip"
    uv_failed=yes
    return 1
}

need_pip() {
    has_pip && return
    say "putting pip into the environment"
    add_pip && return
    debian_package=$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        say "installing Debian's $debian_package, because $python has neither ensurepip nor pip"
        export DEBIAN_FRONTEND=noninteractive
        apt-get update -qq >/dev/null
        apt-get install -qq -y --no-install-recommends "$debian_package" >/dev/null && add_pip && return
    fi
    die "$python has neither ensurepip nor pip, and there is no uv on PATH: install one of them" \
        "(on Debian and Ubuntu: the package $debian_package) and start again"
}

has_pip() { "$venv/bin/python" -c 'import pip' 2>/dev/null; }

add_pip() {
    { "$venv/bin/python" -m ensurepip || "$python" -m pip --python "$venv/bin/python" install pip; } \
        >/dev/null 2>&1 && has_pip
}

venv_uv() { "$uv" pip install --quiet --python "$venv/bin/python" "$@" >&2; }

venv_pip() { "$venv/bin/python" -m pip install -qq "$@" >&2; }

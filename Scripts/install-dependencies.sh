#!/usr/bin/env bash
# Installs missing Debian packages; if it cannot, it prints the command to run.
# usage: Scripts/install-dependencies.sh [GROUP ...]     build, fonts, test, gateway, browser, bench, kubernetes, ha, examples, install, runtime, apprise (default: build fonts)
set -euo pipefail

# libraries that the services link
build=(
    pkg-config
    libzmq3-dev libcurl4-openssl-dev libxml2-dev libsqlite3-dev libpango1.0-dev libpng-dev libmicrohttpd-dev libyaml-dev libssl-dev
    libpq-dev zlib1g-dev libbrotli-dev libzstd-dev libmosquitto-dev
)
# fonts for measuring and drawing layouts
fonts=(fonts-inter fonts-noto-core fonts-noto-ui-core fonts-noto-cjk fonts-noto-color-emoji fonts-symbola fonts-dejavu-core)
# for tests: pyzmq, a validator of JSON Schemas, HTTP/2 servers, a database server, an MQTT broker, a receiver of web push,
# Apprise; Node and others for the gateway's examples
test=(python3-zmq python3-jsonschema nghttp2-server python3-h2 openssl curl nodejs postgresql-15 mosquitto mosquitto-clients python3-cryptography nginx-light apprise)
# for validating the Kubernetes manifests: Python, for tools from PyPI in a virtual environment
kubernetes=(python3-venv)
# what tests the gateway from outside
gateway=(python3-venv prometheus caddy curl)
# what the tests of the pages look at them with; axe-core comes from PyPI into a virtual environment
browser=(chromium chromium-driver python3-selenium python3-venv)
# for benchmarks: the references, the origin (nginx), newsboat, a client that asks as fast as it can (wrk), a database server, and pyzmq
bench=(python3-venv nginx-light libnginx-mod-nchan newsboat wrk postgresql-15 python3-zmq procps util-linux)
# a PostgreSQL cluster on one machine, its client in Python, and pyzmq
ha=(etcd-server etcd-client patroni python3-etcd3 postgresql-15 python3-psycopg2 python3-zmq)
# what checks the examples for other programs: Python for tools from PyPI in virtual environments, and proxies
examples=(python3-venv nginx-light caddy openssl)
# for making executables independent of the location of the toolchain
install=(chrpath binutils)
# libraries for running the executables on a machine without a toolchain; the fonts are a separate group
runtime=(
    libzmq5 libcurl4 libxml2 libsqlite3-0 libpango-1.0-0 libpangocairo-1.0-0 libpangoft2-1.0-0 libcairo2 libfontconfig1 libpng16-16 libmicrohttpd12 libyaml-0-2 libssl3
    libpq5 zlib1g libbrotli1 libzstd1 libmosquitto1
    libstdc++6 ca-certificates tzdata
)
# the program that destinations of the kind `apprise` run
apprise=(apprise)

packages=()
[ $# -gt 0 ] || set -- build fonts
for group in "$@"; do
    case $group in
        build) packages+=("${build[@]}") ;;
        fonts) packages+=("${fonts[@]}") ;;
        test) packages+=("${test[@]}") ;;
        gateway) packages+=("${gateway[@]}") ;;
        browser) packages+=("${browser[@]}") ;;
        bench) packages+=("${bench[@]}") ;;
        kubernetes) packages+=("${kubernetes[@]}") ;;
        ha) packages+=("${ha[@]}") ;;
        examples) packages+=("${examples[@]}") ;;
        install) packages+=("${install[@]}") ;;
        runtime) packages+=("${runtime[@]}") ;;
        apprise) packages+=("${apprise[@]}") ;;
        *)
            echo "error: '$group' is not a group of packages; there are build, fonts, test, gateway, browser, bench, kubernetes, ha, examples, install, runtime, apprise" >&2
            exit 2
            ;;
    esac
done
missing=()
for package in "${packages[@]}"; do
    [ "$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)" = "install ok installed" ] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

install="apt-get install --no-install-recommends ${missing[*]}"
if ! command -v apt-get >/dev/null; then
    echo "error: There is no apt-get here; install what your system calls these Debian packages: ${missing[*]}" >&2
    exit 1
fi
if [ "$(id -u)" -ne 0 ]; then
    if command -v sudo >/dev/null; then
        echo "error: Packages are missing; run this, then try again: sudo apt-get update && sudo $install" >&2
    else
        echo "error: Packages are missing; run this as root, then try again: apt-get update && $install" >&2
    fi
    exit 1
fi
echo "Installing Debian packages: ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    cat "$log" >&2
    echo "error: apt-get could not install: ${missing[*]}" >&2
    exit 1
fi

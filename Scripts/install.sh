#!/usr/bin/env bash
# Installs Tidings from this checkout, or removes it; `make install` and `make uninstall` call it.
#
#   PREFIX   the folder for programs (default: /usr/local)
#   DESTDIR  a folder that replaces / (default: none); then nothing outside of it is changed
#
# All executables are in PREFIX/lib/tidings, together with the Swift runtime that they were built with, so no toolchain is
# needed. PREFIX/bin/tidings finds the services there. Configuration and store are never removed.
set -euo pipefail
cd "$(dirname "$0")/.."

PREFIX=${PREFIX:-/usr/local}
DESTDIR=${DESTDIR:-}
executables=(bus cache delivery fetcher gateway layout notifier tidings)
library=$DESTDIR$PREFIX/lib/tidings
units=$DESTDIR/etc/systemd/system
users=$DESTDIR/etc/sysusers.d
configuration=$DESTDIR/etc/tidings/tidings.yml

die() {
    echo "error: $1" >&2
    exit 1
}

# One product at a time: a build of everything would compile what only tests use.
build() {
    local executable
    command -v swift >/dev/null || die "swift is missing; install Swift 6.3: https://www.swift.org/install/linux/"
    for executable in "${executables[@]}"; do swift build -c release --product "$executable"; done
}

executables() {
    local built libraries file
    built=$(readlink -f .build/release)
    for file in "${executables[@]}"; do
        [ -x "$built/$file" ] || die "there is no $file in .build/release; build it first: make release"
    done
    command -v chrpath >/dev/null || die "chrpath is missing; install it with: sudo apt-get install chrpath"
    install -d "$library" "$DESTDIR$PREFIX/bin"
    # Copies only those runtime libraries of the toolchain that the loader needs.
    libraries=$(cd "$built" && ldd "${executables[@]}" | awk '$3 ~ "/swift/linux/" { print $3 }' | sort -u)
    [ -n "$libraries" ] || die "the Swift runtime that the executables were built with is not there any more"
    for file in $libraries; do install -m 0644 "$file" "$library/"; done
    for file in "${executables[@]}"; do
        # Copied under another name and renamed: a running program keeps its file.
        install -m 0755 "$built/$file" "$library/$file.new"
        chrpath --replace "\$ORIGIN" "$library/$file.new" >/dev/null
        strip --strip-debug "$library/$file.new"
        mv "$library/$file.new" "$library/$file"
    done
    strip --strip-debug "$library"/*.so
    # The pages that the gateway serves; it looks for them beside its executable.
    rm -rf "$library/tidings_Gateway.resources"
    cp -R "$built/tidings_Gateway.resources" "$library/"
    chmod -R u=rwX,go=rX "$library/tidings_Gateway.resources"
    ln -sfn ../lib/tidings/tidings "$DESTDIR$PREFIX/bin/tidings"
}

service() {
    install -d "$units" "$users" "$(dirname "$configuration")"
    sed "s|@PREFIX@|$PREFIX|g" deploy/systemd/tidings.service >"$units/tidings.service"
    chmod 0644 "$units/tidings.service"
    install -m 0644 deploy/systemd/tidings.sysusers "$users/tidings.conf"
    if [ -e "$configuration" ]; then
        echo "Kept $configuration."
    else
        install -m 0644 deploy/systemd/tidings.yml "$configuration"
    fi
    [ -z "$DESTDIR" ] || return 0
    if command -v systemd-sysusers >/dev/null; then
        systemd-sysusers tidings.conf
    elif ! getent passwd tidings >/dev/null; then
        useradd --system --user-group --no-create-home --home-dir /var/lib/tidings --shell /usr/sbin/nologin tidings
    fi
    install -d -o tidings -g tidings -m 0750 /var/lib/tidings
    systemd_runs && systemctl daemon-reload
    return 0
}

systemd_runs() { [ -d /run/systemd/system ]; }

next_steps() {
    [ -z "$DESTDIR" ] || return 0
    echo "Installed $PREFIX/bin/tidings. Next:"
    echo "  edit /etc/tidings/tidings.yml, then: tidings check /etc/tidings/tidings.yml"
    if systemd_runs; then
        echo "  systemctl enable --now tidings"
    else
        echo "  no systemd runs here; start it with: tidings up --config /etc/tidings/tidings.yml"
    fi
}

uninstall() {
    if [ -z "$DESTDIR" ] && systemd_runs && [ -e "$units/tidings.service" ]; then
        systemctl disable --now tidings || die "the service could not be stopped; nothing was removed"
    fi
    rm -rf "$library"
    rm -f "$DESTDIR$PREFIX/bin/tidings" "$units/tidings.service" "$users/tidings.conf"
    if [ -z "$DESTDIR" ] && systemd_runs; then systemctl daemon-reload; fi
    echo "Removed the programs and the service. Left as they are: /etc/tidings, /var/lib/tidings, the user tidings."
}

case ${1:-} in
    build) build ;;
    executables) executables ;;
    install)
        executables
        service
        next_steps
        ;;
    uninstall) uninstall ;;
    *)
        echo "usage: Scripts/install.sh build|executables|install|uninstall" >&2
        exit 2
        ;;
esac

# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
#
# One image with all executables; the command says which: `docker run IMAGE cache`.

FROM swift:6.3-bookworm AS build
WORKDIR /tidings
# Before the code, so that a change there installs nothing again.
COPY Scripts/install-dependencies.sh Scripts/
RUN Scripts/install-dependencies.sh build install
COPY Package.swift ./
COPY Shared Shared
COPY Services Services
COPY Tests Tests
COPY Scripts/install.sh Scripts/
RUN Scripts/install.sh build && DESTDIR=/staging Scripts/install.sh executables

FROM debian:bookworm-slim
COPY Scripts/install-dependencies.sh /tmp/
# An image keeps times in whole seconds, and fontconfig takes an index only where its folder's time is the same to the
# nanosecond: without one, `layout` would read every font at each start, for the root file system is read-only.
# Of Noto's files those stay that layouts name: fonts of the interface for Latin, Arabic, Hebrew, Devanagari, Tamil and Thai.
RUN /tmp/install-dependencies.sh runtime fonts \
    && find /usr/share/fonts/truetype/noto -name 'Noto*.ttf' ! -name 'NotoColorEmoji.ttf' ! -name 'NotoSans-*' \
        ! -name 'NotoSansHebrew-*' ! -name 'NotoSansArabicUI-*' ! -name 'NotoSansDevanagariUI-*' ! -name 'NotoSansTamilUI-*' \
        ! -name 'NotoSansThaiUI-*' -delete \
    && rm -rf /tmp/* /var/lib/apt/lists/* /var/cache/apt/* /var/log/* \
    && find /usr/share/fonts /usr/local/share/fonts -type d -exec touch --date=2026-01-01T00:00:00Z {} + && fc-cache --force --system-only
# The user has a fixed number, and the store's folder is its own: a volume that is mounted there becomes so, too.
RUN useradd --uid 10001 --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin tidings \
    && install -d -o tidings -g tidings -m 0750 /var/lib/tidings && install -d /etc/tidings
COPY --from=build /staging/usr/local /usr/local
# All by name, as containers call them.
RUN cd /usr/local/bin && for service in bus cache fetcher gateway layout notifier; do ln -s "../lib/tidings/$service" "$service"; done \
    && for executable in *; do "$executable" --version; done
ENV TIDINGS_STORE=/var/lib/tidings
USER 10001:10001
WORKDIR /var/lib/tidings
ENTRYPOINT []
CMD ["tidings", "--help"]

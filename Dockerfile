# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
#
# One image with all executables; the command selects one: `docker run IMAGE cache`.

FROM swift:6.3-bookworm AS build
WORKDIR /tidings
# Copied before the code, so that a change of the code does not repeat the installation.
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
# An image stores file times in whole seconds, but fontconfig uses an index only if the time of the folder is equal to the
# nanosecond. Without an index, `layout` reads every font at each start, because the root file system is read-only. So the
# times are set to whole seconds. Only those Noto fonts are kept that layouts use: UI fonts for Latin, Arabic, Hebrew,
# Devanagari, Tamil and Thai. Apprise, a program in Python that `delivery` runs, takes 34 MiB.
RUN /tmp/install-dependencies.sh runtime fonts apprise \
    && find /usr/share/fonts/truetype/noto -name 'Noto*.ttf' ! -name 'NotoColorEmoji.ttf' ! -name 'NotoSans-*' \
        ! -name 'NotoSansHebrew-*' ! -name 'NotoSansArabicUI-*' ! -name 'NotoSansDevanagariUI-*' ! -name 'NotoSansTamilUI-*' \
        ! -name 'NotoSansThaiUI-*' -delete \
    && rm -rf /tmp/* /var/lib/apt/lists/* /var/cache/apt/* /var/log/* \
    && find /usr/share/fonts /usr/local/share/fonts -type d -exec touch --date=2026-01-01T00:00:00Z {} + && fc-cache --force --system-only
# The user has a fixed id and owns the store's folder, so that it also owns a new volume mounted there.
RUN useradd --uid 10001 --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin tidings \
    && install -d -o tidings -g tidings -m 0750 /var/lib/tidings && install -d /etc/tidings
COPY --from=build /staging/usr/local /usr/local
# Links for all executables on the path, because containers start them by name.
RUN cd /usr/local/bin && for service in bus cache delivery fetcher gateway layout notifier; do ln -s "../lib/tidings/$service" "$service"; done \
    && for executable in *; do "$executable" --version; done
ENV TIDINGS_STORE=/var/lib/tidings
USER 10001:10001
WORKDIR /var/lib/tidings
ENTRYPOINT []
CMD ["tidings", "--help"]

# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
#
# PostgreSQL with Patroni, and etcd, from Debian's packages; the command selects one.

FROM debian:bookworm-slim
# No cluster is created at the installation: Patroni creates its own.
RUN install -d /etc/postgresql-common && echo 'create_main_cluster = false' > /etc/postgresql-common/createcluster.conf \
    && apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends \
        etcd-server etcd-client patroni postgresql-15 python3-etcd3 python3-psycopg2 \
    && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/*
# The user has a fixed id and owns the folders, so that it also owns new volumes mounted there.
RUN useradd --uid 10002 --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin database \
    && install -d -o database -g database -m 0700 /var/lib/database /var/lib/etcd-data /run/database
COPY deploy/ha/patroni.yml /etc/patroni.yml
COPY deploy/ha/create-database.sh /usr/local/bin/create-database
ENV PATH=/usr/lib/postgresql/15/bin:/usr/local/bin:/usr/bin:/bin
USER 10002:10002
WORKDIR /var/lib/database
CMD ["patroni", "/etc/patroni.yml"]

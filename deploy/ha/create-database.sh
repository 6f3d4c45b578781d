#!/bin/sh
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
#
# Patroni runs this once in a new cluster, with the address of its superuser as the only argument. It creates the user and
# the database of Tidings; the password comes from the environment.
set -eu
: "${TIDINGS_DATABASE_PASSWORD:?is not set}"
psql --dbname="$1" --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --set=password="$TIDINGS_DATABASE_PASSWORD" <<'SQL'
CREATE ROLE tidings LOGIN PASSWORD :'password';
CREATE DATABASE tidings OWNER tidings ENCODING 'UTF8' TEMPLATE template0;
SQL

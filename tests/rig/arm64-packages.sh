#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# arm64-packages.sh list PATTERN: print the packages for arm64 whose names match.
# arm64-packages.sh fetch ROOT [-with-dependencies] PACKAGE...: fetch packages and unpack them under ROOT.
# arm64-packages.sh system ROOT PACKAGE...: the same with dependencies, for a machine that has dpkg: its database has the
#   packages as installed, though none of their scripts has run.
# NAME is arm64's package, NAME:amd64 this machine's. Nothing is installed and apt's configuration stays as it is:
# the lists of packages are under build/arm64/apt.
# Exit status 3: the archives that apt knows here have no packages for arm64.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
dir=$top/build/arm64/apt
verb=$1
shift

absent() {
	echo "arm64: no packages for arm64 can be obtained here: $1" >&2
	exit 3
}

# Debian's archives, as apt knows them here, for both architectures.
write_sources() {
	apt-get indextargets --format '$(LABEL) $(REPO_URI) $(SUITE) $(CODENAME)' 'Created-By: Packages' |
		sed -n 's/^Debian[^ ]* //p' | sort -u | while read -r uri _ codename; do
			printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\n' "$uri" "$codename"
			printf 'Architectures: arm64 amd64\n'
			printf 'Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg\n\n'
		done
}

open_lists() {
	export APT_CONFIG=$dir/conf
	[ ! -e "$dir/done" ] || return 0
	command -v apt-get >/dev/null 2>&1 || absent "this is not Debian"
	rm -rf "$dir"
	mkdir -p "$dir"/lists/partial "$dir"/archives/partial "$dir/sources"
	APT_CONFIG='' write_sources >"$dir/sources/debian.sources"
	[ -s "$dir/sources/debian.sources" ] || absent "apt knows no archive of Debian"
	cat >"$dir/conf" <<-END
		Dir::Etc::SourceList "/dev/null";
		Dir::Etc::SourceParts "$dir/sources";
		Dir::State::Lists "$dir/lists";
		Dir::State::Status "/dev/null";
		Dir::Cache "$dir";
		Acquire::Languages "none";
		APT::Architecture "arm64";
		APT::Architectures { "arm64"; "amd64"; };
		APT::Install-Recommends "false";
		APT::Sandbox::User "$(id -un)";
		Debug::NoLocking "true";
	END
	apt-get update -qq >"$dir/log" 2>&1 || absent "$(tail -n 1 "$dir/log")"
	[ -n "$(apt-cache pkgnames linux-image-)" ] || absent "the archive has none"
	: >"$dir/done"
}

# The record of a package in the database of the dpkg under ROOT.
record() {	# record ROOT ARCHIVE
	local database=$1/var/lib/dpkg name
	name=$(dpkg-deb -f "$2" Package)
	[ "$(dpkg-deb -f "$2" Multi-Arch)" != same ] || name=$name:arm64
	mkdir -p "$database/info" "$database/updates"
	{ dpkg-deb -f "$2" | sed '/^Package:/a Status: install ok installed'; echo; } >>"$database/status"
	dpkg-deb --fsys-tarfile "$2" | tar -t | sed 's|^[.]||; s|/$||; s|^$|/.|' >"$database/info/$name.list"
}

fetch() {	# fetch ROOT [-with-dependencies] PACKAGE...
	local root=$1 archives package
	shift
	archives=$(mktemp -d)
	if [ "$1" = -with-dependencies ]; then
		shift
		mkdir "$archives/partial"
		apt-get install -qq -y --download-only -o "Dir::Cache::Archives=$archives" "$@"
	else
		(cd "$archives" && apt-get download -qq "$@")
	fi >"$dir/log" 2>&1 || absent "$(tail -n 1 "$dir/log")"
	mkdir -p "$root"
	for package in "$archives"/*.deb; do
		dpkg-deb -x "$package" "$root"
		[ "$verb" != system ] || record "$root" "$package"
	done
	rm -rf "$archives"
}

mkdir -p "$top/build/arm64"
# Only one script at a time may use these lists.
exec 9>"$top/build/arm64/.apt"
flock 9
open_lists
case $verb in
list) apt-cache pkgnames | grep -E "$1" ;;
fetch) fetch "$@" ;;
system) fetch "$1" -with-dependencies "${@:2}" ;;
*) echo "arm64: unknown verb $verb" >&2; exit 1 ;;
esac

#!/bin/sh
# Installs Kashbox from its tar.gz on any Linux with glibc, upgrades it, or removes it. Payments are never deleted.
set -eu
umask 022

usage() {
  cat << 'END'
Usage: sudo ./install.sh                    installs Kashbox, or upgrades it, with its user and its service
       sudo ./install.sh --uninstall        removes the program; payments and settings stay
       ./install.sh --prefix DIR            installs the program only, in DIR: no user, no service, no root
       ./install.sh --prefix DIR --uninstall

It installs the folder in which it is, or else the kashbox-VERSION-linux-*.tar.gz next to it.
END
}

fail() { # MESSAGE
  echo "Error: $1" >&2
  exit 1
}

prefix=/opt/kashbox
uninstall=no
VERSION=
while [ $# -gt 0 ]; do
  case $1 in
    --prefix)
      [ -n "${2-}" ] || fail '--prefix needs a folder, such as: ./install.sh --prefix ~/kashbox'
      prefix=$2
      shift
      ;;
    --prefix=?*) prefix=${1#--prefix=} ;;
    --uninstall) uninstall=yes ;;
    --help | -h) usage && exit ;;
    *)
      echo "Error: $1 is not an option of this script" >&2
      usage >&2
      exit 2
      ;;
  esac
  shift
done

here=$(CDPATH='' cd -- "$(dirname "$0")" && pwd -P)
home=/var/lib/kashbox
settings=/etc/default/kashbox
unit=/etc/systemd/system/kashbox.service
share=/usr/local/share
command=/usr/local/bin/kashbox

has_systemd() {
  [ -d /run/systemd/system ]
}

# Words of the one who installs it: the path of sudo may not have /usr/local/bin.
typed() {
  if [ "$(command -v kashbox || true)" = "$command" ]; then echo kashbox; else echo "$command"; fi
}

installed_version() {
  [ ! -L "$prefix/current" ] || basename "$(readlink "$prefix/current")"
}

points_here() { # FILE: whether it is a link into this installation
  [ -L "$1" ] && case $(readlink "$1") in "$prefix"/*) ;; *) return 1 ;; esac
}

check_place() {
  if [ -e "$command" ] || [ -L "$command" ]; then
    points_here "$command" || fail "$command is another program. If it is the npm package, remove it first: npm uninstall --global kashbox"
  fi
  [ "$is_service" = yes ] || return 0
  [ ! -e /usr/lib/kashbox ] || fail 'The Debian package of Kashbox is installed here. Upgrade it with apt, or remove it first: apt remove kashbox'
  if [ -e "$unit" ] && ! grep -q "$prefix/" "$unit"; then
    fail "$unit starts another program. Move it away, then run this script again: mv $unit /root/"
  fi
  id kashbox > /dev/null 2>&1 || command -v useradd > /dev/null || command -v adduser > /dev/null ||
    fail 'There is no program to create a user. Install the package shadow of your system, or create the user kashbox yourself.'
  setpriv --help 2>&1 | grep -q -- --reuid || fail 'The program setpriv is missing. Install the package util-linux of your system.'
}

check_machine() {
  case $(uname -s)-$(uname -m) in
    Linux-x86_64 | Linux-amd64) machine=x64 ;;
    Linux-aarch64 | Linux-arm64) machine=arm64 ;;
    *) fail "Kashbox needs Linux on a 64-bit processor (x86_64 or aarch64). This is $(uname -s) on $(uname -m)." ;;
  esac
}

check_space() {
  needed=200
  free=$(($(df -Pk "$prefix" | awk 'NR == 2 { print $4 }') / 1024))
  [ "$free" -ge "$needed" ] || fail "$prefix has $free MB free, and Kashbox needs $needed MB. Free some space, then run this script again."
}

# A program for another C library does not even start.
check_node() { # NODE
  problem=$("$1" --version 2>&1) && return
  needs='and Kashbox needs glibc 2.28 or newer'
  if ldd --version 2>&1 | grep -qi musl; then
    fail "This system has musl, like Alpine, $needs. Use Debian, Ubuntu or another distribution with glibc, or Docker."
  fi
  glibc=$(getconf GNU_LIBC_VERSION 2> /dev/null | sed 's/^glibc //')
  case $glibc in
    2.[0-9] | 2.1[0-9] | 2.2[0-7])
      fail "This system has glibc $glibc, $needs. Upgrade it: Debian 10, Ubuntu 20.04, RHEL 8 and newer have that."
      ;;
  esac
  case $problem in
    *libstdc++*) fail 'The library libstdc++.so.6 is missing. Install it: apt install libstdc++6, or dnf install libstdc++' ;;
  esac
  fail "The program does not run on this system: $problem"
}

# Puts the release into a folder of its version. Until it is complete, nothing is replaced.
take_release() {
  check_space
  new=$prefix/.new
  trap 'rm -rf "$new"' EXIT
  trap 'exit 130' INT TERM HUP
  rm -rf "$new"
  mkdir -p "$new/unpacked"
  if [ -n "$VERSION" ]; then
    mkdir "$new/release"
    cp -R "$here/." "$new/release" || fail "The files could not be copied to $prefix. The reason is above."
  else
    unpack
  fi
  check_node "$new/release/lib/kashbox/node/node"
  is_marked=$new/release/lib/kashbox/is-service
  if [ "$is_service" = yes ]; then touch "$is_marked"; else rm -f "$is_marked"; fi
  rm -rf "${prefix:?}/$VERSION"
  mv "$new/release" "$prefix/$VERSION"
}

# Sets VERSION, too.
check_release() { # FILE
  # shellcheck source=/dev/null
  . "$1"
  [ "$ARCHITECTURE" = "$machine" ] ||
    fail "This package is for $ARCHITECTURE, and this machine is $machine. Take kashbox-$VERSION-linux-$machine.tar.gz."
}

unpack() {
  set -- "$here"/kashbox-*-linux-"$machine".tar.gz
  [ -e "$1" ] || fail "There is no kashbox-VERSION-linux-$machine.tar.gz in $here. Put it there, or run the install.sh of its folder."
  [ $# = 1 ] || fail "There are several versions in $here. Unpack one of them, and run the install.sh of its folder."
  if [ -e "$here/SHA256SUMS" ]; then
    sum=$(sha256sum "$1" | cut -d' ' -f1)
    grep -q "^$sum " "$here/SHA256SUMS" || fail "$1 is damaged: its checksum is not in SHA256SUMS. Download it again."
  fi
  tar -xzof "$1" -C "$new/unpacked" || fail "$1 could not be unpacked to $prefix. The reason is above."
  mv "$new"/unpacked/kashbox-* "$new/release"
  check_release "$new/release/release"
}

link_command() {
  ln -sfn "$VERSION" "$prefix/current"
  mkdir -p "$(dirname "$command")"
  ln -sfn "$prefix/current/bin/kashbox" "$command"
}

# Manual pages and completion of the shells.
shared_links() {
  find "$share/man" "$share/bash-completion" "$share/zsh" "$share/fish" -type l -name '*kashbox*' 2> /dev/null || true
}

unlink_shared() {
  shared_links | while read -r link; do
    ! points_here "$link" || rm -f "$link"
  done
}

link_shared() {
  unlink_shared
  (cd "$prefix/current/share" && find . -type f) | sed 's#^\./##' | while read -r file; do
    mkdir -p "$share/$(dirname "$file")"
    ln -sfn "$prefix/current/share/$file" "$share/$file"
  done
}

# Files of the package name its places below /usr, where the .deb has them.
localized() { # FILE
  sed "s#/usr/share/doc/kashbox#$prefix/current#; s#/usr/bin/kashbox#$prefix/current/bin/kashbox#" "$1"
}

create_user() {
  id kashbox > /dev/null 2>&1 && return
  nologin=$(command -v nologin || echo /bin/false)
  if command -v useradd > /dev/null; then
    useradd --system --user-group --home-dir "$home" --no-create-home --shell "$nologin" --comment Kashbox kashbox
  else
    addgroup -S kashbox && adduser -S -D -H -h "$home" -s "$nologin" -g Kashbox -G kashbox kashbox
  fi
}

place_service() {
  create_user || fail 'The user kashbox could not be created. The reason is above.'
  mkdir -p "$home" "$(dirname "$settings")"
  chown kashbox:kashbox "$home"
  chmod 0700 "$home"
  # An address of PostgreSQL in it is a secret.
  [ -e "$settings" ] || (umask 027 && localized "$prefix/current/$settings" > "$settings")
  chown root:kashbox "$settings"
  chmod 0640 "$settings"
  # On a system with SELinux, systemd starts only what is labelled as a program.
  ! command -v restorecon > /dev/null || restorecon -R "$prefix" "$home"
  has_systemd || return 0
  localized "$prefix/current/lib/systemd/system/kashbox.service" > "$unit"
  systemctl daemon-reload
  systemctl try-restart kashbox.service
}

explain_first() {
  if [ "$is_service" = no ]; then
    echo "Kashbox $VERSION is installed in $prefix/$VERSION. Set up your shop: $command setup"
    return
  fi
  echo "Kashbox $VERSION is installed in $prefix/$VERSION. Set up your shop, then start it:"
  echo "  sudo $(typed) setup"
  if has_systemd; then
    echo "  sudo systemctl enable --now kashbox"
  else
    echo "  sudo $(typed) daemon"
    echo "There is no systemd here: let your system run the last line at boot. The daemon runs as the user kashbox."
  fi
}

explain_upgrade() { # VERSION before
  if [ "$is_service" = no ]; then
    again="$prefix/$1/install.sh --prefix $prefix"
    echo "Kashbox $VERSION replaces $1. Restart the daemon if it runs."
  else
    again="sudo $prefix/$1/install.sh"
    echo "Kashbox $VERSION replaces $1."
    if has_systemd; then echo "The service was restarted if it was running."; else echo "Restart the daemon."; fi
  fi
  echo "To go back, run $again, and restore the backup that you made with $1 (docs/upgrade.md)."
}

install_release() {
  check_machine
  check_place
  before=$(installed_version)
  [ ! -e "$here/release" ] || check_release "$here/release"
  # To go back, the script of a version runs where that is installed already.
  [ "$here" = "$prefix/$VERSION" ] || take_release
  link_command
  if [ "$is_service" = yes ]; then
    link_shared
    place_service
  fi
  if [ -z "$before" ] || [ "$before" = "$VERSION" ]; then explain_first; else explain_upgrade "$before"; fi
}

uninstall_release() {
  if [ "$is_service" = yes ]; then
    if has_systemd && [ -e "$unit" ]; then systemctl disable --now kashbox.service; fi
    rm -f "$unit"
    ! has_systemd || systemctl daemon-reload
    unlink_shared
  fi
  ! points_here "$command" || rm -f "$command"
  rm -f "$prefix/current"
  # Only what this script has put here.
  for release in "$prefix"/*/release; do
    folder=$(dirname "$release")
    ! grep -qx "VERSION=$(basename "$folder")" "$release" 2> /dev/null || rm -rf "$folder"
  done
  rmdir "$prefix/bin" "$prefix" 2> /dev/null || true
  echo "Kashbox is removed from $prefix."
  [ "$is_service" = yes ] || return 0
  echo "Payments, keys and certificate stay in $home, settings in $settings, and so does the user kashbox."
  echo "If you have a backup, or need none of it any longer:"
  echo "  sudo rm -r $home $settings && sudo userdel kashbox"
}

is_service=no
if [ "$prefix" = /opt/kashbox ]; then
  is_service=yes
  [ "$(id -u)" = 0 ] ||
    fail 'Only root can install the service. Type it with sudo, or install the program only: ./install.sh --prefix ~/kashbox'
fi
if [ "$uninstall" = yes ]; then
  [ -L "$prefix/current" ] || fail "Kashbox is not installed in $prefix."
elif ! mkdir -p "$prefix" 2> /dev/null || [ ! -w "$prefix" ]; then
  fail "You may not write to $prefix. Name another folder with --prefix."
fi
# However it was typed.
prefix=$(CDPATH='' cd -- "$prefix" && pwd -P)
[ "$is_service" = yes ] || command=$prefix/bin/kashbox
if [ "$uninstall" = yes ]; then uninstall_release; else install_release; fi

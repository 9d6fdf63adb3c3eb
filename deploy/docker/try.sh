#!/usr/bin/env bash
# Builds the image and runs it where there is no Docker: Debian's buildah with chroot isolation, on a base made by debootstrap and this machine's Node.js.
# Needs root, the packages buildah and debootstrap, and the network for npm.
#
#     deploy/docker/try.sh [FOLDER]     FOLDER keeps the base for another time, about 350 MB
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
kept=${1:-}
work=$(mktemp -d)
folder=${kept:-$work}
mkdir -p "$folder"
image=localhost/stickslip:try
container=""

# vfs and chroot need neither overlay mounts nor namespaces; all that buildah stores is in $work and gone afterwards.
build() {
	command buildah --root "$work/storage" --runroot "$work/run" --storage-driver vfs "$@"
}

finish() {
	[ -z "$container" ] || build rm "$container" >&2 || true
	rm -rf "$work"
}
trap finish EXIT

make_base() {
	[ -e "$folder/base/ready" ] && return
	rm -rf "$folder/base"
	debootstrap --variant=minbase bookworm "$folder/base"
	rm -rf "$folder"/base/var/cache/apt/archives/*.deb "$folder"/base/var/lib/apt/lists/*
	local npm
	npm=$(npm root --global)/npm
	cp -L "$(command -v node)" "$folder/base/usr/local/bin/node"
	mkdir -p "$folder/base/usr/local/lib/node_modules"
	cp -R "$npm" "$folder/base/usr/local/lib/node_modules/npm"
	for name in npm npx; do ln -s "../lib/node_modules/npm/bin/$name-cli.js" "$folder/base/usr/local/bin/$name"; done
	touch "$folder/base/ready"
}

# This machine's authorities, seen from inside: npm may be behind one that a plain image does not know.
authorities=/etc/ssl/certs/ca-certificates.crt
inside=()
if [ -f "$authorities" ]; then
	echo "cafile=$authorities" > "$work/npmrc"
	inside+=(--volume "$(dirname "$authorities"):$(dirname "$authorities"):ro" --secret "id=npmrc,src=$work/npmrc")
fi

make_base
container=$(build from scratch)
build add --quiet "$container" "$folder/base" /
build commit --quiet "$container" localhost/stickslip-base > "$work/base-id"
build rm "$container" >&2
container=""

# The image's format is Docker's because the other one has no health check.
build bud --isolation chroot --format docker --build-arg BASE=localhost/stickslip-base --tag "$image" "${inside[@]}" \
	--file "$root/deploy/docker/Dockerfile" "$root"

container=$(build from "$image")
run() {
	build run --isolation chroot "$container" -- "$@"
}
echo "== who runs it: $(run id -u)"
run stickslip doctor
echo "== a pile of 500 contacts, on one rank and on two processes"
run sh -c 'cd && stickslip generate spheres --contacts 500 --seed 1 --output pile.hdf5'
first=$(run sh -c 'cd && stickslip solve pile.hdf5 --json' | node -p 'JSON.parse(fs.readFileSync(0, "utf8")).hash')
second=$(run sh -c 'cd && stickslip solve pile.hdf5 --ranks 2 --transport zeromq --json' | node -p 'JSON.parse(fs.readFileSync(0, "utf8")).hash')
echo "$first"
[ "$first" = "$second" ] || { echo "another answer on two ranks: $second"; exit 1; }
echo "== entry point, health check, user"
build inspect --type image --format '{{.Docker.Config.Entrypoint}} {{.Docker.Config.Healthcheck}} {{.Docker.Config.User}}' "$image"
echo
echo "== compilers: $(run sh -c 'command -v gcc cc g++ make python3 || echo none' | tr '\n' ' ')"
layers=$(run du --summarize --bytes /opt/stickslip | cut --fields 1)
whole=$(build images --format '{{.Size}}' "$image")
echo "== size: $whole with the base, $((layers / 1000000)) MB of it the program"

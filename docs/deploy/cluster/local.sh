#!/usr/bin/env bash
# Runs the cluster of this folder on one machine, for trying: three Patroni nodes with etcd, HAProxy, three NATS servers and two servers of the service.
#   local.sh start [DIR]   start all of it; DIR (.flightdata-cluster) holds data, logs and process IDs
#   local.sh servers [DIR] start or replace the servers of the service, one after the other
#   local.sh node N [DIR]  start a node of PostgreSQL again; a new number (4 to 9) adds a replica
#   local.sh cut N [DIR]   with NETWORKS=true: part a node from the others and from etcd; its clients still reach it. ISOLATED=true parts it from them, too
#   local.sh join N [DIR]  end that
#   local.sh status [DIR]  list the nodes
#   local.sh stop [DIR]    stop all of it
# It needs the Debian packages patroni, etcd-server, haproxy, nats-server, python3-etcd, python3-psycopg2 and postgresql. As root, PostgreSQL
# runs as the user postgres. Everything listens on 127.0.0.1. SYNC=false replicates asynchronously; ROOT is the checkout of the service; PARTS='postgres' leaves out NATS and servers.
# NETWORKS=true gives each node of PostgreSQL a network namespace (as root).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=${ROOT:-$(cd "$here/../../.." && pwd)}
command=${1:-start}
node_number=${2:-}
[[ $command =~ ^(node|cut|join)$ ]] && shift
dir=$(realpath -m "${2:-.flightdata-cluster}")
parts=${PARTS:-postgres nats servers}
base=${BASE_PORT:-25400}
# base+1..9 PostgreSQL, +11..19 Patroni, +20..21 etcd, +30 leader, +31 service, +32 hub, +41..43 NATS, +51..53 its routes, +61..62 servers, +71..72 metrics
network=${NETWORKS:-false}
# Namespaces, bridge and interfaces of this cluster: fd25400n1 and so on. Nodes and etcd are in 10.X.0.0/24, node N and its clients in 10.X.N.0/24.
net=fd$base subnet=10.$((base / 100 % 256))
bin=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1)
export PATH="$PATH:/usr/sbin:/sbin"

missing() {
  for program in patroni etcd haproxy nats-server; do command -v "$program" >/dev/null || echo "$program"; done
}

# run NAME COMMAND...: starts a process in the background and remembers its ID.
run() {
  local name=$1
  shift
  setsid "$@" >>"$dir/log/$name" 2>&1 </dev/null &
  echo $! >"$dir/pids/$name"
}

end() {
  local file="$dir/pids/$1" pid
  [ -f "$file" ] || return 0
  pid=$(cat "$file")
  kill "-${2:-TERM}" "$pid" 2>/dev/null || true
  for _ in $(seq 100); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
  kill -KILL "$pid" 2>/dev/null || true
  rm -f "$file"
}

# until SECONDS COMMAND...: waits until the command succeeds.
until_ok() {
  local seconds=$1
  shift
  for _ in $(seq $((seconds * 5))); do "$@" >/dev/null 2>&1 && return 0; sleep 0.2; done
  echo "no success within $seconds s: $*; see $dir/log" >&2
  return 1
}

# The address of node N for the others, that for its clients, and that of etcd.
peer() { if [ "$network" = true ]; then echo "$subnet.0.$1"; else echo 127.0.0.1; fi; }
host() { if [ "$network" = true ]; then echo "$subnet.$1.1"; else echo 127.0.0.1; fi; }
etcd_host() { peer 254; }
in_network() { if [ "$network" = true ]; then echo ip netns exec "${net}n$1"; fi; }

create_networks() {
  remove_networks
  ip link add "${net}b" type bridge
  ip address add "$(etcd_host)/24" dev "${net}b"
  ip link set "${net}b" up
  for n in 1 2 3; do
    ip netns add "${net}n$n"
    ip link add "${net}p$n" type veth peer name peers netns "${net}n$n"
    ip link add "${net}c$n" type veth peer name clients netns "${net}n$n"
    ip link set "${net}p$n" master "${net}b" up
    ip address add "$subnet.$n.254/24" dev "${net}c$n"
    ip link set "${net}c$n" up
    ip -n "${net}n$n" address add "$(peer $n)/24" dev peers
    ip -n "${net}n$n" address add "$(host $n)/24" dev clients
    for device in lo peers clients; do ip -n "${net}n$n" link set $device up; done
  done
}

remove_networks() {
  for n in 1 2 3; do
    ip link delete "${net}p$n" 2>/dev/null || true
    ip link delete "${net}c$n" 2>/dev/null || true
    ip netns delete "${net}n$n" 2>/dev/null || true
  done
  ip link delete "${net}b" 2>/dev/null || true
}

# The numbers of the nodes that have been started.
nodes() { for n in 1 2 3 4 5 6 7 8 9; do if [ -d "$dir/n$n" ]; then echo $n; fi; done; }

as_postgres() { if [ "$(id -u)" = 0 ]; then echo setpriv --reuid=postgres --regid=postgres --clear-groups; fi; }

start_node() {
  local n=$1 mode='s/^    synchronous_mode: true/&/'
  [ "${SYNC:-true}" = false ] && mode='s/^    synchronous_mode: true/    synchronous_mode: false/'
  mkdir -p "$dir/n$n"
  sed "$mode" "$here/patroni.yaml" >"$dir/n$n/patroni.yaml"
  [ "$(id -u)" = 0 ] && chown postgres "$dir/n$n"
  local listen=127.0.0.1 peer
  peer=$(peer "$n")
  [ "$network" = true ] && listen=0.0.0.0
  PATRONI_NAME=n$n PATRONI_RESTAPI_LISTEN=$listen:$((base + 10 + n)) PATRONI_RESTAPI_CONNECT_ADDRESS=$peer:$((base + 10 + n)) \
    PATRONI_POSTGRESQL_LISTEN=$listen:$((base + n)) PATRONI_POSTGRESQL_CONNECT_ADDRESS=$peer:$((base + n)) \
    PATRONI_POSTGRESQL_DATA_DIR="$dir/n$n/data" PATRONI_POSTGRESQL_BIN_DIR=$bin PATRONI_POSTGRESQL_PGPASS="$dir/n$n/pgpass" \
    PATRONI_ETCD3_HOSTS=$(etcd_host):$((base + 20)) PATRONI_SUPERUSER_PASSWORD=local PATRONI_REPLICATION_PASSWORD=local \
    PATRONI_REWIND_PASSWORD=local run "n$n" $(in_network "$n") $(as_postgres) patroni "$dir/n$n/patroni.yaml"
}

is() { curl -sf -o /dev/null "http://$(host "$1"):$((base + 10 + $1))/$2"; }

start_postgres() {
  local etcd
  etcd=http://$(etcd_host):$((base + 20))
  [ "$network" = true ] && create_networks
  run etcd etcd --name local --data-dir "$dir/etcd" --listen-client-urls "$etcd" --advertise-client-urls "$etcd" --listen-peer-urls "http://127.0.0.1:$((base + 21))" \
    --initial-advertise-peer-urls "http://127.0.0.1:$((base + 21))" --initial-cluster "local=http://127.0.0.1:$((base + 21))"
  until_ok 20 curl -sf "$etcd/health"
  start_node 1
  [ -d "$dir/n2/data" ] || until_ok 120 is 1 primary
  start_node 2
  start_node 3
  export LISTEN=127.0.0.1 LEADER_PORT=$((base + 30)) HTTP_PORT=$((base + 31)) HUB_PORT=$((base + 32))
  for n in 1 2 3; do export NATS$n=127.0.0.1:$((base + 40 + n)); done
  for n in 1 2 3; do export PG$n=$(host $n):$((base + n)) REST${n}_HOST=$(host $n) REST${n}_PORT=$((base + 10 + n)); done
  for n in 1 2; do export WEB$n=127.0.0.1:$((base + 60 + n)) READY${n}_HOST=127.0.0.1 READY${n}_PORT=$((base + 70 + n)); done
  run haproxy haproxy -db -f "$here/haproxy.cfg"
  until_ok 120 has_nodes
  until_ok 20 bash -c "exec 3<>/dev/tcp/127.0.0.1/$((base + 30))"
}

has_nodes() {
  local up=0
  for n in 1 2 3; do if is $n primary || is $n replica; then up=$((up + 1)); fi; done
  [ $up = 3 ]
}

environment() {
  DATABASE_URL="postgres://postgres:local@127.0.0.1:$((base + 30))/postgres"
  for n in 1 2 3; do DATABASE_URL="$DATABASE_URL,postgres://postgres:local@$(host $n):$((base + n))/postgres"; done
  export DATABASE_URL
  # Both servers and the hub have this key.
  export SECRETS_KEY_FILE="$dir/secrets.key"
  [ -f "$SECRETS_KEY_FILE" ] || (umask 077 && head -c 32 /dev/urandom | base64 >"$SECRETS_KEY_FILE")
}

flightdata() { (cd "$root" && npm exec -c "node src/server/cli/main.ts $*"); }

start_nats() {
  local routes=''
  for n in 1 2 3; do routes="$routes,nats://127.0.0.1:$((base + 50 + n))"; done
  flightdata hub server-config --listen 127.0.0.1:0 --store-dir "$dir/nats" >"$dir/hub.conf"
  for n in 1 2 3; do
    sed -e "s/^listen: .*/listen: \"127.0.0.1:$((base + 40 + n))\"/" -e "s|store_dir: \"[^\"]*\"|store_dir: \"$dir/nats$n\"|" \
      "$dir/hub.conf" >"$dir/nats$n.conf"
    printf 'server_name: nats%s\ncluster { name: flightdata, listen: "127.0.0.1:%s", routes: [%s] }\n' "$n" $((base + 50 + n)) \
      "$(echo "${routes#,}" | sed 's/[^,]*/"&"/g')" >>"$dir/nats$n.conf"
    run "nats$n" nats-server -c "$dir/nats$n.conf"
  done
}

start_server() {
  local n=$1
  end "server$n"
  [[ $parts == *nats* ]] && export NATS_URL=nats://127.0.0.1:$((base + 32)) HUB_REPLICAS=3
  (cd "$root" && PORT=$((base + 60 + n)) METRICS_PORT=$((base + 70 + n)) DRAIN_SECONDS=${DRAIN_SECONDS:-2} \
    PUBLIC_URL=${PUBLIC_URL:-http://127.0.0.1:$((base + 31))} TRUSTED_PROXIES=127.0.0.1 PATH="$root/node_modules/.bin:$PATH" \
    run "server$n" node src/server/cli/main.ts serve ${SERVE:-})
  until_ok 90 curl -sf "http://127.0.0.1:$((base + 70 + n))/readyz"
}

case $command in
  start)
    lacking=$(missing)
    if [ -n "$lacking" ]; then
      echo "not started: install the packages of" $lacking >&2
      exit 3
    fi
    mkdir -p "$dir/log" "$dir/pids"
    chmod 755 "$dir"
    start_postgres
    environment
    [[ $parts == *nats* ]] && start_nats
    if [[ $parts == *servers* ]]; then for n in 1 2; do start_server $n; done; fi
    echo "DATABASE_URL=$DATABASE_URL"
    echo "the service is at http://127.0.0.1:$((base + 31)); stop it with: $0 stop $dir"
    ;;
  servers)
    environment
    for n in 1 2; do start_server $n; done
    ;;
  node) start_node "$node_number" ;;
  cut)
    ip link set "${net}p$node_number" nomaster
    if [ "${ISOLATED:-false}" = true ]; then ip link set "${net}c$node_number" down; fi
    ;;
  join)
    ip link set "${net}p$node_number" master "${net}b"
    ip link set "${net}c$node_number" up
    ;;
  status) for n in $(nodes); do curl -s "http://$(host $n):$((base + 10 + n))/patroni" || echo "n$n does not respond"; echo; done ;;
  stop)
    for name in server1 server2 haproxy nats1 nats2 nats3; do end $name; done
    for n in $(nodes); do
      end n$n
      [ -f "$dir/n$n/data/postmaster.pid" ] && kill -QUIT "$(head -1 "$dir/n$n/data/postmaster.pid")" 2>/dev/null || true
    done
    end etcd
    if [ "$network" = true ]; then remove_networks; fi
    ;;
  *)
    sed -n '2,12p' "$0"
    exit 2
    ;;
esac

# Any Node from 20 on is enough to start: the Node version of the project is installed as a package, and npm puts it first in PATH.
# Environment variables such as PORT, DATA_DIR and DATABASE_URL pass through.
.DEFAULT_GOAL := help
.PHONY: help run world mock mock-package portal client sbom release test watch check generate schema contract contract-full release-contract bench faults cluster cluster-faults mutants zones format ci clean

export REDOCLY_SUPPRESS_UPDATE_NOTICE := true
export npm_config_update_notifier := false
export npm_config_fund := false
export npm_config_audit := false
MAKEFLAGS += --no-print-directory

# Arguments of the command: `make test ARGS=test/http`.
ARGS ?=

# `exec` all the way leaves no shell or npm between make and the server: signals reach it.
FLIGHTDATA := PATH="$(CURDIR)/node_modules/.bin:$$PATH" exec node src/server/cli/main.ts

INSTALLED := node_modules/.installed
# The packages of a server are a tenth of all, and are installed in a third of the time.
RUNTIME := node_modules/.runtime
# The server serves the built portal; it is rebuilt when its sources changed.
PORTAL := dist/portal/index.html
# Installs the other packages and builds an outdated portal beside the server, which serves the portal once it is complete. It gets the
# processor time that the server leaves, and outlives it. Without flock two installations could meet, so there it comes first.
PORTAL_BESIDE = if $(MAKE) -sq $(PORTAL); then :; elif command -v flock >/dev/null 2>&1; then \
	  rm -f $(PORTAL); mkdir -p build; (nice -n 19 $(MAKE) -s $(PORTAL) >build/portal.log 2>&1 </dev/null &); \
	else $(MAKE) -s $(PORTAL); fi

help: ## list the targets
	@awk 'BEGIN { FS = ":.*## " } /^[a-z][a-z-]*:.*## / { printf "make %-16s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

run: $(RUNTIME) ## serve the API on PORT (8080), with a demo world when the store is empty
	@$(PORTAL_BESIDE)
	@$(FLIGHTDATA) serve --demo $(ARGS)

# A real world has a folder of its own: the demo world and its public key are in .flightdata. With exit code 3, some sources could not be
# fetched, or some records were quarantined; with 1, none could: it serves what it has. `make world LIVE='avinor:OSL hkia'` follows live feeds.
LIVE ?=
world: export DATA_DIR ?= $(CURDIR)/.flightdata-world
world: $(RUNTIME) ## fetch open data, load them, and serve them on PORT (8080), without the demo world; LIVE='avinor:OSL hkia' follows live feeds
	@$(PORTAL_BESIDE)
	@($(FLIGHTDATA) sources fetch --due --brief) || { code=$$?; [ $$code -eq 1 ] || [ $$code -eq 3 ]; }
	@($(FLIGHTDATA) import sources --changed) || [ $$? -eq 3 ]
	@echo "a key for the live page, from another terminal: DATA_DIR='$(DATA_DIR)' npm run -s flightdata -- keys create --name me --products flight-info,master-data"
	@[ -n "$(LIVE)" ] || echo "no live feeds are followed; for real flights of today: make world LIVE='avinor:OSL hkia'"
	@$(FLIGHTDATA) serve $(if $(LIVE),--live '$(LIVE)') $(ARGS)

# Caches compiled sources: later starts need half of the CPU time until the mock listens.
mock: export NODE_COMPILE_CACHE ?= $(CURDIR)/node_modules/.cache/node
mock: $(INSTALLED) ## serve the examples of the documents on PORT (4010): no store, any key, errors on request
	@PATH="$(CURDIR)/node_modules/.bin:$$PATH" exec node src/mock/main.ts $(ARGS)

mock-package: $(INSTALLED) ## build the package of the mock, dist/mock
	@npm exec -c "node src/release/build-mock.ts"

portal: $(INSTALLED) ## build the portal, dist/portal, which `make run` serves at /docs/
	@npm exec -c "node src/portal/build-portal.ts"

client: $(INSTALLED) ## build the client package, dist/client
	@npm exec -c "node src/release/build-client.ts"

sbom: $(INSTALLED) ## write the list of runtime packages, dist/sbom.cdx.json (CycloneDX)
	@npm exec -c "node src/release/build-sbom.ts"

release: $(INSTALLED) ## build the files of a release from the last commit, dist/release: packages, portal, documents, SBOM, licences, checksums
	@npm exec -c "node src/release/build-release.ts"

test: $(INSTALLED) ## run all tests on an embedded PostgreSQL or on DATABASE_URL
	@npm run -s test -- $(ARGS)

watch: $(INSTALLED) ## run tests again when files change: those in ARGS, or those that import a changed file
	@npm exec -c "vitest watch $(ARGS)"

check: $(INSTALLED) ## check format, lint, types, layers, spec, generated files, breaking changes and dead code
	@npm run -s check

generate: $(INSTALLED) ## write generated/ from spec/, and the tables of environment variables
	@npm run -s generate

schema: $(INSTALLED) ## write src/server/store/schema/schema.sql from the migrations
	@npm exec -c "node test/support/write-schema.ts"

zones: $(INSTALLED) ## write the boundaries of time zones, from a package of 60 MB that is only fetched for it
	@npm exec -c "node src/release/build-zone-boundaries.ts"

contract: $(INSTALLED) ## run the contract tests alone and print their coverage of the documents
	@npm run -s test -- test/contract $(ARGS)

contract-full: export FUZZ_REQUESTS ?= 10000
contract-full: export FUZZ_SEED ?= $(shell date +%s)
contract-full: $(INSTALLED) ## the same with 10,000 random requests for each operation; FUZZ_SEED repeats a run
	@npm run -s test -- test/contract $(ARGS)

release-contract: $(INSTALLED) ## publish the documents in spec/published/; fails on a breaking change
	@npm exec -c "node src/contract/check-changes.ts --release"

bench: $(INSTALLED) ## run all benchmarks or those in ARGS: BENCH_FLIGHTS_PER_DAY=100000 BENCH_DAYS=30 for full size
	@npm exec -c "node test/bench/run.ts $(ARGS)"

faults: $(INSTALLED) ## run the fault tests in full length and print their figures and limits; takes two and a half hours
	@npm exec -c "node test/faults/support/run-faults.ts $(ARGS)"

# Debian packages: patroni etcd-server haproxy nats-server python3-etcd python3-psycopg2 postgresql.
cluster: $(INSTALLED) ## start a cluster on this machine, for trying: three Patroni nodes, etcd, HAProxy, NATS x 3 and two servers
	@docs/deploy/cluster/local.sh start

cluster-faults: export LONG_TESTS := 1
cluster-faults: export LEADER_KILLS ?= 10
cluster-faults: export PARTITIONS ?= 4
cluster-faults: $(INSTALLED) ## kill and part the leader of such a cluster under load, upgrade its servers, and measure replicas; says so where its packages are missing
	@npm run -s test -- test/faults/cluster $(ARGS)

mutants: $(INSTALLED) ## measure the mutation score of a sample, docs/reference/mutation-score.md; ARGS=src/server/http for one folder, MUTANTS=1000, MUTANT_SEED
	@npm exec -c "node test/mutants/run-mutants.ts $(ARGS)"

format: $(INSTALLED) ## format the sources
	@npm exec -c oxfmt

ci: ## run everything that must pass before a change is merged
	@.ci/run

clean: ## remove build results; data and packages stay
	rm -rf dist build coverage

# With flock, a second `make` waits for the installation of the first. Installed packages are updated in place: `npm ci` would delete
# them under a running server. All packages include those of a server.
define install
	@command -v npm >/dev/null 2>&1 || { echo 'npm was not found: install Node.js 20 or newer (https://nodejs.org), which brings npm' >&2; exit 1; }
	@node -e 'if (Number(process.versions.node.split(".")[0]) < 20) { console.error("Node.js 20 or newer is needed, this is " + process.version); process.exit(1) }'
	@mkdir -p build
	@if command -v flock >/dev/null 2>&1; then exec 9>build/install.lock; flock 9; fi; \
	if [ $(INSTALLED) -nt package-lock.json ]; then touch $@; \
	elif [ ! -e $@ ] || [ package-lock.json -nt $@ ]; then \
	  omit=$(if $(filter $@,$(RUNTIME)),dev); marks='$(RUNTIME) $(INSTALLED)'; \
	  if [ -e $(INSTALLED) ]; then omit=; fi; \
	  if [ -n "$$omit" ]; then marks=$(RUNTIME); echo 'installing the packages of a server' >&2; else echo 'installing packages' >&2; fi; \
	  if [ -d node_modules ]; then set -- install --no-save; else set -- ci; fi; \
	  npm "$$@" --ignore-scripts --loglevel=error $${omit:+--omit=dev} >&2 && touch $$marks; \
	fi
endef

$(INSTALLED): package-lock.json
	$(install)

$(RUNTIME): package-lock.json
	$(install)

$(PORTAL): $(INSTALLED) $(shell find spec docs generated src/portal -name '*.md' -o -name '*.yaml' -o -path '*portal/*' -type f)
	@npm exec -c "node src/portal/build-portal.ts" >&2

# The front door. Any Node from 20 on, with its npm, is enough to enter: the Node the project runs on is installed with
# its packages, and npm puts it first on the path of whatever it runs. PORT, DATA_DIR and DATABASE_URL pass through.
.DEFAULT_GOAL := help
.PHONY: help run mock portal client sbom test check generate schema contract contract-full release-contract bench faults format ci clean

export REDOCLY_SUPPRESS_UPDATE_NOTICE := true
export npm_config_update_notifier := false
export npm_config_fund := false
export npm_config_audit := false

# Passed on as they are: `make test ARGS=test/http`.
ARGS ?=

INSTALLED := node_modules/.installed
# A server shows the portal as it finds it: it is built before, when what it is made from has changed.
PORTAL := dist/portal/index.html

help: ## this list
	@awk 'BEGIN { FS = ":.*## " } /^[a-z][a-z-]*:.*## / { printf "make %-16s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

run: $(INSTALLED) $(PORTAL) ## serve the API on PORT (8080), with a demo world when the store is empty
	@exec npm run -s flightdata -- serve --demo $(ARGS)

# What Node makes of the sources is kept: from the second time on it listens after half of the processor time.
mock: export NODE_COMPILE_CACHE ?= $(CURDIR)/node_modules/.cache/node
mock: $(INSTALLED) ## serve the examples of the documents on PORT (4010): no store, any key, failures on request
	@exec npm run -s flightdata -- mock $(ARGS)

portal: $(INSTALLED) ## build the portal, dist/portal, which `make run` serves at /docs/
	@npm exec -c "node src/portal/build-portal.ts"

client: $(INSTALLED) ## build the client, dist/client, a package of its own
	@npm exec -c "node src/contract/build-client.ts"

sbom: $(INSTALLED) ## list the packages that a service runs on, dist/sbom.cdx.json (CycloneDX)
	@npm exec -c "node src/contract/build-sbom.ts"

test: $(INSTALLED) ## every test, on an embedded PostgreSQL or on DATABASE_URL
	@npm run -s test -- $(ARGS)

check: $(INSTALLED) ## format, lint, types, floors, spec, generated code, changes, dead code: all that can be told without running it
	@npm run -s check

generate: $(INSTALLED) ## write generated/ from spec/
	@npm run -s generate

schema: $(INSTALLED) ## write src/store/schema/schema.sql, the schema that the migrations make
	@npm exec -c "node test/support/write-schema.ts"

contract: $(INSTALLED) ## the tests of the contract alone; in the end, what is declared and what was seen of it
	@npm run -s test -- test/contract $(ARGS)

contract-full: export FUZZ_REQUESTS ?= 10000
contract-full: export FUZZ_SEED ?= $(shell date +%s)
contract-full: $(INSTALLED) ## the same with 10,000 questions an operation, by chance; FUZZ_SEED asks those of another run again
	@npm run -s test -- test/contract $(ARGS)

release-contract: $(INSTALLED) ## make the documents as they are the published ones; refused when that breaks a version
	@npm exec -c "node src/contract/changes.ts --release"

bench: $(INSTALLED) ## measure it all, or the parts that ARGS names: BENCH_FLIGHTS_PER_DAY=100000 BENCH_DAYS=30 for the whole
	@npm exec -c "node test/bench/run.ts $(ARGS)"

faults: $(INSTALLED) ## the tests of faults in full length, then their figures and bounds in one table; takes an hour
	@npm exec -c "node test/support/run-faults.ts $(ARGS)"

format: $(INSTALLED) ## write the sources in the one format
	@npm exec -c oxfmt

ci: ## what has to pass before a change is taken
	@.ci/run

clean: ## remove what can be built again; data and packages stay
	rm -rf dist build coverage

# A second `make` waits for the first to install, then finds the work done; where there is no flock, nothing waits.
# Packages that are already there are brought up to date in place: `npm ci` would take them away from a running server.
$(INSTALLED): package-lock.json
	@command -v npm >/dev/null 2>&1 || { echo 'npm was not found: install Node.js 20 or newer (https://nodejs.org), which brings npm' >&2; exit 1; }
	@node -e 'if (Number(process.versions.node.split(".")[0]) < 20) { console.error("Node.js 20 or newer is needed, this is " + process.version); process.exit(1) }'
	@mkdir -p build
	@if command -v flock >/dev/null 2>&1; then exec 9>build/install.lock; flock 9; fi; \
	if [ ! -e $@ ] || [ package-lock.json -nt $@ ]; then \
	  echo 'installing packages' >&2; \
	  if [ -d node_modules ]; then set -- install --no-save; else set -- ci; fi; \
	  npm "$$@" --ignore-scripts --loglevel=error >&2 && touch $@; \
	fi

$(PORTAL): $(INSTALLED) $(shell find spec docs/guides generated src/portal -name '*.md' -o -name '*.yaml' -o -path '*portal/*' -type f -o -name order.txt)
	@npm exec -c "node src/portal/build-portal.ts" >&2

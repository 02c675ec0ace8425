# GNU make 3.81 (macOS) and later. Needs Node's npm or Bun; everything else is installed into node_modules.

BUN := node_modules/.bin/bun
TOOL := $(BUN) run --bun
INSTALLED := node_modules/.installed
# --splitting: what a command does not need is not loaded when it starts.
# Not --minify: it renames functions in stack traces in spite of --keep-names (Bun 1.4.5), for 25 KB of 111 MB.
MINIFY := --minify-whitespace --minify-syntax --keep-names
# Where the executable is written. It has its source maps in it: those that Bun writes beside it are not kept.
OUT := dist
# Version by the tags, commit and its day, which the executable tells; with a mark where files differ from the commit.
VERSION = $(shell sh deploy/release/version.sh)
COMMIT_DATE = $(shell git log -1 --format=%cs 2>/dev/null)
COMMIT_SECONDS = $(shell git log -1 --format=%ct 2>/dev/null || echo 0)
COMMIT = $(shell git describe --always --dirty --abbrev=12 --exclude='*' 2>/dev/null || echo unknown)

# Another kind of machine to build for, with Bun's runtime for it (TARGET=bun-linux-arm64 RUNTIME=path).
COMPILE_FOR = $(if $(TARGET),--target=$(TARGET) --compile-executable-path="$(RUNTIME)")

.DEFAULT_GOAL := help
.PHONY: help serve test check build release try-install bench compare specification pictures fmt migrations clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' Makefile

serve: $(INSTALLED) ## run the server on ./data, at CHATD_PORT (8080)
	@exec $(BUN) run cli/main.ts serve --data ./data

test: $(INSTALLED) ## run the whole suite on SQLite and on PostgreSQL (ARGS="--engine sqlite messages" for a part of it)
	@exec $(BUN) --no-orphans run test/run.ts $(ARGS)

check: $(INSTALLED) ## types, lint and tidy, in seconds
	$(TOOL) tsc --noEmit
	$(TOOL) biome check --diagnostic-level=warn
	$(BUN) test --only-failures ./test/tidy.test.ts

build: $(INSTALLED) ## write the executable dist/chatd
	@rm -rf "$(OUT)/building"
	$(BUN) run src/web-page/write-bundle.ts "$(OUT)/web"
	$(BUN) build cli/main.ts src/messages/rendering/render-worker.ts --outfile "$(OUT)/building/chatd" --compile $(COMPILE_FOR) --splitting --bytecode --format=esm --sourcemap=linked $(MINIFY) \
	  --define 'process.env.NODE_ENV="production"' --define 'builtVersion="$(VERSION)"' --define 'builtFromCommit="$(COMMIT)"' --define 'builtCommitDate="$(COMMIT_DATE)"' \
	  --no-compile-autoload-dotenv --no-compile-autoload-bunfig \
	  --compile-exec-argv=--max-http-header-size=196608 --asset=db/migrations --asset=src/http/assets --asset=src/web/look --asset="$(OUT)/web"
	@mv "$(OUT)/building/chatd" "$(OUT)/chatd" && rm -rf "$(OUT)/building"

release: $(INSTALLED) ## write the files of a release into dist/release (TARGETS="linux-x64 linux-arm64" for some of them)
	@exec $(BUN) run deploy/release/make-release.ts "$(OUT)/release" "$(VERSION)" "$(COMMIT_SECONDS)" $(TARGETS)

try-install: $(INSTALLED) ## in a bare Debian (as root): package, unit, https, proxies, upgrade and back, restore, doctor, image
	$(MAKE) release TARGETS=linux-x64
	$(BUN) run test/support/processes/release-later.ts "$(OUT)/later"
	deploy/release/try-install.sh "$(OUT)/release" "$(OUT)/later/dist/release"

bench: build ## measure sending, delivery, idle and start against the floor; appends to test/bench/history.jsonl
	@exec $(BUN) --no-orphans run test/bench/main.ts $(ARGS)

compare: build ## measure dist/chatd beside another executable, in pairs (WITH=path ARGS="--only send1,mixed --pairs 9")
	@exec $(BUN) --no-orphans run test/bench/compare.ts --with "$(WITH)" $(ARGS)

specification: $(INSTALLED) ## print each row of docs/protocol/specification.md with the test that shows it
	@exec $(BUN) run test/support/api/specification/print.ts

pictures: $(INSTALLED) ## write pictures of every view of the web client into dist/pictures: light, dark, right to left, phone
	@exec $(BUN) test ./test/web/pictures.ts

fmt: $(INSTALLED) ## format, and fix what lint can fix
	$(TOOL) biome check --write

migrations: $(INSTALLED) ## write the migrations from db/schema to both engines (NAME=what-changes)
	@test -n "$(NAME)" || { echo 'Say what changes: make migrations NAME=add-drafts' >&2; exit 2; }
	$(TOOL) drizzle-kit generate --dialect sqlite --schema db/schema/sqlite.ts --out db/migrations/sqlite --name $(NAME)
	$(TOOL) drizzle-kit generate --dialect postgresql --schema db/schema/postgres.ts --out db/migrations/postgres --name $(NAME)
	@$(BUN) -e 'import { writeWholeSchema } from "./db/migrate"; writeWholeSchema("db/migrations/sqlite")'

clean: ## remove what was installed and built (not ./data)
	rm -rf node_modules dist .cache

$(INSTALLED): package.json package-lock.json
	@if command -v npm >/dev/null 2>&1; then \
	  npm ci --no-audit --no-fund --loglevel=error; \
	elif command -v bun >/dev/null 2>&1; then \
	  bun install --frozen-lockfile; \
	else \
	  echo 'Install Node.js (https://nodejs.org) or Bun (https://bun.sh) first.' >&2; exit 1; \
	fi
	@touch $@

# The commands of the project. `make ingest` and `make test` are all that a newcomer needs; `make test-fast` is for the time between two edits.

SWIFT ?= swift
RECORDS ?= 200000
SEED ?= 1
# Where the generated feed and its database go.
OUT ?= .build/ingest
SLUICE = $$($(SWIFT) build -c release --show-bin-path)/sluice

# The traits of the package (README, Installation): the tool needs no macro, so it is built without swift-syntax; tests need all.
TOOL_TRAITS = --traits CommandLine,Compression
ALL_TRAITS = --enable-all-traits

# Random texts that test-scan and test-arm scan besides those that are always the same.
ROUNDS ?= 20000

.PHONY: all deps deps-net deps-postgres build test test-macros test-fast planted-faults test-messages test-arrow test-asan test-any-yajl check-darwin test-tsan test-python spark-test test-postgres test-scan test-arm test-floats fuzz adoption compile-time test-core linear memory histories children lint format ingest ingest-postgres ingest-postgres-demo bench examples docs clean check-traits trust coverage wheel test-postgres-servers

all: build

# Installs what is missing: yajl for the parser, SQLite for the tool, libpq for PostgreSQL. Homebrew on macOS, apt-get (as root or through sudo) elsewhere.
deps:
	@Scripts/install-dependencies

# Besides that, what test-arm and linear need.
deps-net:
	@Scripts/install-dependencies net

# Besides that, the server that test-postgres needs.
deps-postgres:
	@Scripts/install-dependencies postgres

build: deps
	$(SWIFT) build $(ALL_TRAITS)

# The tests of the macro link it, and SwiftPM builds what is linked to a macro for the host. So they are built on their own: the other
# tests share their objects with the tool, which some of them run.
TEST_BUILD ?= -debug-info-format none
test: deps
	SLUICE_TESTS=-SluiceMacrosTests SLUICE_OPTIMIZED=1 $(SWIFT) build --product sluicePackageTests $(ALL_TRAITS) $(TEST_BUILD)
	SLUICE_TESTS=-SluiceMacrosTests SLUICE_OPTIMIZED=1 $(SWIFT) build --product sluice $(ALL_TRAITS) $(TEST_BUILD)
	SLUICE_TESTS=-SluiceMacrosTests SLUICE_OPTIMIZED=1 Scripts/run-tests --skip-build $(ALL_TRAITS) $(TEST_BUILD)
	@$(MAKE) --no-print-directory test-macros

# The macro's own tests. With SLUICE_RECORD=1 they write the recorded expansions anew (Tests/Fixtures/expansions) instead of comparing.
test-macros: deps
	SLUICE_TESTS=SluiceMacrosTests SLUICE_OPTIMIZED=1 $(SWIFT) build --product sluicePackageTests $(ALL_TRAITS) $(TEST_BUILD)
	SLUICE_TESTS=SluiceMacrosTests SLUICE_OPTIMIZED=1 Scripts/run-tests --skip-build $(ALL_TRAITS) $(TEST_BUILD)

# All tests but those that use the macro or are its own: nothing of swift-syntax is fetched or built. It has a folder of its own, so that
# `make test` and it do not undo each other's builds. FAST_TESTS=SluiceFeedTests builds those alone, FILTER='--filter SplitTests' runs some.
FAST_TESTS ?= -SluiceMacrosTests,-SluiceTests,-SluiceAdoptionTests
FAST_BUILD = $(TOOL_TRAITS) $(TEST_BUILD) --scratch-path .build/fast
FILTER ?=
test-fast: deps
	SLUICE_TESTS=$(FAST_TESTS) SLUICE_OPTIMIZED=1 $(SWIFT) build --product sluicePackageTests $(FAST_BUILD)
	SLUICE_TESTS=$(FAST_TESTS) SLUICE_OPTIMIZED=1 $(SWIFT) build --product sluice $(FAST_BUILD)
	SLUICE_TESTS=$(FAST_TESTS) SLUICE_OPTIMIZED=1 Scripts/run-tests --skip-build $(FAST_BUILD) $(FILTER)

# What stores rows in PostgreSQL, against a private server. Skipped, visibly, where PostgreSQL is not installed (`make deps-postgres`).
# It shares the build of `make test`. SLUICE_HISTORIES=300 plays 300 histories of killed clients and servers.
test-postgres: deps
	SLUICE_TESTS=-SluiceMacrosTests SLUICE_OPTIMIZED=1 $(SWIFT) build --product sluicePackageTests $(ALL_TRAITS) $(TEST_BUILD)
	SLUICE_TESTS=-SluiceMacrosTests SLUICE_OPTIMIZED=1 Scripts/with-postgres Scripts/run-tests --skip-build $(ALL_TRAITS) $(TEST_BUILD) \
	    --filter SluicePostgresTests || [ $$? -eq 77 ]

# What only servers of their own show: passwords, TLS, a standby that takes over, a full disk. With the tool as it is released.
test-postgres-servers: deps
	@Scripts/test-postgres-servers

# Whether the tests find twenty faults that this plants in a copy of the package (TESTPLAN.md); FAULTS='P3 P12' takes these.
FAULTS ?=
planted-faults: deps
	@Scripts/planted-faults $(FAULTS)

# What the compiler says about common mistakes in models; after `make test`, whose products it uses.
test-messages:
	@Scripts/check-messages

# What `sluice convert --to arrow` writes, read by pyarrow; after `make test`. Skipped, visibly, without pyarrow.
test-arrow:
	@Scripts/check-arrow

# Counts instructions for many shapes of input at n, 2n and 4n, and fails where they grow faster than the input. SHAPES=4 takes
# every fourth shape, SHAPES='"blanks"' that one.
linear: deps
	@Scripts/linear-time $(SHAPES)

# Reads generated feeds with two workers, $(MEGABYTES) of text each, and fails where that takes 64 MiB of memory or more.
MEGABYTES ?= 1000
memory: deps
	@Scripts/feed-memory $(MEGABYTES)

# Plays $(N) histories of the tool from the seed $(SEED) on: runs that overlap, are stopped and killed while their inputs change, and losses
# of power. `make histories N=1 SEED=57` plays that one again. DATABASE=postgres plays them with a server, which is killed now and then.
N ?= 100
DATABASE ?= sqlite
histories: deps
	@TRAITS="$(TOOL_TRAITS)" Scripts/histories $(N) $(SEED) $(DATABASE)

# Compares the child tables of $(FEEDS) random nested feeds with Python's, from the seed $(SEED) on; each is also read by runs that are killed.
FEEDS ?= 50
children: deps
	$(SWIFT) build -c release --product sluice $(TOOL_TRAITS)
	@SLUICE=$(SLUICE) Scripts/children $(FEEDS) $(SEED)

# The Core alone: nothing but yajl is resolved or built.
test-core: deps
	SLUICE_OPTIMIZED=1 $(SWIFT) test --disable-default-traits --scratch-path .build/core --filter SluiceCoreTests

# The tests of the Core and of feeds under AddressSanitizer and LeakSanitizer, with damaged input in full. XCTest, which no test
# uses, leaks by itself. Optimised, for the damaged input in full takes hours otherwise; DAMAGE= takes a sample of it, for which a debug
# build (ASAN_BUILD=) is ready sooner. ASAN_TESTS names other tests.
DAMAGE ?= full
ASAN_TESTS ?= SluiceCoreTests|SluiceFeedTests|KeyNameLeakTests
ASAN_BUILD ?= -c release -Xswiftc -enable-testing
test-asan: deps
	SLUICE_DAMAGE=$(DAMAGE) $(SWIFT) test $(ASAN_BUILD) --sanitize address --scratch-path .build/asan --disable-default-traits --disable-xctest --filter '$(ASAN_TESTS)'

# The tests of the Core and of feeds, and three fuzzers, with yajl 2.1.0 as its authors released it, also under AddressSanitizer. Skipped,
# visibly, where the source package cannot be fetched; SURE=SURE makes that an error.
SURE ?=
VERDICTS ?= 200000
test-any-yajl: deps
	@VERDICTS=$(VERDICTS) ASAN_BUILD='$(ASAN_BUILD)' ASAN_TESTS='$(ASAN_TESTS)' SLUICE_DAMAGE=$(DAMAGE) SECONDS_EACH=$(SECONDS) Scripts/test-any-yajl $(SURE)

# What threads may do at once, under ThreadSanitizer.
test-tsan: deps
	@Scripts/test-tsan

# The Python package, in a virtual environment of its own, and the data source for Spark. Skipped, visibly, where Python's packages
# cannot be installed, or where there is no Java. With the traits of the tool, so that nothing is built twice.
test-python: deps
	@TRAITS="$(TOOL_TRAITS)" Scripts/test-python

spark-test: deps
	@TRAITS="$(TOOL_TRAITS)" Scripts/test-python spark

# A wheel of the Python package with the library inside, in .build/wheels.
wheel: deps
	@Scripts/build-wheel

# Damaged and awkward feeds, loaded by Sluice, DuckDB, Polars, pyarrow, sqlite-utils, jq, ClickHouse, dlt and Spark: who is right, and who
# is wrong without a word. Writes the tables of the article "Whom to trust" and the summary of the README.
trust: deps
	@Benchmarks/trust/run

# Which lines of each target the tests run, in a build of its own; fails below what Tests/COVERAGE.md promises. COVERAGE=--files lists the
# lines that are not run.
COVERAGE ?=
coverage: deps
	@Scripts/coverage $(COVERAGE)

# Whether four modules compile for macOS on Apple Silicon, without a Mac. Skipped, visibly, where the parts for that cannot be had.
check-darwin: deps
	@Scripts/check-darwin

# Whether a package outside of the repository builds SluiceIngest and a sink of its own with `traits: []`, without GRDB.
check-traits: deps
	@Scripts/check-traits

# The C scanner against its plain reference, under AddressSanitizer and UndefinedBehaviorSanitizer; and the same for ARM.
test-scan:
	@ROUNDS=$(ROUNDS) Scripts/check-scan native

test-arm:
	@ROUNDS=$(ROUNDS) Scripts/check-scan arm

# What numbers are written as, against the C library and Swift's own digits: every Float and 10^9 doubles, in 25 minutes of processor
# time. FLOATS='1000 1000000' takes every thousandth part of the floats and a million doubles.
FLOATS ?=
test-floats:
	@Scripts/check-floats $(FLOATS)

# Each fuzzer for this many seconds; FUZZERS names some of them, such as `make fuzz SECONDS=600 FUZZERS="model feed"`.
SECONDS ?= 60
FUZZERS ?=
fuzz: deps
	@Scripts/fuzz $(SECONDS) $(FUZZERS)

# 200 Codable models as an app has them, read and written by Foundation's coders, by Sluice's, and after the search-and-replace of the
# article as models with tables: all three have to agree.
MODELS ?= 200
adoption: deps
	@Scripts/adoption $(MODELS)

# What a struct costs to compile: plain, with Codable, and with @JSONModel. After `make build`, whose products it uses.
compile-time:
	@Scripts/compile-time $(MODELS)

# Style, the layers of the Core, whether each planted fault still has its place, and what a package with `traits: []` resolves.
lint:
	@Scripts/check-layers
	@Scripts/planted-faults --check
	@Scripts/check-traits resolve
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources Examples/Package.swift Examples/Sources Fuzz/Package.swift Fuzz/Sources/Harness

format:
	$(SWIFT) format --in-place --parallel --recursive Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources Examples/Package.swift Examples/Sources Fuzz/Package.swift Fuzz/Sources/Harness

# The main job: a generated feed of $(RECORDS) records into SQLite, ending with a report. The feed has flaws: a key that comes late
# gets its column, a record that is cut off goes to the table `rejected`, and the second half is read by a run that goes on where
# the first one ended. Exit code 2 says that a record was rejected.
ingest: deps
	$(SWIFT) build -c release --product sluice $(TOOL_TRAITS)
	@mkdir -p $(OUT)
	$(SLUICE) generate --records $(RECORDS) --seed $(SEED) --flaws $(OUT)/events.ndjson
	$(SLUICE) ingest --verbose --drop --child payload.commits --rejects rejected --limit $$(($(RECORDS) / 2)) $(OUT)/events.ndjson $(OUT)/events.db
	$(SLUICE) ingest --verbose --child payload.commits --rejects rejected $(OUT)/events.ndjson $(OUT)/events.db || [ $$? -eq 2 ]

# The same with PostgreSQL: a server of its own takes the feed, and is gone afterwards. Skipped, visibly, where PostgreSQL is not installed
# (`make deps-postgres`). The tool has one trait more here, so it is built in a folder of its own.
POSTGRES_TOOL = -c release --traits CommandLine,Compression,PostgreSQL --scratch-path .build/postgres-tool
POSTGRES_SLUICE = $$($(SWIFT) build $(POSTGRES_TOOL) --show-bin-path)/sluice
ingest-postgres: deps
	@Scripts/with-postgres $(MAKE) --no-print-directory ingest-postgres-demo || [ $$? -eq 77 ]

# What with-postgres runs for it. SLUICE_POSTGRES is the server's URL.
ingest-postgres-demo:
	$(SWIFT) build --product sluice $(POSTGRES_TOOL)
	@mkdir -p $(OUT)
	$(POSTGRES_SLUICE) generate --records $(RECORDS) --seed $(SEED) --flaws $(OUT)/events.ndjson
	$(POSTGRES_SLUICE) ingest --verbose --table events --rejects rejected --limit $$(($(RECORDS) / 2)) $(OUT)/events.ndjson "$$SLUICE_POSTGRES"
	$(POSTGRES_SLUICE) ingest --verbose --table events --rejects rejected $(OUT)/events.ndjson "$$SLUICE_POSTGRES" || [ $$? -eq 2 ]
	psql -X -c 'SELECT count(*) FROM events' -c 'SELECT line, error_type FROM rejected'

# All lanes beside all peers that are installed; BENCH='--full --publish' writes the tables that the README shows.
BENCH ?= --full
bench: deps
	$(SWIFT) run -c release --package-path Benchmarks benchmark $(BENCH)
	Benchmarks/ingest $(if $(findstring --publish,$(BENCH)),--publish)
	Benchmarks/postgres $(if $(findstring --publish,$(BENCH)),--publish)
	Benchmarks/tool $(if $(findstring --publish,$(BENCH)),--publish)

# The programs of Examples: builds them, and runs each on loopback.
EXAMPLE_RECORDS ?= 100000
examples: deps
	@Scripts/run-examples $(EXAMPLE_RECORDS)

# The documentation as a website, in $(DOCUMENTATION). A warning is an error.
DOCUMENTATION ?= .build/documentation
DOCUMENTED = Sluice SluiceCore SluiceFeed SluiceCompression SluiceCodable SluiceArrow
docs: deps
	@mkdir -p $(DOCUMENTATION)
	SLUICE_DOCUMENTATION=1 $(SWIFT) package --allow-writing-to-directory $(DOCUMENTATION) generate-documentation \
	    $(DOCUMENTED:%=--target %) --enable-experimental-combined-documentation --warnings-as-errors \
	    --transform-for-static-hosting --hosting-base-path sluice --output-path $(DOCUMENTATION)

clean:
	rm -rf .build Benchmarks/.build Examples/.build Fuzz/.build

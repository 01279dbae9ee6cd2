# The commands of the project. `make ingest` and `make test` are all that a newcomer needs; `make test-fast` is for the time between two edits.

SWIFT ?= swift
RECORDS ?= 200000
SEED ?= 1
# Where the generated feed and its database go.
OUT ?= .build/ingest

# The traits of the package (README, Installation). The tool needs no macro, so it is built without swift-syntax. The tests need all traits.
# TOOL_SCRATCH names another folder than .build for the release build, so that it and the tests can be built at once.
export TRAITS ?= CommandLine,Compression,PostgreSQL
ALL_TRAITS = --enable-all-traits
# SwiftPM hands the traits to the compiler in the order of a set. Where that order differs from run to run, each build compiles everything anew.
BUILD = SWIFT_DETERMINISTIC_HASHING=1 $(SWIFT) build
TOOL_BUILD = -c release --traits $(TRAITS) $(TOOL_SCRATCH:%=--scratch-path %)
SLUICE = $$($(SWIFT) build $(TOOL_BUILD) --show-bin-path)/sluice

# Random texts that test-scan and test-arm scan besides those that are always the same.
ROUNDS ?= 20000

.PHONY: all deps deps-net deps-postgres build build-tests test test-macros test-fast planted-faults test-messages check-benchmarks test-arrow test-asan test-any-yajl check-darwin test-tsan test-python spark-test test-postgres test-scan test-arm test-floats fuzz adoption compile-time test-core linear memory histories children divisions lint api test-api format ingest ingest-postgres ingest-postgres-demo bench examples static docs clean check-traits trust coverage wheel test-postgres-servers

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
	$(BUILD) $(ALL_TRAITS)

# The tests of the macro link it, and SwiftPM builds everything that is linked to a macro for the host. So they are built separately: the
# other tests share their objects with the tool, which some of them run. The tests of PostgreSQL get a server of their own; where there is none
# (`make deps-postgres` installs it), they are skipped, visibly.
TEST_BUILD ?= -debug-info-format none
TESTS = SLUICE_TESTS=-SluiceMacrosTests SLUICE_OPTIMIZED=1
test: build-tests
	$(TESTS) Scripts/with-postgres --optional --no-fsync Scripts/run-tests --skip-build $(ALL_TRAITS) $(TEST_BUILD)
	@$(MAKE) --no-print-directory test-macros

build-tests: deps
	$(TESTS) $(BUILD) --product sluicePackageTests $(ALL_TRAITS) $(TEST_BUILD)
	$(TESTS) $(BUILD) --product sluice $(ALL_TRAITS) $(TEST_BUILD)

# The macro's own tests. With SLUICE_RECORD=1 they write the recorded expansions anew (Tests/Fixtures/expansions) instead of comparing.
test-macros: deps
	SLUICE_TESTS=SluiceMacrosTests SLUICE_OPTIMIZED=1 $(BUILD) --product sluicePackageTests $(ALL_TRAITS) $(TEST_BUILD)
	SLUICE_TESTS=SluiceMacrosTests SLUICE_OPTIMIZED=1 Scripts/run-tests --skip-build $(ALL_TRAITS) $(TEST_BUILD)

# All tests except those that use the macro or test it. So swift-syntax is not fetched or built. The build has its own folder, so it and
# `make test` do not undo each other's work. FAST_TESTS=SluiceFeedTests builds only these tests, FILTER='--filter SplitTests' runs only some.
FAST_TESTS ?= -SluiceMacrosTests,-SluiceTests,-SluiceAdoptionTests
FAST_BUILD = --traits $(TRAITS) $(TEST_BUILD) --scratch-path .build/fast
FILTER ?=
test-fast: deps
	SLUICE_TESTS=$(FAST_TESTS) SLUICE_OPTIMIZED=1 $(BUILD) --product sluicePackageTests $(FAST_BUILD)
	SLUICE_TESTS=$(FAST_TESTS) SLUICE_OPTIMIZED=1 $(BUILD) --product sluice $(FAST_BUILD)
	SLUICE_TESTS=$(FAST_TESTS) SLUICE_OPTIMIZED=1 Scripts/run-tests --skip-build $(FAST_BUILD) $(FILTER)

# The tests of the PostgreSQL sink alone. They share the build of `make test`. SLUICE_HISTORIES=300 plays 300 histories of killed clients
# and servers.
test-postgres: deps
	$(TESTS) $(BUILD) --product sluicePackageTests $(ALL_TRAITS) $(TEST_BUILD)
	$(TESTS) Scripts/with-postgres --optional --no-fsync Scripts/run-tests --skip-build $(ALL_TRAITS) $(TEST_BUILD) --filter SluicePostgresTests

# Tests that need special servers: passwords, TLS, a standby that takes over, a full disk. They use the tool as it is released.
test-postgres-servers: deps
	@Scripts/test-postgres-servers

# Puts faults into a copy of the package and checks that the tests find them (TESTPLAN.md); FAULTS='P3 P12' chooses some.
FAULTS ?=
planted-faults: deps
	@Scripts/planted-faults $(FAULTS)

# What the compiler says about common mistakes in models; after `make test`, whose products it uses.
test-messages:
	@Scripts/check-messages

# Whether the Swift sources of the benchmarks still compile against the libraries; after `make test`, whose products it uses.
check-benchmarks:
	@Scripts/check-benchmarks

# What `sluice convert --to arrow` writes, read by pyarrow; after `make test`. Skipped, visibly, without pyarrow.
test-arrow:
	@Scripts/check-arrow

# Counts instructions for many shapes of input at n, 2n and 4n, and fails if they grow faster than the input. SHAPES=4 takes every fourth
# shape, SHAPES='"blanks"' only that shape.
linear: deps
	@Scripts/linear-time $(SHAPES)

# Reads generated feeds with two workers, $(MEGABYTES) of text each, and fails where that takes 64 MiB of memory or more.
MEGABYTES ?= 1000
memory: deps
	@Scripts/feed-memory $(MEGABYTES)

# Plays $(N) histories of the tool, beginning with the seed $(SEED): runs overlap, are stopped and killed while their inputs change, and lose
# power. `make histories N=1 SEED=57` plays history 57 again. DATABASE=postgres plays them with a server, which is killed now and then.
N ?= 100
DATABASE ?= sqlite
histories: deps
	@Scripts/histories $(N) $(SEED) $(DATABASE)

# Compares the child tables of $(FEEDS) random nested feeds with Python's, from the seed $(SEED) on; each is also read by runs that are killed.
FEEDS ?= 50
children: deps
	@SLUICE=$$(Scripts/release sluice) && export SLUICE && Scripts/children $(FEEDS) $(SEED)

# Loads $(N) random feeds in one command and in several, from the seed $(SEED) on, and compares what is stored. DATABASE=postgres does it there.
divisions: deps
	@Scripts/divisions $(N) $(SEED) $(DATABASE)

# The Core alone: nothing but yajl is resolved or built.
CORE_BUILD = --disable-default-traits --scratch-path .build/core
test-core: deps
	SLUICE_TESTS=SluiceCoreTests SLUICE_OPTIMIZED=1 $(SWIFT) build --product sluicePackageTests $(CORE_BUILD)
	SLUICE_TESTS=SluiceCoreTests SLUICE_OPTIMIZED=1 $(SWIFT) test --skip-build $(CORE_BUILD) --filter SluiceCoreTests

# The tests of the Core and of feeds under AddressSanitizer and LeakSanitizer, with all damaged inputs. XCTest, which no test uses, leaks
# memory itself; the file of suppressions names what else is reported and is no leak. The build is optimised, because all damaged inputs take
# hours otherwise. DAMAGE= takes a sample of them, for which a debug build (ASAN_BUILD=) is ready sooner. ASAN_TESTS names other tests of
# the targets in ASAN_TARGETS.
DAMAGE ?= full
ASAN_TESTS ?= SluiceCoreTests|SluiceFeedTests|KeyNameLeakTests
ASAN_TARGETS ?= SluiceCoreTests,SluiceFeedTests,SluiceCodableTests
ASAN_BUILD ?= -c release -Xswiftc -enable-testing
ASAN = --sanitize address --scratch-path .build/asan --disable-default-traits
test-asan test-any-yajl: export LSAN_OPTIONS = suppressions=$(CURDIR)/Tests/LeakChecks/suppressions.txt
test-asan: deps
	SLUICE_TESTS=$(ASAN_TARGETS) $(SWIFT) build --product sluicePackageTests $(ASAN_BUILD) $(ASAN)
	SLUICE_TESTS=$(ASAN_TARGETS) SLUICE_DAMAGE=$(DAMAGE) $(SWIFT) test --skip-build $(ASAN_BUILD) $(ASAN) --disable-xctest --filter '$(ASAN_TESTS)'

# The tests of the Core and of feeds, and three fuzzers, with yajl 2.1.0 as its authors released it, also under AddressSanitizer. Skipped,
# visibly, where the source package cannot be fetched; SURE=SURE makes that an error. YAJL=FOLDER takes the library in this folder instead.
SURE ?=
export YAJL
VERDICTS ?= 200000
test-any-yajl: deps
	@VERDICTS=$(VERDICTS) ASAN_BUILD='$(ASAN_BUILD)' ASAN_TESTS='$(ASAN_TESTS)' SLUICE_TESTS=$(ASAN_TARGETS) SLUICE_DAMAGE=$(DAMAGE) SECONDS_EACH=$(SECONDS) Scripts/test-any-yajl $(SURE)

# What threads may do at once, under ThreadSanitizer.
test-tsan: deps
	@Scripts/test-tsan

# The Python package, in a virtual environment of its own, and the data source for Spark. Skipped, visibly, where Python's packages
# cannot be installed, or where there is no Java.
test-python: deps
	@Scripts/test-python

spark-test: deps
	@Scripts/test-python spark

# A wheel of the Python package with the library inside, in .build/wheels.
wheel: deps
	@Scripts/build-wheel

# Damaged and awkward feeds, loaded by Sluice, DuckDB, Polars, pyarrow, sqlite-utils, jq, ClickHouse, dlt and Spark. It finds out which tool
# stores the right rows, and which stores wrong rows without a message. Writes the tables of the article "Whom to trust" and the summary of
# the README; TRUST='--results FILE' writes only that file.
TRUST ?=
trust: deps
	@Benchmarks/trust/run $(TRUST)

# Which lines of each target the tests run, in a build of its own; fails below what Tests/COVERAGE.md promises. COVERAGE=--files lists the
# lines that are not run.
COVERAGE ?=
coverage: deps
	@Scripts/coverage $(COVERAGE)

# Checks that four modules compile for macOS on Apple Silicon, without a Mac. It is skipped, visibly, if the parts for that are not
# available.
check-darwin: deps
	@Scripts/check-darwin

# Checks that a package outside of the repository builds SluiceIngest and its own sink with `traits: []`, without GRDB. Also checks that
# SwiftPM resolves the packages that the README and "Getting started" show.
check-traits: deps
	@Scripts/check-traits
	@Scripts/check-manifests

# The C scanner against its plain reference, under AddressSanitizer and UndefinedBehaviorSanitizer; and the same for ARM.
test-scan:
	@ROUNDS=$(ROUNDS) Scripts/check-scan native

test-arm:
	@ROUNDS=$(ROUNDS) Scripts/check-scan arm

# Compares the text of written numbers with the C library's and Swift's own: every Float and 10^9 doubles, in 25 minutes of processor time.
# FLOATS='1000 1000000' takes every thousandth part of the floats and a million doubles.
FLOATS ?=
test-floats:
	@Scripts/check-floats $(FLOATS)

# Each fuzzer for this many seconds; FUZZERS names some of them, such as `make fuzz SECONDS=600 FUZZERS="model feed"`.
SECONDS ?= 60
FUZZERS ?=
fuzz: deps
	@Scripts/fuzz $(SECONDS) $(FUZZERS)

# 200 Codable models, as an app has them. They are read and written by Foundation's coders, by Sluice's coders, and as models with tables
# after the article's search-and-replace. All three must agree.
MODELS ?= 200
adoption: deps
	@Scripts/adoption $(MODELS)

# What a struct costs to compile: plain, with Codable, and with @JSONModel. After `make build`, whose products it uses.
compile-time:
	@Scripts/compile-time $(MODELS)

# Checks style, the layers of the Core, and the public interface (API). Also checks that each planted fault still has its place, which
# packages `traits: []` resolves, and that SwiftPM can read the packages in the documentation.
lint:
	@Scripts/check-layers
	@Scripts/api-digest
	@Scripts/planted-faults --check
	@Scripts/check-traits resolve
	@Scripts/check-manifests read
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources Examples/Package.swift Examples/Sources Fuzz/Package.swift Fuzz/Sources/Harness

# Writes the files in API anew: one line for each public declaration.
api: deps
	@Scripts/api-digest --write

# Checks that lint finds changes of the public interface, in a copy of the package.
test-api:
	@Scripts/check-api-digest

format:
	$(SWIFT) format --in-place --parallel --recursive Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources Examples/Package.swift Examples/Sources Fuzz/Package.swift Fuzz/Sources/Harness

# The main job: a generated feed of $(RECORDS) records goes into SQLite, with a report at the end. The feed has flaws. A key that comes late
# gets its column. A record that is cut off goes to the table `rejected`. The second half is read by a run that resumes where the first one
# ended. Exit code 2 says that a record was rejected.
ingest: deps
	$(BUILD) --product sluice $(TOOL_BUILD)
	@mkdir -p $(OUT)
	$(SLUICE) generate --records $(RECORDS) --seed $(SEED) --flaws $(OUT)/events.ndjson
	$(SLUICE) ingest --verbose --drop --child payload.commits --rejects rejected --limit $$(($(RECORDS) / 2)) $(OUT)/events.ndjson $(OUT)/events.db
	$(SLUICE) ingest --verbose --child payload.commits --rejects rejected $(OUT)/events.ndjson $(OUT)/events.db || [ $$? -eq 2 ]

# The same with PostgreSQL: a temporary server takes the feed. Skipped, visibly, if PostgreSQL is not installed (`make deps-postgres`).
ingest-postgres: deps
	@Scripts/with-postgres $(MAKE) --no-print-directory ingest-postgres-demo || [ $$? -eq 77 ]

# The command that with-postgres runs. SLUICE_POSTGRES is the server's URL.
ingest-postgres-demo:
	$(BUILD) --product sluice $(TOOL_BUILD)
	@mkdir -p $(OUT)
	$(SLUICE) generate --records $(RECORDS) --seed $(SEED) --flaws $(OUT)/events.ndjson
	$(SLUICE) ingest --verbose --table events --rejects rejected --limit $$(($(RECORDS) / 2)) $(OUT)/events.ndjson "$$SLUICE_POSTGRES"
	$(SLUICE) ingest --verbose --table events --rejects rejected $(OUT)/events.ndjson "$$SLUICE_POSTGRES" || [ $$? -eq 2 ]
	psql -X -c 'SELECT count(*) FROM events' -c 'SELECT line, error_type FROM rejected'

# All lanes beside all peers that are installed; BENCH='--full --publish' writes the tables that the README shows.
BENCH ?= --full
bench: deps
	$(SWIFT) run -c release --package-path Benchmarks benchmark $(BENCH)
	Benchmarks/ingest $(if $(findstring --publish,$(BENCH)),--publish)
	Benchmarks/postgres $(if $(findstring --publish,$(BENCH)),--publish)
	Benchmarks/tool $(if $(findstring --publish,$(BENCH)),--publish)

# The tool with few shared libraries, in .build/static, and a run of it with nothing but the packages that it needs (article "Containers").
STATIC_TRAITS ?= CommandLine,Compression
static: deps
	@Scripts/build-static $(STATIC_TRAITS)

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

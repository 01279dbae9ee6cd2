# The commands of the project. `make ingest` and `make test` are all that a newcomer needs; `make test-fast` is for the time between two edits.
# What else is checked, for each change (.ci/run) or in the night (.ci/nightly), is `Scripts/net`.

SWIFT ?= swift
RECORDS ?= 200000
SEED ?= 1
# Where the generated feed and its database go.
OUT ?= .build/ingest
# The database of `make ingest`; DATABASE=postgres takes a server of its own, which is gone afterwards.
DATABASE ?= sqlite

# The traits of the package (README, Installation). The tool needs no macro, so it is built without swift-syntax. TOOL_SCRATCH names another
# folder than .build for the release build, so that it and the tests can be built at once.
export TRAITS ?= CommandLine,Compression,PostgreSQL
export SWIFT TOOL_SCRATCH

.PHONY: all deps deps-postgres build ingest test test-fast lint format bench docs clean

all: build

# Installs what is missing: yajl for the parser, SQLite for the tool, libpq for PostgreSQL. Homebrew on macOS, apt-get (as root or through sudo) elsewhere.
deps:
	@Scripts/install-dependencies

# Besides that, the server that the tests of PostgreSQL need.
deps-postgres:
	@Scripts/install-dependencies postgres

build: deps
	SWIFT_DETERMINISTIC_HASHING=1 $(SWIFT) build --enable-all-traits

# The main job: a generated feed of $(RECORDS) records goes into a database, with a report at the end. The feed has flaws. A key that comes late
# gets its column. A record that is cut off goes to the table `rejected`. The second half is read by a run that resumes where the first one
# ended.
ingest: deps
	@Scripts/demo $(DATABASE) $(RECORDS) $(SEED) $(OUT)

# All tests. Scripts/test runs some of them.
test: deps
	@Scripts/test

# Those that do not use the macro; swift-syntax is not built. FILTER="--filter SplitTests" runs some.
test-fast: deps
	@Scripts/test fast $(FILTER)

# Checks style, the layers, and the public interface (Tests/API). Also checks that each planted fault still has its line, which packages
# `traits: []` resolves, and that SwiftPM can read the packages in the documentation.
FORMATTED = Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources Examples/Package.swift Examples/Sources
lint:
	@Tests/Net/layers/run
	@Tests/API/digest
	@Tests/Net/planted-faults/run --check
	@Tests/Net/traits/run resolve
	@Tests/Net/manifests/run read
	$(SWIFT) format lint --strict --parallel --recursive $(FORMATTED)

format:
	$(SWIFT) format --in-place --parallel --recursive $(FORMATTED)

# All lanes beside all peers that are installed; BENCH='--full --publish' writes the tables that the README shows.
BENCH ?= --full
bench: deps
	$(SWIFT) run -c release --package-path Benchmarks benchmark $(BENCH)
	Benchmarks/ingest $(if $(findstring --publish,$(BENCH)),--publish)
	Benchmarks/postgres $(if $(findstring --publish,$(BENCH)),--publish)
	Benchmarks/tool $(if $(findstring --publish,$(BENCH)),--publish)

# The documentation as a website, in $(DOCUMENTATION). A warning is an error.
DOCUMENTATION ?= .build/documentation
DOCUMENTED = Sluice SluiceCore SluiceFeed SluiceCompression SluiceCodable SluiceSchema SluiceArrow
docs: deps
	@mkdir -p $(DOCUMENTATION)
	SLUICE_DOCUMENTATION=1 $(SWIFT) package --allow-writing-to-directory $(DOCUMENTATION) generate-documentation \
	    $(DOCUMENTED:%=--target %) --enable-experimental-combined-documentation --warnings-as-errors \
	    --transform-for-static-hosting --hosting-base-path sluice --output-path $(DOCUMENTATION)

clean:
	rm -rf .build Benchmarks/.build Examples/.build Tests/Fuzz/.build

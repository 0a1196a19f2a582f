# The targets are short; anything longer than a line is a script in Scripts/.

PREFIX ?= /usr/local
DESTDIR ?=
SWIFTFLAGS ?=
TESTFLAGS ?=
PACKAGES ?=
BENCHFLAGS ?=
CLIENTFLAGS ?=
CLOCKFLAGS ?=
CONSOLEFLAGS ?=
COMPAREFLAGS ?=
COUNTFLAGS ?=
CUTFLAGS ?=
SCALEFLAGS ?=
SITEFLAGS ?=
PACKAGEFLAGS ?=
FUZZFLAGS ?=
GROWTHFLAGS ?=
SANITIZEFLAGS ?=
export PREFIX DESTDIR SWIFTFLAGS
# The folder of the whole command, as the tests have it.
WHOLE = $(CURDIR)/.build/tests/release

.DEFAULT_GOAL := help
.PHONY: help check compare nightly clocks times setup build core whole build-tests run test soak clients console scale-out kills power-cuts hooks sanitize fuzz fuzz-smoke arm bench counts flooding growth leaks rules answers words configuration steps options api pictures docs site install uninstall dist packages registries integrations library-user library-cost oldest-packages newcomer format clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install missing system packages (PACKAGES= for more)
	@Scripts/setup.sh $(PACKAGES)

# To stderr, so that the standard output of `make run` is only pushpipe's.
build: setup ## build the release command (SWIFTFLAGS= for swift build)
	@Scripts/release.sh >/dev/null

core: setup ## build the filter alone for release, sooner
	@Scripts/release.sh --core >/dev/null

whole: setup ## build the whole command for the tests, without optimization
	@bash -c 'source Scripts/test-flags.sh && build --product pushpipe'

build-tests: setup ## build the tests
	@bash -c 'source Scripts/test-flags.sh && build --build-tests'

run: setup ## build the filter without optimization, process the sample notifications and show the screens
	@Scripts/quickstart.sh

check: ## check the format of all sources, the house rules and the manifest
	@Scripts/setup.sh jq && Scripts/check-format.sh && Scripts/check-house.sh && Scripts/check-manifest.sh

test: ## check the format of what has changed, build strictly, run the fast tests (TESTFLAGS= for swift test)
	@Scripts/test.sh $(TESTFLAGS)

soak: ## run the slow tests, one at a time (TESTFLAGS= for swift test)
	@Scripts/soak.sh $(TESTFLAGS)

clients: ## run real client libraries against the gateway (CLIENTFLAGS=--short: eight or more, in two minutes)
	@Scripts/clients.sh $(CLIENTFLAGS)

console: ## drive the web console in a real browser (CONSOLEFLAGS=--case NAME)
	@Scripts/console.sh $(CONSOLEFLAGS)

scale-out: ## divide streams with Spark, Redis, Kafka's clients and the shell, and compare with one run
	@Scripts/scale-out.sh $(SCALEFLAGS)

sanitize: ## run the tests with the address and thread sanitizers (SANITIZEFLAGS=thread: one of them)
	@Scripts/sanitize.sh $(SANITIZEFLAGS)

fuzz: setup ## fuzz all targets (FUZZFLAGS=--seconds 600 --target scan)
	@Fuzzing/fuzz.sh $(FUZZFLAGS)

nightly: setup ## run what takes longer than CI may, in three hours
	@Scripts/nightly.sh

clocks: ## run the tests at other times of day, in other zones and languages, as other users (CLOCKFLAGS=turk: those with that name)
	@Scripts/clocks.sh $(CLOCKFLAGS)

times: ## measure what the two commands of README take from a clean clone, and what it goes to
	@Scripts/setup.sh python3 && Scripts/times.py

fuzz-smoke: setup ## fuzz with a fixed number of runs, in three minutes
	@Fuzzing/fuzz.sh --smoke

arm: ## run the scanner's arm64 code under qemu, and compare it with code without vectors
	@Scripts/setup.sh gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user && Tests/Formats/BlockScan/run.sh

bench: setup ## compare its speed with its peers, in 25 minutes (BENCHFLAGS=--quick: 5)
	@Benchmarks/bench.sh $(BENCHFLAGS)

counts: whole ## count what a record costs, and the files that one passes (COUNTFLAGS=--check: compare with the limits)
	@Scripts/setup.sh valgrind python3 binutils curl && Benchmarks/counts.sh $(COUNTFLAGS)
	@Scripts/ways.py $(COUNTFLAGS)

compare: ## compare outputs and instructions of two builds of the command (OLD= and NEW=, COMPAREFLAGS=--no-counts)
	@Scripts/setup.sh valgrind curl && Scripts/compare.sh $(COMPAREFLAGS) $(OLD) $(NEW)

flooding: core ## compare the cost of crafted and random names and ids, in instructions
	@Scripts/setup.sh valgrind python3 binutils && Benchmarks/flooding.py --check

growth: core whole ## compare the cost of twice the input (GROWTHFLAGS="--only WORD": the cases with it)
	@Scripts/setup.sh valgrind python3 binutils && Benchmarks/growth.py $(GROWTHFLAGS)

kills: core ## end runs at random places, resume and compare (KILLFLAGS="--kills 10000")
	@Scripts/setup.sh python3 && Tests/Command/Kills/run.py $(KILLFLAGS)

power-cuts: core ## cut the power of simulated disks during runs, resume and compare (CUTFLAGS="--cuts 10000")
	@Scripts/setup.sh python3 && Tests/Command/PowerCuts/run.py $(CUTFLAGS)

leaks: core ## check for leaks and growing memory, in an hour
	@Scripts/setup.sh valgrind binutils && Benchmarks/leaks.sh

rules: core ## write the pages of the linter's rules to Documentation/reference
	@Scripts/setup.sh python3 && PATH="$(CURDIR)/.build/release/core:$$PATH" Scripts/reference-pages.py rules

answers: core ## write the table of all answers to Documentation/reference/answers.md
	@Scripts/setup.sh python3 && PATH="$(CURDIR)/.build/release/core:$$PATH" Scripts/reference-pages.py answers

words: core ## write the table of all words of reports and events to Documentation/reference/words.md
	@Scripts/setup.sh python3 && PATH="$(CURDIR)/.build/release/core:$$PATH" Scripts/reference-pages.py words

configuration: core ## write the table of the configuration's keys to Documentation/reference/configuration.md
	@Scripts/setup.sh python3 && PATH="$(CURDIR)/.build/release/core:$$PATH" \
		Scripts/configuration-table.py Documentation/reference/configuration.md

steps: whole ## write the steps of scenarios to Documentation/reference/steps.md
	@Scripts/setup.sh python3 && PATH="$(WHOLE):$$PATH" Scripts/reference-pages.py steps

api: ## write the requests of the gateway's API to Documentation/reference/api.md
	@Scripts/setup.sh python3 && Scripts/reference-pages.py api

options: whole ## write the table of all options to Documentation/reference/options.md
	@Scripts/setup.sh python3 && PATH="$(WHOLE):$$PATH" \
		Scripts/option-table.py Documentation/reference/options.md

pictures: core ## draw the pictures in README.md and in the documentation
	@Scripts/setup.sh python3 && PATH="$(CURDIR)/.build/release/core:$$PATH" Scripts/pictures.sh

docs: setup ## build the libraries' documentation with DocC, into .build/docs
	@Scripts/docs.sh

site: setup ## build the documentation as a site, into .build/site (SITEFLAGS=--without-api: quickly)
	@Scripts/site.sh $(SITEFLAGS)

install: setup ## install the command, completions and man page (PREFIX=, DESTDIR=)
	@Scripts/install.sh

uninstall: ## remove the installed files (same PREFIX=, DESTDIR=)
	@Scripts/install.sh --remove

dist: setup ## build what a release consists of, into .build/dist
	@Scripts/dist.sh

packages: setup ## install, use and remove it in a system without Swift, as root (PACKAGEFLAGS=--short: seconds)
	@Scripts/packages.sh $(PACKAGEFLAGS)

registries: setup ## install the Python wheel and the npm packages into fresh environments (FOLDER=.build/dist: those of make dist)
	@Scripts/registries.sh $(FOLDER)

integrations: setup ## try the Dockerfile, the GitHub action and the hooks of pre-commit
	@Scripts/integrations.sh

library-user: setup ## build and test a package that depends on this one by URL and version
	@Scripts/library-user.sh

library-cost: setup ## measure what users of each library fetch and build (minutes; Scripts/library-cost.sh PRODUCT: one of them)
	@Scripts/library-cost.sh

oldest-packages: setup ## compile with the oldest packages that are allowed
	@Scripts/oldest-packages.sh

newcomer: setup ## measure the time from an archive and from a clone to the first line of a report
	@Scripts/newcomer.sh

format: ## format all sources with .swift-format
	@Scripts/check-format.sh --fix

hooks: ## install a Git hook that checks format and shell syntax before each commit
	@Scripts/install-hooks.sh

clean: ## remove all build output
	rm -rf .build .build-fuzz

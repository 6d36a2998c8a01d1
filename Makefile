# `make run` and `make test` do everything on a bare Debian 12: packages, build, work.


# clang 14 gives the fastest kernels; `make CXX=g++ ...` chooses another. Looked up late, after setup has installed it.
ifeq ($(origin CXX),default)
CXX = $(shell command -v clang++-14 || command -v g++)
endif
export CXX

.PHONY: help setup configure build run test long python wheel bench bench-steps bench-ladders bench-implicit bench-simulation bench-forces compare-distances compare-robots counts figures web web-test gallery docs format clean
.DEFAULT_GOAL := help

help:   ## show this list
	@sed -n 's/^\([a-z-]*\): .*## /  make \1\t/p' Makefile

setup:  ## install the missing Debian packages of packages.txt
	@tools/setup.sh

configure: setup
	@tools/configure.sh release $(CXX)

build: configure  ## build the library and the command (build/bin/cardan)
	@cmake --build build --target product

run: build  ## build, simulate a walking linkage, and say where the page is in which it moves
	@tools/run.sh

test: setup  ## build and run all tests (.ci/run: and the other compiler, sanitizers, each file alone)
	@tools/test.sh

long: configure  ## the tests on random input, with many more trials: minutes
	@tools/long.sh

python: setup  ## build the Python package: build/python/bin/python3 has it
	@tools/python.sh

wheel: setup  ## a Python wheel for other machines, with the command inside: build/dist
	@tools/wheel.sh

bench: configure  ## time the algorithms; writes build/bench.json
	@tools/bench.sh

bench-steps: configure  ## steps of the variational integrator against munthe_kaas_4
	@cmake --build build --target cardan_bench_steps
	@build/bin/cardan_bench_steps

bench-ladders: configure  ## linkages and trees by elimination on the graph of bodies
	@cmake --build build --target cardan_bench_ladders
	@build/bin/cardan_bench_ladders

bench-implicit: configure  ## implicit steps of large chains and trees, direct and iterated
	@tools/bench_implicit.sh

bench-simulation: build  ## steps a second against MuJoCo on a robot arm
	@tools/bench_simulation.sh

compare-robots: build  ## every robot of example-robot-data that Pinocchio reads, read by Cardan
	@tools/compare_robots.sh

bench-forces: configure  ## lengths and moment arms of muscles against OpenSim
	@tools/bench_forces.sh

compare-distances: build  ## distances of random pairs of shapes against Coal's
	@tools/compare_distances.sh

counts: configure  ## count the operations of three ways to differentiate
	@cmake --build build --target cardan_counts
	@build/bin/cardan_counts

figures: configure  ## a body thrown about its unstable axis, in six plots: build/unstable_rotation.html
	@cmake --build build --target example_unstable_rotation
	@build/example_unstable_rotation build/unstable_rotation.html

web-test: build  ## test the viewer in Chromium (needs Node)
	@tools/web_test.sh

gallery: build  ## draw every example: docs/gallery.md (needs Node)
	@tools/gallery.sh

docs: build  ## build the site from the documents: build/docs/index.html
	@tools/docs.sh

web:  ## rebuild the viewer's page, web/viewer.html, from its sources (needs Node)
	@tools/web.sh

format: setup  ## lay out all C++ sources as .clang-format says
	@tools/sources.sh | xargs -r clang-format-14 -i

clean:  ## remove everything built
	rm -rf build

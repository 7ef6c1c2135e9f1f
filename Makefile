# make demo, make test: see README.md.
.PHONY: build test
build:
	cmake --preset release >/dev/null && cmake --build --preset release
test: build
	ctest --preset release

# Of every test: results are kept between runs only where a test says where, so that what it asks for is done.
set(ENV{SMEM_LINT_CACHE_DIR} none)

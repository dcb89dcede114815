"""The same functions as WebAssembly, for browsers: one file, which a wheel brings (docs/architecture.md)."""

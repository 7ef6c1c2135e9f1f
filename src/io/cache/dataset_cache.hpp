// The binary form of a Dataset: versioned, checksummed, mapped into memory and used where it lies.
// Opening costs one pass over the file, at the speed of memory; docs/formats/cache.md has the
// bytes.
#pragma once

#include <memory>
#include <span>
#include <string>

#include <rankine/dataset.hpp>
#include <rankine/progress.hpp>

#include "base/system/mapped_file.hpp"

namespace rankine {

/// Do these bytes, a file's first 8 or more, begin a cache (of any version)?
bool is_cache(std::span<const char> first_bytes) noexcept;

/// Maps `path`: the arrays of the result are the file's own pages. Throws Error{data} when the file
/// is damaged, of a later version, or breaks a promise of Dataset; whatever it holds, the result is
/// safe to use. The file must not be changed in place while the result lives.
Dataset read_cache(const std::string& path, int threads = 0);

/// `structure` trusts the checksums: what a file made to deceive would carry.
enum class CacheChecks { all, structure };

/// The same for bytes already in memory, 8-byte aligned, that `owner` keeps alive. `name` is for
/// messages.
Dataset open_cache(std::span<const char> bytes, const std::shared_ptr<const void>& owner,
                   const std::string& name, int threads = 0, CacheChecks checks = CacheChecks::all);

/// The same for a mapped file, whose pages leave this process's memory as soon as they are checked:
/// for going through it once, part by part.
Dataset open_cache_in_parts(const std::shared_ptr<const MappedFile>& file, const std::string& name,
                            int threads = 0);

/// Throws Error{data} when `data` is not a proper data set, Error{io} when it cannot be written,
/// Error{option} when the name asks for compression, which a mapped file cannot have.
void write_cache(const std::string& path, const Dataset& data, int threads = 0,
                 const Progress& progress = {});

}  // namespace rankine

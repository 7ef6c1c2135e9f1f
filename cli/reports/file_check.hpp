// A command must not write a file that it reads: the file would be lost. Commands say in
// declare() what they write (Arguments::writes); every other FILE is read. Files are told apart by
// identity, so links and ./ do not hide one. Standard input and output, devices and pipes lose
// nothing.
#pragma once

#include <string>

#include "framework/arguments.hpp"

namespace rankine::cli {

/// Throws Error{option} when a file that the command writes is one that it reads or writes besides:
/// "--model = 'd.txt' is also read, as TRAIN: it would be lost"; Error{io} when one cannot be
/// written. Called by main before every run, so that hours of work do not end there.
void check_files(const Arguments& arguments);

/// The same for a file whose name follows from that of the output `name`.
void check_written_file(const Arguments& arguments, const std::string& name,
                        const std::string& path);

}  // namespace rankine::cli

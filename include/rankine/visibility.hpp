// RANKINE_API marks what the shared library exports; everything else stays hidden.
#pragma once

#define RANKINE_API __attribute__((visibility("default")))

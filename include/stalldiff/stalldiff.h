/* libstalldiff: shape and cadence of input waits in training loops. Includes everything. */
#ifndef STALLDIFF_H
#define STALLDIFF_H

#include "error.h"
#include "series.h"
#include "read.h"
#include "analyze.h"
#include "compare.h"
#include "write.h"
#include "input.h"
#include "version.h"

#endif

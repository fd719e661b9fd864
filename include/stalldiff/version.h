/* The version of the library and of the program. */
#ifndef STALLDIFF_VERSION_H
#define STALLDIFF_VERSION_H

#define STALLDIFF_VERSION "0.1.0"

#endif

// The file openapi.json. In C, because #embed copies a file into the program.
#ifndef API_DESCRIPTION_H
#define API_DESCRIPTION_H

#include <stddef.h>

/// A description of the gateway's API in OpenAPI 3.1. Its bytes live as long as the program.
struct api_description {
    const unsigned char *bytes;
    size_t count;
};

struct api_description api_description(void);

#endif

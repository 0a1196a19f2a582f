// The files openapi.json and fault-examples.yml. In C, because #embed copies them into the program.
#ifndef API_DESCRIPTION_H
#define API_DESCRIPTION_H

#include <stddef.h>

/// A text that describes the gateway. Its bytes live as long as the program.
struct api_description {
    const unsigned char *bytes;
    size_t count;
};

/// The gateway's API in OpenAPI 3.1.
struct api_description api_description(void);

/// A file of fault rules with every key.
struct api_description fault_examples(void);

#endif

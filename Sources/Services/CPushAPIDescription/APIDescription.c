#include "CPushAPIDescription.h"

// Every compiler that builds the package knows #embed; C has it since C23.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char bytes[] = {
#embed "openapi.json"
};

static const unsigned char examples[] = {
#embed "fault-examples.yml"
};

struct api_description api_description(void) { return (struct api_description){bytes, sizeof bytes}; }

struct api_description fault_examples(void) { return (struct api_description){examples, sizeof examples}; }

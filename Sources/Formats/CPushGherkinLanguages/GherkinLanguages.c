#include "CPushGherkinLanguages.h"

// Every compiler that builds the package knows #embed; C has it since C23.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char bytes[] = {
#embed "languages.txt"
};

struct gherkin_languages gherkin_languages(void) { return (struct gherkin_languages){bytes, sizeof bytes}; }

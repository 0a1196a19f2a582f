// The file languages.txt. In C, because #embed copies a file into the program.
#ifndef GHERKIN_LANGUAGES_H
#define GHERKIN_LANGUAGES_H

#include <stddef.h>

/// The keywords of Gherkin in the languages of the official table. The bytes live as long as the program.
///
/// Source: `gherkin-languages.json` of cucumber/gherkin, in version 42.0.1 of its parser for Python. Each line is one
/// language: its code, and the keywords for feature, background, rule, scenario, scenario outline, examples, given,
/// when, then, and, but. Semicolons separate these fields, and bars synonyms. The space after a step's keyword is part
/// of it: languages that do not separate words have none.
struct gherkin_languages {
    const unsigned char *bytes;
    size_t count;
};

struct gherkin_languages gherkin_languages(void);

#endif

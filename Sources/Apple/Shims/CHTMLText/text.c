#include "CHTMLText.h"

#include <libxml/HTMLparser.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct text {
    char *bytes;
    size_t length, capacity;
    bool failed;
    // A space that is written before the next word.
    bool space;
};

static void append(struct text *text, const char *bytes, size_t length) {
    if (text->failed) return;
    if (text->length + length + 1 > text->capacity) {
        size_t capacity = (text->length + length + 1) * 2;
        char *grown = realloc(text->bytes, capacity);
        if (!grown) {
            text->failed = true;
            return;
        }
        text->bytes = grown;
        text->capacity = capacity;
    }
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
}

static bool isOneOf(const xmlChar *name, const char *const *names) {
    for (; *names; names++) {
        if (strcasecmp((const char *)name, *names) == 0) return true;
    }
    return false;
}

static bool beginsLine(const struct text *text) { return text->length == 0 || text->bytes[text->length - 1] == '\n'; }

static void endLine(struct text *text) {
    text->space = false;
    if (!beginsLine(text)) append(text, "\n", 1);
}

// Runs of white space are one space, and none at the start of a line.
static void appendWords(struct text *text, const char *words) {
    for (; *words; words++) {
        if (strchr(" \t\r\n\f", *words)) {
            text->space = true;
            continue;
        }
        if (text->space && !beginsLine(text)) append(text, " ", 1);
        text->space = false;
        append(text, words, 1);
    }
}

static const char *const blocks[] = {"p",  "div", "h1", "h2", "h3",    "h4",      "h5",     "h6",   "ul",         "ol",  "li",
                                     "tr", "table", "pre", "hr", "section", "article", "header", "footer", "blockquote", NULL};
static const char *const hidden[] = {"script", "style", "head", "title", "template", NULL};

static void begin(struct text *text, const xmlNode *node) {
    if (node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE) {
        if (node->content) appendWords(text, (const char *)node->content);
    } else if (node->type == XML_ELEMENT_NODE) {
        if (strcasecmp((const char *)node->name, "br") == 0) {
            text->space = false;
            append(text, "\n", 1);
        } else if (isOneOf(node->name, blocks)) {
            endLine(text);
            if (strcasecmp((const char *)node->name, "li") == 0) append(text, "\t\u2022\t", 5);
        }
    }
}

char *html_text(const char *data, size_t size, const char *encoding) {
    if (size > INT_MAX) return NULL;
    int options = HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET | HTML_PARSE_COMPACT;
    htmlDocPtr document = htmlReadMemory(data, (int)size, NULL, encoding, options);
    if (!document) return NULL;
    struct text text = {0};
    append(&text, "", 0);
    // Without recursion: the file decides how deep elements are.
    xmlNode *node = xmlDocGetRootElement(document);
    while (node && !text.failed) {
        bool isHidden = node->type == XML_ELEMENT_NODE && isOneOf(node->name, hidden);
        if (!isHidden) begin(&text, node);
        if (!isHidden && node->children && node->type == XML_ELEMENT_NODE) {
            node = node->children;
            continue;
        }
        while (node && !node->next) {
            node = node->parent;
            if (node && node->type == XML_ELEMENT_NODE && isOneOf(node->name, blocks)) endLine(&text);
            if (node && node->type != XML_ELEMENT_NODE) node = NULL;
        }
        if (node) node = node->next;
    }
    xmlFreeDoc(document);
    if (!text.failed) append(&text, "", 1);
    if (text.failed) {
        free(text.bytes);
        return NULL;
    }
    return text.bytes;
}

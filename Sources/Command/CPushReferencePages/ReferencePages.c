#include "CPushReferencePages.h"

// Every compiler that builds the package knows #embed; C has it since C23.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char rules[] = {
#embed "../../../Documentation/reference/rules.md"
};
static const unsigned char steps[] = {
#embed "../../../Documentation/reference/steps.md"
};
static const unsigned char answers[] = {
#embed "../../../Documentation/reference/answers.md"
};
static const unsigned char formats[] = {
#embed "../../../Documentation/reference/formats.md"
};
static const unsigned char events[] = {
#embed "../../../Documentation/reference/events.md"
};
static const unsigned char report[] = {
#embed "../../../Documentation/reference/report.md"
};
static const unsigned char app[] = {
#embed "../../../Documentation/reference/app.md"
};
static const unsigned char configuration[] = {
#embed "../../../Documentation/reference/configuration.md"
};
static const unsigned char limits[] = {
#embed "../../../Documentation/reference/limits.md"
};
static const unsigned char gateway[] = {
#embed "../../../Documentation/reference/gateway.md"
};
static const unsigned char gateway_api[] = {
#embed "../../../Documentation/reference/gateway-api.md"
};
static const unsigned char api[] = {
#embed "../../../Documentation/reference/api.md"
};
static const unsigned char gateway_faults[] = {
#embed "../../../Documentation/reference/gateway-faults.md"
};
static const unsigned char gateway_fcm[] = {
#embed "../../../Documentation/reference/gateway-fcm.md"
};
static const unsigned char store[] = {
#embed "../../../Documentation/reference/store.md"
};
static const unsigned char options[] = {
#embed "../../../Documentation/reference/options.md"
};

#define PAGE(name, bytes, description) {"pushpipe://reference/" name, name, description, bytes, sizeof bytes}

static const struct reference_page pages[] = {
    {"pushpipe://rules", "rules", "All rules of the linter; pushpipe://rules/RULE has reason, source and examples.", rules, sizeof rules},
    PAGE("steps", steps, "All steps of scenarios, each with an example."),
    PAGE("answers", answers, "Every status and reason that the emulated services give, how it is known, and from where."),
    PAGE("formats", formats, "Input formats: framing, every recognized format, how bytes are counted, budgets."),
    PAGE("events", events, "Device events: their members and reasons, rejected tokens."),
    PAGE("report", report, "The report: keys, outcomes, errors, rejections."),
    PAGE("app", app, "The app model: presentation, taps, the bell, preferences."),
    PAGE("configuration", configuration, "The linter's configuration: all keys of .pushpipe.yml."),
    PAGE("limits", limits, "What is limited, and where."),
    PAGE("gateway", gateway, "The gateway: paths, answers, Expo and limits of pushpipe serve."),
    PAGE("gateway-api", gateway_api, "The gateway's API: messages, waiting, screens, and who may use it."),
    PAGE("api", api, "The requests of the gateway's API: parameters and members."),
    PAGE("gateway-faults", gateway_faults, "Fault rules: how to make requests fail."),
    PAGE("gateway-fcm", gateway_fcm, "What the gateway answers for Google's services."),
    PAGE("store", store, "The store: SQL views, export and import."),
    PAGE("options", options, "Every option of every command."),
};

size_t reference_page_count(void) { return sizeof pages / sizeof pages[0]; }

const struct reference_page *reference_page_at(size_t index) {
    return index < reference_page_count() ? &pages[index] : NULL;
}

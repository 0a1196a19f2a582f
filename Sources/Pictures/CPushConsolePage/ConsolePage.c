#include "CPushConsolePage.h"

// Every compiler that builds the package knows #embed; C has it since C23.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char index_html[] = {
#embed "Page/index.html"
};
static const unsigned char android_js[] = {
#embed "Page/android.js"
};
static const unsigned char api_js[] = {
#embed "Page/api.js"
};
static const unsigned char app_js[] = {
#embed "Page/app.js"
};
static const unsigned char compose_js[] = {
#embed "Page/compose.js"
};
static const unsigned char controls_js[] = {
#embed "Page/controls.js"
};
static const unsigned char detail_css[] = {
#embed "Page/detail.css"
};
static const unsigned char detail_js[] = {
#embed "Page/detail.js"
};
static const unsigned char devices_js[] = {
#embed "Page/devices.js"
};
static const unsigned char dom_js[] = {
#embed "Page/dom.js"
};
static const unsigned char faults_js[] = {
#embed "Page/faults.js"
};
static const unsigned char icon_svg[] = {
#embed "Page/icon.svg"
};
static const unsigned char icons_js[] = {
#embed "Page/icons.js"
};
static const unsigned char journal_js[] = {
#embed "Page/journal.js"
};
static const unsigned char layout_css[] = {
#embed "Page/layout.css"
};
static const unsigned char notify_js[] = {
#embed "Page/notify.js"
};
static const unsigned char phone_css[] = {
#embed "Page/phone.css"
};
static const unsigned char phone_js[] = {
#embed "Page/phone.js"
};
static const unsigned char picture_js[] = {
#embed "Page/picture.js"
};
static const unsigned char pushes_js[] = {
#embed "Page/pushes.js"
};
static const unsigned char rows_js[] = {
#embed "Page/rows.js"
};
static const unsigned char save_js[] = {
#embed "Page/save.js"
};
static const unsigned char stage_js[] = {
#embed "Page/stage.js"
};
static const unsigned char state_js[] = {
#embed "Page/state.js"
};
static const unsigned char theme_css[] = {
#embed "Page/theme.css"
};
static const unsigned char timeline_js[] = {
#embed "Page/timeline.js"
};
static const unsigned char words_js[] = {
#embed "Page/words.js"
};

#define FILE_OF_PAGE(name, bytes) {name, bytes, sizeof bytes}

static const struct console_file files[] = {
    FILE_OF_PAGE("index.html", index_html),
    FILE_OF_PAGE("android.js", android_js),
    FILE_OF_PAGE("api.js", api_js),
    FILE_OF_PAGE("app.js", app_js),
    FILE_OF_PAGE("compose.js", compose_js),
    FILE_OF_PAGE("controls.js", controls_js),
    FILE_OF_PAGE("detail.css", detail_css),
    FILE_OF_PAGE("detail.js", detail_js),
    FILE_OF_PAGE("devices.js", devices_js),
    FILE_OF_PAGE("dom.js", dom_js),
    FILE_OF_PAGE("faults.js", faults_js),
    FILE_OF_PAGE("icon.svg", icon_svg),
    FILE_OF_PAGE("icons.js", icons_js),
    FILE_OF_PAGE("journal.js", journal_js),
    FILE_OF_PAGE("layout.css", layout_css),
    FILE_OF_PAGE("notify.js", notify_js),
    FILE_OF_PAGE("phone.css", phone_css),
    FILE_OF_PAGE("phone.js", phone_js),
    FILE_OF_PAGE("picture.js", picture_js),
    FILE_OF_PAGE("pushes.js", pushes_js),
    FILE_OF_PAGE("rows.js", rows_js),
    FILE_OF_PAGE("save.js", save_js),
    FILE_OF_PAGE("stage.js", stage_js),
    FILE_OF_PAGE("state.js", state_js),
    FILE_OF_PAGE("theme.css", theme_css),
    FILE_OF_PAGE("timeline.js", timeline_js),
    FILE_OF_PAGE("words.js", words_js),
};

size_t console_file_count(void) { return sizeof files / sizeof files[0]; }

const struct console_file *console_file_at(size_t index) {
    return index < console_file_count() ? &files[index] : NULL;
}

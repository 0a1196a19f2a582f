// The system's SQLite, under the name of Apple's module.
#pragma once

#include <sqlite3.h>

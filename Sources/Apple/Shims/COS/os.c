#include "os_lock.h"

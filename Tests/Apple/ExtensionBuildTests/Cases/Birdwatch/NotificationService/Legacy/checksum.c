#include "checksum.h"

int checksum(const char *text, int length) {
    int sum = 0;
    for (int place = 0; place < length; place++) sum += (unsigned char)text[place];
    return sum;
}

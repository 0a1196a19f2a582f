#pragma once

int checksum(const char *text, int length);

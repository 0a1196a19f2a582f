#import <Foundation/Foundation.h>
#import "checksum.h"

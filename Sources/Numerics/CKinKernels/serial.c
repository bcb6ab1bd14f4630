#include "kin_kernels.h"

// CBLAS from the system (OpenBLAS recommended) and the LAPACK routines that Kin calls, by their Fortran names.
#include <cblas.h>

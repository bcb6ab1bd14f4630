// The dense algebra of the system: CBLAS (OpenBLAS recommended) and the LAPACK routines that Kin calls.
//
// LAPACK is called by its Fortran names, because every LAPACK has them, but not every one has LAPACKE. All integers are
// 32 bits (LP64). A Fortran CHARACTER argument is a pointer, and its length follows the last argument as a size_t by
// value, as in gfortran, flang and ifx; omitting the lengths is undefined behaviour. On Apple systems Swift imports
// Accelerate instead of this file.

#ifndef KIN_BLAS_LAPACK_H
#define KIN_BLAS_LAPACK_H

#include <cblas.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Eigenvalues (ascending, in w) and, with jobz = 'V', eigenvectors (in the columns of a) of a symmetric matrix, by
/// divide and conquer. With lwork = liwork = -1 it returns the sizes of the work arrays in work[0] and iwork[0].
void dsyevd_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w, double *work,
             const int *lwork, int *iwork, const int *liwork, int *info, size_t jobz_length, size_t uplo_length);

#ifdef __cplusplus
}
#endif

#endif

// triangle_template.h: coding of rows that are multiplied by a triangle, for a level: include it after defining
//
//     TARGET                  the function attribute of the level
//     LEVEL                   (name): the name of the level's function, kin_<level>_<name>
//     ROWS                    the number of rows that meet the triangle together, at most KIN_TRIANGLE_ROWS
//     sum_of_squares          adds the squares of numbers times their factors, eight at a time, in eight lanes
//     code_eight              codes eight numbers
//     square_products         computes the sums of squares of ROWS coded rows times the triangle

#include "levels.h"

/// The sum of squares of a row.
TARGET KIN_INLINE double square_row(const kin_triangle_job *job, const double *row) {
    size_t columns = job->columns, whole = columns / 8 * 8;
    double lanes[8];
    sum_of_squares(row, job->factors, whole, lanes);
    for (size_t j = whole; j < columns; j++) {
        double z = row[j] * job->factors[j];
        lanes[j % 8] += z * z;
    }
    return kin_sum_lanes(lanes) + job->last * job->last;
}

/// Codes one row at so many steps to 1; all codes are 0 for none.
TARGET KIN_INLINE void code_row(const kin_triangle_job *job, const double *row, double steps, int16_t *codes) {
    size_t columns = job->columns, whole = columns / 8 * 8;
    if (steps == 0) {
        memset(codes, 0, (columns + 1) * sizeof *codes);
        return;
    }
    for (size_t j = 0; j < whole; j += 8)
        code_eight(row + j, job->factors + j, steps, codes + j);
    for (size_t j = whole; j < columns; j++)
        codes[j] = (int16_t)((row[j] * job->factors[j] * steps + 0x1.8p52) - 0x1.8p52);
    codes[columns] = (int16_t)((job->last * steps + 0x1.8p52) - 0x1.8p52);
}

TARGET void LEVEL(triangle_norms)(const kin_triangle_job *job, const double *rows, size_t n, double *lengths,
                                  float *squares) {
    kin_triangle_shape shape = kin_triangle_shape_of(job->columns);
    memset(job->codes, 0, ROWS * 2 * shape.pairs * sizeof *job->codes);
    for (size_t i = 0; i < n; i += ROWS) {
        // Places without a row have the codes of an earlier one or zeros, and what comes of them is not used.
        size_t count = n - i < ROWS ? n - i : ROWS;
        const double *first = rows + i * job->columns;
        double steps[ROWS];
        float sums[ROWS];
        // All roots and quotients first: a row's codes would wait for its own.
        for (size_t r = 0; r < count; r++) {
            double sum = square_row(job, first + r * job->columns);
            lengths[i + r] = sqrt(sum);
            steps[r] = kin_triangle_steps(sum);
        }
        for (size_t r = 0; r < count; r++)
            code_row(job, first + r * job->columns, steps[r], job->codes + r * 2 * shape.pairs);
        square_products(job, shape, sums);
        memcpy(squares + i, sums, count * sizeof *sums);
    }
}

// module: KinABI
// seeds:

// Calls the functions of kin.h on policies as a careless program would, with the rules of CInterface.c.

#include "Support/careless.h"

enum { SLOTS = 3 };

static kin_policy *policies[SLOTS];

/// Options for a policy, sometimes of an invalid size or with numbers that no policy accepts.
static const kin_policy_options *policy_options(input *in, size_t dimension) {
    static kin_policy_options options;
    if (byte(in) < 64) {
        return NULL;
    }
    options = (kin_policy_options)KIN_POLICY_OPTIONS_INIT;
    options.arms = byte(in) < 240 ? byte(in) % 4 : size(in);
    options.pairs = byte(in) < 240 ? byte(in) % 2 : (int32_t)size(in);
    options.exploration = byte(in) < 128 ? -1 : number(in);
    options.epsilon = byte(in) < 128 ? -1 : number(in);
    options.prior_precision = byte(in) < 200 ? 0 : number(in);
    options.effective_window = byte(in) < 128 ? 0 : byte(in) < 200 ? 2 + byte(in) : number(in);
    options.prior_intercept = byte(in) < 200 ? 0 : number(in);
    options.prior_weights = byte(in) < 200 ? NULL : doubles(in, dimension);
    options.seed = byte(in);
    options.size = byte(in) < 250 ? sizeof options : byte(in) % 80;
    return &options;
}

static void make_policy(input *in) {
    size_t d = byte(in) < 250 ? 1 + byte(in) % 5 : size(in);
    kin_policy_kind kind = byte(in) < 250 ? byte(in) % 7 : (kin_policy_kind)size(in);
    const kin_policy_options *options = policy_options(in, d);
    NEW(kin_policy, policies[byte(in) % SLOTS], kin_policy_free, kin_policy_create(kind, d, options, place));
}

/// Writes a state, may damage the bytes, and reads them.
static void keep_policy(input *in) {
    const kin_policy *from = policies[byte(in) % SLOTS];
    if (byte(in) % 4 == 0) {
        NEW(kin_policy, policies[byte(in) % SLOTS], kin_policy_free, kin_policy_copy(from, place));
        return;
    }
    // A state has a matrix for each arm, possibly of all pairs of features: no larger ones than the fuzzer may
    // allocate.
    size_t d = kin_policy_dimension(from), most = d * (d + 3) / 2 + 1, arms = kin_policy_arms(from);
    if (most > 1 << 12 || most * most * (arms + 1) > 1 << 19) {
        return;
    }
    static uint8_t state[1 << 14];
    size_t count = 0;
    if (!worked(kin_policy_encode(from, byte(in) == 255 ? NULL : state,
                                  byte(in) == 255 ? size(in) % sizeof state : sizeof state, &count)) ||
        count > sizeof state) {
        return;
    }
    for (int spoilt = byte(in) % 4; spoilt > 0; spoilt--) {
        state[(size_t)(byte(in) << 8 | byte(in)) % count] = byte(in);
    }
    count = byte(in) < 200 ? count : byte(in) % (count + 1);
    NEW(kin_policy, policies[byte(in) % SLOTS], kin_policy_free, kin_policy_decode(state, count, place));
}

static void use_policy(input *in) {
    kin_policy *p = policies[byte(in) % SLOTS];
    size_t d = kin_policy_dimension(p), arms = kin_policy_arms(p), n = size(in), all = 0;
    size_t step = byte(in) < 240 ? 0 : stride(in, d * sizeof(double));
    size_t row = step == 0 ? d : step / sizeof(double), total = 0;
    if (__builtin_mul_overflow(n, row, &total) || __builtin_mul_overflow(n, arms == 0 ? 1 : arms, &all)) {
        total = all = SIZE_MAX;
    }
    const double *rows = doubles(in, total);
    switch (byte(in) % 7) {
    case 0:
        worked(
            kin_policy_choose(p, rows, n, step, output(in, n, 0, sizeof(int64_t)), output(in, n, 0, sizeof(double))));
        break;
    case 1:
        worked(kin_policy_choose_among(p, doubles(in, d), (const int64_t *)ids(in, n), n,
                                       output(in, 1, 0, sizeof(int64_t)), output(in, 1, 0, sizeof(double))));
        break;
    case 2: {
        uint64_t before = kin_policy_observations(p);
        void *chosen = byte(in) % 2 == 0 ? NULL : ids(in, n);
        for (size_t i = 0; chosen != NULL && i < n && byte(in) < 250; i++) {
            int64_t arm = (int64_t)(i % (arms + 1));
            memcpy((uint8_t *)chosen + i * sizeof arm, &arm, sizeof arm);
        }
        if (!worked(
                kin_policy_learn(p, rows, n, step, chosen, doubles(in, n), byte(in) < 128 ? NULL : doubles(in, n))) &&
            kin_policy_observations(p) != before) {
            fail("a failed call taught the policy");
        }
        break;
    }
    case 3:
        worked(kin_policy_play(p, rows, n, step, (const int64_t *)ids(in, n), output(in, n, 0, sizeof(int64_t)),
                               output(in, n, 0, sizeof(double))));
        break;
    case 4:
        worked(kin_policy_discount(p, number(in)));
        break;
    case 5:
        worked(kin_policy_expected_rewards(p, rows, n, step, output(in, all, 0, sizeof(double))));
        break;
    default:
        worked(kin_policy_probabilities(p, rows, n, step, byte(in) < 250 ? byte(in) % 5 : size(in), byte(in),
                                        output(in, all, 0, sizeof(double))));
    }
}

static void estimate(input *in) {
    size_t n = size(in), resamples = byte(in) < 250 ? byte(in) : (size_t)0 - byte(in);
    const double *columns[5];
    for (int i = 0; i < 5; i++) {
        columns[i] = doubles(in, n);
    }
    kin_estimator estimator = byte(in) < 250 ? byte(in) % 4 : (kin_estimator)size(in);
    worked(kin_off_policy_estimate(estimator, columns[0], columns[1], columns[2], columns[3], columns[4], n, number(in),
                                   resamples, byte(in), output(in, 3, 0, sizeof(double))));
}

static void estimate_propensities(input *in) {
    size_t n = size(in), dimension = size(in);
    const int64_t *actions = (const int64_t *)ids(in, n);
    const int64_t *groups = byte(in) < 128 ? NULL : (const int64_t *)ids(in, n);
    const double *features = doubles(in, n * dimension);
    worked(kin_off_policy_propensities(actions, features, n, dimension, 0, groups, byte(in) % 8, number(in), byte(in),
                                       output(in, n, 0, sizeof(double)), output(in, 3, 0, sizeof(double))));
}

static void test_experiment(input *in) {
    size_t n = size(in);
    const double *outcomes = doubles(in, n);
    const uint8_t *treated = array(in, n, 0, 1);
    if (treated != NULL) {
        memset((void *)treated, byte(in) % 3, n);
    }
    worked(kin_experiment_test(outcomes, treated, n, number(in), number(in), number(in), number(in),
                               byte(in) < 128 ? NULL : output(in, n, 0, sizeof(double)),
                               output(in, 4, 0, sizeof(double))));
    worked(kin_experiment_size(number(in), number(in), number(in), number(in), number(in),
                               output(in, 2, 0, sizeof(double))));
    worked(kin_experiment_effect(number(in), size(in), number(in), number(in), number(in),
                                 output(in, 2, 0, sizeof(double))));
}

static void estimate_slates(input *in) {
    size_t n = size(in), slots = 1 + byte(in) % 4, resamples = byte(in);
    const double *columns[5];
    for (int i = 0; i < 5; i++) {
        columns[i] = doubles(in, n * slots);
    }
    worked(kin_slate_estimate(byte(in) % 5, slots, columns[0], columns[1], columns[2], columns[3], columns[4], n,
                              number(in), resamples, byte(in), output(in, 3, 0, sizeof(double))));
}

static void select_features(input *in) {
    size_t n = size(in), actions = size(in), dimension = size(in);
    const double *rewards = doubles(in, n);
    const int64_t *logged = (const int64_t *)ids(in, n), *features = (const int64_t *)ids(in, actions * dimension);
    const double *propensities = doubles(in, n * actions), *probabilities = doubles(in, n * actions);
    uint8_t *kept = output(in, dimension, 0, 1);
    double *shared = output(in, n, 0, sizeof *shared);
    worked(kin_off_policy_select_features(rewards, logged, n, features, actions, dimension, propensities, probabilities,
                                          kept, shared, output(in, n, 0, sizeof *shared)));
}

static void assign(input *in) {
    static const uint8_t key[] = "a key of 32 bytes, for tests....";
    static const char *const names[] = {"mia", "leo", "\xc3\xa9", "e\xcc\x81", "mia", "", "\xff", NULL};
    const char *const *variants = names + byte(in) % 4, *const *people = names + byte(in) % 4;
    size_t variant_count = byte(in) % 5, count = byte(in) % 5, key_count = byte(in) % sizeof key;
    const double *weights = byte(in) < 128 ? NULL : doubles(in, variant_count);
    worked(kin_experiment_assign(byte(in) < 250 ? "buttons" : names[byte(in) % 8], byte(in) < 250 ? key : NULL,
                                 key_count, variants, weights, variant_count, people, count,
                                 output(in, count, 0, sizeof(int64_t))));
}

static void free_one(input *in) {
    size_t s = byte(in) % SLOTS;
    kin_policy_free(policies[s]);
    policies[s] = NULL;
}

static const call calls[] = {
    make_policy,     keep_policy,           use_policy,      use_policy, use_policy, use_policy,      estimate,
    estimate_slates, estimate_propensities, test_experiment, free_one,   assign,     select_features,
};

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    make_calls(bytes, count, calls, sizeof calls / sizeof calls[0]);
    for (size_t s = 0; s < SLOTS; s++) {
        kin_policy_free(policies[s]);
        policies[s] = NULL;
    }
    return 0;
}

// The calls of the Python package that take less time than a call through ctypes: `kin._calls`.
//
// Each function accepts arguments that need no conversion (a packed float32 array, a Python int) and returns None for
// all others and for errors. The package then makes the call through ctypes, which converts arguments and raises
// exceptions. The module receives the addresses of the library's functions from ctypes, so a process loads one library.
//
// The module uses the limited API of Python 3.11, so one build serves every later version.

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define NPY_TARGET_VERSION NPY_1_25_API_VERSION
#include <numpy/arrayobject.h>

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <kin.h>

#include "turns.h"

/// The functions of the library, in the order of the addresses that `bind` receives.
static struct {
    __typeof__(&kin_index_search) search;
    __typeof__(&kin_index_count) count;
    __typeof__(&kin_index_dimension) dimension;
    __typeof__(&kin_index_range_search) range_search;
    __typeof__(&kin_index_names) names;
    __typeof__(&kin_matches_offsets) offsets;
    __typeof__(&kin_matches_ids) ids;
    __typeof__(&kin_matches_distances) distances;
    __typeof__(&kin_matches_free) free_matches;
    __typeof__(&kin_policy_choose) choose;
    __typeof__(&kin_policy_learn) learn;
    __typeof__(&kin_clustering_create) create_clustering;
    __typeof__(&kin_clustering_assign) assign;
    __typeof__(&kin_clustering_free) free_clustering;
} kin;

/// The named tuples of a policy, and the function that makes tuples.
static PyTypeObject *choice_type, *event_type;
static newfunc new_tuple;
/// "_as_parameter_", the attribute of a handle that is its address.
static PyObject *address_name;

// MARK: Arguments

/// The address of a handle; NULL with an exception if it has none.
static void *address(PyObject *handle) {
    PyObject *number = PyObject_GetAttr(handle, address_name);
    void *pointer = number == NULL ? NULL : PyLong_AsVoidPtr(number);
    Py_XDECREF(number);
    return pointer;
}

/// Whether an object is a plain array of a type, packed, aligned and in the machine's byte order.
static bool is_packed(PyObject *object, int type, int dimensions) {
    if (!PyArray_CheckExact(object))
        return false;
    PyArrayObject *array = (PyArrayObject *)object;
    return PyArray_TYPE(array) == type && PyArray_NDIM(array) == dimensions &&
           PyArray_CHKFLAGS(array, NPY_ARRAY_CARRAY_RO) && PyArray_ISNOTSWAPPED(array);
}

/// Whether an object is one packed query of the index: a row of floats, or a table of one.
static bool is_query(PyObject *object, size_t dimension, bool *is_table) {
    *is_table = is_packed(object, NPY_FLOAT, 2);
    if (!*is_table && !is_packed(object, NPY_FLOAT, 1))
        return false;
    npy_intp *shape = PyArray_DIMS((PyArrayObject *)object);
    return *is_table ? shape[0] == 1 && (size_t)shape[1] == dimension : (size_t)shape[0] == dimension;
}

/// Reads the structure of options from its ctypes object; the defaults for None.
static bool read_options(PyObject *object, kin_search_options *options) {
    *options = (kin_search_options)KIN_SEARCH_OPTIONS_INIT;
    if (object == Py_None)
        return true;
    Py_buffer view;
    if (PyObject_GetBuffer(object, &view, PyBUF_SIMPLE) != 0)
        return false;
    bool fits = view.len == sizeof *options;
    if (fits)
        memcpy(options, view.buf, sizeof *options);
    PyBuffer_Release(&view);
    return fits;
}

/// None; clears an exception, since the call through ctypes raises the right one.
static PyObject *through_ctypes(void) {
    PyErr_Clear();
    return Py_NewRef(Py_None);
}

// MARK: Searches

/// The largest index (rows times dimensions) and k of a search that holds the interpreter's lock: it takes less than
/// 5 µs, which is less than releasing the lock to waiting threads.
enum { SHORT_INDEX = 1 << 16, SHORT_RESULT = 128, LARGEST_K = 1 << 20, LARGEST_PREDICTION = 1 << 22 };

/// search(handle, q, k, options): distances and ids of one query.
static PyObject *search(PyObject *module, PyObject *const *arguments, Py_ssize_t count) {
    (void)module;
    if (count != 4 || !PyLong_Check(arguments[2]))
        return through_ctypes();
    const kin_index *index = address(arguments[0]);
    long long k = PyLong_AsLongLong(arguments[2]);
    kin_search_options options;
    bool is_table;
    if (index == NULL || k < 0 || k > LARGEST_K || !is_query(arguments[1], kin.dimension(index), &is_table) ||
        !read_options(arguments[3], &options))
        return through_ctypes();
    npy_intp shape[2] = {1, (npy_intp)k};
    PyObject *distances = PyArray_SimpleNew(is_table ? 2 : 1, is_table ? shape : shape + 1, NPY_DOUBLE);
    PyObject *ids = PyArray_SimpleNew(is_table ? 2 : 1, is_table ? shape : shape + 1, NPY_INT64);
    if (distances == NULL || ids == NULL) {
        Py_XDECREF(distances);
        Py_XDECREF(ids);
        return NULL;
    }
    const float *query = PyArray_DATA((PyArrayObject *)arguments[1]);
    uint64_t *found = PyArray_DATA((PyArrayObject *)ids);
    double *at = PyArray_DATA((PyArrayObject *)distances);
    kin_status status;
    if (k <= SHORT_RESULT && arguments[3] == Py_None && kin.count(index) * kin.dimension(index) <= SHORT_INDEX) {
        status = kin.search(index, query, 1, 0, (size_t)k, &options, found, at, NULL);
    } else {
        took_lock = 0;
        PyThreadState *state = PyEval_SaveThread();
        if (latest_search < BRIEF_SEARCH)
            take_turn(nanoseconds());
        int64_t begin = nanoseconds();
        status = kin.search(index, query, 1, 0, (size_t)k, &options, found, at, NULL);
        latest_search = nanoseconds() - begin;
        poll_lock();
        PyEval_RestoreThread(state);
        took_lock = nanoseconds();
    }
    PyObject *both = status == KIN_OK ? PyTuple_Pack(2, distances, ids) : through_ctypes();
    Py_DECREF(distances);
    Py_DECREF(ids);
    return both;
}

/// Copies 8-byte numbers into a new array.
static PyObject *copied(const void *numbers, size_t count, int type) {
    npy_intp length = (npy_intp)count;
    PyObject *array = PyArray_SimpleNew(1, &length, type);
    if (array != NULL && count > 0)
        memcpy(PyArray_DATA((PyArrayObject *)array), numbers, 8 * count);
    return array;
}

/// range_search(handle, q, radius, options): limits, distances and ids of one query.
static PyObject *range_search(PyObject *module, PyObject *const *arguments, Py_ssize_t count) {
    (void)module;
    if (count != 4)
        return through_ctypes();
    const kin_index *index = address(arguments[0]);
    double radius = PyFloat_AsDouble(arguments[2]);
    kin_search_options options;
    bool is_table;
    if (index == NULL || PyErr_Occurred() || !is_query(arguments[1], kin.dimension(index), &is_table) ||
        !read_options(arguments[3], &options))
        return through_ctypes();
    const float *query = PyArray_DATA((PyArrayObject *)arguments[1]);
    kin_matches *matches = NULL;
    kin_status status;
    PyThreadState *state = PyEval_SaveThread();
    status = kin.range_search(index, query, 1, 0, radius, &options, &matches);
    PyEval_RestoreThread(state);
    if (status != KIN_OK)
        return through_ctypes();
    const size_t *offsets = kin.offsets(matches);
    PyObject *limits = copied(offsets, 2, NPY_INT64);
    PyObject *distances = copied(kin.distances(matches), offsets[1], NPY_DOUBLE);
    PyObject *ids = copied(kin.ids(matches), offsets[1], NPY_INT64);
    kin.free_matches(matches);
    return Py_BuildValue("NNN", limits, distances, ids);
}

/// names(handle, ids): the texts of ids; None for KIN_NO_ID. A vector removed since is left to ctypes.
static PyObject *names(PyObject *module, PyObject *const *arguments, Py_ssize_t count) {
    (void)module;
    if (count != 2 || !PyArray_CheckExact(arguments[1]))
        return through_ctypes();
    PyArrayObject *ids = (PyArrayObject *)arguments[1];
    const kin_index *index = address(arguments[0]);
    npy_intp n = PyArray_SIZE(ids);
    if (index == NULL || !is_packed(arguments[1], NPY_INT64, PyArray_NDIM(ids)))
        return through_ctypes();
    char few[64 * SHORT_RESULT], *more = n > SHORT_RESULT ? PyMem_Malloc(64 * (size_t)n) : NULL;
    char *text = more == NULL ? few : more;
    size_t needed, room = more == NULL ? sizeof few : 64 * (size_t)n;
    if (kin.names(index, PyArray_DATA(ids), (size_t)n, text, room, &needed) != KIN_OK || needed > room) {
        PyMem_Free(more);
        return through_ctypes();
    }
    PyObject *texts = PyArray_SimpleNew(PyArray_NDIM(ids), PyArray_DIMS(ids), NPY_OBJECT);
    PyObject **found = texts == NULL ? NULL : PyArray_DATA((PyArrayObject *)texts);
    const int64_t *numbers = PyArray_DATA(ids);
    bool is_whole = true;
    for (npy_intp i = 0; i < n && texts != NULL; i++) {
        size_t length = strlen(text);
        is_whole = is_whole && (length > 0 || numbers[i] == -1);
        found[i] = length == 0 ? Py_NewRef(Py_None) : PyUnicode_DecodeUTF8(text, (Py_ssize_t)length, NULL);
        if (found[i] == NULL)
            Py_CLEAR(texts);
        text += length + 1;
    }
    PyMem_Free(more);
    if (is_whole || texts == NULL)
        return texts;
    Py_DECREF(texts);
    return through_ctypes();
}

/// texts(list): the addresses of texts, valid while the list has them; None if one has a character 0 or is not ASCII,
/// because Python stores UTF-8 as long as its text.
static PyObject *texts(PyObject *module, PyObject *list) {
    (void)module;
    npy_intp n = PyList_Check(list) ? PyList_Size(list) : -1;
    PyObject *addresses = n < 0 ? NULL : PyArray_SimpleNew(1, &n, NPY_UINTP);
    const char **found = addresses == NULL ? NULL : PyArray_DATA((PyArrayObject *)addresses);
    for (npy_intp i = 0; i < n && addresses != NULL; i++) {
        PyObject *text = PyList_GetItem(list, i);
        Py_ssize_t length;
        found[i] = PyUnicode_AsUTF8AndSize(text, &length);
        if (found[i] == NULL || length != PyUnicode_GetLength(text) || strlen(found[i]) != (size_t)length)
            Py_CLEAR(addresses);
    }
    return addresses == NULL ? through_ctypes() : addresses;
}

// MARK: Policies

/// A named tuple that takes ownership of three values.
static PyObject *named_tuple(PyTypeObject *type, PyObject *first, PyObject *second, PyObject *third) {
    PyObject *arguments = Py_BuildValue("((NNN))", first, second, third);
    PyObject *made = arguments == NULL ? NULL : new_tuple(type, arguments, NULL);
    Py_XDECREF(arguments);
    return made;
}

/// choose(handle, dimension, arms, context, actions): a choice among all arms in a context or, without arms, of a row.
static PyObject *choose(PyObject *module, PyObject *const *arguments, Py_ssize_t count) {
    (void)module;
    if (count != 5)
        return through_ctypes();
    bool has_arms = arguments[2] != Py_None;
    PyObject *table = arguments[has_arms ? 3 : 4];
    kin_policy *policy = address(arguments[0]);
    npy_intp dimension = PyLong_AsSsize_t(arguments[1]);
    if (policy == NULL || arguments[has_arms ? 4 : 3] != Py_None || !is_packed(table, NPY_DOUBLE, has_arms ? 1 : 2))
        return through_ctypes();
    npy_intp *shape = PyArray_DIMS((PyArrayObject *)table);
    size_t rows = has_arms ? 1 : (size_t)shape[0];
    if (shape[has_arms ? 0 : 1] != dimension || rows == 0)
        return through_ctypes();
    const double *features = PyArray_DATA((PyArrayObject *)table);
    int64_t arm;
    double propensity;
    kin_status status;
    PyThreadState *state = PyEval_SaveThread();
    status = kin.choose(policy, features, rows, 0, &arm, &propensity);
    PyEval_RestoreThread(state);
    if (status != KIN_OK)
        return through_ctypes();
    const double *chosen = has_arms ? features : features + arm * dimension;
    PyObject *event =
        named_tuple(event_type, PyBytes_FromStringAndSize((const char *)chosen, 8 * dimension),
                    has_arms ? PyLong_FromLongLong(arm) : Py_NewRef(Py_None), PyFloat_FromDouble(propensity));
    return named_tuple(choice_type, PyLong_FromLongLong(arm), PyFloat_FromDouble(propensity), event);
}

/// learn(handle, dimension, arms, event, reward, weight): True once the policy has learned.
static PyObject *learn(PyObject *module, PyObject *const *arguments, Py_ssize_t count) {
    (void)module;
    if (count != 6 || !PyObject_TypeCheck(arguments[3], event_type))
        return through_ctypes();
    kin_policy *policy = address(arguments[0]);
    Py_ssize_t dimension = PyLong_AsSsize_t(arguments[1]);
    long long arms = arguments[2] == Py_None ? 1 : PyLong_AsLongLong(arguments[2]);
    PyObject *features = PyTuple_GetItem(arguments[3], 0);
    PyObject *chosen = PyTuple_GetItem(arguments[3], 1);
    if (policy == NULL || features == NULL || chosen == NULL || !PyBytes_CheckExact(features) ||
        PyBytes_Size(features) != 8 * dimension || (chosen != Py_None && !PyLong_CheckExact(chosen)))
        return through_ctypes();
    int64_t arm = chosen == Py_None ? 0 : PyLong_AsLongLong(chosen);
    double reward = PyFloat_AsDouble(arguments[4]);
    double weight = PyFloat_AsDouble(arguments[5]);
    if (PyErr_Occurred() || arm < 0 || arm >= arms)
        return through_ctypes();
    // The library reads the bytes in place, so they must be aligned.
    const void *row = PyBytes_AsString(features);
    if ((uintptr_t)row % sizeof(double) != 0)
        return through_ctypes();
    kin_status status;
    PyThreadState *state = PyEval_SaveThread();
    status = kin.learn(policy, row, 1, 0, chosen == Py_None ? NULL : &arm, &reward, weight == 1 ? NULL : &weight);
    PyEval_RestoreThread(state);
    return status == KIN_OK ? Py_NewRef(Py_True) : through_ctypes();
}

// MARK: Clusters

/// predict(centroids, metric, points, threads): the label of each point.
static PyObject *predict(PyObject *module, PyObject *const *arguments, Py_ssize_t count) {
    (void)module;
    if (count != 4 || !is_packed(arguments[0], NPY_FLOAT, 2) || !is_packed(arguments[2], NPY_FLOAT, 2))
        return through_ctypes();
    npy_intp *size = PyArray_DIMS((PyArrayObject *)arguments[0]);
    npy_intp *shape = PyArray_DIMS((PyArrayObject *)arguments[2]);
    long metric = PyLong_AsLong(arguments[1]);
    size_t threads = PyLong_AsSize_t(arguments[3]);
    // A long call goes through ctypes, which reports progress and can be interrupted.
    if (PyErr_Occurred() || shape[1] != size[1] || shape[0] == 0 || shape[0] * size[0] > LARGEST_PREDICTION)
        return through_ctypes();
    PyObject *labels = PyArray_SimpleNew(1, shape, NPY_INT64);
    if (labels == NULL)
        return NULL;
    const float *centroids = PyArray_DATA((PyArrayObject *)arguments[0]);
    const float *points = PyArray_DATA((PyArrayObject *)arguments[2]);
    int64_t *found = PyArray_DATA((PyArrayObject *)labels);
    kin_clustering *clustering = NULL;
    kin_status status;
    PyThreadState *state = PyEval_SaveThread();
    status = kin.create_clustering(centroids, (size_t)size[0], (size_t)size[1], 0, (kin_metric)metric, &clustering);
    if (status == KIN_OK) {
        status = kin.assign(clustering, points, (size_t)shape[0], 0, threads, found, NULL);
        kin.free_clustering(clustering);
    }
    PyEval_RestoreThread(state);
    if (status == KIN_OK)
        return labels;
    Py_DECREF(labels);
    return through_ctypes();
}

// MARK: Module

/// bind(addresses, Choice, Event): stores the addresses of the library's functions and the tuple types of a policy.
static PyObject *bind(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *addresses, *choice, *event;
    if (!PyArg_ParseTuple(arguments, "O!O!O!", &PyTuple_Type, &addresses, &PyType_Type, &choice, &PyType_Type, &event))
        return NULL;
    if (PyTuple_Size(addresses) * sizeof(void *) != sizeof kin) {
        PyErr_SetString(PyExc_ValueError,
                        "the package and its module _calls are of different releases; install it again");
        return NULL;
    }
    void *functions[sizeof kin / sizeof(void *)];
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        functions[i] = PyLong_AsVoidPtr(PyTuple_GetItem(addresses, (Py_ssize_t)i));
        if (functions[i] == NULL)
            return NULL;
    }
    memcpy(&kin, functions, sizeof kin);
    choice_type = (PyTypeObject *)Py_NewRef(choice);
    event_type = (PyTypeObject *)Py_NewRef(event);
    return Py_NewRef(Py_None);
}

static PyMethodDef methods[] = {
    {"bind", bind, METH_VARARGS, NULL},
    {"search", (PyCFunction)(void (*)(void))search, METH_FASTCALL, NULL},
    {"range_search", (PyCFunction)(void (*)(void))range_search, METH_FASTCALL, NULL},
    {"names", (PyCFunction)(void (*)(void))names, METH_FASTCALL, NULL},
    {"texts", texts, METH_O, NULL},
    {"choose", (PyCFunction)(void (*)(void))choose, METH_FASTCALL, NULL},
    {"learn", (PyCFunction)(void (*)(void))learn, METH_FASTCALL, NULL},
    {"predict", (PyCFunction)(void (*)(void))predict, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "kin._calls", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__calls(void) {
    import_array();
    address_name = PyUnicode_InternFromString("_as_parameter_");
    new_tuple = (newfunc)PyType_GetSlot(&PyTuple_Type, Py_tp_new);
    if (address_name == NULL || new_tuple == NULL)
        return NULL;
    if (pthread_atfork(NULL, NULL, forget_threads) != 0)
        return PyErr_NoMemory();
    return PyModule_Create(&definition);
}

// libedit: line editing and history. Uses libedit's own API, which stores all state in a handle, and not its API
// compatible with readline. Functions with fixed parameters wrap the variadic calls, which Swift cannot make.
#include <dlfcn.h>
#include <histedit.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

typedef unsigned char (*kin_edit_key)(EditLine *, int);
typedef char *(*kin_edit_prompt)(EditLine *);

// The library's functions that the tool uses.
#define KIN_EDIT_FUNCTIONS(each)                                                                                       \
    each(el_init) each(el_end) each(el_source) each(el_gets) each(el_line) each(el_insertstr) each(el_cursor)          \
        each(el_deletestr) each(el_set) each(el_get) each(history) each(history_init) each(history_end)

#define KIN_EDIT_FIELD(name) __typeof__(name) *name;
typedef struct {
    KIN_EDIT_FUNCTIONS(KIN_EDIT_FIELD)
} kin_edit_table;

// The library's functions, found when the first line is edited; NULL if the machine does not have it. A program that
// contains the tool does not depend on libedit.
static inline const kin_edit_table *kin_edit(void) {
    static kin_edit_table table;
    if (table.el_init)
        return &table;
#ifdef __APPLE__
    void *library = dlopen("libedit.3.dylib", RTLD_LAZY);
#else
    // Debian's name is different from everyone else's.
    void *library = dlopen("libedit.so.2", RTLD_LAZY);
    if (!library)
        library = dlopen("libedit.so.0", RTLD_LAZY);
#endif
    if (!library)
        return NULL;
#define KIN_EDIT_FIND(name) table.name = (__typeof__(name) *)dlsym(library, #name);
    KIN_EDIT_FUNCTIONS(KIN_EDIT_FIND)
    return &table;
}

// Sets the locale of characters; returns whether they are UTF-8. libedit drops the bytes of other characters.
static inline int kin_edit_use_locale(const char *name) {
    return setlocale(LC_CTYPE, name) && !strcmp(nl_langinfo(CODESET), "UTF-8");
}

// A line editor on the process's own terminal; NULL without libedit.
static inline EditLine *kin_edit_open(const char *program) {
    return kin_edit() ? kin_edit()->el_init(program, stdin, stdout, stderr) : NULL;
}

static inline void kin_edit_close(EditLine *editor) {
    kin_edit()->el_end(editor);
}

// Applies the settings of the user's ~/.editrc.
static inline int kin_edit_read_settings(EditLine *editor) {
    return kin_edit()->el_source(editor, NULL);
}

static inline const char *kin_edit_read_line(EditLine *editor, int *count) {
    return kin_edit()->el_gets(editor, count);
}

static inline const LineInfo *kin_edit_line(EditLine *editor) {
    return kin_edit()->el_line(editor);
}

static inline int kin_edit_insert(EditLine *editor, const char *text) {
    return kin_edit()->el_insertstr(editor, text);
}

// Moves the cursor by a number of characters, and deletes a number of characters before it.
static inline void kin_edit_delete(EditLine *editor, int move, int count) {
    kin_edit()->el_cursor(editor, move);
    kin_edit()->el_deletestr(editor, count);
}

static inline int kin_edit_set_client(EditLine *editor, void *client) {
    return kin_edit()->el_set(editor, EL_CLIENTDATA, client);
}

static inline void *kin_edit_client(EditLine *editor) {
    void *client = NULL;
    kin_edit()->el_get(editor, EL_CLIENTDATA, &client);
    return client;
}

static inline int kin_edit_set_prompt(EditLine *editor, kin_edit_prompt prompt, char escape) {
    return kin_edit()->el_set(editor, EL_PROMPT_ESC, prompt, escape);
}

static inline int kin_edit_set_emacs(EditLine *editor) {
    return kin_edit()->el_set(editor, EL_EDITOR, "emacs");
}

static inline int kin_edit_add_function(EditLine *editor, const char *name, const char *help, kin_edit_key function) {
    return kin_edit()->el_set(editor, EL_ADDFN, name, help, function);
}

static inline int kin_edit_bind(EditLine *editor, const char *key, const char *function) {
    return kin_edit()->el_set(editor, EL_BIND, key, function, NULL);
}

// Lets Ctrl-C and Ctrl-Z reach the editor as keys while a line is edited, instead of as signals.
static inline int kin_edit_free_signal_keys(EditLine *editor) {
    return kin_edit()->el_set(editor, EL_SETTY, "-d", "-isig", NULL);
}

// Returns the terminal to its normal mode, or prepares it for editing again.
static inline int kin_edit_take_terminal(EditLine *editor, int on) {
    return kin_edit()->el_set(editor, EL_PREP_TERM, on);
}

static inline int kin_edit_set_history(EditLine *editor, History *lines) {
    return kin_edit()->el_set(editor, EL_HIST, kin_edit()->history, lines);
}

static inline History *kin_history_open(void) {
    return kin_edit() ? kin_edit()->history_init() : NULL;
}

static inline void kin_history_close(History *lines) {
    kin_edit()->history_end(lines);
}

// Returns a line of the history, or NULL without one: H_LAST is the oldest line, and H_PREV the line after the current.
static inline const char *kin_history_line(History *lines, int operation) {
    HistEvent event;
    return kin_edit()->history(lines, &event, operation) < 0 ? NULL : event.str;
}

// Changes a number of the history, H_SETSIZE or H_SETUNIQUE, or removes every line, H_CLEAR.
static inline int kin_history_set(History *lines, int operation, int value) {
    HistEvent event;
    return kin_edit()->history(lines, &event, operation, value);
}

// Adds a line, or reads or writes a file: H_ENTER, H_LOAD or H_SAVE.
static inline int kin_history_use(History *lines, int operation, const char *text) {
    HistEvent event;
    return kin_edit()->history(lines, &event, operation, text);
}

// libedit: line editing and history. Uses libedit's own API, which stores all state in a handle, and not its API
// compatible with readline. Functions with fixed parameters wrap the variadic calls, which Swift cannot make.
#include <dlfcn.h>
#include <histedit.h>
#include <stdio.h>

typedef unsigned char (*kin_edit_key)(EditLine *, int);
typedef char *(*kin_edit_prompt)(EditLine *);

// The library, found when the first line is edited; NULL if the machine does not have it. A program that contains the
// tool does not depend on libedit.
static inline void *kin_edit_library(void) {
#ifdef __APPLE__
    return dlopen("libedit.3.dylib", RTLD_LAZY);
#else
    // Debian's name is different from everyone else's.
    void *library = dlopen("libedit.so.2", RTLD_LAZY);
    return library ? library : dlopen("libedit.so.0", RTLD_LAZY);
#endif
}

// A function of the library.
#define KIN_EDIT(name) ((__typeof__(name) *)dlsym(kin_edit_library(), #name))

// A line editor on the process's own terminal; NULL without libedit.
static inline EditLine *kin_edit_open(const char *program) {
    return kin_edit_library() ? KIN_EDIT(el_init)(program, stdin, stdout, stderr) : NULL;
}

static inline void kin_edit_close(EditLine *editor) {
    KIN_EDIT(el_end)(editor);
}

// Applies the settings of the user's ~/.editrc.
static inline int kin_edit_read_settings(EditLine *editor) {
    return KIN_EDIT(el_source)(editor, NULL);
}

static inline const char *kin_edit_read_line(EditLine *editor, int *count) {
    return KIN_EDIT(el_gets)(editor, count);
}

static inline const LineInfo *kin_edit_line(EditLine *editor) {
    return KIN_EDIT(el_line)(editor);
}

static inline int kin_edit_insert(EditLine *editor, const char *text) {
    return KIN_EDIT(el_insertstr)(editor, text);
}

// Moves the cursor by a number of characters, and deletes a number of characters before it.
static inline void kin_edit_delete(EditLine *editor, int move, int count) {
    KIN_EDIT(el_cursor)(editor, move);
    KIN_EDIT(el_deletestr)(editor, count);
}

static inline int kin_edit_set_client(EditLine *editor, void *client) {
    return KIN_EDIT(el_set)(editor, EL_CLIENTDATA, client);
}

static inline void *kin_edit_client(EditLine *editor) {
    void *client = NULL;
    KIN_EDIT(el_get)(editor, EL_CLIENTDATA, &client);
    return client;
}

static inline int kin_edit_set_prompt(EditLine *editor, kin_edit_prompt prompt, char escape) {
    return KIN_EDIT(el_set)(editor, EL_PROMPT_ESC, prompt, escape);
}

static inline int kin_edit_set_emacs(EditLine *editor) {
    return KIN_EDIT(el_set)(editor, EL_EDITOR, "emacs");
}

static inline int kin_edit_add_function(EditLine *editor, const char *name, const char *help, kin_edit_key function) {
    return KIN_EDIT(el_set)(editor, EL_ADDFN, name, help, function);
}

static inline int kin_edit_bind(EditLine *editor, const char *key, const char *function) {
    return KIN_EDIT(el_set)(editor, EL_BIND, key, function, NULL);
}

// Lets Ctrl-C and Ctrl-Z reach the editor as keys while a line is edited, instead of as signals.
static inline int kin_edit_free_signal_keys(EditLine *editor) {
    return KIN_EDIT(el_set)(editor, EL_SETTY, "-d", "-isig", NULL);
}

// Returns the terminal to its normal mode, or prepares it for editing again.
static inline int kin_edit_take_terminal(EditLine *editor, int on) {
    return KIN_EDIT(el_set)(editor, EL_PREP_TERM, on);
}

static inline int kin_edit_set_history(EditLine *editor, History *lines) {
    return KIN_EDIT(el_set)(editor, EL_HIST, KIN_EDIT(history), lines);
}

static inline History *kin_history_open(void) {
    return KIN_EDIT(history_init)();
}

static inline void kin_history_close(History *lines) {
    KIN_EDIT(history_end)(lines);
}

static inline int kin_history_set_size(History *lines, int count) {
    HistEvent event;
    return KIN_EDIT(history)(lines, &event, H_SETSIZE, count);
}

static inline int kin_history_set_unique(History *lines, int on) {
    HistEvent event;
    return KIN_EDIT(history)(lines, &event, H_SETUNIQUE, on);
}

static inline int kin_history_enter(History *lines, const char *line) {
    HistEvent event;
    return KIN_EDIT(history)(lines, &event, H_ENTER, line);
}

static inline int kin_history_load(History *lines, const char *path) {
    HistEvent event;
    return KIN_EDIT(history)(lines, &event, H_LOAD, path);
}

static inline int kin_history_save(History *lines, const char *path) {
    HistEvent event;
    return KIN_EDIT(history)(lines, &event, H_SAVE, path);
}

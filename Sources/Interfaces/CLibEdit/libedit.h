// libedit: line editing and history. Uses libedit's own API, which stores all state in a handle, and not its API
// compatible with readline. Functions with fixed parameters wrap the variadic calls, which Swift cannot make.
#include <histedit.h>
#include <stdio.h>

typedef unsigned char (*kin_edit_key)(EditLine *, int);
typedef char *(*kin_edit_prompt)(EditLine *);

// A line editor on the process's own terminal.
static inline EditLine *kin_edit_open(const char *program) {
    return el_init(program, stdin, stdout, stderr);
}

static inline int kin_edit_set_client(EditLine *editor, void *client) {
    return el_set(editor, EL_CLIENTDATA, client);
}

static inline void *kin_edit_client(EditLine *editor) {
    void *client = NULL;
    el_get(editor, EL_CLIENTDATA, &client);
    return client;
}

static inline int kin_edit_set_prompt(EditLine *editor, kin_edit_prompt prompt, char escape) {
    return el_set(editor, EL_PROMPT_ESC, prompt, escape);
}

static inline int kin_edit_set_emacs(EditLine *editor) {
    return el_set(editor, EL_EDITOR, "emacs");
}

static inline int kin_edit_add_function(EditLine *editor, const char *name, const char *help, kin_edit_key function) {
    return el_set(editor, EL_ADDFN, name, help, function);
}

static inline int kin_edit_bind(EditLine *editor, const char *key, const char *function) {
    return el_set(editor, EL_BIND, key, function, NULL);
}

// Lets Ctrl-C and Ctrl-Z reach the editor as keys while a line is edited, instead of as signals.
static inline int kin_edit_free_signal_keys(EditLine *editor) {
    return el_set(editor, EL_SETTY, "-d", "-isig", NULL);
}

// Returns the terminal to its normal mode, or prepares it for editing again.
static inline int kin_edit_take_terminal(EditLine *editor, int on) {
    return el_set(editor, EL_PREP_TERM, on);
}

static inline int kin_edit_set_history(EditLine *editor, History *lines) {
    return el_set(editor, EL_HIST, history, lines);
}

static inline int kin_history_set_size(History *lines, int count) {
    HistEvent event;
    return history(lines, &event, H_SETSIZE, count);
}

static inline int kin_history_set_unique(History *lines, int on) {
    HistEvent event;
    return history(lines, &event, H_SETUNIQUE, on);
}

static inline int kin_history_enter(History *lines, const char *line) {
    HistEvent event;
    return history(lines, &event, H_ENTER, line);
}

static inline int kin_history_load(History *lines, const char *path) {
    HistEvent event;
    return history(lines, &event, H_LOAD, path);
}

static inline int kin_history_save(History *lines, const char *path) {
    HistEvent event;
    return history(lines, &event, H_SAVE, path);
}

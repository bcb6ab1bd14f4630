// The readline-compatible face of libedit: line editing, history and completion.
#include <stdio.h>
#include <editline/readline.h>

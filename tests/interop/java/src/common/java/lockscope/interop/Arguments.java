// SPDX-License-Identifier: GPL-3.0-or-later
package lockscope.interop;

/** {@code TAG COMMAND THREAD WORD…}; a dash stands for a value that is absent. */
record Arguments(String[] words) {
    static final long ABSENT = -1;

    String tag() {
        return words[0];
    }

    String command() {
        return words[1];
    }

    String thread() {
        return words[2];
    }

    String word(int index) {
        return words[3 + index];
    }

    long number(int index) {
        return word(index).equals("-") ? ABSENT : Long.parseLong(word(index));
    }

    String[] list(int index) {
        return word(index).split(",");
    }
}

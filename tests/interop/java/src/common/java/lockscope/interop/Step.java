// SPDX-License-Identifier: GPL-3.0-or-later
package lockscope.interop;

/** One command on its thread; gives the answer. */
interface Step {
    String run() throws Exception;
}

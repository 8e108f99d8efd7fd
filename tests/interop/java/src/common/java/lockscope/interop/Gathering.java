// SPDX-License-Identifier: GPL-3.0-or-later
package lockscope.interop;

/** Workers of this process that go on until they are stopped; the answer comes when the last of them is done. */
interface Gathering extends Step {
    void stop();
}

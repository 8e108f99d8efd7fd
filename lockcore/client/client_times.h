// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/time.h"

namespace lockcore {

/// How long a lock client waits for servers before it does something else. The defaults suit production; a test that
/// wants to see what happens afterwards makes them short.
/// Units:  milliseconds.
struct ClientTimes {
    // a connection
    Millis connect{ 5'000 }; // up to the end of the handshake
    Millis answer{ 10'000 }; // to the oldest request under way; then the connection is dropped, and a try void
    Millis keepAlive{ 15'000 }; // PING after so long without traffic
    Millis firstReconnect{ 200 }; // doubled each time, with jitter
    Millis longestReconnect{ 10'000 };

    // what is asked for, over all its attempts
    Millis call{ 30'000 }; // all that neither waits for a lock nor releases one
    Millis release{ 30'000 };
    /// What a release did is remembered so long on the server, where its answer was lost; not below `release`. A copy
    /// of it may come late: whoever passes it on sends it again for up to half an hour (Linux, tcp_retries2).
    Millis latch{ 1'800'000 };
    Millis close{ 5'000 }; // queues are left, releases answered
    Millis closeInDoubt{ 15'000 }; // nobody knows what a try has got, and it is to be given back

    // between attempts
    Millis releaseAgain{ 500 }; // the server refused for now
    Millis cleanUpAgain{ 1'000 };
    Millis firstRenewalAgain{ 100 }; // doubled each time
    Millis longestRenewalAgain{ 1'000 };

    // waits for locks, permits and gates
    Millis grace{ 500 }; // for the answer to a try that is under way when the time is over
    Millis inTrouble{ 500 }; // the server refuses for now
    Millis offline{ 5'000 }; // a wait is told of a connection, this is to be on the safe side
    Millis lookAtLocks{ 60'000 }; // messages can be missed
};

} // namespace lockcore

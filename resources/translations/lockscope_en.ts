<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US">
<context>
    <name>BulkText</name>
    <message numerus="yes">
        <source>all %1 holders lose it</source>
        <translation>
            <numerusform>its %1 holder loses it</numerusform>
            <numerusform>all %1 holders lose it</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the first of %1 in the queue is next</source>
        <translation>
            <numerusform>%1 in the queue is next</numerusform>
            <numerusform>the first of %1 in the queue is next</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>wakes %1 client instances</source>
        <translation>
            <numerusform>wakes %1 client instance</numerusform>
            <numerusform>wakes %1 client instances</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 more clients look alive.</source>
        <translation>
            <numerusform>%1 more client looks alive.</numerusform>
            <numerusform>%1 more clients look alive.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>on %1 servers, under an id on each: taken for one client</source>
        <translation>
            <numerusform>on %1 server, under an id on each: taken for one client</numerusform>
            <numerusform>on %1 servers, under an id on each: taken for one client</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 more clients looked alive then.</source>
        <translation>
            <numerusform>%1 more client looked alive then.</numerusform>
            <numerusform>%1 more clients looked alive then.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ChainText</name>
    <message numerus="yes">
        <source>%1 client instances</source>
        <translation>
            <numerusform>%1 client instance</numerusform>
            <numerusform>%1 client instances</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 wait for %2</source>
        <translation>
            <numerusform>%1 waits for %2</numerusform>
            <numerusform>%1 wait for %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>What those %1 who wait now have waited so far, added up.</source>
        <translation>
            <numerusform>What the %1 who waits now has waited so far.</numerusform>
            <numerusform>What those %1 who wait now have waited so far, added up.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 readers</source>
        <translation>
            <numerusform>%1 reader</numerusform>
            <numerusform>%1 readers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 holders</source>
        <translation>
            <numerusform>%1 holder</numerusform>
            <numerusform>%1 holders</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 more in the queue</source>
        <translation>
            <numerusform>%1 more in the queue</numerusform>
            <numerusform>%1 more in the queue</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>wait; who is not known</source>
        <translation>
            <numerusform>waits; who is not known</numerusform>
            <numerusform>wait; who is not known</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 listen for the release of %2.</source>
        <translation>
            <numerusform>%1 listens for the release of %2.</numerusform>
            <numerusform>%1 listen for the release of %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 permits are free: who waits needs more, or missed it</source>
        <translation>
            <numerusform>%1 permit is free: who waits needs more, or missed it</numerusform>
            <numerusform>%1 permits are free: who waits needs more, or missed it</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 clients</source>
        <translation>
            <numerusform>%1 client</numerusform>
            <numerusform>%1 clients</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 locks</source>
        <translation>
            <numerusform>%1 lock</numerusform>
            <numerusform>%1 locks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ContenderText</name>
    <message numerus="yes">
        <source>%1 lost before their unlock</source>
        <translation>
            <numerusform>%1 lost before its unlock</numerusform>
            <numerusform>%1 lost before their unlock</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 waits given up</source>
        <translation>
            <numerusform>%1 wait given up</numerusform>
            <numerusform>%1 waits given up</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 crashes</source>
        <translation>
            <numerusform>%1 crash</numerusform>
            <numerusform>%1 crashes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 go on without their lock</source>
        <translation>
            <numerusform>%1 goes on without its lock</numerusform>
            <numerusform>%1 go on without their lock</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DisplayText</name>
    <message numerus="yes">
        <source>… (%1 bytes in all)</source>
        <translation>
            <numerusform>… (%1 byte in all)</numerusform>
            <numerusform>… (%1 bytes in all)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 keys</source>
        <translation>
            <numerusform>%1 key</numerusform>
            <numerusform>%1 keys</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EventText</name>
    <message numerus="yes">
        <source>%n slow commands on %1 of which the slow log tells nothing any more</source>
        <translation>
            <numerusform>%n slow command on %1 of which the slow log tells nothing any more</numerusform>
            <numerusform>%n slow commands on %1 of which the slow log tells nothing any more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FeedText</name>
    <message numerus="yes">
        <source>%1, to find out whether other keys are still written too often (%n a second before).</source>
        <translation>
            <numerusform>%1, to find out whether other keys are still written too often (%n a second before).</numerusform>
            <numerusform>%1, to find out whether other keys are still written too often (%n a second before).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, since other keys are written about %n times a second.</source>
        <translation>
            <numerusform>%1, since other keys are written about %n time a second.</numerusform>
            <numerusform>%1, since other keys are written about %n times a second.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of keys that begin with %2, since others are written about %n times a second. New locks with other names are found by sweeps only.</source>
        <translation>
            <numerusform>%1 of keys that begin with %2, since others are written about %n time a second. New locks with other names are found by sweeps only.</numerusform>
            <numerusform>%1 of keys that begin with %2, since others are written about %n times a second. New locks with other names are found by sweeps only.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>GroupText</name>
    <message numerus="yes">
        <source>%1 locks</source>
        <translation>
            <numerusform>%1 lock</numerusform>
            <numerusform>%1 locks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 held</source>
        <translation>
            <numerusform>%1 held</numerusform>
            <numerusform>%1 held</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 waiting</source>
        <translation>
            <numerusform>%1 waiting</numerusform>
            <numerusform>%1 waiting</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 need attention</source>
        <translation>
            <numerusform>%1 needs attention</numerusform>
            <numerusform>%1 need attention</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>IncidentText</name>
    <message numerus="yes">
        <source>Pauses between steps are as they were, but for %n that were longer than %1, and last so long here.</source>
        <translation>
            <numerusform>Pauses between steps are as they were, but for %n that was longer than %1, and lasts so long here.</numerusform>
            <numerusform>Pauses between steps are as they were, but for %n that were longer than %1, and last so long here.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LabLaneTips</name>
    <message numerus="yes">
        <source>%n renewals seen</source>
        <translation>
            <numerusform>%n renewal seen</numerusform>
            <numerusform>%n renewals seen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LabReport</name>
    <message numerus="yes">
        <source>%1 of %n steps passed</source>
        <translation>
            <numerusform>%1 of %n step passed</numerusform>
            <numerusform>%1 of %n steps passed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n scenarios that could not be played on this computer</source>
        <translation>
            <numerusform>%n scenario that could not be played on this computer</numerusform>
            <numerusform>%n scenarios that could not be played on this computer</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n failed</source>
        <translation>
            <numerusform>%n failed</numerusform>
            <numerusform>%n failed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n not played to their end</source>
        <translation>
            <numerusform>%n not played to its end</numerusform>
            <numerusform>%n not played to their end</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n scenarios passed</source>
        <translation>
            <numerusform>%1 of %n scenario passed</numerusform>
            <numerusform>%1 of %n scenarios passed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n not finished</source>
        <translation>
            <numerusform>%n not finished</numerusform>
            <numerusform>%n not finished</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n left out</source>
        <translation>
            <numerusform>%n left out</numerusform>
            <numerusform>%n left out</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LockText</name>
    <message numerus="yes">
        <source>renewed %1 times</source>
        <translation>
            <numerusform>renewed %1 time</numerusform>
            <numerusform>renewed %1 times</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 readers</source>
        <translation>
            <numerusform>%1 reader</numerusform>
            <numerusform>%1 readers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n holders, run out</source>
        <translation>
            <numerusform>%n holder, run out</numerusform>
            <numerusform>%n holders, run out</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n clients, thread %1</source>
        <translation>
            <numerusform>%n client, thread %1</numerusform>
            <numerusform>%n clients, thread %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 holders</source>
        <translation>
            <numerusform>%1 holder</numerusform>
            <numerusform>%1 holders</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>At least %1 in the fair queue: no more are read.</source>
        <translation>
            <numerusform>At least %1 in the fair queue: no more are read.</numerusform>
            <numerusform>At least %1 in the fair queue: no more are read.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 in the fair queue</source>
        <translation>
            <numerusform>%1 in the fair queue</numerusform>
            <numerusform>%1 in the fair queue</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 client instances subscribed</source>
        <translation>
            <numerusform>%1 client instance subscribed</numerusform>
            <numerusform>%1 client instances subscribed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of them ghosts, whose clients seem to be gone</source>
        <translation>
            <numerusform>%1 of them a ghost, whose client seems to be gone</numerusform>
            <numerusform>%1 of them ghosts, whose clients seem to be gone</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 client instances were subscribed</source>
        <translation>
            <numerusform>%1 client instance was subscribed</numerusform>
            <numerusform>%1 client instances were subscribed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>NodeText</name>
    <message numerus="yes">
        <source>%1 locks</source>
        <translation>
            <numerusform>%1 lock</numerusform>
            <numerusform>%1 locks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>QuorumText</name>
    <message numerus="yes">
        <source>It is contended: %n have it at once on some of the servers.</source>
        <translation>
            <numerusform>It is contended: %n have it at once on some of the servers.</numerusform>
            <numerusform>It is contended: %n have it at once on some of the servers.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ReleaseText</name>
    <message numerus="yes">
        <source>All %1 holders lose the lock.</source>
        <translation>
            <numerusform>The %1 holder loses the lock.</numerusform>
            <numerusform>All %1 holders lose the lock.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 client instances are subscribed and will be woken. Which of them gets the lock is open.</source>
        <translation>
            <numerusform>%1 client instance is subscribed and will be woken. Which of its threads gets the lock is open.</numerusform>
            <numerusform>%1 client instances are subscribed and will be woken. Which of them gets the lock is open.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>StepText</name>
    <message numerus="yes">
        <source>in Redis %n listen to the channel %1</source>
        <translation>
            <numerusform>in Redis %n listens to the channel %1</numerusform>
            <numerusform>in Redis %n listen to the channel %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the monitor shows %n free permits of %1</source>
        <translation>
            <numerusform>the monitor shows %n free permit of %1</numerusform>
            <numerusform>the monitor shows %n free permits of %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the monitor shows %1 held on %n servers</source>
        <translation>
            <numerusform>the monitor shows %1 held on %n server</numerusform>
            <numerusform>the monitor shows %1 held on %n servers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n independent servers</source>
        <translation>
            <numerusform>%n independent server</numerusform>
            <numerusform>%n independent servers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n permits</source>
        <translation>
            <numerusform>%n permit</numerusform>
            <numerusform>%n permits</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>look at %1 and %n more</source>
        <translation>
            <numerusform>look at %1 and %n more</numerusform>
            <numerusform>look at %1 and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SuspectText</name>
    <message numerus="yes">
        <source>%n client instances wait</source>
        <translation>
            <numerusform>%n client instance waits</numerusform>
            <numerusform>%n client instances wait</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n waiters wait</source>
        <translation>
            <numerusform>%n waiter waits</numerusform>
            <numerusform>%n waiters wait</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Nobody holds it or takes it, though %n waiters are queued; the first has no time-out, so nobody clears it away.</source>
        <translation>
            <numerusform>Nobody holds it or takes it, though %n waiter is queued; the first has no time-out, so nobody clears it away.</numerusform>
            <numerusform>Nobody holds it or takes it, though %n waiters are queued; the first has no time-out, so nobody clears it away.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Nobody holds it or takes it, though %n waiters are queued; the time-out of the first ran out %1 ago.</source>
        <translation>
            <numerusform>Nobody holds it or takes it, though %n waiter is queued; the time-out of the first ran out %1 ago.</numerusform>
            <numerusform>Nobody holds it or takes it, though %n waiters are queued; the time-out of the first ran out %1 ago.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n client instances have listened for at least %1</source>
        <translation>
            <numerusform>%n client instance has listened for at least %1</numerusform>
            <numerusform>%n client instances have listened for at least %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 though %n permits could be taken: a message was missed, or each wants more than that.</source>
        <translation>
            <numerusform>%1 though %n permit could be taken: a message was missed, or each wants more than that.</numerusform>
            <numerusform>%1 though %n permits could be taken: a message was missed, or each wants more than that.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n owners stand in its hash where one at a time may hold it.</source>
        <translation>
            <numerusform>%n owner stands in its hash where one at a time may hold it.</numerusform>
            <numerusform>%n owners stand in its hash where one at a time may hold it.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 hand-overs</source>
        <translation>
            <numerusform>%1 hand-over</numerusform>
            <numerusform>%1 hand-overs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 whole waits: %2 on average, %3 at most</source>
        <translation>
            <numerusform>%1 whole wait: %2 on average, %3 at most</numerusform>
            <numerusform>%1 whole waits: %2 on average, %3 at most</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>It has been held for %1, and the lock was renewed %n times</source>
        <translation>
            <numerusform>It has been held for %1, and the lock was renewed %n time</numerusform>
            <numerusform>It has been held for %1, and the lock was renewed %n times</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Nobody holds it or takes it, though %n waiters are queued; the first keeps everybody else from it for another %1.</source>
        <translation>
            <numerusform>Nobody holds it or takes it, though %n waiter is queued; the first keeps everybody else from it for another %1.</numerusform>
            <numerusform>Nobody holds it or takes it, though %n waiters are queued; the first keeps everybody else from it for another %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 holds measured: %2 on average, %3 at most</source>
        <translation>
            <numerusform>%1 hold measured: %2 on average, %3 at most</numerusform>
            <numerusform>%1 holds measured: %2 on average, %3 at most</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TimelineTips</name>
    <message numerus="yes">
        <source>%1 waiting</source>
        <translation>
            <numerusform>%1 waiting</numerusform>
            <numerusform>%1 waiting</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TrialText</name>
    <message numerus="yes">
        <source>%1, %n slots</source>
        <translation>
            <numerusform>%1, %n slot</numerusform>
            <numerusform>%1, %n slots</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n servers answer</source>
        <translation>
            <numerusform>%1 of %n server answers</numerusform>
            <numerusform>%1 of %n servers answer</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n masters answer, with %2 of %3 slots</source>
        <translation>
            <numerusform>%1 of %n master answers, with %2 of %3 slots</numerusform>
            <numerusform>%1 of %n masters answer, with %2 of %3 slots</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>UnseenLocks</name>
    <message numerus="yes">
        <source>%1 locks were there then.</source>
        <translation>
            <numerusform>%1 lock was there then.</numerusform>
            <numerusform>%1 locks were there then.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message numerus="yes">
        <source>%1 fits %n of them: lockctl show tells them as a whole</source>
        <translation>
            <numerusform>%1 fits %n of them: lockctl show tells them as a whole</numerusform>
            <numerusform>%1 fits %n of them: lockctl show tells them as a whole</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Nothing looks wrong with %n locks, watched for %1.</source>
        <translation>
            <numerusform>Nothing looks wrong with %n lock, watched for %1.</numerusform>
            <numerusform>Nothing looks wrong with %n locks, watched for %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Nothing looks wrong with what could be watched: %n locks, watched for %1.</source>
        <translation>
            <numerusform>Nothing looks wrong with what could be watched: %n lock, watched for %1.</numerusform>
            <numerusform>Nothing looks wrong with what could be watched: %n locks, watched for %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>That is all with %n locks, watched for %1.</source>
        <translation>
            <numerusform>That is all with %n lock, watched for %1.</numerusform>
            <numerusform>That is all with %n locks, watched for %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>That is all with what could be watched: %n locks, watched for %1.</source>
        <translation>
            <numerusform>That is all with what could be watched: %n lock, watched for %1.</numerusform>
            <numerusform>That is all with what could be watched: %n locks, watched for %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Not listed: %n more suspects.</source>
        <translation>
            <numerusform>Not listed: %n more suspect.</numerusform>
            <numerusform>Not listed: %n more suspects.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n things would take longer to tell: try it with a longer --for.</source>
        <translation>
            <numerusform>%n thing would take longer to tell: try it with a longer --for.</numerusform>
            <numerusform>%n things would take longer to tell: try it with a longer --for.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>a hash is there under this name, its owner is not in a form that is known; it has %n fields</source>
        <translation>
            <numerusform>a hash is there under this name, its owner is not in a form that is known; it has %n field</numerusform>
            <numerusform>a hash is there under this name, its owner is not in a form that is known; it has %n fields</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n clients:%1</source>
        <translation>
            <numerusform>%n client:%1</numerusform>
            <numerusform>%n clients:%1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n holders</source>
        <translation>
            <numerusform>%n holder</numerusform>
            <numerusform>%n holders</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>None of %n locks match the filter.</source>
        <translation>
            <numerusform>None of %n lock matches the filter.</numerusform>
            <numerusform>None of %n locks match the filter.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n keys were looked at.</source>
        <translation>
            <numerusform>%n key was looked at.</numerusform>
            <numerusform>%n keys were looked at.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: %2, %n events</source>
        <translation>
            <numerusform>%1: %2, %n event</numerusform>
            <numerusform>%1: %2, %n events</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 takes a client as a whole, or its first %n characters or more with …, as ls shows it, not &apos;%2&apos;</source>
        <translation>
            <numerusform>%1 takes a client as a whole, or its first %n character or more with …, as ls shows it, not &apos;%2&apos;</numerusform>
            <numerusform>%1 takes a client as a whole, or its first %n characters or more with …, as ls shows it, not &apos;%2&apos;</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more, which end later</source>
        <translation>
            <numerusform>and %n more, which ends later</numerusform>
            <numerusform>and %n more, which end later</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>contended: %n have it at once on some of them</source>
        <translation>
            <numerusform>contended: %n have it at once on some of them</numerusform>
            <numerusform>contended: %n have it at once on some of them</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>inferred: %n clients, one a server, with the thread %1 are taken for one</source>
        <translation>
            <numerusform>inferred: %n client, one a server, with the thread %1 is taken for one</numerusform>
            <numerusform>inferred: %n clients, one a server, with the thread %1 are taken for one</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>it may be longer: no more than the first %n are read</source>
        <translation>
            <numerusform>it may be longer: no more than the first is read</numerusform>
            <numerusform>it may be longer: no more than the first %n are read</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n things look suspect and take some seconds to tell: lockctl diagnose with the same options does</source>
        <translation>
            <numerusform>%n thing looks suspect and takes some seconds to tell: lockctl diagnose with the same options does</numerusform>
            <numerusform>%n things look suspect and take some seconds to tell: lockctl diagnose with the same options does</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockui::AuditPage</name>
    <message numerus="yes">
        <source>%1 actions</source>
        <translation>
            <numerusform>%1 action</numerusform>
            <numerusform>%1 actions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %2 actions</source>
        <translation>
            <numerusform>%1 of %2 action</numerusform>
            <numerusform>%1 of %2 actions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>None of the %1 actions is to be shown.</source>
        <translation>
            <numerusform>The %1 action is not to be shown.</numerusform>
            <numerusform>None of the %1 actions is to be shown.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 later ones left out</source>
        <translation>
            <numerusform>%1 later one left out</numerusform>
            <numerusform>%1 later ones left out</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The recording shows %1. What the audit log has was done later: %2 actions.</source>
        <translation>
            <numerusform>The recording shows %1. What the audit log has was done later: %2 action.</numerusform>
            <numerusform>The recording shows %1. What the audit log has was done later: %2 actions.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockui::BreakDeadlockDialog</name>
    <message numerus="yes">
        <source>All %n holders of it lose it.</source>
        <translation>
            <numerusform>Its %n holder loses it.</numerusform>
            <numerusform>All %n holders of it lose it.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockui::BulkReleaseDialog</name>
    <message numerus="yes">
        <source>&amp;Force release %1 locks</source>
        <translation>
            <numerusform>&amp;Force release %1 lock</numerusform>
            <numerusform>&amp;Force release %1 locks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 other locks that it holds are not among these, and stay held.</source>
        <translation>
            <numerusform>%1 other lock that it holds is not among these, and stays held.</numerusform>
            <numerusform>%1 other locks that it holds are not among these, and stay held.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockui::ChoiceMenu</name>
    <message numerus="yes">
        <source>&amp;Force release these %1 locks…</source>
        <translation>
            <numerusform>&amp;Force release this %1 lock…</numerusform>
            <numerusform>&amp;Force release these %1 locks…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&amp;Force release the %1 of this client that are shown…</source>
        <translation>
            <numerusform>&amp;Force release the %1 of this client that is shown…</numerusform>
            <numerusform>&amp;Force release the %1 of this client that are shown…</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockui::ClientDialog</name>
    <message numerus="yes">
        <source>%1 holds</source>
        <translation>
            <numerusform>%1 hold</numerusform>
            <numerusform>%1 holds</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>waits for %1</source>
        <translation>
            <numerusform>waits for %1</numerusform>
            <numerusform>waits for %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>keeps at least %1 waiting</source>
        <translation>
            <numerusform>keeps at least %1 waiting</numerusform>
            <numerusform>keeps at least %1 waiting</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>keeps %1 waiting</source>
        <translation>
            <numerusform>keeps %1 waiting</numerusform>
            <numerusform>keeps %1 waiting</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 client instances</source>
        <translation>
            <numerusform>%1 client instance</numerusform>
            <numerusform>%1 client instances</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 in the queue, the first for %2</source>
        <translation>
            <numerusform>%1 in the queue, for %2</numerusform>
            <numerusform>%1 in the queue, the first for %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Not known: %1 other locks are waited for by clients that Redis does not name. It may be one of them.</source>
        <translation>
            <numerusform>Not known: %1 other lock is waited for by clients that Redis does not name. It may be one of them.</numerusform>
            <numerusform>Not known: %1 other locks are waited for by clients that Redis does not name. It may be one of them.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockui::ContenderModel</name>
    <message numerus="yes">
        <source>%1 acquires since it began, for %2 in all
%3 % of all acquires of the group in the last 10 s
%4 waits given up, %5 lost before the unlock, %6 crashes</source>
        <translation>
            <numerusform>%1 acquire since it began, for %2 in all
%3 % of all acquires of the group in the last 10 s
%4 waits given up, %5 lost before the unlock, %6 crashes</numerusform>
            <numerusform>%1 acquires since it began, for %2 in all
%3 % of all acquires of the group in the last 10 s
%4 waits given up, %5 lost before the unlock, %6 crashes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockui::CountChart</name>
    <message numerus="yes">
        <source>changed %1 times</source>
        <translation>
            <numerusform>changed %1 time</numerusform>
            <numerusform>changed %1 times</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockui::DashboardPage</name>
    <message numerus="yes">
        <source>%1 whole waits in fair queues</source>
        <translation>
            <numerusform>%1 whole wait in fair queues</numerusform>
            <numerusform>%1 whole waits in fair queues</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 holds measured</source>
        <translation>
            <numerusform>%1 hold measured</numerusform>
            <numerusform>%1 holds measured</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockui::DashboardTiles</name>
    <message numerus="yes">
        <source>%n deadlocks (inferred)</source>
        <translation>
            <numerusform>%n deadlock (inferred)</numerusform>
            <numerusform>%n deadlocks (inferred)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>at %1 locks</source>
        <translation>
            <numerusform>at %1 lock</numerusform>
            <numerusform>at %1 locks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 ghosts</source>
        <translation>
            <numerusform>%1 ghost</numerusform>
            <numerusform>%1 ghosts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockui::DurationsView</name>
    <message numerus="yes">
        <source>%1 seen whole</source>
        <translation>
            <numerusform>%1 seen whole</numerusform>
            <numerusform>%1 seen whole</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 inferred</source>
        <translation>
            <numerusform>%1 inferred</numerusform>
            <numerusform>%1 inferred</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 in part</source>
        <translation>
            <numerusform>%1 in part</numerusform>
            <numerusform>%1 in part</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockui::EventDensity</name>
    <message numerus="yes">
        <source>a bar is %1, the highest %2 events</source>
        <translation>
            <numerusform>a bar is %1, the highest %2 event</numerusform>
            <numerusform>a bar is %1, the highest %2 events</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: %2 events</source>
        <translation>
            <numerusform>%1: %2 event</numerusform>
            <numerusform>%1: %2 events</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockui::EventsPage</name>
    <message numerus="yes">
        <source>%1 events</source>
        <translation>
            <numerusform>%1 event</numerusform>
            <numerusform>%1 events</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %2 events</source>
        <translation>
            <numerusform>%1 of %2 events</numerusform>
            <numerusform>%1 of %2 events</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockui::GraphPage</name>
    <message numerus="yes">
        <source>%1 more chains are not shown</source>
        <translation>
            <numerusform>%1 more chain is not shown</numerusform>
            <numerusform>%1 more chains are not shown</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Of %1 locks it is not known whether anybody waits.</source>
        <translation>
            <numerusform>Of %1 lock it is not known whether anybody waits.</numerusform>
            <numerusform>Of %1 locks it is not known whether anybody waits.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockui::LabPage</name>
    <message numerus="yes">
        <source>%n passed</source>
        <translation>
            <numerusform>%n passed</numerusform>
            <numerusform>%n passed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n failed</source>
        <translation>
            <numerusform>%n failed</numerusform>
            <numerusform>%n failed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>They are kept beside their files until you save or revert them, and are there whenever you open one among your scenarios.</source>
        <translation>
            <numerusform>They are kept beside its file until you save or revert them, and are there whenever you open it among your scenarios.</numerusform>
            <numerusform>They are kept beside their files until you save or revert them, and are there whenever you open one among your scenarios.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockui::LockGroupModel</name>
    <message numerus="yes">
        <source>%1 and %n others</source>
        <translation>
            <numerusform>%1 and %n other</numerusform>
            <numerusform>%1 and %n others</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>waits for %1</source>
        <translation>
            <numerusform>waits for %1</numerusform>
            <numerusform>waits for %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockui::LocksBar</name>
    <message numerus="yes">
        <source>%1 locks</source>
        <translation>
            <numerusform>%1 lock</numerusform>
            <numerusform>%1 locks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %2 locks</source>
        <translation>
            <numerusform>%1 of %2 lock</numerusform>
            <numerusform>%1 of %2 locks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 groups</source>
        <translation>
            <numerusform>%1 group</numerusform>
            <numerusform>%1 groups</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockui::ScenarioEditor</name>
    <message numerus="yes">
        <source> (and %n more)</source>
        <translation>
            <numerusform> (and %n more)</numerusform>
            <numerusform> (and %n more)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n step</numerusform>
            <numerusform>%n steps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n client(s)</source>
        <translation>
            <numerusform>%n client</numerusform>
            <numerusform>%n clients</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockui::ScenarioStage</name>
    <message numerus="yes">
        <source>%n checks</source>
        <translation>
            <numerusform>%n check</numerusform>
            <numerusform>%n checks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n checks passed</source>
        <translation>
            <numerusform>%1 of %n check passed</numerusform>
            <numerusform>%1 of %n checks passed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n failed</source>
        <translation>
            <numerusform>%n failed</numerusform>
            <numerusform>%n failed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockui::StatusStrip</name>
    <message numerus="yes">
        <source>%n rights missing</source>
        <translation>
            <numerusform>%n right missing</numerusform>
            <numerusform>%n rights missing</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 locks · %2 held · %3 waiting</source>
        <translation>
            <numerusform>%1 lock · %2 held · %3 waiting</numerusform>
            <numerusform>%1 locks · %2 held · %3 waiting</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of the locks are not seen now</source>
        <translation>
            <numerusform>%1 of the locks is not seen now</numerusform>
            <numerusform>%1 of the locks are not seen now</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockui::TimelineView</name>
    <message numerus="yes">
        <source>%n lanes</source>
        <translation>
            <numerusform>%n lane</numerusform>
            <numerusform>%n lanes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockui::TopBar</name>
    <message numerus="yes">
        <source>%n need attention</source>
        <translation>
            <numerusform>%n needs attention</numerusform>
            <numerusform>%n need attention</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockui::lab::PlayText</name>
    <message numerus="yes">
        <source>%n clients</source>
        <translation>
            <numerusform>%n client</numerusform>
            <numerusform>%n clients</numerusform>
        </translation>
    </message>
</context>
</TS>

<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>ActionText</name>
    <message>
        <source>nobody</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>released: %1 on %2, was held by %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>released: the read holds of %1 on %2 on %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>renewed: %1 on %2 has %3 from now, held by %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dropped: %1 from the queue of %2 on %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; the message that wakes the next one was sent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>given back: permit %1 of %2 on %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; the message that wakes who waits was sent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing was changed: nobody holds this permit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing was changed: %1 does not wait; in the queue: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing was changed: it is held by %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What %1 has is not known: it is not asked, and may still have the lock.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What %1 have is not known: they are not asked, and may still have the lock.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What %1 had was not known: it was not asked, and may still have the lock.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What %1 had was not known: they were not asked, and may still have the lock.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing was changed: nobody holds this permit on the servers that were asked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing was changed: %1 does not wait on the servers that were asked; in the queue there: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing was changed: nobody holds it on the servers that were asked</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AuditExport</name>
    <message>
        <source>When (UTC)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Who</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Action</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Aimed at</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New TTL (ms)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reason</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Holders found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Queue found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Record</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Environment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Held or waited anew</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Servers not asked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>never</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>yes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Process</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These readers alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ended (UTC)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answered by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not sent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiters told</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Would end, as seen (UTC)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Would end, as found (UTC)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AuditText</name>
    <message>
        <source>%1, %2</source>
        <comment>a holder, read or write</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>refused: it did not wait by then</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>refused: nobody held it by then</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>refused: held by %1 by then</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>force release of readers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>force release</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>renew to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>renew</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>drop waiter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>return permit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>refused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>outcome not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no outcome yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not known: the answer was lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>interrupted: no outcome recorded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Who was there was not who was expected. Nothing was changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was sent, and no answer came: it may have been carried out. Look at the lock before you try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was begun a moment ago. What came of it is recorded as soon as it is known.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nobody recorded what came of it: the program ended, or the file could not be written. It may have been carried out. Look at the lock before you try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another version of the program wrote this. What it means is not known here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>refused: nobody held the permit by then, or its lease was another</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not acquired</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>refused: it was not held by then</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lock by hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unlock by hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>renew by hand to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>renew by hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>count down by hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The client waits for it, or the program has ended before it was answered. A client gives back what it holds when the program ends.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>refused: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It had left the queue since it was looked at, and had lined up again: its client lived. Nothing was changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The holder was the one that was seen, but the lock ended at another time: the holder had set that anew, or had taken the lock anew. Nothing was changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it had lined up again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it ended at another time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not sent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>failed, and why</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was sent. %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The client did not get it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The client did not hold it any more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>refused, not sent: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; not asked: %2</source>
        <comment>what came of it</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was sent. None of the servers that were seen had it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was sent.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>BulkText</name>
    <message>
        <source>Nobody holds it as a whole: there is nothing to release.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A lock of this kind cannot be released by force.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Others hold it too, and would lose it: release it by itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gone since you looked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Free by now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Changed since you looked: held by %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Released.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The audit log could not be told: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Refused, nothing was changed: held by %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Refused, nothing was changed: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not sent: stopped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether it was done is not known: look at the lock.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was sent.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>all %1 holders lose it</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>nobody is woken: they ask again and again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>who is woken is not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nobody is seen to wait</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>the first of %1 in the queue is next</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>wakes %1 client instances</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 more clients look alive.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Taken anew since you looked: held by %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Released; the message for those who wait was sent.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only these read holds end, others keep theirs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Has another id on its other servers, as a RedLock has: tick it to release all of it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>on %1 servers, under an id on each: taken for one client</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Refused, nothing was changed: its end was set anew since you looked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>May have been taken anew since you looked: its end was set anew, or it was out of sight. Held by %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Released. Nobody was seen to wait.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 more clients looked alive then.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Read from another server since you looked: %1 instead of %2. Held by %3.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChainExport</name>
    <message>
        <source>unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at least</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>exact</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Locks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Main lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deadlock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blocked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blocked is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time lost (ms)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time lost is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ends</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lease ends (UTC)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>maybe of another database</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>maybe with ghosts</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChainText</name>
    <message>
        <source>1st</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>2nd</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>3rd</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1th</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 client instances</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>All of these seem to wait for each other</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 wait for %2</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 keeps %2 waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 keep %2 waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by itself in %1: the fixed lease of %2 runs out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by itself in %1, unless %2 is renewed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 clients, %1 locks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ends %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and not the only one here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a circle?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>What those %1 who wait now have waited so far, added up.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>when the last of %1 releases, or in %2 unless renewed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>when the last of %1 releases</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>when a permit is given back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>when the next one takes it: nobody holds it</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 readers</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 holders</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 more in the queue</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>ghost: client gone?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waits %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>holds for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>never expires</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>renewal late</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fixed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>hold it together</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>known, not drawn</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>wait; who is not known</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Waits for %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Holds %1. It stands in no queue; whether it waits for a lock that is not fair is not known.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It stands in the queue, but nobody is subscribed to its own channel.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>held %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Together they hold %1. Each of them has to release it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The Locks page lists them all.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 listen for the release of %2.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Redis does not store which, nor how many threads of each wait.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by itself only if one gives up waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all leases are renewed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no lease in it runs out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>when released; a watchdog renews it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>when released, or in %1: its lease is fixed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>when released, or in %1 unless renewed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>when released; it never expires</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>when counted down: %1 to go</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>whether it is a deadlock is not known yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as it was at %1: a server of it is lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only ghosts stand in the queue of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At least: a server of it is lost, and how long they waited on is not known.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>when the ghost at its head is dropped: it has no time-out</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 permits are free: who waits needs more, or missed it</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>At least: some waited already when they were first seen, or seen again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In all, also by others, at least %1 were waited for %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Some stand in a queue, and whether they still listen is not known yet: how long they wait is not counted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is open: who waits goes on now, or missed that</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in ≥ %1: a ghost is first in the queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>whether it is a deadlock was not known by then</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Who is not known by name is not in it: only of fair locks Redis tells since when somebody waits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>when the ghosts at its head are dropped: one has no time-out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in ≥ %1: %2 ghosts are first in the queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and %1 more, each otherwise</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>holds %1, one for %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Holds %1 locks that others wait for. It stands in no queue; whether it waits for a lock that is not fair is not known.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>lock, for how long</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>free, a ghost first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>free, ghosts first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; for others %2</source>
        <comment>end of the hold, of the ghosts</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>when somebody gives it permits: its key does not exist</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>who waits has waited %1, added up</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 clients</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 locks</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>not drawn: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by itself in %1, unless both %2 and %3 are renewed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by itself in %1, unless all %2 that end then are renewed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; at the latest in %2: the fixed lease of %3 runs out</source>
        <comment>by itself in …, unless … is renewed</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>each lease is renewed or never runs out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deadlock (inferred) since %1 (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deadlock (inferred) since before %1 (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>deadlock (inferred)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 permits free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>permits free: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>count %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nobody holds it</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ClientText</name>
    <message>
        <source>It renewed what it holds %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A lock that it shares was renewed %1, by it or by another holder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It took a lock %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It listens for its turn in a queue: it has a connection to the server.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It took a lock once more, or gave one hold of it back, %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 looks alive. %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It renewed what it held %1 before that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A lock that it shared was renewed %1 before that, by it or by another holder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It took a lock %1 before that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It took a lock once more, or gave one hold of it back, %1 before that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It listened for its turn in a queue: it had a connection to the server.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 looked alive when it was last seen. %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It probably renewed what it holds, %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It probably renewed what it held, %1 before that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A lock that it shares was probably renewed %1, by it or by another holder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A lock that it shared was probably renewed %1 before that, by it or by another holder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It probably took a lock, %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It probably took a lock, %1 before that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It probably took a lock once more, or gave one hold of it back, %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It probably took a lock once more, or gave one hold of it back, %1 before that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“Who is that?” heard a command with its id, at most %1 before that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“Who is that?” heard a command with its id, at most %1 ago.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ConnectionDialog</name>
    <message>
        <source>Recent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recent connections</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Result of the test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Connect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not tested.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct what is marked in red first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trying %1 …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All of it: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget this one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes it out of the list, with its password (Del)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>read-only, locked</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ContenderText</name>
    <message>
        <source>starts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>idle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>thinks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waits to read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waits to write</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lost it, works on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>writes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>holds ×%1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>holds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>releases</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>crashed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>taken by the hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lock to read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unlock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stands still</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>goes on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>started again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>left to itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>acquired after %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not acquired in %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>released in %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>released once, still held</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it was not held any more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it crashed before that ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Spin lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Non-reentrant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>still (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its process stands still (SIGSTOP), and its watchdog with it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its lease is over, or Redis names another holder. A program that does not look goes on all the same; its unlock will fail.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In your hand: it does nothing by itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leaves once it has given back what it holds or waits for.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 – %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 × more holders than permits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 × two at once</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 lost before their unlock</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 waits given up</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 crashes</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>still (it held)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>holds, waits for more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gives up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>renewed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>counted down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lease %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no lease</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>watchdog</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no renewals</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is dead: its permit is taken for good</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>starts anew</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>idle, new process</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in place of %1: a knob was turned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 in place of %2: a knob was turned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A process keeps for life what it was started with.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>thinks it holds, gone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>still (lost it)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lost it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redis does not name it as a holder any more: the monitor of this window has seen that. It has not been told: its watchdog finds out when it comes next, without one its unlock will fail.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 go on without their lock</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>thinks it holds, not seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its server does not answer it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its server has not confirmed that since then: its lease may have run out, and another may hold it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 not seen to hold any more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waited until then</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>read until then</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>wrote until then</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>held until then</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 died as a holder: unless somebody removes it, its lease ends in at most %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CopyMenu</name>
    <message>
        <source>Copy the &amp;cell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the &amp;row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the &amp;rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the &amp;name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the &amp;names</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the &amp;owner</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the &amp;owners</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy &amp;as</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;lockctl command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;redis-cli command</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DisplayText</name>
    <message>
        <source>%1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>… (%1 bytes in all)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 m %2 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 h %2 m</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 d %2 h</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>overdue %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>less than 1 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 M keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 keys</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>(empty name)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 y</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 m</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ErrorText</name>
    <message>
        <source>The host name has no address. Check its spelling and your DNS or VPN.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No server answers at this address. Check host and port, or the socket, and that the server runs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server did not answer in time. Check host, port and any firewall between.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server stopped answering. It may be overloaded or blocked by a slow command.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The connection was closed. The server may have restarted or dropped this client.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server&apos;s certificate is not trusted for this host. Name the authority that signed it, or the host it was made for.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The network failed. Check the connection to the server.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer is not Redis&apos; protocol. Check that the port is Redis&apos;, and whether it wants TLS.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An answer was larger than the safety limit, so it was not read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This user may not do that. Ask for the right in the server&apos;s ACL, or use another user.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server is still loading its data. It will be tried again by itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is a read-only replica. Connect to its master to change anything.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server no longer knows the script. Try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The key is of another type than a lock&apos;s. Nothing was changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server is out of memory and refuses writes. Free memory there first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server is busy with a slow script. Try again when that has ended.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another node of the cluster keeps this. Connect to the cluster instead of one of its nodes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A part of the cluster is down or being moved. Try again when that has ended.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server refused. Its own words are below.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The data is not in a form that Redisson writes, so it was left alone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Something entered cannot be right. Correct it and try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The connection is read-only. Switch it to writable first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This version cannot do that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was cancelled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The lock is not held by that client. Nothing was changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The holders are no longer those that were seen. Nothing was changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The lock was held until now and is gone without our doing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The lock is held by that client already and cannot be taken twice.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Too few replicas had the lock in time, so it was given back. Check the replication of the server.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>what was tried, why it failed</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this computer was asleep for %1: connecting again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this program stood still for %1: connecting again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No TLS connection could be made. Check that this port speaks TLS, and what it asks of clients.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The user name or the password is wrong or missing. Correct it and try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A file could not be read or written. Check its path, its rights and what it holds.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server wants a certificate of this client, or does not accept the one it got. Name one that it accepts, and its key.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sentinels&apos; own user name or password is wrong or missing. Correct it and try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server closed the connection at once. Perhaps this port speaks TLS: then switch TLS on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The private key is encrypted. Name a file that has it decrypted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Certificate and private key do not belong together. Name those that do.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is damaged %1 after its beginning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This client&apos;s certificate and private key cannot be used. Name others.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was done on some of the servers, and not on all.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was done on some of the servers. Whether it was done on all is not known.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None of the servers that are seen has it. Nothing was changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Who stands in this queue waits for another lock.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is a sentinel. Choose Sentinel as the kind of server, and name the master.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EventExport</name>
    <message>
        <source>When (UTC)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Event</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Client</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thread</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Client, as named here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Count then</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TTL then (ms)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Certainty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Length (ms)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sent by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Meaning</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EventTaking</name>
    <message>
        <source>Kinds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Heard since</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Earlier events</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>were heard and are not kept</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EventText</name>
    <message>
        <source>first seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>acquired</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>re-entered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>renewed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>partly released</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>released</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expired</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>force-released</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>deleted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>queued</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>left the queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waiter timed out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>permits changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>count changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>time to live %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>never expires by itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>held for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>after %1 in the queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>over %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its key ran out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ran out unreleased after %1, it seems; if so, its unlock will fail</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ran out unreleased, it seems; if so, its unlock will fail</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ran out unreleased after %1; its unlock will fail</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ran out unreleased; its unlock will fail</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its owner would have left a trace; if it was somebody else, its unlock will fail</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>freed by somebody else; its unlock will fail</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its key is gone, and no release was heard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its key is gone, and no client of Redisson did that</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its time was over, after %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its time was over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it gave up, or the next one removed it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the next one removed it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 → %2 free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is open: all who wait go on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 → %2 to go</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 to go</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>probably %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>about %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>was there already</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>now held %1 by the same thread</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>still held %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waits for its turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it does not hold the lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>released by %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expired while %1 held it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>force-released while %1 held it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>deleted while %1 held it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another master</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>server restarted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>slow command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>clients paused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>database emptied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 has taken the place of %2; what was not replicated then is lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is another process, up for %2 when it was seen again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is another process</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n slow commands on %1 of which the slow log tells nothing any more</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>a command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 took %2 on %3; nothing else was served meanwhile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 let clients wait, for %2 more when it was asked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was told to let clients wait; for how long is not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FLUSHALL, FLUSHDB or a new beginning as a replica on %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>released by force from this window; its unlock will fail</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dropped from this window; it does not hold the lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>databases swapped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SWAPDB: what was here may be in another database now; %1 does not tell of which</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>found waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>released by force, as the audit log of this computer records; its unlock will fail</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, as the audit log of this computer records</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 free, as before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; a permit was returned from this window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its key is gone, and nobody was told</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a ghost: its client seemed to be gone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>after %1; %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the last from this window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from this window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>held already, for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waits already, for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its key is gone, right after: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its key was gone when its server was seen again; what was told meanwhile was not heard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; the lease of a permit was set anew: time to live %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>held already, since unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waits already, since unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; who has a permit, or until when, changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it gave up, or the next one removed it, or it waits on: it lined up again at once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it lined up again at once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by Lockscope itself: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lined up again; it may have waited on all the time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>for %1; what else happened is not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>for %1 on %2; what else happened is not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>given back there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>released by force there from this window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>released by force there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its copy there is gone, right after: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its copy there was gone when the server was seen again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its copy there was deleted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its copy there ran out, it seems</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its copy there ran out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on %1: %2</source>
        <comment>a server, what happened</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; another server still had the lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>held there for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>for %1 on %2, then %3; what else happened is not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its place in the queue is gone, right after: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there already</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FeedText</name>
    <message>
        <source>client tracking</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>keyspace notifications</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>re-reading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>listening to invalidations is refused to this user</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CLIENT ID is refused to this user</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CLIENT TRACKING is refused to this user</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CLIENT TRACKING does not work here (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>whether the server has keyspace notifications on may not be asked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the server has keyspace notifications off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the keyspace notifications that the server has on (%1) do not tell enough of locks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>listening to keyspace notifications is refused to this user</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the connection for announcements is lost (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1, to find out whether other keys are still written too often (%n a second before).</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, since other keys are written about %n times a second.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of keys that begin with %2, since others are written about %n times a second. New locks with other names are found by sweeps only.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The server tells of each change (client tracking)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server tells of each change (keyspace notifications)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Known locks are read again and again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Known locks are read again and again, new ones are found by sweeps only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, as chosen by hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, since %2</source>
        <comment>a feed, why no better one</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, and </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are more channels of locks than are listened to: releases told of at the others are seen by other means only.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is a node of a cluster: only the locks of its own slots are seen; redis-cluster://%1 shows all.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A lock held for less than %1 s may not be seen.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>a server, how it is heard</comment>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FreshnessText</name>
    <message>
        <source>as it was %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unchanged for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The connection is lost: nobody knows what is there now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is lost: nobody knows what is there now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 are lost: nobody knows what is there now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 are lost</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>GroupText</name>
    <message numerus="yes">
        <source>%1 locks</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 held</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 waiting</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 need attention</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>IncidentText</name>
    <message>
        <source>it would be more than %1 steps, which no scenario has: choose a shorter time, or some of the locks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it would be %1 clients with %2 steps, and a scenario has up to %3 and %4: choose a shorter time, or some of the locks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not seen: since when it holds it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not seen: since when it waits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>whether %1 read or wrote at %2: it is left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not seen: how it gave it back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>inferred, not seen as such</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not seen one by one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not seen: who deleted it; here it is force-released</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it was freed by somebody else; here it gives it back itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>inferred: that it gave up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 until %2%3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not seen: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>how it would have gone without this, which is not told again: %1 at %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not seen: why it did not renew any more; here it stands still</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not seen: when it died; this was its last sign of life</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at the end of what is told it still waits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>who holds what at the end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the order in which waiters came to their turns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not seen: how this hold ended; somebody else has it next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its lease was %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it was %1 later</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its thread was %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An incident of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Made from %1: what was seen from %2 to %3, told again in the same order.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Pauses between steps are as they were, but for %n that were longer than %1, and last so long here.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Watchdogs have a lease of %1 here, so that it runs out soon.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A place in a fair queue lasts %1 here, where its client does not say for how long it waits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not seen: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not seen: who waited for a lock that is not fair, and whether a hold that ended before it was renewed had a lease of its own. Such waits are not told; such holds have a watchdog here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left out: %1 (%2). Redis does not tell whose permits or counts they are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left out: %1 (%2). Clients of scenarios do not take such locks.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing is in it, of these locks and in this time, that clients of a scenario could do again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not seen: whether it gave up, or had the lock for a moment; here it has it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not seen: how the holds end that are left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>inferred: that it had a lease of its own, for it ran out while its client lived on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>inferred: that it had a lease of its own, for no renewal came</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>inferred: that it has a lease of its own, for no renewal came; not seen: how it ends. A client with a watchdog that had died would look the same</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not seen: who freed it; its holder waited in another queue, and could not have unlocked it; here it is force-released</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>inferred, not seen as such: somebody else may have freed it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its lease was %1; here it is a watchdog&apos;s whose client died</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>inferred: that it had a lease of its own, for its time to live was longer than the %1 of a usual watchdog, and no renewal was seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>for whose turn %1 waited in the queue of %2, which was free: it is left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it had it beside another one, which is left out; here it gives up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left out: that %1 held %2 as well, beside %3: two held it at once, which clients of a scenario cannot do.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it had no time to live, and would never have run out; here a watchdog renews it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another name: %1 is written so here, letter for letter, since it has bytes that are no text (UTF-8), which a scenario cannot hold.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>JsonSyntax</name>
    <message>
        <source>expected a value: a text in quotation marks, a number, true, false, null, [ or {</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LabDrawing</name>
    <message>
        <source>What each client held and waited for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>servers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>server %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>held, renewed by a watchdog</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>held, with a lease</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>permits held</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>asks, and waits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redis still names a dead client</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dead, cut off, or standing still</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not seen by the monitor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>renewed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>inferred: neither measured nor seen as such</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lost, and its client was not told yet</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LabLanePainter</name>
    <message>
        <source>held ×%1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>held</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, renewed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gave up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dead, and still in the queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redis still says %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>servers</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LabLaneTips</name>
    <message>
        <source>%1 (inferred)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, thread %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 to %2, %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 held %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 holds %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>begin: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>end: %1; %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n renewals seen</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>held %1 times at the end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 waits for %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 waited for %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redis still names %1 in the queue of %2: it is dead</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redis still says that %1 holds %2: it is dead</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 renewed at %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, at %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the monitor could see nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the monitor could see nothing of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>goes on as its holder %1 to %2: only then it learns that its hold is over</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LabReport</name>
    <message>
        <source>not begun</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n steps passed</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>failed: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>passed: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not finished: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not known: it was ended before its end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no more than %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Began</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lasted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Held back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>for %1, by a person who paused it; what had begun went on meanwhile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Servers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Watchdog&apos;s lease</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not started</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; its watchdog never comes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Client %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drift of the clocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Began, s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ended, s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Who</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Expected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Result</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Versions, and how it was measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Contention lab: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Played on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n scenarios that could not be played on this computer</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Servers, clients and monitor ran on this computer. </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clients and monitor ran on this computer. </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps begin and end by its monotonic clock; how long a client waited for its answer is measured in its own process. What the monitor told has the time of day, and stands in the drawing by both clocks as they were read together at the beginning: by how much they drifted apart until the end is said with each play. Where a client and the monitor say different things, the client is believed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n failed</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n not played to their end</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n scenarios passed</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n not finished</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n left out</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LaneText</name>
    <message>
        <source>started again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stands still</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>goes on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>network cut</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>network mended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lease ran out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>force-released</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gone from Redis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>count set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>counted down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>refused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>started again, empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is the new master</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>seen to have restarted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>emptied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>makes its clients wait</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it goes on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>released</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its lease ran out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>found gone: nobody saw when it ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its client died</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>acquired</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>taken out of the queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>thread %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>life %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>server %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dead</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cut off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>seen by the monitor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>inferred</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>killed with -9</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>replication cut</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gave up: its time to wait was over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed with an error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>passed over: its time in the queue was over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measured by the play</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LockExport</name>
    <message>
        <source>exact</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at least</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ran out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>never ends</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Holders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clients, as named here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TTL (ms)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lease (inferred)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Held for (ms)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Held for is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last change (UTC)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last change is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Free permits, or count</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Suspects</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slot</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not up to date since (UTC)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seen so since (UTC)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>perhaps for a lock of this name in another database</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind may be</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leased permits</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LockText</name>
    <message>
        <source>Reentrant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fair</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read/Write</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fenced</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Faster multi-lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Semaphore</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Expirable permits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Latch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>watchdog</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fixed lease</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>renewed once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>renewed twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>renewed %1 times</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>writer</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 readers</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 to go</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>does not exist</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · %2 leased</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> or </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fenced · token %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · from a port</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>write</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>watchdog (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fixed lease (no renewal when one was due)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lease unknown (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, run out</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 holders</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>At least %1 in the fair queue: no more are read.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 in the fair queue</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The queue is empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is not known how many wait: Redis was not asked yet, or refused to tell, or clients may listen at a replica that could not be asked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No client instance is subscribed to the unlock channel.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 client instances subscribed</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Each may have several threads waiting; Redis does not store which.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 ago</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>renewal late</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expires before release?</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n holders, run out</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n clients, thread %1</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 or other</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>R/W</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Multi-lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Permits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nobody can tell who waits: clients of such a lock ask again and again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is not known how many wait. This server is a replica: clients that wait may listen at its master or at another replica, and are not counted here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At this replica alone: others may listen at its master or at another replica.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expiring?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>held: who comes now has to wait. Of a semaphore no permit is free, and the count of a latch is above zero.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 of them ghosts, whose clients seem to be gone</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>They may wait for a lock of the same name in another database of the server.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lease unknown (%1; each holder has its own)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The queue was empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nobody can tell who waited: clients of such a lock ask again and again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is not known how many waited.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No client instance was subscribed to the unlock channel.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 client instances were subscribed</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lease unknown (no watchdog&apos;s renewal seen yet)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The queue was not read: it has an element that is no waiter, so it is not known who waits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The queue was not read: it had an element that was no waiter, so it is not known who waited.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <comment>two durations</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ghosts among them: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No queue was found. Listening for their turn: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nobody was found in the queue.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No client instance was found at the unlock channel.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Some of them may have got it since they were counted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More may wait; %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No queue was found. Listened for their turn: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More may have waited: of %1 of its %2 servers it is not known.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not known of %1 of its %2 servers</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LookAlikes</name>
    <message>
        <source>Greek</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cyrillic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Latin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is %2 (U+%3)</source>
        <comment>a letter, its alphabet, its number</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Letters of several alphabets look alike in this name: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>NodeText</name>
    <message>
        <source>master</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>replica</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>connecting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>first sweep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>live</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>slots %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>server clock %1 ahead</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>server clock %1 behind</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 locks</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>heard of its master %1 ago</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>locks not known</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>OriginText</name>
    <message>
        <source>of a recording</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the connection was lost then</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the first sweep was under way: not all is there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>paused then</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>live</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Moment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>filter: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>live, but not all servers are seen</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PageCommandText</name>
    <message>
        <source>on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not possible now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>goes to “%1” first</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Phrase</name>
    <message>
        <source>not connected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the connection is read-only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the connection was closed here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The remote host closed the connection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a reply came that nobody asked for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a reply of another form than expected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no reply within %1 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no answer within %1 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no answer for some seconds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> to the TLS handshake (is this a TLS port?)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (if this is a TLS port, use rediss://)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (is this a TLS port?)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no such socket: does the server run?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no certificate could be read from the CA file %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no certificate could be read from %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another server has become the master</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the server that the sentinels name is no master now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the master has become a replica</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the sentinel knows no master of this name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the node knows nobody who keeps a slot</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is nobody to ask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the user has other rights now: connecting again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it may not be read by this user, so whether there is such a lock is not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the user may no longer read some of the locks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the hash is too large to be read: who holds it by now is not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its slot is moving, and it is not seen on any node as a whole: try again when it has moved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>: nothing was sent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nothing was changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; a part of it was done before: look again before you repeat it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; whether it was carried out is not known, and it may be for another %1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; nor could that be recorded: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>. This permits it: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the connection was closed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the connection was made read-only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the server did not answer in time; whether it was carried out is not known, but from now on it is not any more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the server did not answer in time; nothing was sent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this server is a replica and can only be looked at: open its master to act on it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the server told its time in an unknown form</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the script answered in an unknown form</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the key is no lock of this kind any more; nothing was changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the key is too large to be read as a lock, or has too long an element; nothing was changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it came too late: nothing was changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no such semaphore any more; nothing was changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nobody keeps its slot now: nothing was changed, try again in a moment. The server said: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its slot is moving: nothing was changed, try again in a moment. The server said: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing was changed: who stands in this queue listens for %1, and the next one would not be woken; drop it from the queue of that lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>which server keeps the locks is not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nobody keeps the slot of this lock now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no server is open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a recording is shown: there is no server to act on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no audit log to write it to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a reason is needed, for the audit log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>connecting to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the connection to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>asking the sentinel %1 for the master %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>looking at %1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>looking for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading locks of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>force release</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>renewing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dropping a waiter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>returning a permit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>force release on %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>renewing on %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dropping a waiter on %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>returning a permit on %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>acting on a lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>writing the audit log %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>asking %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a limit of %1 bytes is too small for the %2 locks seen so far: allow at least %3 bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file is not a recording of Lockscope</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another program is writing to the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file may not be written to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file could not be read or written (full disk, a limit on its size, or a fault of the disk)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file is damaged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the disk is full</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file cannot be opened: check its path and rights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no such file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is not a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file may not be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Qt&apos;s driver for SQLite is not installed (libqt6sql6-sqlite)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another program is recording to it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file cannot be made there: check the folder and its rights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an earlier Lockscope made the file, and it can only be read: record to another file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a newer Lockscope made the file (format %1, this one knows up to %2): open it with that one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing was recorded at this time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file was cut short: what was written last is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file was copied while it was still recorded to, without the file beside it that ends in -wal: what was written last is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the recording is damaged at this place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing has been recorded in it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this part of it has been dropped in the meantime: open it again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the file is a recording of %1, not of %2: record to another file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a recording is shown: there is nothing new to record</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>needs a number, like waiters:&gt;3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is none of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the recording %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>recording to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing was changed: such a lock has no queue and no permits; who waits for it asks again and again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has no closing quote</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has nothing after the colon</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not connected to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not connected to whoever is in charge now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the server was left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the deployment names no server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the name of the master is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>independent nodes are not one place: each takes a client of its own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is no address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>arrays nested deeper than %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>more than %1 elements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>strings longer than allowed in one reply</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a string or line longer than %1 bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a string longer or shorter than announced</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a type of reply that RESP2 does not have</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not as many replies as commands</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it names more than %1 masters, to each of which a connection would have to be made</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an IPv6 address must end with &apos;]&apos;, and after that there can only be a port, as in [::1]:6379</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the host has characters that no name of a host has</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the host is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the port must be a number from 1 to 65535 (a user and a password end with &apos;@&apos;, as in redis://user:password@host:6379)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&apos;%&apos; must be followed by two hexadecimal digits (a literal % is written %25)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in user and password &apos;/&apos; is written %2F, &apos;@&apos; %40 and &apos;%&apos; %25</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the database must be a number from 0, not &apos;%1&apos;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a cluster has database 0 only, not &apos;%1&apos;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>options after &apos;?&apos; or &apos;#&apos; are known for unix:// and redis-cluster:// only (in a password write %3F and %23)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the only option of redis-cluster:// is messages, which is plain or sharded, as in redis-cluster://host:6379?messages=plain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the only option of unix:// is db, as in unix:///path?db=1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a Unix socket needs an absolute path, as in unix:///run/redis/redis.sock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the name of the master is missing, as in redis-sentinel://host:26379/mymaster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>redis:// names one server: redis-cluster:// is for nodes of a cluster, redis-nodes:// for the independent servers of a RedLock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no scheme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown scheme &apos;%1&apos;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>: known forms are redis://host:port/db, rediss://host:port/db and unix:///path?db=n, and of several servers redis-sentinel://, redis-cluster:// or redis-nodes://</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>say which values of the group are meant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only faster multi-locks have values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a value for Redisson&apos;s codec must be UTF-8</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the braces in this name put what belongs to it into other slots of the cluster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>: a cluster keeps these in different slots, and a name with braces has to have a tag, as in &apos;{tag}name&apos;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a wait is not negative and below 2^49 ms, not %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a lease is a positive number of milliseconds below 2^49, not %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the lease is too short to be sure of anything</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a drift is a part of the lease: 0 or more, below 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a count is a number of at least %1 and below 2^53, not %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a thread is a decimal 64-bit number, not &apos;%1&apos;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only read/write locks have a mode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a read/write lock is taken to read or to write: which?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only a reentrant lock can be a spin lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only reentrant and fair locks can be non-reentrant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>permits and latches have no holder: they are no locks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no lock to take</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>more locks are required than there are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at most %1 permits at once, not %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a permit is 32 lower-case hex digits, not &apos;%1&apos;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at most %1 patterns can be looked for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a pattern of names is a text such as lock:* of up to %1 bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the client was closed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the client is not open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not wanted any more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>held by this one already, and not reentrant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the server got a try when its time was over, and did nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no answer to a try within the wait</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no answer within the limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not held by this one but by %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not held by this one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not held by this thread</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the permit is not held any more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not held any more: given back by an attempt whose answer was lost, or before it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only %1 of the %2 required were still held</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the server is no master</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the connection was lost meanwhile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>replicas that have it after %1 ms: %2, not %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; given back after try %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the answer was lost, it may have been carried out: </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is unknown whether it was acquired, and if so it is given back: </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the answer to a try was lost, which may have succeeded: </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what it may have got is not given back: </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what it got is not given back: </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the place in the queue is not left: </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>done on %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>done nowhere</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this kind has no holders to act on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>say which holders were seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>holders of read/write locks, and only these, have a mode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only readers can be released one by one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a time to live is at least one millisecond</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>say which waiter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a permit&apos;s id is 32 hexadecimal digits, in lower case</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the lock has no name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, not on %1: </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>held by nobody</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>held by %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>logging in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>choosing database %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>asking for its time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the connection to a cluster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>subscribing to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>server %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading the URL</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading locks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sweeping the keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading the holders of a lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>renewing locks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>acquiring a lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>releasing a lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waiting for replicas</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>acquiring %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>acquiring several locks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>acquiring 1 lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>acquiring %1 locks as one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>releasing %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>releasing 1 lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>releasing %1 locks as one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>releasing %1 by force</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>renewing %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waiting for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>after a wait for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>releasing permits of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>setting the permits of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>adding permits to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>draining the permits of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading the permits of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>setting the lease of a permit of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading the lease of a permit of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>setting the count of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading the count of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>counting %1 down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>removing %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading the audit log %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>needs &lt; or &gt; and a time with its unit, like ttl:&lt;5s, or none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>needs &lt; or &gt; and a time with its unit, like held:&gt;1m</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nobody holds it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no private key (RSA or EC, PEM) could be read from %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the private key in %1 is encrypted: name a file with the key decrypted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the private key in %1 does not belong to the certificate in %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (checked with the CA file %1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (checked with the authorities of this computer: no CA file was named)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (no certificate of this client was named, and the server may want one)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (about this client&apos;s certificate, in %1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (about this client&apos;s certificate in %1 and its key in %2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing was changed: it is held by %2, and expected was %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is a sentinel, which keeps no locks but knows the server that does: use redis-sentinel:// with the name of the master (redis-cli -p PORT SENTINEL MASTERS lists them)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing was changed: nobody is seen to hold it, and expected was %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none of the servers that are seen has it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>done nowhere for certain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, perhaps on %1: </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; not asked, and may have it: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PictureMenu</name>
    <message>
        <source>Save picture as %1…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy pict&amp;ure</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PlaceText</name>
    <message>
        <source>the window shows the lab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is always read-only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its servers are independent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it asks for a certificate, which the lab&apos;s clients have not</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>switch it to writable first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not in a recording</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>connect first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name the lock first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Groups contend by themselves on one server that stands alone; here clients are led by hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” was not seen as one: an ordinary number of this name would be changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One name must not be used for two kinds: “%1” was seen as %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not on the connected server: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the connection is lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is not connected</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PresetText</name>
    <message>
        <source>Reentrant beside fair beside spin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same load on three kinds of lock. A fair lock serves its queue in order; a spin lock lets whoever asks at the right moment have it, and its longest waits grow.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Readers beside a plain lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nine of ten only read. A read/write lock lets them in together; a plain lock does not know.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A lease that is too short</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Work that sometimes takes longer than the lease: the next client enters while the one before still works. Beside it the same work under a watchdog.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Holders that crash</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Some clients are killed where they stand. What they held is free again when its lease is over: the shorter that is, the shorter the gaps in the curve.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Permits that get lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A client that dies takes its permit of a plain semaphore with it, for good: in the end nobody gets any. Permits with a lease come back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clients by hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clients that do nothing but what you tell them, to the lock that you name: lock, unlock, renew, stand still, crash. To a service that uses the lock they are one more Redisson each.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>QuorumText</name>
    <message>
        <source>on %1 of %2 servers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same holder has it on more than half of the servers: as a RedLock it is held.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No holder has it on more than half of the servers: as a RedLock it is not held.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inferred: clients that differ from server to server are taken for one, since the thread is the same and one attempt may have taken them all.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>node %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>seen on %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>It is contended: %n have it at once on some of the servers.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Whether more than half of the servers have it is not known.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ReleaseText</name>
    <message>
        <source>The holder is not told. Its watchdog stops silently at its next tick, and its unlock will fail.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The holder is not told, and its unlock will fail.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The holder is not told, and its unlock will fail. If a watchdog renews the lock, it stops silently at its next tick.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>All %1 holders lose the lock.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Work guarded by the lock may run twice: the holder goes on while the next one starts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An old Redisson client may lock it again without renewing it. Watch its time to live after.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is not known who waits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No client instance is subscribed: nobody will be woken.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 client instances are subscribed and will be woken. Which of them gets the lock is open.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Nobody is woken: whoever waits for such a lock asks again and again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The only one in the fair queue:
%1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only the first of at least %1 in the fair queue; the others keep their places:
%2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only the first of the %1 in the fair queue; the others keep their places:
%2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The first in the queue seems to be a ghost: nobody listens for its turn. Until it is dropped or its time-out has passed, nobody else gets the lock.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The first %1 in the queue seem to be ghosts: nobody listens for their turns. Until they are dropped or the last of their time-outs has passed, nobody else gets the lock.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No client instance was found at the servers that are asked: nobody will be woken there.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RightText</name>
    <message>
        <source>Looking at some keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Some command that reads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PSUBSCRIBE to keyspace notifications</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>changes are not announced, so locks are read again and again, and new ones are found late</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>version and role of the server stay unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>time-outs and leases are compared with the clock of this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>locks that exist already cannot be found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>locks with such names are not shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what only it can tell of a lock is not shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>locks are read in several steps instead of at one moment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>how many wait for a lock that is not fair stays unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>whether the server has keyspace notifications on stays unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>many releases can only be guessed from the time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unlock messages of the cluster cannot be found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unlock messages of the cluster are not heard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>who keeps which slots of the cluster stays unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>locks are not seen on the node to which their slot is moving</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>where the master is stays unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 does not work here: %2. The server said: %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is refused to this user: %2. The ACL rule %3 permits it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>servers, what they refuse</comment>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SaveFile</name>
    <message>
        <source>writing %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ScenarioMenu</name>
    <message>
        <source>Scenario</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No scenario was made.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the scenario</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>StepText</name>
    <message>
        <source>is killed (kill -9)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is stopped, and stands still</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>goes on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is started again, with another id</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its network is cut</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its network is mended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>force-release %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is started again, empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gets the slot of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the replica hears of nothing any more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>look</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>acquired</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not acquired</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>released</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>still held</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>crashed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>passed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at least %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at most %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nobody</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 on server %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>in Redis %n listen to the channel %1</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>in Redis the key %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in Redis no key %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in Redis %1 is %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in Redis %1 has no fields</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in Redis %1 has %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in Redis %1 is an empty list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in Redis %1 lists %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in Redis %1 has a time to live of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the monitor shows %1 held</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the monitor shows %1 free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the monitor shows %1 held by %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the monitor shows in the queue of %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the monitor shows the lease of %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>the monitor shows %n free permits of %1</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>the monitor shows the count of %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>the monitor shows %1 held on %n servers</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>the monitor suspects of %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a master, its replica and a Sentinel</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n independent servers</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>a cluster of three masters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 m</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>administrator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>network</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>server %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>spin lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not re-entrant</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n permits</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>thread %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lease %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tries again for %1 where it fails</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>after the end of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 later</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the next step does not wait for its end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the error %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>takes %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a token above that of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>these end one after the other: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it becomes so within %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and stays so for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 after %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, token %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Java and Redisson</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Java and Redisson %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (seen)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (inferred)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped before it ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not reached</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>look at the order</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>look at %1 and %n more</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>look at %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>the monitor tells of %1 on %2: %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the monitor tells of %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SuspectText</name>
    <message>
        <source>Two holders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Renewals missed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Queue without a holder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Free but waited for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Never ends</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dead waiter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Renewal late</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time-outs of readers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Renewed on and on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leaked subscription</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>(inferred)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 × taken</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 hand-overs</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>renewed every %1, %2 at most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 waits for %2, which %3 holds</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n client instances wait</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n waiters wait</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 while %2</source>
        <comment>it is so, while some wait</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at least %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; 99 of 100 of its holds ended within %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: its client may renew it for a thread that has long gone on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Nobody holds it or takes it, though %n waiters are queued; the first has no time-out, so nobody clears it away.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Nobody holds it or takes it, though %n waiters are queued; the time-out of the first ran out %1 ago.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>It is number %1 in the queue, but nobody listens on its channel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, and without a time-out nobody clears it away.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; it blocks the queue for up to %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n client instances have listened for at least %1</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 though %n permits could be taken: a message was missed, or each wants more than that.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1, but there is nothing of that name to wait for: it was deleted, or never set up.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 for a lock that was not held in all that time: nobody may wait any more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, but nobody holds the lock: a message was missed, and they sleep on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It has no time to live, so it stays held until somebody releases it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its watchdog should have renewed it %1 ago; %2 of %3 are left.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its watchdog missed two renewals in a row, the first %1 ago; %2 of %3 are left.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A field that is no owner stands in its hash, written by another program: nobody can release it, and it keeps others out like a holder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n owners stand in its hash where one at a time may hold it.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>It is held on two servers of the cluster at once, by different owners.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This owner lost it %1 ago, no release of it was seen, and somebody else has taken it since: both may believe they hold it for another %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All time-outs of this reader ran out, but it still counts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The lock ends %1 before the time-out of one of its readers, which would lose it then.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its time-out is %1 before that of the waiter before it: the clocks of their clients differ, or somebody gave up with another limit than it had.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A lock of the same name but for braces around it has the same channel, and was not looked at.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Or they listen for one of the same name in another database: channels know none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>total waiting time ≥ %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fencing token went back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its fencing token is %1, though %2 was given before: the count began anew, and what it guards cannot tell by the token who comes too late.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waits longer than usual, or clocks differ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its time-out is %1 away, but number %2 in the queue, with 5 minutes over what is before it, explains at most %3: it waits with a longer limit, or a client&apos;s clock is ahead.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 whole waits: %2 on average, %3 at most</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>It has been held for %1, and the lock was renewed %n times</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Nobody holds it or takes it, though %1 waiters are queued; one of the first %2 has no time-out, so nobody clears it away.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nobody holds it or takes it, though %1 waiters are queued; the time-outs of the first %2 ran out, the last %3 ago.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; its time-out ran out %2 ago</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; its time-out is %2 away</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, but one of the first %2, all ghosts, has none: nobody clears it away.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, and the first %2, all ghosts, block the queue for up to %3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; it can be cleared away within %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nobody holds it or takes it, though %1 waiters are queued; the first %2 keep everybody else from it for another %3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Nobody holds it or takes it, though %n waiters are queued; the first keeps everybody else from it for another %1.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 holds measured: %2 on average, %3 at most</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1, 99 % of the last within %2</source>
        <comment>holds measured</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On too few servers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No holder has it on more than %1 of %2 servers, which is no RedLock: an attempt has not given back what it got, or the hold was lost on the others, where somebody else can take it.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TimeAxis</name>
    <message>
        <source>%1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>now</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TimelineTips</name>
    <message>
        <source>queued at %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>acquired at %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>seen to wait from %1; it may have begun before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>seen to be held from %1; it may have begun before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>goes on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>out of sight from %1: how it ended was not seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>held %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>held up to %1 times at once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waited %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not known at %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>free permits: %1, from %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in use: ≥ %1, as up to %2 were seen free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 waits between %2 and %3: zoom in to tell them apart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 holds between %2 and %3: zoom in to tell them apart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not seen from %1 to %2 (%3)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing from before %1 is known here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gone: nobody holds it or waits for it now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More at once held it or waited than are drawn.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 waiting</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>still to be counted down: %1, from %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>open from %1: nobody has to wait for it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>does not exist from %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 or other</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kept others waiting ≥ %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in use: %1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many waited before %1 is not known here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stood in the queue %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a ghost: nobody was seen to listen for its turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 waiting, as counted from %2 on: who they are is not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 waiting, as counted from %2 to %3: who they were is not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Some of them may wait for a lock of the same name in another database.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was before %1 is no longer kept: there are too many locks for all of them.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TrialText</name>
    <message>
        <source>%1 does not answer: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 answers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 answers (%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1, %n slots</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The sentinels name %1 as the master %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n servers answer</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n masters answer, with %2 of %3 slots</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>UnseenLocks</name>
    <message>
        <source>This permits it: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No lock seen yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The keys cannot be scanned, so whether there are locks is not known.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Those that change from now on appear here by themselves.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nor does the server tell of changes: locks may be there and never appear here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another connection…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cannot connect to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit connection…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for locks…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The first sweep over all keys is under way.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No lock can be seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 looked at, but not all that is there may be read by this user: whether there are locks is not known.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing seen yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The connection was lost before all keys were looked at once. Whether there are locks is not known.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter password…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opening the recording…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The recording cannot be shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open another recording…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not all that was there might be read by this user, and no lock was seen until then.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None of %1 belonged to a lock of Redisson then.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is seen now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing has been seen since %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether there are locks by now is not known.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was never reached: whether it has locks is not known.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 locks were there then.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>What happened since is not known.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is lost: whether it has locks by now is not known.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 servers are lost: whether they have locks by now is not known.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 servers were never reached: whether they have locks is not known.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>WidgetText</name>
    <message>
        <source>Enter does nothing in this field: press the button “%1”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Characters that cannot be seen, or turn the direction of text, are left out.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message>
        <source>unexpected value after &apos;%1&apos;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown option &apos;%1&apos;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>redis://[[user]:password@]host[:port][/db]      one server
rediss://…                                      the same with TLS
unix:///path[?db=n]                             one server, by its socket
redis-sentinel://host[:port][,host…]/master[/db]
redis-cluster://host[:port][,host…][?messages=plain]
redis-nodes://host[:port][,host…]               servers of a RedLock (not for hold)
rediss-sentinel://, rediss-cluster://, rediss-nodes://: these three with TLS
without a URL: redis://127.0.0.1:6379</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>for TLS: the authorities to trust, PEM, instead of the system&apos;s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>missing value after &apos;%1&apos;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--%1 takes milliseconds from %2 to %3, or a time such as 500ms, 5s, 2m or 1h, not &apos;%4&apos;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--demo brings its own server and does not go with --url</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (--help tells more)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is no whole token, and others may begin alike: lockctl show tells it as a whole</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 fits nobody there: lockctl show tells them as a whole</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 fits %n of them: lockctl show tells them as a whole</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 is %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>an action, a lock</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>recording the outcome</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TIME</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>USER</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ACTION</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>WHERE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>LOCK</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>AIMED AT</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>OUTCOME</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>REASON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is recorded that matches.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>damaged lines, left out: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--profile goes neither with --url nor with --demo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the profile &apos;%1&apos; is locked to read-only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a command is missing: one of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no command &apos;%1&apos;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only locks that match: words that must all match, as in the window, such as
order kind:fair lease:watchdog waiters:&gt;3 ttl:&lt;5s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>how to hear of changes: tracking, notifications (never switched on, only used)
or rereading; without it the best that the server permits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>why, for the audit log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another audit log than lockscope/audit.jsonl in XDG_STATE_HOME</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>names stand here as they are printed: \xNN and \u{NNNN} for what cannot be
shown, \\ for a backslash</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server compares and acts in one step: when anybody else holds the lock by then, nothing is changed, who
holds it is told, and the exit status is 1. Needs --writable, and is written to the audit log before and after.
</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all locks, once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A table that fits the terminal; with --json an array, a line a lock.
</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one lock with all its keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reads this lock alone, not the whole keyspace; but where its queue waits for a holder, it looks at all locks for
a deadlock, for two seconds at most.
</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a live table, until Ctrl+C</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On a terminal a live table. With --json, or into a pipe, one event a line; ends when nobody reads them.
</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>watches for a moment, and says what looks wrong, with evidence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What one look cannot tell: waiters whose clients are gone, renewals that are late, deadlocks. Of one lock,
or of all. The exit status is 1 when something looks wrong, and 3 when nothing does but not all could be
watched.
</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>so long; unless told 5s, and longer while something is about to show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>takes a lock as one client and holds it, until Ctrl+C</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Renewed by a watchdog unless there is a lease, and released at the end. It acts for itself alone, as any
client, and so needs no --writable; a profile locked to read-only refuses it all the same.
</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the half of a read/write lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>let it run out after so long, and do not renew it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>give up when it was not to be had for so long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>release it after so long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frees a lock if its holders are exactly those that you saw</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>release the readers named alone, whoever else reads: the others keep their holds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>renews a lock, for any time from now, if its holders are exactly those that you saw</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>how long it shall live from now, also less than it has</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>takes one waiter out of the queue of a fair lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As if it had given up: those behind gain its time, and the next one is told if the lock is free. Does
nothing, with exit status 1, when it does not wait there. Needs --writable, and is written to the audit log.
</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gives back a permit of a semaphore whose permits expire</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PERMIT is its id, 32 hexadecimal digits. Does nothing, with exit status 1, when nobody holds it. Needs
--writable, and is written to the audit log.
</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what was done to locks of others, and why</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A table; with --json the entries as they stand in the log, a line each.
</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only what concerned this lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only from this day or moment on, such as 2026-11-20 or 2026-11-20T14:02:11Z</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only before it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>writes all that is seen to a file, until Ctrl+C</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A recording that is there is continued. The file is whole at every moment: after a crash it ends at most
a second before. With a limit the oldest is dropped.
</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>end after so long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>keep the file so small, with the -wal beside it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>keep only what is so young</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what a recording tells, without a server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All its events, one a line, as from watch; with --at the locks as they were at that moment, as from ls.
</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a moment such as 2026-11-20T14:02:11.380Z, or a time after the beginning such as +90s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Usage: lockctl [OPTION…] %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Usage: lockctl [OPTION…] %1 [OPTION…]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With every command:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a connection that the window has saved, by its name there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a private redis-server with a small shop at work on it, while the command runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JSON instead of text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>allows what changes locks of others; a profile can forbid it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this text, or that of a command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>
lockctl COMMAND --help tells the options of a command. MS are milliseconds, or a number with a unit: 500ms, 5s, 2m, 1h.

</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>
The password can come from LOCKSCOPE_PASSWORD, or from the desktop&apos;s keychain with --profile; on a terminal it is asked
for when the server wants one. Sentinels that want a login of their own get LOCKSCOPE_SENTINEL_USER and
LOCKSCOPE_SENTINEL_PASSWORD.
Exit status: 0 done; 1 the answer is no; 2 wrong usage; 3 no connection, or the server&apos;s error.
</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>interrupted before all had been seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>watching for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not all locks were seen in that time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No lock matches the filter, watched for %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No lock that could be watched matches the filter, watched for %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Nothing looks wrong with %n locks, watched for %1.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Nothing looks wrong with what could be watched: %n locks, watched for %1.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>That is all with %n locks, watched for %1.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>That is all with what could be watched: %n locks, watched for %1.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Not listed: %n more suspects.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n things would take longer to tell: try it with a longer --for.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>there is no such semaphore</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what stands under this name is no such lock: lockctl show tells what it is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this server is a replica and can only be looked at: open its master to take a lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a lock on several independent servers cannot be held from here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the watchdog found it gone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>renewed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not renewed for a whole lease: it may have run out, and another may hold it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>acquired after %1 with token %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>acquired after %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no permit is free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nobody holds it, but %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its holder has %1 left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what stands under its name never ends: lockctl show tells whether that is a lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not acquired after %1, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waiting for %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waiting for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waiting for %1, held by %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ended by %1 before it was acquired</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the permit&apos;s lease ran out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>released</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its lease of %1 ran out, unless it was taken away before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its lease of %1 ran out; %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lost: its lease of %1 ran out, and the server does not answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the server does not answer; %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>releasing %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its lease of %1 is over by now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a permit may still be taken there, for at most %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a permit may still be taken there, until it is given back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it may still be held there by %1, for at most %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lost: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All that holding it needs: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and, unless all keys are permitted: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and, unless all channels are permitted: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2 as %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a %1 is there under this name, and no lock is one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a hash is there under this name, which may not be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>a hash is there under this name, its owner is not in a form that is known; it has %n fields</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>no feed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · connecting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · first sweep, %2 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · live · %2, limited · %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · live · %2 · %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · STALE for %2, shown as it was then · %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · FAILED · %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rights are missing: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n clients:%1</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n holders</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>never ends</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> or </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>count %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>does not exist</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (%2 overdue)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 leased</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, contended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, inferred</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KIND</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>HOLDER</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TTL</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>LEASE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>WAITING</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>HELD FOR</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>QUORUM</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NODE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SUSPECT</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>None of %n locks match the filter.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>No locks on %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n keys were looked at.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>filter: &apos;%1&apos; is looked for as text, since &apos;%2&apos; is no key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>filter: one look cannot tell for how long a lock was held before, nor that a renewal is late: lockctl watch does</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no lock was seen, but not all keys may be read: whether there are locks is not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>looking for locks of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not all locks were seen in %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the keys may not be scanned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the connection was lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading the locks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no lock of this name on %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>watching the locks of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it could not be seen from the beginning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it could not be seen for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>writing to stdout: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>recording %1 to %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>recording %1 to %2, until Ctrl+C</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1: %2, %n events</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>the recording has no such moment: it reaches from %1 to %2, +%3 after its beginning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>behind a backslash --escaped reads x and two hexadecimal digits, u{ } with digits between, or another backslash, and nothing else as in &apos;%1&apos;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 takes the name of one lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 does not know what to do with &apos;%2&apos;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 or %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--kind is %1, not &apos;%2&apos;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--mode is read or write, not &apos;%1&apos;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--mode read or write goes with --kind readWrite, and only there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 takes CLIENT:THREAD as ls shows them, not &apos;%2&apos;</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 takes a client as a whole, or its first %n characters or more with …, as ls shows it, not &apos;%2&apos;</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>--expect takes CLIENT:THREAD as ls shows them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 needs --expect CLIENT:THREAD for every holder that you saw (lockctl show tells them): if anybody else holds the lock by then, nothing is done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 needs --reason TEXT for the audit log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 changes the server; repeat it with --writable if that is what you want</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 takes the name of one lock and %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--%1 takes a day or a moment such as 2026-11-20 or 2026-11-20T14:02:11Z, or a time after the beginning such as +90s, not &apos;%2&apos;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--%1 takes a day or a moment such as 2026-11-20 or 2026-11-20T14:02:11Z, not &apos;%2&apos;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 takes the name of one file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--%1 takes bytes, at least %2, not &apos;%3&apos;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--feed is %1, not &apos;%2&apos;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a semaphore&apos;s permits have no lease: --lease does not go with --kind semaphore</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>renew needs --ttl MS: how long the lock shall live from now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the waiter, CLIENT:THREAD</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the id of a permit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is a node of a cluster: only the locks of its own slots are seen; redis-cluster://%1 shows all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Password for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>for ≥ %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>since when is not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all its time-outs ran out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its lease ran out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>written by a port of Redisson</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a field that no lock has: another program wrote it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>without a time-out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>time-out in %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>overdue for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nobody listens on its channel: its client may be gone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, without a lease</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, for %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, run out, not taken back yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>state</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the number %1, which may be no such thing at all: nothing tells as long as nobody waits for it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the number %1, which may be no such thing at all: nothing tells while it is not known who waits for it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>permit</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>and %n more, which end later</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>lease</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>holder</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>contended: %n have it at once on some of them</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>inferred: %n clients, one a server, with the thread %1 are taken for one</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>held by %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, not seen now; was %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>quorum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, needs %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, slot %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 listens for its turn; the queue was not found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its waiters listen for %1: it is the queue of that lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>it may be longer: no more than the first %n are read</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>client instances not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, for this lock or one of this name in another database</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this may be no lock: another program has written into it, or it is another program&apos;s altogether. ls leaves such a hash out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>suspect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All that is missing: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The clock of %1 is %2 ahead of the one of this computer: what is told of deadlines goes by the server&apos;s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The clock of %1 is %2 behind the one of this computer: what is told of deadlines goes by the server&apos;s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n things look suspect and take some seconds to tell: lockctl diagnose with the same options does</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>deadlocks of %1 were not looked for: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>(inferred)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 waits for %2, which %3 holds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>deadlock (inferred): %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--theme is dark, light or system, not &apos;%1&apos;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--size is WIDTHxHEIGHT, as in 1440x900, not &apos;%1&apos;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--after goes with --screenshot FILE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--screenshot needs the name of a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--replay needs the name of a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--replay shows a recording, without a server: it goes neither with --url nor with --demo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a private redis-server with a small shop at work on it, gone with the window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a recording, without a server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dark, light or system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of the window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>writes a picture of the window and ends;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>settings, instead of those in XDG_CONFIG_HOME</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>
The password can come from LOCKSCOPE_PASSWORD, the login at sentinels themselves from LOCKSCOPE_SENTINEL_USER and
LOCKSCOPE_SENTINEL_PASSWORD.
</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not an option</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, but %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; trying again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; its locks are not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; its locks were not watched</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; it was watched for %1 only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; no password was given: LOCKSCOPE_PASSWORD can hold it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; the user or the password was changed: start again with the new ones</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&apos;++&apos; by itself is taken for no name: write it behind &apos;--&apos;, or as the value in --option=++</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>also strings of such names are locks, as other libraries write them (SET NX PX),
as in --also &apos;lock:*&apos;; can be given several times</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a holder that you saw, whole or as ls shortens it (7f21aa09…:7), and :read
or :write behind where it matters; give all of them. Of a token lock the token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reentrant (unless told), fair, readWrite, fenced, spin, nonReentrant;
semaphore or permitExpirableSemaphore for one permit, which nobody renews;
token: SET NX PX, as other libraries take theirs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lockctl: the distributed locks that Redisson clients keep in Redis

Usage: lockctl [--url URL | --profile NAME | --demo] [--also PATTERN] [--json] [--writable] COMMAND [OPTION…]

</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a string is there under this name, and none is a lock of Redisson; --also shows those of other libraries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nobody can tell: clients of such a lock ask again and again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--also goes with --url or --demo; a connection&apos;s own settings have a field for it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lockscope: shows, live, the distributed locks that Redisson clients keep in Redis

Usage: lockscope [--url URL | --demo | --replay FILE] [--also PATTERN] [OPTION…]

</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1?</source>
        <comment>a suspect that is not sure yet</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no page &apos;%1&apos;; there is: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the page to show: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nobody</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: the server says %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the key %1 is expected, and does not exist</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the key %1 is not expected, and exists</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: expected %2, found %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no fields</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: expected %2; found %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: expected a time to live of %2 to %3, found %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>held</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>free permits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>count</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>servers that hold it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>yes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the monitor on %1, %2: expected %3, shown %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>holders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waiters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the monitor on %1: expected the suspect %2, shown %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected %1, got %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it failed: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected the error %1, got %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected to take %1 to %2, took %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected a token above %1, got %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected the end of &quot;%1&quot; before that of &quot;%2&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has not ended within %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>plays scenarios of the contention lab, and checks them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>so many times, one after the other</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A table; with --json an array.
</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the text of one, to be saved, changed and run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a client that does what lines of JSON tell it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lease of locks without one, renewed every third; unless told 30s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>how long a place in a fair queue lasts; unless told 5m</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a watchdog that never comes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--repeat takes a number from 1 to %1, not &apos;%2&apos;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no scenario &apos;%1&apos;: lockctl scenarios lists them, and a file is named with its path, such as ./%1.json</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bail out! Ended by %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no scenario &apos;%1&apos;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NAME</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TITLE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NEEDS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the replica does not follow its master</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>starting a master with a replica</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>something else</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a scenario of the contention lab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the server does not answer; keys with %1 in their names may be left there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>removing what a scenario left behind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is a node of a cluster: scenarios are played on a server that stands alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is not there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>time to live %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 listen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the channel %1: expected %2 who listen, found %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the monitor on %1, %2: %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>suspects</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>event</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a client of &apos;%1&apos; is a Redisson, which is connected to private servers only: it is played without --url</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scenarios are played on one server: redis://, rediss:// or unix://</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>clients of scenarios have no certificate to show to the server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the servers do not agree with each other</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>starting a private cluster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>looking for Redisson</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Java is not installed; install a JDK from version 11 on, such as the package default-jdk-headless</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 has no compiler; install a JDK from version 11 on, such as the package default-jdk-headless</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of LOCKSCOPE_REDISSON or --redisson does not exist</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>LOCKSCOPE_REDISSON or --redisson names its jar with all in it, redisson-all-….jar, or a folder with redisson-….jar and the jars that it needs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is missing: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is missing, there is %3: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On private servers that are started for it and gone after it, with each client in a process of its own. Prints
TAP: a line for each step, and what was expected and seen where that differs; with --json an object a step.
SCENARIO is a name that lockctl scenarios lists, or a file. The exit status is 1 when a step failed.
With --url or --profile, and --writable, on that server: what does nothing to servers, with names of locks that
begin with a prefix of their own. Whatever has it in its name is deleted at the end.
</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all that come with the program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>also write one page of HTML: what was expected and seen, and the timeline drawn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the jar of Redisson, or a folder with it and the jars that it needs, for clients that are a
real one; several with colons between them. Without it LOCKSCOPE_REDISSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the scenarios that come with the program, and your own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>makes a scenario of what a recording tells</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clients take, hold, lose and release the same locks in the same order, and are expected to see the same. What
nobody saw stands in the notes of its steps, and is not made up. To be saved, changed and run.
</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from this moment on, such as 2026-11-20T14:02:11.380Z, or a time after the beginning such
as +90s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>until then</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only this lock; give all of them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>between two steps; longer ones are shortened; unless told 1s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>write it there, and print nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>instead of that: delete at the end of the input all keys with such a prefix of a scenario
in their names</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--to is not after --from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--%1 takes + and a time after the beginning, such as +90s, +1h or +1500 (milliseconds), not &apos;%2&apos;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--longest-pause takes up to 10s: a play waits for each of them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--out takes a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>run brings its own servers and does not go with --demo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on a server of yours run takes locks, under names of their own; repeat it with --writable if that is what you want</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>run takes names of scenarios or files, or --all for those that come with the program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--report takes a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--clean-up takes the prefix of a scenario&apos;s names, such as lockscope-lab:0123456789abcdef:, not &apos;%1&apos;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on %1, under names that begin with %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>broken: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>yours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lockscope</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FROM</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>plays it in the contention lab, on servers of its own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>… so long after the first look at the server is complete, or the scenario has begun</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; keys with %2 in their names may be left there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&apos;%1&apos; wants several servers that it can stop: it can only be played on private ones, without --url</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step %1 of &apos;%2&apos; is %3, which is done to private servers only: it can only be played without --url</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected a list of names that begin with %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>keys with %1 in their names may be left on the server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it was killed before it was ready</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reads {&quot;number&quot;: 1, &quot;do&quot;: &quot;lock&quot;, &quot;lock&quot;: &quot;orders&quot;, &quot;lease&quot;: &quot;5s&quot;} and the like from standard input, as steps of
scenarios have it, and answers on standard output. {&quot;number&quot;: 2, &quot;giveUp&quot;: 1} ends a wait. At the end of its
input it ends as if it had crashed: what it holds is left to run out.
</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at the end of the input release what it holds and leave the queues</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>still removing what the scenario left on %1; it goes on by itself when you press Ctrl+C</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a process goes on removing what the scenario left on %1, and says here what it cannot remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is called &apos;%2&apos;, as one that comes with the program: in the window it needs a name of its own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>removing what free play left behind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>giving back what was taken by hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the monitor on %1: expected the event &quot;%2&quot;, told %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>client by hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the client was killed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the process that would remove what is left behind has ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the process that was to remove the keys of free play has ended before its time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: another one has removed them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Some things show only after half a minute or more: try it with --for 1m.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in the recording %1 was not seen any more from %2 on: what stands here of it was true then</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in the recording %1 was not seen at this moment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the lock that is chosen, on that page and on all others</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its queue of %1 or more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its queue of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 stands at the head of %2 without a time-out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 stands at the head of %2 for %3 more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its holder has it until it releases it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its holder had %1 left then</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--config is a file, and %1 is a directory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--config: there is no directory for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the window has saved no connection named &apos;%1&apos; in %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the window has saved several connections named &apos;%1&apos; in %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The desktop&apos;s keyring does not answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The desktop&apos;s keyring does not answer: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This program was built without the desktop&apos;s keyring.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a client of free play could not give back its permit of %1: it stays taken</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a client of free play could not give back what it has of %1: that is free when its lease is over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>--config goes with --profile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>where it has saved that, if lockscope was given this option, too</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Password of the sentinels of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; no password for the sentinels themselves was given: LOCKSCOPE_SENTINEL_PASSWORD can hold it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not read: it has an element that is no waiter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not asked: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the client ended before this was answered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, ghosts: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 in the queue, ghosts among them: %2; %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no lock of this name was found on the servers that were seen; not seen: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::AuditDetail</name>
    <message>
        <source>Details of the chosen action</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was recorded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy record</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copies the lines of the log, as they stand there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The lock of this name, where it is shown now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no lock of this name among those that are shown now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing is recorded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Record</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, with %2 (process %3)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, with %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reason</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These read holds alone; who else read kept his.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seen as holders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Permit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New time to live</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>after %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Found as holders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nobody</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Found in the queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waking</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The message that wakes who waits was sent.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Client by hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not finished at this moment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not asked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>never</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Would end, as seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Given up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Would end, as found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: may have had the lock</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::AuditModel</name>
    <message>
        <source>unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Action</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Aimed at</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Who</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reason</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::AuditPage</name>
    <message>
        <source>Audit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all actions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows every action</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by me</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows what this user did on this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows what was refused, failed or interrupted, and what nobody knows the outcome of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copies the path of the file in which actions are recorded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>written to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Actions on locks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose an action to see all that was recorded of it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No action on “%1” is recorded here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file cannot be read any more: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only the end of this long file is shown: the first %1 are not read. lockctl audit prints all of it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Damaged lines, left out: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” is asked of locks as they are now, and hides no action.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 actions</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %2 actions</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing is recorded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no audit log, and so no action on a lock is possible.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was done yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every action on a lock is recorded in this file before it is sent, and again when it is answered. It then appears here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The audit log cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>While it cannot be written either, no action on a lock is carried out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the audit log…</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>None of the %1 actions is to be shown.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Show all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 by %2</source>
        <comment>a count of actions, and a moment of a recording</comment>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 later ones left out</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing was done by this moment</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>The recording shows %1. What the audit log has was done later: %2 actions.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Audit log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Moment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of a recording: what was done later is left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was done to “%1” is hidden by the filter, or by what is chosen above.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::BreakDeadlockDialog</name>
    <message>
        <source>&amp;Release this hold…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Break a deadlock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which hold shall be released?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each of these clients holds what another one of them waits for. When one hold is gone, the others go on by themselves. Choose the one whose work can best be done again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is not held so any more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Who gets the lock next is not known.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next: %1 gets the lock, after %2 of waiting, and goes on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next: %1 gets the lock, which is first in the queue. %2 is number %3 and waits on for its turn; nobody waits in a circle any more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Held by %1 for %2; %3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unprotected then: the work of %1. It is not told, and goes on as if it held the lock when its own wait is over.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>All %n holders of it lose it.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>This deadlock is over: there is nothing to break any more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose one of them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A server of it is lost: nobody knows what is there now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::BulkReleaseDialog</name>
    <message>
        <source>I &amp;know that it looks alive: release all the same</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Release all of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Release several locks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Release these locks by force</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One after the other, each only if its holders are still those shown here. The holders are not told: they go on working while the next ones start, and their unlocks fail.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These are the first %1 of %2: the others can be released after them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Reason, for the audit log: it is recorded with each lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reason, for the audit log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ticket, who asked for it, why now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>release %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None of these can be released.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Say that you know that it looks alive.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A reason is needed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type “%1” to confirm.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 released</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 refused by the server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 left out: changed since you looked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 not sent</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>&amp;Force release %1 locks</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopping …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Type “%1” to confirm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type “%1” to confirm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not sent: stopped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not sent: the connection was lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not sent: ended after an error.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No sign of life of the holders was seen in the last half minute, or since this program looks. That alone does not mean that they are gone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Release locks of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 other locks that it holds are not among these, and stay held.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 not wanted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No sign of life of the holders was seen in the half minute before the connection was lost, or since this program looked. That alone does not mean that they were gone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not sent: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 left out: the server was lost</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::BulkTable</name>
    <message>
        <source>Lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Held by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TTL</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What it means</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What became of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Locks to release</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its turn is to come</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>connecting …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sent …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>run out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from byte %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, run out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is seen again: tick this line to release it all the same.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left out: %1 was lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 are seen again: tick this line to release it all the same.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left out: %1 were lost.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::ChainTableModel</name>
    <message>
        <source>Break it…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Client instances are counted; several threads of each may wait. Redis does not store which.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chain, most time lost first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Head</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blocked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ends</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What to do</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::ChoiceMenu</name>
    <message numerus="yes">
        <source>&amp;Force release these %1 locks…</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Unfold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fol&amp;d</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Onl&amp;y this client</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Na&amp;me this client…</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>&amp;Force release the %1 of this client that are shown…</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockui::ClientActions</name>
    <message>
        <source>Name this client</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Who is that?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is a recording: there is no server to listen to.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Who a client is can be found out while its server is connected. The name that you give it there is shown here too.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is client %1 called? It is shown beside its id, at most %2 characters; empty forgets the name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A&amp;ll of this client…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::ClientDialog</name>
    <message>
        <source>Lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thread</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Held for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TTL</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lease</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keeps waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What it holds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waits for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Held by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Listens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What it waits for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Release all it holds…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All of a client</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Name it…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Who is that?…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Only this client</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows in the table of locks what it holds and waits for, and nothing else</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It holds nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A client without a name</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 holds</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>waits for %1</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>keeps at least %1 waiting</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>keeps %1 waiting</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Redis does not say where it is. “Who is that?” can find its address.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 client instances</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 in the queue, the first for %2</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Holds, as seen in Redis: the first %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Holds, as seen in Redis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>shared with others</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>run out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waits for, as seen in queues of fair locks: the first %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waits for, as seen in queues of fair locks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>yes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no: ghost, client gone?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other locks keep no queue: what it waits for beside these Redis does not tell.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Not known: %1 other locks are waited for by clients that Redis does not name. It may be one of them.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>No sign of life was seen in the last half minute, or since this program looks. That alone does not mean that it is gone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is connected: what it holds and waits for is not known.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what is grey was true %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No sign of life was seen in the half minute before that, or since this program looked. That alone does not mean that it was gone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>whom it keeps waiting is not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>keeps nobody waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nobody</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As it was %1: %2</source>
        <comment>when, what was so then</comment>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::CommandPalette</name>
    <message>
        <source>Command palette</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What do you want to do, or which lock do you look for?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>↑ ↓ choose · Enter does it · Esc closes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the first %1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the best %1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>looking…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is called so.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::ConnectionDialog</name>
    <message>
        <source>%1 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connected, version unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redis %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>read-only scripts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>client tracking</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pub/sub</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connect</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::ConnectionForm</name>
    <message>
        <source>Encrypt with T&amp;LS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;URL</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Host</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Port</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>instead of host and port</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sentinel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Independent servers (RedLock)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Topology</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Master&apos;s name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sentinels: user</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>their password</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Us&amp;er</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the default user</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the password</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pass&amp;word</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Database</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Authority (CA)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>those of the system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only if the server asks for one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Client certificate&apos;s &amp;key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the host</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Environment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a tag, or none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>En&amp;vironment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Never allow writin&amp;g</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This connection cannot be switched to writable.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter a host name or an address.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A host has no spaces.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A number from 1 to 65535.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter the whole path, from /.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A user name has no spaces.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only printable ASCII, no spaces.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A cluster has database 0 only.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A number from 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only printable characters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As the sentinels call it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no such file that can be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The certificate needs its key.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The key needs its certificate.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>names of other libraries&apos; locks, such as lock:* job:*</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Strings of such names are shown as locks, as redis-py, go-redsync, node-redlock or ShedLock write them: SET NX PX. * is anything, ? any character; a space separates two patterns; one with a backslash before it belongs to its pattern.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The password is kept until the program ends.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Uni&amp;x socket</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Topolog&amp;y</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mo&amp;re servers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remem&amp;ber the password</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cl&amp;ient name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Client certi&amp;ficate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Server name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Als&amp;o locks</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::ContenderModel</name>
    <message>
        <source>%1 *</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 acquires since it began, for %2 in all
%3 % of all acquires of the group in the last 10 s
%4 waits given up, %5 lost before the unlock, %6 crashes</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Of its waits in the last 10 s half took up to %1, 99 of 100 up to %2, by the clock of its process</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Client</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each is a process of its own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Acquires</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wait p99</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>99 of 100 waits of the last 10 s took up to so long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Since it began; the bar compares them within the group</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::ContentionDialog</name>
    <message>
        <source>Contend on the connected server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let clients contend on “%1”?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>They take locks of their own, under names that nobody else has, as fast as the knobs say: that is load for whoever else uses this server. All keys with these names are removed when it stops, also when Lockscope is closed or killed. Nothing else is touched, except by clients that you lead by hand.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let them contend</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave it</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::ContentionModel</name>
    <message>
        <source>Lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kept waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Taken</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wait mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of waits that were seen from beginning to end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Longest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The longest of these waits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hold mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of holds that were seen from beginning to end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>p99</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>99 of 100 of its last holds ended within this time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How often it was acquired since the counting began</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What all were seen to wait in its queue, together; also behind a ghost of a free lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&lt; 1 ms</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::CountChart</name>
    <message>
        <source>not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not seen before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not watched yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not seen for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 in all now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>now: %1 to go</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>now: %1 free</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>changed %1 times</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>between %1 and %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>last: %1 to go</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>last: %1 free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 in all at last</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>does not exist</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no number was seen</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::CurveChart</name>
    <message>
        <source>%1 ago</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing to measure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 before</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::DashboardPage</name>
    <message>
        <source>Dashboard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>last minute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>last 5 min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>last 15 min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>last hour</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Suspects</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Most contended locks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hold times</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Per second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Most contended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>acquires</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>renewals</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ran out unreleased</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing seen yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Figures appear once the server has been looked at.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 whole waits in fair queues</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source> · filtered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the gravest first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nobody was seen to wait in a fair queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by the time that others were seen to wait</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the gravest %1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dashboard, %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>slow or paused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compare with the minute before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compare with the 5 min before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compare with the 15 min before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compare with the hour before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing seen in this range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>may not read SLOWLOG: slow commands are not seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has no SLOWLOG: slow commands are not seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The user needs the right +slowlog|get to see slow commands.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>server: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not known: nothing is seen now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not looked for yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nobody in a queue was seen to listen for its turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>counted since %1, the first look</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the time before was watched only in part</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>figures, rates and times are of all locks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not all locks are seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>counted since %1 of the recording</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>figures are of all locks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>since %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>before that seen in part</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as it was at %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not all servers are seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 holds measured</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Nobody holds a semaphore as a whole.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nobody holds a latch.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only fair locks tell who waits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the time before was not watched</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>before that not seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none that matches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not counted yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not known yet: who stands in a queue may listen for its turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>among those that are listed; %1 more are not</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::DashboardTiles</name>
    <message>
        <source>%1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mean %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Acquires / s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Renewals / s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ran out unreleased</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Suspects</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 in this range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>when it was last seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>last %1 ago: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none was seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not looked for yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no deadlock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing is seen now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>last, probably, %1 ago: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and %1 probably</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not all locks are seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Held</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not all servers are seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, as last seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n deadlocks (inferred)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>at %1 locks</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of them as seen %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 ghosts</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockui::DataTable</name>
    <message>
        <source>Usual column widths</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::DeadlockBanner</name>
    <message>
        <source>Show the lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deadlock (inferred):</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 deadlocks (inferred); the first:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deadlock (inferred), as it was last seen:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 deadlocks (inferred); the first, as it was last seen:</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::DetailCharts</name>
    <message>
        <source>Hold times</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waits in the queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys in Redis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time to live, its last 90 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time to live, last 90 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Count, last %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Free permits, last %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none was seen to end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of those that ended since %1, as far as it was watched</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing was heard of it yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>renewals</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys it had in Redis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Count, its last %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Free permits, its last %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time to live, 90 s until %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Count, %1 until %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Free permits, %1 until %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none that can be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what was recorded of it until now cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::DetailEvents</name>
    <message>
        <source>Events of the lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Events</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the last %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none heard since %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none heard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>older ones cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>they were recorded, and cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::DetailHead</name>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Renew…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Force release…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Return a permit…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>hidden by the filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copies the whole name; control characters and bytes that are no text as they are shown here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>slot %1 · </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, at %2 · %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gone at %1 at the latest, %2; how it ended was not seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lease unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Renews it for a time that you choose, while it is held by whom you see here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frees the lock if it is still held by whom you see here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gives the chosen permit back in place of whoever has it, if it is still out as you see it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a permit in the list first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, right after: %2, at %3 · %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nobody holds it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is not held by anybody as a whole: there is nothing to force-release.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::DetailPanel</name>
    <message>
        <source>Details of the selected lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select a lock to see its holders, its queue and its time to live.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is no longer in Redis.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The filter hides it: clear the filter, or choose a lock in the table.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” is not among the locks that are seen.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is shown here as soon as it is, unless you choose another one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Heard last of it: %1, at %2.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::DetailPeople</name>
    <message>
        <source>Redis does not store which client has a permit, or has counted down.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Holders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fair queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Permits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nobody holds it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Holder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 holders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · %2 run out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Queue, the first %1 in Redis order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Queue, %1 in Redis order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Who held it at last, seen so since %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At last, seen so since %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Who waited at last, seen so since %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Queue at last, seen so since %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Led by hand, and waiting: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It changed after it was looked at last: its events tell how</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is not known who waited at last.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the &amp;id</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Return &amp;this permit…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Na&amp;me this client…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Who &amp;is that?…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Drop this waiter…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Who waited at last, as counted then</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::DetailTaking</name>
    <message>
        <source>Copy as</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its owner, JSON, or a command that looks at it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time to live of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Count of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Free permits of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hold times and waits of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hold times of %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::DropWaiterDialog</name>
    <message>
        <source>Drop a waiter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Drop the waiter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiter %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>number %1 of %2 in the queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It does not wait in this queue any more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is not told. If its client is alive, it lines up again at the end when it asks the next time. Those behind move up, and the next one is told if the lock is free.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nobody waits in this queue.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In the queue are
%1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dropped from the queue.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether its client is alive is not known: who listens was not told.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its client seems to be alive: it listens on its own channel.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its client seems to be gone: nobody listens on its own channel.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its time in the queue was over %1 ago.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It has left the queue since you looked, and lined up again: its client lives.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It has left the queue since you looked, and lined up again, or it is listened for again: its client lives.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It may have left the queue since you looked, and lined up again: not all of that time was watched. Close this, and look again first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its client seemed to be alive when it was last seen: it listened on its own channel.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its client seemed to be gone when this was last seen: nobody listened on its own channel.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its time in the queue was over %1 before that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 Close this, and look again first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nobody waits in this queue on the servers that were asked.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::DurationField</name>
    <message>
        <source>ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unit of: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::DurationsView</name>
    <message numerus="yes">
        <source>%1 seen whole</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 inferred</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 in part</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1, the newest first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none was seen whole</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of some the beginning was not seen, or was before the recording: they are not counted in.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>p50 ≤ %1 · p99 ≤ %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::EmptyState</name>
    <message>
        <source>Not connected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the Redis server whose locks you want to see.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connect…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing matches the filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing matches what is chosen</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::EventDensity</name>
    <message>
        <source>Events over time</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>a bar is %1, the highest %2 events</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: %2 events</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1: not all was seen then</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>counted back to %1 by now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: not counted yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of them tell what a look has found: it was there before, and is not in the scale</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::EventModel</name>
    <message>
        <source>Inferred: the likeliest explanation of what was read. It was not seen as such.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Event</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Owner</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Meaning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recorded in the audit log of this computer: it tells who did that. It was not seen as such.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::EventsBar</name>
    <message>
        <source>first seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>acquired</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>renewed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>released</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expired</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>forced, deleted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>counters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>servers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only: %1. Several add up; none chosen shows all.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 k</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 M</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::EventsPage</name>
    <message>
        <source>Events</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Follow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Follow · %1 new</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What happens comes at the top. Looking at older rows stops that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Goes to the newest, and shows what happens from now on</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 events</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 back to %2; what was heard before is not kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of the recording, back to %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 since %2, when this window began to listen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stands still</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” hides none: an event does not tell how its lock is now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1k</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing happened yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No lock was taken, renewed or given back since %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No event was recorded up to this moment.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was heard from the server yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None of the %1 events is of the kinds that are chosen above.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show all events</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>written to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 of %2 events</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>looking for older ones, at %1 by now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None of the %1 events matches “%2”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None of the %1 events matches “%2” and is of the kinds that are chosen above.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of the recording, back to %2; older ones cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What happened cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Events were recorded up to this moment, but the recording is damaged there. Alt+→ leads to the next one.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::ExportButton</name>
    <message>
        <source>Export ▾</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes what is shown to a file, whole</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::ExportFile</name>
    <message>
        <source>%1 (*.%2);;All files (*)</source>
        <comment>a format, its suffix</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was exported.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::FeedButton</name>
    <message>
        <source>The best that the server permits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Client tracking</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keyspace notifications</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Re-reading what is known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>feed: %1, limited</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>feed: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::FilterField</name>
    <message>
        <source>name, holder, kind:fair, waiters:&gt;3, ttl:&lt;5s …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” as text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl K</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Until it can be read, all locks are shown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All words must match; a minus before a word turns it round.
order — in the name or a holder&apos;s id
name:sku  holder:7f21  waiter:7f21
client:7f21 — holds it, or stands in its queue
kind:fair — %1
lease:watchdog — watchdog, fixed, unknown
state:free — free, held, waited, late
waiters:&gt;3  ttl:&lt;5s  ttl:none  held:&gt;1m</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In quotes it is looked for as text: &quot;%1&quot;.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::ForceReleaseDialog</name>
    <message>
        <source>Force release</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Force release</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Was held by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Who is woken</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The lock is free: there is nothing to release.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The holders changed since you looked. Look again first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The holders were not those you saw.

Expected
%1

Found
%2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Released. Nobody was seen to wait.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Released. The message that wakes those who wait was sent.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Released. No message was sent to waiting clients.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The holder is the one you saw, but the lock ends at another time: the holder has set that anew since you looked, or has taken the lock anew.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same holder may have taken it anew since you looked: its end was set anew, or it was out of sight for a while. Look again first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 Look again first.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::FreePlayCard</name>
    <message>
        <source>Acquires per second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of the last 10 s; the curve is of each second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waits, p50 and p99</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of the waits that ended in the last 10 s half took up to the first, 99 of 100 up to the second; the curves are of each second. Each client measures its own, in its process.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fairness, Jain&apos;s index</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of the acquires of the last 10 s: 1 where all clients got as many, 1/n where one of n got all. A client that was away counts by what it got while it was there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove this group</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clients of: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A client got the lock while another, which had not been told of its loss, still went on as its holder: its lease was over.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>acquires</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>p99</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>p50</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Jain&apos;s index</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was killed while it held the lock. Nobody has told Redis, which goes on naming it until its lease is over: that is known as a time at most, since it may have been renewed a little before its death.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped at %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nobody lost a lock, gave up or crashed so far.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not played yet.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::FreePlayHands</name>
    <message>
        <source>Free play has ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Something of free play may be left on the server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Free play</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::FreePlayHead</name>
    <message>
        <source>Watch in the window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What to begin with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copies the address of the private server, for redis-cli -u or lockctl --url</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a group</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One more beside the others, with the knobs as they are; up to %1 in all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connects the window to the private server, read-only, until it stops: its locks, timeline and dashboard are then those of the players</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other programs on this computer can look at it there. Hold and think times are kept by Lockscope; each step of a client costs the way to its process and back.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::FreePlayKnobs</name>
    <message>
        <source>Kind of lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of clients</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hold time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Think time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lease</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Watchdog</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fixed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Length of the lease</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Longest wait</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Up to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Limit of the wait</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Crashes per minute</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Part of readers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Permits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Place in the queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turn all groups alike</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What you turn here is turned in the other groups, too, except the kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At most %1 in a group: each is a process of its own, and more of them would measure this computer rather than the lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean of how long a client keeps the lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean of how long it wants nothing, between two locks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of the whole group: a client is killed where it stands (kill -9), and is back after two seconds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How long a queue keeps the place of a client that died (fairLockWaitTimeout; Redisson: five minutes). Nobody behind it gets the lock before. Clients start anew for another.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether a client gives up, and thinks again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A place in the queue lasts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clients</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Holds it for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Then thinks for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Spread of: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Always</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Uniform</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exponential</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Always the same; anything up to twice the mean; or many short times and a few long ones</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clients of: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The lock is free after so long, whether its holder has finished or not</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The watchdog sets the time to live back to this, every third of it. Clients start anew for another.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Who leads the clients</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Contend by themselves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Led by hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No renewals</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One try</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name of the lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>name of a lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By themselves they take a lock of their own again and again; by hand they do only what you tell them, to the lock that you name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its clients</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A client holds it or waits for it: let it give it back first</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::FreePlayPlace</name>
    <message>
        <source>A private server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where to play</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connected: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The connected server: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Groups contend there under names of their own, which are removed when it stops. Clients that are led by hand take the lock that you name, and give back what they hold when it stops.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Started for it, and gone when it stops. %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clients are real processes on the connected server. Those that are led by hand take the lock that you name, as any client of it does, and give back what they hold when it stops. Groups that contend by themselves do so under names of their own, and all of that is removed when it stops.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clients are real processes on a private server of their own. Turn the knobs while they run, take one by the hand, let it crash.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Private server %1, gone when it stops</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On %1, under names with %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped: something may be left on the server; the figures are those of its end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped: what clients held is given back; the figures are those of its end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped: server and clients are gone; the figures are those of its end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped: the window is no longer connected to %1 for writing; something may be left there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped: the window is no longer connected to %1 for writing. What clients held is given back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopping: what clients hold is given back, and what they wrote is removed…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Under names with %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Private server, gone when it stops</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gone when it stops</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped: something may be left on %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped: something may be left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped: what clients held is given back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped: something may be left on the server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped: server and clients are gone</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::FreePlayView</name>
    <message>
        <source>Free play could not begin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Play freely with contention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop first: that clients contend by themselves on the connected server is asked about at the start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server, and the clients of each group.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Free play has ended</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::GraphPage</name>
    <message>
        <source>Legend</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>client : thread</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>holds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>keeps waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>inferred, or only counted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Break the deadlock…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Arrange</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wait graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deadlocks first, then where most time was lost, without holes. Until then nothing moves that stays the same.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows all of it, as far as it can be read (0). Ctrl and the wheel zoom.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chains</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 more chains are not shown</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>None of the %1 chains has a lock that matches “%2”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nobody is seen to wait</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redis names those who wait for fair locks. Of most others it tells how many client instances listen for the release. Who asks again and again without listening, as for spin locks, cannot be seen.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Of %1 locks it is not known whether anybody waits.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Chains left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the deadlock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is drawn where there was room, so that nothing moved for it: out of sight.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The one chain that is there has no lock that matches “%1”.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::GuardedDialog</name>
    <message>
        <source>Lock %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Reason, for the audit log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ticket, who asked for it, why now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type the lock&apos;s &amp;name to confirm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is no longer in Redis: there is nothing to act on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A reason is needed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The lock&apos;s name is not typed, letter for letter.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connecting to the server …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sent: it cannot be cancelled any more. Waiting for the server&apos;s answer, which will be shown here …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancelling …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hide</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether it was done is not known: look at the lock before you try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was sent.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Refused, and nothing was changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The audit log could not be told that it is done: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tried at %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was read from another server for a while since you looked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is read from another server since you looked: %1 instead of %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 To go on without that server, connect again: it is not asked then, and named here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 To go on without those servers, connect again: they are not asked then, and named here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at the lock before you try again.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::GuideBrowser</name>
    <message>
        <source>Chapter</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::HandBar</name>
    <message>
        <source>One client by hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In your hand a client does only what you tell it; left to itself it goes on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Beside other readers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unlock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gives one hold back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Renew</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sets its time to live back to the lease, or to that of the watchdog</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Count down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By one; at zero the latch opens for all who wait</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its process stands still (SIGSTOP), and its watchdog with it, as in a long pause of a garbage collector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take by the hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let it go on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lock again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wait for it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stand still</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Crash</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes the lock, or waits for it; once more by its holder: re-entry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Until it is counted down to zero</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waits no longer, and leaves the queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A permit of this semaphore would be lost for good: nobody would ever give it back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its process is killed (kill -9): nothing is given back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing runs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a client to lead it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a client to take it by the hand.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Client %1, %2, in your hand: %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Client %1, %2: %3</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::HelpWindow</name>
    <message>
        <source>User guide</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chapters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find in this chapter: Enter for the next, Shift+Enter for the one before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find in this chapter</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::HistogramCard</name>
    <message>
        <source>all locks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>chosen lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No lock is chosen: choose one here or on any other page.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 since %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 in the range before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>a chart, of which locks</comment>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::HistogramChart</name>
    <message>
        <source>none yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 seen; half took up to %2, 99 of 100 up to %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none was seen from its beginning to its end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>before that %1 were seen, and half took up to %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::HolderList</name>
    <message>
        <source>run out, still counted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>run out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>never expires</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nobody</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>would never expire</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>would have %1 left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>would have run out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (×%1 when you looked)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::HolderModel</name>
    <message>
        <source>run out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not in the form that Redisson writes: from a port.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Holds by re-entry; released when all are given back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>since %1, seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its time has run out: it holds nothing any more, though it still stands in the hash.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All timeouts of this reader have run out; the hash still counts it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Client : thread</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Holds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Held for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TTL</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>since before %1: it was held already when first seen, or seen again</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::HoldersView</name>
    <message>
        <source>%1 to live in all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>never expires</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>held %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Holders as you saw them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Holders now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Look again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes the holders of now as those to act on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Held by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You saw</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Now it is held by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When last read it was held by</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::LabLanesView</name>
    <message>
        <source>Lanes of the clients</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>write</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>thread %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>servers</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::LabPage</name>
    <message>
        <source>Watch in the window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scenarios</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>My scenarios</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Contention lab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connects the window to the private servers of this play, read-only, until it is over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parts of the lab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Free play</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>starting private servers…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>private server · redis %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n passed</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n failed</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>“%1” is not saved as it is shown here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lockctl plays the text that is saved, without your last changes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lockctl plays the text that is saved, and that is another one by now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lockctl finds none of this name that can be played among what is saved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy all the same</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save and copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was written of %1 is a file of that name now: it had none any more, or another window had changes of the same scenario.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Changes of %1 were not saved when the program was ended.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>They are kept beside their files until you save or revert them, and are there whenever you open one among your scenarios.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockui::LockFilterProxy</name>
    <message>
        <source>It no longer matches the filter.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::LockGroupModel</name>
    <message numerus="yes">
        <source>%1 and %n others</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>without a holder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>without a prefix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>shown: </source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>waits for %1</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Group, folded: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Group: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nobody holds these as a whole: they are free, or are counted, as semaphores and latches are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Their names have none of the separators : / .</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::LockTableModel</name>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No time to live: it is never released by itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No longer in Redis.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Holder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TTL</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lease</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Held for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fixed</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::LockTaking</name>
    <message>
        <source>written to %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::LocksBar</name>
    <message>
        <source>not &amp;grouped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Not grouped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;grouped by client</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By the &amp;client that holds them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;grouped by prefix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By the &amp;first part of their names</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;grouped by two parts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By the first &amp;two parts of their names</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Group the locks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Puts locks together by who holds them, or by what their names begin with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>F&amp;old all groups</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Unfold all groups</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 locks</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %2 locks</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 groups</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockui::LocksPage</name>
    <message>
        <source>Locks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None of the %1 locks matches “%2”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No locks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 looked at; none belongs to a lock of Redisson. New ones appear here by themselves.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Part of a deadlock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No locks at this moment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Alt+→ leads to the next event of the recording, Ctrl+P plays on from here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No event follows in the recording.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The one lock that is there does not match “%1”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show on the &amp;timeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show in the &amp;wait graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Onl&amp;y what this client holds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Na&amp;me this client…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Who &amp;is that?…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>R&amp;enew…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Force release…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::MainWindow</name>
    <message>
        <source>Paused since %1 · </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is a recording: there is no server to act on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The connection is read-only: switch it at the top first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paused: resume first, to act on what is there now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is shown is not up to date.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How changes are heard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not in a recording</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>connect first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this connection is always read-only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>read-only: switch to writable first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>paused: resume first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what is shown is not up to date</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing is open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connect…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Switch back to read-only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Switch to writable…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End the recording</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Record</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a recording…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rescan all keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close the recording</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Disconnect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connect to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing looks wrong</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next lock that needs attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous lock that needs attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>User guide</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Theme: as the system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Theme: light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Theme: dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sort the locks by “%1”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>choose a lock first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nobody holds it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>several hold it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the chosen lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Force release %1…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Renew %1…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the name of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show only what the holder of %1 holds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All that the holder of %1 holds and waits for…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name the client that holds %1…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Who is the client that holds %1?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>LAB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>something is missing: see the page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another one is running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run scenario: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Play freely with contention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take a lock by hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Return a permit of %1…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it gives no permits that can be returned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nobody has one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>choose a permit first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Break the deadlock…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no deadlock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>goes to “%1” first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connection lost · </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing seen then · </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is not known what looks wrong</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cannot connect · </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>run the scenario first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: Save report…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop a waiter of %1…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nobody is in its queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has no queue that one could leave</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>choose a waiter first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all of this client, everything that it has</source>
        <comment>words that one might look for</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a latch is held by nobody</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redis does not say who has its permits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is not known where it is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the owner of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>copy the owners</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy %1 as JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy %1 as a lockctl command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy %1 as a redis-cli command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>return this permit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>drop this waiter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only what this client holds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>name this client</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>who is that?</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::Navigation</name>
    <message>
        <source>Pages</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::NoticeDialog</name>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::OwnScenariosView</name>
    <message>
        <source>One takes it, the other comes too late</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What one sees, and why.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>My scenarios</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Begins with a short scenario that can be played</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy of…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Begins with a copy of one that comes with the program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copies a file into the folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its file and the name in it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asks first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the folder in which they are kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No scenario of your own yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your scenarios cannot be shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write one, or begin with a copy of one that comes with the program.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The scenario was not saved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A new scenario</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A copy of “%1”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import a scenario</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scenarios (*.json);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file was not imported.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import as</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename “%1”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was not renamed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete “%1”?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its file goes, and does not come back: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was not deleted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No program opens folders here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scenario</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was kept of “%1” could not be saved.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::Pages</name>
    <message>
        <source>Locks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wait graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dashboard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Events</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Audit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Contention lab</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::PaletteModel</name>
    <message>
        <source>action</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>guide</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::PermissionDialog</name>
    <message>
        <source>Type PROD to confirm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is production. To go on, type PROD, in capital letters:</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::PermitModel</name>
    <message>
        <source>By the clock of the client that took it; when it has run out, the next to come takes it back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Permit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>never</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Return…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ends in</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::QuestionDialog</name>
    <message>
        <source>Scenario</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::RateChart</name>
    <message>
        <source>Acquires and renewals per second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, for %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>acquires: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>renewals: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>releases: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ran out unreleased: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>force-released: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 acquires, %2 renewals and %3 holds that ran out between %4 and %5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>(%1 in the range before)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>probably ran out unreleased: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, and %1 that probably did</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::Recordings</name>
    <message>
        <source>Recordings (*.lockrec);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The recording has ended. The watching goes on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The recording is shown, but it is not whole.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The recording cannot be shown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Record to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The recording has ended.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The recording has ended with its connection.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recording</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open its &amp;folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No program opens folders here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Show it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a recording</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Show it…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It can also be opened later (Ctrl+O)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This moment of the recording cannot be shown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was shown before it stays.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More places are damaged: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What can be read of it is shown.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::ReturnPermitDialog</name>
    <message>
        <source>Return a permit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has no lease: it never ends by itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its lease has run out: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its lease ends in %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Permit %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The semaphore does not exist any more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its lease was set anew since you looked. Close this, and look again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nobody holds this permit any more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its lease has run out: the next client to use the semaphore takes it back by itself. Returned now, those who wait are told now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whoever has it is not told, and Redis does not say who that is. If it is still at work, one more than was meant is at work at once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its own release fails then; no other permit is touched by that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nobody held this permit any more, or its lease had been set anew.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Returned. Those who wait were told how many permits are free.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Returned. No permit is free all the same, so nobody was told.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its lease ended with that</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it had no lease</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Return the &amp;permit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>when you looked: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Returned. The message for those who wait was sent.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as it was when you looked: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as it was last seen: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 Close this, and look again first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On the servers that were asked nobody held this permit any more, or its lease had been set anew.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::ScenarioEditor</name>
    <message>
        <source>Save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Revert</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text of the scenario</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The scenario as it is saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Form</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same, step by step, in fields</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes it to its file (Ctrl+S)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keeps it under another name; the one saved before stays</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to what was saved; can be undone (Ctrl+Z)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go there (F8)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To the next place where something is wrong</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This file has bytes that would be lost here: it can be read, and changed with another program. Scenarios are UTF-8 text with one kind of line breaks.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> · not saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source> (and %n more)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Can be played: %1, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n client(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Something is wrong with it: see below</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plays it as it is written here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the scenario as</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is saved under its new name. The file of the old one stays: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was saved yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load theirs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace theirs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save it anew</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the changes of “%1”?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>They are not in its file yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Discard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its file is gone from the folder. Save writes it anew.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Somebody else has changed its file meanwhile. Save asks what is to become of that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These changes were not saved when the program was ended, at %1. Save keeps them, Revert goes back to what is in the file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These changes were not saved when the program was ended, at %1. Somebody else has changed its file meanwhile: Save asks what is to become of that.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::ScenarioExpectationCard</name>
    <message>
        <source>In Redis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The monitor shows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The monitor has told</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show it in the text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove what is expected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>anything</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>$A stands for the id of the client A</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Channel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Listeners</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Is there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of a string</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fields</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of a hash, all of them, a line each: $A:1 = 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Elements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of a list, in order, with commas between them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time to live</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Is held</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Holders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in any order: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nobody</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as in the queue: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lease</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Free permits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Count of the latch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Held on servers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is wrong</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Event</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Owner</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Certainty</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::ScenarioField</name>
    <message>
        <source>to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>yes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It has signs that separate values here: edit it in the text</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::ScenarioForm</name>
    <message>
        <source>The form is closed: the text is no JSON at the moment. Mend the place that is marked in the text, and the form opens again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Duplicate the step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move the step up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move the step down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete the step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The scenario</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::ScenarioHeadForm</name>
    <message>
        <source>The scenario</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one word, as on a command line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Title</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For your code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what it means for code that uses locks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Group</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where it is played</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Watchdog</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fair wait</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clients</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Servers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a client</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name of client %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its watchdog renews</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without it the client is one whose watchdog never comes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove client %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Program of client %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lockcore is this program&apos;s own; redisson is the real one, in Java</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Version of client %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of Redisson: 3.16.8, or 4 for any that begins with 4.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>any version</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::ScenarioList</name>
    <message>
        <source>not played yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>passed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scenarios</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::ScenarioNameDialog</name>
    <message>
        <source>Name of the scenario</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is kept under this name, and lockctl run plays it by it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is a scenario of this name already.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::ScenarioStage</name>
    <message>
        <source>redis-server is not installed. Scenarios are played on private servers: install the package redis-server (Debian, Ubuntu) or redis (Fedora, Arch), or valkey.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lockctl is neither beside this program nor in the PATH. The clients of a scenario are processes of it: install it with Lockscope.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save report…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy as lockctl run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The chosen step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clients, servers and the monitor run on this computer, and read the same clock.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Among your own scenarios: a copy of one that comes with the program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It could not be played: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a step to see all that is expected of it, and what was seen.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>starting servers and clients…</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n checks</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n checks passed</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n failed</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>stopped in the middle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>held back for %1: what had begun went on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Report saved: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the report in the browser</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No program opens reports here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the next step that failed</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::ScenarioStepForm</name>
    <message>
        <source>Does</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Client</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Several as one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>names of locks, with commas between them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Variant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lease</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>watchdog</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waits at most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tries again for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not at all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Count</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thread</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After the end of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ids of earlier steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the speed of a play changes this pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the next step does not wait for the end of this one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Id</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>for steps that come after it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what one sees, and why</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Expected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>anything</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Took from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token above that of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>id of an earlier step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ended in order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ids of steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Within</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stays so for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::ScenarioStory</name>
    <message>
        <source>For your code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About this scenario</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Begins the next step, and holds back those behind it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ends it in the middle: servers and clients are gone then</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1×</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of the pauses between steps that no lease depends on. Leases, renewals and waits take the time they take.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing here can be made faster or slower: each time depends on a lease or on a wait.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plays it from the beginning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Goes on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Holds back the next step: what has begun goes on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another scenario is running: stop it first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>‹ My scenarios</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to where it is written; what is played goes on</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::ScenarioWorldForm</name>
    <message>
        <source>Expect more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Something to expect of keys in Redis, of what the monitor shows, or of its events</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit in the text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows this step in the text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A key in Redis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its time to live</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Who listens to its channel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the monitor shows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An event</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::ScrubBar</name>
    <message>
        <source>To the event before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Play</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To the next event</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>to %1 · events: %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::ScrubTrack</name>
    <message>
        <source>Moment of the recording</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::ServerStrip</name>
    <message>
        <source>What servers went through</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 more slow commands</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 marks. The last one: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>about %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, by Lockscope itself</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::SetTtlDialog</name>
    <message>
        <source>Renew</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Held by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time to live from now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The lock is free: there is nothing to renew.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is held by
%1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Renewed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All holders get this time. Redisson&apos;s watchdog sets it anew at its next tick, lockctl&apos;s when less than its own time is left; and a short time frees the lock while its holder goes on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rene&amp;w</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” is no time to live: write 90, 90s, 10m or 2h; from 1s to 24h.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>= %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 Look again first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Time to live from now</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::ShowRecordingDialog</name>
    <message>
        <source>Show the recording</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close the connection to “%1” and show the recording?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The window forgets the events and the timeline of the connection, and when that is opened again it is read-only. The recording can also be opened later (Ctrl+O), or in a second window: lockscope --replay and its name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close it and show the recording</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go on watching</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::StaleBanner</name>
    <message>
        <source>Paused since %1, for %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: the connection was lost already, and what is shown was true %2 before.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: the connection was lost already, and nothing tells when what is shown was true.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: what is shown was true then, and what is grey %2 before.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: what is shown was true then; what is grey may not have been.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: what is shown was true then.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is still lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Meanwhile the connection is lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The watching goes on behind it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is still lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 are still lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Meanwhile %1 is lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Meanwhile %1 are lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 are lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is grey was true %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is grey may no longer be true.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The other servers are watched.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connection lost %1; what is shown was true then.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connection lost; what is shown may no longer be true.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trying again in %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trying again now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter password…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was not reached by this time of the recording: what it had is not known.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 were not reached by this time of the recording: what they had is not known.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was never reached: what it has is not known.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 were never reached: what they have is not known.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was not reached by then: what it had is not known.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 were not reached by then: what they had is not known.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was seen at this time of the recording.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is shown was true %1 before.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was not seen at this time of the recording.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 were not seen at this time of the recording.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is grey was true %1 before.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is grey there was true %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>servers, why they are lost</comment>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::StatusStrip</name>
    <message>
        <source>Deadlines in Redis are compared with the clock of the server, and so is what is shown here. Other times are those of this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>replica</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not connected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>paused since %1 · stale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>paused since %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>replay · stale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>replay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>connecting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>first sweep %1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>live</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 locks · %2 held · %3 waiting</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>renewals %1/s · acquires %2/s · expiries %3/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>keys not scanned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>under 1 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>last full sweep %1 (%2 in %3)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, without scripts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>now:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This line gives all of it (in a cluster on each node):</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Missing rights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server&apos;s ACL refuses some of what Lockscope needs:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy the line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n rights missing</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>opening the recording</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 of the locks are not seen now</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>cannot connect · tries again in %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot connect · tries again now</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::StepTableModel</name>
    <message>
        <source>At</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When it began, since the first step could begin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Who</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Expected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the client answered, what was found in Redis and what the monitor showed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not begun</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>+ %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Expected:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seen:</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::SuspectList</name>
    <message>
        <source>Suspects</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deadlock (inferred)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::SuspectsView</name>
    <message>
        <source>Suspects</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was seen since the connection was opened</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the recording tells from %1 on, and not what was before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A hold is measured when its beginning was seen, also where it is only concluded how it ended; a queued wait when its beginning and end were both seen. Only fair locks tell who waits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>since %1: %2</source>
        <comment>a moment, and what was counted since then</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether something looks wrong with it is not known: so much does that only the gravest is listed.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::TimelinePage</name>
    <message>
        <source>Only contended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only locks that somebody waits or has waited for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Follow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The newest moment stays in sight (F)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Order of lanes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by contention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>by last change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ran out unreleased</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ended by others</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 locks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Locks that are gone are matched by their name and kind alone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not all locks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are too many: those are kept that changed last.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 – %2, %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing seen yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Holds and waits appear once the server has been looked at.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No lock was seen yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A lane appears with the first lock that is held.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show all locks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Timeline, %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing older than %1 is kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from %1, %2</source>
        <comment>a moment, and how long</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None until this moment of the recording. Alt+→ leads to the next event.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The holds of this one are lit, and the others are faint. A click ends that (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>how many waited: known from %1 on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lit: %1</source>
        <comment>the holds of a client</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End the lighting of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None until this moment of the recording, and no event follows in it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nobody was seen to wait</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save a scenario of this loc&amp;k…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save a scenario of what is &amp;in sight…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No lock was seen that somebody waited for. Only the waiters of fair locks can be seen one by one; ghosts, whose clients seem to be gone, wait for nothing.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::TimelineView</name>
    <message>
        <source>Timeline of locks</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n lanes</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>gone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Un&amp;pin lane</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Pin lane to the top</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Show lock in full</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Zoom to this wait</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Zoom to this hold</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::TokenLine</name>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last fencing token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fencing token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It grows with each hold: what the holder writes to should refuse a smaller one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What its holder wrote into the key, and shows to release it.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::TopBar</name>
    <message>
        <source>Connect…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a recording…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rescan all keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keeps the picture as it is; the watching goes on (Ctrl+Space)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Disconnect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close the recording</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As the system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connection: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recording: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Record</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>writable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>read-only, locked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>read-only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Switch back to read-only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Switch to writable…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>also locks: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n need attention</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Command palette…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the chosen lock, or any other, as a client that you lead by hand: in the contention lab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the user guide says of this page (F1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is a recording: Ctrl+P plays it, and stops that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is a recording: there is nothing new to record.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is watched: connect first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Always read-only: so it was chosen for this connection.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It can be switched to writable once its server answers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the next lock that something looks wrong with (F8; the one before: Shift+F8), the gravest first, as the dashboard lists them. It counts locks; the dashboard counts all that was found, and there may be several things of one lock.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is nothing to see until the server answers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop the recording, %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All that is seen is being written to a file: for so long, and so much of it. A click ends that (Ctrl+R)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes all that is seen to a file, until it is clicked again (Ctrl+R)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More was found than is listed: locks with the least of it are not counted, and have no sign.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::TtlChart</name>
    <message>
        <source>Time to live, last 90 seconds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not seen for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>before this hold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no course kept from before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not watched yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not seen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>renewal late (%1 s gap)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>median gap %1 s · worst %2 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>renewal late: %1 s gap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>taken by %1 at %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time to live, its last 90 seconds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nobody holds it: there is no time to live</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nobody held it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no time to live: it never expires by itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time to live, the 90 seconds until %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>passed over: its events tell how it went on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>passed over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>renewals in its last 90 seconds: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>renewals in the last 90 seconds: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>renewals in the 90 seconds until %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>renewals since %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::WaitGraphView</name>
    <message>
        <source>Wait graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 chains, %2 deadlocks</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::WaiterModel</name>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ghost: client gone?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>also holds %1 and %2 more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>also holds %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 by the clock of the waiting clients; when it stands at the head then, the next to come drops it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In the queue without a timeout: it is never dropped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nobody is subscribed to this waiter&apos;s own channel.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Timeout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ghost?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dropped next</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::WatchPlayDialog</name>
    <message>
        <source>Watch the play</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave “%1” and watch the play in this window?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The window forgets the events and the timeline of the connection, and a recording of it ends. When the play is over the connection is opened again, read-only. To watch both, copy the address of the play&apos;s server, if it has one, and open it in a second window.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave it and watch the play</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stay connected</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::WhoIsThatDialog</name>
    <message>
        <source>and from elsewhere</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 commands in %2; inferred from the clients that they name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No command of a lock was among them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ended early: the server told too much.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Names of connections are not known: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Listen now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep the names</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Listening…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Who is that?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where is client %1?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redis does not say where the holder of a lock is. Lockscope can listen for a short time to every command that %1 gets (MONITOR): those of locks name their client, so its address becomes known.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MONITOR can halve the throughput of the server while it lasts, and shows all commands with their data. Nothing of it is kept but ids and addresses.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A watchdog of Redisson speaks every 10 seconds unless it is set otherwise</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Client</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Address, name of the connection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Call it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clients that were found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Listen for at most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Listening for another %1…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The ACL rule +monitor permits it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Client %1 is at %2 (inferred).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Client %1 was not heard: it named itself in no command of a lock in that time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 commands over %2 connections</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::WritableDialog</name>
    <message>
        <source>Switch to writable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make “%1” writable?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stay read-only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Then locks can be released by force, and the lab&apos;s clients can take locks there. Every action on locks of others still asks for a reason and is written to the audit log. It ends when you switch back, disconnect or connect elsewhere; a connection that is lost and comes back stays writable.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::WrittenNote</name>
    <message>
        <source>written to %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::lab::JsonNode</name>
    <message>
        <source>expected a text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected true or false</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected a whole number from %1 to %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected a duration of up to an hour, such as &quot;250ms&quot; or &quot;3s&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected a list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected an object</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;%1&quot; is missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not known here; expected one of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected one of %1, not &quot;%2&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected two durations: from and to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected a window of time: its end is not after its beginning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this is no JSON: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>line %1, column %2: %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is a &quot;%1&quot; already</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::lab::JsonSyntax</name>
    <message>
        <source>expected %1, which closes the %2 of line %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected a colon behind the name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected the end: there is more behind the whole of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected a comma before this, or %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected another name: behind the last value there is no comma</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected a name in quotation marks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected a name in quotation marks, or }</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected another value: behind the last one there is no comma</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected a quotation mark that ends this text in its line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected characters in UTF-8</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected an escape, such as \t, in place of a control character</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected one of %1 behind the backslash</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected four hexadecimal digits behind \u</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected two escapes for this character, from \ud800 and from \udc00 on</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::lab::OwnScenarios</name>
    <message>
        <source>A name is one word, as on a command line: letters a to z, digits, - and _, up to %1 of them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” comes with the program: choose another name, such as %1-2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The folder %1 cannot be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It cannot be read: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is larger than any scenario.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected &quot;%1&quot;: its file is called %1%2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” is not in the folder any more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is a scenario “%1” already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” cannot be read: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” was changed on the disk by somebody else.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The folder %1 cannot be made.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” was not saved: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” was not deleted: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing can be kept in the folder %1.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::lab::PlayText</name>
    <message>
        <source>Others</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Basics</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leases</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kinds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Faults</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>looking…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>running…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in this order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>done</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n clients</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>watchdog %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fair wait %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>lockui::lab::ScenarioReader</name>
    <message>
        <source>expected at least 500ms: a busy computer renews no faster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected one to %1 clients</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected one to %1 steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected {&quot;independent&quot;: 3}, with the number of servers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected a name of plain letters and digits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is a client &quot;%1&quot; already</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is a step &quot;%1&quot; already</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a check needs &quot;expect&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is no client &quot;%1&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not done by a client</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the network of a client can be cut where there is one server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there is a replica only where &quot;servers&quot; is &quot;replicated&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected two locks or more, which are locked or unlocked as one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;lock&quot; is missing: which lock is it done to?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a lease is longer than nothing; without &quot;lease&quot; the watchdog renews</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;lease&quot; is missing: for how long is it renewed?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;mode&quot; read or write goes with the kind readWrite, and only there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>clients of scenarios do not take locks of this kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nobody holds a latch: expected await</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected the kind of a semaphore</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected countDownLatch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;%1&quot; has no outcome</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected two steps or more, one after the other</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what is expected of the key? exists, value, fields, elements or ttl</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no earlier step has the id &quot;%1&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>behind $ stands the name of a client</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this waits without end: %1 holds &quot;%2&quot;, and nothing that frees it begins before this step has ended; expected &quot;wait&quot;, or &quot;meanwhile&quot; and a later unlock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the watchdog of Redisson cannot be switched off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;version&quot; goes with &quot;program&quot;: &quot;redisson&quot;, and only there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected a version such as &quot;3.16.8&quot;, or the beginning of one such as &quot;4&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&quot;scalable&quot; is said of a &quot;pause&quot;, and there is none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are slots only where &quot;servers&quot; is &quot;cluster&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a server of a cluster does not come back: it would be none of it any more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redisson renews by itself, and cannot be told to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 has crashed in step &quot;%2&quot;: expected a &quot;start&quot; of it before anything is asked of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 stands still since step &quot;%2&quot;, and does not go on before this step has ended; expected &quot;resume&quot;, or &quot;meanwhile&quot; and a later &quot;resume&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 runs already: it is started after a &quot;crash&quot;, and only then</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>

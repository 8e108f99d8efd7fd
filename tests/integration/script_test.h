// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/integration/script_runner.h"

#include <QObject>

namespace testsupport {

/// A test of scripts whose functions each find the same server empty.
class ScriptTest : public QObject {
    Q_OBJECT

protected:
    virtual void prepareNext() { } // for the next function

    ScriptRunner m_redis;

private Q_SLOTS:
    void initTestCase();
    void init();
};

} // namespace testsupport

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace testsupport {

/// A certificate authority of our own with a server certificate (localhost, 127.0.0.1) and a client certificate.
struct TestCertificates {
    QString caFile;
    QString serverCertificate;
    QString serverKey;
    QString clientCertificate;
    QString clientKey;
};

/// Made by the openssl program in `folder`; empty names when that fails.
TestCertificates makeCertificates(const QString &folder);

} // namespace testsupport

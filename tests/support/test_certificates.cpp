// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_certificates.h"

#include <QProcess>
#include <QStringList>

using namespace Qt::StringLiterals;

namespace testsupport {

namespace {

bool makeCertificate(const QString &key, const QString &certificate, const QString &subject, const QStringList &more)
{
    QStringList arguments{ u"req"_s, u"-x509"_s, u"-newkey"_s, u"ec"_s, u"-pkeyopt"_s,
        u"ec_paramgen_curve:prime256v1"_s, u"-nodes"_s, u"-days"_s, u"2"_s, u"-keyout"_s, key, u"-out"_s, certificate,
        u"-subj"_s, u"/CN="_s + subject };
    QProcess openssl;
    openssl.start(u"openssl"_s, arguments + more);
    const bool done = openssl.waitForFinished() && openssl.exitCode() == 0;
    if (!done)
        qWarning("openssl: %s", openssl.readAllStandardError().constData());
    return done;
}

} // namespace

TestCertificates makeCertificates(const QString &folder)
{
    const auto in = [&](QLatin1String name) -> QString { return folder + u'/' + name; };
    const TestCertificates made{ in("ca.crt"_L1), in("server.crt"_L1), in("server.key"_L1), in("client.crt"_L1),
        in("client.key"_L1) };
    const QString caKey = in("ca.key"_L1);
    const QStringList signedByCa{ u"-CA"_s, made.caFile, u"-CAkey"_s, caKey, u"-addext"_s,
        u"basicConstraints=critical,CA:FALSE"_s };
    const bool done = makeCertificate(caKey, made.caFile, u"Lockscope test authority"_s, {})
        && makeCertificate(made.serverKey, made.serverCertificate, u"localhost"_s,
            signedByCa + QStringList{ u"-addext"_s, u"subjectAltName=DNS:localhost,IP:127.0.0.1"_s })
        && makeCertificate(made.clientKey, made.clientCertificate, u"client"_s, signedByCa);
    return done ? made : TestCertificates{};
}

} // namespace testsupport

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/common/secret_store.h"

#include "app/common/words.h"

#include <fcntl.h>
#include <optional>
#include <string_view>
#include <termios.h>
#include <unistd.h>

#ifdef LOCKSCOPE_KEYCHAIN
#include <qt6keychain/keychain.h>
#endif

namespace app {

namespace {

constexpr char CtrlC = 3;

/// The controlling terminal, without echo for as long as this lives. Ctrl-C arrives as a character, since a signal
/// would leave the terminal mute.
class QuietTerminal {
public:
    QuietTerminal()
        : m_terminal(::open("/dev/tty", O_RDWR | O_CLOEXEC))
    {
        ::tcgetattr(m_terminal, &m_before);
        termios quiet = m_before;
        quiet.c_lflag &= ~static_cast<tcflag_t>(ECHO | ISIG);
        ::tcsetattr(m_terminal, TCSAFLUSH, &quiet);
    }
    ~QuietTerminal()
    {
        ::tcsetattr(m_terminal, TCSAFLUSH, &m_before);
        ::close(m_terminal);
    }
    QuietTerminal(const QuietTerminal &) = delete;
    QuietTerminal &operator=(const QuietTerminal &) = delete;

    bool write(std::string_view text) const { return ::write(m_terminal, text.data(), text.size()) >= 0; }
    bool read(char &c) const { return ::read(m_terminal, &c, 1) == 1; }

private:
    int m_terminal;
    termios m_before = {};
};

} // namespace

std::optional<std::string> askPassword(const std::string &question)
{
    if (::isatty(STDIN_FILENO) == 0)
        return std::nullopt;
    const QuietTerminal terminal;
    if (!terminal.write(question + ": "))
        return std::nullopt;
    std::string password;
    char c = 0;
    while (terminal.read(c) && c != '\n' && c != CtrlC)
        password.push_back(c);
    terminal.write("\n");
    return c == '\n' ? std::optional(password) : std::nullopt;
}

namespace {

#ifdef LOCKSCOPE_KEYCHAIN
const QString Service = QStringLiteral("lockscope");

// A keychain that is absent or locked is no error: the person is asked again.
void writeToKeychain(const QString &key, const std::string &password, QObject *context)
{
    auto *job = new QKeychain::WritePasswordJob(Service, context);
    job->setKey(key);
    job->setTextData(QString::fromStdString(password));
    job->start();
}

void deleteFromKeychain(const QString &key, QObject *context)
{
    auto *job = new QKeychain::DeletePasswordJob(Service, context);
    job->setKey(key);
    job->start();
}

template <typename Handler>
void readFromKeychain(const QString &key, QObject *context, Handler handler)
{
    auto *job = new QKeychain::ReadPasswordJob(Service, context);
    job->setKey(key);
    QObject::connect(job, &QKeychain::Job::finished, context, [job, handler] {
        handler(job->error() == QKeychain::NoError ? std::optional(job->textData().toStdString()) : std::nullopt);
    });
    job->start();
}
/// An entry that is not there is an answer; a keyring that is locked, or a person who does not open it, is one, too.
void askKeychain(QObject *context, std::function<void(const QString &)> answer)
{
    auto *job = new QKeychain::ReadPasswordJob(Service, context);
    job->setKey(QStringLiteral("is there a keychain?"));
    QObject::connect(job, &QKeychain::Job::finished, context, [job, answer = std::move(answer)] {
        const QKeychain::Error error = job->error();
        const bool isUnusable = error == QKeychain::NoBackendAvailable || error == QKeychain::NotImplemented
            || error == QKeychain::OtherError;
        const QString reason = job->errorString();
        answer(!isUnusable ? QString()
                : reason.isEmpty()
                ? Words::tr("The desktop's keyring does not answer.")
                : Words::tr("The desktop's keyring does not answer: %1").arg(shown(reason.toStdString())));
    });
    job->start();
}
#else
void askKeychain(QObject *context, std::function<void(const QString &)> answer)
{
    QMetaObject::invokeMethod(
        context,
        [answer = std::move(answer)] { answer(Words::tr("This program was built without the desktop's keyring.")); },
        Qt::QueuedConnection);
}
void writeToKeychain(const QString &, const std::string &, QObject *) { }
void deleteFromKeychain(const QString &, QObject *) { }
template <typename Handler>
void readFromKeychain(const QString &, QObject *context, Handler handler)
{
    QMetaObject::invokeMethod(
        context, [handler] { handler(std::nullopt); }, Qt::QueuedConnection);
}
#endif

} // namespace

void SecretStore::load(const QString &key)
{
    readFromKeychain(key, this, [this, key](const std::optional<std::string> &password) {
        if (password && !m_passwords.contains(key))
            m_passwords.insert(key, *password);
        Q_EMIT loaded(key);
    });
}

void SecretStore::keep(const QString &key, const std::string &password, Place place)
{
    m_passwords.insert(key, password);
    if (place == InKeychain)
        writeToKeychain(key, password, this);
    else
        deleteFromKeychain(key, this);
}

void SecretStore::forget(const QString &key)
{
    m_passwords.remove(key);
    deleteFromKeychain(key, this);
}

std::string SecretStore::password(const QString &key) const { return m_passwords.value(key); }

void SecretStore::tryKeychain(QObject *context, std::function<void(const QString &whyNot)> answer)
{
    askKeychain(context, std::move(answer));
}

} // namespace app

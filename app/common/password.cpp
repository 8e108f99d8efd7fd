// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/common/password.h"

#include <fcntl.h>
#include <string_view>
#include <termios.h>
#include <unistd.h>

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

} // namespace app

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/recordings.h"

#include "ui/dialogs/notice_dialog.h"
#include "ui/text/display_text.h"
#include "ui/text/error_text.h"
#include "ui/views/scrub_bar.h"
#include "ui/views/top_bar.h"

#include <QApplication>
#include <QDateTime>
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QPointer>
#include <QPushButton>
#include <QStandardPaths>
#include <QUrl>
#include <algorithm>
#include <iterator>
#include <utility>

namespace lockui {

using namespace lockcore;
using namespace lockcore::service;

namespace {

/// Enough for days; what is older goes then, and the disk is not filled behind anybody's back.
constexpr std::int64_t MostBytes = std::int64_t(1) << 30;

constexpr qsizetype MostOfPath = 8'192; // is to be copied

QString filter() { return Recordings::tr("Recordings (*.lockrec);;All files (*)"); }

QString newFile()
{
    const QDir documents(QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation));
    const QDir folder = documents.exists() ? documents : QDir::home(); // not wherever the program was started
    const QString time = QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmmss"));
    return folder.filePath(QStringLiteral("locks-") + time + QStringLiteral(".lockrec"));
}

/// Which one the error is of; empty: it does not say.
QString fileOf(const Error &error)
{
    for (const Said &tried : error.tried)
        if (tried.phrase == Phrase::ARecording && !tried.details.empty())
            return displayText(tried.details.front(), MostOfPath);
    return {};
}

QString whatIsWrong(const Error &error)
{
    const QString file = fileOf(error);
    return file.isEmpty() ? errorDetail(error) : file + QLatin1Char('\n') + errorSentence(error);
}

} // namespace

Recordings::Recordings(Recorder &recorder, Replay &replay, TopBar &bar, ScrubBar &scrubBar, QWidget &window)
    : QObject(&window)
    , m_recorder(recorder)
    , m_replay(replay)
    , m_window(window)
{
    connect(&bar, &TopBar::recordToggleRequested, this, &Recordings::toggleRecording);
    connect(&bar, &TopBar::recordingOpenRequested, this, &Recordings::askForFile);
    connect(&recorder, &Recorder::changed, this, [this, &bar] {
        bar.setRecording(m_recorder.state());
        if (m_recorder.state()) {
            m_file = m_recorder.state()->file;
            m_byHand = false;
            if (m_whereItIs) // of the one before
                m_whereItIs->close();
        } else { // a failure is told of right after its end
            QMetaObject::invokeMethod(this, &Recordings::tellWhereItIs, Qt::QueuedConnection);
        }
    });
    connect(&recorder, &Recorder::failed, this, [this](const Error &error) {
        m_file.clear();
        complain(tr("The recording has ended. The watching goes on."), whatIsWrong(error));
    });
    connect(&replay, &Replay::checked, this, [this](const QString &file, const std::optional<Error> &whyNot) {
        if (whyNot)
            complain(tr("The recording cannot be shown."), whatIsWrong(*whyNot));
        else
            show(file);
    });
    connect(&replay, &Replay::warned, this, &Recordings::warn);
    connect(&replay, &Replay::failed, this, [this](const Error &error) {
        if (m_replay.state() && m_replay.state()->overview)
            complain(tr("This moment of the recording cannot be shown."),
                whatIsWrong(error) + QLatin1Char('\n') + tr("What was shown before it stays."));
        else
            complain(tr("The recording cannot be shown."), whatIsWrong(error));
    });
    connectScrubBar(scrubBar);
}

void Recordings::connectScrubBar(ScrubBar &bar)
{
    connect(&m_replay, &Replay::changed, &bar, [this, &bar] { bar.setReplay(m_replay.state()); });
    connect(&m_replay, &Replay::failed, &bar, &ScrubBar::goBack);
    connect(&bar, &ScrubBar::seekRequested, &m_replay, &Replay::seek);
    connect(&bar, &ScrubBar::playRequested, &m_replay, &Replay::play);
    connect(&bar, &ScrubBar::pauseRequested, &m_replay, &Replay::pause);
    connect(&bar, &ScrubBar::nextEventRequested, &m_replay, &Replay::seekNextEvent);
    connect(&bar, &ScrubBar::previousEventRequested, &m_replay, &Replay::seekPreviousEvent);
}

void Recordings::toggleRecording()
{
    if (m_recorder.state()) {
        m_byHand = true;
        m_recorder.stop();
        return;
    }
    auto *dialog = new QFileDialog(&m_window, tr("Record to"), newFile(), filter());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("lockrec"));
    dialog->setOption(QFileDialog::DontConfirmOverwrite); // a recording is gone on with, anything else refused
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &file) {
        m_recorder.start(file, { MostBytes, std::nullopt });
    });
    dialog->open();
}

void Recordings::tellWhereItIs()
{
    const QString file = std::exchange(m_file, m_recorder.state() ? m_file : QString());
    const QFileInfo written(file);
    if (file.isEmpty() || m_recorder.state() || !m_window.isVisible())
        return;
    const QString size = m_window.locale().formattedDataSize(written.size(), 1);
    const QString title
        = m_byHand ? tr("The recording has ended.") : tr("The recording has ended with its connection.");
    m_whereItIs = new NoticeDialog(tr("Recording"), title,
        displayText(toBytes(QDir::toNativeSeparators(written.absoluteFilePath()))) + QLatin1Char('\n') + size,
        &m_window);
    NoticeDialog *notice = m_whereItIs;
    QPushButton *folder = notice->addAction(tr("Open its &folder"));
    connect(folder, &QPushButton::clicked, notice, [folder, path = written.absolutePath()] {
        if (!QDesktopServices::openUrl(QUrl::fromLocalFile(path)))
            folder->setText(tr("No program opens folders here"));
    });
    QPushButton *show = notice->addAction(m_watched.isEmpty() ? tr("&Show it") : tr("&Show it…"));
    show->setToolTip(tr("It can also be opened later (Ctrl+O)"));
    connect(show, &QPushButton::clicked, this, [this, notice, file] { check(file, *notice); });
    connect(this, &Recordings::fileChosen, notice, &QDialog::close);
    // With its connection it may end at any time: then what a person is writing goes on to where it went.
    const QWidget *focus = QApplication::focusWidget();
    notice->showBeside(m_byHand || focus == nullptr || !focus->testAttribute(Qt::WA_InputMethodEnabled));
}

/// Nothing that is open is given up for a file that cannot be shown.
void Recordings::check(const QString &file, QWidget &over)
{
    m_over = &over;
    m_replay.check(file);
}

/// What was seen until now, and that the connection is writable, is given up for it: not unasked.
void Recordings::show(const QString &file)
{
    const auto choose = [this, file] { Q_EMIT fileChosen(file); };
    if (m_watched.isEmpty())
        return choose();
    auto *ask = new ShowRecordingDialog(m_watched, m_over ? m_over.get() : &m_window);
    ask->setAttribute(Qt::WA_DeleteOnClose);
    connect(ask, &QDialog::accepted, this, choose);
    ask->open();
}

void Recordings::askForFile()
{
    auto *dialog = new QFileDialog(&m_window, tr("Open a recording"), QFileInfo(newFile()).path(), filter());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &file) { check(file, m_window); });
    dialog->open();
}

/// All that is wrong with it, and what of it is shown nevertheless. Of many damaged places the first one is named.
void Recordings::warn(const std::vector<Error> &about)
{
    const auto isDamage
        = [](const Error &error) { return !error.why.empty() && error.why.front().phrase == Phrase::DamagedAt; };
    QStringList lines{ fileOf(about.front()) };
    for (const Error &error : about)
        if (!isDamage(error))
            lines << errorSentence(error);
    std::vector<Error> damage;
    std::ranges::copy_if(about, std::back_inserter(damage), isDamage);
    const auto momentOf = [](const Error &error) { return std::stoll(error.why.front().details.front()); };
    if (!damage.empty()) {
        lines << errorSentence(*std::ranges::min_element(damage, {}, momentOf));
        if (damage.size() > 1)
            lines << tr("More places are damaged: %1.").arg(countText(static_cast<qint64>(damage.size()) - 1));
        lines << tr("What can be read of it is shown.");
    }
    lines.removeAll(QString());
    complain(tr("The recording is shown, but it is not whole."), lines.join(QLatin1Char('\n')));
}

void Recordings::complain(const QString &what, const QString &details)
{
    if (m_complaint && !m_complaint->isHidden()) // else it is closed, and goes
        return m_complaint->add(what, details);
    m_complaint = new NoticeDialog(tr("Recording"), what, details, &m_window);
    m_complaint->show();
}

} // namespace lockui

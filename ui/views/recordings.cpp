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
#include <utility>

namespace lockui {

using namespace lockcore;
using namespace lockcore::service;

namespace {

/// Enough for days; what is older goes then, and the disk is not filled behind anybody's back.
constexpr std::int64_t MostBytes = std::int64_t(1) << 30;

QString filter() { return Recordings::tr("Recordings (*.lockrec);;All files (*)"); }

QString newFile()
{
    const QDir documents(QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation));
    const QDir folder = documents.exists() ? documents : QDir::home(); // not wherever the program was started
    const QString time = QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmmss"));
    return folder.filePath(QStringLiteral("locks-") + time + QStringLiteral(".lockrec"));
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
        complain(tr("The recording has ended. The watching goes on."), error);
    });
    connect(&replay, &Replay::checked, this, [this](const QString &file, const std::optional<Error> &whyNot) {
        if (whyNot)
            complain(tr("The recording cannot be shown."), *whyNot);
        else
            show(file);
    });
    connect(&replay, &Replay::warned, this,
        [this](const Error &about) { complain(tr("The recording is shown, but it is not whole."), about); });
    connect(&replay, &Replay::failed, this, [this](const Error &error) {
        const bool isShown = m_replay.state() && m_replay.state()->overview;
        complain(isShown ? tr("This moment of the recording cannot be shown.") : tr("The recording cannot be shown."),
            error);
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

void Recordings::complain(const QString &what, const Error &error)
{
    (new NoticeDialog(tr("Recording"), what, errorDetail(error), &m_window))->show();
}

} // namespace lockui

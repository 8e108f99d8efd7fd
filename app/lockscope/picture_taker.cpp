// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockscope/picture_taker.h"

#include <QFile>
#include <QImageWriter>
#include <QWidget>

namespace app {

using lockcore::Error;
using lockcore::ErrorCode;
using lockcore::monitor::SourcePhase;
using lockcore::service::Monitor;

PictureTaker::PictureTaker(Picture picture, QWidget &window, Monitor &monitor, QObject *parent)
    : QObject(parent)
    , m_picture(std::move(picture))
    , m_window(window)
    , m_monitor(monitor)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &PictureTaker::take);
    connect(&monitor, &Monitor::snapshotReady, this, &PictureTaker::look);
}

void PictureTaker::startAtOnce()
{
    if (!m_timer.isActive())
        m_timer.start(m_picture.after);
}

void PictureTaker::look()
{
    const auto snapshot = m_monitor.latest();
    const lockcore::monitor::SourceStatus &status = snapshot->status;
    if (status.phase == SourcePhase::Failed) {
        Q_EMIT failed(status.error.value_or(Error()));
        return;
    }
    // Where no key may be looked at, no sweep ever ends, and the picture is of that.
    const bool isLooked = status.phase == SourcePhase::Live && (status.lastSweep || !status.missingRights.empty());
    if ((isLooked || status.recordedAt) && !m_timer.isActive())
        m_timer.start(m_picture.after);
}

void PictureTaker::take()
{
    disconnect(&m_monitor, nullptr, this, nullptr);
    QTimer::singleShot(0, this, &PictureTaker::write); // texts just set are laid out before
}

void PictureTaker::write()
{
    QImageWriter writer(QFile::decodeName(m_picture.file.c_str()), "png");
    if (writer.write(m_window.grab().toImage()))
        Q_EMIT taken();
    else
        Q_EMIT failed({ ErrorCode::FileFailed, writer.errorString().toStdString(), "writing " + m_picture.file });
}

} // namespace app

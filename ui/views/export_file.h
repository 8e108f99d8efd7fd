// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/support/picture.h"

#include <QObject>
#include <functional>
#include <string>

namespace lockui {

struct PictureFormatRow {
    const char *name; // for people, in every language
    const char *entry; // of a menu that may be one of a lock, too, with a key that is free there
    const char *suffix; // of files
    std::string (*make)(const Picture &picture);
};
inline constexpr PictureFormatRow PictureFormats[]{
    { "PNG", "PN&G", "png", [](const Picture &picture) { return picture.png(); } },
    { "SVG", "S&VG", "svg", [](const Picture &picture) { return picture.svg(); } },
};

/// Asks a person for a file, writes to it, or says why that was not possible; and is gone.
class ExportFile : public QObject {
    Q_OBJECT
public:
    using MakeBytes = std::function<std::string()>; // asked for when the file has been named

    /// `name`: what the file is called at first, without time and suffix. `format`: for people. `title`: what the
    /// person is asked; empty: where to export to.
    ExportFile(const QString &name, const char *format, const char *suffix, MakeBytes bytes, QWidget *window,
        const QString &title = {});

Q_SIGNALS:
    void written(const QString &file);

private:
    void write(const QString &file);

    const MakeBytes m_bytes;
    QWidget *m_window;
};

} // namespace lockui

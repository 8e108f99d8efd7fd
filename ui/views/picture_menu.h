// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/support/picture.h"

#include <QString>
#include <functional>

class QMenu;
class QWidget;

namespace lockui {

using MakePicture = std::function<Picture()>;
using TellWritten = std::function<void(const QString &file)>;

/// `Save picture…` and `Copy picture`. `name`: what files are called at first. `told`: of a file once it is written.
void addPictureEntries(QMenu &menu, const QString &name, const MakePicture &picture, const TellWritten &told = {});

/// The same by a right click, or the menu key, on something that has no menu of its own.
void offerPicture(QWidget &chart, const QString &name, const MakePicture &picture, const TellWritten &told = {});

} // namespace lockui

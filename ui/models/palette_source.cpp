// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/palette_source.h"

#include "ui/text/display_text.h"
#include "ui/text/lock_text.h"

namespace lockui {

LockSource::LockSource(lockcore::monitor::LockList locks, Choose choose)
    : m_locks(std::move(locks))
    , m_choose(std::move(choose))
{
}

QString LockSource::text(std::size_t index) const { return lockNameText(m_locks[index]->name); }

PaletteEntry LockSource::entry(std::size_t index) const
{
    const auto &lock = m_locks[index];
    return { PaletteKind::Lock, text(index), shortKindText(*lock), {}, {},
        [choose = m_choose, name = lock->name] { choose(name); } };
}

} // namespace lockui

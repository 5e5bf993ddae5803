// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/outputlook.h"

#include "widgets/common/aside.h"

#include <QFileInfo>

#include <utility>

namespace trainyard
{
namespace
{
OutputLook::Place placeOf(const QString &folder)
{
    const WaitAside wait;
    if (QFileInfo::exists(folder + QStringLiteral("/output.log"))) {
        return OutputLook::Place::Here;
    }
    return QFileInfo(folder).isDir() ? OutputLook::Place::NoOutput : OutputLook::Place::NoFolder;
}
} // namespace

void OutputLook::look(const QString &folder)
{
    if (folder != m_folder) {
        m_folder = folder;
        m_place = Place::Unknown;
        m_isLooking = m_isAsked = false;
    }
    if (folder.isEmpty()) {
        return;
    }
    if (std::exchange(m_isLooking, true)) {
        m_isAsked = true; // one that does not answer is asked once
        return;
    }
    runAside(this, [this, folder]() -> std::function<void()> {
        return [this, folder, place = placeOf(folder)] {
            if (folder != m_folder) {
                return;
            }
            m_isLooking = false;
            if (std::exchange(m_isAsked, false)) {
                look(folder);
            }
            if (std::exchange(m_place, place) != place) {
                Q_EMIT changed();
            }
        };
    });
}

} // namespace trainyard

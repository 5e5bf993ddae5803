// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/commandstarts.h"

#include "widgets/common/aside.h"
#include "widgets/tasks/runstory.h"

#include <QFile>
#include <QFileInfo>

namespace trainyard
{
namespace
{
constexpr qint64 headOfLog = 256 << 10; // what steps print is in it, too
} // namespace

void CommandStarts::want(const QStringList &folders)
{
    QStringList unknown;
    for (const QString &folder : folders) {
        if (!m_known.contains(folder) && !m_without.contains(folder)) {
            unknown.append(folder);
        }
    }
    if (unknown.isEmpty() || m_isReading) {
        return; // scrolling on asks again
    }
    m_isReading = true;
    runAside(this, [this, unknown]() -> std::function<void()> {
        QHash<QString, qint64> found;
        QSet<QString> without;
        for (const QString &folder : unknown) {
            const bool isOver = QFileInfo::exists(folder + QStringLiteral("/exit"));
            QFile log(folder + QStringLiteral("/runtime.log"));
            const std::optional<qint64> at
                = log.open(QIODevice::ReadOnly) ? commandsBegan(log.read(headOfLog)) : std::nullopt;
            if (at) {
                found.insert(folder, *at);
            } else if (isOver) {
                without.insert(folder);
            }
        }
        return [this, found, without] {
            m_isReading = false;
            m_without.unite(without);
            if (!found.isEmpty()) {
                m_known.insert(found);
                Q_EMIT changed();
            }
        };
    });
}

} // namespace trainyard

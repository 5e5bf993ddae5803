// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/runlayout.h"

#include <QDataStream>
#include <QIODevice>

namespace trainyard
{

QByteArray RunLayout::toBytes() const
{
    QByteArray bytes;
    QDataStream stream(&bytes, QIODevice::WriteOnly);
    stream << sizes.across << sizes.down << qint32(tab.value_or(-1));
    stream << (task ? task->first : QString()) << qint32(task ? task->second : -1);
    stream << qint32(isFolded ? (*isFolded ? 1 : 0) : -1);
    stream << bookmarks << qint32(sizes.lent);
    return bytes;
}

std::optional<RunLayout> RunLayout::fromBytes(const QByteArray &bytes)
{
    QDataStream stream(bytes);
    const auto isRead = [&stream] { return stream.status() == QDataStream::Ok; };
    RunLayout layout;
    qint32 tab = -1;
    stream >> layout.sizes.across >> layout.sizes.down >> tab;
    if (!isRead()) {
        return std::nullopt;
    }
    layout.tab = tab >= 0 ? std::optional(int(tab)) : std::nullopt;
    QString role;
    qint32 index = -1;
    stream >> role >> index;
    if (isRead() && index >= 0) {
        layout.task = {role, int(index)};
    }
    qint32 folded = -1;
    stream >> folded;
    if (isRead() && folded >= 0) {
        layout.isFolded = folded == 1;
    }
    QByteArray bookmarks;
    stream >> bookmarks;
    if (isRead()) {
        layout.bookmarks = bookmarks;
    }
    qint32 lent = 0;
    stream >> lent;
    if (isRead() && lent > 0) {
        layout.sizes.lent = lent;
    }
    return layout;
}

} // namespace trainyard

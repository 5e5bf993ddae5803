// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/sharedwork.h"

#include "engine/client/settings.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr qsizetype mostSharedFolders = 200; // of a host: the newest
constexpr qint64 longestSharedFile = 4 << 20;

} // namespace

const QJsonObject &SharedWork::read() const
{
    if (!m_known) {
        QFile file(m_file);
        m_known = file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.read(longestSharedFile)).object()
                                                 : QJsonObject();
    }
    return *m_known;
}

void SharedWork::note(const QString &target, const QString &folder, bool isShared)
{
    if (this->isShared(target, folder) == isShared) {
        return;
    }
    QJsonObject known = read();
    const QString clean = QDir::cleanPath(folder);
    QJsonArray folders;
    const QJsonArray before = known.value(target).toArray();
    for (const QJsonValue &one : before) {
        if (one.toString() != clean) {
            folders.append(one);
        }
    }
    if (isShared) {
        folders.append(clean);
    }
    while (folders.size() > mostSharedFolders) {
        folders.removeFirst();
    }
    known.insert(target, folders);
    m_known = known;
    // On a full disk it is known until the engine ends.
    static_cast<void>(writeAtomically(m_file, QJsonDocument(known).toJson(QJsonDocument::Compact)));
}

bool SharedWork::isShared(const QString &target, const QString &folder) const
{
    return read().value(target).toArray().contains(QDir::cleanPath(folder));
}

} // namespace trainyard

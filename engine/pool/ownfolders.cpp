// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/ownfolders.h"

#include "engine/client/pathbytes.h"
#include "engine/contract/taskfolder.h"

#include <QFileInfo>

#include <optional>
#include <string>

namespace trainyard
{

using namespace Qt::StringLiterals;

OwnFolders::OwnFolders(const RunFolders &folders, const QString &epoch)
    : m_epoch(epoch), m_file(folders.state() + u"/host-folders"_s)
{
    const std::optional<std::string> text = contract::readWhole(pathBytes(m_file));
    const QStringList lines = QString::fromStdString(text.value_or("")).split(u'\n', Qt::SkipEmptyParts);
    for (const QString &line : lines) {
        const qsizetype tab = line.indexOf(u'\t');
        if (tab > 0 && !folderOf(line.mid(tab + 1) + u'/', m_epoch).isEmpty()) {
            m_made[line.left(tab)].append(line.mid(tab + 1));
        }
    }
}

QString OwnFolders::folderOf(const QString &below, const QString &epoch)
{
    const QString end = u"/remote/"_s + epoch;
    const qsizetype at = below.indexOf(end + u'/');
    return at < 0 ? QString() : below.left(at + end.size());
}

bool OwnFolders::isThere(PoolHost &host, const QString &below, const QUuid &waiting)
{
    const QString folder = folderOf(below, m_epoch);
    if (host.isLocal() || folder.isEmpty()) {
        return true;
    }
    const Key key{host.id, folder};
    const auto [it, isNew] = m_asked.try_emplace(key);
    if (it->second.isThere) {
        return true;
    }
    it->second.waiting.insert(waiting);
    if (!isNew) {
        return false;
    }
    const contract::OwnFolder request{folder.toStdString(), m_made.value(host.id).contains(folder)};
    host.agent->request(request, [this, key](const contract::Message &answer) {
        const auto asked = m_asked.find(key);
        const auto *failure = std::get_if<contract::Failure>(&answer);
        if (asked == m_asked.end() || (failure && failure->code == "host.gone")) {
            return; // hostChanged() forgets it, and its tries are asked for over the next connection
        }
        const QSet<QUuid> tries = std::exchange(asked->second.waiting, {});
        if (failure && failure->code == "observe.away") {
            m_asked.erase(asked);
            Q_EMIT away(tries, *failure);
            return;
        }
        asked->second.isThere = true; // or cannot be made, which the launch says better
        QStringList &made = m_made[key.first];
        if (!failure && (made.isEmpty() || made.last() != key.second)) {
            made.removeOne(key.second);
            made.append(key.second);
            write();
        }
        Q_EMIT shown(tries);
    });
    return false;
}

void OwnFolders::hostChanged(const PoolHost &host)
{
    std::erase_if(m_asked, [&host](const auto &each) { return each.first.first == host.id; });
}

void OwnFolders::hide(const PoolHost &host, const QString &below)
{
    const auto asked = m_asked.find({host.id, folderOf(below, m_epoch)});
    if (asked != m_asked.end() && asked->second.isThere) { // else an answer is to come, for those that wait for it
        m_asked.erase(asked);
    }
}

void OwnFolders::forget(const QString &host, const QString &below)
{
    const QString folder = folderOf(below, m_epoch);
    std::erase_if(m_asked, [&](const auto &each) { // those with an answer: for others, tries wait
        return each.second.isThere && each.first.first == host && (below.isEmpty() || each.first.second == folder);
    });
    const auto made = m_made.find(host);
    if (made == m_made.end() || (!below.isEmpty() && !made->removeOne(folder))) {
        return;
    }
    if (below.isEmpty() || made->isEmpty()) {
        m_made.erase(made);
    }
    write();
}

// Where it cannot be written, the next engine does not know of it, and makes it if it is not there.
void OwnFolders::write() const
{
    QString text;
    for (auto it = m_made.cbegin(); it != m_made.cend(); ++it) {
        for (const QString &folder : it.value()) {
            text += it.key() + u'\t' + folder + u'\n';
        }
    }
    if (contract::makeFolders(pathBytes(QFileInfo(m_file).path())) == 0) {
        contract::writeAtomically(pathBytes(m_file), text.toStdString(), true);
    }
}

} // namespace trainyard

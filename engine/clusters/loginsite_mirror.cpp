// SPDX-License-Identifier: GPL-3.0-or-later
// The data from a login node: the files that are watched there.
#include "engine/backend/clock.h"
#include "engine/client/pathbytes.h"
#include "engine/client/settings.h"
#include "engine/clusters/loginsite.h"

#include <QFile>
#include <QFileInfo>

#include <cerrno>

namespace trainyard
{

using namespace Qt::StringLiterals;
namespace
{

constexpr int siteSoonMs = 200;

// How long unreadable files may still arrive, for example after a file system is mounted again.
constexpr qint64 siteAwayMs = 300'000;

} // namespace

void LoginSite::watch(const QString &root, const QString &there, const QString &here, const QStringList &names)
{
    const QString below = there.mid(root.size() + 1) + u'/';
    for (const QString &name : names) {
        m_files.try_emplace({root, below + name}, Watched{here, name});
    }
    lookSoon();
}

void LoginSite::watchTry(const QUuid &tryUuid, const QString &root, const QString &there, const QString &here)
{
    m_tries[here] = {tryUuid, there};
    watch(root, there, here,
        {QLatin1String(contract::file::started), QLatin1String(contract::file::reserve),
            QLatin1String(contract::file::exit)});
}

void LoginSite::unwatch(const QString &here)
{
    std::erase_if(m_files, [&here](const auto &each) { return each.second.here == here; });
    m_tries.erase(here);
    m_ends.erase(here);
}

void LoginSite::lookSoon()
{
    if (!m_isLooking && !m_files.empty()) {
        m_timer.start(siteSoonMs);
    }
}

void LoginSite::lookLater()
{
    m_isLooking = false;
    if (!m_files.empty()) {
        m_timer.start(int(m_settings.integer(u"clusters.pollSeconds"_s)) * 1000);
    }
}

void LoginSite::look()
{
    if (!m_isLooking && isOnline() && !m_files.empty()) { // when it is online again, it is looked at once
        m_isLooking = true;
        m_hasMissed = false;
        m_unseen.clear();
        lookFrom(std::nullopt, steadyMs());
    }
}

// A question has files of one root, and no more than it may have.
void LoginSite::lookFrom(const std::optional<Place> &after, qint64 since)
{
    const auto begin = after ? m_files.upper_bound(*after) : m_files.begin();
    if (begin == m_files.end()) {
        countUnseen();
        m_lookedAt = m_hasMissed ? m_lookedAt : since;
        Q_EMIT looked();
        lookLater();
        return;
    }
    const QString root = begin->first.first;
    contract::ReadChanged request;
    request.dir = pathBytes(root);
    Place last = begin->first;
    for (auto it = begin;
         it != m_files.end() && it->first.first == root && request.known.size() < contract::mostChangedFiles; ++it) {
        request.known.push_back({pathBytes(it->first.second), it->second.bytes, it->second.changedNs, false});
        last = it->first;
    }
    if (!m_agent) {
        lookLater();
        return;
    }
    m_agent->request(request, [site = QPointer(this), after, last, root, since](const contract::Message &answer) {
        if (!site) {
            return;
        }
        const auto *changed = std::get_if<contract::ChangedFiles>(&answer);
        if (!changed || (changed->systemError != 0 && changed->systemError != ENOENT)) {
            site->lookLater(); // what was looked at does not count as all
            return;
        }
        if (changed->isUnread || changed->systemError != 0) {
            site->m_unseen.insert(root);
        }
        // Data that does not fit here would be sent again at once.
        const bool isNew = site->take(root, *changed);
        site->lookFrom(changed->isCut && isNew ? after : std::optional(last), since);
    });
}

// Unreadable files count as missing only after a while.
void LoginSite::countUnseen()
{
    std::erase_if(m_away, [this](const auto &each) { return !m_unseen.contains(each.first); });
    const qint64 pauseMs = m_settings.integer(u"clusters.pollSeconds"_s) * 1000;
    for (const QString &root : m_unseen) {
        m_hasMissed = m_away[root].say(steadyMs(), pauseMs) < siteAwayMs || m_hasMissed;
    }
}

// Whether any of it is known now.
bool LoginSite::take(const QString &root, const contract::ChangedFiles &changed)
{
    bool isAnyNew = false;
    for (std::size_t i = 0; i < changed.files.size() && i < changed.contents.size(); ++i) {
        const contract::FileEntry &file = changed.files[i];
        const auto it = m_files.find({root, QFile::decodeName(QByteArray::fromStdString(file.path))});
        if (it == m_files.end()) {
            continue; // it is not wanted any more
        }
        Watched &watched = it->second;
        const auto known = m_tries.find(watched.here);
        const bool isEnd = known != m_tries.end() && watched.name == QLatin1StringView(contract::file::exit);
        int error = 0;
        if (isEnd) {
            m_ends.insert(watched.here); // the log comes before it
        } else {
            error = contract::makeFolders(pathBytes(watched.here));
            error = error != 0
                ? error
                : contract::writeAtomically(pathBytes(watched.here + u'/' + watched.name), changed.contents[i], false);
        }
        if (error == 0) {
            isAnyNew = isAnyNew || watched.bytes != file.bytes || watched.changedNs != file.changedNs;
            watched.bytes = file.bytes;
            watched.changedNs = file.changedNs;
        }
        m_hasMissed = m_hasMissed || error != 0;
        if (known != m_tries.end() && m_mirrors) {
            m_mirrors->add(known->second.tryUuid, known->second.there, watched.here);
        }
    }
    return isAnyNew;
}

// Also when its folder there has gone: then no record of an end comes any more, unless the folder was only not to be
// seen. So its records count as new when they are there at the next look.
void LoginSite::mirrorCompleted(const QUuid &tryUuid)
{
    for (const auto &[here, known] : m_tries) {
        if (known.tryUuid != tryUuid || QFileInfo::exists(here + u'/' + QLatin1StringView(contract::file::exit))) {
            continue;
        }
        m_ends.erase(here);
        if (!QFileInfo(here).isDir()) {
            continue;
        }
        m_lookedAt = 0;
        m_hasMissed = true; // also of a look that goes on just now
        for (auto &[place, watched] : m_files) {
            if (watched.here == here) {
                watched.bytes = 0;
                watched.changedNs = 0;
            }
        }
    }
    Q_EMIT looked();
}

} // namespace trainyard

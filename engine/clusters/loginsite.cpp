// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/loginsite.h"

#include "engine/backend/clock.h"
#include "engine/clusters/copyreserve.h"
#include "model/base/shortdigest.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <cerrno>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qsizetype sitePieceBytes = 512 * 1024;
constexpr int siteOpenPieces = 8; // that are not answered yet
constexpr int siteSoonMs = 200;
constexpr int siteNoteMs = 1000; // until a note that had no room is tried again
// How long what cannot be read may come all the same, as after a file system is mounted again.
constexpr qint64 siteAwayMs = 300'000;

std::string siteBytesOf(const QString &path) { return QFile::encodeName(path).toStdString(); }

} // namespace

// Its files in their order, and how far they are.
struct LoginSite::Delivery {
    QPointer<AgentConnection> agent;
    QString root;
    std::vector<File> files;
    Delivered then;
    std::size_t next = 0; // of the files
    qsizetype offset = 0;
    int open = 0; // requests without an answer
    std::optional<Error> failure;
};

LoginSite::LoginSite(const Options &options, const Settings &settings) : m_options(options), m_settings(settings)
{
    QDir().mkpath(removalsFolder());
    if (!m_options.reserve) {
        m_options.reserve = copyReserveBy(m_settings);
    }
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &LoginSite::look);
    m_noteTimer.setSingleShot(true);
    connect(&m_noteTimer, &QTimer::timeout, this, &LoginSite::noteRemovals);
    hostChanged();
}

LoginSite::~LoginSite() = default;

bool LoginSite::isOnline() const { return m_agent && m_agent->isOnline(); }

QString LoginSite::home() const { return m_agent ? QString::fromStdString(m_agent->hello().home) : QString(); }

Error LoginSite::absence() const
{
    return {m_options.agent() ? u"slurm.login-away"_s : u"slurm.login-unknown"_s, {{u"host"_s, m_options.host}}};
}

Error LoginSite::inItsWords(const Error &problem) const
{
    if (problem.code == "slurm.login-away"_L1) {
        return absence();
    }
    if (problem.code == "slurm.no-commands"_L1) {
        return {u"slurm.login-no-commands"_s,
            {{u"host"_s, m_options.host}, {u"program"_s, problem.args.value(u"program"_s)}}};
    }
    if (problem.code == "slurm.unconfigured"_L1) {
        Error there{u"slurm.unconfigured-login"_s, problem.args};
        there.args.insert(u"host"_s, m_options.host);
        return there;
    }
    return problem;
}

void LoginSite::hostChanged()
{
    AgentConnection *agent = m_options.agent();
    if (agent != m_agent) {
        m_mirrors.reset();
        m_agent = agent;
        m_isOnline = false;
        m_isLooking = false;
        m_askedRemovals.clear(); // one that is shut down gives no answers
        if (agent) {
            m_mirrors = std::make_unique<LogMirrors>(agent, m_options.bookFolder);
            m_mirrors->setIsShared(true);
            m_mirrors->setReserve(m_options.reserve);
            connect(m_mirrors.get(), &LogMirrors::completed, this, &LoginSite::mirrorCompleted);
            connect(m_mirrors.get(), &LogMirrors::roomChanged, this, &LoginSite::roomChanged);
            connect(agent, &QObject::destroyed, this, [this] { m_mirrors.reset(); });
        }
    }
    if (m_isOnline == isOnline()) {
        return;
    }
    m_isOnline = isOnline();
    if (m_isOnline) {
        m_mirrors->resumeAll();
        sendRemovals();
        lookSoon();
        Q_EMIT reached();
    } else {
        Q_EMIT left();
    }
}

QString LoginSite::rootFor(const QString &folder) const
{
    if (!m_agent || m_agent->hello().stateFolder.empty()) {
        return {};
    }
    if (!folder.isEmpty()) {
        return (folder.startsWith("~/"_L1) ? home() + folder.mid(1) : folder) + u"/trainyard-"_s + m_options.ownName;
    }
    // Beside what belongs to this one computer: a cluster has several login nodes, and its nodes see the folder, too.
    return QFileInfo(QString::fromStdString(m_agent->hello().stateFolder)).path() + u"/clusters/"_s + m_options.ownName;
}

QString LoginSite::helperIn(const QString &root) const
{
    const QByteArray build = m_agent ? QByteArray::fromStdString(m_agent->hello().build) : QByteArray();
    return root + u"/cluster/trainyard-agent-"_s + shortDigest(build);
}

// ---- what goes there ----

void LoginSite::deliver(const QString &root, const std::vector<File> &files, const Delivered &then)
{
    auto delivery = std::make_shared<Delivery>();
    delivery->agent = m_agent;
    delivery->root = root;
    delivery->files = files;
    delivery->files.insert(delivery->files.begin(), {root + u'/' + QLatin1StringView(contract::runsMark), {}});
    delivery->then = then;
    if (!isOnline()) {
        QTimer::singleShot(0, this, [then] { then(fail(u"host.gone"_s)); });
        return;
    }
    ++delivery->open;
    // The files go when it has found that the folder is nobody else's to change.
    m_agent->request(contract::CopyHelper{siteBytesOf(helperIn(root)), m_settings.flag(u"clusters.trustFolders"_s)},
        [site = QPointer(this), delivery](const contract::Message &answer) {
            if (site) {
                site->answered(delivery, answer);
            }
        });
}

void LoginSite::proceed(const std::shared_ptr<Delivery> &delivery)
{
    while (!delivery->failure && delivery->agent && delivery->open < siteOpenPieces
        && delivery->next < delivery->files.size()) {
        // The last file says that all are there: it goes when they are.
        const bool isLast = delivery->next + 1 == delivery->files.size();
        if (isLast && delivery->offset == 0 && delivery->open > 0) {
            return;
        }
        const File &file = delivery->files[delivery->next];
        const QByteArray piece = file.bytes.mid(delivery->offset, sitePieceBytes);
        contract::Put put;
        put.path = siteBytesOf(file.path);
        put.offset = std::uint64_t(delivery->offset);
        put.last = delivery->offset + piece.size() >= file.bytes.size();
        put.isAnswered = true;
        delivery->offset = put.last ? 0 : delivery->offset + piece.size();
        delivery->next += put.last ? 1 : 0;
        ++delivery->open;
        delivery->agent->request(
            put,
            [site = QPointer(this), delivery](const contract::Message &answer) {
                if (site) {
                    site->answered(delivery, answer);
                }
            },
            piece.toStdString());
    }
}

void LoginSite::answered(const std::shared_ptr<Delivery> &delivery, const contract::Message &answer)
{
    --delivery->open;
    if (const auto *failure = std::get_if<contract::Failure>(&answer); failure && !delivery->failure) {
        delivery->failure = failure->code == "host.gone" ? Error{u"host.gone"_s, {}}
            : failure->code == "folder.swappable"
            ? Error{u"slurm.login-swappable"_s,
                {{u"folder"_s, delivery->root}, {u"host"_s, m_options.host},
                    {u"part"_s, QFile::decodeName(QByteArray::fromStdString(failure->argument))}}}
            : Error{u"slurm.login-folder"_s,
                {{u"folder"_s, delivery->root}, {u"host"_s, m_options.host},
                    {u"message"_s, qt_error_string(failure->systemError != 0 ? failure->systemError : EPROTO)}}};
    }
    proceed(delivery);
    if (!delivery->failure && delivery->open == 0 && delivery->next < delivery->files.size()) {
        delivery->failure = Error{u"host.gone"_s, {}};
    }
    if (delivery->open == 0 && delivery->then) {
        const Delivered then = std::exchange(delivery->then, {});
        delivery->files.clear(); // they may hold secrets
        then(delivery->failure ? Result<void>(tl::unexpected<Error>(*delivery->failure)) : Result<void>());
    }
}

// ---- what comes from there ----

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
    watch(root, there, here, {QLatin1String(contract::file::started), QLatin1String(contract::file::exit)});
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
    request.dir = siteBytesOf(root);
    Place last = begin->first;
    for (auto it = begin;
         it != m_files.end() && it->first.first == root && request.known.size() < contract::mostChangedFiles; ++it) {
        request.known.push_back({siteBytesOf(it->first.second), it->second.bytes, it->second.changedNs, false});
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
        // What has no room here would come at once again.
        const bool isNew = site->take(root, *changed);
        site->lookFrom(changed->isCut && isNew ? after : std::optional(last), since);
    });
}

// What could not be read counts as missing only after a while.
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
            error = contract::makeFolders(siteBytesOf(watched.here));
            error = error != 0 ? error
                               : contract::writeAtomically(
                                   siteBytesOf(watched.here + u'/' + watched.name), changed.contents[i], false);
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

// ---- what goes from there ----

void LoginSite::removeRun(const QString &root, const QString &job) { remove(root + u'\n' + job + u'\n'); }

void LoginSite::removeLaunches(const QString &root, const QString &job, const QString &allocation)
{
    remove(root + u'\n' + job + u'\n' + (allocation.isEmpty() ? u"*"_s : allocation));
}

void LoginSite::remove(const QString &text)
{
    const QString name = QString::fromLatin1(QCryptographicHash::hash(text.toUtf8(), QCryptographicHash::Sha1).toHex());
    m_unnoted[name] = text;
    noteRemovals();
    sendRemovals();
}

// They may be of files with secrets: on a full disk, too, nothing of them is forgotten while there is this engine.
void LoginSite::noteRemovals()
{
    std::erase_if(m_unnoted, [this](const auto &each) {
        return contract::writeAtomically(
                   siteBytesOf(removalsFolder() + u'/' + each.first), each.second.toStdString(), false)
            == 0;
    });
    if (!m_unnoted.empty()) {
        m_noteTimer.start(siteNoteMs);
    }
}

void LoginSite::sendRemovals()
{
    std::map<QString, QString> removals = isOnline() ? m_unnoted : std::map<QString, QString>();
    const QStringList names = isOnline() ? QDir(removalsFolder()).entryList(QDir::Files) : QStringList();
    for (const QString &name : names) {
        const QString path = removalsFolder() + u'/' + name;
        removals.try_emplace(name, QString::fromStdString(contract::readWhole(siteBytesOf(path)).value_or("")));
    }
    for (const auto &[name, text] : removals) {
        const QStringList lines = text.split(u'\n');
        if (lines.size() < 3 || !m_askedRemovals.insert(name).second) {
            continue; // not ours, or on its way
        }
        contract::RemoveRun request;
        request.root = siteBytesOf(lines.at(0));
        request.job = lines.at(1).toStdString();
        request.launches = lines.at(2).toStdString();
        const QString path = removalsFolder() + u'/' + name;
        m_agent->request(request, [site = QPointer(this), path, name = name](const contract::Message &answer) {
            const auto *failure = std::get_if<contract::Failure>(&answer);
            if (site) {
                site->m_askedRemovals.erase(name);
            }
            if (!failure || failure->systemError == EPERM) { // done, or nothing of ours is there
                QFile::remove(path);
                if (site) {
                    site->m_unnoted.erase(name);
                }
            } // else it is asked for again when the host is reached the next time
        });
    }
}

} // namespace trainyard

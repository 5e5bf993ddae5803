// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/loginsite.h"

#include "engine/backend/ownuser.h"
#include "engine/client/pathbytes.h"
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
constexpr int siteNoteMs = 1000; // until a note that had no room is tried again

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

QString LoginSite::user() const { return m_agent ? QString::fromStdString(m_agent->hello().user) : QString(); }

Error LoginSite::absence() const
{
    return {isKnown() ? u"slurm.login-away"_s : u"slurm.login-unknown"_s, {{u"host"_s, m_options.host}}};
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
    if (problem.code == "slurm.unconfigured"_L1 || problem.code == "slurm.not-runnable"_L1) {
        Error there{QString(problem.code + u"-login"_s), problem.args};
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
    // The files go once it has found that no one else can change the folder.
    m_agent->request(contract::CopyHelper{pathBytes(helperIn(root)), m_settings.flag(u"clusters.trustFolders"_s)},
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
        put.path = pathBytes(file.path);
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
                   pathBytes(removalsFolder() + u'/' + each.first), each.second.toStdString(), false)
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
        removals.try_emplace(name, QString::fromStdString(contract::readWhole(pathBytes(path)).value_or("")));
    }
    for (const auto &[name, text] : removals) {
        const QStringList lines = text.split(u'\n');
        if (lines.size() < 3 || !m_askedRemovals.insert(name).second) {
            continue; // not ours, or on its way
        }
        contract::RemoveRun request;
        request.root = pathBytes(lines.at(0));
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

QString userAt(const LoginSite *site) { return site ? site->user() : ownUserName(); }

} // namespace trainyard

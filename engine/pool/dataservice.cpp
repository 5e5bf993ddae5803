// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/dataservice.h"

#include "engine/backend/clock.h"
#include "model/base/threads.h"

#include <QFile>

#include <algorithm>
#include <utility>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr int lookAtDataMs = 1000, gibOfBytes = 30;
constexpr qint64 tellDataEveryMs = 500, dataRestMs = 5000;
constexpr int mostDataFailures = 5; // that pass, one after the other
constexpr QLatin1StringView hereId{"local"};

QString namesFile(const AgentFolders &folders) { return folders.local().state() + u"/data-names"_s; }

} // namespace

DataService::DataService(const AgentFolders &folders, const Settings &settings, const HostPool &hosts)
    : m_folders(folders), m_settings(settings), m_hosts(hosts)
{
    m_threads.setMaxThreadCount(1); // it is the disk that counts
    m_timer.setInterval(lookAtDataMs);
    connect(&m_timer, &QTimer::timeout, this, &DataService::run);
}

DataService::~DataService()
{
    for (Item &item : m_items) {
        stop(item, DataCopy::Part::Keep);
    }
    m_threads.clear();
    m_threads.waitForDone();
}

// ---- tries ----

bool DataService::isAwaited(const ActiveJob &job, core::TaskRef task, const DataPlace &at, const QUuid &tryUuid)
{
    if (!m_tries.contains(tryUuid) && job.spec && !job.spec->trainyard.data.isEmpty()) {
        m_tries.insert(tryUuid);
        const QList<launch::DataWant> wants = dataWantsOf(*job.spec, job.document, job.state.roleName(task), at.named);
        for (const launch::DataWant &want : wants) {
            auto same = std::find_if(m_items.begin(), m_items.end(), [&](const Item &item) {
                return item.job == job.state.uuid && item.named == at.named.id && item.data == want;
            });
            if (same == m_items.end()) {
                same = m_items.insert(m_items.end(), Item());
                same->id = ++m_lastId;
                same->job = job.state.uuid;
                same->host = at.host;
                same->cache = at.cache;
                same->named = at.named.id;
                same->data = want;
            }
            same->tries.insert(tryUuid);
            if (!same->isSettled || same->problem) { // what failed for others may go now
                same->problem.reset();
                same->isSettled = !want.problem.code.isEmpty();
                if (same->isSettled) {
                    same->problem = want.problem;
                }
            }
        }
        runSoon();
    }
    return !problemOf(tryUuid) && std::any_of(m_items.cbegin(), m_items.cend(), [&tryUuid](const Item &item) {
        return item.tries.contains(tryUuid) && !item.isSettled;
    });
}

std::optional<Error> DataService::problemOf(const QUuid &tryUuid) const
{
    for (const Item &item : m_items) {
        if (item.problem && item.tries.contains(tryUuid)) {
            return item.problem;
        }
    }
    return std::nullopt;
}

launch::Variables DataService::variablesOf(const QUuid &tryUuid) const
{
    launch::Variables variables;
    for (const Item &item : m_items) {
        if (item.isSettled && !item.problem && item.tries.contains(tryUuid)) {
            variables.append({dataVariable(item.data.name), item.place});
        }
    }
    return variables;
}

std::vector<std::string> DataService::treesOf(const QUuid &tryUuid) const
{
    std::vector<std::string> trees;
    for (const Item &item : m_items) {
        const bool isHeld = item.tries.contains(tryUuid) && !item.tree.isEmpty() && item.cache.isEmpty();
        if (const PoolHost *at = isHeld ? m_hosts.find(item.host) : nullptr) {
            trees.push_back(contract::dataTreePath(at->agent->hello().stateFolder, item.tree.toStdString()));
        }
    }
    return trees;
}

launch::Variables DataService::expectedOn(
    const JobSpec &spec, const StoredDocument &document, const QString &role, const PoolHost &at) const
{
    launch::Variables variables;
    const QString state = at.agent->wasOnline() ? QFile::decodeName(at.agent->hello().stateFolder.c_str()) : u"…"_s;
    const QList<launch::DataWant> wants = dataWantsOf(spec, document, role, dataPlaceOf(at).named);
    for (const launch::DataWant &want : wants) {
        if (want.problem.code.isEmpty()) {
            variables.append({dataVariable(want.name), want.isCopied ? state + u"/data/folders/…"_s : want.path});
        }
    }
    return variables;
}

void DataService::end(const QUuid &tryUuid)
{
    if (!m_tries.remove(tryUuid)) {
        return;
    }
    for (auto item = m_items.begin(); item != m_items.end();) {
        const auto each = item++;
        if (each->tries.remove(tryUuid) && each->tries.isEmpty()) {
            drop(each);
        }
    }
}

void DataService::forget(const ActiveJob &job)
{
    for (auto item = m_items.begin(); item != m_items.end();) {
        const auto each = item++;
        if (each->job == job.state.uuid) {
            m_tries -= each->tries;
            drop(each);
        }
    }
}

// Without a connection its agent holds nothing any more. Tries that run do; others ask again when it is back.
void DataService::hostChanged(const PoolHost &at)
{
    if (at.agent->isOnline()) {
        runSoon();
        return;
    }
    for (auto item = m_items.begin(); item != m_items.end();) {
        const auto each = item++;
        if (each->host == at.id) {
            m_tries -= each->tries;
            stop(*each, DataCopy::Part::Keep);
            m_items.erase(each);
        }
    }
}

void DataService::drop(const Items::iterator &item)
{
    stop(*item, DataCopy::Part::Drop);
    const PoolHost *at = item->cache.isEmpty() ? m_hosts.find(item->host) : nullptr; // where they are held
    const bool isHeldElsewhere = std::any_of(m_items.cbegin(), m_items.cend(), [&item](const Item &other) {
        return other.id != item->id && other.named == item->named && other.tree == item->tree;
    });
    if (at && at->agent->isOnline() && !item->tree.isEmpty() && !isHeldElsewhere) {
        contract::Data done;
        done.tree = item->tree.toStdString();
        done.drop = true;
        at->agent->request(done);
    }
    m_items.erase(item);
    runSoon();
}

// ---- what is said of it ----

// To one host one copy is made at a time.
bool DataService::isBehindAnother(const Item &item) const
{
    return item.data.isCopied && std::any_of(m_items.cbegin(), m_items.cend(), [&item](const Item &other) {
        return other.copy && other.data.isCopied && other.host == item.host;
    });
}

Error DataService::reasonOf(const Item &item) const
{
    const QJsonObject facts{{u"name"_s, item.data.name}, {u"host"_s, item.named}};
    if (!item.data.isCopied) {
        return {u"data.checking"_s, facts};
    }
    if (!item.copy) { // without another copy, it is its turn, and it is about to begin
        return {isBehindAnother(item) ? u"data.queued"_s : u"data.copying"_s, facts};
    }
    QJsonObject sizes = facts;
    if (!item.copy->hasSnapshot()) {
        sizes.insert(u"bytes"_s, item.bytesRead ? item.bytesRead->load() : 0);
        return {u"data.reading"_s, sizes};
    }
    sizes.insert(u"bytes"_s, item.copy->bytesDone());
    sizes.insert(u"ofBytes"_s, item.copy->bytesWanted());
    return {u"data.copying"_s, sizes};
}

Error DataService::reasonOf(const QUuid &tryUuid) const
{
    const auto item = std::find_if(m_items.cbegin(), m_items.cend(),
        [&tryUuid](const Item &each) { return !each.isSettled && each.tries.contains(tryUuid); });
    return item == m_items.cend() ? Error() : reasonOf(*item);
}

Error DataService::reasonOf(const ActiveJob &job) const
{
    const auto item = std::find_if(m_items.cbegin(), m_items.cend(),
        [&job](const Item &each) { return !each.isSettled && each.job == job.state.uuid; });
    return item == m_items.cend() ? Error() : reasonOf(*item);
}

// ---- bringing it ----

DataService::Item *DataService::find(int id)
{
    const auto item = std::find_if(m_items.begin(), m_items.end(), [id](const Item &each) { return each.id == id; });
    return item == m_items.end() ? nullptr : &*item;
}

void DataService::runSoon()
{
    if (!std::exchange(m_runsSoon, true)) {
        QMetaObject::invokeMethod(this, &DataService::run, Qt::QueuedConnection);
    }
}

void DataService::run()
{
    m_runsSoon = false;
    const bool isIdle = std::all_of(m_items.cbegin(), m_items.cend(), [](const Item &item) { return item.isSettled; });
    if (isIdle) {
        m_timer.stop();
        return;
    }
    if (!m_timer.isActive()) {
        m_timer.start();
    }
    for (Item &item : m_items) {
        const PoolHost *at = m_hosts.find(item.host);
        const PoolHost *here = m_hosts.find(hereId);
        const bool isBusy = isBehindAnother(item);
        const bool isOnline = at && at->agent->isOnline() && here && here->agent->isOnline();
        if (!item.isSettled && !item.copy && !isBusy && isOnline && item.restsUntilMs <= steadyMs()) {
            begin(item);
        } else if (item.copy && !item.copy->hasSnapshot() && item.data.isCopied) {
            Q_EMIT described(item.job, item.tries); // how much has been read
        }
    }
}

void DataService::begin(Item &item)
{
    const int id = item.id;
    item.isCancelled = std::make_shared<std::atomic<bool>>(false);
    item.bytesRead = std::make_shared<std::atomic<qint64>>(0);
    item.copy = std::make_unique<DataCopy>(m_hosts.find(hereId)->agent.get(), m_hosts.find(item.host)->agent.get(),
        DataCopy::Wanted{item.data, m_settings.integer(u"data.maxGiB"_s) << gibOfBytes,
            [this, id] { takeSnapshot(id); }, item.cache, item.job.toString(QUuid::WithoutBraces), m_folders.epoch()});
    connect(item.copy.get(), &DataCopy::done, this, [this, id](const QString &place) {
        if (Item *of = find(id)) {
            of->place = place;
            of->tree = of->copy->tree();
            settle(*of);
        }
    });
    connect(item.copy.get(), &DataCopy::failed, this, [this, id](const Error &why) { ended(id, why); });
    connect(item.copy.get(), &DataCopy::progressed, this, [this, id] {
        Item *of = find(id);
        if (of && steadyMs() - of->toldMs >= tellDataEveryMs) {
            of->toldMs = steadyMs();
            Q_EMIT described(of->job, of->tries);
        }
    });
    Q_EMIT described(item.job, item.tries);
    // Not at once: the receiver may end it.
    QMetaObject::invokeMethod(item.copy.get(), &DataCopy::start, Qt::QueuedConnection);
}

void DataService::takeSnapshot(int id)
{
    const Item *item = find(id);
    if (!item) {
        return;
    }
    threads::runOnPool(
        [this, id, path = item->data.path, file = namesFile(m_folders), isCancelled = item->isCancelled,
            bytesRead = item->bytesRead] {
            if (!m_areNamesLoaded.exchange(true)) {
                m_names.load(file);
            }
            auto made = std::make_shared<Result<DataSnapshot>>(
                dataSnapshotOf(path, m_names, {isCancelled.get(), bytesRead.get()}));
            m_names.save(file);
            threads::callLater(this, [this, id, made] { snapshotMade(id, *made); });
        },
        &m_threads);
}

void DataService::snapshotMade(int id, const Result<DataSnapshot> &made)
{
    Item *item = find(id);
    if (!item || !item->copy) {
        return;
    }
    if (!made) {
        ended(id, made.error());
        return;
    }
    item->tree = QString::fromLatin1(made->tree);
    item->copy->setSnapshot(std::make_shared<const DataSnapshot>(*made));
}

void DataService::ended(int id, const Error &why)
{
    Item *item = find(id);
    if (!item || !item->copy) {
        return;
    }
    const bool isCut = why.code == "host.gone"_L1;
    const bool passes = why.code == "data.host-failed"_L1 || why.code == "data.cancelled"_L1;
    item->failures = passes ? item->failures + 1 : 0;
    if (isCut || (passes && item->failures < mostDataFailures)) {
        stop(*item, DataCopy::Part::Keep);
        item->restsUntilMs = steadyMs() + (passes ? dataRestMs : lookAtDataMs);
        return; // the timer goes on with it
    }
    Error problem = why;
    problem.args.insert(u"name"_s, item->data.name);
    problem.args.insert(u"host"_s, item->named);
    const bool isHere = item->data.isCopied
        && (why.code != "data.unwritable"_L1 && why.code != "data.too-big"_L1 && why.code != "data.no-room"_L1
            && why.code != "data.host-failed"_L1);
    problem.args.insert(u"on"_s, isHere ? QString(hereId) : item->named); // the try that it is about
    item->problem = problem;
    settle(*item);
}

void DataService::settle(Item &item)
{
    stop(item, DataCopy::Part::Keep);
    item.isSettled = true;
    const QUuid job = item.job;
    QSet<QUuid> tries;
    for (const QUuid &tryUuid : std::as_const(item.tries)) {
        const bool isAwaited = std::any_of(m_items.cbegin(), m_items.cend(),
            [&tryUuid](const Item &other) { return other.tries.contains(tryUuid) && !other.isSettled; });
        if (!isAwaited || item.problem) {
            tries.insert(tryUuid);
        }
    }
    runSoon();
    Q_EMIT ready(job, tries);
}

void DataService::stop(Item &item, DataCopy::Part part)
{
    if (item.isCancelled) {
        *item.isCancelled = true;
    }
    if (item.copy) {
        item.copy->disconnect();
        item.copy->cancel(part);
        item.copy.release()->deleteLater(); // it may be the caller of this
    }
}

} // namespace trainyard

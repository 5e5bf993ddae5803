// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/foreign/foreignruns.h"

#include "engine/client/pathbytes.h"
#include "engine/contract/taskfolder.h"
#include "engine/foreign/ownfiles.h"
#include "model/base/threads.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSet>
#include <QTimer>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

constexpr int lookEveryMs = 10000; // whether the files have changed

} // namespace

struct ForeignRuns::Answer { // all of one path
    QString path, firstUuid;
    int count = 0;
    QList<ForeignNote> notes;
    std::optional<Error> error;
};

// Lives on the thread of the runs.
class ForeignRuns::Worker : public QObject
{
public:
    Worker(const std::atomic<bool> *isLeaving, const QString &cache, std::function<void(QString, ForeignRun)> read,
        std::function<void(Answer)> done)
        : m_isLeaving(isLeaving), m_cache(cache), m_read(std::move(read)), m_done(std::move(done)),
          m_timer(new QTimer(this))
    {
        m_timer->setSingleShot(true);
        connect(m_timer, &QTimer::timeout, this, &Worker::look);
    }
    ~Worker() override { threads::give(); }

    // `listed`: those in the folders of jobs that were in the list before; nothing: all of them are wanted.
    void open(
        const QString &path, const QStringList &forgotten, const std::optional<QStringList> &listed = std::nullopt)
    {
        Answer answer{path, {}, 0, {}, {}};
        const Result<FoundForeigns> found = findForeign(path);
        if (!found) {
            answer.error = found.error();
        } else {
            answer.notes = found->notes;
            for (const FoundForeign &run : found->runs) {
                if (*m_isLeaving) {
                    return;
                }
                const QString uuid = foreignUuid(run);
                const bool isOfKnownJob = listed && !jobIn(run.name).isEmpty() && !listed->contains(uuid);
                if (!isOfKnownJob && !forgotten.contains(uuid)) {
                    take(run, answer);
                }
            }
        }
        m_done(answer);
        m_timer->start(lookEveryMs);
    }

    void forget(const QString &uuid)
    {
        m_known.remove(uuid);
        QDir(m_cache + u'/' + uuid).removeRecursively();
    }

private:
    struct Known {
        FoundForeign found;
        QByteArray stamp;
    };

    void take(const FoundForeign &found, Answer &answer)
    {
        const QByteArray stamp = stampOf(found);
        const Result<ForeignRun> run = importForeign(found, m_cache, [this] { return m_isLeaving->load(); });
        if (!run) {
            answer.notes.append({run.error().code, run.error().args});
            return;
        }
        m_known.insert(run->summary.uuid, {found, stamp});
        answer.firstUuid = answer.count == 0 ? run->summary.uuid : answer.firstUuid;
        ++answer.count;
        m_read(answer.path, *run);
    }

    void look()
    {
        for (auto known = m_known.begin(); known != m_known.end() && !*m_isLeaving; ++known) {
            const QByteArray stamp = stampOf(known->found);
            if (stamp == known->stamp) {
                continue;
            }
            known->stamp = stamp;
            if (const auto run = importForeign(known->found, m_cache, [this] { return m_isLeaving->load(); })) {
                m_read(known->found.path, *run);
            }
        }
        if (!m_known.isEmpty()) {
            m_timer->start(lookEveryMs);
        }
    }

    const std::atomic<bool> *m_isLeaving;
    QString m_cache;
    std::function<void(QString, ForeignRun)> m_read;
    std::function<void(Answer)> m_done;
    QTimer *m_timer;
    QHash<QString, Known> m_known;
};

ForeignRuns::ForeignRuns(const QString &book, const QString &cache, QObject *parent)
    : QObject(parent), m_book(book),
      m_worker(new Worker(
          &m_isLeaving, cache,
          [this](const QString &path, const ForeignRun &run) {
              threads::callLater(this, [this, path, run] {
                  m_pathOf.insert(run.summary.uuid, path);
                  m_listed.removeAll(run.summary.uuid);
                  m_listed.append(run.summary.uuid);
                  take(run);
              });
          },
          [this](const Answer &answer) { threads::callLater(this, [this, answer] { take(answer); }); }))
{
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    m_thread.setObjectName(u"files"_s);
    m_thread.start(QThread::LowPriority);
}

ForeignRuns::~ForeignRuns()
{
    m_isLeaving = true;
    m_thread.quit();
    m_thread.wait();
    threads::take();
}

void ForeignRuns::restore()
{
    QFile file(m_book);
    if (!file.open(QIODevice::ReadOnly)) {
        return;
    }
    const QJsonObject book = QJsonDocument::fromJson(file.readAll()).object();
    const auto texts = [&book](const char *key) {
        QStringList list;
        for (const QJsonValue &value : book.value(QLatin1StringView(key)).toArray()) {
            list.append(value.toString());
        }
        return list;
    };
    m_forgotten = texts("forgotten");
    m_listed = texts("listed");
    const auto listed = book.contains("listed"_L1) ? std::optional(m_listed) : std::nullopt; // an earlier version
    for (const QString &path : texts("paths")) {
        if (m_paths.contains(path)) {
            continue;
        }
        m_paths.append(path);
        ++m_reading;
        threads::callLater(
            m_worker, [worker = m_worker, path, gone = m_forgotten, listed] { worker->open(path, gone, listed); });
    }
}

void ForeignRuns::open(const QStringList &paths)
{
    for (const QString &given : paths) {
        const QString path = QFileInfo(given).absoluteFilePath();
        // Whoever opens it wants all of it.
        if (m_paths.contains(path)) {
            m_forgotten.clear();
        } else {
            m_paths.append(path);
        }
        ++m_reading;
        threads::callLater(m_worker, [worker = m_worker, path, gone = m_forgotten] { worker->open(path, gone); });
    }
    save();
}

void ForeignRuns::forget(const QString &uuid)
{
    const QString path = m_pathOf.take(uuid);
    m_runs.removeIf([&uuid](const ForeignRun &run) { return run.summary.uuid == uuid; });
    m_listed.removeAll(uuid);
    const QStringList left = m_pathOf.values();
    if (left.contains(path)) {
        m_forgotten.append(uuid);
    } else {
        m_paths.removeAll(path);
    }
    m_pathOfForgotten.insert(uuid, path);
    save();
    threads::callLater(m_worker, [worker = m_worker, uuid] { worker->forget(uuid); });
    Q_EMIT removed(uuid);
}

void ForeignRuns::bringBack(const QString &uuid)
{
    const QString path = m_pathOfForgotten.take(uuid);
    if (path.isEmpty()) {
        return;
    }
    m_forgotten.removeAll(uuid);
    if (!m_paths.contains(path)) {
        m_paths.append(path);
    }
    ++m_reading;
    threads::callLater(m_worker, [worker = m_worker, path, gone = m_forgotten] { worker->open(path, gone); });
    save();
}

QList<ForeignRun> ForeignRuns::runs() const { return m_runs; }

std::optional<ForeignRun> ForeignRuns::run(const QString &uuid) const
{
    const auto found = std::find_if(
        m_runs.cbegin(), m_runs.cend(), [&uuid](const ForeignRun &run) { return run.summary.uuid == uuid; });
    return found == m_runs.cend() ? std::nullopt : std::optional(*found);
}

QString ForeignRuns::nameOf(const ForeignRun &run) const
{
    const QString own = m_ownNames.value(run.summary.uuid, run.summary.name);
    const qsizetype at = run.job.isEmpty() ? -1 : own.indexOf(run.job);
    const QString job = at < 0 || !m_jobName ? QString() : m_jobName(run.job);
    return job.isEmpty() ? own : QString(job + own.sliced(at + run.job.size()));
}

void ForeignRuns::setJobNames(const std::function<QString(const QString &job)> &nameOf)
{
    m_jobName = nameOf;
    for (ForeignRun &run : m_runs) {
        if (const QString name = this->nameOf(run); name != run.summary.name) {
            run.summary.name = name;
            Q_EMIT changed(ForeignRun(run));
        }
    }
}

void ForeignRuns::take(const ForeignRun &run)
{
    const auto known = std::find_if(
        m_runs.begin(), m_runs.end(), [&run](const ForeignRun &each) { return each.summary.uuid == run.summary.uuid; });
    ForeignRun named = run;
    m_ownNames.insert(run.summary.uuid, run.summary.name);
    named.summary.name = nameOf(run);
    named.summary.id = known == m_runs.end() ? m_next-- : known->summary.id;
    if (known == m_runs.end()) {
        m_runs.append(named);
    } else if (*known == named) {
        return;
    } else {
        *known = named;
    }
    Q_EMIT changed(named);
}

void ForeignRuns::take(const Answer &answer)
{
    --m_reading;
    if (answer.count == 0) {
        m_paths.removeAll(answer.path); // an empty one is of no use at the next start
    }
    save();
    if (answer.error) {
        Q_EMIT failed(*answer.error);
    } else {
        Q_EMIT opened(answer.path, answer.firstUuid, answer.count, answer.notes);
    }
}

void ForeignRuns::save() const
{
    const QJsonObject book{{u"paths"_s, QJsonArray::fromStringList(m_paths)},
        {u"forgotten"_s, QJsonArray::fromStringList(m_forgotten)}, {u"listed"_s, QJsonArray::fromStringList(m_listed)}};
    contract::makeFolders(pathBytes(QFileInfo(m_book).path()));
    contract::writeAtomically(
        pathBytes(m_book), QJsonDocument(book).toJson(QJsonDocument::Compact).toStdString(), false);
}

} // namespace trainyard

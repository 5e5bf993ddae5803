// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/workbench/page.h"
#include "engine/api/values.h"

#include <QSet>

namespace trainyard
{
namespace api
{
struct JobPage;
}

class ComparePage;
class EngineClient;
class ForeignRuns;

// A comparison of runs in the window, kept in step with the engine: some runs, also of other programs, or all of a
// group, also those that are submitted later.
class CompareTab final : public Page
{
    Q_OBJECT
public:
    static constexpr QLatin1StringView kind{"compareRuns"}; // in PageRegistry and in sessions
    static constexpr QLatin1StringView groupPrefix{"group:"}; // of the name in a session that means a group

    CompareTab(EngineClient *client, ForeignRuns *foreign, const QString &group, const QStringList &uuids);
    ComparePage *page() const { return m_page; }
    const QString &group() const { return m_group; } // empty: it is of single runs
    QStringList uuids() const { return m_uuids; }
    void addRuns(const QStringList &uuids);
    void removeRuns(const QStringList &uuids);
    void restoreLayout(const QByteArray &layout); // as place() gives it

    QString title() const override;
    QIcon icon() const override;
    QString statusText() const override;
    QList<QAction *> actions() const override;
    QList<QAction *> exports() const override;
    QString jobGroup() const override { return m_group; }
    std::optional<SessionTab> place() const override;

private:
    void load();
    void loadGroup(const api::JobPage &page); // and those after it
    void takeOfGroup(const QList<JobSummary> &jobs);
    void askForOthers();
    void loadJob(const QString &uuid);
    void take(const JobSummary &job);
    void show();
    void settleLooks();
    void askForText(const JobSummary &job);
    // Which state of a run it is whose surroundings are read: a record may come late.
    struct Surroundings {
        qint64 began = -1;
        bool isOver = false;
        friend bool operator==(const Surroundings &, const Surroundings &) = default;
    };
    void readSurroundings(const JobSummary &job);
    void askForEnvironment(const QString &uuid, const Surroundings &of, int againMs);
    void takeEnvironment(const QString &uuid, const Surroundings &of, int againMs, const QJsonObject &environment);
    void askForOutputs(const QString &uuid);
    void onJobChanged(const JobSummary &job);

    EngineClient *m_client;
    ForeignRuns *m_foreign;
    ComparePage *m_page;
    QString m_group;
    QStringList m_uuids; // in the order shown
    QSet<QString> m_removed; // of the group, taken out by hand
    QHash<QString, JobSummary> m_jobs; // that are known
    QSet<QString> m_asked; // for their texts
    QHash<QString, Surroundings> m_surroundings; // that were read, or are
    QHash<QString, qint64> m_drawn; // whose outputs are wanted; when the attempt began that was looked at
    int m_round = 0; // of reading the group: an older one ends when the next begins
    QSet<QString> m_seen; // of the group, in this round
    bool m_isSettled = false; // all of its runs have come once
    QByteArray m_awaited; // layout for when the runs are known
};

} // namespace trainyard

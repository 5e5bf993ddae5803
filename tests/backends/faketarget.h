// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/backends/target.h"

#include <QHash>

#include <set>

class FakeTarget;

// A back end whose target takes every job as it comes, and tells of it as targets do: later than one would like, more
// than once, and of things that are none of the job's.
class FakeBackend : public trainyard::Backend
{
    Q_OBJECT
public:
    FakeBackend(const Neighbours &house, FakeTarget &target);
    ~FakeBackend() override;

    trainyard::TargetInfo info() const override { return {true, 4}; }
    trainyard::Result<void> accept(trainyard::Prepared &, const trainyard::SubmitRequest &) const override
    {
        return {};
    }
    trainyard::Result<void> settle(trainyard::Prepared &) const override { return {}; }
    std::optional<trainyard::Error> neverFits(
        const trainyard::core::JobState &, const trainyard::JobSpec &, const trainyard::StoredDocument &) const override
    {
        return std::nullopt;
    }
    trainyard::Result<trainyard::PlanReply> plan(
        const trainyard::Prepared &, const trainyard::core::JobState &) const override
    {
        return trainyard::PlanReply();
    }
    void reserve(trainyard::ActiveJob &job, const trainyard::core::Effect &effect) override;
    bool wantsPlacing() const override;
    void wantPlacing() override { }
    std::vector<trainyard::JobEvent> place() override;
    void perform(const std::vector<trainyard::JobEffect> &effects) override;
    void stopUnwritten(trainyard::ActiveJob &) override { }
    void resume(trainyard::ActiveJob &) override { }
    void forget(trainyard::ActiveJob &job) override;
    void describe(const trainyard::ActiveJob &, trainyard::JobSummary &summary) const override;
    void describe(const trainyard::ActiveJob &, trainyard::core::TaskRef, trainyard::TaskInfo &) const override { }
    trainyard::Error waitReason(const trainyard::ActiveJob &) const override;
    trainyard::LogSource log(
        const QString &job, int attempt, const QString &role, int index, int taskTry) const override;
    trainyard::Result<trainyard::TaskFolder> filesOf(
        const QString &, const QString &, const trainyard::StoredDocument &) const override
    {
        return trainyard::TaskFolder();
    }
    QList<trainyard::KeptTask> keptTasks(const trainyard::ActiveJob &) const override { return {}; }
    bool release(trainyard::ActiveJob &, const QStringList &) override { return false; }
    void makeRoom(const QString &) override { }
    void removeRun(const QString &, const QStringList &) override { }
    void settingsChanged() override { }

    void tellEnded(const QUuid &tryUuid, int code); // the target's

private:
    void say(const QUuid &job, const trainyard::core::Event &event);
    void post(const QUuid &job, const trainyard::core::Event &event);
    void postLater(int ms, const std::function<void()> &tell);
    void answer(trainyard::ActiveJob &job, const trainyard::core::Effect &effect);
    void drawPorts(trainyard::ActiveJob &job, const trainyard::core::effect::DrawPorts &draw);
    void launch(trainyard::ActiveJob &job, const trainyard::core::effect::LaunchTry &launch);
    void observe(trainyard::ActiveJob &job, const trainyard::core::effect::ObserveTry &observe);

    Neighbours m_house;
    FakeTarget &m_target;
    std::map<trainyard::ActiveJob *, std::set<trainyard::core::TaskRef>> m_wanted;
    int m_unheard = 0; // what it will say later
    friend class FakeTarget;
};

class FakeTarget : public Target
{
public:
    enum Manner { Plain = 0, Late = 1, Twice = 2, Wrong = 4 };
    explicit FakeTarget(int manners) : m_manners(manners) { }
    std::unique_ptr<trainyard::Backend> makeBackend(const Neighbours &house, Cut &cut) override;
    int starts() const override { return m_starts; }
    int running() const override;
    void endAll(int status) override;
    void forgetAll() override { m_tries.clear(); }
    void setAnswering(bool on) override;
    bool isAsked() const override { return !m_waiting.empty(); }
    bool isAskedToStop() const override { return m_isAskedToStop; }
    bool isQuiet() const override { return m_waiting.empty() && (!m_backend || m_backend->m_unheard == 0); }
    void print(const QByteArray &text) override;
    bool isFull = false; // jobs wait until it is not
    QString waitReason; // meanwhile
    QString reason; // that it gives for a job which has no other

private:
    friend class FakeBackend;
    struct Try {
        QUuid job;
        trainyard::core::TaskRef task;
        std::optional<int> code;
        QString folder;
    };
    int m_manners;
    std::map<QUuid, Try> m_tries;
    FakeBackend *m_backend = nullptr;
    std::vector<trainyard::JobEffect> m_waiting;
    int m_starts = 0;
    bool m_isAnswering = true, m_isAskedToStop = false;
};

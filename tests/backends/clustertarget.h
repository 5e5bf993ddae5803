// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/clusters/slurmbackend.h"
#include "engine/contract/leadplan.h"
#include "tests/backends/target.h"

#include <QTemporaryDir>
#include <QTimer>

class ClusterTarget;

struct ClusterQuestions { // that a back end of a cluster has
    explicit ClusterQuestions(const trainyard::Settings &settings) : queue(commands, settings) { }
    trainyard::SlurmCommands commands;
    trainyard::SlurmQueue queue;
};

// The back end of a Slurm cluster, which takes jobs that have the name of another target, too.
class ScriptedClusterBackend : private ClusterQuestions, public trainyard::SlurmBackend
{
public:
    ScriptedClusterBackend(ClusterTarget &target, const Neighbours &house, const Options &options);
    trainyard::Result<void> accept(
        trainyard::Prepared &prepared, const trainyard::SubmitRequest &request) const override;
    void perform(const std::vector<trainyard::JobEffect> &effects) override;

private:
    ClusterTarget &m_cluster;
};

// A cluster without Slurm: programs with the names of its commands keep a folder of jobs, and what is in the
// allocations of these is done here, as their leads would do it, but nothing runs. There is one at a time.
class ClusterTarget : public Target
{
public:
    ClusterTarget();
    ~ClusterTarget() override;
    std::unique_ptr<trainyard::Backend> makeBackend(const Neighbours &house, Cut &cut) override;
    int starts() const override { return m_starts; }
    int running() const override { return int(m_running.size()); }
    void endAll(int status) override;
    void forgetAll() override;
    void hideAll(); // squeue does not show what runs any more
    void setAnswering(bool on) override;
    bool isAsked() const override;
    bool isAskedToStop() const override { return m_isAskedToStop; }
    bool isQuiet() const override;
    void print(const QByteArray &text) override;
    void setAccounts(const QByteArray &script); // what sacct does: lines of a shell, in the folder of the cluster
    int accountQuestions() const; // that setAccounts() has had an answer for
    void setFolder(const QString &folder) { m_runFolder = folder; } // of runs, in the next back end
    void setUnaccountedMs(qint64 ms) { m_unaccountedMs = ms; } // of the next back end
    void setHearing(bool on); // off: scancel does not reach the cluster
    // Off: it starts jobs, and their leads do not begin yet; signals reach nothing.
    void setLaunching(bool on);
    void setStarting(bool on) { m_isStarting = on; } // off: jobs stay in its queue
    bool isPreparing() const; // its only job
    int unheard() const; // how often that was so
    void setSuspended(bool on); // all that runs
    void cancelSecondComponent(); // of heterogeneous jobs; the first one goes on
    void report(const QByteArray &line); // into the runtime logs of the tasks that run
    QStringList foldersOfTries() const; // of these
    QByteArrayList halts() const; // STOP and CONT, that it has heard, and batch-URG and batch-CONT of its leads
    bool isAskedToCancel() const; // and it has heard it
    QByteArrayList signalsOf(int job) const; // that it has heard, "" for none
    // The tasks have ended by themselves; their leads go on, as when they wait until they try them again.
    void endTries(int status);
    // The same, and each lead starts the next try at once.
    void tryAgain(int status);
    // Its only job once more, as when an answer was lost: with another number, by which alone the engine knows it, and
    // at its end already.
    void takeTwice();
    bool isAskedToCancel(int job) const;
    // It has lost its state, and what runs: the number of its only job is another job's of the same user, which runs.
    void giveNumberAway();
    void setComment(const QByteArray &comment); // of its only job, as a site may change it

private:
    friend class ScriptedClusterBackend;
    struct Try {
        QString job, allocation; // the folders of the cluster's job, and of what it runs
        trainyard::contract::LeadTask task;
        std::size_t again = 0; // how often its lead has tried it again
        std::string folder = {};
        std::int64_t began = 0;
    };
    QString path(const QString &name) const { return m_folder.path() + u'/' + name; }
    QStringList jobs() const;
    void write(const QString &name, const QByteArray &bytes, bool isProgram = false) const;
    void work();
    void start(const QString &job);
    void begin(Try entry);
    static void writeRecord(const Try &entry, const trainyard::contract::ExitRecord &record);
    void end(const Try &entry, const trainyard::contract::ExitRecord &record, const QByteArray &state) const;

    QTemporaryDir m_folder;
    QString m_runFolder;
    QByteArray m_path; // of the programs, before
    QTimer m_timer;
    std::vector<Try> m_running;
    qint64 m_unaccountedMs = trainyard::SlurmBackend::Options().unaccountedMs;
    int m_starts = 0;
    bool m_isAskedToStop = false, m_isStarting = true;
};

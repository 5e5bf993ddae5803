// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/fakekubernetes.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>

#include <csignal>

using namespace Qt::StringLiterals;
using namespace trainyard;

namespace
{

// Commands of Slurm that are imitated, the first ones in PATH as long as this lives. "away": they do not reach
// the controller; "lost": sbatch submits, and nothing that it or another one asks is answered.
class FakeSlurm
{
public:
    FakeSlurm() : m_path(qgetenv("PATH"))
    {
        const QByteArray begin = "#!/bin/bash\ncd \"$(dirname \"$0\")/..\" || exit 9\n";
        const QByteArray mayFail = "if [ -e away ]; then echo \"${0##*/}: error: Unable to contact slurm controller "
                                   "(connect failure)\" >&2; exit 1; fi\n"
                                   "if [ -e lost ]; then echo \"${0##*/}: error: Socket timed out on send/recv "
                                   "operation\" >&2; exit 1; fi\n";
        m_isThere = QDir(m_folder.path()).mkpath(u"bin"_s)
            && program("sbatch",
                begin
                    + "[ -e away ] || for each; do case $each in --comment=*) echo \"${each#*=}\" >>submitted ;; esac; "
                      "done\n"
                    + mayFail + "echo 7\n")
            && program("squeue",
                begin + mayFail
                    + "[ -s submitted ] && printf '7\\x1fPENDING\\x1f%s\\x1f0\\x1fPriority\\x1fty-any\\x1f\\n' "
                      "\"$(head -n "
                      "1 "
                      "submitted)\"\n"
                      "exit 0\n")
            && program("scancel", begin + mayFail + "echo \"$*\" >>cancelled; rm -f submitted\n")
            && program("sacct", begin + mayFail + "echo 'Slurm accounting storage is disabled' >&2; exit 1\n");
        qputenv("PATH", QFile::encodeName(path(u"bin"_s)) + ':' + m_path);
    }
    ~FakeSlurm() { qputenv("PATH", m_path); }
    FakeSlurm(const FakeSlurm &) = delete;
    FakeSlurm &operator=(const FakeSlurm &) = delete;

    bool isThere() const { return m_isThere; }
    QString path(const QString &name) const { return m_folder.path() + u'/' + name; }
    bool is(const QString &how) const { return write(path(how), "x"); }
    bool isNotAnyMore(const QString &how) const { return QFile::remove(path(how)); }
    qsizetype submissions() const { return EngineFixture::contents(path(u"submitted"_s)).count('\n'); }
    QByteArray cancelled() const { return EngineFixture::contents(path(u"cancelled"_s)); }

private:
    static bool write(const QString &file, const QByteArray &bytes)
    {
        QFile written(file);
        return written.open(QIODevice::WriteOnly) && written.write(bytes) == bytes.size();
    }
    bool program(const char *name, const QByteArray &text) const
    {
        const QString file = path(u"bin/"_s + QLatin1StringView(name));
        return write(file, text) && QFile::setPermissions(file, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }

    QTemporaryDir m_folder;
    QByteArray m_path; // the one before
    bool m_isThere = false;
};

} // namespace

// Jobs of clusters that do not answer: they can be stopped, and their target can be taken away and come back.
class TstUnreachable : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_slurm = std::make_unique<FakeSlurm>();
        m_kubernetes = std::make_unique<FakeKubernetes>();
        QVERIFY(m_slurm->isThere() && m_kubernetes->isThere());
        m_engine = std::make_unique<EngineFixture>(QJsonObject{{u"slurm.lab"_s, u"default"_s},
            {u"kubernetes.lab"_s, u"--context=lab"_s}, {u"openpai.lab"_s, u"http://127.0.0.1:9"_s},
            {u"openpaiUser.lab"_s, u"ada"_s}, {u"clusters.pollSeconds"_s, 1}, {u"retry.pauseSeconds"_s, 0}});
        QVERIFY(m_engine->open());
        QVERIFY(m_engine->engine().setTargetToken(u"openpai:lab"_s, u"token"_s));
    }
    void cleanup()
    {
        m_engine.reset();
        m_kubernetes.reset();
        m_slurm.reset();
    }

    // Nothing was handed over: there is nothing to wait for.
    void whatWasNeverSentIsStoppedAtOnce_data()
    {
        QTest::addColumn<QString>("target");
        QTest::addColumn<QString>("reason");
        QTest::newRow("slurm") << u"slurm:lab"_s << u"wait.slurm-silent"_s;
        QTest::newRow("kubernetes") << u"kubernetes:lab"_s << u"wait.kubernetes-silent"_s;
        QTest::newRow("openpai") << u"openpai:lab"_s << u"wait.openpai-silent"_s;
    }
    void whatWasNeverSentIsStoppedAtOnce()
    {
        QFETCH(QString, target);
        QFETCH(QString, reason);
        QVERIFY(m_slurm->is(u"away"_s) && m_kubernetes->write(u"silent"_s));
        const QString uuid = submit(target);
        QVERIFY2(!uuid.isEmpty(), qPrintable(m_engine->error().code));
        QVERIFY(hasReason(uuid, reason));
        QVERIFY(m_engine->engine().stop(uuid).value());
        QVERIFY(becomes(uuid, State::Stopped));
        QVERIFY(m_engine->engine().remove(uuid));
        QCOMPARE(m_slurm->submissions(), 0);
        QVERIFY(m_kubernetes->linesOf(u"created"_s).isEmpty());
    }

    // The same of an engine that has learnt it from a former one.
    void aRestartDoesNotMakeItDoubtful()
    {
        QVERIFY(m_slurm->is(u"away"_s));
        const QString uuid = submit(u"slurm:lab"_s);
        QVERIFY(hasReason(uuid, u"wait.slurm-silent"_s));
        m_engine->close();
        QVERIFY(m_engine->open());
        QVERIFY(hasReason(uuid, u"wait.slurm-silent"_s));
        QVERIFY(m_engine->engine().stop(uuid).value());
        QVERIFY(becomes(uuid, State::Stopped));
    }

    // The answer was lost: the job says so, nothing is sent again, and somebody may give it up.
    void whatIsDoubtfulSaysSoAndIsGivenUp()
    {
        QVERIFY(m_slurm->is(u"lost"_s));
        const QString uuid = submit(u"slurm:lab"_s);
        QVERIFY(hasReason(uuid, u"wait.slurm-silent"_s));
        QVERIFY(m_engine->engine().stop(uuid).value());
        QVERIFY(hasReason(uuid, u"stop.target-unsure"_s));
        QCOMPARE(m_engine->job(uuid).state, State::Stopping);
        const Result<bool> removed = m_engine->engine().remove(uuid);
        QVERIFY(!removed);
        QCOMPARE(removed.error().code, u"job.stopping-waits"_s);
        QVERIFY(m_engine->engine().giveUp(uuid).value());
        QVERIFY(becomes(uuid, State::Stopped));
        const JobSummary job = m_engine->job(uuid);
        QCOMPARE(job.reason, u"stop.given-up"_s);
        QVERIFY(job.reasonArgs.value("look"_L1).toString().startsWith("squeue --me --name=ty-"_L1));
        QCOMPARE(m_slurm->submissions(), 1);
        QCOMPARE(m_engine->engine().giveUp(uuid).value(), false); // it is over
    }

    // It was there after all: the stop takes effect when the cluster answers.
    void whatIsDoubtfulIsStoppedWhenItIsFound()
    {
        QVERIFY(m_slurm->is(u"lost"_s));
        const QString uuid = submit(u"slurm:lab"_s);
        QVERIFY(hasReason(uuid, u"wait.slurm-silent"_s));
        QVERIFY(m_engine->engine().stop(uuid).value());
        QVERIFY(hasReason(uuid, u"stop.target-unsure"_s));
        QVERIFY(m_slurm->isNotAnyMore(u"lost"_s));
        QTRY_VERIFY_WITH_TIMEOUT(m_slurm->cancelled().contains('7'), 60'000);
        QVERIFY(becomes(uuid, State::Stopped));
    }

    // What Kubernetes may have is deleted there nevertheless, when it answers.
    void whatIsGivenUpIsDeletedLater()
    {
        const QString uuid = submit(u"kubernetes:lab"_s);
        QTRY_COMPARE_WITH_TIMEOUT(m_kubernetes->sets().size(), 1, 30'000);
        QVERIFY(m_kubernetes->write(u"silent"_s));
        QVERIFY(m_engine->engine().stop(uuid).value());
        QVERIFY(m_engine->waitFor(
            uuid, [](const JobSummary &job) { return job.reason.startsWith("stop.target-"_L1); }, 60'000));
        QVERIFY(m_engine->engine().giveUp(uuid).value());
        QVERIFY(becomes(uuid, State::Stopped));
        QCOMPARE(m_engine->job(uuid).reason, u"stop.given-up"_s);
        QVERIFY(QFile::remove(m_kubernetes->path(u"silent"_s)));
        QTRY_VERIFY_WITH_TIMEOUT(m_kubernetes->sets().isEmpty(), 60'000);
    }

    // A target that is taken away goes on with its jobs, also after a restart, and takes them up when it is back.
    void aRemovedTargetKeepsItsJobs_data()
    {
        QTest::addColumn<QString>("target");
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("reason");
        QTest::newRow("slurm") << u"slurm:lab"_s << u"slurm.lab"_s << u"wait.slurm-silent"_s;
        QTest::newRow("kubernetes") << u"kubernetes:lab"_s << u"kubernetes.lab"_s << u"wait.kubernetes-silent"_s;
    }
    void aRemovedTargetKeepsItsJobs()
    {
        QFETCH(QString, target);
        QFETCH(QString, key);
        QFETCH(QString, reason);
        const QJsonValue value = m_engine->engine().settings().value(key);
        QVERIFY(m_slurm->is(u"away"_s) && m_kubernetes->write(u"silent"_s));
        const QString uuid = submit(target);
        QVERIFY(hasReason(uuid, reason));
        QVERIFY(m_engine->engine().setSetting(key, QJsonValue(QJsonValue::Null)));
        m_engine->close();
        QVERIFY(m_engine->open());
        QVERIFY(hasReason(uuid, reason));
        QVERIFY(submit(target).isEmpty()); // it takes no others
        const auto isListed = [&] {
            const QList<ClusterInfo> all = m_engine->engine().targets();
            return std::any_of(
                all.cbegin(), all.cend(), [&](const ClusterInfo &each) { return each.id == target && !each.isNamed; });
        };
        QVERIFY(isListed());
        QVERIFY(m_engine->engine().setSetting(key, value));
        QVERIFY(!isListed());
        QVERIFY(m_engine->engine().stop(uuid).value());
        QVERIFY(becomes(uuid, State::Stopped));
        // Without a job, nothing of a removed one is kept.
        QVERIFY(m_engine->engine().setSetting(key, QJsonValue(QJsonValue::Null)));
        m_engine->close();
        QVERIFY(m_engine->open());
        QVERIFY(!isListed());
        QVERIFY(!EngineFixture::contents(m_engine->path(u"state/cluster-settings.json"_s)).contains(key.toUtf8()));
    }

    // Where nothing was kept of it, the job says what can be done, and goes on with a target that is added again.
    void aForgottenTargetComesBack()
    {
        QVERIFY(m_slurm->is(u"away"_s));
        const QString uuid = submit(u"slurm:lab"_s);
        QVERIFY(hasReason(uuid, u"wait.slurm-silent"_s));
        QVERIFY(m_engine->engine().setSetting(u"slurm.lab"_s, QJsonValue(QJsonValue::Null)));
        m_engine->close();
        QVERIFY(QFile::remove(m_engine->path(u"state/cluster-settings.json"_s)));
        QVERIFY(m_engine->open());
        QVERIFY(hasReason(uuid, u"wait.target-removed"_s));
        QVERIFY(m_engine->engine().setSetting(u"slurm.lab"_s, u"default"_s));
        QVERIFY(hasReason(uuid, u"wait.slurm-silent"_s));
        QVERIFY(m_slurm->isNotAnyMore(u"away"_s));
        QTRY_COMPARE_WITH_TIMEOUT(m_slurm->submissions(), 1, 60'000);
    }
    void aForgottenTargetIsGivenUp()
    {
        QVERIFY(m_slurm->is(u"lost"_s));
        const QString uuid = submit(u"slurm:lab"_s);
        QVERIFY(hasReason(uuid, u"wait.slurm-silent"_s));
        QVERIFY(m_engine->engine().setSetting(u"slurm.lab"_s, QJsonValue(QJsonValue::Null)));
        m_engine->close();
        QVERIFY(QFile::remove(m_engine->path(u"state/cluster-settings.json"_s)));
        QVERIFY(m_engine->open());
        QVERIFY(m_engine->engine().stop(uuid).value());
        QVERIFY(hasReason(uuid, u"job.target-removed"_s));
        QVERIFY(m_engine->engine().giveUp(uuid).value());
        QVERIFY(becomes(uuid, State::Stopped));
        QCOMPARE(m_engine->job(uuid).reason, u"stop.given-up-absent"_s);
    }

    // From the command line: what is waited for is said, and Ctrl+C leaves it.
    void theEngineSaysWhatItsEndWaitsFor()
    {
        QVERIFY(m_slurm->is(u"lost"_s));
        ProgramsFixture f;
        f.setSettings({{u"slurm.lab"_s, u"default"_s}, {u"clusters.pollSeconds"_s, 1}});
        const QString file = f.write(u"work/job.yaml"_s, document());
        QCOMPARE(f.ctl({u"run"_s, file, u"--on"_s, u"slurm:lab"_s}).status, 0);
        QTRY_VERIFY_WITH_TIMEOUT(m_slurm->submissions() == 1, 30'000);
        QCOMPARE(f.ctl({u"stop"_s, u"1"_s}).status, 0);
        QTRY_VERIFY_WITH_TIMEOUT(
            f.ctl({u"why"_s, u"1"_s}).out.contains("whether the job is there is not known"), 30'000);
        const auto asked = f.startCtl({u"engine"_s, u"stop"_s, u"--jobs"_s});
        QByteArray said;
        QVERIFY(QTest::qWaitFor(
            [&] {
                said += asked->readAllStandardError();
                return said.contains("Waits for the end of #1");
            },
            30'000));
        QVERIFY2(said.contains("whether the job is there is not known"), said.constData());
        ::kill(static_cast<pid_t>(asked->processId()), SIGINT);
        QVERIFY(asked->waitForFinished(30'000));
        QCOMPARE(asked->exitCode(), 130);
        said += asked->readAllStandardError();
        QVERIFY2(said.contains("The engine continues to stop the jobs"), said.constData());
        const auto given = f.ctl({u"stop"_s, u"--give-up"_s, u"1"_s});
        QVERIFY2(given.status == 0 && given.err.contains("was given up"), given.err.constData());
        QVERIFY2(given.err.contains("squeue --me --name="), given.err.constData());
        QVERIFY(f.waitForNoDaemon());
    }

private:
    static QByteArray document() { return EngineFixture::job("unheard", {"sleep 100"}); }
    QString submit(const QString &target)
    {
        SubmitRequest request;
        request.target = target;
        return m_engine->submit(document(), request);
    }
    bool becomes(const QString &uuid, State state)
    {
        return m_engine->waitFor(
            uuid, [state](const JobSummary &job) { return job.state == state; }, 60'000);
    }
    bool hasReason(const QString &uuid, const QString &code)
    {
        return m_engine->waitFor(
            uuid, [&code](const JobSummary &job) { return job.reason == code; }, 60'000);
    }

    std::unique_ptr<FakeSlurm> m_slurm;
    std::unique_ptr<FakeKubernetes> m_kubernetes;
    std::unique_ptr<EngineFixture> m_engine;
};

TRAINYARD_TEST(TstUnreachable)
#include "tst_unreachable.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/daemon/openpaiserver.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/pseudoterminal.h"
#include "tests/helpers/testregistry.h"

#include <QJsonArray>
#include <QJsonDocument>

using namespace Qt::StringLiterals;

// An OpenPAI cluster from the command line: the real programs, and a server.
class TstCliOpenPai : public QObject
{
    Q_OBJECT

    static QByteArray token() { return QByteArray(OpenPaiServer::token) + '\n'; }
    static ProgramsFixture::Output add(
        const ProgramsFixture &f, const OpenPaiServer &server, const QStringList &more = {})
    {
        return f.ctl(QStringList{u"targets"_s, u"add"_s, u"openpai:lab"_s, server.address(), u"--user"_s, u"ada"_s,
                         u"--token-stdin"_s}
                + more,
            token());
    }

private Q_SLOTS:
    void aTargetIsAddedAndUsed()
    {
        const OpenPaiServer server;
        ProgramsFixture f;
        const auto added = add(f, server);
        QVERIFY2(added.status == 0, added.err.constData());
        QVERIFY2(added.out.contains("virtual cluster default: 5 of 8 GPUs free"), added.out.constData());
        QVERIFY2(added.out.contains("logged in as ada"), added.out.constData());
        QVERIFY2(added.out.contains("K80: 1 GPU, 4 cores, 8"), added.out.constData());
        QVERIFY(added.out.contains("trainyardctl run --on openpai:lab JOB"));
        const QJsonArray json = f.ctl({u"targets"_s, u"list"_s, u"--json"_s}).json().array();
        QCOMPARE(json.first().toObject().value("id"_L1).toString(), u"openpai:lab"_s);
        QCOMPARE(json.first().toObject().value("options"_L1).toString(), server.address());
        QVERIFY(!f.ctl({u"settings"_s}).out.contains(token().trimmed()));

        const QString file = f.write(
            u"work/job.yaml"_s, EngineFixture::document("on-pai", EngineFixture::role("worker", 1, {"echo hello"})));
        const auto run = f.ctl({u"run"_s, file, u"--on"_s, u"openpai:lab"_s});
        QVERIFY2(run.status == 0, run.err.constData());
        QVERIFY(QTest::qWaitFor([&server] { return server.jobs().size() == 1; }, 20'000));
        QCOMPARE(f.ctl({u"stop"_s, u"1"_s}).status, 0);
        QVERIFY(QTest::qWaitFor([&server] { return !server.calls("PUT jobs/ada~").isEmpty(); }, 20'000));

        const auto removed = f.ctl({u"targets"_s, u"remove"_s, u"openpai:lab"_s});
        QVERIFY2(removed.status == 0, removed.err.constData());
        const auto refused = f.ctl({u"run"_s, file, u"--on"_s, u"openpai:lab"_s});
        QCOMPARE(refused.status, 4);
        QVERIFY2(refused.err.contains("openpai:lab has been removed from the settings"), refused.err.constData());

        // A name that only a cluster refuses is no matter for warnings where none is meant.
        const QString capital = f.write(
            u"work/capital.yaml"_s, EngineFixture::document("capital", EngineFixture::role("Worker", 1, {"true"})));
        const QByteArray warning = "A cluster cannot start a task role called 'Worker'";
        const auto there = f.ctl({u"run"_s, capital, u"--on"_s, u"openpai:lab"_s});
        QVERIFY2(there.err.contains(warning), there.err.constData());
        const auto here = f.ctl({u"run"_s, capital});
        QVERIFY2(here.status == 0 && !here.err.contains(warning), here.err.constData());
        QVERIFY(f.ctl({u"check"_s, capital}).out.contains(QByteArray("note: " + warning)));
    }

    // Its jobs are followed with the token that the engine has.
    void aRemovedTargetIsFollowed()
    {
        const OpenPaiServer server;
        ProgramsFixture f;
        QCOMPARE(add(f, server).status, 0);
        const QString file = f.write(
            u"work/job.yaml"_s, EngineFixture::document("on-pai", EngineFixture::role("worker", 1, {"echo hello"})));
        QCOMPARE(f.ctl({u"run"_s, file, u"--on"_s, u"openpai:lab"_s}).status, 0);
        QVERIFY(QTest::qWaitFor([&server] { return server.jobs().size() == 1; }, 20'000));
        const QStringList remove{u"targets"_s, u"remove"_s, u"openpai:lab"_s};
        for (const auto &removed : {f.ctl(remove), f.ctl(remove)}) {
            QVERIFY2(removed.status == 0 && removed.err.contains("takes no more jobs"), removed.err.constData());
            QVERIFY2(removed.err.contains("Its token is kept for them"), removed.err.constData());
        }
        const auto left = [&f] {
            const QJsonArray all = f.ctl({u"targets"_s, u"list"_s, u"--json"_s}).json().array();
            return all.isEmpty() ? QJsonObject() : all.first().toObject();
        };
        QCOMPARE(left().value("id"_L1).toString(), u"openpai:lab"_s);
        QCOMPARE(left().value("error"_L1).toString(), QString());
        QCOMPARE(f.ctl({u"stop"_s, u"1"_s}).status, 0);
        QVERIFY(QTest::qWaitFor([&left] { return left().value("id"_L1) != u"openpai:lab"_s; }, 60'000));
        QVERIFY(!server.calls("PUT jobs/ada~").isEmpty());
        const auto unknown = f.ctl(remove);
        QVERIFY2(unknown.status != 0 && unknown.err.contains("There is no target"), unknown.err.constData());
    }

    void aJobThereIsANewDocument()
    {
        const OpenPaiServer server;
        ProgramsFixture f;
        QCOMPARE(add(f, server).status, 0);
        const QStringList jobs{u"targets"_s, u"jobs"_s, u"openpai:lab"_s};
        const auto none = f.ctl(jobs);
        QVERIFY2(none.status == 0 && none.err.contains("You have no job on"), none.err.constData());
        const QByteArray text = EngineFixture::document("train", EngineFixture::role("worker", 1, {"echo 'a  b' # c"}));
        const auto run = f.ctl({u"run"_s, f.write(u"work/job.yaml"_s, text), u"--on"_s, u"openpai:lab"_s});
        QVERIFY2(run.status == 0, run.err.constData());
        QVERIFY(QTest::qWaitFor([&server] { return server.jobs().size() == 1; }, 20'000));
        const QString there = server.jobs().first();
        QVERIFY(there != "train"_L1 && server.document(there).contains(there.toUtf8()));
        const auto list = f.ctl(jobs);
        QVERIFY2(list.out.contains("waiting  default  1"), list.out.constData());
        const QJsonObject json = f.ctl(jobs + QStringList{u"--json"_s}).json().object();
        QCOMPARE(json.value("total"_L1).toInt(), 1);
        QCOMPARE(json.value("jobs"_L1).toArray().first().toObject().value("name"_L1).toString(), there);
        // As it was, to the byte: the name that the cluster knows it by is Trainyard's.
        const auto document = f.ctl(jobs + QStringList{there});
        QVERIFY2(document.status == 0, document.err.constData());
        QCOMPARE(document.out, text);

        const QStringList tags{u"targets"_s, u"tags"_s, u"openpai:lab"_s};
        const auto tagged = f.ctl(tags + QStringList{there, u"paper"_s, u"draft"_s});
        QVERIFY2(tagged.status == 0 && tagged.out == "draft\npaper\n", QByteArray(tagged.out + tagged.err).constData());
        const auto changed = f.ctl(tags + QStringList{there, u"--remove"_s, u"draft"_s, u"--json"_s});
        QCOMPARE(changed.json().object().value("tags"_L1).toArray(), QJsonArray{u"paper"_s});
        QCOMPARE(f.ctl(tags + QStringList{there}).out, QByteArray("paper\n"));
        const auto untagged = f.ctl(tags + QStringList{u"nowhere"_s});
        QVERIFY2(untagged.status == 4 && untagged.err.contains("does not know the job"), untagged.err.constData());

        const auto unknown = f.ctl(jobs + QStringList{u"nowhere"_s});
        QVERIFY2(unknown.status == 4 && unknown.err.contains("does not know the job"), unknown.err.constData());
        QCOMPARE(f.ctl(jobs + QStringList{there, u"--json"_s}).status, 2);
        const auto kept = f.ctl({u"targets"_s, u"add"_s, u"kubernetes:x"_s, u"--json"_s});
        QCOMPARE(kept.status, 1); // it is kept
        QCOMPARE(kept.json().object().value("id"_L1).toString(), u"kubernetes:x"_s);
        const auto other = f.ctl({u"targets"_s, u"jobs"_s, u"kubernetes:x"_s});
        QVERIFY2(other.status == 4 && other.err.contains("does not keep the documents"), other.err.constData());
        QCOMPARE(f.ctl({u"stop"_s, u"1"_s}).status, 0);
    }

    void aWrongTokenIsSaid()
    {
        const OpenPaiServer server;
        ProgramsFixture f;
        const auto added = f.ctl(
            {u"targets"_s, u"add"_s, u"openpai:lab"_s, server.address(), u"--user"_s, u"ada"_s, u"--token-stdin"_s},
            "wrong\n");
        QCOMPARE(added.status, 1);
        QVERIFY2(added.out.contains("openpai:lab does not accept your token"), added.out.constData());
        QCOMPARE(f.ctl({u"targets"_s, u"token"_s, u"openpai:lab"_s, u"--token-stdin"_s}, token()).status, 0);
        const auto checked = f.ctl({u"targets"_s, u"check"_s, u"openpai:lab"_s});
        QVERIFY2(checked.status == 0, checked.out.constData());
    }

    void aPasswordInsteadOfAToken()
    {
        const OpenPaiServer server;
        ProgramsFixture f;
        const QByteArray password = OpenPaiServer::password;
        const QStringList add{
            u"targets"_s, u"add"_s, u"openpai:lab"_s, server.address(), u"--user"_s, u"ada"_s, u"--password-stdin"_s};
        const auto wrong = f.ctl(add, "another\n");
        QCOMPARE(wrong.status, 1);
        QVERIFY2(wrong.err.contains("openpai:lab does not accept the password"), wrong.err.constData());
        QVERIFY2(wrong.err.contains("openpai:lab is kept."), wrong.err.constData());
        QVERIFY2(wrong.out.contains("needs your token"), wrong.out.constData());

        const QStringList token{u"targets"_s, u"token"_s, u"openpai:lab"_s};
        PseudoTerminal terminal(24, 200);
        QVERIFY(terminal.start(f.program(u"trainyardctl"_s), token + QStringList{u"--password"_s}, f.environment()));
        QTRY_VERIFY_WITH_TIMEOUT(terminal.written().contains("Password for openpai:lab: "), 20000);
        QTRY_VERIFY(!terminal.isEcho());
        terminal.type(password + '\n');
        QTRY_COMPARE_WITH_TIMEOUT(terminal.process().state(), QProcess::NotRunning, 20000);
        QVERIFY2(terminal.process().exitCode() == 0, terminal.written().constData());
        QVERIFY(!terminal.written().contains(password));
        const auto checked = f.ctl({u"targets"_s, u"check"_s, u"openpai:lab"_s});
        QVERIFY2(checked.status == 0 && checked.out.contains("logged in as ada"), checked.out.constData());

        const auto added = f.ctl(add, password + '\n');
        QVERIFY2(added.status == 0 && added.out.contains("logged in as ada"), added.err.constData());
        const QByteArray settings = f.ctl({u"settings"_s}).out;
        QVERIFY(!settings.contains(password) && !settings.contains(OpenPaiServer::token));

        QCOMPARE(f.ctl(token + QStringList{u"--password-stdin"_s}, "\n").status, 2);
        const auto both = f.ctl(token + QStringList{u"--password-stdin"_s, u"--token-stdin"_s}, "x\n");
        QVERIFY2(both.status == 2 && both.err.contains("one of the two"), both.err.constData());
    }

    // Of a cluster that is there, the rest stays as it is: also its token.
    void addChangesWhatIsGiven()
    {
        const OpenPaiServer server;
        ProgramsFixture f;
        QCOMPARE(add(f, server).status, 0);
        const auto value = [&f](const QString &key) { return f.ctl({u"settings"_s, key}).out.trimmed(); };
        const auto changed = f.ctl({u"targets"_s, u"add"_s, u"openpai:lab"_s, u"--cluster"_s, u"vision"_s});
        QVERIFY2(changed.out.contains("logged in as ada"), QByteArray(changed.out + changed.err).constData());
        QVERIFY2(changed.err.contains("openpai:lab exists already."), changed.err.constData());
        QVERIFY2(value(u"openpaiCluster.lab"_s).contains("vision"), value(u"openpaiCluster.lab"_s).constData());
        QVERIFY(value(u"openpaiUser.lab"_s).contains("ada"));
        QVERIFY(value(u"openpai.lab"_s).contains(server.address().toUtf8()));
        // The token is not that of another user.
        PseudoTerminal terminal(24, 200);
        QVERIFY(terminal.start(f.program(u"trainyardctl"_s),
            {u"targets"_s, u"add"_s, u"openpai:lab"_s, u"--user"_s, u"grace"_s}, f.environment()));
        QTRY_VERIFY_WITH_TIMEOUT(terminal.written().contains("Token for openpai:lab: "), 20000);
        terminal.type("\x03");
        QTRY_COMPARE_WITH_TIMEOUT(terminal.process().state(), QProcess::NotRunning, 20000);
        QVERIFY(value(u"openpaiUser.lab"_s).contains("ada"));
    }

    // Neither Slurm nor kubectl has to be there for that: the check says so, and the settings are kept.
    void addKeepsWhatIsNotGiven()
    {
        ProgramsFixture f;
        const auto value = [&f](const QString &key) { return f.ctl({u"settings"_s, key}).out.trimmed(); };
        f.ctl({u"targets"_s, u"add"_s, u"slurm:lab"_s, u"--folder"_s, f.path(u"runs"_s), u"--images"_s, u"apptainer"_s,
            u"--"_s, u"--partition=gpu"_s});
        f.ctl({u"targets"_s, u"add"_s, u"lab"_s, u"--"_s, u"--partition=cpu"_s});
        QVERIFY2(value(u"slurm.lab"_s).contains("--partition=cpu"), value(u"slurm.lab"_s).constData());
        QVERIFY2(value(u"slurmImages.lab"_s).contains("apptainer"), value(u"slurmImages.lab"_s).constData());
        QVERIFY(value(u"slurmFolder.lab"_s).contains(QFile::encodeName(f.path(u"runs"_s))));
        f.ctl({u"targets"_s, u"add"_s, u"lab"_s, u"--modules"_s, u"cuda/12 python/3.11"_s});
        QVERIFY2(
            value(u"slurmModules.lab"_s).contains("cuda/12,python/3.11"), value(u"slurmModules.lab"_s).constData());
        QVERIFY(value(u"slurm.lab"_s).contains("--partition=cpu"));
        const QJsonArray targets = QJsonDocument::fromJson(f.ctl({u"targets"_s, u"list"_s, u"--json"_s}).out).array();
        QCOMPARE(targets.at(0)["modules"_L1].toArray(), (QJsonArray{u"cuda/12"_s, u"python/3.11"_s}));
        const auto strange = f.ctl({u"targets"_s, u"add"_s, u"lab"_s, u"--modules"_s, u"$(id)"_s});
        QVERIFY2(strange.err.contains("'$(id)' cannot be the name of a module"), strange.err.constData());
        QVERIFY(value(u"slurmModules.lab"_s).contains("cuda/12,python/3.11"));
        f.ctl({u"targets"_s, u"add"_s, u"slurm:lab"_s, u"--images"_s, u"none"_s, u"--modules"_s, u"none"_s});
        QVERIFY2(!value(u"slurmModules.lab"_s).contains("cuda"), value(u"slurmModules.lab"_s).constData());
        QVERIFY(value(u"slurm.lab"_s).contains("--partition=cpu"));
        QVERIFY(!value(u"slurmImages.lab"_s).contains("apptainer"));
        f.ctl({u"targets"_s, u"add"_s, u"slurm:lab"_s, u"--"_s, u"default"_s});
        QVERIFY(value(u"slurm.lab"_s).contains("default"));
        QVERIFY(value(u"slurmFolder.lab"_s).contains(QFile::encodeName(f.path(u"runs"_s))));

        f.ctl({u"targets"_s, u"add"_s, u"kubernetes:lab"_s, u"--queue"_s, u"research"_s, u"--"_s, u"--context=one"_s});
        f.ctl({u"targets"_s, u"add"_s, u"kubernetes:lab"_s, u"--"_s, u"--context=two"_s});
        QVERIFY(value(u"kubernetesQueue.lab"_s).contains("research"));
        QVERIFY2(value(u"kubernetes.lab"_s).contains("--context=two"), value(u"kubernetes.lab"_s).constData());
        f.ctl({u"targets"_s, u"add"_s, u"kubernetes:lab"_s, u"--queue"_s, u"other"_s});
        QVERIFY(value(u"kubernetesQueue.lab"_s).contains("other"));
        QVERIFY(value(u"kubernetes.lab"_s).contains("--context=two"));
    }

    void wrongWordsAreRefused_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QByteArray>("input");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("no address") << QStringList{u"--user"_s, u"ada"_s} << token() << QByteArray("needs its address");
        QTest::newRow("no TLS") << QStringList{u"http://pai.example.org"_s, u"--user"_s, u"ada"_s} << token()
                                << QByteArray("Use https, or allow it with --plain-http.");
        QTest::newRow("no user") << QStringList{u"https://pai.example.org"_s} << token()
                                 << QByteArray("The name of the user");
        QTest::newRow("an empty token") << QStringList{u"https://pai.example.org"_s, u"--user"_s, u"ada"_s}
                                        << QByteArray("\n") << QByteArray("That is not a token");
    }
    void wrongWordsAreRefused()
    {
        QFETCH(QStringList, words);
        QFETCH(QByteArray, input);
        QFETCH(QByteArray, says);
        ProgramsFixture f;
        const auto refused
            = f.ctl(QStringList{u"targets"_s, u"add"_s, u"openpai:lab"_s, u"--token-stdin"_s} + words, input);
        QVERIFY(refused.status != 0);
        QVERIFY2(refused.err.contains(says), refused.err.constData());
        QVERIFY(!refused.err.contains(token().trimmed()));
        // A kind that there is none of is not taken for Slurm.
        const auto unknown = f.ctl({u"targets"_s, u"check"_s, u"nosuch:q"_s});
        QVERIFY2(unknown.status != 0 && unknown.err.contains("There is no target 'nosuch:q'"), unknown.err.constData());
    }

    void optionsOfOtherKindsAreRefused_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QByteArray>("says");
        const QByteArray slurm = "is for clusters of Slurm", openPai = "is for clusters of OpenPAI";
        const QString page = u"https://pai.example.org"_s;
        QTest::newRow("--user of Slurm") << QStringList{u"lab"_s, u"--user"_s, u"ada"_s} << "--user " + openPai;
        QTest::newRow("--cluster of Slurm")
            << QStringList{u"slurm:lab"_s, u"--cluster"_s, u"vision"_s} << "--cluster " + openPai;
        QTest::newRow("--plain-http of Slurm") << QStringList{u"lab"_s, u"--plain-http"_s} << "--plain-http " + openPai;
        QTest::newRow("--token-stdin of Kubernetes")
            << QStringList{u"kubernetes:lab"_s, u"--token-stdin"_s} << "--token-stdin " + openPai;
        QTest::newRow("--password of Slurm") << QStringList{u"slurm:lab"_s, u"--password"_s} << "--password " + openPai;
        QTest::newRow("--password-stdin of Kubernetes")
            << QStringList{u"kubernetes:lab"_s, u"--password-stdin"_s} << "--password-stdin " + openPai;
        QTest::newRow("--folder of Kubernetes")
            << QStringList{u"kubernetes:lab"_s, u"--folder"_s, u"/x"_s} << "--folder " + slurm;
        QTest::newRow("--login of OpenPAI")
            << QStringList{u"openpai:lab"_s, page, u"--login"_s, u"far"_s} << "--login " + slurm;
        QTest::newRow("--images of OpenPAI")
            << QStringList{u"openpai:lab"_s, page, u"--images"_s, u"pyxis"_s} << "--images " + slurm;
        QTest::newRow("--queue of Slurm") << QStringList{u"slurm:lab"_s, u"--queue"_s, u"research"_s}
                                          << QByteArray("--queue is for clusters of Kubernetes");
    }
    void optionsOfOtherKindsAreRefused()
    {
        QFETCH(QStringList, words);
        QFETCH(QByteArray, says);
        ProgramsFixture f;
        const auto refused = f.ctl(QStringList{u"targets"_s, u"add"_s} + words);
        QCOMPARE(refused.status, 2);
        QVERIFY2(refused.err.contains(says), refused.err.constData());
    }
};

TRAINYARD_TEST(TstCliOpenPai)
#include "tst_cliopenpai.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/runfolders.h"
#include "tests/daemon/openpaifixture.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Jobs at an OpenPAI cluster whose target is removed or leads elsewhere, or that came there late: none is lost, and
// none is handed over twice.
class TstOpenPaiDoubt : public QObject, private OpenPaiFixture
{
    Q_OBJECT

    // Of the job that was asked for last.
    QByteArray nameAskedFor() const
    {
        return m_server->calls("GET jobs/ada~").value(0).mid(qsizetype(sizeof "GET jobs/ada~") - 1);
    }
    // A call for it has come there late.
    bool isStoppedThere(const QByteArray &name)
    {
        setJob(QString::fromLatin1(name), u"RUNNING"_s, {task(0, u"RUNNING"_s)});
        return QTest::qWaitFor(
            [&] { return !m_server->calls("PUT jobs/ada~" + name + "/executionType").isEmpty(); }, 60'000);
    }
    static OpenPaiServer::Answer lost() // and nothing has come there
    {
        return {202, R"({"message":"x"})", {}, OpenPaiServer::Answer::How::Cut, false};
    }
    QString running(QString *name) // a job
    {
        const QString uuid = submit(document());
        *name = nameThere();
        setJob(*name, u"RUNNING"_s, {task(0, u"RUNNING"_s)});
        return isIn(uuid, State::Running) ? uuid : QString();
    }
    // The name of a job that was stopped while nobody knew whether it is there. The engine has ended.
    QByteArray stoppedInDoubt()
    {
        m_server->answerNext("POST jobs", lost(), 2);
        m_server->answerNext("GET jobs/ada~", OpenPaiServer::error(500, "UnknownError"));
        const QString uuid = submit(document());
        const bool isStopped
            = hasReason(uuid, u"wait.openpai-silent"_s) && m_engine->engine().stop(uuid) && isIn(uuid, State::Stopped);
        m_engine->close();
        return isStopped ? nameAskedFor() : QByteArray();
    }
    bool isKept() const // what the settings had of the target
    {
        return EngineFixture::contents(m_engine->path(u"state/cluster-settings.json"_s)).contains("openpai.lab");
    }

private Q_SLOTS:
    void init() { QVERIFY(begin()); }
    void cleanup() { end(); }

    // That it cannot be read what was noted of it does not say that the cluster does not have it.
    void aNoteThatCannotBeRead()
    {
        QString name;
        const QString uuid = running(&name);
        QVERIFY(!uuid.isEmpty());
        m_engine->close();
        const QString note = m_engine->path(u"state/runs/%1/openpai-0"_s.arg(uuid));
        QVERIFY(QFile::remove(note));
        // Nobody can read the first byte of its own memory.
        QVERIFY(QFile::link(u"/proc/self/mem"_s, note));
        QVERIFY(m_engine->open());
        QVERIFY(giveToken());
        setJob(name, u"SUCCEEDED"_s, {task(0, u"SUCCEEDED"_s, 0)}, 0);
        QVERIFY(isIn(uuid, State::Succeeded));
        QCOMPARE(m_server->calls("POST jobs").size(), 1);
    }

    // Nothing keeps its token but the memory of the engine and a keyring.
    void aRemovedTargetGoesOnWithItsToken()
    {
        QString name;
        const QString uuid = running(&name);
        QVERIFY(!uuid.isEmpty());
        QVERIFY(m_engine->engine().setSetting(u"openpai.lab"_s, QJsonValue(QJsonValue::Null)));
        QCOMPARE(m_engine->engine().targets().first().error, QString());
        m_engine->close();
        QVERIFY(m_engine->open());
        QVERIFY(hasReason(uuid, u"openpai.no-token-removed"_s));
        const ClusterInfo info = m_engine->engine().targets().first();
        QVERIFY(!info.isNamed);
        QCOMPARE(info.error, u"openpai.no-token-removed"_s);
        QVERIFY(m_engine->engine().setTargetToken(u"openpai:lab"_s, u"an-old-one"_s));
        QVERIFY(hasReason(uuid, u"openpai.unauthorized-removed"_s));
        QVERIFY(isKept());
        setJob(name, u"SUCCEEDED"_s, {task(0, u"SUCCEEDED"_s, 0)}, 0);
        QVERIFY(giveToken());
        QVERIFY(isIn(uuid, State::Succeeded));
        QTRY_VERIFY_WITH_TIMEOUT(!isKept(), 30'000);
    }

    void whatIsSaidFitsTheSettings()
    {
        QString name;
        const QString uuid = running(&name);
        QVERIFY(!uuid.isEmpty());
        QVERIFY(m_engine->engine().setTargetToken(u"openpai:lab"_s, QString()));
        QVERIFY(hasReason(uuid, u"openpai.no-token"_s));
        QVERIFY(m_engine->engine().setSetting(u"openpai.lab"_s, QJsonValue(QJsonValue::Null)));
        QVERIFY(hasReason(uuid, u"openpai.no-token-removed"_s));
        QVERIFY(m_engine->engine().setSetting(u"openpai.lab"_s, m_server->address()));
        QVERIFY(hasReason(uuid, u"openpai.no-token"_s));
    }

    void anotherClusterGetsNothing_data()
    {
        QTest::addColumn<bool>("isLost");
        QTest::newRow("it was taken") << false;
        QTest::newRow("the answer was lost") << true;
    }
    void anotherClusterGetsNothing()
    {
        QFETCH(bool, isLost);
        const OpenPaiServer other;
        if (isLost) {
            m_server->answerNext("POST jobs", {202, R"({"message":"x"})", {}, OpenPaiServer::Answer::How::Cut, true});
            m_server->answerNext("GET jobs/ada~", OpenPaiServer::error(500, "UnknownError"), 1000);
        }
        const QString uuid = submit(document());
        const QString name = nameThere();
        QVERIFY(hasReason(uuid, isLost ? u"wait.openpai-silent"_s : u"wait.openpai-words"_s));
        QVERIFY(m_engine->engine().setSetting(u"openpai.lab"_s, other.address()));
        QVERIFY(giveToken());
        QVERIFY(hasReason(uuid, u"openpai.elsewhere"_s));
        QCOMPARE(m_engine->job(uuid).reasonArgs.value("address"_L1).toString(), m_server->address());
        QCOMPARE(m_engine->job(uuid).reasonArgs.value("user"_L1).toString(), u"ada"_s);
        m_engine->close(); // its note knows where it is
        QVERIFY(m_engine->open());
        QVERIFY(giveToken());
        QVERIFY(hasReason(uuid, u"openpai.elsewhere"_s));
        QVERIFY(other.jobs().isEmpty());
        if (isLost) {
            return; // the first one stays silent
        }
        setJob(name, u"SUCCEEDED"_s, {task(0, u"SUCCEEDED"_s, 0)}, 0);
        QVERIFY(m_engine->engine().setSetting(u"openpai.lab"_s, m_server->address()));
        QVERIFY(giveToken());
        QVERIFY(isIn(uuid, State::Succeeded));
        QCOMPARE(m_server->calls("POST jobs").size(), 1);
    }

    // The note that has the address cannot be read, and the new address does not know the job: it may run at the old
    // one.
    void anUnreadableNoteIsNoEnd()
    {
        const OpenPaiServer other;
        QString name;
        const QString uuid = running(&name);
        QVERIFY(!uuid.isEmpty());
        m_engine->close();
        const QString note = RunFolders(m_engine->options().stateFolder).ofJob(uuid) + u"/openpai-0"_s;
        const QString kept = note + u".kept"_s;
        QVERIFY(QFile::rename(note, kept));
        // Nobody can read the first byte of its own memory.
        QVERIFY(QFile::link(u"/proc/self/mem"_s, note));
        QVERIFY(m_engine->open());
        QVERIFY(m_engine->engine().setSetting(u"openpai.lab"_s, other.address()));
        QVERIFY(giveToken());
        QVERIFY(hasReason(uuid, u"openpai.note-unread"_s));
        QVERIFY(other.jobs().isEmpty());
        QVERIFY(QFile::remove(note) && QFile::rename(kept, note));
        QVERIFY(hasReason(uuid, u"openpai.elsewhere"_s));
        setJob(name, u"SUCCEEDED"_s, {task(0, u"SUCCEEDED"_s, 0)}, 0);
        QVERIFY(m_engine->engine().setSetting(u"openpai.lab"_s, m_server->address()));
        QVERIFY(giveToken());
        QVERIFY(isIn(uuid, State::Succeeded));
        QCOMPARE(m_server->calls("POST jobs").size(), 1);
    }

    void theClusterMayMove()
    {
        QString name;
        const QString uuid = running(&name);
        QVERIFY(!uuid.isEmpty());
        QString moved = m_server->address();
        moved.replace(u"127.0.0.1"_s, u"localhost"_s);
        QVERIFY(m_engine->engine().setSetting(u"openpai.lab"_s, moved));
        QVERIFY(giveToken());
        setJob(name, u"SUCCEEDED"_s, {task(0, u"SUCCEEDED"_s, 0)}, 0);
        QVERIFY(isIn(uuid, State::Succeeded));
    }

    // It was stopped while nobody knew whether it is there, and it was not there yet.
    void whatComesLateIsStopped()
    {
        m_server->answerNext("POST jobs", {202, R"({"message":"x"})", {}, OpenPaiServer::Answer::How::Cut, false});
        m_server->answerNext("GET jobs/ada~", OpenPaiServer::error(500, "UnknownError"), 2);
        const QString uuid = submit(document());
        QVERIFY(hasReason(uuid, u"wait.openpai-silent"_s));
        QVERIFY(m_engine->engine().stop(uuid));
        QVERIFY(QTest::qWaitFor([this] { return m_server->calls("GET jobs/ada~").size() >= 3; }, 60'000));
        const QByteArray call = m_server->calls("GET jobs/ada~").constLast();
        const QString name = QString::fromLatin1(call.mid(qsizetype(sizeof "GET jobs/ada~") - 1));
        setJob(name, u"RUNNING"_s, {task(0, u"RUNNING"_s)});
        QVERIFY(isIn(uuid, State::Stopped));
        QCOMPARE(m_server->calls("PUT jobs/ada~" + name.toLatin1() + "/executionType").size(), 1);
        QCOMPARE(m_server->calls("POST jobs").size(), 1);
    }

    void whatIsNotThereIsStopped()
    {
        m_server->answerNext("POST jobs", {202, R"({"message":"x"})", {}, OpenPaiServer::Answer::How::Cut, false});
        m_server->answerNext("GET jobs/ada~", OpenPaiServer::error(500, "UnknownError"));
        const QString uuid = submit(document());
        QVERIFY(hasReason(uuid, u"wait.openpai-silent"_s));
        QVERIFY(m_engine->engine().stop(uuid));
        QVERIFY(isIn(uuid, State::Stopped));
        QVERIFY(m_server->jobs().size() <= 1); // the stop may have come after it was handed over again
    }

    // The first call has no answer, and the cluster does not have the job; the second one it does not take, and then
    // the first one comes.
    void aRefusalIsNotTheEndOfTheFirstCall()
    {
        m_server->answerNext("POST jobs", lost());
        m_server->answerNext("POST jobs", OpenPaiServer::error(403, "NoEnoughQuotaError"));
        const QString uuid = submit(document());
        QVERIFY(isIn(uuid, State::Failed));
        QCOMPARE(m_server->calls("POST jobs").size(), 2);
        QVERIFY(isStoppedThere(nameAskedFor()));
    }

    // It was stopped while nobody knew whether it is there. It comes when the job is over here, and another engine
    // runs.
    void whatComesAfterTheStopIsStopped()
    {
        m_server->answerNext("POST jobs", lost());
        m_server->answerNext("GET jobs/ada~", OpenPaiServer::error(500, "UnknownError"));
        m_server->answerNext("POST jobs", lost()); // where the stop comes after it was handed over again
        const QString uuid = submit(document());
        QVERIFY(hasReason(uuid, u"wait.openpai-silent"_s));
        QVERIFY(m_engine->engine().stop(uuid));
        QVERIFY(isIn(uuid, State::Stopped));
        QVERIFY(m_server->jobs().isEmpty());
        m_engine->close();
        const QByteArray name = nameAskedFor();
        const auto isNoted = [this] { return !QDir(m_engine->path(u"state/openpai-late/lab"_s)).isEmpty(QDir::Files); };
        QVERIFY(isNoted());
        QVERIFY(m_engine->open());
        QVERIFY(giveToken());
        QVERIFY(isStoppedThere(name));
        QTRY_VERIFY(!isNoted()); // that is all
    }

    // A proxy says that it is busy, as its connection to the server ended, and the server has the call.
    void aBusyProxyMayHavePassedItOn()
    {
        m_server->answerNext("POST jobs", {503, "<html></html>"}, 2);
        m_server->answerNext("GET jobs/ada~", OpenPaiServer::error(500, "UnknownError"));
        const QString uuid = submit(document());
        QVERIFY(hasReason(uuid, u"openpai.busy"_s));
        QVERIFY(m_engine->engine().stop(uuid));
        QVERIFY(isIn(uuid, State::Stopped));
        QVERIFY(m_server->jobs().isEmpty());
        QVERIFY(isStoppedThere(nameAskedFor()));
    }

    // A token that the cluster does not accept is said once, and it is asked again with another one, or for somebody.
    void aRefusedTokenIsNotTriedAgain()
    {
        const QByteArray name = stoppedInDoubt(), question = "GET jobs/ada~" + name;
        QVERIFY(!name.isEmpty());
        const auto asked = [&] { return m_server->calls(question).size(); };
        const auto error = [this] { return m_engine->engine().targets().first().error; };
        QVERIFY(m_engine->open());
        qsizetype before = asked();
        QVERIFY(m_engine->engine().setTargetToken(u"openpai:lab"_s, u"an-old-one"_s));
        QTRY_COMPARE(error(), u"openpai.unauthorized"_s);
        QCOMPARE(asked(), before + 1);
        constexpr int longerThanThePauses = 4000;
        QVERIFY(!QTest::qWaitFor([&] { return asked() > before + 1; }, longerThanThePauses));
        std::optional<ClusterInfo> checked;
        m_engine->engine().checkTarget(u"openpai:lab"_s, this,
            [&checked](const Result<ClusterInfo> &info) { checked = info.value_or(ClusterInfo()); });
        QTRY_COMPARE(asked(), before + 2);
        QTRY_VERIFY(checked);
        QTRY_COMPARE(error(), u"openpai.unauthorized"_s);
        before = asked();
        QVERIFY(giveToken());
        QCOMPARE(error(), QString());
        QVERIFY(isStoppedThere(name));
        QVERIFY(asked() > before);
    }

    // The cluster says of the old token that it does not accept it when there is a good one.
    void aRefusalOfTheTokenBefore()
    {
        const QByteArray name = stoppedInDoubt(), question = "GET jobs/ada~" + name;
        QVERIFY(!name.isEmpty() && m_engine->open());
        OpenPaiServer::Answer refusal = OpenPaiServer::error(401, "UnauthorizedUserError");
        refusal.how = OpenPaiServer::Answer::How::Late;
        m_server->answerNext(question, refusal);
        const qsizetype before = m_server->calls(question).size();
        QVERIFY(m_engine->engine().setTargetToken(u"openpai:lab"_s, u"an-old-one"_s));
        QTRY_COMPARE(m_server->calls(question).size(), before + 1);
        QVERIFY(giveToken());
        m_server->sayLate();
        QVERIFY(isStoppedThere(name));
        QCOMPARE(m_engine->engine().targets().first().error, QString());
    }

    // The target was removed meanwhile, in this engine or in the one before: what it was is kept for that.
    void whatComesLateToARemovedTarget()
    {
        const QByteArray name = stoppedInDoubt();
        QVERIFY(!name.isEmpty() && m_engine->open());
        QVERIFY(m_engine->engine().setSetting(u"openpai.lab"_s, QJsonValue(QJsonValue::Null)));
        QVERIFY(isKept());
        m_engine->close();
        QVERIFY(m_engine->open());
        QVERIFY(isKept());
        const ClusterInfo info = m_engine->engine().targets().value(0);
        QCOMPARE(info.id, u"openpai:lab"_s);
        QVERIFY(!info.isNamed);
        QVERIFY(giveToken());
        QVERIFY(isStoppedThere(name));
        QTRY_VERIFY_WITH_TIMEOUT(!isKept(), 30'000);
        QVERIFY(m_engine->engine().targets().isEmpty());
    }

    // The cluster takes the token again, as after its administrator has renewed it.
    void aCheckSaysWhatItFinds()
    {
        const QByteArray name = stoppedInDoubt();
        QVERIFY(!name.isEmpty() && m_engine->open());
        m_server->answerNext("GET jobs/ada~" + name, OpenPaiServer::error(401, "UnauthorizedUserError"));
        QVERIFY(giveToken());
        QTRY_COMPARE(m_engine->engine().targets().first().error, u"openpai.unauthorized"_s);
        std::optional<ClusterInfo> checked;
        m_engine->engine().checkTarget(u"openpai:lab"_s, this,
            [&checked](const Result<ClusterInfo> &info) { checked = info.value_or(ClusterInfo()); });
        QTRY_VERIFY(checked);
        QVERIFY(!checked->steps.isEmpty() && checked->steps.constLast().isGood);
        QCOMPARE(checked->error, QString());
        QVERIFY(isStoppedThere(name));
    }

    // Somebody has given it up, as the cluster did not answer.
    void whatIsGivenUpIsStoppedLater_data()
    {
        QTest::addColumn<bool>("isUnread"); // the note that has the address, by the next engine
        QTest::newRow("by the engine that sent it") << false;
        QTest::newRow("by one that cannot read where it was sent") << true;
    }

    void whatIsGivenUpIsStoppedLater()
    {
        QFETCH(bool, isUnread);
        QString name;
        const QString uuid = running(&name);
        QVERIFY(!uuid.isEmpty());
        if (isUnread) {
            m_engine->close();
            const QString note = RunFolders(m_engine->options().stateFolder).ofJob(uuid) + u"/openpai-0"_s;
            // The first byte of a process's own memory cannot be read.
            QVERIFY(QFile::remove(note) && QFile::link(u"/proc/self/mem"_s, note));
            const QByteArray question = "GET jobs/ada~" + name.toLatin1();
            const qsizetype asked = m_server->calls(question).size();
            m_server->answerNext(question, OpenPaiServer::error(500, "UnknownError"));
            QVERIFY(m_engine->open());
            QVERIFY(giveToken());
            QTRY_VERIFY_WITH_TIMEOUT(m_server->calls(question).size() > asked, 30'000);
        }
        const QByteArray stop = "PUT jobs/ada~" + name.toLatin1() + "/executionType";
        constexpr int failures = 3;
        m_server->answerNext(stop, OpenPaiServer::error(500, "UnknownError"), failures);
        QVERIFY(m_engine->engine().stop(uuid));
        QVERIFY(hasReason(uuid, u"stop.target-silent"_s));
        QVERIFY(m_engine->engine().giveUp(uuid).value_or(false));
        QVERIFY(isIn(uuid, State::Stopped));
        QCOMPARE(m_engine->job(uuid).reason, u"stop.given-up"_s);
        QTRY_COMPARE_WITH_TIMEOUT(m_server->calls(stop).size(), failures + 1, 60'000);
    }

    // A change of tags is several calls, and none of them is about the job itself.
    void tagsThatFailHalfWay()
    {
        QString name;
        const QString uuid = running(&name);
        QVERIFY(!uuid.isEmpty());
        const auto change = [&](const QStringList &add, const QStringList &remove) {
            std::optional<Result<ClusterTags>> found;
            m_engine->engine().changeTagsAtTarget({u"openpai:lab"_s, name, add, remove}, this,
                [&found](const Result<ClusterTags> &tags) { found = tags; });
            const bool isThere = QTest::qWaitFor([&found] { return found.has_value(); }, 30'000);
            return isThere ? *found : Result<ClusterTags>(tl::unexpected(Error{u"no answer"_s, {}}));
        };
        QVERIFY(change({u"draft"_s}, {}));
        m_server->answerNext("PUT jobs/ada~" + name.toLatin1() + "/tag", OpenPaiServer::error(500, "UnknownError"));
        const Result<ClusterTags> half = change({u"paper"_s}, {u"draft"_s});
        QVERIFY(!half);
        QCOMPARE(half.error().code, u"openpai.silent"_s);
        QCOMPARE(m_engine->job(uuid).state, State::Running);
        const Result<ClusterTags> whole = change({u"paper"_s}, {u"draft"_s}); // the same once more
        QVERIFY(whole);
        QCOMPARE(whole->tags, QStringList{u"paper"_s});
        setJob(name, u"SUCCEEDED"_s, {task(0, u"SUCCEEDED"_s, 0)}, 0);
        QVERIFY(isIn(uuid, State::Succeeded));
        QCOMPARE(m_server->calls("POST jobs").size(), 1);
    }
};

TRAINYARD_TEST(TstOpenPaiDoubt)
#include "tst_openpaidoubt.moc"

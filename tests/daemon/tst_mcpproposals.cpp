// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/daemon/scriptedassistant.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>

using namespace Qt::StringLiterals;

// `trainyardctl mcp --submit`: an assistant proposes, a person approves, and only then something runs.
class TstMcpProposals : public QObject
{
    Q_OBJECT

    using Era = ScriptedAssistant::Era;

    static QByteArray job(const QByteArray &name, const QByteArrayList &commands, const QByteArray &more = {})
    {
        return EngineFixture::document(name, EngineFixture::role("worker", 1, commands), more);
    }
    static QString textOf(const QJsonObject &result) { return ScriptedAssistant::textOf(result); }
    static QJsonObject outputOf(const QJsonObject &result) { return ScriptedAssistant::outputOf(result); }
    static bool isRefused(const QJsonObject &result, const QString &word)
    {
        return result.value("isError"_L1).toBool() && textOf(result).contains(word);
    }
    static QJsonObject planOf(const QJsonObject &proposal)
    {
        return {{u"proposal"_s, proposal.value("id"_L1)}, {u"digest"_s, proposal.value("digest"_L1)}};
    }
    static void allow(const ProgramsFixture &f, int jobs = 3)
    {
        f.setSettings({{u"stop.graceSeconds"_s, 2}, {u"environment.mode"_s, u"clean"_s}, {u"engine.idleSeconds"_s, 30},
            {u"assistants.submit"_s, u"ask"_s}, {u"assistants.maxJobs"_s, jobs}});
    }
    static QStringList options(const ProgramsFixture &f) { return {u"--submit"_s, u"--root"_s, f.path(u"work"_s)}; }

private Q_SLOTS:
    void runsWhatAPersonHasApproved_data()
    {
        QTest::addColumn<bool>("isModern");
        QTest::newRow("2025-06-18") << false;
        QTest::newRow("2026-07-28") << true;
    }
    void runsWhatAPersonHasApproved()
    {
        QFETCH(bool, isModern);
        ProgramsFixture f;
        allow(f);
        const QString file = f.write(u"work/job.yaml"_s,
            job("proposed", {"echo <% $parameters.word %> > result.txt"}, "parameters: {word: proposed}\n"));
        ScriptedAssistant assistant(f, isModern ? Era::Modern : Era::Legacy, options(f));
        QVERIFY(assistant.isGreeted());
        const QJsonObject proposed = assistant.call(
            u"propose"_s, {{u"file"_s, u"job.yaml"_s}, {u"parameters"_s, QJsonObject{{u"word"_s, u"approved"_s}}}});
        const QJsonObject proposal = outputOf(proposed);
        QVERIFY2(!proposed.value("isError"_L1).toBool(true), qPrintable(textOf(proposed)));
        QCOMPARE(proposal.value("state"_L1).toString(), u"open"_s);
        QCOMPARE(proposal.value("name"_L1).toString(), u"proposed"_s);
        const QJsonArray commands = proposal.value("commands"_L1).toArray();
        QCOMPARE(commands.at(0)[u"text"].toString(), u"echo approved > result.txt"_s);
        QCOMPARE(proposal.value("work"_L1).toString(), QFileInfo(file).canonicalPath());
        const QString id = proposal.value("id"_L1).toString();
        // Not before, and not by another digest.
        const QJsonObject early = assistant.call(u"submit"_s, planOf(proposal));
        QVERIFY2(isRefused(early, u"has not been approved yet"_s), qPrintable(textOf(early)));
        const QJsonObject forged = assistant.call(u"submit"_s, {{u"proposal"_s, id}, {u"digest"_s, QString(64, u'0')}});
        QVERIFY2(isRefused(forged, u"digest"_s), qPrintable(textOf(forged)));

        const QJsonArray listed = f.ctl({u"approvals"_s, u"list"_s, u"--json"_s}).json().array();
        QCOMPARE(listed.size(), 1);
        QCOMPARE(listed.at(0).toObject().value("assistant"_L1).toString(), isModern ? u"?"_s : u"script"_s);
        const auto shown = f.ctl({u"approvals"_s, u"show"_s, id});
        QVERIFY2(shown.out.contains("echo approved"), shown.out.constData());
        // What stands in the file later is not what was approved.
        f.write(u"work/job.yaml"_s, job("proposed", {"exit 7"}));
        const auto approved = f.ctl({u"approvals"_s, u"approve"_s, id, u"--yes"_s});
        QVERIFY2(approved.status == 0, approved.err.constData());
        QCOMPARE(
            outputOf(assistant.call(u"proposal"_s, {{u"proposal"_s, id}})).value("state"_L1).toString(), u"approved"_s);
        const QJsonObject submitted = assistant.call(u"submit"_s, planOf(proposal));
        QVERIFY2(!submitted.value("isError"_L1).toBool(true), qPrintable(textOf(submitted)));
        const QString number = QString::number(outputOf(submitted).value("id"_L1).toInt());
        QCOMPARE(f.ctl({u"wait"_s, number}).status, 0);
        QFile result(f.path(u"work/result.txt"_s));
        QVERIFY(result.open(QIODevice::ReadOnly));
        QCOMPARE(result.readAll(), QByteArray("approved\n"));
        // Who it was stands with the job, also after its end.
        const auto job = f.ctl({u"show"_s, number});
        QVERIFY2(job.out.contains("an assistant; proposed") && job.out.contains("on a terminal"), job.out.constData());
        QVERIFY(f.ctl({u"ps"_s, u"--all"_s, u"tag:assistant"_s}).out.contains("proposed"));
        // An approval is good for one submission.
        const QJsonObject again = assistant.call(u"submit"_s, planOf(proposal));
        QVERIFY2(isRefused(again, u"one submission"_s), qPrintable(textOf(again)));
        QVERIFY(f.ctl({u"approvals"_s, u"approve"_s, id, u"--yes"_s}).status != 0);
        QCOMPARE(assistant.end(), 0);
    }

    void stopsItsOwnJobs()
    {
        ProgramsFixture f;
        allow(f);
        const QString own = f.write(u"work/own.yaml"_s, job("own", {"sleep 600"}));
        QCOMPARE(f.ctl({u"run"_s, own, u"--name"_s, u"of-a-person"_s}).status, 0);
        ScriptedAssistant assistant(f, Era::Legacy, options(f));
        const QJsonObject proposal = outputOf(assistant.call(u"propose"_s, {{u"file"_s, u"own.yaml"_s}}));
        QCOMPARE(f.ctl({u"approvals"_s, u"approve"_s, proposal.value("id"_L1).toString(), u"-y"_s}).status, 0);
        const QString number
            = QString::number(outputOf(assistant.call(u"submit"_s, planOf(proposal))).value("id"_L1).toInt());
        const QJsonObject other = assistant.call(u"stop"_s, {{u"job"_s, u"of-a-person"_s}});
        QVERIFY2(isRefused(other, u"only the jobs"_s), qPrintable(textOf(other)));
        const QJsonObject stop = outputOf(assistant.call(u"stop"_s, {{u"job"_s, number}}));
        QCOMPARE(stop.value("kind"_L1).toString(), u"stop"_s);
        QCOMPARE(f.ctl({u"approvals"_s, u"approve"_s, stop.value("id"_L1).toString(), u"-y"_s}).status, 0);
        QVERIFY(f.ctl({u"wait"_s, number}).status != 0); // it was stopped
        const QByteArray shown = f.ctl({u"show"_s, number}).out; // which stays with the job
        QVERIFY2(shown.contains("proposed it, and this was approved on a terminal."), shown.constData());
        QCOMPARE(f.ctl({u"stop"_s, u"of-a-person"_s}).status, 0);
        QCOMPARE(assistant.end(), 0);
    }

    void peopleGiveSecrets()
    {
        ProgramsFixture f;
        allow(f);
        f.write(u"work/login.yaml"_s,
            job("login", {"test \"$(printf %s '<% $secrets.token %>' | wc -c)\" -eq 21"},
                "secrets: {token: '******'}\n"));
        ScriptedAssistant assistant(f, Era::Modern, options(f));
        const QJsonObject proposal = outputOf(assistant.call(u"propose"_s, {{u"file"_s, u"login.yaml"_s}}));
        const QString id = proposal.value("id"_L1).toString();
        QVERIFY(!id.isEmpty());
        qputenv("TOKEN_OF_TEST", "correct-horse-battery");
        const auto approved
            = f.ctl({u"approvals"_s, u"approve"_s, id, u"-y"_s, u"--secret"_s, u"token=env:TOKEN_OF_TEST"_s});
        qunsetenv("TOKEN_OF_TEST");
        QVERIFY2(approved.status == 0, approved.err.constData());
        QVERIFY(!f.ctl({u"approvals"_s, u"list"_s, u"--json"_s}).out.contains("correct-horse"));
        const QJsonObject submitted = assistant.call(u"submit"_s, planOf(proposal));
        QVERIFY2(!textOf(submitted).contains(u"correct-horse"_s), qPrintable(textOf(submitted)));
        QCOMPARE(f.ctl({u"wait"_s, QString::number(outputOf(submitted).value("id"_L1).toInt())}).status, 0);
        QCOMPARE(assistant.end(), 0);
    }

    void attacksGetNowhere()
    {
        ProgramsFixture f;
        allow(f, 1);
        const QString file = f.write(u"work/job.yaml"_s, job("held", {"sleep 600"}));
        f.write(u"outside.yaml"_s, job("outside", {"true"}));
        ScriptedAssistant assistant(f, Era::Legacy, options(f));
        for (const QJsonObject &outside : {QJsonObject{{u"file"_s, u"../outside.yaml"_s}},
                 QJsonObject{{u"file"_s, u"job.yaml"_s}, {u"work"_s, u"/"_s}},
                 QJsonObject{{u"file"_s, u"job.yaml"_s}, {u"work"_s, u".."_s}}}) {
            const QJsonObject refused = assistant.call(u"propose"_s, outside);
            QVERIFY2(isRefused(refused, u"may be read"_s), qPrintable(textOf(refused)));
        }
        const QJsonObject proposal = outputOf(assistant.call(u"propose"_s, {{u"file"_s, u"job.yaml"_s}}));
        const QString id = proposal.value("id"_L1).toString();
        QVERIFY(!id.isEmpty());
        // Neither the commands of an assistant, nor another assistant, nor a command without one.
        qputenv("TRAINYARDCTL_READS_ONLY", "1");
        qputenv("TRAINYARDCTL_ASSISTANT_SESSION", "another-session");
        const auto approved = f.ctl({u"approvals"_s, u"approve"_s, id, u"-y"_s});
        const auto listed = f.ctl({u"approvals"_s, u"list"_s});
        const auto looked = f.ctl({u"assistant"_s, u"proposal"_s, id});
        const auto settings = f.ctl({u"settings"_s, u"assistants.maxJobs"_s, u"100"_s});
        qunsetenv("TRAINYARDCTL_READS_ONLY");
        qunsetenv("TRAINYARDCTL_ASSISTANT_SESSION");
        for (const auto &refused : {approved, listed, settings}) {
            QVERIFY2(refused.status != 0 && refused.err.contains("only reads"), refused.err.constData());
        }
        QVERIFY2(looked.status != 0 && looked.err.contains("There is no proposal"), looked.err.constData());
        const auto nobody = f.ctl({u"assistant"_s, u"propose"_s, file});
        QVERIFY2(nobody.status != 0 && nobody.err.contains("Only the server"), nobody.err.constData());
        ScriptedAssistant other(f, Era::Modern, options(f));
        QVERIFY(isRefused(other.call(u"proposal"_s, {{u"proposal"_s, id}}), u"There is no proposal"_s));
        // The budget.
        QCOMPARE(f.ctl({u"approvals"_s, u"approve"_s, id, u"-y"_s}).status, 0);
        const QJsonObject more = other.call(u"propose"_s, {{u"file"_s, u"job.yaml"_s}});
        QVERIFY2(isRefused(more, u"assistants.maxJobs"_s), qPrintable(textOf(more)));
        QVERIFY(isRefused(other.call(u"submit"_s, planOf(proposal)), u"There is no proposal"_s));
        // Nothing survives the engine: what was approved is proposed anew.
        QCOMPARE(f.ctl({u"engine"_s, u"stop"_s}).status, 0);
        QVERIFY(f.waitForNoDaemon());
        QVERIFY(isRefused(assistant.call(u"submit"_s, planOf(proposal)), u"There is no proposal"_s));
        QCOMPARE(other.end(), 0);
        QCOMPARE(assistant.end(), 0);
    }

    void offUnlessAPersonAllowsIt()
    {
        ProgramsFixture f;
        f.write(u"work/job.yaml"_s, job("never", {"true"}));
        ScriptedAssistant assistant(f, Era::Legacy, options(f));
        const QJsonObject refused = assistant.call(u"propose"_s, {{u"file"_s, u"job.yaml"_s}});
        QVERIFY2(isRefused(refused, u"assistants.submit"_s), qPrintable(textOf(refused)));
        QVERIFY(f.ctl({u"ps"_s, u"--all"_s, u"--json"_s}).json().array().isEmpty());
        ScriptedAssistant reader(f, Era::Legacy, {u"--root"_s, f.path(u"work"_s)});
        QCOMPARE(reader.call(u"propose"_s).value("error"_L1).toObject().value("code"_L1).toInt(), -32602);
        QCOMPARE(reader.end(), 0);
        QCOMPARE(assistant.end(), 0);
    }
};

TRAINYARD_TEST(TstMcpProposals)
#include "tst_mcpproposals.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hosts/hostsfile.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/testregistry.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>
#include <QMap>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What its user says of a host and its use: in hosts.json, and from the command line.
class TstCliHostUse : public QObject
{
    Q_OBJECT

    static QByteArray job(const QByteArray &name, const QByteArray &more = {})
    {
        return EngineFixture::document(name, EngineFixture::role("main", 1, {"sleep 100"}), more);
    }
    static QString state(const ProgramsFixture &f, int row)
    {
        return f.ctl({u"ps"_s, u"--json"_s}).json().array().at(row)[u"state"].toString();
    }
    static QByteArray whyOf(const ProgramsFixture &f, const QString &name)
    {
        const ProgramsFixture::Output why = f.ctl({u"why"_s, name});
        return QByteArray(why.out + why.err);
    }

private Q_SLOTS:
    // Of a host that never comes back: whoever gives them up is told how.
    void resultsThatNeverCome()
    {
        ProgramsFixture f;
        f.write(u"home/ssh"_s, "#!/bin/sh\necho 'ssh: connect to host down port 22: No route to host' >&2\nexit 255\n");
        QVERIFY(QFile::setPermissions(f.path(u"home/ssh"_s), QFile::ReadOwner | QFile::ExeOwner));
        const QByteArray before = qgetenv("PATH");
        qputenv("PATH", QFile::encodeName(f.path(u"home"_s)) + ':' + before);
        const auto restore = qScopeGuard([&] { qputenv("PATH", before); });
        f.write(u"config/trainyard/hosts.json"_s, R"({"hosts": [{"id": "down", "target": "me@down"}]})");
        const QString job = u"01a219d5-5f7d-7a2c-a78e-8cde09874c97"_s,
                      tryId = u"01a219d5-5f7d-5a2c-a78e-8cde09874c98"_s;
        const QString notes = f.stateFolder() + u"/results/"_s + job;
        QVERIFY(QDir().mkpath(notes));
        QFile note(notes + u"/open-"_s + tryId);
        const QJsonObject task{{u"try"_s, tryId}, {u"job"_s, job}, {u"number"_s, 1}, {u"role"_s, u"main"_s},
            {u"host"_s, u"down"_s}, {u"folder"_s, u"/there"_s}, {u"to"_s, f.path(u"work/results"_s)},
            {u"globs"_s, QJsonArray{u"*"_s}}, {u"hasEnded"_s, true}};
        QVERIFY(note.open(QIODevice::WriteOnly) && note.write(QJsonDocument(task).toJson()) > 0);
        note.close();
        const ProgramsFixture::Output refused = f.ctl({u"hosts"_s, u"remove"_s, u"down"_s}, {}, 60000);
        QCOMPARE(refused.status, 4);
        QVERIFY2(refused.err.contains("Results of 1 task on down have not come to this computer yet.")
                && refused.err.contains("'trainyardctl hosts remove --force down' does it anyway."),
            refused.err.constData());
        const ProgramsFixture::Output removed = f.ctl({u"hosts"_s, u"remove"_s, u"--force"_s, u"down"_s}, {}, 60000);
        QCOMPARE(removed.status, 0);
        QVERIFY2(removed.err.contains(
                     "down could not be asked what is there. If Trainyard has ever reached it, what was put"),
            removed.err.constData());
        QCOMPARE(f.ctl({u"hosts"_s, u"list"_s, u"--json"_s}).json().array().size(), 1);
        const ProgramsFixture::Output none = f.ctl({u"hosts"_s, u"remove"_s, u"down"_s, u"--json"_s}, {}, 60000);
        QCOMPARE(none.status, 3);
        QCOMPARE(none.json().object().value("error"_L1)[u"code"].toString(), u"host.unknown"_s);
    }

    // Removed without a word, it would be missed only by the next job for the cluster.
    void loginNodeIsAskedFor()
    {
        ProgramsFixture f;
        f.write(u"home/ssh"_s, "#!/bin/sh\necho 'ssh: connect to host down port 22: No route to host' >&2\nexit 255\n");
        QVERIFY(QFile::setPermissions(f.path(u"home/ssh"_s), QFile::ReadOwner | QFile::ExeOwner));
        const QByteArray before = qgetenv("PATH");
        qputenv("PATH", QFile::encodeName(f.path(u"home"_s)) + ':' + before);
        const auto restore = qScopeGuard([&] { qputenv("PATH", before); });
        f.write(u"config/trainyard/hosts.json"_s, R"({"hosts": [{"id": "down", "target": "me@down"}]})");
        f.setSettings({{u"slurm.lab"_s, u"--partition=gpu"_s}, {u"slurmLogin.lab"_s, u"down"_s}});
        const QByteArray missing = "down is named as the login node of a cluster but is not a host of Trainyard.";
        const ProgramsFixture::Output healthy = f.ctl({u"targets"_s, u"list"_s});
        QVERIFY2(healthy.out.contains("slurm:lab") && !healthy.out.contains(missing), healthy.out.constData());
        for (const QStringList &clean : {QStringList(), QStringList{u"--clean"_s}}) {
            const ProgramsFixture::Output refused = f.ctl(QStringList{u"hosts"_s, u"remove"_s, u"down"_s} + clean);
            QCOMPARE(refused.status, 4);
            QVERIFY2(refused.err.contains("down is the login node of slurm:lab.")
                    && refused.err.contains(" --force down' does it anyway."),
                refused.err.constData());
        }
        QCOMPARE(f.ctl({u"hosts"_s, u"list"_s, u"--json"_s}).json().array().size(), 2);
        const ProgramsFixture::Output removed = f.ctl({u"hosts"_s, u"remove"_s, u"--force"_s, u"down"_s});
        QVERIFY2(removed.status == 0, removed.err.constData());
        const ProgramsFixture::Output ill = f.ctl({u"targets"_s, u"list"_s});
        QVERIFY2(ill.out.contains(missing), ill.out.constData());
    }

    // What `hosts add` prints as JSON is the host after its check, as of `hosts check`: no step is still running. Here,
    // the last one is that of a cluster, whose commands take their time.
    void anAddedHostIsChecked()
    {
        ProgramsFixture f;
        QVERIFY(QDir().mkpath(f.path(u"home/far"_s)));
        const auto program = [&f](const QString &name, const QByteArray &text) {
            f.write(name, "#!/bin/sh\n" + text);
            return QFile::setPermissions(f.path(name), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        };
        // The other computer is this one, with another home.
        QVERIFY(program(u"home/ssh"_s,
            "case \" $* \" in *' -G '*|*' -V '*) exit 255 ;; esac\n"
            "while [ $# -gt 1 ]; do\n  case $1 in\n    -[bcDEeFIiJLlmOopQRSWw]) shift 2 ;;\n    -*) shift ;;\n"
            "    *) break ;;\n  esac\ndone\nshift\n[ \"$1\" = -- ] && shift\n"
            "unset XDG_RUNTIME_DIR XDG_STATE_HOME XDG_CACHE_HOME XDG_CONFIG_HOME\nHOME="
                + f.path(u"home/far"_s).toUtf8() + " exec sh -c \"$*\"\n"));
        QVERIFY(program(u"home/sbatch"_s, "exit 1\n") && program(u"home/scontrol"_s, "sleep 2\nexit 1\n"));
        const QByteArray before = qgetenv("PATH");
        qputenv("PATH", QFile::encodeName(f.path(u"home"_s)) + ':' + before);
        const auto restore = qScopeGuard([&] { qputenv("PATH", before); });
        const ProgramsFixture::Output told
            = f.ctl({u"hosts"_s, u"add"_s, u"me@far"_s, u"--name"_s, u"far"_s, u"--json"_s}, {}, 60000);
        QVERIFY2(told.status == 0, told.err.constData());
        const QJsonObject host = told.json().object();
        QCOMPARE(host.value("state"_L1).toString(), u"online"_s);
        QMap<QString, QString> states;
        const QJsonArray steps = host.value("steps"_L1).toArray();
        for (const QJsonValue &step : steps) {
            states.insert(step[u"id"].toString(), step[u"state"].toString());
        }
        QCOMPARE(states.value(u"cluster"_s), u"warned"_s);
        QVERIFY2(states.key(u"running"_s).isEmpty(), qPrintable(states.key(u"running"_s)));
        QCOMPARE(f.ctl({u"hosts"_s, u"remove"_s, u"far"_s}, {}, 60000).status, 0);
    }

    void hostsFile()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(u"hosts.json"_s);
        HostsFile file(path);
        QVERIFY(file.load());
        QVERIFY(file.add({u"lab1"_s, u"me@lab1"_s, {}}));
        const HostUse of{{u"a100"_s, u"big"_s}, true, u"Mon-Fri 09:00-17:00"_s,
            {{{}, -1, u"launch.keeper-died"_s, 7, {{3, u"main/0"_s, 5}}}, {u"GPU-1"_s, 1, u"gpu-lost"_s, 9, {}}}};
        const HostUse here{{u"home"_s}, false, {}, {}, u"ib0"_s};
        QVERIFY(file.setUse(u"lab1"_s, of));
        QVERIFY(file.setUse(u"local"_s, here));
        QVERIFY(file.setTarget(u"lab1"_s, u"me@lab1.example.org"_s));
        HostsFile again(path);
        QVERIFY(again.load());
        QCOMPARE(again.use(u"lab1"_s), of);
        QCOMPARE(again.use(u"local"_s), here);
        QCOMPARE(again.use(u"lab9"_s), HostUse());
        QVERIFY(again.use(u"lab1"_s).quarantineOf({}) && again.use(u"lab1"_s).quarantineOf(u"GPU-1"_s));
        QVERIFY(!again.use(u"lab1"_s).quarantineOf(u"GPU-2"_s));
        // What is usual is not written, and what nobody here knows stays.
        QVERIFY(again.setUse(u"lab1"_s, {}));
        QVERIFY(again.setUse(u"local"_s, {}));
        const QJsonObject plain = QJsonDocument::fromJson(EngineFixture::contents(path)).object();
        QCOMPARE(plain[u"hosts"].toArray().at(0).toObject().keys(), (QStringList{u"id"_s, u"target"_s}));
        QVERIFY(!plain.contains(u"local"_s));
        QFile raw(path);
        QVERIFY(raw.open(QIODevice::WriteOnly));
        raw.write(R"({"hosts": [{"id": "lab1", "target": "x", "moon": 1}], "local": {"labels": ["a"], "sun": 2}})");
        raw.close();
        QVERIFY(again.load());
        QVERIFY(again.setUse(u"lab1"_s, here));
        const QJsonObject kept = QJsonDocument::fromJson(EngineFixture::contents(path)).object();
        QCOMPARE(kept[u"hosts"][0][u"moon"].toInt(), 1);
        QCOMPARE(kept[u"hosts"][0][u"labels"][0].toString(), u"home"_s);
        QCOMPARE(kept[u"local"], QJsonValue(QJsonObject{{u"labels"_s, QJsonArray{u"a"_s}}, {u"sun"_s, 2}}));
    }

    void addresses()
    {
        ProgramsFixture f;
        const auto address = [&f](const QString &word) { return f.ctl({u"hosts"_s, u"address"_s, u"local"_s, word}); };
        const QByteArray before = f.ctl({u"hosts"_s, u"address"_s, u"local"_s}).out;
        QVERIFY2(before.contains("chosen from"), before.constData());
        QCOMPARE(address(u"203.0.113.9"_s).status, 0);
        const ProgramsFixture::Output set = f.ctl({u"hosts"_s, u"address"_s, u"local"_s});
        QVERIFY2(set.out.contains("203.0.113.9") && !set.out.contains("chosen"), set.out.constData());
        QVERIFY(f.ctl({u"hosts"_s, u"show"_s, u"local"_s}).out.contains("203.0.113.9"));
        const ProgramsFixture::Output odd = address(u"two words"_s);
        QCOMPARE(odd.status, 4);
        QVERIFY2(odd.err.contains("neither an address nor the name of an interface"), odd.err.constData());
        QVERIFY(f.ctl({u"hosts"_s, u"address"_s, u"local"_s}).out.contains("203.0.113.9"));
        // The interfaces are known a moment after the engine has started.
        const QByteArray after = address(u"auto"_s).out;
        QVERIFY2(after.contains("chosen from") && !after.contains("203.0.113.9"), after.constData());
        QVERIFY(f.ctl({u"hosts"_s, u"address"_s, u"lab9"_s}).err.contains("lab9"));
        QCOMPARE(f.ctl({u"hosts"_s, u"address"_s}).status, 2);
    }

    void labels()
    {
        ProgramsFixture f;
        QCOMPARE(f.ctl({u"hosts"_s, u"label"_s, u"local"_s}).out, "local has no labels.\n");
        QCOMPARE(f.ctl({u"hosts"_s, u"label"_s, u"local"_s, u"fast,new"_s, u"a100"_s}).out, "a100 fast new\n");
        QCOMPARE(f.ctl({u"hosts"_s, u"label"_s, u"local"_s, u"big"_s, u"--remove"_s, u"fast"_s, u"-r"_s, u"new"_s}).out,
            "a100 big\n");
        QCOMPARE(f.ctl({u"hosts"_s, u"label"_s, u"local"_s}).out, "a100 big\n");
        QVERIFY(f.ctl({u"hosts"_s, u"list"_s}).out.contains("a100 big"));
        QVERIFY(f.ctl({u"hosts"_s, u"show"_s, u"local"_s}).out.contains("Labels: a100 big"));
        QCOMPARE(f.ctl({u"hosts"_s, u"list"_s, u"--json"_s}).json().array().at(0)[u"labels"],
            QJsonValue(QJsonArray{u"a100"_s, u"big"_s}));
        QCOMPARE(f.ctl({u"hosts"_s, u"label"_s, u"nobody"_s}).status, 3);
        QCOMPARE(f.ctl({u"hosts"_s, u"label"_s}).status, 2);
        // What no host has is said when the job is handed over.
        const auto refused
            = f.ctl({u"run"_s, u"-"_s}, job("far", "extras: {trainyard: {hosts: {main: {labels: [tpu]}}}}\n"));
        QCOMPARE(refused.status, 4);
        QVERIFY2(refused.err.contains("has the label tpu.") && refused.err.contains("trainyardctl hosts label"),
            refused.err.constData());
        const auto here
            = f.ctl({u"run"_s, u"-"_s}, job("near", "extras: {trainyard: {hosts: {main: {labels: [big]}}}}\n"));
        QVERIFY2(here.status == 0, here.err.constData());
        QTRY_COMPARE_WITH_TIMEOUT(state(f, 0), u"RUNNING"_s, 15000);
        QCOMPARE(f.ctl({u"stop"_s, u"1"_s}).status, 0);
    }

    void drain()
    {
        ProgramsFixture f;
        QCOMPARE(f.ctl({u"run"_s, u"-"_s}, job("first")).status, 0);
        QTRY_COMPARE_WITH_TIMEOUT(state(f, 0), u"RUNNING"_s, 15000);
        QCOMPARE(f.ctl({u"hosts"_s, u"drain"_s, u"local"_s}).out,
            "local is draining: nothing new starts there. Tasks that continue: 1.\n");
        QCOMPARE(f.ctl({u"run"_s, u"-"_s}, job("second")).status, 0);
        QVERIFY2(
            whyOf(f, u"second"_s).contains("drained: nothing new starts there"), whyOf(f, u"second"_s).constData());
        QVERIFY(f.ctl({u"hosts"_s, u"list"_s}).out.contains("online, draining"));
        QVERIFY(f.ctl({u"top"_s, u"--once"_s}).out.contains("online, draining"));
        QCOMPARE(f.ctl({u"stop"_s, u"first"_s, u"--wait"_s}).status, 0);
        QTRY_VERIFY(f.ctl({u"hosts"_s, u"list"_s}).out.contains("online, drained"));
        // Kept while no engine runs.
        QCOMPARE(f.ctl({u"engine"_s, u"stop"_s}).status, 0);
        QVERIFY(f.waitForNoDaemon());
        QVERIFY(f.ctl({u"hosts"_s, u"list"_s}).out.contains("online, drained"));
        QCOMPARE(state(f, 0), u"WAITING"_s);
        QCOMPARE(f.ctl({u"hosts"_s, u"drain"_s, u"local"_s, u"--off"_s}).out, "New tasks start on local again.\n");
        QTRY_COMPARE_WITH_TIMEOUT(state(f, 0), u"RUNNING"_s, 15000);
        QCOMPARE(f.ctl({u"stop"_s, u"second"_s}).status, 0);
    }

    void hours()
    {
        ProgramsFixture f;
        QCOMPARE(f.ctl({u"hosts"_s, u"hours"_s, u"local"_s}).out, "New tasks start on local at any hour.\n");
        const auto wrong = f.ctl({u"hosts"_s, u"hours"_s, u"local"_s, u"at"_s, u"night"_s});
        QCOMPARE(wrong.status, 4);
        QVERIFY2(wrong.err.contains("'at night' are not valid hours."), wrong.err.constData());
        QCOMPARE(f.ctl({u"hosts"_s, u"hours"_s, u"local"_s, u"Mo-Fr"_s, u"9-17"_s, u"--off"_s}).status, 2);
        const QDateTime now = QDateTime::currentDateTime();
        const auto day = [&](int days) {
            return QLocale::c().dayName(now.addDays(days).date().dayOfWeek(), QLocale::ShortFormat);
        };
        const auto closed = f.ctl({u"hosts"_s, u"hours"_s, u"local"_s, QString(day(-1) + u'-' + day(1)), u"0-24"_s});
        QVERIFY2(closed.out.contains("It is closed to new tasks now, until "), closed.out.constData());
        QCOMPARE(f.ctl({u"run"_s, u"-"_s}, job("later")).status, 0);
        QVERIFY2(whyOf(f, u"later"_s).contains("where nothing new starts before "), whyOf(f, u"later"_s).constData());
        QCOMPARE(
            f.ctl({u"hosts"_s, u"hours"_s, u"local"_s, u"--off"_s}).out, "New tasks start on local at any hour.\n");
        QTRY_COMPARE_WITH_TIMEOUT(state(f, 0), u"RUNNING"_s, 15000);
        QCOMPARE(f.ctl({u"stop"_s, u"later"_s}).status, 0);
    }

    void release()
    {
        ProgramsFixture f;
        const auto nothing = f.ctl({u"hosts"_s, u"release"_s, u"local"_s});
        QCOMPARE(nothing.status, 4);
        QVERIFY2(nothing.err.contains("nothing in quarantine on local"), nothing.err.constData());
        QCOMPARE(f.ctl({u"hosts"_s, u"release"_s, u"local"_s, u"one"_s}).status, 2);
        QCOMPARE(f.ctl({u"engine"_s, u"stop"_s}).status, 0);
        QVERIFY(f.waitForNoDaemon());
        // As an engine has left it.
        f.write(u"config/trainyard/hosts.json"_s,
            R"({"local": {"quarantines": [{"gpu": "", "index": -1, "kind": "launch.keeper-died", "since": 1,)"
            R"("failures": [{"job": 3, "task": "main/0", "at": 1}]}]}})");
        QCOMPARE(f.ctl({u"run"_s, u"-"_s}, job("held")).status, 0);
        QVERIFY2(whyOf(f, u"held"_s).contains("in quarantine"), whyOf(f, u"held"_s).constData());
        QVERIFY(f.ctl({u"hosts"_s, u"show"_s, u"local"_s}).out.contains("#3 main/0"));
        QCOMPARE(f.ctl({u"hosts"_s, u"release"_s, u"local"_s}).out, "New tasks start on local again.\n");
        QTRY_COMPARE_WITH_TIMEOUT(state(f, 0), u"RUNNING"_s, 15000);
        QCOMPARE(f.ctl({u"stop"_s, u"held"_s}).status, 0);
    }
};

TRAINYARD_TEST(TstCliHostUse)
#include "tst_clihostuse.moc"

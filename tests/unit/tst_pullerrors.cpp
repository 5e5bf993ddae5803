// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/pullerrors.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// What is said of tasks whose files cannot be brought.
class TstPullErrors : public QObject
{
    Q_OBJECT

    static TaskInfo task(int index, const QString &host)
    {
        TaskInfo task;
        task.role = u"w"_s;
        task.index = index;
        task.host = host;
        return task;
    }

private Q_SLOTS:
    // One sentence for each host, however many tasks it had.
    void hostsAreNamed()
    {
        cli::PullErrors errors;
        const Error gone{u"results.no-folder"_s, {{u"folder"_s, u"/work"_s}}};
        const std::optional<QString> first = errors.ofTask(gone, task(0, u"lab1"_s));
        QVERIFY(first && first->startsWith("w/0 on lab1: The folder /work is not on its host"_L1));
        QVERIFY(!errors.ofTask(gone, task(1, u"lab1"_s)));
        const std::optional<QString> second = errors.ofTask(gone, task(2, u"lab2"_s));
        QVERIFY(second && second->startsWith("w/2 on lab2: The folder /work"_L1));
        QVERIFY(!errors.ofTask(gone, task(3, u"lab2"_s)));
        const Error other{u"results.no-folder"_s, {{u"folder"_s, u"/other"_s}}};
        QVERIFY(errors.ofTask(other, task(1, u"lab1"_s)));
    }

    void sentencesThatNameTheHostStay()
    {
        cli::PullErrors errors;
        const auto away = [](const QString &host) { return Error{u"host.files-away"_s, {{u"host"_s, host}}}; };
        const std::optional<QString> first = errors.ofTask(away(u"lab1"_s), task(0, u"lab1"_s));
        QVERIFY2(first && first->startsWith("lab1 is not connected"_L1), qPrintable(first.value_or(QString())));
        QVERIFY(!errors.ofTask(away(u"lab1"_s), task(1, u"lab1"_s)));
        QVERIFY(errors.ofTask(away(u"lab2"_s), task(2, u"lab2"_s)));
    }

    // The host was removed, and what came from it before is here.
    void whatIsHereIsNamed()
    {
        const QTemporaryDir here;
        const Error unknown{u"host.unknown"_s, {{u"host"_s, u"lab1"_s}}};
        QCOMPARE(cli::PullErrors::whereTheyAre(unknown, task(0, u"lab1"_s), here.path()), QString());
        QCOMPARE(cli::PullErrors::whereTheyAre(unknown, task(0, u"lab1"_s), here.filePath(u"none"_s)), QString());
        QVERIFY(QDir(here.path()).mkpath(u"out"_s));
        QCOMPARE(cli::PullErrors::whereTheyAre(unknown, task(0, u"lab1"_s), here.path()),
            QString(u"What came of w/0 before is in "_s + here.path() + u'.'));
        const Error away{u"host.files-away"_s, {{u"host"_s, u"lab1"_s}}};
        QCOMPARE(cli::PullErrors::whereTheyAre(away, task(0, u"lab1"_s), here.path()), QString());
    }

    // The hosts have nothing to do with it.
    void thisComputerIsSpokenOfOnce()
    {
        cli::PullErrors errors;
        const Error full{u"results.no-room"_s, {{u"folder"_s, u"/here"_s}}};
        const std::optional<QString> first = errors.ofTask(full, task(0, u"lab1"_s));
        QVERIFY(first && first->startsWith("The disk of /here is full"_L1));
        QVERIFY(!errors.ofTask(full, task(1, u"lab2"_s)));
    }

    // The same path may be there on several hosts.
    void filesAreThoseOfATask()
    {
        const Error unreadable{u"results.unreadable"_s, {{u"path"_s, u"a.csv"_s}, {u"reason"_s, u"it is broken"_s}}};
        QCOMPARE(cli::PullErrors::ofFile(unreadable, task(1, u"lab2"_s)),
            u"w/1 on lab2: a.csv cannot be read on its host: it is broken"_s);
        QVERIFY(cli::PullErrors::ofFile(unreadable, task(1, {})).startsWith("a.csv"_L1));
    }
};

TRAINYARD_TEST(TstPullErrors)
#include "tst_pullerrors.moc"

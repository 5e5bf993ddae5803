// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/helpercopies.h"
#include "model/base/shortdigest.h"
#include "tests/helpers/testregistry.h"
#include "widgets/text/texts.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

using namespace Qt::StringLiterals;
using namespace trainyard;

// The helper's program in the folders of a cluster.
class TstHelperCopies : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isMadeAside();
    void isThereTheNextTime();
    void anotherVersionHasAnotherName();
    void othersMayHaveBeenThereFirst_data();
    void othersMayHaveBeenThereFirst();
    void tellsWhatFailed();
    void tellsOfMissingRoom();
    void endsWithWhatIsUnderWay();

private:
    static bool write(const QString &path, const QByteArray &bytes)
    {
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
    }
    static Result<QString> copied(HelperCopies &copies, const QString &folder, const QString &program)
    {
        std::optional<Result<QString>> result = copies.in(folder, program);
        const auto asking
            = QObject::connect(&copies, &HelperCopies::made, &copies, [&] { result = copies.in(folder, program); });
        const bool isOver = QTest::qWaitFor([&] { return result.has_value(); }, 20'000);
        QObject::disconnect(asking);
        return isOver ? *result : Result<QString>(fail(u"test.late"_s));
    }
};

// A program that takes its time to be read: nobody waits for it, whoever asks meanwhile either.
void TstHelperCopies::isMadeAside()
{
    QTemporaryDir folder;
    const QString pipe = folder.filePath(u"program"_s), there = folder.filePath(u"shared/cluster"_s);
    QCOMPARE(::mkfifo(QFile::encodeName(pipe).constData(), 0600), 0);
    HelperCopies copies;
    QSignalSpy made(&copies, &HelperCopies::made);
    QStringList told; // during made()
    connect(&copies, &HelperCopies::made, this, [&] {
        for (int i = 0; i < 2; ++i) { // to everybody who has waited
            const std::optional<Result<QString>> result = copies.in(there, pipe);
            told.append(result && *result ? **result : QString());
        }
    });
    QVERIFY(!copies.in(there, pipe)); // its reading has only begun
    QVERIFY(!copies.in(there, pipe));
    const int end = ::open(QFile::encodeName(pipe).constData(), O_WRONLY); // until it is being read
    QVERIFY(end >= 0);
    QCOMPARE(::write(end, "helper", 6), 6);
    QCOMPARE(::close(end), 0);
    QVERIFY(made.wait(20'000));
    QCOMPARE(made.size(), 1);
    QCOMPARE(told.size(), 2);
    // Its name is the one that other versions give it: what is there is found again.
    QCOMPARE(told.first(), there + u"/trainyard-agent-"_s + shortDigest("helper"));
    QCOMPARE(shortDigest({}), u"e3b0c44298fc1c14"_s);
    QCOMPARE(told.last(), told.first());
    QFile copy(told.first());
    QVERIFY(copy.open(QIODevice::ReadOnly));
    QCOMPARE(copy.readAll(), "helper");
    QCOMPARE(copy.permissions() & (QFile::ReadOther | QFile::ExeOther | QFile::ExeOwner), QFile::ExeOwner);
}

void TstHelperCopies::isThereTheNextTime()
{
    QTemporaryDir folder;
    const QString program = folder.filePath(u"program"_s), there = folder.filePath(u"cluster"_s);
    QVERIFY(write(program, "helper"));
    HelperCopies copies;
    const Result<QString> path = copied(copies, there, program);
    QVERIFY(path);
    const std::optional<Result<QString>> again = copies.in(there, program);
    QVERIFY(again && *again);
    QCOMPARE(**again, *path);
    QVERIFY(QFile::remove(*path)); // somebody tidies up
    QVERIFY(!copies.in(there, program));
    const Result<QString> anew = copied(copies, there, program);
    QVERIFY(anew);
    QCOMPARE(*anew, *path);
    QVERIFY(QFileInfo(*anew).isExecutable());
    QCOMPARE(QDir(there).entryList(QDir::Files).size(), 1);
}

void TstHelperCopies::anotherVersionHasAnotherName()
{
    QTemporaryDir folder;
    const QString program = folder.filePath(u"program"_s), there = folder.filePath(u"cluster"_s);
    QVERIFY(write(program, "helper"));
    HelperCopies copies;
    const Result<QString> first = copied(copies, there, program);
    QVERIFY(first);
    QVERIFY(write(program, "another helper"));
    const Result<QString> second = copied(copies, there, program);
    QVERIFY(second);
    QVERIFY(*first != *second);
    QVERIFY(QFileInfo(*first).isExecutable()); // jobs have begun with it
}

void TstHelperCopies::othersMayHaveBeenThereFirst_data()
{
    QTest::addColumn<bool>("isLink");
    QTest::newRow("a link") << true;
    QTest::newRow("a program that others may change") << false;
}

// In a folder of several users, under the name that the copy gets: it is not run for the helper.
void TstHelperCopies::othersMayHaveBeenThereFirst()
{
    QFETCH(bool, isLink);
    QTemporaryDir folder;
    const QString program = folder.filePath(u"program"_s), there = folder.filePath(u"cluster"_s);
    const QString name = there + u"/trainyard-agent-"_s + shortDigest("helper"), strange = folder.filePath(u"other"_s);
    QVERIFY(write(program, "helper"));
    QVERIFY(QDir().mkpath(there));
    const QString &placed = isLink ? strange : name;
    QVERIFY(write(placed, "something else"));
    QCOMPARE(::chmod(QFile::encodeName(placed).constData(), isLink ? 0700 : 0777), 0);
    QVERIFY(!isLink || QFile::link(strange, name));
    HelperCopies copies;
    const Result<QString> path = copied(copies, there, program);
    QVERIFY(path);
    QCOMPARE(*path, name);
    QVERIFY(!QFileInfo(name).isSymLink());
    QFile copy(name);
    QVERIFY(copy.open(QIODevice::ReadOnly));
    QCOMPARE(copy.readAll(), "helper");
    QVERIFY(!copy.permissions().testAnyFlags(QFile::WriteGroup | QFile::WriteOther));
}

void TstHelperCopies::tellsWhatFailed()
{
    QTemporaryDir folder;
    const QString program = folder.filePath(u"program"_s), there = folder.filePath(u"cluster"_s);
    HelperCopies copies;
    const Result<QString> none = copied(copies, there, program);
    QVERIFY(!none);
    QCOMPARE(none.error().code, u"slurm.folder"_s);
    QCOMPARE(none.error().args.value(u"folder"_s), QJsonValue(program));
    QVERIFY(write(program, "helper"));
    QVERIFY(write(there, "no folder"));
    const Result<QString> blocked = copied(copies, there, program);
    QVERIFY(!blocked);
    QCOMPARE(blocked.error().args.value(u"folder"_s), QJsonValue(there));
    QVERIFY(QFile::remove(there));
    QVERIFY(copied(copies, there, program)); // a failure is not the last word
}

// Of a folder without room it is said how much it has, and how much is needed.
void TstHelperCopies::tellsOfMissingRoom()
{
    for (const int error : {ENOSPC, EDQUOT}) {
        const Error full = helperCopyError(u"/shared/cluster"_s, error, (5 << 20) + 1, 3 << 20);
        QCOMPARE(full.code, u"slurm.folder-full"_s);
        QCOMPARE(full.args.value(u"neededMiB"_s).toInteger(), 6);
        QCOMPARE(full.args.value(u"freeMiB"_s).toInteger(), 3);
        const QString said = errorText(full);
        for (const QString &part : {u"/shared/cluster"_s, u"6 MiB"_s, u"3 MiB"_s, u"slurmFolder.NAME"_s}) {
            QVERIFY2(said.contains(part), qPrintable(said));
        }
        QVERIFY2(!said.contains(u'{'), qPrintable(said));
    }
    QCOMPARE(helperCopyError(u"/shared/cluster"_s, EACCES, 1, 0).code, u"slurm.folder"_s);
    // What keeps the folder from being made has a reason, too.
    QTemporaryDir folder;
    const QString program = folder.filePath(u"program"_s), file = folder.filePath(u"file"_s);
    QVERIFY(write(program, "helper") && write(file, "no folder"));
    HelperCopies copies;
    const Result<QString> blocked = copied(copies, file + u"/cluster"_s, program);
    QVERIFY(!blocked);
    QVERIFY(!blocked.error().args.value(u"message"_s).toString().isEmpty());
}

void TstHelperCopies::endsWithWhatIsUnderWay()
{
    QTemporaryDir folder;
    const QString program = folder.filePath(u"program"_s), there = folder.filePath(u"cluster"_s);
    QVERIFY(write(program, "helper"));
    int told = 0;
    {
        HelperCopies copies;
        connect(&copies, &HelperCopies::made, this, [&told] { ++told; });
        QVERIFY(!copies.in(there, program));
    }
    QCoreApplication::processEvents();
    QCOMPARE(told, 0);
}

TRAINYARD_TEST(TstHelperCopies)
#include "tst_helpercopies.moc"

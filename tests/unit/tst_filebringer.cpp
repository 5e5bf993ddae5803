// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bring/filebringer.h"
#include "tests/helpers/testregistry.h"

#include <QByteArrayList>
#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Files that come into a real folder, from a place that the test plays.
class TstFileBringer : public QObject
{
    Q_OBJECT

    struct There {
        QByteArray bytes;
        qint64 changedNs = 1'700'000'000'123'456'000;
        bool isExecutable = false;
    };
    QMap<QString, There> m_there;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<BringDisk> m_disk;
    std::function<void(const QString &path, qint64 offset)> m_beforeRead;
    QList<qint64> m_offsets;
    bool m_isAway = false;
    QString m_awayCode;

    QString here(const QString &name) const { return m_folder->filePath(name); }
    QByteArray text(const QString &name) const
    {
        QFile file(here(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("missing");
    }
    void write(const QString &name, const QByteArray &bytes) const
    {
        QFile file(here(name));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
    }
    QStringList names() const
    {
        QStringList all = QDir(m_folder->path()).entryList(QDir::Files | QDir::Hidden, QDir::Name);
        return all;
    }
    QList<BringFile> listed() const
    {
        QList<BringFile> files;
        for (auto it = m_there.cbegin(); it != m_there.cend(); ++it) {
            files.append({it.key(), it->bytes.size(), it->changedNs, it->isExecutable});
        }
        return files;
    }
    FileBringer::Wanted wanted(const BringBook &book = {})
    {
        const auto read = [this](const QString &path, qint64 offset, qint64 bytes, const FileBringer::Answer &answer) {
            if (m_beforeRead) {
                m_beforeRead(path, offset);
            }
            m_offsets.append(offset);
            if (m_isAway) {
                answer(fail(m_awayCode));
            } else if (!m_there.contains(path)) {
                answer(fail(u"results.vanished"_s, {{u"path"_s, path}}));
            } else {
                const There &there = m_there[path];
                answer(BringPiece{there.bytes.mid(offset, bytes), there.bytes.size(), there.changedNs});
            }
        };
        return {read, m_folder->path(), listed(), book, 0, 0, -1, u"engine"_s};
    }
    // Brings all to the end, and returns what is known of it then.
    BringBook bring(const FileBringer::Wanted &from, Error *why = nullptr, QList<Error> *failed = nullptr)
    {
        BringBook book = from.book;
        FileBringer bringer(*m_disk, from);
        QSignalSpy ended(&bringer, &FileBringer::ended);
        connect(&bringer, &FileBringer::brought, this,
            [&book](const QString &path, const KnownFile &known) { book.insert(path, known); });
        connect(&bringer, &FileBringer::failed, this, [failed](const Error &error) {
            if (failed) {
                failed->append(error);
            }
        });
        connect(&bringer, &FileBringer::ended, this, [why](const Error &error) {
            if (why) {
                *why = error;
            }
        });
        bringer.start();
        if (ended.isEmpty() && !ended.wait(20000)) {
            qWarning("it did not end");
        }
        return book;
    }

private Q_SLOTS:
    void init()
    {
        m_there.clear();
        m_offsets.clear();
        m_beforeRead = {};
        m_isAway = false;
        m_awayCode = u"host.gone"_s;
        m_folder = std::make_unique<QTemporaryDir>();
        m_disk = std::make_unique<BringDisk>();
    }

    // What was written before a loss of power may be missing from the disk, with the right length.
    void partsAreOfOneBoot()
    {
        const BringFile file{u"out/model.pt"_s, 10, 1'700'000'000'123'456'000};
        BringPlace place{m_folder->path(), u"engine"_s};
        const Result<qint64> begun = bringing::beginPart(place, file);
        QVERIFY(begun && *begun == 0);
        QVERIFY(bringing::addToPart(place, file, 0, "12345"));
        QCOMPARE(bringing::beginPart(place, file).value_or(-1), qint64(5)); // after a restart of the engine
        place.boot = u"the next one"_s;
        QCOMPARE(bringing::beginPart(place, file).value_or(-1), qint64(0));
        bringing::tidyParts(place, {file});
        QCOMPARE(QDir(here(u"out"_s)).entryList(QDir::Files | QDir::Hidden).size(), 1);
        QVERIFY(bringing::addToPart(place, file, 0, "0123456789") && bringing::placePart(place, file, 0, {}));
        QCOMPARE(text(u"out/model.pt"_s), QByteArray("0123456789"));
    }

    // A program stays one, for those for whom new files are; nothing else of the mode travels.
    void programsStayPrograms()
    {
        m_there[u"run.sh"_s] = {"#!/bin/sh\n"};
        m_there[u"run.sh"_s].isExecutable = true;
        m_there[u"data.csv"_s] = {"1"};
        m_there[u"empty.sh"_s] = {"", 5, true};
        const auto modeOf = [this](const QString &name) {
            struct stat info {
            };
            return ::stat(QFile::encodeName(here(name)).constData(), &info) == 0 ? int(info.st_mode & 07777) : -1;
        };
        m_there[u"inner/bin/tool"_s] = {"#!/bin/sh\n"};
        m_there[u"inner/bin/tool"_s].isExecutable = true;
        const mode_t before = ::umask(027);
        bring(wanted());
        bringing::hideFromGit(here(u"hidden/all"_s));
        ::umask(before);
        for (const QString &folder : {u"inner"_s, u"inner/bin"_s, u"hidden"_s, u"hidden/all"_s}) {
            QCOMPARE(modeOf(folder), 0750); // else nobody else gets to what is in it
        }
        m_there.remove(u"inner/bin/tool"_s);
        QCOMPARE(modeOf(u"run.sh"_s), 0750);
        QCOMPARE(modeOf(u"empty.sh"_s), 0750);
        QCOMPARE(modeOf(u"data.csv"_s), 0640);
        // A newer version is what it is now.
        m_there[u"run.sh"_s] = {"not a program any more"};
        m_there[u"run.sh"_s].changedNs += 1000;
        BringBook book = bringing::readBook(m_folder->path());
        bringing::addFound(m_folder->path(),
            {{u"run.sh"_s, 10, 1'700'000'000'123'456'000}, {u"data.csv"_s, 1, 1'700'000'000'123'456'000}}, book);
        m_there.remove(u"empty.sh"_s);
        m_there.remove(u"data.csv"_s);
        bring(wanted(book));
        QCOMPARE(text(u"run.sh"_s), QByteArray("not a program any more"));
        QVERIFY((modeOf(u"run.sh"_s) & 0111) == 0);
    }

    // As on disks of computers whose clock was not set: a second and a half before the beginning of time.
    void timesBeforeTheEpoch()
    {
        m_there[u"old"_s] = {"one\n", -1'500'000'000};
        bring(wanted());
        struct stat info {
        };
        QCOMPARE(::stat(QFile::encodeName(here(u"old"_s)).constData(), &info), 0);
        QCOMPARE(info.st_mtim.tv_sec, time_t(-2));
        QCOMPARE(info.st_mtim.tv_nsec, 500'000'000L);
    }

    void comes()
    {
        m_there[u"a.csv"_s] = {"one\n"};
        m_there[u"empty"_s] = {};
        QByteArray big(3 << 20, Qt::Uninitialized);
        for (qsizetype i = 0; i < big.size(); ++i) {
            big[i] = char(i * 31 >> 7);
        }
        m_there[u"out/deep/big.bin"_s] = {big};
        const BringBook book = bring(wanted());
        QCOMPARE(book.size(), 3);
        QCOMPARE(text(u"a.csv"_s), QByteArray("one\n"));
        QCOMPARE(text(u"empty"_s), QByteArray());
        QVERIFY(text(u"out/deep/big.bin"_s) == big);
        QCOMPARE(names(), (QStringList{u"a.csv"_s, u"empty"_s})); // nothing half
        // The same again is known, and costs nothing.
        QVERIFY(planOf(listed(), {u"**"_s}, book, 0, {}).files.isEmpty());
        BringBook found;
        bringing::addFound(m_folder->path(), listed(), found);
        QCOMPARE(found.size(), 3);
    }

    void aChangedFileReplacesTheOneThatWasBrought()
    {
        m_there[u"a.csv"_s] = {"one\n"};
        BringBook book = bring(wanted());
        m_there[u"a.csv"_s] = {"one\ntwo\n", 1'700'000'001'000'000'000};
        book = bring(wanted(book));
        QCOMPARE(text(u"a.csv"_s), QByteArray("one\ntwo\n"));
        QCOMPARE(names(), QStringList{u"a.csv"_s});
    }

    // What the user changed here stays, and what comes has a number; that one is replaced later, if it stays as it is.
    void aFileChangedHereStays()
    {
        m_there[u"a.csv"_s] = {"one\n"};
        BringBook book = bring(wanted());
        write(u"a.csv"_s, "mine\n");
        m_there[u"a.csv"_s] = {"two\n", 1'700'000'001'000'000'000};
        book = bring(wanted(book));
        QCOMPARE(text(u"a.csv"_s), QByteArray("mine\n"));
        QCOMPARE(text(u"a~2.csv"_s), QByteArray("two\n"));
        QCOMPARE(book.value(u"a.csv"_s).name, u"a~2.csv"_s);
        m_there[u"a.csv"_s] = {"three\n", 1'700'000'002'000'000'000};
        book = bring(wanted(book));
        QCOMPARE(text(u"a~2.csv"_s), QByteArray("three\n"));
        write(u"a~2.csv"_s, "mine, too\n");
        m_there[u"a.csv"_s] = {"four\n", 1'700'000'003'000'000'000};
        book = bring(wanted(book));
        QCOMPARE(text(u"a~2.csv"_s), QByteArray("mine, too\n"));
        QCOMPARE(text(u"a~3.csv"_s), QByteArray("four\n"));
        QCOMPARE(names(), (QStringList{u"a.csv"_s, u"a~2.csv"_s, u"a~3.csv"_s}));
    }

    void whatWasThereBeforeStays()
    {
        write(u"a.csv"_s, "older than the job\n");
        QVERIFY(QFile::link(u"/etc/passwd"_s, here(u"b.csv"_s)));
        QVERIFY(QDir(m_folder->path()).mkdir(u"c.csv"_s));
        m_there[u"a.csv"_s] = {"one\n"};
        m_there[u"b.csv"_s] = {"two\n"};
        m_there[u"c.csv"_s] = {"three\n"};
        bring(wanted());
        QCOMPARE(text(u"a.csv"_s), QByteArray("older than the job\n"));
        QCOMPARE(text(u"a~2.csv"_s), QByteArray("one\n"));
        QVERIFY(QFileInfo(here(u"b.csv"_s)).isSymLink());
        QCOMPARE(text(u"b~2.csv"_s), QByteArray("two\n"));
        QVERIFY(QFileInfo(here(u"c.csv"_s)).isDir());
        QCOMPARE(text(u"c~2.csv"_s), QByteArray("three\n"));
    }

    // The rest comes later, and nothing twice: its host is gone, or has no process to spare.
    void goesOnAfterACut_data()
    {
        QTest::addColumn<QString>("code");
        QTest::newRow("gone") << u"host.gone"_s;
        QTest::newRow("busy") << u"results.host-failed"_s;
    }
    void goesOnAfterACut()
    {
        QFETCH(const QString, code);
        m_awayCode = code;
        m_there[u"big.bin"_s] = {QByteArray(1 << 20, 'x') + QByteArray(1 << 20, 'y')};
        m_beforeRead = [this](const QString &, qint64 offset) { m_isAway = offset >= 500'000; };
        Error why;
        bring(wanted(), &why);
        QCOMPARE(why.code, code);
        QVERIFY(!QFileInfo::exists(here(u"big.bin"_s)));
        QTRY_COMPARE(names().size(), 1);
        m_disk = std::make_unique<BringDisk>(); // all is on the disk now
        const qint64 there = QFileInfo(here(names().constFirst())).size();
        QVERIFY(there > 0);
        m_offsets.clear();
        m_beforeRead = {};
        m_isAway = false;
        bring(wanted(), &why);
        QVERIFY(why.code.isEmpty());
        QCOMPARE(m_offsets.constFirst(), there);
        QVERIFY(text(u"big.bin"_s) == m_there.value(u"big.bin"_s).bytes);
        QCOMPARE(names(), QStringList{u"big.bin"_s});
    }

    // What is not to be continued leaves nothing behind.
    void dropsThePartOfACut()
    {
        m_there[u"big.bin"_s] = {QByteArray(2 << 20, 'x')};
        m_beforeRead = [this](const QString &, qint64 offset) { m_isAway = offset >= 500'000; };
        {
            FileBringer bringer(*m_disk, wanted());
            QSignalSpy ended(&bringer, &FileBringer::ended);
            bringer.start();
            QVERIFY(!ended.isEmpty() || ended.wait(20000));
            bringer.dropPart();
        }
        m_disk = std::make_unique<BringDisk>(); // all is on the disk now
        QCOMPARE(names(), QStringList());
    }

    // A copy that somebody makes by hand of what is on its way, and breaks off, leaves it alone.
    void writersAreApart()
    {
        m_there[u"big.bin"_s] = {QByteArray(2 << 20, 'x')};
        m_beforeRead = [this](const QString &, qint64 offset) { m_isAway = offset >= 500'000; };
        bring(wanted());
        m_disk = std::make_unique<BringDisk>(); // all is on the disk now
        const QStringList before = names();
        QCOMPARE(before.size(), 1);
        const qint64 bytesBefore = QFileInfo(here(before.constFirst())).size();
        QVERIFY(bytesBefore > 0);
        m_isAway = false;
        m_beforeRead = {};
        {
            FileBringer::Wanted byHand = wanted();
            byHand.writer = u"p%1x1"_s.arg(QCoreApplication::applicationPid());
            byHand.read = [read = byHand.read](
                              const QString &path, qint64 offset, qint64 bytes, const FileBringer::Answer &answer) {
                if (offset < 500'000) { // the rest is still under way when it is broken off
                    read(path, offset, bytes, answer);
                }
            };
            FileBringer bringer(*m_disk, byHand);
            QSignalSpy progressed(&bringer, &FileBringer::progressed);
            bringer.start();
            QVERIFY(progressed.wait(10000));
            bringer.cancel(FileBringer::Part::Drop);
        }
        m_disk = std::make_unique<BringDisk>();
        QCOMPARE(names(), before);
        QCOMPARE(QFileInfo(here(before.constFirst())).size(), bytesBefore);
        bring(wanted());
        QCOMPARE(names(), QStringList{u"big.bin"_s});
    }

    // What processes that died have left goes after a day; what one that lives does not.
    void partsOfTheDeadGo()
    {
        const QString own = u".trainyard-0123456789ab-p%1x1-1-1.part"_s.arg(QCoreApplication::applicationPid());
        const QString dead = u".trainyard-0123456789ab-p2000000000x1-1-1.part"_s; // above any process's number
        const QString fresh = u".trainyard-0123456789ab-p2000000000x2-1-1.part"_s;
        for (const QString &name : {own, dead, fresh}) {
            write(name, "1");
            QFile file(here(name));
            QVERIFY(file.open(QIODevice::ReadWrite));
            const QDateTime now = QDateTime::currentDateTime();
            QVERIFY(file.setFileTime(name == fresh ? now : now.addDays(-2), QFileDevice::FileModificationTime));
        }
        m_there[u"a.csv"_s] = {"one\n"};
        bring(wanted());
        QStringList expected{own, fresh, u"a.csv"_s};
        expected.sort();
        QStringList found = names();
        found.sort();
        QCOMPARE(found, expected);
    }

    // Not even in the target: a link there could lead anywhere.
    void linksBelowTheTargetAreNotFollowed()
    {
        const QTemporaryDir elsewhere;
        QVERIFY(QFile::link(elsewhere.path(), here(u"out"_s)));
        m_there[u"out/a"_s] = {"a"};
        m_there[u"out/deep/b"_s] = {"b"};
        m_there[u"c"_s] = {"c"};
        QList<Error> failed;
        const BringBook book = bring(wanted(), nullptr, &failed);
        QCOMPARE(failed.size(), 2);
        QCOMPARE(failed.constFirst().code, u"results.not-writable"_s);
        QCOMPARE(book.keys(), QStringList{u"c"_s});
        QVERIFY(QDir(elsewhere.path()).isEmpty());
    }

    void anotherVersionBeginsAnew()
    {
        m_there[u"big.bin"_s] = {QByteArray(2 << 20, 'x')};
        m_beforeRead = [this](const QString &, qint64 offset) { m_isAway = offset >= 500'000; };
        bring(wanted());
        m_beforeRead = {};
        m_isAway = false;
        m_there[u"big.bin"_s] = {QByteArray(1 << 20, 'z'), 1'700'000'009'000'000'000};
        bring(wanted());
        QVERIFY(text(u"big.bin"_s) == QByteArray(1 << 20, 'z'));
        QCOMPARE(names(), QStringList{u"big.bin"_s}); // the part of the old one has gone
    }

    void aFileThatGrowsIsReadAgain()
    {
        m_there[u"log"_s] = {QByteArray(3 << 20, 'a')};
        m_beforeRead = [this, grew = 0](const QString &, qint64 offset) mutable {
            if (offset > 0 && grew++ < 2) {
                m_there[u"log"_s].bytes += "more";
                m_there[u"log"_s].changedNs += 1'000'000;
            }
        };
        QList<Error> failed;
        bring(wanted(), nullptr, &failed);
        QVERIFY(failed.isEmpty());
        QVERIFY(text(u"log"_s) == QByteArray(3 << 20, 'a') + "moremore");
    }

    // One that never rests is left out, shrinks or grows as it likes; the others come.
    void aFileThatNeverRestsIsLeftOut()
    {
        m_there[u"a"_s] = {QByteArray(3 << 20, 'a')};
        m_there[u"b"_s] = {"b"};
        m_there[u"c"_s] = {"c"};
        m_beforeRead = [this](const QString &path, qint64 offset) {
            if (path == "a"_L1 && offset > 0) {
                m_there[u"a"_s].bytes.chop(1);
                m_there[u"a"_s].changedNs += 1'000'000;
            }
        };
        FileBringer::Wanted from = wanted();
        m_there.remove(u"c"_s); // gone since it was listed
        QList<Error> failed;
        const BringBook book = bring(from, nullptr, &failed);
        QCOMPARE(failed.size(), 1);
        QCOMPARE(failed.constFirst().code, u"results.changes"_s);
        QCOMPARE(book.keys(), QStringList{u"b"_s});
        QTRY_COMPARE(names(), QStringList{u"b"_s});
    }

    // A helper that lies about the size does not fill the disk.
    void aLieAboutTheSizeIsNotBelieved()
    {
        m_there[u"a"_s] = {QByteArray(100, 'a')};
        FileBringer::Wanted from = wanted();
        from.fileBytes = 1000;
        m_there[u"a"_s].bytes = QByteArray(5000, 'a');
        QList<Error> failed;
        bring(from, nullptr, &failed);
        QCOMPARE(failed.size(), 1);
        QVERIFY(!QFileInfo::exists(here(u"a"_s)));
        // Nor do many files that each may grow a little.
        m_there.clear();
        for (const QString &name : {u"1"_s, u"2"_s, u"3"_s}) {
            m_there[name] = {QByteArray(100, 'a')};
        }
        from = wanted();
        from.spareBytes = 1000;
        for (There &there : m_there) {
            there.bytes = QByteArray(700, 'a');
        }
        failed.clear();
        const BringBook book = bring(from, nullptr, &failed);
        QCOMPARE(book.keys(), QStringList{u"1"_s});
        QCOMPARE(failed.size(), 2);
        QCOMPARE(failed.constFirst().code, u"results.changes"_s);
    }

    void whatCannotBeWrittenIsSaid()
    {
        write(u"out"_s, "a file where a folder is needed");
        m_there[u"out/a"_s] = {"a"};
        QList<Error> failed;
        bring(wanted(), nullptr, &failed);
        QCOMPARE(failed.size(), 1);
        QCOMPARE(failed.constFirst().code, u"results.not-writable"_s);
        // Where the whole folder cannot be, it ends, to be tried again.
        m_there[u"b"_s] = {"b"};
        FileBringer::Wanted nowhere = wanted();
        nowhere.folder = here(u"out/x"_s);
        failed.clear();
        Error why;
        bring(std::move(nowhere), &why, &failed);
        QVERIFY(failed.isEmpty());
        QCOMPARE(why.code, u"results.folder-unwritable"_s);
        QCOMPARE(why.args.value("folder"_L1).toString(), here(u"out/x"_s));
        QVERIFY(m_offsets.isEmpty()); // nothing is read in vain
    }

    void cancelledLeavesNothingHalf()
    {
        m_there[u"big.bin"_s] = {QByteArray(4 << 20, 'x')};
        {
            FileBringer bringer(*m_disk, wanted());
            QSignalSpy ended(&bringer, &FileBringer::ended);
            QSignalSpy progressed(&bringer, &FileBringer::progressed);
            bringer.start();
            QVERIFY(progressed.wait(10000));
            bringer.cancel(FileBringer::Part::Drop);
            QVERIFY(ended.isEmpty());
        }
        m_disk.reset(); // waits for it
        QCOMPARE(names(), QStringList());
    }

    // A try that went on on another host, without what the first one had written to the same file.
    void whatAnotherHostWroteIsKept()
    {
        qint64 changedNs = 1'700'000'000'000'000'000;
        BringBook book;
        const auto bringFrom = [&](const QString &host, const QByteArray &bytes) {
            m_there[u"runs/metrics.csv"_s] = {bytes, changedNs += 1'000'000'000};
            FileBringer::Wanted from = wanted(book);
            from.host = host;
            book = bring(from);
        };
        const auto kept = [&] { return book.value(u"runs/metrics.csv"_s).kept; };
        bringFrom(u"lab1"_s, "1\n2\n");
        bringFrom(u"lab1"_s, "of a try that began anew\n"); // there it would be gone as well
        QCOMPARE(QDir(here(u"runs"_s)).entryList(QDir::Files), QStringList{u"metrics.csv"_s});
        bringFrom(u"lab2"_s, "of a try that began anew\n2\n"); // continued
        QVERIFY(kept().isEmpty());
        bringFrom(u"lab1"_s, "3\n");
        QCOMPARE(text(u"runs/metrics.csv"_s), QByteArray("3\n"));
        QCOMPARE(kept(), QStringList{u"runs/metrics~lab2.csv"_s});
        QCOMPARE(text(u"runs/metrics~lab2.csv"_s), QByteArray("of a try that began anew\n2\n"));
        // Back there it goes on, and is away again: that is one file.
        bringFrom(u"lab2"_s, "of a try that began anew\n2\n4\n");
        bringFrom(u"lab1"_s, "3\n5\n");
        QCOMPARE(kept(), (QStringList{u"runs/metrics~lab1.csv"_s, u"runs/metrics~lab2.csv"_s}));
        QCOMPARE(text(u"runs/metrics~lab2.csv"_s), QByteArray("of a try that began anew\n2\n4\n"));
        QCOMPARE(text(u"runs/metrics~lab1.csv"_s), QByteArray("3\n"));
        // What does not go on gets a number.
        bringFrom(u"lab2"_s, "6\n");
        bringFrom(u"lab1"_s, "7\n");
        QVERIFY(kept().contains(u"runs/metrics~lab2~2.csv"_s));
        QCOMPARE(text(u"runs/metrics~lab2~2.csv"_s), QByteArray("6\n"));
        bringing::writeBook(m_folder->path(), book);
        QCOMPARE(bringing::readBook(m_folder->path()), book);
        QVERIFY(QFile::remove(here(u"runs/metrics~lab2~2.csv"_s))); // by the user, who need not hear of it again
        QVERIFY(
            !bringing::readBook(m_folder->path())[u"runs/metrics.csv"_s].kept.contains(u"runs/metrics~lab2~2.csv"_s));
    }

    // A name that has no room for that of the host is shortened: its file must come all the same.
    void longNamesAreKeptToo()
    {
        const QString path = u"runs/"_s + QString(83, u'模') + u".csv"_s; // 253 bytes
        qint64 changedNs = 1'700'000'000'000'000'000;
        BringBook book;
        for (const QByteArray &bytes : {QByteArray("1\n"), QByteArray("2\n"), QByteArray("3\n"), QByteArray("4\n")}) {
            m_there[path] = {bytes, changedNs += 1'000'000'000};
            FileBringer::Wanted from = wanted(book);
            from.host = bytes == "1\n" || bytes == "3\n" ? u"lab1"_s : u"lab2"_s;
            book = bring(from);
            QCOMPARE(text(path), bytes);
        }
        const QStringList kept = book.value(path).kept; // 1 and 3 of one host, 2 of the other
        QCOMPARE(kept.size(), 3);
        QByteArrayList held;
        for (const QString &name : kept) {
            held.append(text(name));
            QVERIFY2(name.contains(u"~lab"_s) && name.endsWith(u".csv"_s), qPrintable(name));
        }
        std::sort(held.begin(), held.end());
        QCOMPARE(held, (QByteArrayList{"1\n", "2\n", "3\n"}));
    }

    void booksAndGitOfAFolder()
    {
        BringBook book;
        book.insert(u"a"_s, {1, 2, 3, u"a"_s, 4, 5});
        bringing::writeBook(m_folder->path(), book);
        QCOMPARE(bringing::readBook(m_folder->path()), book);
        bringing::dropMissing(m_folder->path(), book);
        QVERIFY(book.isEmpty());
        bringing::hideFromGit(here(u"results"_s));
        QCOMPARE(text(u"results/.gitignore"_s), QByteArray("*\n"));
        write(u"results/.gitignore"_s, "mine\n");
        bringing::hideFromGit(here(u"results"_s));
        QCOMPARE(text(u"results/.gitignore"_s), QByteArray("mine\n"));
    }
};

TRAINYARD_TEST(TstFileBringer)
#include "tst_filebringer.moc"

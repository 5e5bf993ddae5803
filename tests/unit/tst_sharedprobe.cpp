// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/systemtimes.h"
#include "engine/pool/sharedfolder.h"
#include "tests/helpers/testregistry.h"

#include <QDateTime>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

#include <cstdio>
#include <functional>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Whether another computer has the same folder, also while programs write in it: the answer is made of the very files,
// at the moment that a row says.
class TstSharedProbe : public QObject
{
    Q_OBJECT

    static bool write(const QString &path, const QByteArray &text, qint64 seconds)
    {
        QFile file(path);
        return file.open(QIODevice::WriteOnly | QIODevice::Append) && file.write(text) == text.size() && file.flush()
            && file.setFileTime(QDateTime::fromSecsSinceEpoch(seconds), QFileDevice::FileModificationTime);
    }
    static contract::Seen seen(const contract::Look &look)
    {
        contract::Seen all;
        for (const std::string &path : look.paths) {
            struct stat info {
            };
            const bool isThere = ::stat(path.c_str(), &info) == 0;
            all.inodes.push_back(isThere ? std::int64_t(info.st_ino) : 0);
            all.changedNs.push_back(isThere ? contract::changedNsOf(info) : 0);
        }
        return all;
    }

    static constexpr int asked = 1000, answered = 2000, received = 3000; // s, times of changes

private Q_SLOTS:
    void probes_data()
    {
        using Change = std::function<void(const QString &folder)>;
        QTest::addColumn<Change>("before"); // the other computer looks
        QTest::addColumn<Change>("after"); // it has looked, and the answer is not here yet
        QTest::addColumn<bool>("isSame");
        const Change nothing = [](const QString &) {};
        const auto grows = [](int seconds) {
            return [seconds](const QString &folder) { QVERIFY(write(folder + u"/new.csv"_s, "2\n", seconds)); };
        };
        const auto goes = [](const QString &folder) { QVERIFY(QFile::remove(folder + u"/new.csv"_s)); };
        const auto isReplaced = [](const QString &folder) {
            QVERIFY(write(folder + u"/part"_s, "2\n", answered));
            QVERIFY(::rename(QFile::encodeName(folder + u"/part"_s), QFile::encodeName(folder + u"/new.csv"_s)) == 0);
        };
        QTest::newRow("nothing changes") << nothing << nothing << true;
        QTest::newRow("a file grows first") << Change(grows(answered)) << nothing << true;
        QTest::newRow("a file grows afterwards") << nothing << Change(grows(received)) << true;
        QTest::newRow("a file grows all the time") << Change(grows(answered)) << Change(grows(received)) << true;
        QTest::newRow("a file is replaced first") << Change(isReplaced) << nothing << true;
        QTest::newRow("a file is replaced afterwards") << nothing << Change(isReplaced) << true;
        QTest::newRow("a file goes first") << Change(goes) << nothing << true;
        QTest::newRow("a file goes afterwards") << nothing << Change(goes) << true;
        QTest::newRow("older than it was here") << Change(grows(asked - 1)) << Change(grows(received)) << false;
        QTest::newRow("newer than it is here") << Change(grows(received + 1)) << Change(grows(received)) << false;
    }
    void probes()
    {
        QFETCH(const std::function<void(const QString &)>, before);
        QFETCH(const std::function<void(const QString &)>, after);
        const QTemporaryDir home;
        const QString folder = home.path();
        const QStringList paths{folder + u"/old.py"_s, folder + u"/older.py"_s, folder + u"/new.csv"_s};
        for (const QString &path : paths) {
            QVERIFY(write(path, "1\n", asked));
        }
        const sharedfolder::Probe probe(paths + QStringList{folder + u"/gone.csv"_s}); // since it was listed
        before(folder);
        const contract::Seen there = seen(probe.look());
        after(folder);
        QTEST(probe.isSameHere(there), "isSame");
    }

    void anotherFolderIsNotTheSame()
    {
        const QTemporaryDir here, there;
        for (const QTemporaryDir *each : {&here, &there}) {
            QVERIFY(write(each->filePath(u"a.py"_s), "1\n", asked));
            QVERIFY(write(each->filePath(u"b.py"_s), "1\n", asked));
        }
        const sharedfolder::Probe probe({here.filePath(u"a.py"_s), here.filePath(u"b.py"_s)});
        QVERIFY(!probe.isSameHere(seen(sharedfolder::lookFor({there.filePath(u"a.py"_s), there.filePath(u"b.py"_s)}))));
        QVERIFY(!probe.isSameHere(seen(sharedfolder::lookFor({here.filePath(u"a.py"_s)})))); // not what was asked
        QVERIFY(!probe.isSameHere(contract::Failure{}));
        QVERIFY(!sharedfolder::Probe(QStringList()).isSameHere(contract::Seen{}));
    }
};
TRAINYARD_TEST(TstSharedProbe)

#include "tst_sharedprobe.moc"

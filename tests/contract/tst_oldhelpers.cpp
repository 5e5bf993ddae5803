// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/leadplan.h"
#include "engine/contract/oldhelpers.h"
#include "engine/contract/taskfolder.h"
#include "tests/helpers/testregistry.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/stat.h>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Which copies of the helper go from a folder that the nodes of a cluster share.
class TstOldHelpers : public QObject
{
    Q_OBJECT

    static constexpr qint64 hourMs = 3'600'000;
    QTemporaryDir m_folder;

    std::string path(const QString &name) const { return m_folder.filePath(name).toStdString(); }
    bool write(const QString &name, const std::string &text) const
    {
        const std::string file = path(name);
        return contract::makeFolders(file.substr(0, file.rfind('/'))) == 0
            && contract::writeAtomically(file, text, false) == 0;
    }
    bool isThere(const QString &name) const { return QFileInfo::exists(m_folder.filePath(name)); }
    static qint64 now() { return QDateTime::currentMSecsSinceEpoch(); }
    bool age(const QString &name, qint64 hours) const
    {
        const timespec times[2] = {{0, UTIME_OMIT}, {time_t(now() / 1000 - hours * 3600), 0}};
        return ::utimensat(AT_FDCWD, path(name).c_str(), times, AT_SYMLINK_NOFOLLOW) == 0;
    }
    bool copy(const QString &name, qint64 hours) const
    {
        return write(u"cluster/"_s + name, "helper") && age(u"cluster/"_s + name, hours);
    }
    bool allocation(const QString &name, const QString &program, int elements = 0) const
    {
        contract::LeadPlan plan;
        plan.allocation = "a";
        plan.isArray = elements > 0;
        for (int i = 0; i < std::max(1, elements); ++i) {
            plan.tasks.push_back({"w", i, 0, path(u"runs/x/0/w/0"_s), "uuid", "@a@", {}});
        }
        return write(name + u"/plan.json"_s, plan.toText())
            && write(name + u"/job.sh"_s,
                "#!/bin/sh\nexec '" + path(u"cluster/"_s + program) + "' --lead '" + path(name) + "'\n");
    }
    int tidied(bool goesOn = true) const
    {
        return contract::removeOldHelpers(path(u"cluster/trainyard-agent-new"_s), now(), [goesOn] { return goesOn; });
    }

private Q_SLOTS:
    void init()
    {
        QDir(m_folder.path()).removeRecursively();
        QVERIFY(QDir().mkpath(m_folder.path()));
        QVERIFY(copy(u"trainyard-agent-new"_s, 100));
    }

    void unusedOnesGo()
    {
        QVERIFY(copy(u"trainyard-agent-old"_s, 25));
        QVERIFY(copy(u"trainyard-agent-older.part-7"_s, 25)); // its making was cut
        QVERIFY(copy(u"trainyard-agent-young"_s, 23)); // somebody is about to use it
        QVERIFY(copy(u"notes"_s, 100));
        QVERIFY(write(u"elsewhere"_s, "helper") && age(u"elsewhere"_s, 100));
        QVERIFY(QFile::link(m_folder.filePath(u"elsewhere"_s), m_folder.filePath(u"cluster/trainyard-agent-link"_s)));
        QVERIFY(age(u"cluster/trainyard-agent-link"_s, 100));
        QCOMPARE(tidied(), 2);
        QCOMPARE(QDir(m_folder.filePath(u"cluster"_s)).entryList(QDir::Files),
            (QStringList{u"notes"_s, u"trainyard-agent-link"_s, u"trainyard-agent-new"_s, u"trainyard-agent-young"_s}));
        QCOMPARE(tidied(), 0);
    }

    void allocationsKeepTheirs_data()
    {
        QTest::addColumn<int>("elements");
        QTest::newRow("one") << 0;
        QTest::newRow("array") << 2;
    }
    // Of whatever engine, waiting or running, until the lead has written that it is over.
    void allocationsKeepTheirs()
    {
        QFETCH(int, elements);
        QVERIFY(copy(u"trainyard-agent-old"_s, 100));
        QVERIFY(copy(u"trainyard-agent-other"_s, 100));
        QVERIFY(allocation(u"runs/x/allocations/a"_s, u"trainyard-agent-old"_s, elements));
        QVERIFY(write(u"runs/y/0/w/0/output.log"_s, "a job that never had one"));
        QVERIFY(write(u"runs/x/allocations/b/launch-0"_s, "it is being made"));
        QCOMPARE(tidied(), 1);
        QVERIFY(isThere(u"cluster/trainyard-agent-old"_s) && !isThere(u"cluster/trainyard-agent-other"_s));
        for (int i = 0; i < std::max(1, elements); ++i) {
            QCOMPARE(tidied(), 0);
            QVERIFY(isThere(u"cluster/trainyard-agent-old"_s));
            const QString end = QString::fromStdString(contract::ofElement("end", elements > 0 ? i : -1));
            QVERIFY(write(u"runs/x/allocations/a/"_s + end, contract::LeadEnd{"done", {}, 1}.toText()));
        }
        QCOMPARE(tidied(), 1);
        QVERIFY(!isThere(u"cluster/trainyard-agent-old"_s));
    }

    void whatCannotBeToldStays()
    {
        QVERIFY(copy(u"trainyard-agent-old"_s, 100));
        QVERIFY(allocation(u"runs/x/allocations/a"_s, u"trainyard-agent-new"_s));
        QCOMPARE(tidied(false), -1);
        QVERIFY(write(u"runs/y/allocations/b/job.sh/odd"_s, "no script"));
        QCOMPARE(tidied(), -1);
        QVERIFY(isThere(u"cluster/trainyard-agent-old"_s));
    }

    // Another engine makes an allocation that begins with it while the others are looked at.
    void usesMeanwhileCount()
    {
        QVERIFY(copy(u"trainyard-agent-old"_s, 100));
        QVERIFY(copy(u"trainyard-agent-other"_s, 100));
        QVERIFY(allocation(u"runs/x/allocations/a"_s, u"trainyard-agent-new"_s));
        const std::string used = path(u"cluster/trainyard-agent-old"_s);
        QCOMPARE(contract::removeOldHelpers(path(u"cluster/trainyard-agent-new"_s), now(),
                     [&used] {
                         contract::noteHelperUse(used);
                         return true;
                     }),
            1);
        QVERIFY(isThere(u"cluster/trainyard-agent-old"_s) && !isThere(u"cluster/trainyard-agent-other"_s));
    }

    void usesAreNoted()
    {
        const std::string program = path(u"cluster/trainyard-agent-old"_s);
        QVERIFY(copy(u"trainyard-agent-old"_s, 100));
        contract::noteHelperUse(program);
        QCOMPARE(tidied(), 0);
        struct stat info = {};
        QCOMPARE(::stat(program.c_str(), &info), 0);
        QVERIFY(now() - qint64(info.st_mtim.tv_sec) * 1000 < hourMs);
        contract::noteHelperUse(path(u"cluster/missing"_s));
        QVERIFY(!isThere(u"cluster/missing"_s));
    }
};

TRAINYARD_TEST(TstOldHelpers)
#include "tst_oldhelpers.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// A secret is planted, printed in two writes a second apart, used, kept through a crash, shown and exported. Afterwards
// nothing on a disk, in the store, in what the commands say, and in arguments and environments of our processes has it.
#include "tests/daemon/podman.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/testregistry.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonObject>
#include <QUuid>

#include <signal.h>
#include <sys/vfs.h>

#include <optional>

using namespace Qt::StringLiterals;

namespace
{

constexpr long tmpfsMagic = 0x01021994;

QByteArray secretContents(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

bool isInMemory(const QString &path)
{
    struct statfs info {
    };
    return ::statfs(QFile::encodeName(path).constData(), &info) == 0 && info.f_type == tmpfsMagic;
}

// The ways in which a program would write it down.
QByteArrayList shapesOf(const QByteArray &value)
{
    const QString text = QString::fromUtf8(value);
    return {value, value.toBase64(QByteArray::Base64Encoding | QByteArray::OmitTrailingEquals).chopped(2),
        value.toHex(), QByteArray(reinterpret_cast<const char *>(text.utf16()), text.size() * 2),
        value.toPercentEncoding()};
}

} // namespace

class TstSecrets : public QObject
{
    Q_OBJECT

    QByteArray m_key, m_line;
    QByteArrayList m_shapes;
    QDateTime m_begun;

    bool has(const QByteArray &bytes) const
    {
        return std::any_of(
            m_shapes.begin(), m_shapes.end(), [&bytes](const QByteArray &shape) { return bytes.contains(shape); });
    }

    // Files below `folder` that lie on a disk and were touched since the test began; those that only the user wrote are
    // named.
    int search(const QString &folder, QStringList *found) const
    {
        int files = 0;
        QDirIterator it(
            folder, QDir::Files | QDir::Hidden | QDir::System | QDir::NoSymLinks, QDirIterator::Subdirectories);
        while (it.hasNext()) {
            const QString name = it.next();
            const QFileInfo info = it.fileInfo();
            // A pipe would wait for who writes into it.
            if (!info.isFile() || info.lastModified() < m_begun || info.size() > 256 * 1024 * 1024
                || isInMemory(name)) {
                continue;
            }
            ++files;
            if (has(secretContents(name)) || has(QFile::encodeName(name))) {
                found->append(name);
            }
        }
        return files;
    }

    // In the arguments or the environment of any process that we may see: also those of container programs and of the
    // task, whose shell has it in memory only.
    void verifyNoProcess() const
    {
        int seen = 0;
        const QStringList entries = QDir(u"/proc"_s).entryList(QDir::Dirs);
        for (const QString &entry : entries) {
            const qint64 pid = entry.toLongLong();
            if (pid <= 0) {
                continue;
            }
            const QByteArray line = secretContents(u"/proc/"_s + entry + u"/cmdline"_s);
            seen += line.isEmpty() ? 0 : 1;
            QVERIFY2(!has(line) && !has(secretContents(u"/proc/"_s + entry + u"/environ"_s)), line.constData());
        }
        QVERIFY(seen > 3);
    }

    void verifyNowhere(const ProgramsFixture &f) const
    {
        verifyNoProcess();
        QStringList found;
        const int ours = search(f.path({}), &found);
        QVERIFY2(ours > 10, qPrintable(QString::number(ours))); // store, its log, task folders
        for (const QString &folder : {u"/tmp"_s, u"/var/tmp"_s, u"/var/lib/systemd/coredump"_s, u"/var/crash"_s}) {
            if (!f.path({}).startsWith(folder)) {
                search(folder, &found);
            }
        }
        // A core file lies where the process was at home.
        const QStringList roots = QDir(u"/"_s).entryList({u"core*"_s}, QDir::Files);
        for (const QString &name : roots) {
            search(u"/"_s + name, &found);
        }
        QVERIFY2(found.isEmpty(), qPrintable(found.join(u' ')));
        for (const QString &name : {u"trainyardd"_s, u"trainyard-agent"_s, u"trainyardctl"_s}) {
            const QList<qint64> pids = f.pidsOf(name);
            for (const qint64 pid : pids) {
                const QString proc = u"/proc/%1/"_s.arg(pid);
                QVERIFY2(!has(secretContents(proc + u"cmdline"_s)), qPrintable(name));
                QVERIFY2(!has(secretContents(proc + u"environ"_s)), qPrintable(name));
                // A core file of a crash would hold it.
                const QByteArray limits = secretContents(proc + u"limits"_s);
                const qsizetype core = limits.indexOf("Max core file size");
                QVERIFY2(core < 0 || limits.mid(core + 18).trimmed().startsWith("0 "), qPrintable(name));
            }
        }
    }

private Q_SLOTS:
    void nowhere_data()
    {
        QTest::addColumn<QString>("runIn");
        QTest::newRow("host") << u"host"_s;
        QTest::newRow("podman") << u"podman"_s;
    }

    void nowhere()
    {
        QFETCH(QString, runIn);
        const auto random = [] { return QUuid::createUuid().toByteArray(QUuid::Id128).left(24); };
        m_key = "k" + random();
        m_line = "l" + random();
        const QByteArray pem = "-----BEGIN TEST-----\n" + m_line + "\n-----END TEST-----";
        m_shapes = shapesOf(m_key) + shapesOf(m_line);
        m_begun = QDateTime::currentDateTime().addSecs(-2);

        std::optional<Podman> podman; // before our programs, which take its settings from here
        if (runIn == "podman"_L1) {
            podman.emplace();
            SKIP_UNLESS_THERE(*podman);
        }
        ProgramsFixture f;
        // The values come from a file in memory: the one that the user wrote is the user's.
        const QString folder = u"/dev/shm/trainyard-test-%1"_s.arg(QCoreApplication::applicationPid());
        if (!isInMemory(u"/dev/shm"_s)) {
            QSKIP("/dev/shm is no file system in memory: mount a tmpfs there.");
        }
        QVERIFY(QDir().mkpath(folder));
        const auto write = [&folder](const QString &name, const QByteArray &bytes) {
            QFile file(folder + u'/' + name);
            return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
        };
        QVERIFY(write(u"key"_s, m_key) && write(u"pem"_s, pem));
        const QByteArray digest = QCryptographicHash::hash(m_key, QCryptographicHash::Sha256).toHex();
        const QString file = f.write(u"work/secret.yaml"_s,
            "protocolVersion: 2\nname: secret\ntype: job\nsecrets: {key: \"******\", pem: \"******\"}\n"
            "prerequisites:\n  - {name: img, type: dockerimage, uri: \""
                + Podman::image().toUtf8()
                + "\"}\n"
                  "taskRoles:\n  main:\n    instances: 1\n    dockerImage: img\n"
                  "    resourcePerInstance: {cpu: 1, memoryMB: 64, gpu: 0}\n    commands:\n      - |\n"
                  "        key='<% $secrets.key %>'\n"
                  "        pem='<% $secrets.pem %>'\n"
                  "        echo begun\n"
                  "        printf %s \"${key:0:11}\"\n"
                  "        sleep 1\n"
                  "        until [ -e go ]; do sleep 0.05; done\n"
                  "        echo \"${key:11}\"\n"
                  "        echo \"error: $key\" >&2\n"
                  "        echo \"$pem\"\n"
                  "        [ \"$(printf %s \"$key\" | sha256sum | cut -d' ' -f1)\" = "
                + digest + " ] && echo used\n");
        const auto run = f.ctl({u"run"_s, file, u"--in"_s, runIn, u"--secret"_s,
            QString(u"key=@"_s + folder + u"/key"_s), u"--secret"_s, QString(u"pem=@"_s + folder + u"/pem"_s)});
        QVERIFY2(run.status == 0, run.err.constData());
        QDir(folder).removeRecursively();

        const QDir runs(f.stateFolder() + u"/runs"_s);
        const auto log = [&] {
            const QStringList jobs = runs.entryList(QDir::Dirs | QDir::NoDotAndDotDot);
            return jobs.isEmpty() ? QString() : runs.filePath(jobs.constFirst()) + u"/0/main-0/0/output.log"_s;
        };
        QTRY_VERIFY_WITH_TIMEOUT(!log().isEmpty() && secretContents(log()).contains("begun\n"), 20000);
        if (podman) { // it does run there, and podman was told nothing either
            QByteArray known;
            const QStringList names = podman->containers();
            QCOMPARE(names.size(), 1);
            QCOMPARE(podman->run({u"inspect"_s, names.constFirst()}, &known), 0);
            QVERIFY(known.contains(names.constFirst().toUtf8()) && !has(known));
        }
        verifyNowhere(f);
        // A crash between the two writes; the first half waits in the keeper.
        const QList<qint64> daemons = f.pidsOf(u"trainyardd"_s);
        QCOMPARE(daemons.size(), 1);
        for (const qint64 pid : f.agentPids() + daemons) {
            ::kill(pid_t(pid), SIGSEGV);
        }
        QVERIFY(f.waitForNoDaemon());
        QCOMPARE(secretContents(log()), QByteArray("begun\n"));
        verifyNowhere(f);
        QCOMPARE(f.ctl({u"ps"_s}).status, 0); // a new engine
        f.write(u"work/go"_s, {});
        const auto waited = f.ctl({u"wait"_s, u"secret"_s});
        const QByteArray shown = secretContents(log());
        QVERIFY2(waited.status == 0, QByteArray(waited.err + shown).constData());
        QVERIFY(shown.contains("\nused\n")); // it had its value; lines of the other stream may come later
        QCOMPARE(shown.count("******"), 3);
        QVERIFY(!has(shown));

        const QList<QStringList> exports{{u"show"_s, u"secret"_s}, {u"show"_s, u"secret"_s, u"--json"_s, u"--tasks"_s},
            {u"ps"_s, u"--json"_s}, {u"logs"_s, u"secret"_s}, {u"logs"_s, u"secret"_s, u"--runtime"_s},
            {u"render"_s, file, u"--json"_s}, {u"check"_s, file, u"--json"_s}, {u"engine"_s, u"status"_s}};
        for (const QStringList &words : exports) {
            const auto said = f.ctl(words);
            QVERIFY2(!said.out.isEmpty() || words.contains(u"--runtime"_s),
                qPrintable(words.join(u' ') + QString::fromUtf8(said.err)));
            QVERIFY2(!has(said.out) && !has(said.err), qPrintable(words.join(u' ')));
            f.write(u"work/export"_s, said.out);
        }
        // Once more, which needs the values anew: the old ones are gone with the job.
        const auto again = f.ctl({u"retry"_s, u"secret"_s});
        QVERIFY(again.status != 0);
        QVERIFY2(again.err.contains("key"), again.err.constData());
        verifyNowhere(f);
        QCOMPARE(f.ctl({u"engine"_s, u"stop"_s}).status, 0);
        QVERIFY(f.waitForNoDaemon());
        verifyNowhere(f);
        // Nor is it kept in memory longer than it is needed.
        for (const QString &memory : {QString(u"/dev/shm/trainyard-%1/secrets"_s.arg(::getuid())), f.path(u"run"_s)}) {
            QDirIterator it(memory, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
            while (it.hasNext()) {
                const QString name = it.next();
                QVERIFY2(!has(secretContents(name)), qPrintable(name));
            }
        }
    }
};

TRAINYARD_TEST(TstSecrets)
#include "tst_secrets.moc"

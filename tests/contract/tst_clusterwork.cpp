// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/clusterwork.h"
#include "engine/contract/slurmcommand.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What a helper does on a login node: with commands that say what a test wants, in a real folder.
class TstClusterWork : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    std::string path(const std::string &name) const { return m_folder->path().toStdString() + '/' + name; }
    void write(const QString &name, const QByteArray &bytes, bool isProgram = false) const
    {
        QVERIFY(QDir().mkpath(QFileInfo(m_folder->filePath(name)).path()));
        QFile file(m_folder->filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
        file.close();
        if (isProgram) {
            QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        }
    }
    contract::ProgramSaid run(const std::string &program, const std::vector<std::string> &arguments,
        std::int64_t ms = 60'000, const std::vector<std::string> &more = {}) const
    {
        contract::RunProgram request;
        request.program = program;
        request.arguments = arguments;
        request.ms = ms;
        std::vector<std::string> environment{"PATH=" + path("bin") + ":/usr/bin:/bin"};
        environment.insert(environment.end(), more.begin(), more.end());
        return agent::runSlurmCommand(request, environment);
    }
    contract::ReadChanged wanted(const std::vector<contract::FileEntry> &known) const
    {
        contract::ReadChanged request;
        request.dir = m_folder->path().toStdString();
        request.known = known;
        return request;
    }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void commandsAreRun()
    {
        write(u"bin/squeue"_s, "#!/bin/sh\necho \"$1|$2\"\necho oops >&2\nexit 3\n", true);
        const contract::ProgramSaid said = run("squeue", {"a b", "$HOME;`id`"});
        QCOMPARE(said.state, std::string("done"));
        QCOMPARE(said.status, 3);
        QCOMPARE(said.out, std::string("a b|$HOME;`id`\n")); // no shell has seen the arguments
        QCOMPARE(said.errors, std::string("oops\n"));
    }

    void noOtherProgramIsRun()
    {
        write(u"bin/mytool"_s, "#!/bin/sh\necho run\n", true);
        write(u"bin/sbatch"_s, "#!/bin/sh\necho run\n", true);
        for (const std::string &program : {std::string("mytool"), path("bin/sbatch"), std::string("../bin/sbatch")}) {
            const contract::ProgramSaid said = run(program, {});
            QCOMPARE(said.state, std::string("missing"));
            QVERIFY(said.out.empty());
        }
        QCOMPARE(run("sbatch", {}).out, std::string("run\n"));
    }

    void theirEnvironmentIsClean()
    {
        write(u"bin/sinfo"_s,
            "#!/bin/sh\necho \"${SLURM_JOB_ID-none} ${SINFO_FORMAT-none} $SLURM_CONF $OWN "
            "$SLURM_TIME_FORMAT $LC_ALL\"\n",
            true);
        const contract::ProgramSaid said = run("sinfo", {}, 60'000,
            {"SLURM_JOB_ID=7", "SINFO_FORMAT=%P", "SLURM_CONF=/etc/own.conf", "OWN=mine", "LC_ALL=de_DE.UTF-8"});
        QCOMPARE(said.out, std::string("none none /etc/own.conf mine %s C.UTF-8\n"));
        QCOMPARE(std::string(contract::slurmTimeFormat("sbatch")), std::string("standard"));
    }

    void slowAndLongAnswersAreGivenUp()
    {
        // Its child keeps the output open.
        write(u"bin/sacct"_s, "#!/bin/sh\necho begun\nsleep 1000 &\nwait\n", true);
        const contract::ProgramSaid late = run("sacct", {}, 1000);
        QCOMPARE(late.state, std::string("late"));
        QCOMPARE(late.out, std::string("begun\n"));
        write(u"bin/scontrol"_s, "#!/bin/sh\nexec yes\n", true);
        const contract::ProgramSaid tooLong = run("scontrol", {});
        QCOMPARE(tooLong.state, std::string("long"));
        QVERIFY(tooLong.out.empty()); // a part of a list would be taken for all of it
    }

    void changedFilesAreRead()
    {
        write(u"runs/j/allocations/a/placed"_s, "one");
        write(u"runs/j/allocations/a/lead.log"_s, QByteArray(10'000, 'x') + "last words");
        write(u"runs/secret"_s, "no");
        const std::vector<contract::FileEntry> unknown{{"runs/j/allocations/a/placed", 0, 0, false},
            {"runs/j/allocations/a/lead.log", 0, 0, false}, {"runs/j/allocations/a/end", 0, 0, false},
            {"../outside", 0, 0, false}};
        const contract::ChangedFiles first = agent::readChanged(wanted(unknown));
        QCOMPARE(first.files.size(), std::size_t(2));
        QCOMPARE(first.contents.at(0), std::string("one"));
        QVERIFY(first.contents.at(1).ends_with("last words") && first.contents.at(1).size() < 10'000);
        QVERIFY(!first.isCut && first.systemError == 0);
        // What is known is not told again; what has changed is.
        QVERIFY(agent::readChanged(wanted(first.files)).files.empty());
        write(u"runs/j/allocations/a/placed"_s, "three");
        const contract::ChangedFiles second = agent::readChanged(wanted(first.files));
        QCOMPARE(second.files.size(), std::size_t(1));
        QCOMPARE(second.contents.front(), std::string("three"));
        // As it goes over the wire.
        const auto bytes = contract::encode({5, second, {}});
        QVERIFY(bytes);
        contract::FrameReader reader;
        reader.feed(*bytes);
        const std::optional<contract::Frame> frame = reader.next();
        QVERIFY(frame);
        const std::optional<contract::Envelope> read = contract::decode(*frame, true);
        QVERIFY(read);
        const auto &again = std::get<contract::ChangedFiles>(read->message);
        QVERIFY(again.files == second.files && again.contents == second.contents);
    }

    void whatCannotBeReadIsNotMissing()
    {
        write(u"runs/j/allocations/a/placed"_s, "one");
        const std::vector<contract::FileEntry> files{
            {"runs/j/allocations/a/placed", 0, 0, false}, {"runs/j/allocations/a/end", 0, 0, false}};
        QVERIFY(!agent::readChanged(wanted(files)).isUnread); // one that is not there yet
        rlimit before{};
        QCOMPARE(::getrlimit(RLIMIT_NOFILE, &before), 0);
        const rlimit none{0, before.rlim_max};
        QCOMPARE(::setrlimit(RLIMIT_NOFILE, &none), 0);
        const contract::ChangedFiles unread = agent::readChanged(wanted(files));
        QCOMPARE(::setrlimit(RLIMIT_NOFILE, &before), 0);
        QVERIFY(unread.isUnread && unread.files.empty() && unread.systemError == 0);
        contract::FrameReader reader;
        reader.feed(contract::encode({5, unread, {}}).value_or(""));
        const std::optional<contract::Frame> frame = reader.next();
        QVERIFY(frame);
        const std::optional<contract::Envelope> read = contract::decode(*frame, true);
        QVERIFY(read && std::get<contract::ChangedFiles>(read->message).isUnread);
        contract::ReadChanged away = wanted(files);
        away.dir += "/not-mounted";
        QCOMPARE(agent::readChanged(away).systemError, ENOENT);
    }

    void requestsGoOverTheWire()
    {
        const auto back = [](const contract::Message &message) {
            const std::optional<std::string> bytes = contract::encode({3, message, {}});
            contract::FrameReader reader;
            reader.feed(bytes.value_or(""));
            const std::optional<contract::Frame> frame = reader.next();
            return frame ? contract::decode(*frame, false) : std::nullopt;
        };
        contract::RunProgram program;
        program.program = "sbatch";
        program.arguments = {"--comment=a \"b\"\n", ""};
        program.ms = 7;
        const auto run = back(program);
        QVERIFY(run);
        QVERIFY(std::get<contract::RunProgram>(run->message).arguments == program.arguments);
        QCOMPARE(std::get<contract::RunProgram>(run->message).ms, std::int64_t(7));
        const auto read = back(wanted({{"runs/a b/exit", 4, 5, false}}));
        QVERIFY(read);
        QCOMPARE(std::get<contract::ReadChanged>(read->message).known.at(0).path, std::string("runs/a b/exit"));
        contract::RemoveRun gone;
        gone.root = "/r";
        gone.job = "j";
        gone.launches = "*";
        const auto removal = back(gone);
        QVERIFY(removal);
        QCOMPARE(std::get<contract::RemoveRun>(removal->message).launches, std::string("*"));
        contract::Follow follow;
        follow.dir = "/d";
        follow.isShared = true;
        const auto followed = back(follow);
        QVERIFY(followed && std::get<contract::Follow>(followed->message).isShared);
    }

    void manyChangesComeInPieces()
    {
        std::vector<contract::FileEntry> known;
        for (int i = 0; i < 5; ++i) {
            write(u"runs/j/f%1"_s.arg(i), QByteArray(400'000, char('a' + i)));
            known.push_back({"runs/j/f" + std::to_string(i), 0, 0, false});
        }
        std::size_t seen = 0;
        for (int round = 0; round < 5 && seen < known.size(); ++round) {
            const contract::ChangedFiles some = agent::readChanged(wanted(known));
            QVERIFY(!some.files.empty() && contract::encode({1, some, {}}));
            seen += some.files.size();
            QCOMPARE(some.isCut, seen < known.size());
            for (const contract::FileEntry &file : some.files) {
                known.at(std::size_t(file.path.back() - '0')) = file;
            }
        }
        QCOMPARE(seen, known.size());
    }

    void othersMayMakeItsFolderMeanwhile()
    {
        const std::string folder = path("fresh"), copy = path("fresh/cluster/trainyard-agent-1");
        const uid_t other = ::geteuid() + 1;
        const auto ofAnother = [&folder, other](const std::string &part) {
            contract::FolderPart found = contract::partOnDisk(part);
            found.owner = part == folder ? other : found.owner;
            return found;
        };
        QVERIFY(!contract::swappableFolder(path("fresh/cluster"), ::geteuid(), ofAnother)); // it is not there
        const auto found = agent::makeHelperFolder(copy, ::geteuid(), ofAnother);
        QVERIFY(found);
        QCOMPARE(found->part, folder);
        QVERIFY(!agent::makeHelperFolder(path("mine/cluster/trainyard-agent-1"), ::geteuid()));
        QVERIFY(QFileInfo(QString::fromStdString(path("mine/cluster"))).isDir());
        QVERIFY(!agent::makeHelperFolder("relative/trainyard-agent-1", ::geteuid()));
        QVERIFY(!QFileInfo::exists(u"relative"_s));
    }

    void helperIsCopied()
    {
        const std::string copy = path("cluster/trainyard-agent-1");
        QCOMPARE(agent::copyHelper(copy), 0);
        struct stat info {
        };
        QCOMPARE(::stat(copy.c_str(), &info), 0);
        QCOMPARE(int(info.st_mode & 0777), 0700);
        QCOMPARE(qint64(info.st_size), QFileInfo(QCoreApplication::applicationFilePath()).size());
        QCOMPARE(agent::copyHelper(copy), 0);
        QCOMPARE(agent::copyHelper("relative"), EINVAL);
        // One that others may change is not run for the helper, whoever has put it there.
        QCOMPARE(contract::writeAtomically(copy, "something else", false), 0);
        QCOMPARE(::chmod(copy.c_str(), 0777), 0);
        QCOMPARE(agent::copyHelper(copy), 0);
        QCOMPARE(::stat(copy.c_str(), &info), 0);
        QCOMPARE(int(info.st_mode & 0777), 0700);
        QCOMPARE(qint64(info.st_size), QFileInfo(QCoreApplication::applicationFilePath()).size());
    }

    void launchesAreRemoved()
    {
        const std::string root = path("root");
        write(u"root/runs/job/allocations/one/launch-0"_s, "secret");
        write(u"root/runs/job/allocations/one/plan.json"_s, "{}");
        write(u"root/runs/job/allocations/two/launch-0"_s, "secret");
        QCOMPARE(agent::removeLaunches(root, "job", "*"), EPERM); // it has no mark
        QVERIFY(QFile::exists(m_folder->filePath(u"root/runs/job/allocations/one/launch-0"_s)));
        write(u"root/"_s + QLatin1StringView(contract::runsMark), {});
        QVERIFY(agent::isRootOfRuns(root));
        QCOMPARE(agent::removeLaunches(root, "..", "*"), EPERM);
        QCOMPARE(agent::removeLaunches(root, "job", "one"), 0);
        QVERIFY(!QFile::exists(m_folder->filePath(u"root/runs/job/allocations/one/launch-0"_s)));
        QVERIFY(QFile::exists(m_folder->filePath(u"root/runs/job/allocations/one/plan.json"_s)));
        QVERIFY(QFile::exists(m_folder->filePath(u"root/runs/job/allocations/two/launch-0"_s)));
        QCOMPARE(agent::removeLaunches(root, "job", "*"), 0);
        QVERIFY(!QFile::exists(m_folder->filePath(u"root/runs/job/allocations/two/launch-0"_s)));
        QCOMPARE(agent::removeLaunches(root, "other", "*"), 0); // nothing is there
    }
};

TRAINYARD_TEST(TstClusterWork)
#include "tst_clusterwork.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// What a host costs that is reached by ssh, over a real sshd of its own (needs root, for a network and a user apart):
// a long log beside `ssh cat` of the same bytes, many short tasks beside the same tasks here, a work folder of which
// the host has every file already beside rsync, and the way to a host that has never been seen.
#include "tests/bench/benchengine.h"
#include "tests/helpers/sshhosts.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QScopeGuard>
#include <QStandardPaths>
#include <QThread>

#include <sys/stat.h>
#include <unistd.h>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{

constexpr double mib = 1 << 20;

struct Options {
    QString where = u"/var/tmp"_s;
    int mebibytes = 512;
    int tasks = 200;
    int files = 20000;
    int rounds = 3;
    QStringList only;
    bool wants(const QString &part) const { return only.isEmpty() || only.contains(part); }
};

QByteArray job(const QByteArray &name, int instances, const QByteArray &command)
{
    return "protocolVersion: 2\nname: " + name
        + "\ntype: job\nprerequisites:\n  - {name: none, type: dockerimage, uri: none}\ntaskRoles:\n  t:\n    "
          "instances: "
        + QByteArray::number(instances)
        + "\n    dockerImage: none\n    resourcePerInstance: {cpu: 1, memoryMB: 1, gpu: 0}\n    commands: ['" + command
        + "']\nextras: {gangAllocation: false}\n";
}

// Seconds of a command of a shell.
double shell(const QString &command)
{
    QElapsedTimer clock;
    clock.start();
    QProcess process;
    process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    process.start(u"sh"_s, {u"-c"_s, command});
    if (!process.waitForFinished(-1) || process.exitCode() != 0) {
        qFatal("%s: status %d", qPrintable(command), process.exitCode());
    }
    return double(clock.nsecsElapsed()) / 1e9;
}

double run(const QString &file, const QStringList &more)
{
    return BenchEngine::ctl(QStringList{u"run"_s, file, u"--wait"_s} + more) / 1000;
}

// The output of the only task of a job, here.
QString logOf(const QString &name)
{
    QByteArray said;
    BenchEngine::ctl({u"show"_s, name, u"--json"_s}, &said);
    const QJsonObject engine = QJsonDocument::fromJson(said).object().value("engine"_L1).toObject();
    return engine.value("runFolder"_L1).toString() + u"/0/t-0/0/output.log"_s;
}

class HostBench
{
public:
    HostBench(const Options &options, const SshHosts &hosts)
        : m_options(options), m_hosts(hosts), m_engine(options.where)
    {
        qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
    }

    // A host that has nothing of ours yet. What the push takes depends on the line, and is told by its step.
    bool connects()
    {
        std::puts("\n== a bare host: connect and check ==");
        const double login = shell(ssh(u"true"_s)) * 1000;
        BenchEngine::ctl({u"ps"_s}); // the daemon is there
        const double added = BenchEngine::ctl({u"hosts"_s, u"add"_s, m_hosts.name(0), u"--name"_s, u"far"_s});
        QByteArray said;
        BenchEngine::ctl({u"hosts"_s, u"show"_s, u"far"_s, u"--json"_s}, &said);
        double push = -1;
        const QJsonArray steps = QJsonDocument::fromJson(said).object().value("steps"_L1).toArray();
        for (const QJsonValue &step : steps) {
            std::printf("  %-10s %6.0f ms\n", qPrintable(step.toObject().value("id"_L1).toString()),
                step.toObject().value("ms"_L1).toDouble());
            if (step.toObject().value("id"_L1) == "push"_L1) {
                push = step.toObject().value("ms"_L1).toDouble();
            }
        }
        if (push < 0) {
            qFatal("the step of the helper is not told: %s", said.constData());
        }
        const double again = BenchEngine::ctl({u"hosts"_s, u"check"_s, u"far"_s});
        std::printf("hosts add %.0f ms, of which the push %.0f ms; hosts check %.0f ms; ssh HOST true %.0f ms\n", added,
            push, again, login);
        return figure("connect and check, without the push", (added - push) / 1000, "s", 3);
    }

    bool log()
    {
        std::printf("\n== %d MiB of log, median of %d rounds ==\n", m_options.mebibytes, m_options.rounds);
        BenchEngine::load();
        const QString source = m_hosts.home(0) + u"/lines"_s;
        writeLines(source);
        const qint64 size = QFileInfo(source).size();
        BenchEngine::ctl({u"settings"_s, u"log.maxBytes"_s, QString::number(size * 2)});
        const QString file = m_engine.write(u"log.yaml"_s, job("log", 1, "cat ~/lines"));
        std::vector<double> cats, mirrors;
        bool whole = true;
        for (int round = 0; round < m_options.rounds; ++round) {
            const QString copy = m_engine.path(u"copy"_s);
            ::sync(); // what lies before has been written: nobody waits for another's pages
            const double cat = shell(ssh(u"cat "_s + source) + u" > '%1'"_s.arg(copy));
            QFile::remove(copy);
            ::sync();
            QElapsedTimer clock;
            clock.start();
            BenchEngine::ctl(QStringList{u"run"_s, file} + work());
            const QString here = logOf(u"log"_s);
            const QString over = QFileInfo(here).path() + u"/exit"_s; // comes last
            while (!QFileInfo::exists(over)) {
                if (clock.hasExpired(600'000)) {
                    qFatal("the log of the job is not mirrored");
                }
                QThread::msleep(2); // between two looks: not waitUntil(), which takes a core
            }
            const double mirror = double(clock.nsecsElapsed()) / 1e9;
            BenchEngine::ctl({u"wait"_s, u"log"_s});
            whole = whole && shellSays(u"cmp '%1' '%2'"_s.arg(source, here));
            QFile::remove(here);
            BenchEngine::ctl({u"rm"_s, u"log"_s});
            cats.push_back(double(size) / mib / cat);
            mirrors.push_back(double(size) / mib / mirror);
            std::printf("round %d: ssh cat %.0f MiB/s, the log %.0f MiB/s\n", round + 1, cats.back(), mirrors.back());
            std::fflush(stdout);
        }
        QFile::remove(source);
        if (!whole) {
            std::puts("THE COPY DIFFERS");
        }
        // The processes of both ends are on one computer here, and share its cores; between two computers they do not.
        const bool isCrowded = QThread::idealThreadCount() < 4;
        if (isCrowded) {
            std::printf("both ends share %d cores here\n", QThread::idealThreadCount());
        }
        return figure("the log, of `ssh cat`", BenchEngine::median(mirrors) / BenchEngine::median(cats), "",
                   isCrowded ? 0.45 : 0.6, false)
            && whole;
    }

    bool shortTasks()
    {
        std::printf("\n== %d tasks of true, median of %d rounds ==\n", m_options.tasks, m_options.rounds);
        BenchEngine::load();
        const QString file = m_engine.write(u"many.yaml"_s, job("many", m_options.tasks, "true"));
        std::vector<double> here, there;
        for (int round = 0; round < m_options.rounds; ++round) {
            here.push_back(run(file, {u"--on"_s, u"local"_s, u"--work"_s, emptyFolder()}));
            there.push_back(run(file, work()));
            std::printf("round %d: here %.2f s, on the host %.2f s\n", round + 1, here.back(), there.back());
            std::fflush(stdout);
        }
        return figure(
            "the tasks on a host, times those here", BenchEngine::median(there) / BenchEngine::median(here), "", 3);
    }

    // The host has all contents. Each job gets a folder of its own there, so the peer makes one, too.
    bool code()
    {
        std::printf("\n== a work folder of %d files, all of them known to the host ==\n", m_options.files);
        BenchEngine::load();
        const QString folder = m_engine.path(u"project"_s);
        writeFiles(folder);
        const QString file = m_engine.write(u"code.yaml"_s, job("code", 1, "ls | wc -l"));
        const QStringList on{u"--on"_s, u"far"_s, u"--work"_s, folder};
        const double first = run(file, on);
        std::vector<double> bare, again;
        for (int round = 0; round < m_options.rounds; ++round) {
            bare.push_back(run(file, work()));
            again.push_back(run(file, on));
        }
        std::printf("first %.2f s, then %.2f s (a job without a folder: %.2f s)\n", first, BenchEngine::median(again),
            BenchEngine::median(bare));
        const QString rsync = QStandardPaths::findExecutable(u"rsync"_s);
        if (rsync.isEmpty()) {
            std::puts("rsync is not installed, so this has no peer here.");
            return true;
        }
        const QString command = u"'%1' --rsync-path='%1' -a -e 'ssh -F %2' %3 '%4/' %5:"_s;
        const auto copy = [&](const QString &options, const QString &to) {
            return shell(command.arg(rsync, m_hosts.configFile(), options, folder, m_hosts.name(0)) + to);
        };
        const double peerFirst = copy({}, m_hosts.home(0) + u"/peer"_s);
        std::vector<double> same, linked, copied;
        for (int round = 0; round < m_options.rounds; ++round) {
            const QString to = m_hosts.home(0) + u"/peer%1"_s.arg(round);
            same.push_back(copy({}, m_hosts.home(0) + u"/peer"_s));
            linked.push_back(copy(u"--link-dest=../peer"_s, to + u"-linked"_s));
            copied.push_back(copy(u"--copy-dest=../peer"_s, to + u"-copied"_s));
        }
        std::printf("rsync: first %.2f s, then %.2f s into the same folder, %.2f s into a new one with hard links,\n"
                    "  %.2f s with copies\n",
            peerFirst, BenchEngine::median(same), BenchEngine::median(linked), BenchEngine::median(copied));
        return figure("unchanged, times rsync into a new folder",
            BenchEngine::median(again) / BenchEngine::median(copied), "", 1.5);
    }

private:
    QString ssh(const QString &command) const
    {
        return u"ssh -F '%1' %2 %3"_s.arg(m_hosts.configFile(), m_hosts.name(0), command);
    }
    static bool shellSays(const QString &command) { return QProcess::execute(u"sh"_s, {u"-c"_s, command}) == 0; }
    QString emptyFolder() const
    {
        QDir().mkpath(m_engine.path(u"empty"_s));
        return m_engine.path(u"empty"_s);
    }
    QStringList work() const { return {u"--on"_s, u"far"_s, u"--work"_s, emptyFolder()}; }

    void writeLines(const QString &name) const
    {
        QFile file(name);
        if (!file.open(QIODevice::WriteOnly)) {
            qFatal("cannot write %s", qPrintable(name));
        }
        const qint64 bytes = qint64(m_options.mebibytes) << 20;
        qint64 line = 0;
        for (qint64 at = 0; at < bytes;) {
            QByteArray block;
            while (block.size() < (1 << 20)) {
                ++line;
                block += "step " + QByteArray::number(line) + " loss: 0." + QByteArray::number(line * 7919 % 100000)
                    + " lr: 0.0003 tokens/s: " + QByteArray::number(line * 31 % 90000) + " of a long line of a log\n";
            }
            at += file.write(block);
        }
        file.setPermissions(file.permissions() | QFile::ReadOther);
    }

    void writeFiles(const QString &folder) const
    {
        for (int i = 0; i < m_options.files; ++i) {
            const QString in = folder + u"/part%1"_s.arg(i / 100);
            if (i % 100 == 0) {
                QDir().mkpath(in);
            }
            QFile file(in + u"/file%1.py"_s.arg(i));
            if (!file.open(QIODevice::WriteOnly)) {
                qFatal("cannot write %s", qPrintable(file.fileName()));
            }
            const QByteArray text = "# File " + QByteArray::number(i) + "\nprint('hello')\n";
            file.write(text.repeated(30));
        }
    }

    const Options &m_options;
    const SshHosts &m_hosts;
    BenchEngine m_engine;
};

int usage(int status)
{
    std::puts("Usage: bench_hosts [--mib N] [--tasks N] [--files N] [--rounds N] [--folder DIR]\n"
              "                   [--only connect,log,tasks,code]\n"
              "Default: a log of 512 MiB, 200 tasks, 20,000 files, 3 rounds. --mib 4096 is a long log as it happens.\n"
              "Exit status 1 when a figure is missed, 2 when there can be no host here.");
    return status;
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    Options options;
    const QStringList words = QCoreApplication::arguments().mid(1);
    for (qsizetype i = 0; i < words.size(); ++i) {
        const QString &word = words.at(i);
        if (word == "--help"_L1 || i + 1 >= words.size()) {
            return usage(word == "--help"_L1 ? 0 : 2);
        }
        const QString &value = words.at(++i);
        const int number = value.toInt();
        if (word == "--folder"_L1) {
            options.where = value;
        } else if (word == "--only"_L1) {
            options.only = value.split(u',');
        } else if (word == "--mib"_L1 && number > 0) {
            options.mebibytes = number;
        } else if (word == "--tasks"_L1 && number > 0) {
            options.tasks = number;
        } else if (word == "--files"_L1 && number > 0) {
            options.files = number;
        } else if (word == "--rounds"_L1 && number > 0) {
            options.rounds = number;
        } else {
            return usage(2);
        }
    }
    const SshHosts hosts(1, {}, SshHosts::Kind::Unlike);
    if (!hosts.problem().isEmpty()) {
        std::printf("%s\n", qPrintable(hosts.problem()));
        return 2;
    }
    HostBench bench(options, hosts);
    BenchEngine::load();
    bool good = bench.connects(); // the other parts need the host
    good = (!options.wants(u"log"_s) || bench.log()) && good;
    good = (!options.wants(u"tasks"_s) || bench.shortTasks()) && good;
    good = (!options.wants(u"code"_s) || bench.code()) && good;
    return good ? 0 : 1;
}

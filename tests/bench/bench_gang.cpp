// SPDX-License-Identifier: GPL-3.0-or-later
// Gangs: every task is told of all the others, so that what is not said once for all grows with the square of their
// number. The largest is compared with the smallest, task for task.
#include "tests/bench/benchengine.h"

#include <QDirIterator>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{

struct Figures {
    double tasksPerSecond = 0, bytesPerTask = 0, daemonMiB = 0;
};

QByteArray document(int tasks, bool withStep)
{
    const QByteArray step = "  - name: step\n    protocolVersion: 2\n    type: script\n"
                            "    plugin: com.microsoft.pai.runtimeplugin.cmd\n    callbacks:\n"
                            "      - {event: taskStarts, commands: ['export STEP=done']}\n";
    return "protocolVersion: 2\nname: gang\ntype: job\nprerequisites:\n  - {name: none, type: dockerimage, uri: none}\n"
        + (withStep ? step : QByteArray()) + "taskRoles:\n  t:\n    instances: " + QByteArray::number(tasks)
        + "\n    dockerImage: none\n" + (withStep ? "    prerequisites: [step]\n" : "")
        + "    resourcePerInstance: {cpu: 1, memoryMB: 1, gpu: 0}\n    commands: ['true']\n";
}

Figures measure(const QString &where, int tasks, bool withStep)
{
    BenchEngine engine(where);
    const QString file = engine.write(u"gang.yaml"_s, document(tasks, withStep));
    BenchEngine::ctl({u"ps"_s}); // the daemon is there
    Figures figures;
    figures.tasksPerSecond = tasks * 1000 / BenchEngine::ctl({u"run"_s, u"--wait"_s, file});
    figures.daemonMiB = BenchEngine::memory(BenchEngine::processes("trainyardd").value(0), "VmHWM");
    qint64 bytes = 0;
    QDirIterator files(qEnvironmentVariable("XDG_STATE_HOME"), {u"plan.json"_s, u"task.sh"_s}, QDir::Files,
        QDirIterator::Subdirectories);
    while (files.hasNext()) {
        files.next();
        bytes += files.fileInfo().size();
    }
    figures.bytesPerTask = double(bytes) / tasks;
    std::printf("%6d tasks: %8.1f a second, %8.0f bytes written for each, daemon %6.1f MiB\n", tasks,
        figures.tasksPerSecond, figures.bytesPerTask, figures.daemonMiB);
    std::fflush(stdout);
    return figures;
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    QString where = u"/var/tmp"_s;
    QList<int> sizes;
    bool withStep = false;
    const QStringList words = QCoreApplication::arguments().mid(1);
    for (qsizetype i = 0; i < words.size(); ++i) {
        if (words.at(i) == "--folder"_L1 && i + 1 < words.size()) {
            where = words.at(++i);
        } else if (words.at(i) == "--step"_L1) {
            withStep = true;
        } else if (const int tasks = words.at(i).toInt(); tasks > 0) {
            sizes.append(tasks);
        } else {
            std::puts("Usage: bench_gang [--folder DIR] [--step] [TASKS ...]    default: 300 1000 2000\n"
                      "--step: each task has a step before its commands.\n"
                      "Exit status 1 when a figure is missed.");
            return words.at(i) == "--help"_L1 ? 0 : 2;
        }
    }
    if (sizes.isEmpty()) {
        sizes = {300, 1000, 2000};
    }
    BenchEngine::load();
    QList<Figures> all;
    for (const int tasks : std::as_const(sizes)) {
        all.append(measure(where, tasks, withStep));
    }
    const Figures &small = all.constFirst();
    const Figures &large = all.constLast();
    bool good = figure("daemon, most memory", large.daemonMiB, "MiB", 150);
    good = figure("time for a task, of the largest beside the smallest", small.tasksPerSecond / large.tasksPerSecond,
               "x", 2)
        && good;
    good = figure("written for a task, of the largest beside the smallest", large.bytesPerTask / small.bytesPerTask,
               "x", 1.2)
        && good;
    return good ? 0 : 1;
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmscript.h"

#include "engine/contract/slurmtime.h"
#include "model/base/shellquote.h"

#include <algorithm>

namespace trainyard::slurm
{
namespace
{

using namespace Qt::StringLiterals;

// Slurm has memory for each core or each node, and none for each task. Whole cores share it evenly, rounded up.
qint64 memoryForCpu(const Component &component) { return (component.memoryMiB + component.cpus - 1) / component.cpus; }

qint64 limitMinutes(const ScriptInput &input) { return contract::minutesToAsk(input.limitMs, input.graceMs); }

// 0: the partition's, which only the cluster knows.
qint64 limitSeconds(const ScriptInput &input)
{
    if (input.limitMs > 0) {
        return limitMinutes(input) * 60;
    }
    return contract::slurmSeconds(timeOption(input.options).toStdString()).value_or(0);
}

constexpr QLatin1StringView timeHead{"--time="};

QByteArray directive(const QByteArray &text) { return "#SBATCH " + text + '\n'; }

QByteArray nodesOf(const Component &component)
{
    switch (component.arrange) {
    case Arrangement::SameHost:
        return directive("--nodes=1");
    case Arrangement::DifferentHosts:
        return directive("--nodes=" + QByteArray::number(component.tasks)) + directive("--ntasks-per-node=1");
    default:
        return {};
    }
}

int countOfRole(const std::vector<core::TaskRef> &tasks, int role)
{
    return int(std::count_if(tasks.begin(), tasks.end(), [role](core::TaskRef each) { return each.role == role; }));
}

} // namespace

QString timeOption(const QStringList &options)
{
    const auto it = std::find_if(
        options.crbegin(), options.crend(), [](const QString &each) { return each.startsWith(timeHead); });
    return it == options.crend() ? QString() : it->mid(timeHead.size());
}

qint64 noticeSecondsOf(const ScriptInput &input) { return contract::noticeSeconds(input.graceMs, limitSeconds(input)); }

Layout layoutOf(const core::JobPolicy &policy, const std::vector<core::TaskRef> &tasks)
{
    const auto componentOf = [&](core::TaskRef ref) {
        const core::Needs &needs = policy.roles[std::size_t(ref.role)].needs;
        const Component component{
            std::max(1, needs.cpu), std::max<qint64>(0, needs.memoryMiB), std::max(0, needs.gpu), 0};
        // Elements of an array, and a task that is alone, need no arrangement.
        if (!policy.gang || !isHard(needs.hosts.arrange) || countOfRole(tasks, ref.role) < 2) {
            return component;
        }
        Component arranged = component;
        arranged.role = ref.role;
        arranged.arrange = needs.hosts.arrange;
        return arranged;
    };
    const auto find = [](std::vector<Component> &components, const Component &wanted) {
        return std::find_if(components.begin(), components.end(), [&wanted](Component each) {
            each.tasks = 0;
            return each == wanted;
        });
    };
    Layout layout;
    for (const core::TaskRef ref : tasks) {
        const Component wanted = componentOf(ref);
        if (find(layout.components, wanted) == layout.components.end()) {
            layout.components.push_back(wanted);
        }
    }
    // Each gets nodes of its own, the first one the first that fit: one without GPUs must not take those that have
    // some.
    std::stable_sort(layout.components.begin(), layout.components.end(),
        [](const Component &a, const Component &b) { return a.gpus > b.gpus; });
    for (const core::TaskRef ref : tasks) {
        const auto it = find(layout.components, componentOf(ref));
        ++it->tasks;
        layout.ofTask.push_back(int(it - layout.components.begin()));
    }
    return layout;
}

std::vector<std::string> stepOptions(const Component &component)
{
    std::vector<std::string> options{"--cpus-per-task=" + std::to_string(component.cpus)};
    if (component.memoryMiB > 0) {
        options.push_back("--mem-per-cpu=" + std::to_string(memoryForCpu(component)) + 'M');
    } else {
        options.insert(options.end(), {"--mem=0", "--overlap"});
    }
    if (component.gpus > 0) {
        options.push_back("--gpus=" + std::to_string(component.gpus));
    }
    return options;
}

QByteArray directives(const ScriptInput &input)
{
    QByteArray script;
    for (std::size_t i = 0; i < input.layout.components.size(); ++i) {
        const Component &component = input.layout.components[i];
        script += i > 0 ? directive("hetjob") : QByteArray();
        for (const QString &option : input.options) {
            if (input.limitMs > 0 && option.startsWith(timeHead)) {
                continue; // the limit of the job counts
            }
            const bool isPlain = std::none_of(
                option.begin(), option.end(), [](QChar each) { return each.isSpace() || u"\"'#\\"_s.contains(each); });
            script += directive(isPlain ? option.toUtf8() : shellQuote(option.toUtf8()));
        }
        script += directive("--ntasks=" + QByteArray::number(input.isArray ? 1 : component.tasks)) + nodesOf(component)
            + directive("--cpus-per-task=" + QByteArray::number(component.cpus));
        if (component.memoryMiB > 0) {
            script += directive("--mem-per-cpu=" + QByteArray::number(memoryForCpu(component)) + 'M');
        }
        if (component.gpus > 0) {
            script += directive("--gpus-per-task=" + QByteArray::number(component.gpus));
        }
        if (input.limitMs > 0) {
            script += directive("--time=" + QByteArray::number(limitMinutes(input)));
        }
    }
    return script;
}

QByteArray jobScript(const ScriptInput &input)
{
    // Defaults of the submitter or the site that would change what the steps say for themselves.
    return "#!/bin/sh\n" + directives(input)
        + "unset SLURM_EXPORT_ENV SLURM_KILL_BAD_EXIT SLURM_WAIT SLURM_GPUS SLURM_GPUS_PER_TASK SLURM_NTASKS_PER_NODE "
          "\\\n"
          "    SLURM_CPUS_PER_TASK SLURM_MEM_PER_CPU SLURM_MEM_PER_NODE SLURM_CPU_BIND SLURM_MEM_BIND "
          "SLURM_DISTRIBUTION\n"
          "PATH=${PATH:-/usr/local/bin:/usr/bin:/bin}\nexport PATH\nexec "
        + shellQuote(input.program.toUtf8()) + " --lead " + shellQuote(input.folder.toUtf8()) + '\n';
}

QStringList submitArguments(const ScriptInput &input, const QString &name, const QString &comment)
{
    QString output = input.folder;
    output.replace(u'%', u"%%"_s);
    output += input.isArray ? u"/lead-%a.log"_s : u"/lead.log"_s;
    if (!input.elements.isEmpty()) {
        output = u"/dev/null"_s; // no pattern leads to the folders of all of them
    }
    QStringList arguments{u"--parsable"_s, u"--job-name="_s + name, u"--comment="_s + comment, u"--output="_s + output,
        u"--open-mode=append"_s, u"--no-requeue"_s, u"--export=NONE"_s, u"--chdir=/"_s,
        // Before the end of the time, so that tasks can end in order. The lead sees how much is left when it comes.
        u"--signal=B:USR1@"_s + QString::number(noticeSecondsOf(input))};
    if (!input.elements.isEmpty()) {
        arguments.append(u"--array="_s + input.elements);
    } else if (input.isArray) {
        arguments.append(u"--array=0-"_s + QString::number(input.layout.ofTask.size() - 1));
    }
    return arguments;
}

QByteArray submissionText(const ScriptInput &input, const QString &name, const QString &comment)
{
    QByteArray command = "sbatch";
    const QStringList arguments = submitArguments(input, name, comment) << input.folder + u"/job.sh"_s;
    for (const QString &argument : arguments) {
        command += ' ' + shellQuote(argument.toUtf8());
    }
    return jobScript(input) + "\n# " + command.replace('\n', "\n# ") + '\n';
}

} // namespace trainyard::slurm

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmcheck.h"

#include "engine/client/pathbytes.h"
#include "engine/client/slurmoptions.h"
#include "engine/clusters/slurmmodulecheck.h"
#include "engine/clusters/slurmnodes.h"
#include "engine/clusters/slurmquota.h"
#include "engine/clusters/slurmrefusal.h"
#include "engine/contract/smallfiles.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QSysInfo>
#include <QTemporaryFile>

#include <algorithm>
#include <cstring>

namespace trainyard
{

using namespace Qt::StringLiterals;

SlurmCheck::SlurmCheck(SlurmCommands &commands, LoginSite *site, const SlurmTarget &target, const QString &folder,
    const ClusterInfo &info, const Then &then, const Error &whyNot)
    : m_commands(commands), m_site(site), m_target(target), m_folder(folder), m_info(info), m_then(then),
      m_whyNot(whyNot)
{
}

void SlurmCheck::run(SlurmCommands &commands, LoginSite *site, const SlurmTarget &target, const QString &folder,
    const ClusterInfo &info, const Then &then, const Error &whyNot)
{
    const auto check = std::make_shared<SlurmCheck>(commands, site, target, folder, info, then, whyNot);
    if (site) {
        check->checkLogin();
    } else {
        check->nextStep();
    }
}

// This is the first step: without it there is no cluster to ask.
void SlurmCheck::checkLogin()
{
    const Error absence = m_site->isOnline() ? Error() : m_site->absence();
    add(u"login-node"_s, absence.code.isEmpty(), absence.code, {{u"host"_s, m_site->host()}});
    if (!absence.code.isEmpty()) {
        m_then(m_info);
        return;
    }
    m_folder = m_site->rootFor(m_target.folder);
    nextStep();
}

void SlurmCheck::add(const QString &id, bool isGood, const QString &code, const QJsonObject &args)
{
    m_info.steps.append({id, isGood, code, args});
}

void SlurmCheck::failed(const QString &id, const QString &program, const SlurmCommands::Answer &answer)
{
    Error why = slurm::whyNoAnswer(program, answer);
    why.args.insert(u"target"_s, m_target.id());
    why = m_site ? m_site->inItsWords(why) : why;
    add(id, false, why.code, why.args);
    m_then(m_info);
}

bool SlurmCheck::notesUnasked(const SlurmCommands::Answer &answer)
{
    if (answer.kind != SlurmCommands::Answer::Kind::Missing) {
        return false;
    }
    QJsonObject args{{u"how"_s, m_target.images}, {u"target"_s, m_target.id()}};
    if (m_site) {
        // It is where sbatch has been found: helpers of former versions run only commands that these know.
        args.insert(u"host"_s, m_site->host());
        add(u"images"_s, true, u"slurm.images-helper"_s, args);
    } else {
        args.insert(u"program"_s, u"srun"_s);
        add(u"images"_s, false, u"slurm.no-commands"_s, args);
    }
    nextStep();
    return true;
}

// Own jobs and free GPUs. The check continues if they are not known.
void SlurmCheck::checkUse()
{
    m_commands.run(
        u"squeue"_s, slurm::ownJobsArguments(), [self = shared_from_this()](const SlurmCommands::Answer &answer) {
            if (Error why = slurm::whyNoAnswer(u"squeue"_s, answer);
                why.code == "slurm.no-commands"_L1 || why.code == "slurm.not-runnable"_L1) {
                // Without it, no job can be followed there.
                why.args.insert(u"target"_s, self->m_target.id());
                why = self->m_site ? self->m_site->inItsWords(why) : why;
                self->add(u"use"_s, false, why.code, why.args);
                self->nextStep();
                return;
            }
            if (!answer.isGood()) {
                self->add(u"use"_s, true, u"slurm.use-unknown"_s,
                    {{u"target"_s, self->m_target.id()},
                        {u"detail"_s, slurm::refusal(answer.errors + '\n' + answer.out)}});
                self->nextStep();
                return;
            }
            const QJsonObject own = slurm::ownJobsIn(answer.out);
            self->m_user = own.value("user"_L1).toString();
            self->checkFreeGpus(own);
        });
}

void SlurmCheck::checkFreeGpus(const QJsonObject &own)
{
    m_commands.run(
        u"sinfo"_s, slurm::freeGpusArguments(), [self = shared_from_this(), own](const SlurmCommands::Answer &answer) {
            QJsonObject args = own;
            if (answer.isGood()) {
                args.insert(u"partitions"_s, slurm::freeGpusIn(answer.out));
            }
            self->add(u"use"_s, true, {}, args);
            self->nextStep();
        });
}

// A site without accounts has no limits of its users, which is not a mistake.
void SlurmCheck::checkLimits()
{
    // Without a job there the queue does not say the name.
    const QString user = !m_user.isEmpty() ? m_user : userAt(m_site);
    if (user.isEmpty()) {
        add(u"limits"_s, true, u"slurm.limits-unknown"_s, {{u"target"_s, m_target.id()}, {u"detail"_s, QString()}});
        nextStep();
        return;
    }
    m_user = user;
    m_commands.run(u"sacctmgr"_s, slurm::associationArguments(user),
        [self = shared_from_this()](const SlurmCommands::Answer &answer) {
            const QJsonObject args{{u"target"_s, self->m_target.id()}, {u"user"_s, self->m_user},
                {u"detail"_s, slurm::refusal(answer.errors + '\n' + answer.out)}};
            const QJsonArray associations = answer.isGood() ? slurm::associationsIn(answer.out) : QJsonArray();
            if (!associations.isEmpty()) {
                self->checkQos(associations);
                return;
            }
            const bool hasNone = slurm::hasNoManager(answer.errors + answer.out);
            self->add(u"limits"_s, true,
                hasNone               ? u"slurm.no-limits"_s
                    : answer.isGood() ? u"slurm.limits-no-account"_s
                                      : u"slurm.limits-unknown"_s,
                args);
            self->nextStep();
        });
}

void SlurmCheck::checkQos(const QJsonArray &associations)
{
    const QJsonObject args{{u"user"_s, m_user}, {u"associations"_s, associations}};
    const QStringList arguments = slurm::qosArguments(associations);
    if (arguments.isEmpty()) {
        add(u"limits"_s, true, {}, args);
        nextStep();
        return;
    }
    m_commands.run(u"sacctmgr"_s, arguments, [self = shared_from_this(), args](const SlurmCommands::Answer &answer) {
        QJsonObject all = args;
        all.insert(u"qos"_s, answer.isGood() ? slurm::qosIn(answer.out) : QJsonArray());
        self->add(u"limits"_s, true, {}, all);
        self->nextStep();
    });
}

// A plugin of Slurm, which adds its options to those of srun.
void SlurmCheck::checkPyxis()
{
    m_commands.run(u"srun"_s, {u"--help"_s}, [self = shared_from_this()](const SlurmCommands::Answer &answer) {
        if (self->notesUnasked(answer)) {
            return;
        }
        const QByteArray said = answer.out + answer.errors;
        const bool isThere = said.contains("--container-image");
        QJsonObject args{{u"how"_s, self->m_target.images}, {u"target"_s, self->m_target.id()}};
        if (isThere || answer.isGood()) {
            self->add(u"images"_s, isThere, isThere ? QString() : u"slurm.no-pyxis"_s, args);
        } else {
            args.insert(u"detail"_s, slurm::refusal(said));
            self->add(u"images"_s, true, u"slurm.pyxis-unknown"_s, args);
        }
        self->nextStep();
    });
}

// A program of the nodes, which this one need not have: a step of a few seconds asks for it, if a node is free at once.
// The lack of one says nothing about the program.
void SlurmCheck::checkApptainer()
{
    QStringList arguments = m_target.options;
    arguments << u"--immediate=15"_s << u"--ntasks=1"_s << u"--time=1"_s << u"--job-name=trainyard-check"_s
              << u"/bin/sh"_s << u"-lc"_s
              << u"if command -v apptainer >/dev/null; then apptainer --version; else echo no-apptainer-here; fi"_s;
    m_commands.run(u"srun"_s, arguments, [self = shared_from_this()](const SlurmCommands::Answer &answer) {
        if (self->notesUnasked(answer)) {
            return;
        }
        QJsonObject args{{u"how"_s, self->m_target.images}, {u"target"_s, self->m_target.id()}};
        const QList<QByteArray> lines = answer.out.trimmed().split('\n'); // what a login shell prints comes before it
        const QString said = QString::fromUtf8(lines.constLast().trimmed());
        if (!answer.isGood() || said.isEmpty()) {
            args.insert(u"detail"_s, slurm::refusal(answer.errors + '\n' + answer.out));
            self->add(u"images"_s, true, u"slurm.images-unknown"_s, args);
        } else if (said == "no-apptainer-here"_L1) {
            self->add(u"images"_s, false, u"slurm.no-apptainer"_s, args);
        } else {
            args.insert(u"version"_s, said);
            self->add(u"images"_s, true, {}, args);
        }
        self->nextStep();
    });
}

// No job is there that could be changed: it is the target, or the cluster.
void SlurmCheck::refused(QJsonObject args)
{
    const QStringList away = slurm::whyAllAreAway(slurm::partitionsOf(m_partitions, m_target.options));
    const bool isForNodes = slurm::isOfNodes(args.value("detail"_L1).toString()) && !away.isEmpty();
    args.insert(u"reasons"_s, QJsonArray::fromStringList(away));
    add(u"submission"_s, false, isForNodes ? u"slurm.nodes-away"_s : u"slurm.check-refused"_s, args);
}

void SlurmCheck::nextStep()
{
    const std::shared_ptr<SlurmCheck> self = shared_from_this();
    switch (m_info.steps.size() - (m_site ? 1 : 0)) {
    case 0:
        m_commands.run(u"sbatch"_s, {u"--version"_s}, [self](const SlurmCommands::Answer &answer) {
            if (!answer.isGood()) {
                self->failed(u"commands"_s, u"sbatch"_s, answer);
                return;
            }
            self->add(u"commands"_s, true, {}, {{u"version"_s, QString::fromUtf8(answer.out.trimmed())}});
            self->nextStep();
        });
        return;
    case 1:
        m_commands.run(u"sinfo"_s, slurm::partitionArguments(), [self](const SlurmCommands::Answer &answer) {
            if (!answer.isGood()) {
                self->failed(u"answers"_s, u"sinfo"_s, answer);
                return;
            }
            self->m_partitions = slurm::partitionsIn(answer.out);
            self->add(u"answers"_s, true, {}, {{u"partitions"_s, self->m_partitions}});
            self->nextStep();
        });
        return;
    case 2:
        checkUse();
        return;
    case 3:
        checkLimits();
        return;
    case 4: {
        if (m_site) {
            m_site->deliver(m_folder, {}, [self](const Result<void> &done) {
                QJsonObject args = done ? QJsonObject{{u"folder"_s, self->m_folder}} : done.error().args;
                args.insert(u"host"_s, self->m_site->host());
                self->add(u"folder"_s, done.has_value(), done ? QString() : done.error().code, args);
                self->nextStep();
            });
            return;
        }
        if (!m_whyNot.code.isEmpty()) {
            add(u"folder"_s, false, m_whyNot.code, m_whyNot.args);
            nextStep();
            return;
        }
        const bool isNew = !QFileInfo::exists(m_folder); // perhaps by a slip of the pen
        const int error = contract::makeFolders(pathBytes(m_folder));
        QTemporaryFile probe(m_folder + u"/.trainyard-XXXXXX"_s);
        const bool isMade = error == 0 && probe.open();
        const QString message = error != 0 ? QString::fromLocal8Bit(std::strerror(error)) : probe.errorString();
        add(u"folder"_s, isMade, isMade ? QString() : u"slurm.folder"_s,
            {{u"folder"_s, m_folder}, {u"message"_s, message}, {u"made"_s, isNew && isMade}});
        nextStep();
        return;
    }
    default:
        checkForJobs();
    }
}

// What only some targets have, and then what a job would hear.
void SlurmCheck::checkForJobs()
{
    const auto lacks = [this](QStringView id) {
        return std::none_of(
            m_info.steps.cbegin(), m_info.steps.cend(), [id](const ClusterStep &step) { return step.id == id; });
    };
    if (m_target.images == apptainerImages && lacks(u"images")) {
        checkApptainer();
    } else if (m_target.images == pyxisImages && lacks(u"images")) {
        checkPyxis();
    } else if (!m_target.modules.isEmpty() && lacks(u"modules")) {
        checkModules();
    } else {
        checkSubmission();
    }
}

// The nodes may have other modules than the computer where jobs are submitted, and a task that lacks one says so.
void SlurmCheck::checkModules()
{
    m_commands.run(u"bash"_s, slurm::moduleCheckArguments(m_target.modules),
        [self = shared_from_this()](const SlurmCommands::Answer &answer) {
            Error fault = slurm::moduleFault(answer);
            fault.args.insert(u"target"_s, self->m_target.id());
            fault.args.insert(u"modules"_s, self->m_target.modules.join(u", "_s));
            fault.args.insert(u"host"_s, self->m_site ? self->m_site->host() : QSysInfo::machineHostName());
            self->add(u"modules"_s, true, fault.code, fault.args);
            self->nextStep();
        });
}

void SlurmCheck::checkSubmission()
{
    QStringList arguments{u"--test-only"_s, u"--ntasks=1"_s};
    arguments += m_target.options;
    arguments += u"--wrap=true"_s;
    m_commands.run(u"sbatch"_s, arguments, [self = shared_from_this()](const SlurmCommands::Answer &answer) {
        const QString said = slurm::refusal(answer.errors + '\n' + answer.out);
        if (QJsonObject tooLong = slurm::timeThatNeverFits(self->m_target.options, self->m_partitions);
            answer.isGood() && !tooLong.isEmpty()) {
            tooLong.insert(u"target"_s, self->m_target.id());
            self->add(u"submission"_s, false, u"slurm.time-too-long"_s, tooLong);
            self->m_then(self->m_info);
            return;
        }
        QJsonObject args{{u"target"_s, self->m_target.id()}, {u"detail"_s, said}};
        if (answer.isGood()) {
            self->add(u"submission"_s, true, {}, args);
        } else {
            self->refused(args);
        }
        self->m_then(self->m_info);
    });
}

} // namespace trainyard

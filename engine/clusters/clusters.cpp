// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/clusters.h"

#include "engine/client/paths.h"

#include <QDir>
#include <QJsonArray>
#include <QTemporaryFile>

namespace trainyard
{

using namespace Qt::StringLiterals;

Clusters::Clusters(const SlurmBackend::Options &options, const Settings &settings, ExitRulesFile &exitRules,
    const HostOf &hostOf, const CodeOf &codeOf, const QString &ownName)
    : m_options(options), m_settings(settings), m_exitRules(exitRules), m_hostOf(hostOf), m_codeOf(codeOf),
      m_ownName(ownName)
{
}

Clusters::~Clusters() = default;

// Clusters with the same login node have the same controller: they share its answers.
Clusters::Gate &Clusters::gateOf(const QString &login)
{
    std::unique_ptr<Gate> &gate = m_gates[login];
    if (!gate && login.isEmpty()) {
        gate = std::make_unique<Gate>(m_settings);
    } else if (!gate) {
        const SlurmCommands::Helper helper = [this, login] { return m_hostOf(login).agent; };
        LoginSite::Options options{login, helper, [this, login] { return m_hostOf(login).target; }, m_ownName,
            m_options.stateFolder + u"/cluster-logins/"_s + login};
        gate = std::make_unique<Gate>(m_settings, std::make_unique<LoginSite>(options, m_settings), helper);
        gate->code = m_codeOf(login);
    }
    return *gate;
}

void Clusters::codeReady()
{
    for (const auto &[target, backend] : m_slurm) {
        backend->launchHeld();
    }
}

void Clusters::codeDescribed()
{
    for (const auto &[target, backend] : m_slurm) {
        backend->describeHeld();
    }
}

void Clusters::hostChanged(const QString &name)
{
    if (const auto it = m_gates.find(name); it != m_gates.end() && it->second->site) {
        it->second->site->hostChanged();
    }
}

void Clusters::sync(const std::function<void(const QString &, Backend &)> &added)
{
    m_added = added;
    m_named.clear();
    for (const SlurmTarget &target : slurmTargetsOf(m_settings)) {
        m_named.insert(target.id());
        const auto it = m_slurm.find(target.id());
        const bool isOther = it != m_slurm.end() && it->second->target().login != target.login;
        if (isOther && !it->second->isIdle()) {
            // What it has goes on where it is.
            SlurmTarget kept = target;
            kept.login = it->second->target().login;
            kept.problem = {u"slurm.login-busy"_s, {{u"target"_s, target.id()}}};
            it->second->setTarget(kept);
            continue;
        }
        if (isOther) {
            m_replaced.push_back(std::move(it->second));
            m_slurm.erase(it);
        } else if (it != m_slurm.end()) {
            it->second->setTarget(target);
            continue;
        }
        Gate &gate = gateOf(target.login);
        auto backend = std::make_unique<SlurmBackend>(target, m_options, m_settings, gate.commands, gate.queue,
            m_exitRules, gate.site.get(), gate.site ? &gate.code : nullptr);
        SlurmBackend &made = *m_slurm.emplace(target.id(), std::move(backend)).first->second;
        connect(
            &made, &SlurmBackend::becameIdle, this,
            [this, &made] {
                if (made.target().problem.code == "slurm.login-busy"_L1) {
                    sync(std::function(m_added));
                }
            },
            Qt::QueuedConnection);
        added(target.id(), made);
    }
    for (const auto &[target, backend] : m_slurm) {
        backend->setNamed(m_named.contains(target));
    }
}

ClusterInfo Clusters::infoOf(const SlurmBackend &backend) const
{
    const SlurmTarget &target = backend.target();
    ClusterInfo info{target.id(), QString(slurmKind), target.name, target.options.join(u' '), target.folder,
        target.login, m_named.contains(target.id()), {}, {}, backend.allocations()};
    if (!target.problem.code.isEmpty()) {
        info.error = target.problem.code;
        info.errorArgs = target.problem.args;
    } else if (!backend.isIdle()) {
        const Error problem = backend.problem();
        info.error = problem.code;
        info.errorArgs = problem.args;
    }
    return info;
}

QList<ClusterInfo> Clusters::list() const
{
    QList<ClusterInfo> found;
    for (const auto &[target, backend] : m_slurm) {
        if (m_named.contains(target) || !backend->isIdle()) {
            found.append(infoOf(*backend));
        }
    }
    return found;
}

// One after the other: what fails makes the next ones pointless.
struct Clusters::Check {
    ClusterInfo info;
    SlurmTarget target;
    SlurmCommands *commands = nullptr;
    LoginSite *site = nullptr; // null: this computer has the commands
    QString folder;
    std::function<void(const Result<ClusterInfo> &)> then;
    void add(const QString &id, bool isGood, const QString &code, const QJsonObject &args)
    {
        info.steps.append({id, isGood, code, args});
    }
};

void Clusters::check(const QString &target, const std::function<void(const Result<ClusterInfo> &)> &then)
{
    const auto it = m_slurm.find(target);
    if (it == m_slurm.end() || !m_named.contains(target)) {
        then(fail(u"target.unknown"_s, {{u"target"_s, target}}));
        return;
    }
    auto check = std::make_shared<Check>();
    check->info = infoOf(*it->second);
    check->target = it->second->target();
    check->folder = check->target.folder.isEmpty() ? m_options.stateFolder : check->target.folder;
    check->then = then;
    Gate &gate = gateOf(check->target.login);
    check->commands = &gate.commands;
    check->site = gate.site.get();
    if (check->site) {
        checkLogin(check);
    } else {
        nextStep(check);
    }
}

// Before all others: without it there is no cluster to ask.
void Clusters::checkLogin(const std::shared_ptr<Check> &check)
{
    const Error absence = check->site->isOnline() ? Error() : check->site->absence();
    check->add(u"login"_s, absence.code.isEmpty(), absence.code, {{u"host"_s, check->site->host()}});
    if (!absence.code.isEmpty()) {
        check->then(check->info);
        return;
    }
    check->folder = check->site->rootFor(check->target.folder);
    nextStep(check);
}

void Clusters::nextStep(const std::shared_ptr<Check> &check)
{
    const auto failed = [check](const QString &id, const QString &program, const SlurmCommands::Answer &answer) {
        const bool isMissing = answer.kind == SlurmCommands::Answer::Kind::Missing;
        const bool isAway = answer.kind == SlurmCommands::Answer::Kind::Away;
        Error why{isAway    ? u"slurm.login-away"_s
                : isMissing ? u"slurm.no-commands"_s
                            : u"slurm.silent"_s,
            {{u"program"_s, program}, {u"target"_s, check->target.id()},
                {u"detail"_s, slurm::refusal(answer.errors + '\n' + answer.out)}}};
        why = check->site ? check->site->inItsWords(why) : why;
        check->add(id, false, why.code, why.args);
        check->then(check->info);
    };
    switch (check->info.steps.size() - (check->site ? 1 : 0)) {
    case 0:
        check->commands->run(u"sbatch"_s, {u"--version"_s}, [this, check, failed](const SlurmCommands::Answer &answer) {
            if (!answer.isGood()) {
                failed(u"commands"_s, u"sbatch"_s, answer);
                return;
            }
            check->add(u"commands"_s, true, {}, {{u"version"_s, QString::fromUtf8(answer.out.trimmed())}});
            nextStep(check);
        });
        return;
    case 1:
        check->commands->run(u"sinfo"_s, {u"--noheader"_s, u"--format=%P\x1f%a\x1f%l\x1f%D\x1f%c\x1f%G"_s},
            [this, check, failed](const SlurmCommands::Answer &answer) {
                if (!answer.isGood()) {
                    failed(u"answers"_s, u"sinfo"_s, answer);
                    return;
                }
                check->add(u"answers"_s, true, {}, {{u"partitions"_s, slurm::partitionsJson(answer.out)}});
                nextStep(check);
            });
        return;
    case 2: {
        if (check->site) {
            check->site->deliver(check->folder, {}, [this, check](const Result<void> &done) {
                QJsonObject args = done ? QJsonObject{{u"folder"_s, check->folder}} : done.error().args;
                args.insert(u"host"_s, check->site->host());
                check->add(u"folder"_s, done.has_value(), done ? QString() : done.error().code, args);
                nextStep(check);
            });
            return;
        }
        QTemporaryFile probe(check->folder + u"/.trainyard-XXXXXX"_s);
        const bool isMade = QDir().mkpath(check->folder) && probe.open();
        check->add(u"folder"_s, isMade, isMade ? QString() : u"slurm.folder"_s,
            {{u"folder"_s, check->folder}, {u"message"_s, probe.errorString()}});
        nextStep(check);
        return;
    }
    case 3: {
        QStringList arguments{u"--test-only"_s, u"--ntasks=1"_s};
        arguments += check->target.options;
        arguments += u"--wrap=true"_s;
        check->commands->run(u"sbatch"_s, arguments, [check](const SlurmCommands::Answer &answer) {
            const QString said = slurm::refusal(answer.errors + '\n' + answer.out);
            check->add(u"submission"_s, answer.isGood(), answer.isGood() ? QString() : u"slurm.refused"_s,
                {{u"target"_s, check->target.id()}, {u"detail"_s, said}});
            check->then(check->info);
        });
        return;
    }
    default:
        check->then(check->info);
    }
}

} // namespace trainyard

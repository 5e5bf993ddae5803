// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmkind.h"

namespace trainyard
{

using namespace Qt::StringLiterals;

SlurmKind::SlurmKind(
    const SlurmBackend::Options &options, const Settings &settings, ExitRulesFile &exitRules, const Logins &logins)
    : m_options(options), m_settings(settings), m_exitRules(exitRules), m_logins(logins)
{
    m_options.ownName = logins.ownName;
    m_options.supply = &m_logins.supply;
}

SlurmKind::~SlurmKind() = default;

QStringList SlurmKind::targets(const Settings &of) const
{
    QStringList ids;
    for (const SlurmTarget &target : slurmTargetsOf(of)) {
        ids.append(target.id());
    }
    return ids;
}

SlurmKind::Gate &SlurmKind::gateOf(const QString &login)
{
    std::unique_ptr<Gate> &gate = m_gates[login];
    if (!gate && login.isEmpty()) {
        gate = std::make_unique<Gate>(m_settings);
    } else if (!gate) {
        const SlurmCommands::Helper helper = [this, login] { return m_logins.hostOf(login).agent; };
        LoginSite::Options options{login, helper, [this, login] { return m_logins.hostOf(login).target; },
            m_logins.ownName, m_options.stateFolder + u"/cluster-logins/"_s + login};
        gate = std::make_unique<Gate>(m_settings, std::make_unique<LoginSite>(options, m_settings), helper);
        gate->code = m_logins.codeOf(login);
    }
    return *gate;
}

std::unique_ptr<ClusterBackend> SlurmKind::make(const QString &target, const Settings &of)
{
    for (const SlurmTarget &each : slurmTargetsOf(of)) {
        if (each.id() == target) {
            Gate &gate = gateOf(each.login);
            auto made = std::make_unique<SlurmBackend>(each, m_options, m_settings, gate.commands, gate.queue,
                m_exitRules, gate.site.get(), gate.site ? &gate.code : nullptr);
            m_made.emplace_back(made.get());
            return made;
        }
    }
    return nullptr;
}

void SlurmKind::hostChanged(const QString &name)
{
    if (const auto it = m_gates.find(name); it != m_gates.end() && it->second->site) {
        it->second->site->hostChanged();
    } else if (name == "local"_L1) {
        launchHeld(); // data comes by its agent
    }
}

void SlurmKind::launchHeld()
{
    for (const QPointer<SlurmBackend> &backend : m_made) {
        if (backend) {
            backend->launchHeld();
        }
    }
}

void SlurmKind::describeHeld()
{
    for (const QPointer<SlurmBackend> &backend : m_made) {
        if (backend) {
            backend->describeHeld();
        }
    }
}

} // namespace trainyard

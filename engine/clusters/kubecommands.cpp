// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/kubecommands.h"

#include "engine/clusters/clusterprogram.h"

#include <QProcess>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr int mostKubectls = 6;

} // namespace

// Running commands end without us: their answers are no longer needed.
KubeCommands::~KubeCommands()
{
    const QList<QProcess *> processes = findChildren<QProcess *>();
    for (QProcess *process : processes) {
        process->disconnect(this);
        process->kill();
    }
}

void KubeCommands::run(const QStringList &arguments, const QByteArray &input, const Then &then)
{
    m_waiting.push_back({arguments, input, then});
    startNext();
}

void KubeCommands::startNext()
{
    while (!m_waiting.empty() && m_running < mostKubectls) {
        const Wanted wanted = std::move(m_waiting.front());
        m_waiting.pop_front();
        ++m_running;
        start(wanted);
    }
}

void KubeCommands::start(const Wanted &wanted)
{
    runClusterProgram(
        this, {u"kubectl"_s, wanted.arguments, wanted.input}, [this, then = wanted.then](const ClusterProgramEnd &end) {
            --m_running;
            const kube::Answer::Kind kind = end.kind == ClusterProgramEnd::Kind::Missing ? kube::Answer::Kind::Missing
                : end.kind == ClusterProgramEnd::Kind::Done                              ? kube::Answer::Kind::Done
                                                                                         : kube::Answer::Kind::TimedOut;
            then({kind, end.status, end.out, end.errors});
            startNext();
        });
}

} // namespace trainyard

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/hostwait.h"

#include "app/cli/console.h"
#include "app/cli/session.h"
#include "app/cli/useofhost.h"
#include "engine/api/hoststeps.h"
#include "widgets/text/hosttexts.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr int measurePatienceMs = 10000;
constexpr int clusterPatienceMs = 18000; // the commands of Slurm take up to 15 s to find out that no controller answers
constexpr int connectPatienceMs = 90000; // from the last thing that happened: a slow line takes its time

bool isSettled(const HostInfo &host)
{
    return (host.state == HostState::Online && host.check != StepState::Running) || host.state == HostState::NeedsLogin
        || host.state == HostState::Failed || (host.state == HostState::Offline && !host.error.isEmpty());
}

bool isClusterAsked(const HostInfo &host)
{
    return std::any_of(host.steps.cbegin(), host.steps.cend(),
        [](const HostStep &step) { return step.id == hoststep::cluster && step.state == StepState::Running; });
}

// Also whether a cluster answers its commands. The free disk of another computer comes with its clock.
bool isMeasured(const HostInfo &host)
{
    return !isClusterAsked(host) && std::none_of(host.steps.cbegin(), host.steps.cend(), [&host](const HostStep &step) {
        return (step.id == hoststep::clock && step.state == StepState::Running)
            || (step.id == hoststep::disk && host.target.isEmpty() && step.args.value("freeMiB"_L1).toInteger(-1) < 0);
    });
}

// "Connecting to lab1: Helper, copying, 0.4 of 2.8 MiB ..."
QString connectingText(const HostInfo &host)
{
    const auto last = std::find_if(host.steps.crbegin(), host.steps.crend(),
        [](const HostStep &step) { return step.state == StepState::Running; });
    if (last == host.steps.crend()) {
        return tr("Connecting to %1 ...").arg(host.id);
    }
    const QString text = stepText(*last);
    const QString name = stepName(last->id);
    return tr("Connecting to %1: %2 ...").arg(host.id, text.isEmpty() ? name : tr("%1, %2").arg(name, text));
}

AwaitedHost await(Session &session, const QString &id, bool isInterruptible)
{
    Progress progress(tr("Connecting to %1 ...").arg(id));
    QEventLoop loop;
    QTimer patience;
    AwaitedHost awaited;
    QString seen;
    const auto look = [&] {
        const QList<HostInfo> hosts = session.client().hosts();
        for (const HostInfo &host : hosts) {
            if (host.id != id) {
                continue;
            }
            if (isSettled(host)) {
                awaited.host = host;
                loop.quit();
            } else if (const QString text = connectingText(host); text != seen) {
                seen = text;
                progress.setText(text);
                patience.start(connectPatienceMs);
            }
        }
    };
    QObject::connect(&session.client(), &EngineClient::hostChanged, &loop, look);
    QObject::connect(&session.client(), &EngineClient::reset, &loop, look);
    QObject::connect(&patience, &QTimer::timeout, &loop, &QEventLoop::quit);
    patience.start(connectPatienceMs);
    QObject::connect(&session.client(), &EngineClient::question, &loop, [&](const Question &question) {
        if (question.host == id && question.kind == "touch"_L1) {
            errorLine(tr("Touch your security key: %1").arg(question.prompt)); // ssh goes on by itself
            patience.start(connectPatienceMs);
        } else if (question.host == id) {
            if (!question.lockedKey.isEmpty()) {
                errorLine(lockedKeyText(question.lockedKey));
            }
            const bool shown = question.kind == "hostKey"_L1 || question.kind == "other"_L1;
            const std::optional<QString> text = askOnTerminal(question.prompt + u' ', shown);
            session.client().call<api::Answer>({question.id, text}, session.context(), [](const Result<bool> &) {});
            patience.start(connectPatienceMs);
        }
    });
    std::optional<Interrupts> interrupts;
    if (isInterruptible) {
        interrupts.emplace();
        session.letInterruptsEnd(); // when these are over
        QObject::connect(&*interrupts, &Interrupts::pressed, &loop, [&] {
            awaited.isInterrupted = true;
            loop.quit();
        });
    }
    QTimer::singleShot(0, &loop, look);
    loop.exec();
    return awaited;
}

} // namespace

std::optional<HostInfo> waitForHost(Session &session, const QString &id) { return await(session, id, false).host; }

AwaitedHost waitForHostOrInterrupt(Session &session, const QString &id) { return await(session, id, true); }

std::optional<HostInfo> waitForMeasures(Session &session, const QString &id)
{
    const Progress progress(tr("Measuring %1 ...").arg(id));
    QEventLoop loop;
    const auto look = [&] {
        const std::optional<HostInfo> host = knownHost(session, id);
        if (!host || host->state != HostState::Online || isMeasured(*host)) {
            loop.quit();
        }
    };
    QObject::connect(&session.client(), &EngineClient::hostChanged, &loop, look);
    QObject::connect(&session.client(), &EngineClient::reset, &loop, look);
    QTimer::singleShot(0, &loop, look);
    QTimer::singleShot(measurePatienceMs, &loop, [&] {
        const std::optional<HostInfo> host = knownHost(session, id);
        if (!host || !isClusterAsked(*host)) {
            loop.quit();
        }
    });
    QTimer::singleShot(clusterPatienceMs, &loop, &QEventLoop::quit);
    loop.exec();
    return knownHost(session, id);
}

} // namespace trainyard::cli

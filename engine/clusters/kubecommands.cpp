// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/kubecommands.h"

#include <QProcess>
#include <QTimer>

#include <memory>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr int kubeAnswerMs = 60'000;
constexpr int mostKubectls = 6;
constexpr qsizetype mostKubeOutput = 64 << 20; // of the pods of ten thousand tasks; what says more is not listened to

struct KubeRun {
    bool isTimedOut = false, isTooLong = false, isOver = false;
    QByteArray out, errors;
};

} // namespace

// What still runs ends without us: its answer is nobody's any more.
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
    auto *process = new QProcess(this);
    process->setWorkingDirectory(u"/"_s);
    const auto state = std::make_shared<KubeRun>();
    const auto over = [this, process, state, then = wanted.then](const kube::Answer &answer) {
        if (std::exchange(state->isOver, true)) {
            return;
        }
        process->deleteLater();
        --m_running;
        then(answer);
        startNext();
    };
    auto *timer = new QTimer(process);
    timer->setSingleShot(true);
    connect(timer, &QTimer::timeout, process, [process, state] {
        state->isTimedOut = true;
        process->kill();
    });
    connect(process, &QProcess::readyReadStandardOutput, this, [process, state] {
        state->out += process->readAllStandardOutput();
        if (state->out.size() > mostKubeOutput) {
            state->isTooLong = true;
            state->out.clear();
            process->kill();
        }
    });
    connect(process, &QProcess::readyReadStandardError, this, [process, state] {
        state->errors += process->readAllStandardError();
        state->errors = state->errors.right(64 << 10);
    });
    connect(process, &QProcess::errorOccurred, this, [this, over](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            // Later, also when it is said at once.
            QTimer::singleShot(0, this, [over] { over({kube::Answer::Kind::Missing, -1, {}, {}}); });
        }
    });
    connect(process, &QProcess::finished, this, [process, state, over](int status, QProcess::ExitStatus how) {
        state->out += process->readAllStandardOutput();
        state->errors += process->readAllStandardError();
        const bool isLost = state->isTimedOut || state->isTooLong;
        over({isLost ? kube::Answer::Kind::TimedOut : kube::Answer::Kind::Done,
            how == QProcess::NormalExit ? status : -1, state->out, state->errors});
    });
    timer->start(kubeAnswerMs);
    process->start(u"kubectl"_s, wanted.arguments);
    if (!wanted.input.isEmpty()) {
        process->write(wanted.input);
    }
    process->closeWriteChannel();
}

} // namespace trainyard

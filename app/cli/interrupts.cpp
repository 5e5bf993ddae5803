// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/interrupts.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <iterator>
#include <utility>

namespace trainyard::cli
{
namespace
{

constexpr int caughtSignals[] = {SIGINT, SIGTERM, SIGHUP};
int interruptPipe[2] = {-1, -1};
int catching = 0; // objects that live
// The previous handlers. Signals that were ignored when the program was started stay ignored, as under nohup.
struct sigaction before[std::size(caughtSignals)];
bool isCaught[std::size(caughtSignals)] = {};

void onInterrupt(int)
{
    const char byte = 1;
    [[maybe_unused]] const ssize_t written = ::write(interruptPipe[1], &byte, 1);
}

} // namespace

KeptInterrupts::KeptInterrupts()
{
    if (catching++ > 0 || (interruptPipe[0] < 0 && ::pipe2(interruptPipe, O_CLOEXEC | O_NONBLOCK) != 0)) {
        return;
    }
    struct sigaction action {
    };
    action.sa_handler = onInterrupt;
    action.sa_flags = SA_RESTART;
    for (std::size_t i = 0; i < std::size(caughtSignals); ++i) {
        isCaught[i] = ::sigaction(caughtSignals[i], nullptr, &before[i]) == 0 && before[i].sa_handler != SIG_IGN;
        if (isCaught[i]) {
            ::sigaction(caughtSignals[i], &action, nullptr);
        }
    }
}

KeptInterrupts::~KeptInterrupts()
{
    if (--catching > 0) {
        return;
    }
    for (std::size_t i = 0; i < std::size(caughtSignals); ++i) {
        if (std::exchange(isCaught[i], false)) {
            ::sigaction(caughtSignals[i], &before[i], nullptr);
        }
    }
}

bool KeptInterrupts::arePending()
{
    pollfd input{interruptPipe[0], POLLIN, 0};
    return interruptPipe[0] >= 0 && ::poll(&input, 1, 0) == 1;
}

std::unique_ptr<QSocketNotifier> KeptInterrupts::notifier()
{
    return interruptPipe[0] < 0 ? nullptr : std::make_unique<QSocketNotifier>(interruptPipe[0], QSocketNotifier::Read);
}

Interrupts::Interrupts(QObject *parent) : QObject(parent), m_notifier(KeptInterrupts::notifier())
{
    if (!m_notifier) {
        return;
    }
    QObject::connect(m_notifier.get(), &QSocketNotifier::activated, this, [this] {
        char byte = 0;
        while (::read(interruptPipe[0], &byte, 1) > 0) {
            Q_EMIT pressed(++m_count);
        }
    });
}

} // namespace trainyard::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/hostadvice.h"

#include <QCoreApplication>

#include <algorithm>
#include <iterator>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

struct AdviceRow {
    QLatin1StringView said; // by ssh, which speaks English to programs
    const char *advice;
};

constexpr AdviceRow unreachableRows[] = {
    {"connection refused"_L1,
        QT_TRANSLATE_NOOP("HostAdvice",
            "The machine is there, but no ssh server answers at this port. Check the port, or start the ssh server "
            "there.")},
    {"no route to host"_L1,
        QT_TRANSLATE_NOOP("HostAdvice",
            "Nothing answers at this address. Check that the machine is switched on, and that this computer is in its "
            "network, for instance by a VPN.")},
    {"network is unreachable"_L1,
        QT_TRANSLATE_NOOP("HostAdvice",
            "This computer has no route to the network of the host. Check its own connection, or start the VPN.")},
    {"timed out"_L1,
        QT_TRANSLATE_NOOP("HostAdvice",
            "Nothing answered in time. Check that the machine is switched on, and that neither a firewall nor a "
            "missing VPN stops the connection.")},
};

} // namespace

QString hostAdvice(const HostStep &step)
{
    const auto say = [](const char *text) { return QCoreApplication::translate("HostAdvice", text); };
    if (step.code == "host.name-unknown"_L1) {
        return say(QT_TRANSLATE_NOOP("HostAdvice",
            "Check the spelling, and that this computer can look up the name; an address, or an entry in "
            "~/.ssh/config, needs no such lookup."));
    }
    if (step.code == "host.closed-early"_L1) {
        return say(QT_TRANSLATE_NOOP(
            "HostAdvice", "Wait some minutes, and try again; if this persists, the log of sshd on the host says why."));
    }
    if (step.code == "host.closed-at-login"_L1) {
        return say(QT_TRANSLATE_NOOP("HostAdvice",
            "Ask the administrator of the host about your account; the log of sshd there says why the login ended."));
    }
    if (step.code != "host.unreachable"_L1) {
        return {};
    }
    const QString message = step.args.value("message"_L1).toString();
    const auto *known = std::ranges::find_if(
        unreachableRows, [&message](const AdviceRow &row) { return message.contains(row.said, Qt::CaseInsensitive); });
    return known == std::end(unreachableRows)
        ? say(QT_TRANSLATE_NOOP("HostAdvice", "Try the same by hand; ssh then prints where the connection fails."))
        : say(known->advice);
}

} // namespace trainyard

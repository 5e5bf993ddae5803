// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/displayguard.h"

#include <QCoreApplication>
#include <QString>

#include <cstdio>
#include <cstdlib>

namespace trainyard
{
namespace
{

QtMessageHandler formerHandler = nullptr;

bool hasDisplay() { return qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY"); }

void handleMessage(QtMsgType type, const QMessageLogContext &context, const QString &text)
{
    if (type == QtFatalMsg) {
        const QString sentence = QCoreApplication::translate("main",
            "trainyard: No display can be opened. Start it in a desktop session or with \"ssh -X\", or use "
            "trainyardctl, "
            "which needs no display.");
        std::fprintf(stderr, "%s\n", qUtf8Printable(sentence));
        std::_Exit(1); // what a QApplication that is half made would do at the end is not known
    }
    // Why a display that is there is not opened helps; that none is there has been said.
    if (hasDisplay() || !QLatin1StringView(context.category).startsWith(QLatin1StringView("qt.qpa"))) {
        formerHandler(type, context, text);
    }
}

} // namespace

DisplayGuard::DisplayGuard() { formerHandler = qInstallMessageHandler(handleMessage); }

DisplayGuard::~DisplayGuard() { qInstallMessageHandler(formerHandler); }

} // namespace trainyard

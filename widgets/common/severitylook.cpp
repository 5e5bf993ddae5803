// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/severitylook.h"

namespace trainyard
{

QString iconOf(Severity severity)
{
    switch (severity) {
    case Severity::Error:
        return QStringLiteral("error");
    case Severity::Warning:
        return QStringLiteral("warning");
    case Severity::Note:
        break;
    }
    return QStringLiteral("info");
}

Colour colourOf(Severity severity)
{
    switch (severity) {
    case Severity::Error:
        return Colour::Failed;
    case Severity::Warning:
        return Colour::Waiting;
    case Severity::Note:
        break;
    }
    return Colour::Muted;
}

Colour groundOf(Severity severity)
{
    switch (severity) {
    case Severity::Error:
        return Colour::FailedTint;
    case Severity::Warning:
        return Colour::WaitingTint;
    case Severity::Note:
        break;
    }
    return Colour::Selection;
}

} // namespace trainyard

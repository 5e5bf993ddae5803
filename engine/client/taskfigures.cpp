// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/taskfigures.h"

#include "engine/contract/taskfolder.h"

namespace trainyard
{

QString figuresFile(const QString &logFolder)
{
    return logFolder + QLatin1Char('/') + QLatin1StringView(contract::file::figures);
}

FigureUnit figureUnit(std::string_view name)
{
    if (name == "cpu" || name.ends_with("/use")) {
        return FigureUnit::Percent;
    }
    if (name == "memory" || name.ends_with("/memory")) {
        return FigureUnit::MiB;
    }
    if (name.starts_with("disk/") || name.starts_with("host/network/")) {
        return FigureUnit::MiBPerSecond;
    }
    if (name.ends_with("/power")) {
        return FigureUnit::Watt;
    }
    return name.ends_with("/temperature") ? FigureUnit::Celsius : FigureUnit::Other;
}

QString unitSymbol(FigureUnit unit)
{
    switch (unit) {
    case FigureUnit::Percent:
        return QStringLiteral("%");
    case FigureUnit::MiB:
        return QStringLiteral("MiB");
    case FigureUnit::MiBPerSecond:
        return QStringLiteral("MiB/s");
    case FigureUnit::Watt:
        return QStringLiteral("W");
    case FigureUnit::Celsius:
        return QStringLiteral("°C");
    case FigureUnit::Other:
        break;
    }
    return {};
}

} // namespace trainyard

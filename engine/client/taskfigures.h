// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string_view>

namespace trainyard
{

// A task's use of its host: a file of series beside its output (docs/task-folder.md). The x of its points is the
// time in ms UTC.
QString figuresFile(const QString &logFolder);

enum class FigureUnit { Percent, MiB, MiBPerSecond, Watt, Celsius, Other };
// The unit of "cpu", "memory", "disk/read", "gpu/0/power" and so on. The processor's percent counts cores: 400 is four
// of them.
FigureUnit figureUnit(std::string_view name);
QString unitSymbol(FigureUnit unit); // "%", "MiB", "MiB/s", "W", "°C"

} // namespace trainyard

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/figurenames.h"

#include "engine/client/taskfigures.h"

#include <QCoreApplication>

namespace trainyard
{
namespace
{

class Words
{
    Q_DECLARE_TR_FUNCTIONS(trainyard::Figures)
public:
    static QString of(const QString &name)
    {
        static const QString gpu = QStringLiteral("gpu/");
        if (name.startsWith(gpu)) {
            const QString index = name.section(QLatin1Char('/'), 1, 1);
            const QString what = name.section(QLatin1Char('/'), 2);
            return what == QLatin1String("use")        ? tr("GPU %1 use").arg(index)
                : what == QLatin1String("memory")      ? tr("GPU %1 memory").arg(index)
                : what == QLatin1String("power")       ? tr("GPU %1 power").arg(index)
                : what == QLatin1String("temperature") ? tr("GPU %1 temperature").arg(index)
                                                       : name;
        }
        return name == QLatin1String("cpu")                  ? tr("CPU")
            : name == QLatin1String("memory")                ? tr("Memory")
            : name == QLatin1String("disk/read")             ? tr("Disk read")
            : name == QLatin1String("disk/written")          ? tr("Disk written")
            : name == QLatin1String("host/network/received") ? tr("Received by host")
            : name == QLatin1String("host/network/sent")     ? tr("Sent by host")
                                                             : name;
    }
    static QString withUnit(const QString &title, const QString &unit) { return tr("%1 (%2)").arg(title, unit); }
};

} // namespace

QString figureTitle(const std::string &name)
{
    const QString title = Words::of(QString::fromStdString(name));
    const QString unit = unitSymbol(figureUnit(name));
    return unit.isEmpty() ? title : Words::withUnit(title, unit);
}

int figureRank(const std::string &name)
{
    const auto endsWith = [&name](const char *end) { return name.ends_with(end); };
    const bool isGpu = name.starts_with("gpu/");
    return isGpu && endsWith("/use")   ? 0
        : isGpu && endsWith("/memory") ? 1
        : name == "cpu"                ? 2
        : name == "memory"             ? 3
        : isGpu                        ? 4
        : name.starts_with("disk/")    ? 5
                                       : 6;
}

} // namespace trainyard

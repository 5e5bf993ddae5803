// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/lingering.h"

#include <QFile>
#include <QProcess>
#include <QTimer>

#include <unistd.h>

#include <memory>

namespace trainyard
{

using namespace Qt::StringLiterals;

void askForLingering(QObject *context, const std::function<void(std::optional<bool>)> &answer)
{
    const QString runtime = qEnvironmentVariable("XDG_RUNTIME_DIR");
    if (runtime.isEmpty() || !QFile::exists(runtime + u"/systemd/private"_s)) {
        answer(std::nullopt);
        return;
    }
    auto *process = new QProcess(context);
    const auto told = std::make_shared<bool>(false);
    const auto tell = [process, answer, told](std::optional<bool> lingers) {
        if (!std::exchange(*told, true)) {
            process->deleteLater();
            answer(lingers);
        }
    };
    QObject::connect(process, &QProcess::finished, context, [process, tell] {
        const QByteArray said = process->readAllStandardOutput().trimmed();
        tell(said == "yes" ? std::optional(true) : said == "no" ? std::optional(false) : std::nullopt);
    });
    QObject::connect(process, &QProcess::errorOccurred, context, [tell] { tell(std::nullopt); });
    QTimer::singleShot(2000, process, [tell] { tell(std::nullopt); });
    process->start(u"loginctl"_s, {u"show-user"_s, QString::number(::getuid()), u"--property=Linger"_s, u"--value"_s});
}

} // namespace trainyard

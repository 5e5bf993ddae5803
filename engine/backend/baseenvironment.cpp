// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/baseenvironment.h"

#include "model/template/pluginsteps.h"

namespace trainyard
{

using namespace Qt::StringLiterals;

BaseEnvironment baseEnvironmentOf(const JobSpec &job, const QString &host, const Settings &settings)
{
    const QString ofAll = settings.text(u"environment.mode"_s);
    const QString ofHost = u"hostEnvironment."_s + host;
    const std::pair<QString, QString> sources[] = {{u"extras.trainyard.environment"_s, environmentOf(job)},
        {ofHost, settings.texts(u"hostEnvironment."_s).value(host)}, {u"environment.mode"_s, ofAll}};
    QString word, setBy;
    for (const auto &[name, text] : sources) {
        if (word.isEmpty()) {
            word = text.trimmed();
            setBy = name;
        }
    }
    const bool isCommand = word != "login"_L1 && word != "clean"_L1;
    return {word == "clean"_L1 || (isCommand && ofAll == "clean"_L1), isCommand ? word : QString(), setBy};
}

} // namespace trainyard

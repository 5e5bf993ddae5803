// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/exitrulesfile.h"

#include "engine/client/ownexitrules.h"

#include <QFileInfo>
#include <QJsonDocument>

namespace trainyard
{

using namespace Qt::StringLiterals;

ExitRulesFile::ExitRulesFile(const QString &configFolder)
    : m_configFolder(configFolder), m_rules(std::make_shared<const ExitRules>(ExitRules::bundled()))
{
    read();
}

// A mistake in the user's file must not stop the engine; clients say it in a sentence (they read the same file).
void ExitRulesFile::read()
{
    const QFileInfo file(m_configFolder + u"/exit-rules.json"_s);
    const std::pair stamp(file.exists() ? file.size() : -1, file.lastModified());
    if (m_stamp == stamp) {
        return;
    }
    m_stamp = stamp;
    Result<ExitRules> own = ownExitRules(m_configFolder);
    if (own) {
        m_rules = std::make_shared<const ExitRules>(std::move(*own));
    } else {
        qWarning("trainyard: the exit rules of the configuration are not used: %s %s", qPrintable(own.error().code),
            QJsonDocument(own.error().args).toJson(QJsonDocument::Compact).constData());
    }
}

} // namespace trainyard

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/runtime/exitrules.h"

#include <QDateTime>

#include <memory>

namespace trainyard
{

// The exit rules that the engine uses: those of the user in the configuration folder, and then the bundled ones.
class ExitRulesFile
{
public:
    explicit ExitRulesFile(const QString &configFolder);
    const ExitRules &rules() const { return *m_rules; } // until the next read()
    std::shared_ptr<const ExitRules> shared() const { return m_rules; } // for another thread
    void read(); // again, when the file has changed; one that cannot be used changes nothing

private:
    QString m_configFolder;
    std::pair<qint64, QDateTime> m_stamp{-2, {}};
    std::shared_ptr<const ExitRules> m_rules;
};

} // namespace trainyard

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "model/runtime/exitrules.h"

#include <QJsonObject>

#include <map>
#include <optional>

// The tasks of a job as OpenPAI's REST API shows them.
namespace trainyard::openpai
{

template <typename T> QJsonValue orNull(const std::optional<T> &value)
{
    return value ? QJsonValue(*value) : QJsonValue(QJsonValue::Null);
}

// Most of ten thousand tasks end with the same few codes.
class ExitTexts
{
public:
    explicit ExitTexts(const ExitRules &rules) : m_rules(rules) { }
    struct Text {
        QJsonValue spec = QJsonValue::Null;
        QString phrase;
    };
    const Text &of(const std::optional<int> &code)
    {
        const auto [known, isNew] = m_known.try_emplace(code);
        if (isNew && code) {
            const ExitSpecEntry entry = m_rules.entryFor(*code);
            known->second = {entry.toJson(), entry.phrase};
        }
        return known->second;
    }

private:
    const ExitRules &m_rules;
    std::map<std::optional<int>, Text> m_known;
};

QJsonObject taskJson(const JobSummary &job, const TaskInfo &task, ExitTexts &exits);
// For any try, what a task says about its current one.
QJsonObject tryJson(const JobSummary &job, const TaskInfo &one, ExitTexts &exits);

} // namespace trainyard::openpai

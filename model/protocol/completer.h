// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/suggestions.h"
#include "model/protocol/yamllayout.h"

namespace trainyard
{

// Completes at one position of a text. Large because each part of a job is completed by its own rules.
class Completer
{
public:
    Completer(const QByteArray &text, qsizetype caret, const SuggestionSources &sources);
    Suggestions run();
    Suggestions runInCommands(const YamlPath &commands);

private:
    using Kind = Suggestion::Kind;

    void setRange(ByteRange range);

    // ---- keys ----
    QByteArray spaces(qsizetype count) const;
    void addKey(Suggestion item, FieldType type, const QByteArray &before);
    void keys(const YamlPath &map, const QStringList &present, const QByteArray &before);
    QStringList referred(const QString &scope) const;
    static QString helpOf(const ReferenceField &field);

    // ---- values ----
    void values();
    void listValue(const QByteArray &before);
    void addValue(
        Kind kind, const QString &label, const QString &detail, const QString &help, const QByteArray &before);
    void scalars(const ReferenceField &field, const YamlPath &path, const QByteArray &before);
    void references(const ReferenceField &field, const YamlPath &path, const QByteArray &before);

    // ---- <% %> ----
    void addTemplate(const QString &label, const QString &detail, const QString &help, const TemplateAt &at);
    void addValues(const QString &head, const Value &value, const QString &help, const TemplateAt &at, int depth);
    qsizetype endOfName(const TemplateAt &at) const;
    void templates(const TemplateAt &at);
    void addReferred(const QString &scope, const TemplateAt &at);
    void keepScope();
    void valuesOf(const JobSpec &job, const TemplateAt &at);

    // ---- variables ----
    void variables(const VariableAt &at);

    const QByteArray &m_text;
    qsizetype m_caret;
    const SuggestionSources &m_sources;
    const FieldReference &m_fields;
    CaretPlace m_place;
    YamlLayout m_layout;
    QString m_kind;
    Suggestions m_result;
};

} // namespace trainyard

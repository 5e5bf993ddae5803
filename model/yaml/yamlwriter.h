// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/value.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <vector>

namespace trainyard
{

// A YAML text that is made from nothing, in block style, with comments. (Changes to a text that is there already are
// planned edits, yamledit.h: they keep what the user wrote.)
class YamlWriter
{
public:
    enum class Kind { Null, Plain, Text, Map, List };

    YamlWriter() = default;
    static YamlWriter map();
    static YamlWriter list();
    static YamlWriter text(const QString &text);
    static YamlWriter number(qint64 number);
    static YamlWriter plain(const QByteArray &spelling); // a number or word whose spelling is to stay
    static YamlWriter value(const Value &value);

    // Return the new entry. Comments stand above it, each line with a "#".
    YamlWriter &add(const QString &key, const YamlWriter &value, const QStringList &comments = {});
    YamlWriter &append(const YamlWriter &item, const QStringList &comments = {});
    bool isEmpty() const { return m_items.empty(); }
    Kind kind() const { return m_kind; }
    bool has(const QString &key) const;

    // As a document: `this` is a map with at least one entry. A line break at the end.
    QByteArray write(const QStringList &header = {}) const;

private:
    void writeItems(QByteArray &out, qsizetype column, bool first) const;
    void writeValue(QByteArray &out, qsizetype column) const;
    void writeScalar(QByteArray &out, qsizetype column) const;

    Kind m_kind = Kind::Null;
    QByteArray m_plain;
    QString m_text;
    QString m_key;
    QStringList m_comments;
    std::vector<YamlWriter> m_items;
};

} // namespace trainyard

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/value.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <vector>

namespace trainyard
{

// Makes a new YAML text in block style with comments. (Changes to an existing text are planned edits, which keep what
// the user wrote; see yamledit.h.)
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

    // Return the new entry. Comments are above it, each line with a "#".
    YamlWriter &add(const QString &key, const YamlWriter &value, const QStringList &comments = {});
    YamlWriter &append(const YamlWriter &item, const QStringList &comments = {});
    bool isEmpty() const { return m_items.empty(); }
    Kind kind() const { return m_kind; }
    bool has(const QString &key) const;

    // Writes a document, which ends with a line break. `this` must be a map with at least one entry.
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

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QList>
#include <QString>

#include <variant>

namespace trainyard
{

// Where a node is in a document: keys and indexes from the root, never a dotted string. Written as an RFC 6901 pointer.
class YamlPath
{
public:
    using Element = std::variant<QString, qsizetype>;

    YamlPath() = default;
    YamlPath(std::initializer_list<Element> elements) : m_elements(elements) { }

    bool isEmpty() const { return m_elements.isEmpty(); }
    qsizetype size() const { return m_elements.size(); }
    const Element &at(qsizetype i) const { return m_elements.at(i); }
    const Element &last() const { return m_elements.last(); }
    QString keyAt(qsizetype i) const; // empty where there is none, and where an index is
    YamlPath parent() const;
    YamlPath child(const QString &key) const;
    YamlPath child(qsizetype index) const;
    bool startsWith(const YamlPath &other) const;

    QString toPointer() const; // "/taskRoles/worker/commands/0"; the root is ""
    // All elements come out as keys; YamlDocument::find() and planEdit() read digits (and "-", which appends) as an
    // index when the parent is a list.
    static Result<YamlPath> fromPointer(const QString &pointer);

    friend bool operator==(const YamlPath &, const YamlPath &) = default;

private:
    QList<Element> m_elements;
};

size_t qHash(const YamlPath &path, size_t seed = 0);

} // namespace trainyard

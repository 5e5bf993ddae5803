// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/value.h"
#include "model/yaml/yamlscalar.h"

#include <QHash>

namespace trainyard
{

// Whether readers disagree about a plain scalar, and which of them reads it otherwise.
enum class ReaderDifference {
    Agree,
    Boolean, // yes, no, on, off: true or false for YAML 1.1 readers (a cluster's runtime)
    Octal, // 012, 08, 0o12
    Grouped, // 1_000, 0b11: a number here, text in YAML 1.2
    Sexagesimal, // 12:30
    Timestamp, // 2020-01-01
    Exponent, // 1e3: text for YAML 1.1 readers
    WholeFloat, // 1.0: a template inserts 1
};
ReaderDifference readerDifference(const YamlNode &scalar);

// An entry of a map after merge keys are resolved in the server's way: own entries win, and earlier sources win over
// later ones.
struct MapEntry {
    QString key; // as text: the key 012 is "10"
    const YamlNode *keyNode = nullptr;
    const YamlNode *value = nullptr; // not resolved: may be an alias
    bool merged = false; // comes from a merge key
};

// Reads nodes as values. Aliases can expand a small text to a huge value, so the nodes handed out are counted; when
// the budget is spent, the rest reads as null and exhausted() says so.
class ValueReader
{
public:
    explicit ValueReader(qsizetype budget = 400'000) : m_budget(budget) { }
    Value value(const YamlNode *node);
    QList<MapEntry> entries(const YamlNode *map); // empty when it is not a map
    QList<const YamlNode *> items(const YamlNode *sequence); // empty when it is not a sequence
    bool exhausted() const { return m_exhausted; }

private:
    bool spend(qsizetype nodes);
    Value convert(const YamlNode *node, int depth);
    void collect(const YamlNode *map, bool merged, int depth, QList<MapEntry> &out, QHash<QString, qsizetype> &seen);
    qsizetype m_budget;
    bool m_exhausted = false;
};

Value toValue(const YamlNode *node); // with its own budget

} // namespace trainyard

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamledit.h"

#include <QByteArray>
#include <QList>
#include <QMap>
#include <QString>

#include <functional>

// Documents to edit, and what is said of them before and after. For the property tests of model/yaml.
namespace yamlsamples
{

struct Sample {
    QString name;
    QByteArray bytes;
};

QList<Sample> builtIn(); // in the shapes that people write
QList<Sample> realJobs(); // the product's own, and, where they are, those of others

// All values of the first document that a path leads to, without the root.
QList<const trainyard::YamlNode *> places(const trainyard::YamlDocument &document);

// A node's facts without positions; what must not change elsewhere.
QByteArray facts(const trainyard::YamlNode *node);
// Those of the document but for `except` and its key, in order.
QList<QByteArray> factsBut(const trainyard::YamlDocument &document, const trainyard::YamlNode *except);
// The text of every comment and how often it stands there, found in another way than the guard does.
QMap<QByteArray, int> comments(const trainyard::YamlDocument &document);
bool holdsAll(const QMap<QByteArray, int> &all, const QMap<QByteArray, int> &some);
// The lines of `before` that differ: first and last.
QPair<qsizetype, qsizetype> changedLines(const QByteArray &before, const QByteArray &after);
qsizetype lineOf(const QByteArray &text, qsizetype offset);
// What takes the edits back.
trainyard::TextEdits inverse(const QByteArray &before, const trainyard::TextEdits &edits);

struct Counts {
    int documents = 0;
    int places = 0;
    int edits = 0;
    int restored = 0; // by the inverse operation, to the same bytes
    QMap<QString, int> refused;
    QString text() const;
};

} // namespace yamlsamples

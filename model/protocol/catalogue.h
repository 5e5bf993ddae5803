// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QByteArray>
#include <QString>

#include <functional>
#include <optional>

namespace trainyard
{

// Gives the text of an item of a catalogue: "data/mnist" of marketplace://data/mnist. Nothing when there is none. The
// model reads no files; who calls has the folder.
using CatalogueLookup = std::function<std::optional<QByteArray>(const QString &item)>;

// "data/mnist" of "marketplace://data/mnist"; empty when the name is no such reference or leads out of a folder.
QString catalogueItem(const QString &name);

// A job text with each marketplace:// name replaced by a prerequisite of its own, whose item comes from the catalogue;
// what an item requires from the catalogue comes along. What runs, here and elsewhere, then stands in the text. The
// same text when it names none. An item is one prerequisite, or a job with one prerequisite of that name.
// Errors: catalogue.unknown {name}, catalogue.unreadable {name}, catalogue.too-many, edit.*.
Result<QByteArray> withCatalogue(const QByteArray &bytes, const CatalogueLookup &lookup);

} // namespace trainyard

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QByteArray>
#include <QString>

#include <functional>
#include <optional>

namespace trainyard
{

struct ParseOutcome;

// Returns the text of an item of a catalogue: "data/mnist" of marketplace://data/mnist. Nothing if there is none. The
// model reads no files; the caller knows the folder.
using CatalogueLookup = std::function<std::optional<QByteArray>(const QString &item)>;

// "data/mnist" of "marketplace://data/mnist"; empty when the name is not such a reference or leads out of a folder.
QString catalogueItem(const QString &name);

// Replaces each marketplace:// name in the text of a job by the prerequisite of that name from the catalogue, together
// with the items that it requires from there. The text then contains everything that runs, here and elsewhere. Returns
// the same text when it names no item. An item is one prerequisite, or a job with one prerequisite of that name.
// Errors: catalogue.unknown {name}, catalogue.unreadable {name}, catalogue.too-many, edit.*.
Result<QByteArray> withCatalogue(const QByteArray &bytes, const CatalogueLookup &lookup);
// The same for a job that is read already, without parsing its text again. Returns the job itself when it names no
// item.
Result<ParseOutcome> withCatalogue(const ParseOutcome &job, const CatalogueLookup &lookup);

} // namespace trainyard

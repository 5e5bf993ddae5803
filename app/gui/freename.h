// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>

namespace trainyard
{

// The name of a document without a file: the suggested one, or one with a number if another document has that:
// "train-2.pai.yaml". `untitled`: the name of documents without a suggestion.
QString freeDocumentName(
    const QString &wanted, const QString &untitled, const std::function<bool(const QString &name)> &isTaken);

} // namespace trainyard

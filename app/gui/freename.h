// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>

namespace trainyard
{

// Of a document without a file, the name that it wants, or one with a number where another has that:
// "train-2.pai.yaml". `untitled`: what documents are called that want no name.
QString freeDocumentName(
    const QString &wanted, const QString &untitled, const std::function<bool(const QString &name)> &isTaken);

} // namespace trainyard

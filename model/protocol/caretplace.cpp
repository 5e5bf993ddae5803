// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/caretplace.h"

#include "model/protocol/caretscanner.h"

namespace trainyard
{

CaretPlace caretPlaceAt(const QByteArray &text, qsizetype caret) { return CaretScanner(text, caret).scan(); }

QString scalarAt(const QByteArray &text, const YamlPath &path) { return CaretScanner(text, 0).scalarAt(path); }

} // namespace trainyard

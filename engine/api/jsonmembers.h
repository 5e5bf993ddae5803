// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>

#include <functional>

namespace trainyard
{

// The members of an object in compact JSON that Trainyard's own writer made, one after the other and without building a
// tree: for searches over many rows. `seen` gets the name without its quotes, escapes and all, and the text of the
// value; false ends the walk. Any other text ends the walk early.
void eachJsonMember(QByteArrayView object, const std::function<bool(QByteArrayView name, QByteArrayView value)> &seen);

// The text of the value of this member, by the same rules; null when there is none. The name is as JSON has it, without
// escapes.
QByteArrayView jsonMember(QByteArrayView object, QByteArrayView name);
// The same; where there is no such name, that of the only name which differs in case (namesinanycase.h).
QByteArrayView jsonMemberInAnyCase(QByteArrayView object, QByteArrayView name);

} // namespace trainyard

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/messages.h"

#include <QStringList>

namespace trainyard::sharedfolder
{

// Whether another computer has the same files as this one by a shared file system: no other file system has files with
// these numbers and times. The newest files should be asked for, because computers that are copies of each other have
// the same old ones.
constexpr qsizetype probedFiles = 8;
contract::Look lookFor(const QStringList &paths);
bool isSameHere(const QStringList &paths, const contract::Message &seen); // by its answer

} // namespace trainyard::sharedfolder

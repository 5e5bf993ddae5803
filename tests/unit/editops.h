// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamledit.h"

#include <QMetaType>

Q_DECLARE_METATYPE(trainyard::edit::Op) // in columns of test tables; once, for files that are compiled together

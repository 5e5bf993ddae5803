// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QResource>

namespace trainyard
{

// The result of T::parse() for a text that is embedded in the program (":/"); no file of the computer is read.
template <typename T> T bundledValue(const QString &path)
{
    const QResource resource(path);
    Q_ASSERT(resource.isValid());
    const Result<T> parsed = T::parse(resource.uncompressedData());
    Q_ASSERT(parsed);
    return parsed ? *parsed : T();
}

} // namespace trainyard

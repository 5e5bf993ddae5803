// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/jobfilter.h"

#include <QStringList>
#include <QVariant>

namespace trainyard
{

// A filter as conditions on the rows of the lists (columns::summaryTables, and the table of results when it has
// conditions on values). Each condition is necessary, and those on values are left to JobFilter::matchesValues().
struct FilterSql {
    QStringList conditions;
    QVariantList values; // of their question marks
    bool isExact = true; // beside those on values they are all; else JobFilter::matches() decides
    bool hasValues = false;
};
// `isHealthOfRows`: the marks that are stored are those that count.
FilterSql filterSql(const JobFilter &filter, qint64 now, bool isHealthOfRows = true);

} // namespace trainyard

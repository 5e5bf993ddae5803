// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/wordsfilter.h"

#include <QLocale>

#include <algorithm>

namespace trainyard
{

WordsFilter::WordsFilter(int searchRole, QObject *parent) : QSortFilterProxyModel(parent), m_searchRole(searchRole)
{
    setRecursiveFilteringEnabled(true);
    setDynamicSortFilter(true);
}

void WordsFilter::setFilter(const QString &text)
{
    m_words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    invalidateFilter();
}

QString WordsFilter::countText(int all) const
{
    const QLocale locale;
    if (all == 0) {
        return {};
    }
    if (m_words.isEmpty()) {
        return locale.toString(all);
    }
    int shown = 0;
    for (int row = 0; row < rowCount(); ++row) {
        shown += rowCount(index(row, 0));
    }
    return tr("%1 of %2").arg(locale.toString(shown), locale.toString(all));
}

bool WordsFilter::filterAcceptsRow(int row, const QModelIndex &parent) const
{
    if (!parent.isValid()) {
        return false;
    }
    const QString text = sourceModel()->index(row, 0, parent).data(m_searchRole).toString();
    return std::all_of(m_words.cbegin(), m_words.cend(),
        [&](const QString &word) { return text.contains(word, Qt::CaseInsensitive); });
}

} // namespace trainyard

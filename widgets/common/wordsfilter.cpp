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
    if (!isNarrowed()) {
        return locale.toString(all);
    }
    return tr("%1 of %2").arg(locale.toString(shownCount()), locale.toString(all));
}

int WordsFilter::shownCount() const
{
    int shown = 0;
    for (int row = 0; row < rowCount(); ++row) {
        shown += rowCount(index(row, 0));
    }
    return shown;
}

// To be asked for a row below a hidden one makes QSortFilterProxyModel note that nothing is below that, and keep the
// note: when the upper row comes into sight with a new one below it, the new one is missing.
QModelIndex WordsFilter::mapFromSource(const QModelIndex &at) const
{
    const QModelIndex above = at.parent();
    return above.isValid() && !mapFromSource(above).isValid() ? QModelIndex()
                                                              : QSortFilterProxyModel::mapFromSource(at);
}

bool WordsFilter::filterAcceptsRow(int row, const QModelIndex &parent) const
{
    return parent.isValid() && accepts(sourceModel()->index(row, 0, parent));
}

QString WordsFilter::textOf(const QModelIndex &row) const { return row.data(m_searchRole).toString(); }

bool WordsFilter::accepts(const QModelIndex &row) const
{
    const QString text = textOf(row);
    return std::all_of(m_words.cbegin(), m_words.cend(),
        [&](const QString &word) { return text.contains(word, Qt::CaseInsensitive); });
}

} // namespace trainyard

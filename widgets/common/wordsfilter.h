// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSortFilterProxyModel>
#include <QStringList>

namespace trainyard
{

// Rows of a tree of two levels whose text has all the words that were typed, without regard to case. A row of the
// upper level is shown when one below it is. Where rows of the lower level have rows themselves, accepts() says of
// both.
class WordsFilter : public QSortFilterProxyModel
{
    Q_OBJECT
public:
    // `searchRole` gives the text of a row that the words are looked for in.
    explicit WordsFilter(int searchRole, QObject *parent = nullptr);
    void setFilter(const QString &text);
    // For the head of the list: the number of entries, and the number of shown ones if these are not all. Empty for an
    // empty list.
    QString countText(int all) const;
    virtual int shownCount() const; // rows of the lower level
    QModelIndex mapFromSource(const QModelIndex &at) const override;

protected:
    bool filterAcceptsRow(int row, const QModelIndex &parent) const override;
    // Accepts rows of the lower level, for filters that know more than words.
    virtual bool accepts(const QModelIndex &row) const;
    virtual bool isNarrowed() const { return !m_words.isEmpty(); }
    QString textOf(const QModelIndex &row) const; // that words are looked for in

private:
    int m_searchRole;
    QStringList m_words;
};

} // namespace trainyard

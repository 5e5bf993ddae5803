// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/suggestions.h"
#include "widgets/common/popupframe.h"

#include <QAbstractListModel>
#include <QStyledItemDelegate>

QT_BEGIN_NAMESPACE
class QLabel;
class QListView;
QT_END_NAMESPACE

namespace trainyard
{

class SuggestModel : public QAbstractListModel
{
    Q_OBJECT
public:
    enum Role { SuggestionRole = Qt::UserRole };
    using QAbstractListModel::QAbstractListModel;
    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    void setItems(const QList<Suggestion> &items);
    const Suggestion &at(int row) const { return m_items.at(row); }

private:
    QList<Suggestion> m_items;
};

// The list under the caret: label, kind, and help of the chosen entry. It never takes the focus; its owner passes it
// the keys.
class SuggestPopup : public PopupFrame
{
    Q_OBJECT
public:
    explicit SuggestPopup(QWidget *parent);
    // Below `line`, a rectangle on the screen as high as the line; above it where there is no room. The first item is
    // chosen, or the one that was when it is still there.
    void showItems(const QList<Suggestion> &items, const QRect &line);
    int count() const { return m_model->rowCount(); }
    const Suggestion *current() const; // null when there are none
    void step(int by); // wraps around
    void page(int by);
    QListView *list() const { return m_list; }

Q_SIGNALS:
    void accepted(int row);

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void showHelp();
    void place();
    void applyColours();
    QListView *m_list;
    QLabel *m_help;
    SuggestModel *m_model;
    QRect m_line;
};

} // namespace trainyard

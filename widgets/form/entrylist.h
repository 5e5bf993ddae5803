// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/diagnostic.h"

#include <QWidget>

QT_BEGIN_NAMESPACE
class QLabel;
class QListWidget;
class QMenu;
class QPushButton;
QT_END_NAMESPACE

namespace trainyard
{

class Ground;

// A short list of things of the document in their order, one of which is chosen: add, duplicate, remove, and move by
// drag, by buttons, or by Alt with the arrow keys. It changes nothing itself: it asks, and shows what it is given.
class EntryList : public QWidget
{
    Q_OBJECT
public:
    struct Entry {
        QString icon;
        QString text;
        QString detail; // muted, behind the text
        Severity worst = Severity::Note; // of its problems
        friend bool operator==(const Entry &, const Entry &) = default;
    };
    // `name` begins the object names: nameList, nameAdd, nameRemove, ...
    EntryList(const QString &name, const QString &title, QWidget *parent = nullptr);
    void setEntries(const QList<Entry> &entries);
    void setEmptyText(const QString &text); // what goes here, and why
    void setReadOnly(bool readOnly);
    int current() const;
    void setCurrent(int row); // also one that is about to come
    bool hasListFocus() const;
    QMenu *addMenu() const { return m_addMenu; }

Q_SIGNALS:
    void currentChanged(int row);
    void moveRequested(int from, int to);
    void duplicateRequested(int row);
    void removeRequested(int row);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    class List;
    void updateButtons();

    QLabel *m_empty;
    List *m_list;
    Ground *m_card; // around it
    QPushButton *m_add;
    QPushButton *m_duplicate;
    QPushButton *m_up;
    QPushButton *m_down;
    QPushButton *m_remove;
    QMenu *m_addMenu;
    QList<Entry> m_entries;
    int m_wanted = -1;
    bool m_readOnly = false;
    bool m_filling = false;
};

} // namespace trainyard

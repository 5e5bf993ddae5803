// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QPointer>
#include <QStringList>
#include <QWidget>

#include <functional>

class QAction;
class QListView;
class QStandardItemModel;

namespace trainyard
{

class SearchField;

// "Search or command": every action by its words, and jobs by name or number. Opens under its field.
class CommandPalette : public QWidget
{
    Q_OBJECT
public:
    struct Entry {
        QString text;
        QString detail; // shortcut, or what kind of thing
        QString icon;
        std::function<void()> run;
        bool enabled = true;
        QString whyOff = {}; // a sentence, below what cannot be done now
        QString key = {}; // by which it is known again, also after a restart; empty: it is not
        QString also = {}; // other words by which it is found, such as what the command line calls it
    };
    using Source = std::function<QList<Entry>()>;

    CommandPalette(SearchField *field, QWidget *parent);
    void addSource(const Source &source) { m_sources.append(source); } // asked in this order each time that it opens
    // The keys of what was used last, the newest first: with nothing typed, these come first. Asked each time that it
    // opens.
    void setUsed(const std::function<QStringList()> &used) { m_used = used; }
    void open();
    bool isOpen() const;

Q_SIGNALS:
    void used(const QString &key);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void fill();
    qsizetype placeOf(const Entry &entry, const QString &typed) const;
    void close();
    void runCurrent();
    SearchField *m_field;
    QWidget *m_popup;
    QPointer<QWidget> m_before; // had the focus before the field
    QListView *m_view;
    QStandardItemModel *m_model;
    QList<Entry> m_entries;
    QList<Source> m_sources;
    std::function<QStringList()> m_used;
    QStringList m_lastUsed; // as of its opening
};

} // namespace trainyard

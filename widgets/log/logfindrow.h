// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/labels.h"
#include "widgets/log/logmatcher.h"

#include <optional>

class QAction;
class QToolButton;

namespace trainyard
{

class SearchField;

// The row in which one types what is looked for in a log, and says how: as a regular expression, in the same case, and
// whether only lines with a hit are shown.
class LogFindRow : public Ground
{
    Q_OBJECT
public:
    explicit LogFindRow(QWidget *parent = nullptr);
    LogQuery query() const; // empty while the row is closed, or when it cannot be looked for
    bool isFiltering() const; // only lines with a hit are wanted, or will be when there is something to look for
    std::optional<int> context() const; // so many lines around each hit, and no others; nothing: all lines
    void open(const QString &text); // empty: what was typed before stays
    void close();
    void showAllLines(); // also those without a hit
    void setStatus(const QString &text); // "3 of 17"
    QString text() const;
    QString fault() const; // of an expression that is not one; empty: there is none
    QList<QAction *> actions() const { return m_actions; } // for the keys

Q_SIGNALS:
    void changed(); // query() or context()
    void nextRequested();
    void previousRequested();
    void closed();

private:
    void makeFilterMenu();
    LogQuery typed() const; // whether or not it can be looked for
    void setContext(int lines);
    SearchField *m_field;
    QToolButton *m_pattern;
    QToolButton *m_case;
    QToolButton *m_filter;
    QAction *m_close;
    QList<QAction *> m_actions;
    int m_context = 0;
};

} // namespace trainyard

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/form/chipsfield.h"

namespace trainyard
{

// Names of prerequisites in the order in which they run, as chips with arrows between. Chips are moved by dragging,
// with Alt+arrows, or by their menu.
class ChainField : public ChipsField
{
    Q_OBJECT
public:
    ChainField(FormContext *context, const YamlPath &path, QWidget *parent = nullptr);
    void setHelpWhenFilled(const QString &help) { m_help = help; }
    // The order after `require` is followed, for the help line.
    void setRole(const QString &role) { m_role = role; }
    void setExcluded(const QString &name) { m_excluded = name; } // never offered
    void refresh() override;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void openMenu(qsizetype index, QWidget *chip);
    void openAdder(QWidget *adder);
    void move(qsizetype from, qsizetype to);
    void removeItem(qsizetype index);
    void append(const QString &name);

    QString m_help;
    QString m_role;
    QString m_excluded;
    QPoint m_pressed;
    qsizetype m_focusNext = -1;
};

// Icon of a prerequisite's type.
QString prerequisiteIcon(const QString &type);

} // namespace trainyard

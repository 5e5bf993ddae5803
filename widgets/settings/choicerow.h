// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QActionGroup;
class QComboBox;

namespace trainyard
{

// A setting of the window itself, beside those of the engine: one of the actions of a group, which are also in a menu.
// Both show the same state.
class ChoiceRow : public QWidget
{
    Q_OBJECT
public:
    // The choices have the icon texts of the actions.
    ChoiceRow(const QString &name, const QString &help, const QActionGroup *choices, QWidget *parent = nullptr);
    bool fits(const QString &words) const; // some of the name and the explanation

private:
    void showChecked();
    QString m_name;
    QString m_help;
    const QActionGroup *m_choices;
    QComboBox *m_box;
};

} // namespace trainyard

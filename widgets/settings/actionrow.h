// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QAction;

namespace trainyard
{

// A setting of the window itself that is edited in its own dialog: an action, which is also in a menu.
class ActionRow : public QWidget
{
    Q_OBJECT
public:
    ActionRow(const QString &name, const QString &help, QAction *action, QWidget *parent = nullptr);
    bool fits(const QString &words) const; // some of the name and the explanation

private:
    QString m_name;
    QString m_help;
};

} // namespace trainyard

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QWidget>

class QAction;
class QLineEdit;
class QPushButton;

namespace trainyard
{

class AddTrouble;

// The field for the address of a new host, which offers the names of the ssh configuration, and what was wrong with the
// last one.
class HostAdding : public QWidget
{
    Q_OBJECT
public:
    explicit HostAdding(QWidget *parent = nullptr);
    void setKnownNames(const QStringList &names); // of the ssh configuration
    void setHosts(const QList<HostInfo> &hosts); // their names are not offered
    // The error of the last address; empty: it worked. `mayBeAdded`: it may be added nevertheless.
    void setError(const QString &text, bool mayBeAdded);

Q_SIGNALS:
    void addRequested(const QString &target, bool anyway);

private:
    void offerNames();
    void add(bool anyway);
    QStringList m_names;
    QStringList m_targets; // of the hosts that are there
    QLineEdit *m_address;
    QPushButton *m_add;
    QAction *m_pick;
    AddTrouble *m_trouble;
};

} // namespace trainyard

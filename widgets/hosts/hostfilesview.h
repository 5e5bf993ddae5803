// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/hostfiles.h"

#include <QWidget>

#include <optional>

class QGridLayout;
class QLabel;
class QPushButton;

namespace trainyard
{

// Shows what Trainyard has put on a host, kind by kind, with buttons that remove it. Knows no engine.
class HostFilesView : public QWidget
{
    Q_OBJECT
public:
    explicit HostFilesView(QWidget *parent = nullptr);
    void clear(); // of another host
    void setFiles(const api::HostFiles &files);
    void setWaiting(const QString &text); // until the host has answered: what it is doing
    void setError(const QString &text); // why it did not answer

Q_SIGNALS:
    void cleanRequested();
    void emptyRequested(); // everything

private:
    void clearRows();
    void enable(bool clean, bool empty);

    QGridLayout *m_grid;
    QLabel *m_note;
    QPushButton *m_clean, *m_empty;
};

} // namespace trainyard

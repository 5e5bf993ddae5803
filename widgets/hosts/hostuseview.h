// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/calls.h"

#include <QWidget>

class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace trainyard
{

class ColourLabel;

// The user's settings for a host: its labels, the hours in which nothing new starts there, the address for
// tasks on other hosts, and whether it is drained; and what is in quarantine there. Knows no engine: requests are
// signals.
class HostUseView : public QWidget
{
    Q_OBJECT
public:
    explicit HostUseView(QWidget *parent = nullptr);
    void setHost(const HostInfo &host);
    void setError(const QString &text); // of the last change; what was typed stays

Q_SIGNALS:
    void changeRequested(const trainyard::api::HostChange &change);
    void releaseRequested(const QString &id, int gpu); // -1: all of the host

private:
    void showQuarantines();
    void changeLabels();
    void changeHours();
    void changeAddress();
    void request(const api::HostChange &change);

    HostInfo m_host;
    QString m_askedHours, m_askedAddress; // that the last change was to set
    QLineEdit *m_labels, *m_hours, *m_address;
    QPushButton *m_drain;
    ColourLabel *m_error;
    QVBoxLayout *m_quarantines;
};

} // namespace trainyard

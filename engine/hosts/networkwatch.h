// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/hosts/networknews.h"

#include <QObject>
#include <QSocketNotifier>
#include <QTimer>

#include <memory>

namespace trainyard
{

// Tells when this computer gets a network again: after sleep, in another network, by a VPN. It asks nothing and nobody:
// the kernel says it (NetworkNews). Where it does not, as in some sandboxes, nothing is told.
class NetworkWatch : public QObject
{
    Q_OBJECT
public:
    explicit NetworkWatch(QObject *parent = nullptr);
    ~NetworkWatch() override;
    void start();

Q_SIGNALS:
    void cameUp(); // once for all that comes within half a second, such as an address and its route

private:
    void read();
    NetworkNews m_news;
    int m_socket = -1;
    std::unique_ptr<QSocketNotifier> m_notifier;
    QTimer m_settling;
};

} // namespace trainyard

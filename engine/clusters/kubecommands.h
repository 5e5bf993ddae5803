// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/clusters/kubeanswer.h"

#include <QObject>
#include <QStringList>

#include <deque>
#include <functional>

namespace trainyard
{

// Runs kubectl as it is on this computer, each time in a process of its own and without a shell; several run at once,
// but never many. Its input carries what it needs (manifests, with secrets).
class KubeCommands : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;
    ~KubeCommands() override;
    // `then` is called later, and not at all when this object is gone.
    using Then = std::function<void(const kube::Answer &)>;
    void run(const QStringList &arguments, const QByteArray &input, const Then &then);

private:
    struct Wanted {
        QStringList arguments;
        QByteArray input;
        Then then;
    };
    void startNext();
    void start(const Wanted &wanted);

    std::deque<Wanted> m_waiting;
    int m_running = 0;
};

} // namespace trainyard

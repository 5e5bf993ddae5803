// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/clusters/kubeanswer.h"

#include <QObject>
#include <QStringList>

#include <deque>
#include <functional>

namespace trainyard
{

// Runs the kubectl of this computer, each time in its own process without a shell; only a few run at once. Manifests,
// with secrets, go through its input.
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

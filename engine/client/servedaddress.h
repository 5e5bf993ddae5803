// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/taskports.h"
#include "engine/api/values.h"

#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace trainyard
{

// Where a program says in its output that it serves: "TensorBoard 2.16.2 at http://gpu1:6006/".
struct ServedAddress {
    QString program; // TensorBoard, Jupyter, vLLM, ...; empty: any other
    QString scheme = QStringLiteral("http"); // or https
    int port = 0;
    QString path = QStringLiteral("/"); // with what follows it, such as the token of Jupyter
    friend bool operator==(const ServedAddress &, const ServedAddress &) = default;
};

// The address in one line; nothing if it names no address of its own host, or only one that the program uses: a proxy,
// a download, a service that it connects to. `names` are the names and addresses of the host.
std::optional<ServedAddress> servedAddress(const QString &line, const QStringList &names = {});
// The addresses of all lines, one for each port, in the order of the ports: the latest one that a program printed,
// unless the later line says less.
QList<ServedAddress> servedAddresses(const QByteArray &output, const QStringList &names = {});
// The same of the output of a try: of a long one, the beginning and the end. Blocks.
QList<ServedAddress> servedAddressesIn(const QString &logFolder, const QStringList &names = {});

// The service of a plugin beside a task (JobDetail::services); nothing while it has no address.
std::optional<ServedAddress> servedByPlugin(const ServiceInfo &service);
QList<ServedAddress> servedByPlugins(const QList<ServiceInfo> &services, const QString &role, int index);

// A port of a task for people to choose: what the engine knows about it, together with what its output says.
struct OfferedPort {
    api::TaskPort port;
    ServedAddress served; // port 0: its output says nothing of it
    QString name() const; // "TensorBoard", or the label that the job has for it; may be empty
    QString address() const; // on this computer; empty: it is not forwarded
};
// Lists the ports of one task: first those that its output names, by their numbers, then those that the job has for it,
// in its order, then others that are forwarded. `task` says which one, and its host.
QList<OfferedPort> offeredPorts(
    const QList<api::TaskPort> &known, const QList<ServedAddress> &served, const api::TaskPort &task);
// "http://127.0.0.1:8889/lab?token=...", where a forward listens: behind the name localhost, a browser may look at ::1
// first, and there another user of this computer may listen.
QString addressOf(const ServedAddress &served, int localPort);

} // namespace trainyard

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/daemon/openpaiserver.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QPointer>
#include <QRegularExpression>
#include <QTcpServer>
#include <QTcpSocket>

using namespace Qt::StringLiterals;

namespace
{

constexpr char apiPath[] = "/rest-server/api/v2/";

const qint64 begun = QDateTime::currentMSecsSinceEpoch(); // all tasks of all jobs

QByteArray jsonOf(const QJsonObject &object) { return QJsonDocument(object).toJson(QJsonDocument::Compact); }

QByteArray headerOf(const QByteArray &head, const QByteArray &name)
{
    for (const QByteArray &line : head.split('\n')) {
        const qsizetype colon = line.indexOf(':');
        if (colon > 0 && line.left(colon).trimmed().compare(name, Qt::CaseInsensitive) == 0) {
            return line.mid(colon + 1).trimmed();
        }
    }
    return {};
}

} // namespace

// Speaks HTTP: one request in each connection.
class OpenPaiConnections : public QObject
{
public:
    explicit OpenPaiConnections(OpenPaiServer &server) : m_server(server)
    {
        connect(&m_listener, &QTcpServer::newConnection, this, [this] {
            while (QTcpSocket *socket = m_listener.nextPendingConnection()) {
                connect(socket, &QTcpSocket::readyRead, this, [this, socket] { read(*socket); });
                connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
            }
        });
    }
    void sayLate()
    {
        for (auto &[socket, answer] : std::exchange(m_late, {})) {
            answer.how = OpenPaiServer::Answer::How::Whole;
            if (socket) {
                write(*socket, answer);
            }
        }
    }
    int listen() { return m_listener.listen(QHostAddress::LocalHost) ? m_listener.serverPort() : 0; }

private:
    void read(QTcpSocket &socket)
    {
        QByteArray &bytes = m_begun[&socket];
        bytes += socket.readAll();
        const qsizetype end = bytes.indexOf("\r\n\r\n");
        if (end < 0) {
            return;
        }
        const QByteArray head = bytes.left(end);
        const qsizetype length = headerOf(head, "Content-Length").toLongLong();
        if (bytes.size() < end + 4 + length) {
            return;
        }
        const QByteArrayList words = head.split('\r').first().split(' ');
        const OpenPaiServer::Request request{words.value(0), words.value(1), headerOf(head, "Authorization"),
            headerOf(head, "Range"), bytes.mid(end + 4, length)};
        m_begun.remove(&socket);
        write(socket, m_server.answerTo(request));
    }
    void write(QTcpSocket &socket, const OpenPaiServer::Answer &answer)
    {
        using How = OpenPaiServer::Answer::How;
        if (answer.how == How::Late) {
            m_late.append({&socket, answer});
        }
        if (answer.how == How::Never || answer.how == How::Late) {
            return;
        }
        QByteArray text = "HTTP/1.1 " + QByteArray::number(answer.status) + " X\r\nConnection: close\r\n";
        if (answer.how != How::CutUnsized) {
            text += "Content-Length: " + QByteArray::number(answer.body.size()) + "\r\n";
        }
        for (const auto &[name, value] : answer.headers) {
            text += name + ": " + value + "\r\n";
        }
        text += "\r\n" + answer.body;
        socket.write(answer.how == How::Whole ? text : text.chopped(answer.body.size() / 2 + 1));
        socket.disconnectFromHost();
    }

    OpenPaiServer &m_server;
    QTcpServer m_listener{this};
    QHash<QTcpSocket *, QByteArray> m_begun;
    QList<std::pair<QPointer<QTcpSocket>, OpenPaiServer::Answer>> m_late;
};

OpenPaiServer::OpenPaiServer()
{
    m_connections = new OpenPaiConnections(*this);
    m_connections->moveToThread(&m_thread);
    QObject::connect(&m_thread, &QThread::finished, m_connections, &QObject::deleteLater);
    m_thread.start();
    QMetaObject::invokeMethod(
        m_connections, [this] { m_port = m_connections->listen(); }, Qt::BlockingQueuedConnection);
}

OpenPaiServer::~OpenPaiServer()
{
    m_thread.quit();
    m_thread.wait();
}

void OpenPaiServer::answerNext(const QByteArray &call, const Answer &answer, int times)
{
    const QMutexLocker held(&m_mutex);
    m_planned.append({call, answer, times});
}

void OpenPaiServer::sayLate()
{
    QMetaObject::invokeMethod(
        m_connections, [this] { m_connections->sayLate(); }, Qt::BlockingQueuedConnection);
}

OpenPaiServer::Answer OpenPaiServer::error(int status, const QByteArray &code)
{
    return {status, jsonOf({{u"code"_s, QString::fromLatin1(code)}, {u"message"_s, u"Words of the server."_s}})};
}

QStringList OpenPaiServer::jobs() const
{
    const QMutexLocker held(&m_mutex);
    return m_names;
}

QByteArray OpenPaiServer::document(const QString &name) const
{
    const QMutexLocker held(&m_mutex);
    return m_documents.value(name);
}

QByteArrayList OpenPaiServer::calls(const QByteArray &prefix) const
{
    const QMutexLocker held(&m_mutex);
    QByteArrayList found;
    for (const QByteArray &call : m_calls) {
        if (call.startsWith(prefix)) {
            found.append(call);
        }
    }
    return found;
}

QByteArrayList OpenPaiServer::authorizations() const
{
    const QMutexLocker held(&m_mutex);
    return m_authorizations;
}

void OpenPaiServer::setJob(const QString &name, const QJsonObject &detail)
{
    const QMutexLocker held(&m_mutex);
    m_details.insert(name, detail);
}

void OpenPaiServer::forget(const QString &name)
{
    const QMutexLocker held(&m_mutex);
    m_details.remove(name);
}

void OpenPaiServer::setLog(const QByteArray &text, bool knowsPlaces)
{
    const QMutexLocker held(&m_mutex);
    m_log = text;
    m_knowsPlaces = knowsPlaces;
}

QJsonObject OpenPaiServer::task(int index, const QString &state, int code, int retries)
{
    QJsonObject task{{u"taskIndex"_s, index}, {u"taskState"_s, state}, {u"retries"_s, retries},
        {u"attemptId"_s, retries}, {u"containerExitCode"_s, QJsonValue::Null}};
    if (state != "WAITING"_L1) {
        task.insert(u"launchedTime"_s, begun);
        task.insert(u"containerNodeName"_s, u"node%1"_s.arg(index));
        task.insert(u"containerIp"_s, u"10.0.0.%1"_s.arg(index + 1));
    }
    if (code < 1000) {
        task.insert(u"containerExitCode"_s, code);
        task.insert(u"completedTime"_s, qint64(begun + 1000 + index));
    }
    return task;
}

QJsonObject OpenPaiServer::detail(
    const QString &state, const QMap<QString, QList<QJsonObject>> &roles, int code, const QJsonObject &more)
{
    QJsonObject status{{u"username"_s, QString::fromLatin1(user)}, {u"state"_s, state},
        {u"executionType"_s, u"START"_s}, {u"retries"_s, 0},
        {u"appExitCode"_s, code < 1000 ? QJsonValue(code) : QJsonValue(QJsonValue::Null)},
        {u"virtualCluster"_s, u"default"_s}};
    if (code < 1000) {
        status.insert(u"completedTime"_s, qint64(begun + 2000));
    }
    for (auto it = more.begin(); it != more.end(); ++it) {
        status.insert(it.key(), it.value());
    }
    QJsonObject all;
    for (auto it = roles.cbegin(); it != roles.cend(); ++it) {
        QJsonArray tasks;
        for (const QJsonObject &each : it.value()) {
            tasks.append(each);
        }
        all.insert(it.key(),
            QJsonObject{{u"taskRoleStatus"_s, QJsonObject{{u"name"_s, it.key()}}}, {u"taskStatuses"_s, tasks}});
    }
    return {{u"jobStatus"_s, status}, {u"taskRoles"_s, all}};
}

OpenPaiServer::Answer OpenPaiServer::answerTo(const Request &request)
{
    const QMutexLocker held(&m_mutex);
    const QByteArray path = QByteArray::fromPercentEncoding(request.path);
    const bool isApi = path.startsWith(apiPath);
    const QByteArray call = request.method + ' ' + (isApi ? path.mid(qsizetype(sizeof apiPath) - 1) : path);
    m_calls.append(call);
    if (!request.authorization.isEmpty()) {
        m_authorizations.append(request.authorization);
    }
    for (qsizetype i = 0; i < m_planned.size(); ++i) {
        Planned &planned = m_planned[i];
        if (!call.startsWith(planned.call)) {
            continue;
        }
        const Answer answer = planned.answer;
        if (--planned.times == 0) {
            m_planned.removeAt(i);
        }
        if (answer.isDone) {
            own(call, request);
        }
        return answer;
    }
    return isApi ? own(call, request) : log(request);
}

OpenPaiServer::Answer OpenPaiServer::own(const QByteArray &call, const Request &request)
{
    if (call == "GET info") {
        return {200, R"({"name":"PAI RESTful API","version":"v1.8.0","launcherType":"k8s","authnMethod":"basic"})"};
    }
    if (call == "POST authn/basic/login") {
        return login(request.body);
    }
    if (request.authorization != "Bearer " + QByteArray(token)) {
        return error(401, "UnauthorizedUserError");
    }
    if (call == "GET users/ada") {
        return {200, R"({"username":"ada","admin":false,"virtualCluster":["default","vision"]})"};
    }
    if (call == "GET virtual-clusters") {
        return {200,
            R"({"default":{"resourcesUsed":{"gpu":3},"resourcesGuaranteed":{"gpu":8}},)"
            R"("vision":{"resourcesUsed":{"gpu":0},"resourcesGuaranteed":{"gpu":0}},)"
            R"("others":{"resourcesUsed":{"gpu":1},"resourcesGuaranteed":{"gpu":4}}})"};
    }
    if (call == "GET cluster/sku-types?vc=default") {
        return {200, R"({"K80":{"gpu":1,"cpu":4,"memory":8192},"CPU":{"cpu":1,"memory":"2048"}})"};
    }
    if (call == "GET storages") {
        return {200, R"({"storages":[{"name":"nfs","share":true,"volumeName":"v","default":true}]})"};
    }
    if (call == "POST jobs") {
        static const QRegularExpression line(u"^name: *\"?([A-Za-z0-9_-]+)"_s, QRegularExpression::MultilineOption);
        const QString name = line.match(QString::fromUtf8(request.body)).captured(1);
        if (m_details.contains(name)) {
            return error(409, "ConflictJobError");
        }
        m_names.append(name);
        m_documents.insert(name, request.body);
        m_details.insert(name, detail(u"WAITING"_s, {}));
        return {202, R"({"message":"update job successfully"})"};
    }
    if (call.startsWith("GET jobs?username=ada&")) {
        QJsonArray all;
        for (auto name = m_names.crbegin(); name != m_names.crend(); ++name) {
            const QJsonObject status = m_details.value(*name).value("jobStatus"_L1).toObject();
            all.append(QJsonObject{{u"name"_s, *name}, {u"username"_s, u"ada"_s},
                {u"state"_s, status.value("state"_L1)}, {u"virtualCluster"_s, u"default"_s},
                {u"submissionTime"_s, begun + all.size()}, {u"totalGpuNumber"_s, 1}, {u"totalTaskNumber"_s, 2}});
        }
        return {200, jsonOf({{u"totalCount"_s, all.size()}, {u"data"_s, all}})};
    }
    static const QRegularExpression job(u"^[A-Z]+ jobs/ada~([A-Za-z0-9_-]+)(.*)$"_s);
    const QRegularExpressionMatch match = job.match(QString::fromUtf8(call));
    return match.hasMatch() ? ofJob(call, match.captured(1), match.captured(2).toUtf8(), request.body)
                            : error(404, "NoApiError");
}

OpenPaiServer::Answer OpenPaiServer::login(const QByteArray &form)
{
    QMap<QByteArray, QByteArray> fields;
    for (const QByteArray &field : form.split('&')) {
        const qsizetype equals = field.indexOf('=');
        fields.insert(field.left(equals), QByteArray::fromPercentEncoding(field.mid(equals + 1).replace('+', ' ')));
    }
    if (fields.value("username") != user) {
        return error(404, "NoUserError");
    }
    if (fields.value("password") != password) {
        return error(400, "IncorrectPasswordError");
    }
    return {200,
        jsonOf(
            {{u"user"_s, QString::fromLatin1(user)}, {u"token"_s, QString::fromLatin1(token)}, {u"admin"_s, false}})};
}

OpenPaiServer::Answer OpenPaiServer::ofJob(
    const QByteArray &call, const QString &name, const QByteArray &rest, const QByteArray &body)
{
    const auto it = m_details.find(name);
    if (it == m_details.end()) {
        return error(404, "NoJobError");
    }
    if (rest.isEmpty() || (rest.startsWith("/attempts/") && rest.count('/') == 2)) {
        return {200, jsonOf(*it)};
    }
    if (rest == "/tag") {
        const QString tag = QJsonDocument::fromJson(body).object().value("value"_L1).toString();
        QJsonArray tags = it->value("tags"_L1).toArray();
        const bool isThere = tags.contains(tag);
        if (call.startsWith("PUT ") && !isThere) {
            tags.append(tag);
        } else if (call.startsWith("DELETE ") && isThere) {
            tags.removeAt(tags.toVariantList().indexOf(QVariant(tag)));
        }
        it->insert(u"tags"_s, tags);
        return {200, jsonOf({{u"status"_s, 200}, {u"message"_s, u"Words of the server."_s}})};
    }
    if (call.startsWith("PUT ") && rest == "/executionType") {
        QJsonObject roles = it->value("taskRoles"_L1).toObject();
        for (auto role = roles.begin(); role != roles.end(); ++role) {
            QJsonObject its = role.value().toObject();
            QJsonArray tasks = its.value("taskStatuses"_L1).toArray();
            for (qsizetype i = 0; i < tasks.size(); ++i) {
                QJsonObject each = tasks.at(i).toObject();
                each.insert(u"taskState"_s, u"STOPPED"_s);
                each.insert(u"containerExitCode"_s, -220);
                tasks.replace(i, each);
            }
            its.insert(u"taskStatuses"_s, tasks);
            role.value() = its;
        }
        QJsonObject stopped = detail(u"STOPPED"_s, {}, -210);
        stopped.insert(u"taskRoles"_s, roles);
        *it = stopped;
        return {202, R"({"message":"execute job successfully"})"};
    }
    if (rest == "/config") {
        return {200, m_documents.value(name), {{"Content-Type", "text/yaml; charset=utf-8"}}};
    }
    if (rest == "/events") {
        return {200,
            R"({"totalCount":1,"data":[{"type":"Warning","message":"0/3 nodes have 8 free GPUs.",)"
            R"("lastTimestamp":"2026-01-01T00:00:00Z"}]})"};
    }
    if (rest.contains("/logs")) {
        const QByteArray tail = rest.endsWith("tail-mode=true") ? "&tail-mode=true" : "";
        return {200, R"({"locations":[{"name":"all","uri":"/log-manager/10.0.0.1:9103/all?token=x)" + tail + R"("}]})"};
    }
    return error(404, "NoApiError");
}

OpenPaiServer::Answer OpenPaiServer::log(const Request &request) const
{
    if (request.path.contains("tail-mode=true")) {
        return {200, m_log.right(16 << 10)};
    }
    if (request.range.isEmpty() || !m_knowsPlaces) {
        return {200, m_log};
    }
    const qint64 from = request.range.mid(qsizetype(sizeof "bytes=") - 1).split('-').first().toLongLong();
    const QByteArray size = QByteArray::number(m_log.size());
    if (from >= m_log.size()) {
        return {416, {}, {{"Content-Range", "bytes */" + size}}};
    }
    return {206, m_log.mid(from),
        {{"Content-Range",
            "bytes " + QByteArray::number(from) + '-' + QByteArray::number(m_log.size() - 1) + '/' + size}}};
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/servedaddress.h"

#include "engine/client/logreader.h"

#include <QRegularExpression>
#include <QUrl>

#include <algorithm>
#include <map>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qsizetype longestLine = 4096; // a line that says where it serves is short
constexpr int mostTried = 8; // addresses of a line
constexpr qint64 beginningBytes = 4 << 20, endBytes = 2 << 20;

// Escape sequences for colours and window titles.
QString withoutEscapes(const QString &line)
{
    static const QRegularExpression escape(u"\\x1b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\\x07\\x1b]*(?:\\x07|\\x1b\\\\)?|.)"_s);
    return QString(line).remove(escape);
}

bool isOwnName(const QString &host, const QStringList &names)
{
    const QString plain = host.toLower();
    static const QRegularExpression loopback(u"\\A(?:localhost|127(?:\\.\\d{1,3}){3}|\\[::1\\])\\z"_s);
    if (loopback.match(plain).hasMatch()) {
        return true;
    }
    return std::any_of(names.cbegin(), names.cend(), [&plain](const QString &name) {
        const QString own = name.toLower();
        // gpu1 and gpu1.lab.org are the same computer; of two addresses the first numbers say nothing.
        const bool isNumber = !own.isEmpty() && own.at(own.size() - 1).isDigit() && own.contains(u'.');
        return !own.isEmpty() && (plain == own || (!isNumber && plain.section(u'.', 0, 0) == own.section(u'.', 0, 0)));
    });
}

bool isEverywhere(const QString &host) { return host == "0.0.0.0"_L1 || host == "[::]"_L1 || host == "*"_L1; }

// A kind of line that only a server writes. The address follows.
struct Form {
    const char *program;
    const char *pattern; // that ends right before the address
    bool isAnyHost; // the line is about its own server, whatever name of the host it has
};
constexpr Form forms[] = {
    {"TensorBoard", "\\bTensorBoard \\d\\S* at\\s+$", true},
    {"vLLM", "\\bvLLM API server(?: \\d+)? on\\s+$", true},
    {"Jupyter", "(?:ServerApp|NotebookApp|LabApp|JupyterHub|ExtensionApp)\\]\\s+(?:or\\s+)?$", true},
    {"Ray", "View the (?:Ray )?dashboard at\\s+$", true},
    {"Gradio", "Running on local URL:\\s+$", false},
    {"Streamlit", "^\\s*(?:Local|Network) URL:\\s+$", false},
    {"MLflow", "(?i:mlflow).*(?:listening|running|serving|available).*?(?:at|on):?\\s+$", false},
    {"Uvicorn", "\\bUvicorn running on\\s+$", false},
    {"Gunicorn", "\\bListening at:\\s+$", false},
    {"Flask", "^\\s*\\*\\s+Running on\\s+$", false},
};
// Servers behind which is another program: a line that names that one says more.
bool isOnlyServer(const QString &program)
{
    return program == "Uvicorn"_L1 || program == "Gunicorn"_L1 || program == "Flask"_L1;
}

QString programOf(const QString &before, const QString &path, bool *isAnyHost)
{
    static const auto patterns = [] {
        QList<QRegularExpression> all;
        for (const Form &form : forms) {
            all.append(QRegularExpression(QString::fromLatin1(form.pattern)));
        }
        return all;
    }();
    for (qsizetype i = 0; i < patterns.size(); ++i) {
        if (patterns.at(i).match(before).hasMatch()) {
            *isAnyHost = forms[i].isAnyHost;
            return QString::fromLatin1(forms[i].program);
        }
    }
    static const QRegularExpression notebook(u"\\A/(?:\\S*/)?(?:lab|tree|notebooks|hub)?\\S*[?&]token="_s);
    *isAnyHost = false;
    return notebook.match(path).hasMatch() ? u"Jupyter"_s : QString();
}

// Words of a program that uses an address that another program serves.
bool isOfAUser(const QString &before)
{
    static const QRegularExpression uses(
        u"prox(?:y|ies)|\\bno_?proxy|connect|download|upload|fetch|fail|error|refused|unreachable|retry|retries|timed? "
        u"?out"
        "|request|\\b(?:GET|POST|PUT|HEAD|DELETE|PATCH)\\b|\\bcurl\\b|\\bwget\\b|\\bindex|mirror|registry|endpoint|"
        "tracking|exporter|\\bpush|\\bpull|\\bclone|\\bfrom\\b|\\busing\\b|base_?url|api_?base|\\bwait|https?://"_s,
        QRegularExpression::CaseInsensitiveOption);
    return uses.match(before).hasMatch();
}

// Words of a program that serves, or only a mark in front: "  ➜  Local:   http://localhost:5173/".
bool isOfAServer(const QString &before)
{
    static const QRegularExpression serves(
        u"\\b(?:run(?:s|ning)?|serv(?:e[sd]?|er|ing)|listen(?:s|ing)?|start(?:s|ed|ing)?|available|open(?:s|ed)?|visit|"
        "access(?:ible)?|browse|browser|dashboard|view|hosted|ready|bound|binding|launch(?:ed|ing)?|local|ui|url)\\b"_s,
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression letters(u"[A-Za-z]"_s);
    return serves.match(before).hasMatch() || !letters.match(before).hasMatch();
}

QString trimmedPath(QString path)
{
    while (!path.isEmpty() && QStringView(u".,;:!)]}>'\"`").contains(path.at(path.size() - 1))) {
        path.chop(1);
    }
    return path.startsWith(u'/') ? path : u'/' + path;
}

// A later one says less when it has neither the program nor the token.
bool takesThePlaceOf(const ServedAddress &later, const ServedAddress &earlier)
{
    const auto worth = [](const ServedAddress &one) {
        return (one.program.isEmpty()              ? 0
                       : isOnlyServer(one.program) ? 1
                                                   : 2)
            * 2
            + (one.path.contains("token="_L1) ? 1 : 0);
    };
    return worth(later) >= worth(earlier);
}

} // namespace

std::optional<ServedAddress> servedAddress(const QString &given, const QStringList &names)
{
    if (given.size() > longestLine || !given.contains(u':')) {
        return std::nullopt;
    }
    const QString line = withoutEscapes(given);
    // Ray leaves the scheme out.
    static const QRegularExpression address(
        u"(?:\\b(https?)://|(?<=[Dd]ashboard at )(?=[\\w.]+:\\d))(\\[[0-9A-Fa-f:]+\\]|\\*|[A-Za-z0-9](?:[A-Za-z0-9._-]*"
        "[A-Za-z0-9])?):(\\d{1,5})(?![\\w@.:-])([/?][A-Za-z0-9._~:/?#\\[\\]@!&*+,=%-]*)?"_s);
    int tried = 0;
    for (auto all = address.globalMatch(line); tried < mostTried && all.hasNext(); ++tried) {
        const QRegularExpressionMatch match = all.next();
        ServedAddress served;
        served.port = match.captured(3).toInt();
        if (served.port < 1 || served.port > 65535) {
            continue;
        }
        if (!match.captured(1).isEmpty()) {
            served.scheme = match.captured(1);
        }
        served.path = trimmedPath(match.captured(4));
        const QString before = line.first(match.capturedStart());
        const QString host = match.captured(2);
        bool isAnyHost = false;
        served.program = programOf(before, served.path, &isAnyHost);
        const bool isOwn = isEverywhere(host) || isOwnName(host, names);
        if (!isAnyHost && !isOwn) {
            continue;
        }
        if (served.program.isEmpty() && (isOfAUser(before) || (!isEverywhere(host) && !isOfAServer(before)))) {
            continue;
        }
        return served;
    }
    return std::nullopt;
}

QList<ServedAddress> servedAddresses(const QByteArray &output, const QStringList &names)
{
    std::map<int, ServedAddress> found;
    qsizetype at = 0;
    while (at < output.size()) {
        qsizetype end = at;
        while (end < output.size() && output.at(end) != '\n' && output.at(end) != '\r') {
            ++end;
        }
        const QByteArrayView line = QByteArrayView(output).sliced(at, end - at);
        at = end + 1;
        // These few letters are enough to skip most lines.
        if (line.size() > longestLine || (!line.contains("http") && !line.contains("ashboard at"))) {
            continue;
        }
        const std::optional<ServedAddress> served = servedAddress(QString::fromUtf8(line), names);
        if (!served) {
            continue;
        }
        const auto [it, isNew] = found.emplace(served->port, *served);
        if (!isNew && takesThePlaceOf(*served, it->second)) {
            it->second = *served;
        }
    }
    QList<ServedAddress> all;
    for (const auto &[port, served] : found) {
        all.append(served);
    }
    return all;
}

QList<ServedAddress> servedAddressesIn(const QString &logFolder, const QStringList &names)
{
    LogReader log(logFolder);
    const qint64 size = log.size();
    QByteArray text = log.read(0, std::min(size, beginningBytes));
    const qint64 last = std::max<qint64>(text.size(), size - endBytes);
    if (last < size) {
        text += '\n' + log.read(last, size - last);
    }
    return servedAddresses(text, names);
}

std::optional<ServedAddress> servedByPlugin(const ServiceInfo &service)
{
    const int port = QUrl(service.address).port();
    if (port <= 0) {
        return std::nullopt;
    }
    ServedAddress served;
    served.program = service.name == "tensorboard"_L1 ? u"TensorBoard"_s : service.name;
    served.port = port;
    return served;
}

QList<ServedAddress> servedByPlugins(const QList<ServiceInfo> &services, const QString &role, int index)
{
    QList<ServedAddress> all;
    for (const ServiceInfo &service : services) {
        const std::optional<ServedAddress> served = servedByPlugin(service);
        if (served && service.role == role && service.index == index) {
            all.append(*served);
        }
    }
    return all;
}

QString OfferedPort::name() const { return served.program.isEmpty() ? port.label : served.program; }

static QString addressAt(const QString &host, const ServedAddress &served, int port)
{
    return u"%1://%2:%3"_s.arg(served.scheme, host, QString::number(port)) + served.path;
}

QString OfferedPort::address() const
{
    if (port.isHere) {
        return port.port > 0 ? addressAt(u"localhost"_s, served, port.port) : QString(); // it may listen at ::1 alone
    }
    return port.localPort > 0 ? addressOf(served, port.localPort) : QString();
}

QString addressOf(const ServedAddress &served, int localPort) { return addressAt(u"127.0.0.1"_s, served, localPort); }

QList<OfferedPort> offeredPorts(
    const QList<api::TaskPort> &known, const QList<ServedAddress> &served, const api::TaskPort &task)
{
    QList<OfferedPort> offered;
    for (const api::TaskPort &port : known) {
        if (port.role == task.role && port.index == task.index) {
            offered.append({port, {}});
        }
    }
    for (const ServedAddress &one : served) {
        const auto it = std::find_if(
            offered.begin(), offered.end(), [&one](const OfferedPort &port) { return port.port.port == one.port; });
        if (it != offered.end()) {
            it->served = one;
            continue;
        }
        api::TaskPort port = task;
        port.label.clear();
        port.port = one.port;
        port.localPort = 0;
        port.connections = 0;
        offered.append({port, one});
    }
    // Whether one is forwarded already changes nothing about its place: where a program answers first, then what the
    // job has ports for.
    const auto place = [](const OfferedPort &one) {
        const int kind = one.served.port > 0 ? 0 : one.port.label.isEmpty() ? 2 : 1;
        return std::pair(kind, kind == 1 ? 0 : one.port.port);
    };
    std::stable_sort(offered.begin(), offered.end(),
        [&place](const OfferedPort &one, const OfferedPort &other) { return place(one) < place(other); });
    return offered;
}

} // namespace trainyard

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/kubeanswer.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <utility>

namespace trainyard::kube
{

using namespace Qt::StringLiterals;

namespace
{

bool saysOneOf(const QString &text, std::initializer_list<QLatin1StringView> words)
{
    return std::any_of(words.begin(), words.end(),
        [&text](QLatin1StringView word) { return text.contains(word, Qt::CaseInsensitive); });
}

} // namespace

Meaning meaningOf(const Answer &answer)
{
    if (answer.isGood()) {
        return Meaning::Good;
    }
    if (answer.kind == Answer::Kind::Missing) {
        return Meaning::Missing;
    }
    if (answer.kind == Answer::Kind::TimedOut || answer.status < 0) {
        return Meaning::Silent;
    }
    const QString text = QString::fromUtf8(answer.errors);
    constexpr int firstOfShells = 126; // kubectl could not be run, and above 128, a signal has ended it
    const bool isMute = text.trimmed().isEmpty() && answer.out.trimmed().isEmpty();
    // It could not do its work on this computer, or a proxy has answered with a page of its own.
    if (isMute || answer.status >= firstOfShells
        || saysOneOf(text,
            {"<html"_L1, "<!DOCTYPE"_L1, "invalid character '<'"_L1, "cannot allocate memory"_L1,
                "too many open files"_L1, "no space left on device"_L1, "disk quota exceeded"_L1,
                "stale file handle"_L1, "input/output error"_L1, "resource temporarily unavailable"_L1,
                "shared librar"_L1})) {
        return Meaning::Silent;
    }
    if (saysOneOf(text, {"exceeded quota"_L1, "(TooManyRequests)"_L1, "too many requests"_L1})) {
        return Meaning::Quota; // "forbidden" stands beside it
    }
    if (saysOneOf(text,
            {"no matches for kind \"JobSet\""_L1, "doesn't have a resource type \"jobset"_L1,
                "the server could not find the requested resource"_L1})) {
        return Meaning::NoJobSet;
    }
    if (saysOneOf(text,
            {"Unauthorized"_L1, "You must be logged in"_L1, "provide credentials"_L1, "token has expired"_L1,
                "getting credentials: exec"_L1})) {
        return Meaning::Unauthorized;
    }
    const bool isRefused = text.contains("connection refused"_L1); // else something is there and answers badly
    if (text.contains("server localhost:8080 was refused"_L1)
        || (isRefused && text.contains("\"http://localhost:8080/"_L1))) {
        return Meaning::Unconfigured; // where kubectl looks when no context names a server
    }
    if (saysOneOf(text,
            {"connection refused"_L1, "was refused - did you specify"_L1, "no such host"_L1, "i/o timeout"_L1,
                "TLS handshake timeout"_L1, "Unable to connect to the server"_L1, "deadline exceeded"_L1,
                "connection reset"_L1, "no route to host"_L1, "network is unreachable"_L1, "(ServiceUnavailable)"_L1,
                "(InternalError)"_L1, "(Timeout)"_L1, "currently unable to handle"_L1, "etcdserver"_L1,
                "failed calling webhook"_L1, "unexpected EOF"_L1, "(Conflict)"_L1,
                // A connection that breaks off, and what a proxy or a server that is starting says.
                ": EOF"_L1, "http2: "_L1, "GOAWAY"_L1, "broken pipe"_L1, "use of closed network connection"_L1,
                "context canceled"_L1, "proxyconnect tcp"_L1, "remote error: tls"_L1,
                "has prevented the request from succeeding"_L1, "unable to return a response in the time"_L1,
                "failed to download openapi"_L1})) {
        return Meaning::Silent;
    }
    static const QRegularExpression gone(u"namespaces? \"[^\"]*\" not found"_s);
    if (gone.match(text).hasMatch()) {
        return Meaning::NoNamespace;
    }
    if (saysOneOf(text, {"(NotFound)"_L1})) {
        return Meaning::NotFound;
    }
    static const QRegularExpression context(
        u"context \"[^\"]*\" does not exist|context was not found|stat [^:]*: no such file"_s);
    if (context.match(text).hasMatch()) {
        return Meaning::NoContext;
    }
    return saysOneOf(text, {"(Forbidden)"_L1, "is forbidden"_L1}) ? Meaning::Forbidden : Meaning::Refused;
}

bool isOfAnyServer(const Answer &answer)
{
    const QString text = QString::fromUtf8(answer.errors);
    return saysOneOf(text, {"the server could not find the requested resource"_L1})
        && !saysOneOf(text, {"no matches for kind"_L1, "doesn't have a resource type"_L1});
}

bool isBeforeCall(const Answer &answer)
{
    if (answer.kind == Answer::Kind::Missing) {
        return true;
    }
    if (answer.kind != Answer::Kind::Done || answer.status <= 0 || !answer.out.trimmed().isEmpty()) {
        return false;
    }
    // Each line is one call, or says where kubectl has looked for the cluster.
    const QStringList lines = QString::fromUtf8(answer.errors).split(u'\n', Qt::SkipEmptyParts);
    return !lines.isEmpty() && std::all_of(lines.cbegin(), lines.cend(), [](const QString &line) {
        return saysOneOf(line,
                   {": dial tcp"_L1, "was refused - did you specify"_L1, "error: no context exists"_L1,
                       "context was not found"_L1})
            && !saysOneOf(line, {"EOF"_L1, "connection reset"_L1, "deadline exceeded"_L1});
    });
}

bool isFinal(Meaning meaning)
{
    return meaning == Meaning::Forbidden || meaning == Meaning::NoNamespace || meaning == Meaning::NoJobSet
        || meaning == Meaning::NoContext || meaning == Meaning::Refused || meaning == Meaning::NotFound;
}

QString codeOf(Meaning meaning)
{
    switch (meaning) {
    case Meaning::Good:
        return {};
    case Meaning::Missing:
        return u"kubernetes.no-kubectl"_s;
    case Meaning::Silent:
        return u"kubernetes.silent"_s;
    case Meaning::Unconfigured:
        return u"kubernetes.unconfigured"_s;
    case Meaning::Unauthorized:
        return u"kubernetes.unauthorized"_s;
    case Meaning::Forbidden:
        return u"kubernetes.forbidden"_s;
    case Meaning::NoNamespace:
        return u"kubernetes.no-namespace"_s;
    case Meaning::NoJobSet:
        return u"kubernetes.no-jobset"_s;
    case Meaning::Quota:
        return u"kubernetes.quota"_s;
    case Meaning::NoContext:
        return u"kubernetes.no-context"_s;
    case Meaning::NotFound:
    case Meaning::Refused:
        break;
    }
    return u"kubernetes.refused"_s;
}

QStringList placeArguments()
{
    return {u"config"_s, u"view"_s, u"--minify"_s,
        u"--output=jsonpath={.current-context}{\"\\n\"}{.contexts[0].context.namespace}"_s};
}

bool saysPlace(const QString &option)
{
    return option.startsWith("--context="_L1) || option.startsWith("--namespace="_L1)
        || option.startsWith("--kubeconfig="_L1);
}

QStringList placeOf(const QStringList &options, const QByteArray &said)
{
    const QStringList lines = QString::fromUtf8(said).split(u'\n');
    const QString context = lines.value(0).trimmed(), space = lines.value(1).trimmed();
    const auto isSaid = [&options](QLatin1StringView option) {
        return std::any_of(
            options.cbegin(), options.cend(), [option](const QString &each) { return each.startsWith(option); });
    };
    QStringList place;
    if (context.isEmpty()) {
        return place;
    }
    // Also what the options say: the target may get others while jobs are there.
    std::copy_if(options.cbegin(), options.cend(), std::back_inserter(place), saysPlace);
    if (!isSaid("--context="_L1)) {
        place.append(u"--context="_s + context);
    }
    if (!isSaid("--namespace="_L1)) {
        place.append(u"--namespace="_s + (space.isEmpty() ? u"default"_s : space));
    }
    return place;
}

QString detailOf(const QByteArray &errors)
{
    constexpr qsizetype longest = 300;
    QStringList lines;
    const QStringList all = QString::fromUtf8(errors).split(u'\n', Qt::SkipEmptyParts);
    for (QString line : all) {
        line = line.trimmed();
        // klog's lines ("E0102 10:00:00.1 ...") come again for each try of one question.
        static const QRegularExpression noise(u"\\A([EWI]\\d{4} |Warning: )"_s);
        if (line.isEmpty() || noise.match(line).hasMatch()) {
            continue;
        }
        line.remove(QRegularExpression(u"\\A(error: |Error from server( \\([A-Za-z]+\\))?: )"_s));
        if (!lines.contains(line)) {
            lines.append(line);
        }
    }
    QString text = lines.join(u' ');
    if (text.isEmpty() && !all.isEmpty()) {
        text = all.constLast().trimmed();
    }
    return text.size() > longest ? QString(text.left(longest) + u'…') : text;
}

} // namespace trainyard::kube

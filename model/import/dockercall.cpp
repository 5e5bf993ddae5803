// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/import/dockercall.h"

#include "model/base/shellquote.h"

#include <QHash>
#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::batch
{
namespace
{

struct DockerWord {
    QByteArray written; // with its quotes
    QString text; // without them
    qsizetype end = 0;
};

bool isBlankOfShell(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Unquoted, to a shell; '#' begins a comment only where a word could begin.
bool endsWord(char c, bool isFirst)
{
    return isBlankOfShell(c) || QByteArrayView(";|&<>()").contains(c) || (c == '#' && isFirst);
}

// The end of what begins with a quote, "$(" or "`" at `at`; that of the text when nothing closes it.
qsizetype endOfGroup(const QByteArray &text, qsizetype at)
{
    const bool isCall = text.at(at) == '$';
    const char closing = isCall ? ')' : text.at(at);
    int depth = isCall ? 0 : 1;
    for (qsizetype i = at + 1; i < text.size(); ++i) {
        if (text.at(i) == '\\' && closing != '\'') {
            ++i;
        } else if (isCall && text.at(i) == '(') {
            ++depth;
        } else if (text.at(i) == closing && --depth == 0) {
            return i + 1;
        }
    }
    return text.size();
}

// The text between double quotes, as the shell reads it.
QByteArray withoutBackslashes(const QByteArray &quoted)
{
    QByteArray plain;
    for (qsizetype i = 0; i < quoted.size(); ++i) {
        const bool isEscape = quoted.at(i) == '\\' && i + 1 < quoted.size();
        if (isEscape && QByteArrayView("\"\\$`\n").contains(quoted.at(i + 1))) {
            ++i;
            plain += quoted.at(i) == '\n' ? QByteArray() : QByteArray(1, quoted.at(i));
        } else {
            plain += quoted.at(i);
        }
    }
    return plain;
}

// The word behind `from`, or nothing at the end of the command.
std::optional<DockerWord> nextWord(const QByteArray &text, qsizetype from)
{
    qsizetype at = from;
    while (at < text.size()
        && (isBlankOfShell(text.at(at)) || (text.at(at) == '\\' && at + 1 < text.size() && text.at(at + 1) == '\n'))) {
        at += text.at(at) == '\\' ? 2 : 1;
    }
    const qsizetype begin = at;
    QByteArray plain;
    while (at < text.size() && !endsWord(text.at(at), at == begin)) {
        const char c = text.at(at);
        const bool isCall = c == '$' && at + 1 < text.size() && text.at(at + 1) == '(';
        if (c == '\\' && at + 1 < text.size()) {
            plain += text.at(at + 1) == '\n' ? QByteArray() : QByteArray(1, text.at(at + 1));
            at += 2;
        } else if (c == '\'' || c == '"' || c == '`' || isCall) {
            const qsizetype end = endOfGroup(text, at);
            const QByteArray between = text.mid(at + 1, std::max<qsizetype>(0, end - at - 2));
            plain += c == '"' ? withoutBackslashes(between) : c == '\'' ? between : text.mid(at, end - at);
            at = end;
        } else {
            plain += c;
            ++at;
        }
    }
    if (at == begin) {
        return std::nullopt;
    }
    return DockerWord{text.mid(begin, at - begin), QString::fromUtf8(plain), at};
}

enum class OptionKind { Flag, Value };

// The options of both programs that are known, by their long name; those that mean nothing for a job are in silentOnes.
const QHash<QString, OptionKind> &optionsOfRun()
{
    static const QHash<QString, OptionKind> known = [] {
        QHash<QString, OptionKind> all;
        for (const char *name : {"detach", "init", "interactive", "tty", "no-healthcheck", "oom-kill-disable",
                 "privileged", "publish-all", "quiet", "read-only", "rm", "sig-proxy", "disable-content-trust",
                 "replace", "env-host", "http-proxy", "no-hosts", "tls-verify"}) {
            all.insert(QString::fromLatin1(name), OptionKind::Flag);
        }
        for (const char *name :
            {"add-host", "annotation", "attach", "authfile", "blkio-weight", "cap-add", "cap-drop", "cgroup-parent",
                "cgroupns", "cgroups", "cidfile", "cpu-period", "cpu-quota", "cpu-shares", "cpus", "cpuset-cpus",
                "cpuset-mems", "detach-keys", "device", "device-cgroup-rule", "dns", "dns-option", "dns-search",
                "domainname", "entrypoint", "env", "env-file", "expose", "gpus", "group-add", "health-cmd", "hostname",
                "ip", "ipc", "label", "label-file", "link", "log-driver", "log-opt", "mac-address", "memory",
                "memory-reservation", "memory-swap", "memory-swappiness", "mount", "name", "net", "network",
                "network-alias", "oom-score-adj", "pid", "pids-limit", "platform", "publish", "pull", "restart",
                "runtime", "security-opt", "shm-size", "stop-signal", "stop-timeout", "storage-opt", "sysctl", "tmpfs",
                "ulimit", "user", "userns", "uts", "volume", "volumes-from", "workdir", "systemd", "secret"}) {
            all.insert(QString::fromLatin1(name), OptionKind::Value);
        }
        return all;
    }();
    return known;
}

QString longNameOf(char letter)
{
    static const QHash<char, QString> names{{'a', u"attach"_s}, {'c', u"cpu-shares"_s}, {'d', u"detach"_s},
        {'e', u"env"_s}, {'h', u"hostname"_s}, {'i', u"interactive"_s}, {'l', u"label"_s}, {'m', u"memory"_s},
        {'P', u"publish-all"_s}, {'p', u"publish"_s}, {'q', u"quiet"_s}, {'t', u"tty"_s}, {'u', u"user"_s},
        {'v', u"volume"_s}, {'w', u"workdir"_s}};
    return names.value(letter);
}

// Options that every task has, or that are only for starting a container by hand.
bool isSilent(const QString &name, const QString &value)
{
    static const QStringList silent{u"rm"_s, u"interactive"_s, u"tty"_s, u"init"_s, u"name"_s, u"pull"_s, u"quiet"_s,
        u"sig-proxy"_s, u"attach"_s, u"cidfile"_s, u"detach-keys"_s, u"disable-content-trust"_s, u"label"_s,
        u"log-driver"_s, u"log-opt"_s, u"replace"_s, u"authfile"_s};
    const bool isHostNetwork = (name == "network"_L1 || name == "net"_L1) && value == "host"_L1;
    return silent.contains(name) || isHostNetwork;
}

// Whether the option is one of those that a job has a place for; else it is left out.
bool takeDockerOption(DockerCall &call, const QString &name, const QString &value, const QByteArray &written)
{
    if (name == "env"_L1) {
        static const QRegularExpression ofShell(u"^(?:[A-Za-z_]\\w*=|[^=]*[$`])"_s); // the shell may make any name
        if (value.contains(u'=') && !ofShell.match(value).hasMatch()) {
            return false; // a program may have "my.name", a shell cannot set it
        }
        if (value.contains(u'=')) {
            call.exports.append(written);
        } else {
            call.passedOn.append(value);
        }
    } else if (name == "volume"_L1 || name == "mount"_L1) {
        call.mounts.append(value);
    } else if (name == "workdir"_L1) {
        call.folder = value;
    } else if (name == "cpus"_L1) {
        call.cpus = value;
    } else if (name == "memory"_L1) {
        call.memory = value;
    } else if (name == "shm-size"_L1) {
        call.sharedMemory = value;
    } else if (name == "ipc"_L1 && value == "host"_L1) {
        call.ipc = u"--ipc="_s + value;
    } else if (name == "gpus"_L1) {
        call.gpus = QString(value).remove(u'"');
        call.gpuOption = u"--gpus "_s + *call.gpus;
    } else if (name == "runtime"_L1 && value == "nvidia"_L1) {
        call.gpus = call.gpus.value_or(u"all"_s);
        call.gpuOption = call.gpuOption.isEmpty() ? u"--runtime=nvidia"_s : call.gpuOption;
    } else if (name == "device"_L1 && value.startsWith("nvidia.com/gpu="_L1)) {
        const QString which = value.mid(value.indexOf(u'=') + 1);
        const bool isMore = call.gpus && call.gpus->startsWith("device="_L1);
        if (which == "all"_L1) {
            call.gpus = which;
        } else {
            call.gpus = isMore ? QString(*call.gpus + u',' + which) : QString(u"device="_s + which);
        }
        call.gpuOption = u"--device "_s + value;
    } else {
        return isSilent(name, value);
    }
    return true;
}

const QRegularExpression &callForm()
{
    static const QRegularExpression form(
        u"^\\s*(?:exec\\s+)?(?:sudo\\s+(?:-\\w+\\s+)*)?(nvidia-docker|docker|podman)\\s+(?:container\\s+)?run(?=\\s|\\\\\n)"_s);
    return form;
}

// Whether a word is the descriptor of a redirection: "2>&1".
bool isDescriptor(const QByteArray &text, const DockerWord &word)
{
    const bool isNumber = std::all_of(
        word.written.cbegin(), word.written.cend(), [](char digit) { return digit >= '0' && digit <= '9'; });
    return isNumber && word.end < text.size() && (text.at(word.end) == '<' || text.at(word.end) == '>');
}

} // namespace

bool hasDockerCall(const QByteArray &line)
{
    static const QRegularExpression call(
        u"(?:^|[;&|({])\\s*(?:exec\\s+)?(?:sudo\\s+(?:-\\w+\\s+)*)?(?:nvidia-docker|docker|podman)\\s+(?:container\\s+)?run(?=\\s|\\\\\n)"_s);
    return call.match(QString::fromUtf8(line)).hasMatch();
}

std::optional<DockerCall> dockerCallOf(const QByteArray &command, QString *unknown)
{
    const QString decoded = QString::fromUtf8(command);
    const QRegularExpressionMatch head = callForm().match(decoded);
    if (!head.hasMatch()) {
        return std::nullopt;
    }
    DockerCall call;
    call.program = head.captured(1) == "podman"_L1 ? u"podman"_s : u"docker"_s;
    if (head.captured(1) == "nvidia-docker"_L1) {
        call.gpus = u"all"_s;
        call.gpuOption = head.captured(1);
    }
    QByteArray entry; // as it is written
    qsizetype at = decoded.first(head.capturedEnd()).toUtf8().size();
    std::optional<DockerWord> word = nextWord(command, at);
    for (; word && word->text.startsWith(u'-') && word->text.size() > 1; word = nextWord(command, at)) {
        at = word->end;
        if (word->text == "--"_L1) {
            word = nextWord(command, at);
            break;
        }
        // "--name=value" and "--name value"; "-it", "-v value", "-v=value" and "-vvalue".
        const bool isLong = word->text.startsWith("--"_L1);
        qsizetype letter = 1;
        do {
            const qsizetype equals = isLong ? word->text.indexOf(u'=') : -1;
            const QString name = isLong ? word->text.mid(2, equals < 0 ? -1 : equals - 2)
                                        : longNameOf(word->text.at(letter).toLatin1());
            const auto known = optionsOfRun().constFind(name);
            if (known == optionsOfRun().constEnd()) {
                if (unknown) {
                    *unknown = word->text;
                }
                return std::nullopt;
            }
            QString value = equals < 0 ? QString() : word->text.mid(equals + 1);
            const bool isQuoted = word->written.startsWith('"') || word->written.startsWith('\'');
            QByteArray written = equals < 0 ? QByteArray()
                : isQuoted                  ? shellQuote(value.toUtf8())
                                            : word->written.mid(word->written.indexOf('=') + 1);
            if (*known == OptionKind::Flag) {
                const bool isOff = value == "false"_L1;
                if (name == "detach"_L1 && !isOff) {
                    return std::nullopt;
                }
                if (!isOff && !takeDockerOption(call, name, value, written)) {
                    call.leftOut.append(u"--"_s + name);
                }
                ++letter;
                continue;
            }
            if (!isLong && letter + 1 < word->text.size()) {
                const bool hasEquals = word->text.at(letter + 1) == u'=';
                value = word->text.mid(letter + (hasEquals ? 2 : 1));
                written = isQuoted ? shellQuote(value.toUtf8()) : word->written.mid(letter + (hasEquals ? 2 : 1));
            } else if (equals < 0) {
                word = nextWord(command, at);
                if (!word) {
                    return std::nullopt;
                }
                at = word->end;
                value = word->text;
                written = word->written;
            }
            if (name == "entrypoint"_L1) {
                entry = value.isEmpty() ? QByteArray() : written;
            } else if (!takeDockerOption(call, name, value, written)) {
                call.leftOut.append(u"--%1 %2"_s.arg(name, value));
            }
            break;
        } while (!isLong && letter < word->text.size());
    }
    if (!word || word->text.isEmpty()) {
        return std::nullopt;
    }
    call.image = word->text;
    const std::optional<DockerWord> first = nextWord(command, word->end);
    const QByteArray rest = command.mid(first ? first->end - first->written.size() : word->end).trimmed();
    const bool isBackground = rest.endsWith('&') && !rest.endsWith("&&");
    call.command = entry.isEmpty() ? rest : entry + ' ' + rest;
    // A word that begins with '-' is for the entry point of the image, which is not known.
    const bool isProgram = first && !first->text.startsWith(u'-') && !isDescriptor(command, *first);
    const bool hasCommand = !entry.isEmpty() || isProgram;
    return hasCommand && !isBackground ? std::optional(call) : std::nullopt;
}

} // namespace trainyard::batch

// SPDX-License-Identifier: GPL-3.0-or-later
// Interprets the end of ssh: the codes of SshTransport.
#include "engine/api/hosterrors.h"
#include "engine/hosts/hostsfile.h"
#include "engine/hosts/sshscripts.h"
#include "engine/hosts/sshtransport.h"

#include <QJsonArray>
#include <QRegularExpression>

#include <algorithm>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qsizetype longestQuote = 512;

// The command that forgets the old key of a host. Debian's ssh says it, with the file that has the key; others say the
// file and the name that it has there, which is neither that of the user's configuration nor without a port. A jump
// host can write there too, so nothing is taken that a shell, or a terminal into which it
// is pasted, could read as more than that.
QString forgettingCommand(const QByteArray &complaints, const QString &target)
{
    const auto last = [text = QString::fromLocal8Bit(complaints)](const QString &pattern) {
        const QRegularExpression shape(
            pattern, QRegularExpression::MultilineOption | QRegularExpression::CaseInsensitiveOption);
        QRegularExpressionMatch found;
        for (auto matches = shape.globalMatch(text); matches.hasNext();) {
            found = matches.next();
        }
        return found;
    };
    const auto commandFor = [](const QString &file, const QString &name) {
        const QString of = file.isEmpty() ? QString() : u"-f \"%1\" "_s.arg(file);
        return QString(u"ssh-keygen "_s + of + u"-R "_s + (name.contains(u'[') ? u"\"%1\""_s.arg(name) : name));
    };
    const QString name = u"([\\w.:\\[\\]-]+)"_s, file = u"([^\"'`$\\\\!\\x00-\\x1f\\x7f-\\x9f]+)"_s;
    const QRegularExpressionMatch told
        = last(u"^\\s*ssh-keygen -f (['\"])%1\\1 -R (['\"])%2\\3\\s*$"_s.arg(file, name));
    if (told.hasMatch()) {
        return commandFor(told.captured(2), told.captured(4));
    }
    const QRegularExpressionMatch place = last(u"^Offending \\S+ key in %1:\\d+\\s*$"_s.arg(file));
    const QRegularExpressionMatch entry = last(u"host key for %1 has changed and you have requested"_s.arg(name));
    if (entry.hasMatch()) {
        return commandFor(place.captured(1), entry.captured(1));
    }
    const QString computer = HostsFile::computerOf(target), port = HostsFile::portOf(target);
    return commandFor({}, port.isEmpty() || port == "22"_L1 ? computer : u"[%1]:%2"_s.arg(computer, port));
}

// The fingerprint of the host's present key; empty: ssh does not report it.
QString sentFingerprint(const QByteArray &complaints)
{
    static const QRegularExpression said(
        u"^The fingerprint for the \\S+ key sent by the remote host is\\s+((?:SHA256|MD5):[A-Za-z0-9+/=:]+)"_s,
        QRegularExpression::MultilineOption);
    QString fingerprint;
    for (auto matches = said.globalMatch(QString::fromLocal8Bit(complaints)); matches.hasNext();) {
        fingerprint = matches.next().captured(1); // that of the host is behind those of jump hosts
    }
    return fingerprint;
}

// The result of signing with a security key (FIDO), and its file. Without a code there was none.
std::pair<QString, QString> securityKeyIn(const QByteArray &complaints)
{
    static const QRegularExpression failure(u"signing failed for \\S+-SK \"([^\"\n]*)\"( from agent)?: ([^\r\n]*)"_s,
        QRegularExpression::CaseInsensitiveOption);
    const QRegularExpressionMatch match = failure.match(QString::fromLocal8Bit(complaints));
    if (!match.hasMatch()) {
        return {};
    }
    const QString why = match.captured(3).toLower();
    return {why.contains("device not found"_L1) ? u"host.security-key-absent"_s
            : why.contains("passphrase"_L1)     ? u"host.security-key-pin"_s // ssh calls it so
            : match.capturedLength(2) > 0       ? u"host.security-key-agent"_s
                                                : u"host.security-key-failed"_s,
        match.captured(1)};
}

// The refused user and the methods that the server accepts, from the last of ssh's lines about it: with jump hosts that
// is the one at which the connection failed. There is none after too many keys, or if the server ends the connection.
struct Refused {
    QString user, computer;
    QStringList methods;
};

Refused refusedIn(const QByteArray &complaints)
{
    static const QRegularExpression line(u"^(\\S+)@(\\S+): Permission denied \\(([\\w@.,-]+)\\)\\.?\\s*$"_s,
        QRegularExpression::MultilineOption | QRegularExpression::CaseInsensitiveOption);
    Refused refused;
    auto matches = line.globalMatch(QString::fromLocal8Bit(complaints));
    while (matches.hasNext()) {
        const QRegularExpressionMatch match = matches.next();
        refused = {match.captured(1), match.captured(2), match.captured(3).split(u',', Qt::SkipEmptyParts)};
    }
    return refused;
}

// A login that was refused, with the code that says whether a person could type something there.
Error refusedLogin(const QByteArray &complaints, QJsonObject args)
{
    if (const auto [code, file] = securityKeyIn(complaints); !code.isEmpty()) {
        args.insert(u"key"_s, file);
        return {code, args};
    }
    const Refused refused = refusedIn(complaints);
    if (refused.methods.isEmpty()) {
        return {u"host.needs-login"_s, args};
    }
    args.insert(u"user"_s, refused.user);
    args.insert(u"computer"_s, refused.computer);
    args.insert(u"methods"_s, QJsonArray::fromStringList(refused.methods));
    const bool takesWords
        = refused.methods.contains(u"password"_s) || refused.methods.contains(u"keyboard-interactive"_s);
    return {takesWords ? u"host.needs-login.password"_s : u"host.needs-login.key"_s, args};
}

// ssh's words for a connection that the other side has ended, whether or not it had begun to speak.
bool isEndByServer(const QByteArray &complaints)
{
    const QByteArray text = complaints.toLower();
    return text.contains("connection closed by") || text.contains("closed by remote host")
        || text.contains("connection reset by");
}

// Before the login. ssh says it in one line or two; a banner of the server says nothing of it.
Error closedEarly(const QByteArray &complaints, QJsonObject args, const QString &saidInstead = {})
{
    QStringList lines;
    if (!saidInstead.isEmpty()) {
        lines.append(saidInstead.left(longestQuote).simplified());
    }
    for (const QByteArray &line : complaints.right(longestQuote).split('\n')) {
        if (isEndByServer(line)) {
            lines.append(QString::fromLocal8Bit(line).trimmed());
        }
    }
    if (!lines.isEmpty()) {
        args.insert(u"message"_s, lines.join(u"; "_s));
    }
    return {u"host.closed-early"_s, args};
}

// The server had started to admit the user. Its messages about it precede ssh's message about the end.
Error closedAtLogin(const QByteArray &said, QJsonObject args)
{
    QStringList lines;
    for (const QByteArray &line : said.right(longestQuote).split('\n')) {
        if (const QString text = QString::fromLocal8Bit(line).trimmed(); !text.isEmpty()) {
            lines.append(text);
        }
    }
    args.insert(u"message"_s, lines.join(u"; "_s));
    return {u"host.closed-at-login"_s, args};
}

} // namespace

// The command was never run. Said is what the host printed instead, its errors last.
Error SshTransport::meaningOfShell(const QString &code, const QString &silentCode, int exitStatus) const
{
    const QString said = QString::fromUtf8(m_verdict.right(longestQuote) + '\n' + m_trail.saidByCommand()).simplified();
    const qint64 seconds = m_sinceLogin.isValid() ? std::max<qint64>(1, m_sinceLogin.elapsed() / 1000) : 1;
    return {said.isEmpty() ? silentCode : code,
        {{u"host"_s, m_options.target}, {u"ssh"_s, HostsFile::sshCommand(m_options.target)}, {u"status"_s, exitStatus},
            {u"message"_s, said.right(longestQuote)}, {u"seconds"_s, seconds}}};
}

// No folder took the helper, or none lets it run. Without room it is tried again, as that passes.
Error SshTransport::meaningOfRefusal() const
{
    using sshscripts::Refusal;
    constexpr qint64 mib = 1024 * 1024;
    const Refusal refusal = sshscripts::refusalIn(m_verdict, m_nonce, m_program.bytes.size());
    if (refusal.kind == Refusal::Kind::NoRoom) {
        return {u"host.agent-no-room"_s,
            {{u"host"_s, m_options.target}, {u"folder"_s, QString::fromUtf8(refusal.folder)},
                {u"freeMiB"_s, refusal.free / mib}, {u"neededMiB"_s, (m_program.bytes.size() + mib - 1) / mib}}};
    }
    // A quota does not show in any list of file systems, and may refuse the first byte.
    const QByteArray words = m_trail.complaints().toLower();
    if (refusal.kind == Refusal::Kind::Short || words.contains("no space left") || words.contains("quota")) {
        const QByteArray said = m_trail.complaints().right(512).trimmed();
        return {u"host.agent-not-written"_s,
            {{u"host"_s, m_options.target},
                {u"message"_s, QString::fromLocal8Bit(said.isEmpty() ? refusal.folder : said)}}};
    }
    const bool isLikeThis = m_machine.endsWith(u' ' + QString::fromLatin1(m_program.processor));
    return {isLikeThis ? u"host.agent-cannot-run"_s : u"host.agent-does-not-run"_s,
        {{u"host"_s, m_options.target}, {u"machine"_s, m_machine}}};
}

// Words of a refusal that come after the login are about something that the start-up files run.
Error SshTransport::meaningOfEnd() const
{
    Error why = meaningOf(sshFailed, m_trail.complaints(), m_options.target);
    if (m_trail.hasCommand() && why.code != "host.ssh-failed"_L1) {
        why.code = u"host.cut"_s;
    }
    const bool isEnd
        = (why.code == "host.cut"_L1 || why.code == "host.closed-early"_L1) && isEndByServer(m_trail.complaints());
    if (isEnd && !m_trail.hasCommand()) {
        return m_trail.hasLogin() ? closedAtLogin(m_trail.saidAtLogin(), why.args)
                                  : closedEarly(m_trail.complaints(), why.args, m_trail.saidInstead());
    }
    if (why.args.contains("computer"_L1) && m_trail.isAtHost()) {
        why.args.insert(u"computer"_s, HostsFile::computerOf(m_options.target)); // as its user calls it
    }
    // Where a password was given as well, that was the last word.
    if (!m_isPasswordGiven) {
        const QString locked = m_trail.lockedKey();
        const bool isIt = locked.isEmpty() || locked.startsWith(m_phrase.key); // ssh asks with the begin of a long name
        why = lackingPhrase(why, {locked.isEmpty() ? m_phrase.key : locked, m_phrase.isGiven && isIt});
    }
    const std::optional<QStringList> keys = m_trail.refusedKeys();
    return keys ? withRefusedKeys(why, *keys) : why;
}

Error SshTransport::withRefusedKeys(const Error &refused, const QStringList &keys)
{
    if (!hosterror::isKeyRefused(refused.code) && refused.code != "host.needs-login.password"_L1) {
        return refused;
    }
    QStringList files;
    for (const QString &key : keys) {
        if (key.startsWith(u'/')) { // else an agent has it, and this is only its comment
            files.append(key.endsWith(".pub"_L1) ? key : QString(key + ".pub"_L1));
        }
    }
    QJsonObject args = refused.args;
    args.insert(u"keys"_s, QJsonArray::fromStringList(keys));
    args.insert(u"publicKeys"_s, QJsonArray::fromStringList(files));
    return {refused.code, args};
}

Error SshTransport::lackingPhrase(const Error &refused, const Phrase &phrase)
{
    const QString said = refused.args.value("message"_L1).toString();
    const bool isOther = said.contains("signing failed"_L1) || said.contains("Load key"_L1); // ssh says what it is
    if (!refused.code.startsWith("host.needs-login"_L1) || phrase.key.isEmpty() || isOther) {
        return refused;
    }
    QJsonObject args = refused.args;
    args.insert(u"key"_s, phrase.key);
    return {phrase.isGiven ? u"host.needs-login.locked-wrong"_s : u"host.needs-login.locked"_s, args};
}

Error SshTransport::meaningOf(int exitStatus, const QByteArray &complaints, const QString &target)
{
    const QByteArray text = complaints.toLower();
    QJsonObject args{{u"host"_s, target}, {u"name"_s, HostsFile::computerOf(target)},
        {u"ssh"_s, HostsFile::sshCommand(target)},
        {u"message"_s, QString::fromLocal8Bit(complaints.right(2048)).trimmed()}, {u"status"_s, exitStatus}};
    if (exitStatus != sshFailed) {
        return {exitStatus == 0 ? u"host.agent-died"_s : u"host.shell-failed"_s, args};
    }
    struct Clue {
        const char *text;
        QString code;
    };
    static const Clue clues[] = {
        {"remote host identification has changed", u"host.key-changed"_s},
        {"host key verification failed", u"host.key-unknown"_s},
        {"permission denied", u"host.needs-login"_s},
        {"too many authentication failures", u"host.needs-login"_s},
        {"could not resolve hostname", u"host.name-unknown"_s},
        {"bad configuration option", u"host.ssh-config"_s},
        {"bad owner or permissions", u"host.ssh-config"_s},
        {"terminating, ", u"host.ssh-config"_s},
        {"can't open user config file", u"host.ssh-config"_s},
        {"connection refused", u"host.unreachable"_s},
        {"connection timed out", u"host.unreachable"_s},
        {"operation timed out", u"host.unreachable"_s},
        {"no route to host", u"host.unreachable"_s},
        {"network is unreachable", u"host.unreachable"_s},
        {"exchange_identification: ", u"host.closed-early"_s}, // "kex_" or, of older ones, "ssh_"
        {"timeout, server", u"host.cut"_s},
        {"connection reset", u"host.cut"_s},
        {"broken pipe", u"host.cut"_s},
        {"closed by remote host", u"host.cut"_s},
        {"connection closed", u"host.cut"_s},
    };
    for (const Clue &clue : clues) {
        // A server that answers but is not an ssh server has not closed the connection.
        const bool isOther = clue.code == "host.closed-early"_L1 && !isEndByServer(complaints);
        if (text.contains(clue.text) && !isOther) {
            if (clue.code == "host.key-changed"_L1) {
                args.insert(u"remove"_s, forgettingCommand(complaints, target));
                args.insert(u"fingerprint"_s, sentFingerprint(complaints));
            }
            if (clue.code == "host.needs-login"_L1) {
                return refusedLogin(complaints, args);
            }
            return clue.code == "host.closed-early"_L1 ? closedEarly(complaints, args) : Error{clue.code, args};
        }
    }
    return {complaints.trimmed().isEmpty() ? u"host.cut"_s : u"host.ssh-failed"_s, args};
}

} // namespace trainyard

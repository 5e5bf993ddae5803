// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hosts/sshtrail.h"

#include "engine/api/hoststeps.h"

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr qsizetype longestLine = 4096, mostComplaints = 16384;

// The text between two others, or nothing.
QString between(const QByteArray &line, QByteArrayView begin, QByteArrayView end)
{
    const qsizetype at = line.indexOf(begin);
    const qsizetype from = at + begin.size();
    const qsizetype to = at < 0 ? -1 : line.indexOf(end, from);
    return to < 0 ? QString() : QString::fromUtf8(line.mid(from, to - from));
}

// Lines that -v adds although they have no "debug1: ".
bool isChatter(const QByteArray &line)
{
    return (line.startsWith("OpenSSH_") && line.contains(',')) || line.startsWith("Transferred: sent ")
        || line.startsWith("Bytes per second: sent ") || line.startsWith("Authenticated to ");
}

// The jump host of "ssh -v -W '[far]:22' gate"; any other command as it is.
QByteArray proxyOf(const QByteArray &command)
{
    // ssh names itself as it was started, and the file that it was given: "/usr/bin/ssh -F config -v -W ...".
    const QByteArray program = command.left(command.indexOf(' '));
    const bool isJump = (program == "ssh" || program.endsWith("/ssh")) && command.contains(" -W ");
    return isJump ? command.mid(command.lastIndexOf(' ') + 1) : command;
}

// "FILE TYPE FINGERPRINT SOURCE"; before 8.0 "TYPE FINGERPRINT FILE". For a key that only an agent has, the file is its
// comment.
QString fileOfKey(const QByteArray &words)
{
    const qsizetype fingerprint = qMax(words.lastIndexOf(" SHA256:"), words.lastIndexOf(" MD5:"));
    const qsizetype type = fingerprint < 1 ? -1 : words.lastIndexOf(' ', fingerprint - 1);
    const qsizetype behind = fingerprint < 0 ? -1 : words.indexOf(' ', fingerprint + 1);
    return type > 0  ? QString::fromUtf8(words.left(type))
        : behind > 0 ? QString::fromUtf8(words.mid(behind + 1))
                     : QString();
}

} // namespace

QList<SshTrail::Passed> SshTrail::take(const QByteArray &bytes)
{
    QList<Passed> passed;
    m_rest += bytes;
    qsizetype begin = 0;
    for (qsizetype end = m_rest.indexOf('\n'); end >= 0; end = m_rest.indexOf('\n', begin)) {
        takeLine(m_rest.mid(begin, end - begin), passed);
        begin = end + 1;
    }
    m_rest.remove(0, begin);
    if (m_rest.size() > longestLine) {
        takeLine(m_rest, passed);
        m_rest.clear();
    }
    return passed;
}

QByteArray SshTrail::complaints() const { return m_rest.startsWith("debug1: ") ? m_complaints : m_complaints + m_rest; }

QByteArray SshTrail::saidByCommand() const
{
    return !m_hasCommand || m_rest.startsWith("debug1: ") ? m_said : m_said + m_rest;
}

QByteArray SshTrail::saidAtLogin() const
{
    return !m_hasLogin || m_rest.startsWith("debug1: ") ? m_saidAtLogin : m_saidAtLogin + m_rest;
}

void SshTrail::takeLine(const QByteArray &line, QList<Passed> &passed)
{
    const QByteArray text = line.endsWith('\r') ? line.chopped(1) : line;
    if (text.startsWith("debug1: ")) {
        takeDebugLine(text.mid(8), passed);
        return;
    }
    if (text.startsWith("Authenticated to ")) {
        m_login = {{u"method"_s, between(text, "using \"", "\"")}};
        if (m_login.value("method"_L1) == "publickey"_L1) {
            m_login.insert(u"file"_s, QString::fromUtf8(m_keyFile));
        }
        // A jump host's: the login behind it has still to begin. Each that is reached by another one has said so.
        ++m_logins;
        m_isKeyAwaited = false;
        m_lockedKey.clear();
        m_loginsByProxy += text.contains(" (via proxy)") ? 1 : 0;
        m_hasLogin = m_hasLogin && m_loginsByProxy == m_proxies;
    }
    if (!isChatter(text)) {
        m_complaints = QByteArray(m_complaints + line + '\n').right(mostComplaints);
        if (m_hasLogin) {
            m_saidAtLogin = QByteArray(m_saidAtLogin + line + '\n').right(mostComplaints);
        }
        if (m_hasCommand) {
            m_said = QByteArray(m_said + line + '\n').right(mostComplaints);
        }
    }
}

std::optional<QStringList> SshTrail::refusedKeys() const
{
    return m_isKeyTaken ? std::nullopt : std::optional(m_offeredKeys);
}

void SshTrail::takeDebugLine(const QByteArray &text, QList<Passed> &passed)
{
    if (m_hasCommand) {
        return; // from now on the host may write as well
    }
    if (constexpr QByteArrayView offer("Offering public key: "); text.startsWith(offer)) {
        const QString file = fileOfKey(text.mid(offer.size()));
        if (!file.isEmpty() && !m_offeredKeys.contains(file)) {
            m_offeredKeys.append(file);
        }
    }
    if (text.startsWith("Connecting to ") && m_proxies == 0) { // else it is a jump host
        QString port = QString::fromUtf8(text.mid(text.lastIndexOf(' ') + 1));
        port.remove(u'.');
        passed.append({hoststep::resolve, {{u"address"_s, between(text, "[", "]")}, {u"port"_s, port.toInt()}}});
    } else if (text.startsWith("Executing proxy command: exec ")) {
        if (m_proxies++ == 0) {
            passed.append({hoststep::resolve, {{u"proxy"_s, QString::fromUtf8(proxyOf(text.mid(30)))}}});
        }
    } else if (text.contains("exchange_identification: banner line ")) {
        m_instead = QByteArray(m_instead + text.mid(text.indexOf(": ", text.indexOf("banner line ")) + 2) + '\n')
                        .right(mostComplaints);
    } else if (text.startsWith("Remote protocol version ")) {
        m_instead.clear(); // a few lines in front do not mean a refusal
        passed.append({hoststep::connect,
            {{u"software"_s, QString::fromUtf8(text.mid(text.indexOf("software version ") + 17))}}});
    } else if (text.startsWith("Server host key: ")) {
        const QList<QByteArray> words = text.mid(17).split(' ');
        m_login = {}; // a jump host's
        m_hasLogin = m_isKeyAwaited = false;
        m_lockedKey.clear();
        m_offeredKeys.clear();
        m_isKeyTaken = false;
        m_key = {{u"type"_s, QString::fromUtf8(words.value(0))}, {u"fingerprint"_s, QString::fromUtf8(words.value(1))}};
    } else if (text.startsWith("SSH2_MSG_NEWKEYS sent")) { // the key is known, or a person has accepted it
        passed.append({hoststep::key, m_key});
    } else if (text.startsWith("Authentications that can continue: ")) {
        m_isKeyAwaited = false; // the server has seen it
    } else if (m_isKeyAwaited
        && (text.startsWith("No more authentication methods") || text.startsWith("Offering public key: ")
            || text.startsWith("Trying private key: "))) {
        m_lockedKey = m_keyFile;
        m_isKeyAwaited = false;
    } else if (text.startsWith("Next authentication method: ")) {
        m_lockedKey = m_isKeyAwaited ? m_keyFile : m_lockedKey;
        m_isKeyAwaited = false;
        m_hasLogin = true;
        m_saidAtLogin.clear();
    } else if (text.startsWith("Server accepts key: ")) {
        m_isKeyTaken = true;
        // "Server accepts key: FILE TYPE FINGERPRINT SOURCE"; before 8.0 "pkalg TYPE blen N" without a file.
        const qsizetype fingerprint = text.indexOf(" SHA256:");
        const qsizetype type = fingerprint < 0 ? -1 : text.lastIndexOf(' ', fingerprint - 1);
        m_keyFile = type > 20 ? text.mid(20, type - 20) : QByteArray();
        m_isKeyAwaited = !text.endsWith(" agent") && !text.endsWith(" token"); // those have no file that is locked
    } else if (text.startsWith("Sending command: ")) {
        m_hasCommand = true;
        passed.append({hoststep::login, m_login});
    }
}

} // namespace trainyard

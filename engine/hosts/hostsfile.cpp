// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hosts/hostsfile.h"

#include "engine/api/valuefields.h"
#include "engine/api/valuejson.h"
#include "engine/client/wholefile.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QSaveFile>

#include <algorithm>
#include <utility>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

struct TargetParts {
    QString login; // me@gpu1, without brackets around an address of IPv6
    QString port; // or empty
};

TargetParts targetParts(const QString &target)
{
    static const QRegularExpression withPort(
        u"\\A(?:ssh://)?((?:[^@/]+@)?)(?:\\[([^\\[\\]/]+)\\]|([^@/:\\[\\]]+))(?::([0-9]{1,5}))?/?\\z"_s);
    const QRegularExpressionMatch match = withPort.match(target);
    if (!match.hasMatch()) {
        return {target, {}};
    }
    return {match.captured(1) + match.captured(2) + match.captured(3), match.captured(4)};
}

HostUse takeUse(QJsonObject &entry)
{
    HostUse use;
    use.labels = entry.take(u"labels"_s).toVariant().toStringList();
    use.drained = entry.take(u"drained"_s).toBool();
    use.hours = entry.take(u"hours"_s).toString();
    valuejson::fromValue(entry.take(u"quarantines"_s), use.quarantines);
    use.address = entry.take(u"address"_s).toString();
    return use;
}

QJsonObject withUse(QJsonObject entry, const HostUse &use)
{
    if (!use.labels.isEmpty()) {
        entry.insert(u"labels"_s, QJsonArray::fromStringList(use.labels));
    }
    if (use.drained) {
        entry.insert(u"drained"_s, true);
    }
    if (!use.hours.isEmpty()) {
        entry.insert(u"hours"_s, use.hours);
    }
    if (!use.quarantines.isEmpty()) {
        entry.insert(u"quarantines"_s, valuejson::toValue(use.quarantines));
    }
    if (!use.address.isEmpty()) {
        entry.insert(u"address"_s, use.address);
    }
    return entry;
}

} // namespace

const Quarantine *HostUse::quarantineOf(const QString &gpu) const
{
    const auto it = std::find_if(
        quarantines.cbegin(), quarantines.cend(), [&gpu](const Quarantine &each) { return each.gpu == gpu; });
    return it == quarantines.cend() ? nullptr : &*it;
}

Result<bool> HostsFile::load()
{
    m_hosts.clear();
    m_local = {};
    m_rest = {};
    m_others = {};
    QFile file(m_file);
    if (!file.exists()) {
        return true;
    }
    QJsonParseError error;
    const bool opened = file.open(QIODevice::ReadOnly);
    const QJsonDocument document = opened ? QJsonDocument::fromJson(file.readAll(), &error) : QJsonDocument();
    if (!document.isObject()) {
        return fail(u"hosts.unreadable"_s,
            {{u"file"_s, m_file}, {u"message"_s, opened ? error.errorString() : file.errorString()}});
    }
    m_rest = document.object();
    m_local.extra = m_rest.take(u"local"_s).toObject();
    m_local.use = takeUse(m_local.extra);
    const QJsonArray list = m_rest.take(u"hosts"_s).toArray();
    for (const QJsonValue &entry : list) {
        KnownHost host;
        host.extra = entry.toObject();
        host.id = host.extra.take(u"id"_s).toString();
        host.target = host.extra.take(u"target"_s).toString();
        host.use = takeUse(host.extra);
        if (isName(host.id) && isTarget(host.target) && !contains(host.id)) {
            m_hosts.append(host);
        } else {
            m_others.append(entry);
        }
    }
    return true;
}

bool HostsFile::contains(const QString &id) const
{
    return std::any_of(m_hosts.cbegin(), m_hosts.cend(), [&](const KnownHost &host) { return host.id == id; });
}

Result<bool> HostsFile::refresh()
{
    if (!QFile::exists(m_file)) {
        return true;
    }
    HostsFile now(m_file);
    const Result<bool> read = now.load();
    if (read) {
        *this = now;
    }
    return read;
}

Result<bool> HostsFile::add(const KnownHost &host)
{
    if (const Result<bool> fresh = refresh(); !fresh) {
        return fresh;
    }
    QList<KnownHost> next = m_hosts;
    next.removeIf([&](const KnownHost &other) { return other.id == host.id; });
    next.append(host);
    return write(next);
}

Result<bool> HostsFile::setTarget(const QString &id, const QString &target)
{
    if (const Result<bool> fresh = refresh(); !fresh) {
        return fresh;
    }
    QList<KnownHost> next = m_hosts;
    for (KnownHost &host : next) {
        if (host.id == id) {
            host.target = target;
        }
    }
    return write(next);
}

Result<bool> HostsFile::remove(const QString &id)
{
    if (const Result<bool> fresh = refresh(); !fresh) {
        return fresh;
    }
    QList<KnownHost> next = m_hosts;
    next.removeIf([&](const KnownHost &host) { return host.id == id; });
    const QJsonArray others = m_others;
    m_others = {}; // but a second entry of that name, which would be the host from now on
    for (const QJsonValue &other : others) {
        if (other[u"id"].toString() != id) {
            m_others.append(other);
        }
    }
    const Result<bool> written = write(next);
    m_others = written ? m_others : others;
    return written;
}

HostUse HostsFile::use(const QString &id) const
{
    const auto it
        = std::find_if(m_hosts.cbegin(), m_hosts.cend(), [&id](const KnownHost &host) { return host.id == id; });
    return it != m_hosts.cend() ? it->use : id == "local"_L1 ? m_local.use : HostUse();
}

Result<bool> HostsFile::setUse(const QString &id, const HostUse &use)
{
    if (const Result<bool> fresh = refresh(); !fresh) {
        return fresh;
    }
    QList<KnownHost> next = m_hosts;
    KnownHost local = m_local;
    for (KnownHost &host : next) {
        if (host.id == id) {
            host.use = use;
        }
    }
    if (id == "local"_L1) {
        local.use = use;
    }
    return write(next, local);
}

Result<bool> HostsFile::write(const QList<KnownHost> &hosts, const KnownHost &local)
{
    QJsonArray list;
    for (const KnownHost &host : hosts) {
        QJsonObject entry = withUse(host.extra, host.use);
        entry.insert(u"id"_s, host.id);
        entry.insert(u"target"_s, host.target);
        list.append(entry);
    }
    for (const QJsonValue &other : std::as_const(m_others)) {
        list.append(other);
    }
    QJsonObject all = m_rest;
    all.insert(u"hosts"_s, list);
    if (const QJsonObject here = withUse(local.extra, local.use); !here.isEmpty()) {
        all.insert(u"local"_s, here);
    }
    QDir().mkpath(QFileInfo(m_file).path());
    QSaveFile file(m_file);
    const QByteArray bytes = QJsonDocument(all).toJson();
    if (const std::optional<QString> why
        = file.open(QIODevice::WriteOnly) ? writeWhole(file, bytes) : file.errorString()) {
        return fail(u"hosts.cannot-write"_s, {{u"file"_s, m_file}, {u"message"_s, *why}});
    }
    m_hosts = hosts;
    m_local = local;
    return true;
}

bool HostsFile::isTarget(const QString &target)
{
    static const QRegularExpression shape(u"\\A[A-Za-z0-9_\\[][A-Za-z0-9_.@:/%+~\\[\\]-]{0,252}\\z"_s);
    if (!shape.match(target).hasMatch() || nameFor(target).isEmpty()) { // "me@" names no host
        return false;
    }
    const QString port = targetParts(target).port;
    return port.isEmpty() || port.toUShort() > 0; // what is too large is none
}

QString HostsFile::nameFor(const QString &target)
{
    QString name = computerOf(target);
    if (name.count(u':') > 1) { // an address of IPv6, without its interface
        static const QRegularExpression colons(u":+"_s);
        name = name.section(u'%', 0, 0).replace(colons, u"-"_s);
        return name.startsWith(u'-') ? name.mid(1) : name;
    }
    name = target;
    if (name.startsWith("ssh://"_L1)) {
        name = name.mid(6);
    }
    name = name.mid(name.lastIndexOf(u'@') + 1);
    const bool isAddress = QRegularExpression(u"\\A[0-9.]+(:[0-9]+)?\\z"_s).match(name).hasMatch();
    name = name.section(u':', 0, 0);
    if (!isAddress) {
        name = name.section(u'.', 0, 0);
    }
    return name;
}

QString HostsFile::sshCommand(const QString &target)
{
    const TargetParts parts = targetParts(target);
    return parts.port.isEmpty() ? u"ssh "_s + parts.login : u"ssh -p %1 %2"_s.arg(parts.port, parts.login);
}

QString HostsFile::computerOf(const QString &target)
{
    const QString login = targetParts(target).login;
    return login.mid(login.lastIndexOf(u'@') + 1);
}

QString HostsFile::portOf(const QString &target) { return targetParts(target).port; }

bool HostsFile::isName(const QString &name)
{
    static const QRegularExpression shape(u"\\A[A-Za-z0-9_][A-Za-z0-9_.-]{0,62}\\z"_s);
    return name != "local"_L1 && shape.match(name).hasMatch();
}

} // namespace trainyard

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/sshlookup.h"

#include "engine/client/sshnames.h"

#include <QHostAddress>
#include <QHostInfo>
#include <QProcess>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr int longestLookMs = 8'000; // the user who adds a host waits for it

// One look: it ends by itself, in time, or with what it is made for.
class SshNameLook final : public QObject
{
public:
    SshNameLook(QObject *context, const std::function<void(const QString &)> &then) : QObject(context), m_then(then)
    {
        QTimer::singleShot(longestLookMs, this, [this] { end({}); });
    }

    ~SshNameLook() override
    {
        QHostInfo::abortHostLookup(m_lookup);
        m_process.disconnect(this); // it may still be running, and is killed with its object
    }

    void start(const QString &target)
    {
        connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
            if (error == QProcess::FailedToStart) {
                end({}); // what is missing is said when the host is tried
            }
        });
        connect(&m_process, &QProcess::finished, this,
            [this](int status, QProcess::ExitStatus) { lookUp(status == 0 ? m_process.readAll() : QByteArray()); });
        QStringList arguments{u"-G"_s};
        if (const QString own = qEnvironmentVariable("TRAINYARD_SSH_CONFIG"); !own.isEmpty()) {
            arguments << u"-F"_s << own;
        }
        m_process.setStandardInputFile(QProcess::nullDevice());
        m_process.setStandardErrorFile(QProcess::nullDevice());
        m_process.start(u"ssh"_s, arguments << u"--"_s << sshDestination(target));
    }

private:
    void lookUp(const QByteArray &settings)
    {
        const QString name = nameToLookUp(settings);
        if (name.isEmpty()) {
            end({});
            return;
        }
        m_lookup = QHostInfo::lookupHost(name, this,
            [this, name](const QHostInfo &found) { end(found.error() == QHostInfo::HostNotFound ? name : QString()); });
    }

    void end(const QString &unknown)
    {
        if (m_then) {
            deleteLater();
            std::exchange(m_then, nullptr)(unknown);
        }
    }

    std::function<void(const QString &)> m_then;
    QProcess m_process;
    int m_lookup = -1;
};

} // namespace

QString nameToLookUp(const QByteArray &settings)
{
    QString name;
    const QList<QByteArray> lines = settings.split('\n');
    for (const QByteArray &line : lines) {
        const qsizetype blank = line.indexOf(' ');
        const QByteArray key = line.first(std::max<qsizetype>(blank, 0)).toLower();
        const QByteArray value = line.mid(blank + 1).trimmed();
        if ((key == "proxycommand" || key == "proxyjump") && value != "none") {
            return {};
        }
        if (key == "hostname") {
            name = QString::fromUtf8(value);
        }
    }
    return QHostAddress(name).isNull() ? name : QString();
}

void lookUpSshName(const QString &target, QObject *context, const std::function<void(const QString &unknown)> &then)
{
    (new SshNameLook(context, then))->start(target);
}

} // namespace trainyard

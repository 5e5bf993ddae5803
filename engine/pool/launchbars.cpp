// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/launchbars.h"

#include "engine/client/pathbytes.h"
#include "engine/contract/taskfolder.h"

#include <QDir>
#include <QFile>
#include <QStringList>

#include <optional>
#include <string>
#include <utility>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr auto begunLine = "begun"_L1;

// An older engine wrote no way of stopping: at once.
contract::Stop stopOfLines(const QStringList &lines)
{
    const QStringList how = lines.at(2).split(u' ');
    contract::Stop stop;
    stop.dir = lines.at(1).toStdString();
    stop.graceMs = 0;
    if (how.size() == 3 && how.at(0).toInt() > 0) {
        stop.signal = how.at(0).toInt();
        stop.graceMs = how.at(1).toLongLong();
        stop.onlyMain = how.at(2) == "1"_L1;
    }
    stop.hasBegun = lines.value(3) == begunLine;
    return stop;
}

} // namespace

LaunchBars::LaunchBars(const QString &folder) : m_folder(folder)
{
    const QStringList names = QDir(m_folder).entryList(QDir::Files);
    for (const QString &name : names) {
        const QUuid tryUuid = QUuid::fromString(name);
        const std::optional<std::string> text = contract::readWhole(pathBytes(m_folder + u'/' + name));
        const QStringList lines = QString::fromStdString(text.value_or("")).split(u'\n');
        if (!tryUuid.isNull() && lines.size() >= 3 && lines.at(1).startsWith(u'/')) {
            m_bars[tryUuid] = {lines.at(0), stopOfLines(lines), true};
        }
    }
}

QString LaunchBars::fileOf(const QUuid &tryUuid) const
{
    return m_folder + u'/' + tryUuid.toString(QUuid::WithoutBraces);
}

void LaunchBars::add(const QUuid &tryUuid, const QString &host, const contract::Stop &stop)
{
    m_bars[tryUuid] = {host, stop, false};
    write(tryUuid, m_bars[tryUuid]);
}

void LaunchBars::setBegun(const QUuid &tryUuid)
{
    if (const auto it = m_bars.find(tryUuid); it != m_bars.end() && !std::exchange(it->second.stop.hasBegun, true)) {
        write(tryUuid, it->second);
    }
}

void LaunchBars::write(const QUuid &tryUuid, const Bar &bar) const
{
    const contract::Stop &stop = bar.stop;
    const QString how
        = QString::number(stop.signal) + u' ' + QString::number(stop.graceMs) + u' ' + (stop.onlyMain ? u'1' : u'0');
    const QString text = bar.host + u'\n' + QString::fromStdString(stop.dir) + u'\n' + how + u'\n'
        + (stop.hasBegun ? QString(begunLine + u'\n') : QString());
    // Where it cannot be written, only an engine that is killed in the next moment does not see to it.
    if (contract::makeFolders(pathBytes(m_folder)) == 0) {
        contract::writeAtomically(pathBytes(fileOf(tryUuid)), text.toStdString(), false);
    }
}

void LaunchBars::setDue(const QUuid &tryUuid)
{
    if (const auto it = m_bars.find(tryUuid); it != m_bars.end()) {
        it->second.isDue = true;
    }
}

void LaunchBars::setNoted(const QUuid &tryUuid, bool on)
{
    if (const auto it = m_bars.find(tryUuid); it != m_bars.end()) {
        it->second.isNoted = on;
    }
}

void LaunchBars::drop(const QUuid &tryUuid)
{
    if (m_bars.erase(tryUuid) > 0) {
        QFile::remove(fileOf(tryUuid));
    }
}

const LaunchBars::Bar *LaunchBars::find(const QUuid &tryUuid) const
{
    const auto it = m_bars.find(tryUuid);
    return it == m_bars.end() ? nullptr : &it->second;
}

std::vector<QUuid> LaunchBars::dueOn(const QString &host) const
{
    std::vector<QUuid> due;
    for (const auto &[tryUuid, bar] : m_bars) {
        if (bar.isDue && bar.host == host) {
            due.push_back(tryUuid);
        }
    }
    return due;
}

} // namespace trainyard

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hosts/agentprograms.h"

#include "model/base/shortdigest.h"

#include <QFile>
#include <QFileInfo>
#include <QMap>

#include <sys/utsname.h>

#include <algorithm>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

// A program of some MiB.
std::pair<QByteArray, QByteArray> contentOf(const QString &program)
{
    static QMap<QString, std::pair<QByteArray, QByteArray>> known;
    const auto it = known.constFind(program);
    if (it != known.cend()) {
        return *it;
    }
    QFile file(program);
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    const QByteArray bytes = file.readAll();
    const QByteArray hash = shortDigest(bytes).toLatin1();
    return known.insert(program, {bytes, hash}).value();
}

// A 64-bit processor calls itself otherwise for a program of 32 bits, and after setarch.
QString plainProcessor(const QString &processor)
{
    static const QMap<QString, QString> names{{u"i386"_s, u"x86_64"_s}, {u"i486"_s, u"x86_64"_s},
        {u"i586"_s, u"x86_64"_s}, {u"i686"_s, u"x86_64"_s}, {u"armv8l"_s, u"aarch64"_s}};
    return names.value(processor, processor);
}

} // namespace

AgentPrograms::AgentPrograms(const QString &own)
{
    const QString here = machineHere().section(u' ', 1);
    const auto [bytes, hash] = contentOf(own);
    m_programs = {{here.toLatin1(), bytes, hash}};
    for (const QString &processor : {u"aarch64"_s, u"x86_64"_s}) {
        const QString file = QFileInfo(own).path() + u"/trainyard-agent-"_s + processor;
        if (processor != here && QFileInfo(file).isFile()) {
            const auto [other, itsHash] = contentOf(file);
            if (!other.isEmpty()) {
                m_programs.append({processor.toLatin1(), other, itsHash});
            }
        }
    }
}

const AgentPrograms::Program *AgentPrograms::forMachine(const QString &machine) const
{
    if (machine.section(u' ', 0, 0) != "Linux"_L1) {
        return nullptr;
    }
    const QString said = machine.section(u' ', 1);
    for (const QString &processor : {said, plainProcessor(said)}) {
        const auto it = std::find_if(m_programs.cbegin(), m_programs.cend(),
            [&processor](const Program &one) { return QLatin1StringView(one.processor) == processor; });
        if (it != m_programs.cend()) {
            return &*it;
        }
    }
    return nullptr;
}

QStringList AgentPrograms::machines() const
{
    QStringList all;
    for (const Program &one : m_programs) {
        all.append(u"Linux "_s + QString::fromLatin1(one.processor));
    }
    return all;
}

QString AgentPrograms::machineHere()
{
    struct utsname name {
    };
    ::uname(&name);
    return QString::fromLatin1(name.sysname) + u' ' + QString::fromLatin1(name.machine);
}

} // namespace trainyard

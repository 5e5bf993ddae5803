// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmarray.h"

#include "model/base/shellquote.h"

#include <algorithm>

namespace trainyard::slurm
{

using namespace Qt::StringLiterals;

QString arrayKey(const ArrayShape &shape)
{
    if (shape.group.isEmpty() || shape.layout.components.size() != 1) {
        return {};
    }
    const Component &component = shape.layout.components.front();
    QStringList parts{shape.group, shape.root};
    for (const qint64 number : {qint64(shape.most), shape.limitMs, shape.graceMs, qint64(component.cpus),
             component.memoryMiB, qint64(component.gpus), qint64(component.tasks)}) {
        parts.append(QString::number(number));
    }
    return parts.join(u'\n'); // neither a group nor a folder of ours has one
}

QString elementsText(int count, int most)
{
    const QString all = u"0-%1"_s.arg(count - 1);
    return most > 0 && most < count ? all + u'%' + QString::number(most) : all;
}

QString elementId(const QString &array, int index) { return array + u'_' + QString::number(index); }

void ArrayHold::add(const QString &key, const QString &folder, qint64 now)
{
    Held &held = m_held[key];
    if (std::find(held.folders.begin(), held.folders.end(), folder) != held.folders.end()) {
        return;
    }
    held.since = held.folders.empty() ? now : held.since;
    held.newest = now;
    held.folders.push_back(folder);
}

std::vector<ArrayHold::Batch> ArrayHold::takeDue(qint64 now, std::size_t most)
{
    std::vector<Batch> due;
    for (auto it = m_held.begin(); it != m_held.end();) {
        std::vector<QString> &folders = it->second.folders;
        // A clock that was set back must not keep them.
        const bool isDue
            = now - it->second.newest >= quietMs || now - it->second.since >= longestMs || now < it->second.newest;
        std::size_t from = 0;
        while (from < folders.size() && (isDue || folders.size() - from >= most)) {
            const std::size_t to = std::min(folders.size(), from + most);
            due.push_back({it->first, {folders.begin() + std::ptrdiff_t(from), folders.begin() + std::ptrdiff_t(to)}});
            from = to;
        }
        folders.erase(folders.begin(), folders.begin() + std::ptrdiff_t(from));
        it = folders.empty() ? m_held.erase(it) : std::next(it);
    }
    return due;
}

ArraySizes::Split ArraySizes::refused(Refusal kind, std::size_t size)
{
    if (kind == Refusal::Array) {
        m_ceiling = std::min(m_ceiling, std::max<std::size_t>(1, size / 2));
        m_most = std::min(m_most, m_ceiling);
        return Split::AtOnce;
    }
    // Each element counts as a job there. Few questions find out how many there is room for.
    if (size > 1 && (kind == Refusal::Limit || kind == Refusal::Unclear)) {
        m_most = std::min(m_most, std::max<std::size_t>(1, size / 4));
        return Split::Later;
    }
    return Split::None;
}

void ArraySizes::taken(std::size_t size) { m_most = std::min(m_ceiling, std::max(m_most, 2 * size)); }

std::vector<std::size_t> partsOf(std::size_t count, const ArraySizes &sizes)
{
    std::vector<std::size_t> parts;
    while (count > sizes.ceiling()) {
        parts.push_back(sizes.ceiling());
        count -= sizes.ceiling();
    }
    if (parts.empty() && count > sizes.most()) {
        parts.push_back(sizes.most());
        count -= sizes.most();
    }
    parts.push_back(count);
    return parts;
}

QByteArray arrayScript(const ScriptInput &input, const std::vector<QString> &folders)
{
    QByteArray script = "#!/bin/sh\n" + directives(input) + "case $SLURM_ARRAY_TASK_ID in\n";
    for (std::size_t i = 0; i < folders.size(); ++i) {
        script += QByteArray::number(qulonglong(i)) + ") folder=" + shellQuote(folders[i].toUtf8()) + ";;\n";
    }
    return script + "*) exit 2;;\nesac\nexec >>\"$folder/lead.log\" 2>&1\nexec /bin/sh \"$folder/job.sh\"\n";
}

} // namespace trainyard::slurm

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmledbook.h"

#include "engine/contract/taskfolder.h"
#include "model/base/shortdigest.h"

#include <QDir>
#include <QFile>
#include <QStringList>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr int linesOfLedNote = 3;

} // namespace

SlurmLedBook::SlurmLedBook(const QString &folder) : m_folder(folder)
{
    const QStringList names = QDir(m_folder).entryList(QDir::Files);
    for (const QString &name : names) {
        const std::optional<std::string> text
            = contract::readWhole(QFile::encodeName(m_folder + u'/' + name).toStdString());
        const QStringList lines = QString::fromStdString(text.value_or("")).split(u'\n');
        if (lines.size() >= linesOfLedNote && lines.constFirst().startsWith(u'/')) {
            m_ids.insert_or_assign(Key(lines.at(0), lines.at(1).toInt()), lines.at(2));
        }
    }
}

QString SlurmLedBook::fileOf(const Key &key) const
{
    return m_folder + u'/' + shortDigest((key.first + u'\n' + QString::number(key.second)).toUtf8());
}

void SlurmLedBook::add(const Note &note)
{
    const Key key(note.allocation, note.position);
    if (const auto it = m_ids.find(key); it != m_ids.end() && it->second == note.id) {
        return;
    }
    m_ids.insert_or_assign(key, note.id);
    const QString text = u"%1\n%2\n%3\n"_s.arg(note.allocation).arg(note.position).arg(note.id);
    // Where it cannot be written, it is as it would be without: only a kill in the next second loses something.
    if (contract::makeFolders(QFile::encodeName(m_folder).toStdString()) == 0) {
        contract::writeAtomically(QFile::encodeName(fileOf(key)).toStdString(), text.toStdString(), false);
    }
}

void SlurmLedBook::remove(const QString &allocation, int position)
{
    const Key key(allocation, position);
    if (m_ids.erase(key) > 0) {
        QFile::remove(fileOf(key));
    }
}

std::vector<SlurmLedBook::Note> SlurmLedBook::notes() const
{
    std::vector<Note> all;
    for (const auto &[key, id] : m_ids) {
        all.push_back({key.first, key.second, id});
    }
    return all;
}

} // namespace trainyard

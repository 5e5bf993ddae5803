// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmledbook.h"

#include "engine/client/pathbytes.h"
#include "engine/contract/taskfolder.h"
#include "model/base/shortdigest.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStringList>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr int linesOfLedNote = 3;
constexpr QLatin1StringView nameOfLed{"name "}, commentOfLed{"comment "}; // of the lines that follow

} // namespace

SlurmLedBook::SlurmLedBook(const QString &folder) : m_folder(folder)
{
    const QStringList names = QDir(m_folder).entryList(QDir::Files);
    for (const QString &name : names) {
        const std::optional<std::string> text = contract::readWhole(pathBytes(m_folder + u'/' + name));
        const QStringList lines = QString::fromStdString(text.value_or("")).split(u'\n');
        if (lines.size() >= linesOfLedNote && lines.constFirst().startsWith(u'/')) {
            Note note{lines.at(0), lines.at(1).toInt(), lines.at(2), {}};
            const QStringList marks = lines.mid(linesOfLedNote);
            for (const QString &line : marks) {
                if (line.startsWith(nameOfLed)) {
                    note.mark.names.append(line.sliced(nameOfLed.size()));
                } else if (line.startsWith(commentOfLed)) {
                    note.mark.comments.append(line.sliced(commentOfLed.size()));
                }
            }
            if (note.mark.comments.isEmpty()) { // an allocation has the name of its folder
                note.mark.comments.append(slurm::commentHead + QFileInfo(note.allocation).fileName());
            }
            m_notes.insert_or_assign(Key(note.allocation, note.position), note);
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
    if (const auto it = m_notes.find(key); it != m_notes.end() && it->second.id == note.id) {
        return;
    }
    m_notes.insert_or_assign(key, note);
    QStringList lines{note.allocation, QString::number(note.position), note.id};
    for (const QString &name : note.mark.names) {
        lines.append(nameOfLed + name);
    }
    for (const QString &comment : note.mark.comments) {
        lines.append(commentOfLed + comment);
    }
    const QString text = lines.join(u'\n') + u'\n';
    // Where it cannot be written, it is as it would be without: only a kill in the next second loses something.
    if (contract::makeFolders(pathBytes(m_folder)) == 0) {
        contract::writeAtomically(pathBytes(fileOf(key)), text.toStdString(), false);
    }
}

void SlurmLedBook::remove(const QString &allocation, int position)
{
    const Key key(allocation, position);
    if (m_notes.erase(key) > 0) {
        QFile::remove(fileOf(key));
    }
}

std::vector<SlurmLedBook::Note> SlurmLedBook::notes() const
{
    std::vector<Note> all;
    for (const auto &[key, note] : m_notes) {
        all.push_back(note);
    }
    return all;
}

} // namespace trainyard

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/scriptplace.h"

#include "engine/client/datafindings.h"

#include <QDir>
#include <QFileInfo>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr int mostEntries = 500; // of all folders; people have their scripts at the top
constexpr int mostLevels = 3;

// Level by level, so that what is nearest comes first.
QStringList filesBelow(const QString &top)
{
    static const QStringList ofOthers{u"__pycache__"_s, u"node_modules"_s, u"site-packages"_s, u"venv"_s};
    QStringList files;
    QStringList level{QString()};
    int seen = 0;
    for (int depth = 0; depth < mostLevels && !level.isEmpty(); ++depth) {
        QStringList next;
        for (const QString &folder : std::as_const(level)) {
            const QFileInfoList entries
                = QDir(top + u'/' + folder).entryInfoList(QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
            for (const QFileInfo &entry : entries) {
                if (++seen > mostEntries) {
                    return files;
                }
                if (!entry.isDir()) {
                    files.append(folder + entry.fileName());
                } else if (!entry.isSymLink() && !ofOthers.contains(entry.fileName())) {
                    next.append(folder + entry.fileName() + u'/');
                }
            }
        }
        level = next;
    }
    return files;
}

} // namespace

ScriptPlace scriptPlace(const QString &folder)
{
    return {folder, [folder](const QString &file) { return QFileInfo::exists(folder + u'/' + file); },
        [folder] { return filesBelow(folder); }};
}

ScriptPlace scriptPlaceOf(const JobSpec &job, const QString &file, const QString &work)
{
    std::optional<QString> folder = work;
    if (work.isEmpty()) {
        folder = workFolderOf(job, file.isEmpty() ? QString() : QFileInfo(file).absolutePath());
    } else if (!QDir::isAbsolutePath(work)) {
        folder.reset(); // ~/: each host has its own
    }
    return folder && QFileInfo(*folder).isDir() ? scriptPlace(*folder) : ScriptPlace();
}

} // namespace trainyard

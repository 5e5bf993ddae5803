// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/scriptplace.h"

#include <QElapsedTimer>
#include <QHash>
#include <QObject>
#include <QSet>
#include <QStringList>

#include <functional>
#include <optional>

QT_BEGIN_NAMESPACE
class QFileSystemWatcher;
class QTimer;
QT_END_NAMESPACE

namespace trainyard
{

/**
 * What lies in the work folder of a document, for checkScriptFiles(), which asks with each key. The disk may be slow,
 * so it is looked at on another thread, and the files are listed once for each change of the folder, or when some
 * seconds have passed. What has not been looked for yet counts as being there. GUI thread only.
 */
class WorkFolderLook : public QObject
{
    Q_OBJECT
public:
    using PlaceOf = std::function<ScriptPlace(const QString &folder)>; // called on that thread
    static constexpr qint64 usualMs = 5000; // changes below the folder are not reported
    explicit WorkFolderLook(QObject *parent, PlaceOf placeOf = scriptPlace, qint64 knownForMs = usualMs);

    // Looks up the files of one check: those whose state is not known are searched for. Do not keep it.
    ScriptPlace place(const QString &folder);

Q_SIGNALS:
    void changed(); // a check would have another result

private:
    struct Seen {
        bool isFolder = false;
        QHash<QString, bool> has;
        std::optional<QStringList> files;
    };
    bool has(const QString &file);
    QStringList files();
    void expire();
    void look();
    void take(const QString &folder, const Seen &seen);

    PlaceOf m_placeOf;
    qint64 m_knownForMs;
    QFileSystemWatcher *m_watcher;
    QTimer *m_soon;
    QString m_folder;
    QSet<QString> m_wanted; // by the newest check
    bool m_wantsFiles = false;
    QHash<QString, bool> m_known;
    std::optional<QStringList> m_files;
    bool m_areFilesOld = false;
    QElapsedTimer m_sinceLook;
    bool m_isLooking = false, m_looksAgain = false;
};

} // namespace trainyard

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QByteArray>
#include <QObject>

QT_BEGIN_NAMESPACE
class QFileSystemWatcher;
class QTimer;
QT_END_NAMESPACE

namespace trainyard
{

// The file behind a document: read and written whole and exactly, and watched for changes by others.
class DocumentFile : public QObject
{
    Q_OBJECT
public:
    explicit DocumentFile(QObject *parent = nullptr);
    QString path() const { return m_path; }
    Result<QByteArray> open(const QString &path); // then it is this one
    Result<void> save(const QString &path, const QByteArray &bytes);
    void close();

Q_SIGNALS:
    // Somebody else wrote it: its new content, which differs from what was read or written here last.
    void changedOnDisk(const QByteArray &bytes);
    void removedFromDisk();

private:
    void watch();
    void check();
    QString m_path;
    QByteArray m_digest;
    QFileSystemWatcher *m_watcher;
    QTimer *m_settle;
    bool m_missing = false;
};

} // namespace trainyard

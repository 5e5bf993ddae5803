// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QByteArray>
#include <QObject>

#include <optional>

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
    // Overwrites only contents that were last read or written here: changes of another program are reported by
    // changedOnDisk(), and "file.changed" is returned until acceptChange() is called. A file without write permission
    // ("file.write-protected") is not replaced. A new file with values of secrets can be read by its owner only.
    Result<void> save(const QString &path, const QByteArray &bytes);
    void look(); // for another content, without waiting for the watcher
    void acceptChange(); // it was read, or is to be written over
    // The digest of the content that the text was made from: read, written or accepted. Empty without a file.
    QByteArray digest() const { return m_path.isEmpty() ? QByteArray() : m_unanswered ? m_base : m_digest; }
    void setDigest(const QByteArray &known); // reports when the file has other contents
    void close();

Q_SIGNALS:
    // Another program wrote it: its new content, which differs from what was read or written here last.
    void changedOnDisk(const QByteArray &bytes);
    void removedFromDisk();
    void returnedToDisk(const QByteArray &bytes); // after that, with what was read or written here last

private:
    void watch();
    void check();
    bool isChanged(); // reports it
    // It also reports other contents, and repeats an unanswered report. Nothing: the file cannot be read.
    std::optional<QByteArray> readAgain(bool tellsAgain);
    QString m_path;
    QByteArray m_digest; // of what is known to be in the file
    QByteArray m_base; // as long as a change is not answered
    QFileSystemWatcher *m_watcher;
    QTimer *m_settle;
    bool m_missing = false;
    bool m_unanswered = false; // a change that was reported
};

} // namespace trainyard

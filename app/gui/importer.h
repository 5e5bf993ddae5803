// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QByteArray>
#include <QList>
#include <QObject>
#include <QStringList>
#include <QUrl>

class QMimeData;
class QNetworkAccessManager;
class QNetworkReply;
class QTimer;

namespace trainyard
{

// Imports what was dropped or pasted: files, addresses, or a text. Addresses are fetched here, one after the other, and
// only those that the user gave: no other part of the window uses the network.
class Importer : public QObject
{
    Q_OBJECT
public:
    struct Content {
        QStringList files;
        QList<QUrl> urls; // http and https
        QByteArray text; // a job, perhaps; empty when there are files or addresses
        bool isEmpty() const { return files.isEmpty() && urls.isEmpty() && text.isEmpty(); }
    };
    static Content contentOf(const QMimeData *mime);
    static bool isAccepted(const QMimeData *mime); // what a drop would take

    static constexpr qint64 mostBytes = qint64(8) << 20;

    explicit Importer(QObject *parent = nullptr);
    void setTimeout(int ms) { m_timeoutMs = ms; }
    void fetch(const QList<QUrl> &urls);
    bool isBusy() const { return m_reply || !m_waiting.isEmpty(); }

public Q_SLOTS:
    void cancel();

Q_SIGNALS:
    void progress(const QUrl &url, qint64 received, qint64 total, int waiting); // total is -1 while not known
    void fetched(const QUrl &url, const QByteArray &text, const QString &suggestedName);
    void failed(const QUrl &url, const trainyard::Error &error);
    void finished(); // nothing is left to fetch

private:
    void next();
    void finish();
    void giveUp(const Error &error);
    QNetworkAccessManager *m_network = nullptr;
    QNetworkReply *m_reply = nullptr;
    QTimer *m_timer;
    QList<QUrl> m_waiting;
    QByteArray m_text;
    int m_timeoutMs = 20'000; // without a byte
};

} // namespace trainyard
